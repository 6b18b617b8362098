// Correlation of paired values, in groups, on the data as it is and on resampled data.
//
// A resample gives every item a whole weight: the item counts that many times. Weights are drawn for
// units (a unit is what is resampled, for example a source sentence with all its candidates). Sixteen
// replicates are computed side by side, because sorting the values, which is expensive, is the same in
// all of them; only the weights differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "statistics/resample.hpp"

namespace paragauge {

enum class Coefficient {
    Pearson,
    Spearman,  // Pearson of mean ranks
    Kendall,   // tau-b
};

struct Pairs {
    std::span<const double> x;
    std::span<const double> y;
    std::span<const std::int64_t> offsets;  // group g has the pairs offsets[g] to offsets[g + 1]
};

struct Units {
    std::span<const std::int64_t> of_pair;      // the unit of each pair
    std::span<const std::uint8_t> complement;   // 1: the pair has weight 1 - w instead of w
    std::size_t count;
};

struct CorrelateSettings {
    Coefficient coefficient;
    Weights weights;
    std::uint64_t seed;
    bool zero_constant;  // a group whose x is constant counts as 0; otherwise it is left out
    std::size_t threads;
};

// The coefficient of each group; NaN where x or y is constant or there are fewer than two pairs.
void group_correlations(const Pairs& pairs, Coefficient coefficient, std::size_t threads,
                        std::span<double> result);

// For each replicate the mean over groups of the coefficient of the weighted pairs. Groups whose y
// is constant are left out; NaN if no group is left.
void resampled_correlations(const Pairs& pairs, const Units& units, const CorrelateSettings& settings,
                            std::span<double> result);

// For each replicate the largest prefix sum of weight * gain, the empty prefix included; prefixes
// end only where `last` is 1.
void resampled_maxima(std::span<const double> gain, std::span<const std::uint8_t> last,
                      const Units& units, Weights weights, std::uint64_t seed, std::size_t threads,
                      std::span<double> result);

}  // namespace paragauge
