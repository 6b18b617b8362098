#include "rewrite/cooccurrence.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace paragauge {

void BigramCounter::add(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) {
    for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
        const auto last = static_cast<std::size_t>(offsets[line + 1]);
        for (auto i = static_cast<std::size_t>(offsets[line]); i + 1 < last; ++i) {
            if (ids[i] < 0 || ids[i + 1] < 0) continue;
            count(static_cast<std::uint64_t>(ids[i]) << 32 | static_cast<std::uint64_t>(ids[i + 1]));
        }
    }
}

void BigramCounter::count(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix(key) & mask;
    while (slots_[at].key != key && slots_[at].key != kFree) at = (at + 1) & mask;
    if (slots_[at].key == kFree) {
        slots_[at].key = key;
        ++size_;
    }
    ++slots_[at].count;
    if (2 * size_ > slots_.size()) grow();
}

void BigramCounter::grow() {
    std::vector<Slot> larger(2 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
        if (slot.key == kFree) continue;
        std::size_t at = mix(slot.key) & mask;
        while (larger[at].key != kFree) at = (at + 1) & mask;
        larger[at] = slot;
    }
    slots_.swap(larger);
}

Bigrams BigramCounter::bigrams() const {
    std::vector<Slot> used;
    used.reserve(size_);
    std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(used),
                 [](const Slot& slot) { return slot.key != kFree; });
    std::sort(used.begin(), used.end(), [](const Slot& a, const Slot& b) { return a.key < b.key; });
    Bigrams result;
    for (const Slot& slot : used) {
        result.left.push_back(static_cast<std::int32_t>(slot.key >> 32));
        result.right.push_back(static_cast<std::int32_t>(slot.key & 0xFFFFFFFF));
        result.counts.push_back(slot.count);
    }
    return result;
}

void count_cooccurrences(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets,
                         std::span<const std::int32_t> columns, std::size_t features, std::size_t window,
                         std::int64_t* counts, std::size_t threads) {
    // Each thread counts for words of its own, so that no two write to one row.
    const auto ranges = split(std::max<std::size_t>(ids.size() / 4096, 1), threads, 1);
    const std::size_t parts = ranges.size();
    run_parallel(ranges, [&](std::size_t part, Range) {
        struct Feature {
            std::size_t place, column;
        };
        std::vector<Feature> nearby;  // of one line
        for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
            const auto first = static_cast<std::size_t>(offsets[line]);
            const auto last = static_cast<std::size_t>(offsets[line + 1]);
            nearby.clear();
            for (std::size_t i = first; i < last; ++i)
                if (ids[i] >= 0 && columns[static_cast<std::size_t>(ids[i])] >= 0)
                    nearby.push_back({i, static_cast<std::size_t>(columns[static_cast<std::size_t>(ids[i])])});
            std::size_t begin = 0;
            for (std::size_t i = first; i < last; ++i) {
                while (begin < nearby.size() && i - first > window && nearby[begin].place < i - window) ++begin;
                if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) % parts != part) continue;
                std::int64_t* const row = counts + static_cast<std::size_t>(ids[i]) * features;
                for (std::size_t k = begin; k < nearby.size() && nearby[k].place <= i + window; ++k)
                    row[nearby[k].column] += nearby[k].place != i;
            }
        }
    });
}

}  // namespace paragauge
