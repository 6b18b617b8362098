// Sums of additive statistics over resampled corpora, in one streaming pass.
//
// Replicate b gives segment i a random weight that depends on (seed, b, i) only, so batches may be
// cut anywhere and threads share nothing: each replicate adds its segments in reading order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace paragauge {

enum class Weights {
    Poisson,  // Poisson(1): the bootstrap for data that arrives as a stream
    Coin,     // 0 or 1 with equal chance: exchange of two systems' outputs
};

struct ResampleSettings {
    Weights weights;
    std::uint64_t seed;
    std::uint64_t first;  // number of the first segment of this batch in the whole corpus
    std::size_t threads;
};

// weight(replicate, i) for i from 0 to count, written to weights[i * stride]. At most 8.
void draw_weights(Weights kind, std::uint64_t seed, std::uint64_t replicate, std::size_t count,
                  std::int32_t* weights, std::size_t stride);

// Adds weight(b, i) * stats[i] to sums[b] for all segments i and replicates b. `stats` has rows of
// `columns` values, and so has `sums`.
void resample_sums(std::span<const double> stats, std::size_t columns,
                   const ResampleSettings& settings, std::span<double> sums);

// The weights "coin" of `count` units in up to 31 replicates from `first` on: bit l of coins[u] is that of
// replicate first + l.
void draw_coins(std::uint64_t seed, std::uint64_t first, unsigned replicates, std::span<std::int32_t> coins);

}  // namespace paragauge
