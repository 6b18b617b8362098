// N-grams of one candidate against its own references or sources, from text to counts in one call.
//
// The same tokenizers and matchers as for whole columns, so that the counts are the same; what is left
// out is what only many segments need. Each thread keeps its tables from one call to the next.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "matching/ngrams.hpp"
#include "text/tokenize.hpp"

namespace paragauge {

struct PairCounts {
    std::vector<std::int64_t> lengths;  // tokens of the candidate, then of each other line
    std::vector<std::int64_t> rows;     // as match_ngrams gives them
};

// Contract: there is at least one other line, and all texts are valid UTF-8. The counts are valid until
// the next call in the same thread.
const PairCounts& match_pair(std::string_view candidate, std::span<const std::string_view> others,
                             Scheme scheme, const MatchSettings& settings);

// PINC from 0 to 1 of the first row: the mean share of n-grams that are not matched, over the orders
// that the candidate has. If `missing` is not negative, it is the share of the other orders.
double novelty(const PairCounts& counts, double missing);

}  // namespace paragauge
