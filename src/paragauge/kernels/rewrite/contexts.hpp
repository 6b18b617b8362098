// Features of the context of a word (Kauchak and Barzilay 2006, section 3), as 32-bit hashes made
// from hashes of words, so that no vocabulary is needed. reference/rewrite/context/contexts.py
// defines them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/columns.hpp"
#include "base/hashing.hpp"

namespace paragauge {

inline constexpr std::size_t kContextOrder = 4;
inline constexpr std::size_t kContextWindow = 1000;
inline constexpr std::size_t kCollocation = 4;
inline constexpr std::int64_t kFarthest = (1 << 19) - 1;

// What counts as a feature.
struct ContextShape {
    std::size_t order;    // words of the longest n-grams, 0 for none
    std::size_t window;   // how far from the target words count in n-grams
    std::size_t reach;    // offsets farther than this count as this; 0: all are exact
    bool collocations;    // whether the ten local collocations count
    bool positions;       // whether n-grams have offsets; if not, all count as 0
};

// Where a feature stands: its kind (0 an n-gram, 1 a collocation), its length, and its start.
struct ContextPlace {
    std::int32_t kind;
    std::int32_t length;
    std::int32_t start;
};

inline std::uint32_t word_hash(std::string_view word) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return static_cast<std::uint32_t>(mix(hash));
}

namespace context_detail {

inline std::uint64_t first_key(ContextPlace place, std::uint32_t word) {
    const auto start = static_cast<std::uint64_t>(place.start + kFarthest + 1);
    const std::uint64_t tag = static_cast<std::uint64_t>(place.kind) << 24 |
                              static_cast<std::uint64_t>(place.length) << 20 | start;
    return mix(tag << 32 | word);
}

}  // namespace context_detail

// Calls body(hash, place) for every feature of the context of `target` in `words`, repeats included.
template <class Body>
void each_feature(std::span<const std::uint32_t> words, std::size_t target, const ContextShape& shape,
                  Body body) {
    static const std::uint32_t kBegin = word_hash("<s>"), kEnd = word_hash("</s>");
    const std::size_t first = target - std::min(target, shape.window);
    const std::size_t last = std::min(words.size(), target + shape.window + 1);
    const auto limit = shape.reach > 0 ? static_cast<std::int64_t>(shape.reach) : kFarthest;
    for (std::size_t i = first; i < last; ++i) {
        if (i == target) continue;
        const std::size_t end = i < target ? target : last;
        const auto away = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(target);
        const auto start =
            shape.positions ? static_cast<std::int32_t>(std::clamp(away, -limit, limit)) : 0;
        for (std::size_t length = 1; length <= shape.order && i + length <= end; ++length) {
            const ContextPlace place{0, static_cast<std::int32_t>(length), start};
            std::uint64_t key = context_detail::first_key(place, words[i]);
            for (std::size_t j = 1; j < length; ++j) key = mix(key ^ words[i + j]);
            body(static_cast<std::uint32_t>(key), place);
        }
    }
    if (!shape.collocations) return;
    const std::array<std::uint32_t, kCollocation> near = {
        target >= 2 ? words[target - 2] : kBegin, target >= 1 ? words[target - 1] : kBegin,
        target + 1 < words.size() ? words[target + 1] : kEnd,
        target + 2 < words.size() ? words[target + 2] : kEnd};
    constexpr std::array<std::int32_t, kCollocation> offsets = {-2, -1, 1, 2};
    for (std::size_t i = 0; i < kCollocation; ++i)
        for (std::size_t length = 1; i + length <= kCollocation; ++length) {
            const ContextPlace place{1, static_cast<std::int32_t>(length), offsets[i]};
            std::uint64_t key = context_detail::first_key(place, near[i]);
            for (std::size_t j = 1; j < length; ++j) key = mix(key ^ near[i + j]);
            body(static_cast<std::uint32_t>(key), place);
        }
}

// Hashes of the words of each line, separated by one space.
struct HashedLines {
    std::vector<std::uint32_t> words;
    std::vector<std::int64_t> offsets;
};

HashedLines hash_words(const TextColumn& lines, std::size_t threads);

struct ContextFeatures {
    std::vector<std::uint32_t> hashes;
    std::vector<std::int32_t> places;  // kind, length, start of each
    std::vector<std::int64_t> offsets;
};

// The features of each target, a position of a sentence.
ContextFeatures context_features(std::span<const std::uint32_t> words,
                                 std::span<const std::int64_t> offsets,
                                 std::span<const std::int64_t> sentences,
                                 std::span<const std::int64_t> positions, const ContextShape& shape);

struct SampledPositions {
    std::vector<std::int64_t> positions;
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> counts;
};

// At most `limit` positions in `ids` of each wanted word: `rows` has the row of each id, -1 for none.
SampledPositions sample_positions(std::span<const std::int32_t> ids, std::span<const std::int32_t> rows,
                                  std::size_t wanted, std::size_t limit, std::uint64_t seed);

}  // namespace paragauge
