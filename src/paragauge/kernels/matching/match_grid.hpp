// N-gram matching by common suffixes: for sentences of ordinary length, sixteen words at a time.
//
// Let L(i, j) be the length of the longest run of words that ends at word i of the candidate and at
// word j of the other sentence:
//     L(i, j) = candidate[i] == other[j] ? L(i-1, j-1) + 1 : 0
// The n-gram that ends at i occurs in the other sentence as often as there are j with L(i, j) >= n.
// The same grid of the candidate with itself, j < i, counts how often that n-gram occurred before. So
// an occurrence in the candidate matches if the other sentence has the n-gram more often than it
// occurred before (by membership: if it has it at all), and it is the first of its kind if it never did. The words i of the candidate are
// the lanes of `Vectors` byte vectors, which stay in registers; j runs over the other sentence.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/ngram_counting.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace paragauge {

constexpr std::size_t kLanes = 16;
// Signed, because that is what vector instructions compare; all values stay below 128.
using Bytes = std::int8_t __attribute__((vector_size(kLanes)));

// The lanes of `value` moved up by one; the last lane of `before` enters.
inline Bytes shift_in(Bytes value, Bytes before) {
#if defined(__SSE2__)
    return std::bit_cast<Bytes>(_mm_or_si128(_mm_slli_si128(std::bit_cast<__m128i>(value), 1),
                                             _mm_srli_si128(std::bit_cast<__m128i>(before), 15)));
#else
    Bytes moved{};
    moved[0] = before[kLanes - 1];
    for (std::size_t lane = 1; lane < kLanes; ++lane) moved[lane] = value[lane - 1];
    return moved;
#endif
}

template <class Mask>
Bytes choose(Mask condition, Bytes yes, Bytes no) {
    const auto mask = std::bit_cast<Bytes>(condition);
    return (yes & mask) | (no & ~mask);
}

// The sum of lanes that are at most 31.
inline std::int64_t sum_lanes(Bytes value) {
    std::uint64_t half[2];
    std::memcpy(half, &value, sizeof half);
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    return static_cast<std::int64_t>((half[0] * kOnes >> 56) + (half[1] * kOnes >> 56));
}

template <std::size_t Order, std::size_t Vectors>
class GridMatcher {
    static_assert(Vectors * kLanes < 128, "lengths of runs are bytes");

public:
    static constexpr std::size_t kMostWords = Vectors * kLanes;
    static constexpr std::size_t kMostOthers = 127;  // counts are bytes
    static constexpr std::uint32_t kMostIds = 1 << 15;

    explicit GridMatcher(Counting counting) : counting_(counting) {}

    // Contract: at most kMostWords words, with ids below kMostIds.
    void start(std::span<const std::int32_t> candidate) {
        for (std::uint32_t i = 0; i < used_count_; ++i) numbers_[used_[i]] = kForeign;
        used_count_ = 0;
        size_ = candidate.size();
        std::array<std::int8_t, kMostWords> words;
        words.fill(kPadding);
        for (std::size_t i = 0; i < size_; ++i) {
            const auto id = static_cast<std::uint32_t>(candidate[i]);
            if (id >= numbers_.size()) numbers_.resize(id + 1, kForeign);
            if (numbers_[id] == kForeign) {
                numbers_[id] = static_cast<std::int8_t>(used_count_);
                used_[used_count_++] = id;
            }
            words[i] = numbers_[id];
        }
        std::memcpy(words_.data(), words.data(), kMostWords);
        // Row j of the candidate's own grid takes the lanes after j only.
        const Bytes lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        before_ = count(size_, [&](std::size_t j, std::size_t v, Bytes value) {
            const Bytes numbers = lanes + static_cast<std::int8_t>(v * kLanes);
            const Bytes own = Bytes{} + static_cast<std::int8_t>(j);
            return value & std::bit_cast<Bytes>(numbers > own);
        }, [&](std::size_t j) { return words[j]; });
        best_ = Counts{};
    }

    // Contract: at most kMostOthers words.
    void match(std::span<const std::int32_t> other) {
        const Counts counts = count(
            other.size(), [](std::size_t, std::size_t, Bytes value) { return value; },
            [&](std::size_t j) {
                const auto id = static_cast<std::uint32_t>(other[j]);
                return id < numbers_.size() ? numbers_[id] : kForeign;
            });
        for (std::size_t n = 0; n < Order; ++n)
            for (std::size_t v = 0; v < Vectors; ++v)
                best_[n][v] = choose(counts[n][v] > best_[n][v], counts[n][v], best_[n][v]);
    }

    // Writes the row and resets the matches.
    void finish(std::int64_t* row) {
        for (std::size_t n = 0; n < Order; ++n) {
            Bytes matched{}, repeated{};
            for (std::size_t v = 0; v < Vectors; ++v) {
                // A true comparison is -1 in its lane.
                const auto again = std::bit_cast<Bytes>(before_[n][v] > 0);
                const Bytes needed = counting_ == Counting::kMember ? Bytes{} : before_[n][v];
                const auto match = std::bit_cast<Bytes>(best_[n][v] > needed);
                matched -= counting_ == Counting::kSet ? match & ~again : match;
                repeated -= again;
            }
            const auto all = static_cast<std::int64_t>(size_ <= n ? 0 : size_ - n);
            row[n] = sum_lanes(matched);
            row[Order + n] = counting_ == Counting::kSet ? all - sum_lanes(repeated) : all;
        }
        best_ = Counts{};
    }

private:
    static constexpr std::int8_t kForeign = -1;  // a word that is not in the candidate
    static constexpr std::int8_t kPadding = -2;  // beyond the end of the candidate
    using Counts = std::array<std::array<Bytes, Vectors>, Order>;  // [n - 1][words]

    // For each n and each word of the candidate, how many rows have a cell that reaches n; row j is
    // that of word(j), and keep(j, v, cells) drops the cells that must not count.
    template <class Keep, class Word>
    Counts count(std::size_t rows, Keep keep, Word word) const {
        Counts counts{};
        std::array<Bytes, Vectors> row{};
        const Bytes zero{};
        for (std::size_t j = 0; j < rows; ++j) {
            const Bytes wanted = zero + word(j);
            for (std::size_t v = Vectors; v-- > 0;) {
                const Bytes diagonal = shift_in(row[v], v > 0 ? row[v - 1] : zero);
                const Bytes grown = diagonal + static_cast<std::int8_t>(1);
                row[v] = keep(j, v, grown & std::bit_cast<Bytes>(words_[v] == wanted));
                for (std::size_t n = 0; n < Order; ++n)
                    counts[n][v] -= std::bit_cast<Bytes>(row[v] > static_cast<std::int8_t>(n));
            }
        }
        return counts;
    }

    Counting counting_;
    std::vector<std::int8_t> numbers_;                // of the candidate's words, by id
    std::array<std::uint32_t, kMostWords> used_ = {};  // ids that have a number
    std::uint32_t used_count_ = 0;
    std::size_t size_ = 0;                        // of the candidate
    std::array<Bytes, Vectors> words_ = {};       // the candidate, padded
    Counts before_ = {};                          // how often the n-gram occurred before
    Counts best_ = {};  // the highest count in any line so far
};

}  // namespace paragauge
