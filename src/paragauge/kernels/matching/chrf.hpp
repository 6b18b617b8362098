// chrF and chrF++ (Popović 2015, 2017): character and word n-grams in common with the best reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

struct ChrfSettings {
    std::size_t char_order;
    std::size_t word_order;
    double beta;
    bool whitespace;  // count white space as characters
    bool smooth;      // average F-scores of all orders, each at least 1e-16, to choose the reference
    std::size_t threads;
};

// For each segment a row of 3 * (char_order + word_order) integers: n-grams of the candidate, of the
// reference and of both, for each order. A segment's reference is the first with the best F-score; one
// without references has zeros. Where the reference has no n-gram of an order, those of the candidate are
// not counted. Contract: both columns have the same number of segments, and `candidates` has one line per
// segment.
std::vector<std::int64_t> chrf_counts(const TextColumn& candidates, const TextColumn& references,
                                      const ChrfSettings& settings);

}  // namespace paragauge
