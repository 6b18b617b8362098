// Rank correlations after two metrics' scores of the same items were exchanged at random: the trials of a
// permutation test.
//
// In each trial an item has its score from one metric in the first list and from the other in the second,
// as a coin says. Both lists come from one pass over the scores of both metrics in sorted order: a coin
// is one bit, and what one list takes the other leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "statistics/correlate.hpp"

namespace paragauge {

struct Exchange {
    std::span<const double> one, other;     // the metrics' scores of each item
    std::span<const double> gold;           // what both are correlated with
    std::span<const std::int64_t> offsets;  // group g has the items offsets[g] to offsets[g + 1]
    std::span<const std::int64_t> units;    // the coin of each item
    std::size_t coins;
};

// For each replicate the mean over groups of Spearman's or Kendall's coefficient of both lists. An item
// whose coin is 1 has its score of `one` in the first list. Groups and undefined values as in
// resampled_correlations, whose weights "coin" the coins are; `settings.weights` is not read.
void exchanged_correlations(const Exchange& exchange, const CorrelateSettings& settings, std::span<double> first,
                            std::span<double> second);

}  // namespace paragauge
