#include "lm/trie.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace paragauge {

NgramSorter::Sorted NgramSorter::add(std::span<const std::int32_t> words) {
    const std::size_t order = firsts_.size() + 1;
    const std::size_t size = words.size() / order;
    if (size + nodes_ > kMostNodes) throw std::invalid_argument("more than 2,147,483,647 n-grams");
    Sorted result;
    std::vector<std::pair<std::uint64_t, std::int64_t>> keys;  // (context, word), position
    keys.reserve(size);
    const Node base = firsts_.empty() ? kRoot : firsts_.back();
    for (std::size_t i = 0; i < size; ++i) {
        Node context = kRoot;
        for (std::size_t k = 0; k + 1 < order; ++k) {
            const auto* slot = table_.find(context, static_cast<std::uint32_t>(words[i * order + k]));
            if (slot == nullptr) {
                result.fault = Fault::context;
                result.at = i;
                return result;
            }
            context = slot->node;
        }
        const auto word = static_cast<std::uint32_t>(words[i * order + order - 1]);
        keys.emplace_back(std::uint64_t{context} << 32 | word, static_cast<std::int64_t>(i));
    }
    std::sort(keys.begin(), keys.end());
    table_.reserve(nodes_ + size);
    firsts_.push_back(nodes_);
    result.positions.reserve(size);
    result.parents.reserve(size);
    for (const auto& [key, position] : keys) {
        const auto context = static_cast<Node>(key >> 32);
        if (!table_.insert(context, static_cast<std::uint32_t>(key), nodes_++, 0)) {
            result.fault = Fault::twice;
            result.at = static_cast<std::size_t>(position);
            return result;
        }
        result.positions.push_back(position);
        result.parents.push_back(static_cast<std::int32_t>(context - base));
    }
    return result;
}

}  // namespace paragauge
