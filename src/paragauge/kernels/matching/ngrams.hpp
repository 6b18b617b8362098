// N-grams of integer sentences: how many of one sentence's n-grams another one has. Both ways of
// matching (match_grid.hpp, match_hash.hpp) are exact; the length of the sentences decides which is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/columns.hpp"
#include "base/ngram_counting.hpp"
#include "text/tokenize.hpp"

namespace paragauge {

struct MatchSettings {
    std::size_t order;
    Counting counting;
    bool joint;     // one row per segment (best match over its lines), instead of one per line
    std::size_t threads;
};

// Rows of 2 * order integers: how many n-grams of the candidate are found in the other line or
// lines (as `counting` says), then how many there are, for
// n = 1 ... order. Contract: both columns have the same number of segments, and `candidates` has
// one line per segment.
std::vector<std::int64_t> match_ngrams(const IdColumn& candidates, const IdColumn& others,
                                       const MatchSettings& settings);

// N-grams of one candidate against its own references or sources, from text to counts in one call
// (pair_counts.cpp). The same tokenizers and matchers as for whole columns, so that the counts are the
// same; what is left out is what only many segments need. Each thread keeps its tables between calls.
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

struct Bags {
    std::vector<std::int32_t> keys;
    std::vector<double> weights;
    std::vector<std::int64_t> offsets;
};

// For each column the bags of all n-grams, n = 1 ... order, of each line: different n-grams, as
// numbers that agree between the columns inside one segment, with their counts.
std::vector<Bags> ngram_bags(std::span<const IdColumn> columns, std::size_t order,
                             std::size_t threads);

struct BagsView {
    std::span<const std::int32_t> keys;
    std::span<const double> weights;
    std::span<const std::int64_t> offsets;
};

// For each i the weight that bag i of `left` shares with bag i of `right`: the sum over keys of
// the smaller of the two weights. Contract: both hold the same number of bags.
std::vector<double> bag_overlaps(const BagsView& left, const BagsView& right, std::size_t threads);

}  // namespace paragauge
