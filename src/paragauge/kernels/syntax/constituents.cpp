#include "syntax/constituents.hpp"

#include "base/parallel.hpp"

namespace paragauge {

ConstituentParser::ConstituentParser(LabelSet labels, std::span<const std::uint8_t> kinds,
                                     std::span<const std::uint32_t> keys,
                                     std::span<const std::int64_t> offsets,
                                     std::span<const std::uint8_t> columns,
                                     std::span<const std::int8_t> weights)
    : labels_(std::move(labels)),
      kinds_(kinds.begin(), kinds.end()),
      symbols_(labels_.labels + kinds.size()),
      width_(labels_.width()),
      blocks_((width_ + 63) / 64) {
    const std::size_t children = 2 * symbols_, features = keys.size() - children;
    children_.assign(children * width_, 0);
    rows_.resize(features * blocks_);
    table_ = FeatureTable(keys.subspan(children));
    for (std::size_t row = 0; row < keys.size(); ++row) {
        const auto first = static_cast<std::size_t>(offsets[row]);
        const auto last = static_cast<std::size_t>(offsets[row + 1]);
        for (std::size_t at = first; at < last; ++at) {
            if (row < children)
                children_[row * width_ + columns[at]] = weights[at];
            else
                rows_[(row - children) * blocks_ + columns[at] / 64].weights[columns[at] % 64] = weights[at];
        }
    }
    forbid(labels_, symbols_, children_.data());
}

// Memory is prefetched before it is read: first the slots of all features, then their rows.
void ConstituentParser::rows(std::vector<std::uint32_t>& keys,
                             std::vector<const std::int8_t*>& out) const {
    std::size_t known = 0;
    for (const std::uint32_t key : keys)
        if (table_.may_have(key)) {
            table_.prefetch(key);
            keys[known++] = key;
        }
    for (std::size_t i = 0; i < known; ++i)
        if (const std::uint32_t row = table_.search(keys[i]); row != FeatureTable::kAbsent) {
            const WeightBlock* block = &rows_[row * blocks_];
            for (std::size_t b = 0; b < blocks_; ++b) __builtin_prefetch(block + b);
            out.push_back(block->weights.data());
        }
}

std::vector<BinaryNode> ConstituentParser::parse(const TextColumn& lines,
                                                 std::span<const std::int32_t> tags,
                                                 std::span<const std::int64_t> offsets,
                                                 std::size_t threads) const {
    const std::vector<Range> ranges = split(lines.lines(), threads, 8);
    std::vector<std::vector<BinaryNode>> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Chart<ConstituentParser> chart(*this);
        WordReader reader;
        ParserWords words;
        std::vector<std::string_view> tokens;
        std::vector<BinaryNode> tree;
        for (std::size_t line = range.first; line < range.last; ++line) {
            split_words(lines.line(line), tokens);
            words.assign(tokens, tags.subspan(static_cast<std::size_t>(offsets[line]), tokens.size()),
                         kinds_, reader);
            chart.parse(words, tree, [](std::size_t, std::size_t, Sum*, Sum*) {});
            parts[index].insert(parts[index].end(), tree.begin(), tree.end());
        }
    });
    std::vector<BinaryNode> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace paragauge
