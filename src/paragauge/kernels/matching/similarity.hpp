// N-grams matched under any similarity of words: MAXSIM's framework (Chan and Ng 2008, sections 4.1 and
// 6) with the similarities of all pairs of words as input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "matching/maxsim.hpp"
#include "matching/soft.hpp"

namespace paragauge {

struct SimilaritySettings {
    std::size_t order;
    bool tag_phase, lemma_phase, graph_phase;
    std::size_t threads;
};

// One link: the order n, the phase (as in maxsim.hpp) and the positions of the two n-grams.
constexpr std::size_t kSimilarLinkFields = 4;

struct SimilarMatched {
    std::vector<double> rows;           // see similar_ngrams
    std::vector<std::int32_t> links;    // kSimilarLinkFields numbers each
    std::vector<double> weights;        // one per link
    std::vector<std::int64_t> offsets;  // links of line i: offsets[i] to offsets[i + 1]
};

// For each reference line 3 * order numbers: for n = 1 ... order the weight of the matching, and the
// weights of all candidate and of all reference n-grams. `tables` has the similarities, from 0 to 1, of
// the candidate's words (rows) and the reference line's words (columns), line after line.
// Contract: both columns have the same number of segments, the candidates one line per segment, and
// the tables as many entries as there are pairs of words.
SimilarMatched similar_ngrams(const WeightedColumn& candidates, const WeightedColumn& references,
                              std::span<const double> tables, const SimilaritySettings& settings,
                              bool links);

}  // namespace paragauge
