#include "resample.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "parallel.hpp"

namespace paragauge {

namespace {

// The output function of SplitMix64 (Steele, Lea and Flood 2014), used on counters.
std::uint64_t splitmix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

// A 16-bit uniform u stands for the Poisson(1) value that counts how many of these it reaches:
// round(65536 * P(X <= k)) for k = 0, 1, ... 7. Larger values have a chance below 2^-16.
constexpr std::array<std::uint32_t, 8> kPoisson = {24109, 48219, 60273, 64292,
                                                   65296, 65497, 65531, 65535};

constexpr std::size_t kBlock = 256;

// Each random word serves 4 (Poisson) or 64 (coin) segments.
void fill_weights(Weights kind, std::uint64_t stream, std::uint64_t first, std::size_t count,
                  double* weights) {
    if (kind == Weights::Coin) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t segment = first + i;
            weights[i] = static_cast<double>(splitmix(stream + segment / 64) >> (segment % 64) & 1);
        }
        return;
    }
    std::array<std::uint16_t, kBlock + 8> uniform;
    const std::uint64_t skip = first % 4;
    for (std::size_t word = 0; 4 * word < count + skip; ++word) {
        const std::uint64_t bits = splitmix(stream + first / 4 + word);
        for (unsigned lane = 0; lane < 4; ++lane)
            uniform[4 * word + lane] = static_cast<std::uint16_t>(bits >> (16 * lane));
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t u = uniform[i + skip];
        std::uint16_t value = 0;
        for (const std::uint32_t threshold : kPoisson)
            value = static_cast<std::uint16_t>(value + (u >= static_cast<std::uint16_t>(threshold)));
        weights[i] = value;
    }
}

}  // namespace

void resample_sums(std::span<const double> stats, std::size_t columns,
                   const ResampleSettings& settings, std::span<double> sums) {
    if (columns == 0) return;
    const std::size_t rows = stats.size() / columns;
    const std::size_t replicates = sums.size() / columns;
    run_parallel(split(replicates, settings.threads, 16), [&](std::size_t, Range range) {
        std::array<double, kBlock> weights;
        for (std::size_t block = 0; block < rows; block += kBlock) {
            const std::size_t count = std::min(kBlock, rows - block);
            for (std::size_t b = range.first; b < range.last; ++b) {
                const std::uint64_t stream = splitmix(settings.seed ^ splitmix(b));
                fill_weights(settings.weights, stream, settings.first + block, count, weights.data());
                double* const sum = sums.data() + b * columns;
                const double* row = stats.data() + block * columns;
                for (std::size_t i = 0; i < count; ++i, row += columns) {
                    const double weight = weights[i];
                    for (std::size_t j = 0; j < columns; ++j) sum[j] += weight * row[j];
                }
            }
        }
    });
}

}  // namespace paragauge
