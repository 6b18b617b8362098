// Phrase pairs that are consistent with a word alignment (Koehn, Och and Marcu 2003).
// reference/phrases/phrases.py defines the pairs and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/columns.hpp"
#include "phrases/bitext.hpp"

namespace paragauge {

// Four columns of text, one row per phrase pair.
struct PhrasePairs {
    Joined source;
    Joined target;
    Joined alignment;
    Joined order;
};

// Longest phrase that can be asked for: positions must fit in one printable character of `order`.
inline constexpr std::size_t kLongestPhrase = 64;

// Contract: ids are words of their side, links lie within their sentences, all have the same number
// of sentence pairs, 1 <= max_length <= kLongestPhrase.
PhrasePairs extract_phrases(const BitextSide& source, const BitextSide& target, const LinkColumn& links,
                            std::size_t max_length, std::size_t threads);

}  // namespace paragauge
