// Counts of words that occur near each other: bigrams, and words with feature words in a window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hashing.hpp"

namespace paragauge {

struct Bigrams {  // sorted by left, then right
    std::vector<std::int32_t> left, right;
    std::vector<std::int64_t> counts;
};

// Counts pairs of neighbors within a line; a negative id is not a word and has no neighbors.
class BigramCounter {
public:
    // Contract: ids of line i are those from offsets[i] to offsets[i + 1].
    void add(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets);
    Bigrams bigrams() const;

private:
    struct Slot {
        std::uint64_t key = kFree;
        std::int64_t count = 0;
    };
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};

    void count(std::uint64_t key);
    void grow();

    std::vector<Slot> slots_ = std::vector<Slot>(1 << 12);
    std::size_t size_ = 0;
};

// Adds to counts[word, feature] how often a feature word occurs at most `window` places before or after
// the word in its line. columns[word] is the feature that a word is, or negative. A negative id takes a
// place and counts for nothing.
// Contract: ids are below columns.size(), columns below features, counts has columns.size() * features.
void count_cooccurrences(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets,
                         std::span<const std::int32_t> columns, std::size_t features, std::size_t window,
                         std::int64_t* counts, std::size_t threads);

}  // namespace paragauge
