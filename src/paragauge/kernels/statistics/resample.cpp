#include "statistics/resample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/vectors.hpp"

namespace paragauge {

namespace {

// A 16-bit uniform u stands for the Poisson(1) value that counts how many of these it reaches:
// round(65536 * P(X <= k)) for k = 0, 1, ... 7. Larger values have a chance below 2^-16.
constexpr std::array<std::uint16_t, 8> kPoisson = {24109, 48219, 60273, 64292,
                                                   65296, 65497, 65531, 65535};

constexpr std::size_t kBlock = 256;
constexpr std::size_t kStrip = 8;
constexpr std::size_t kTogether = 4;

constexpr std::size_t kWord = 64;  // segments that one random word of coins serves
constexpr std::size_t kGroup = 4;
constexpr std::size_t kSubsets = 1 << kGroup;

// Four weights for each value of four bits.
constexpr auto kFourCoins = [] {
    std::array<std::array<double, kGroup>, kSubsets> coins{};
    for (std::size_t bits = 0; bits < kSubsets; ++bits)
        for (std::size_t i = 0; i < kGroup; ++i) coins[bits][i] = static_cast<double>(bits >> i & 1);
    return coins;
}();

// Each random word serves 64 segments; words start at a multiple of 64.
void coin_weights(std::uint64_t stream, std::uint64_t first, std::size_t count, double* weights) {
    std::array<double, kWord> drawn;
    for (std::size_t i = 0; i < count;) {
        const std::uint64_t bits = splitmix(stream + (first + i) / kWord);
        const std::size_t skip = (first + i) % kWord;
        const std::size_t size = std::min(count - i, kWord - skip);
        for (std::size_t g = 0; g < kWord / kGroup; ++g)
            std::memcpy(drawn.data() + g * kGroup, kFourCoins[bits >> (g * kGroup) & (kSubsets - 1)].data(),
                        sizeof kFourCoins[0]);
        std::memcpy(weights + i, drawn.data() + skip, size * sizeof(double));
        i += size;
    }
}

// Each random word serves 4 segments; words start at a multiple of 4.
PARAGAUGE_VECTORS
void poisson_weights(std::uint64_t stream, std::uint64_t first, std::size_t count, double* weights) {
    std::array<std::uint16_t, kBlock + 8> uniform;
    std::array<std::uint16_t, kBlock + 8> values;
    const std::size_t skip = first % 4;
    const std::size_t words = (count + skip + 3) / 4;
    for (std::size_t word = 0; word < words; ++word) {
        const std::uint64_t bits = splitmix(stream + first / 4 + word);
        for (unsigned lane = 0; lane < 4; ++lane)
            uniform[4 * word + lane] = static_cast<std::uint16_t>(bits >> (16 * lane));
    }
    for (std::size_t i = 0; i < 4 * words; ++i) {
        std::uint16_t value = 0;
        for (const std::uint16_t threshold : kPoisson)
            value = static_cast<std::uint16_t>(value + (uniform[i] >= threshold));
        values[i] = value;
    }
    for (std::size_t i = 0; i < count; ++i) weights[i] = values[i + skip];
}

using Strip = double __attribute__((vector_size(kStrip * sizeof(double))));

// Adds weights[r][i] * rows[i] to sums[r] for kTogether replicates r, for rows of kStrip values:
// several at once, because one sum alone would wait for each addition to finish.
PARAGAUGE_VECTORS
void accumulate(const double* weights, const double* rows, std::size_t count, double* sums) {
    Strip total[kTogether];
    std::memcpy(total, sums, sizeof total);
    for (std::size_t i = 0; i < count; ++i) {
        Strip row;
        std::memcpy(&row, rows + i * kStrip, sizeof row);
        for (std::size_t r = 0; r < kTogether; ++r) total[r] += weights[r * kBlock + i] * row;
    }
    std::memcpy(sums, total, sizeof total);
}

// Rows of `columns` values cut into strips of kStrip columns: all rows of the first strip, then all
// rows of the second. Missing columns, and rows beyond `count` up to `height`, are 0.
std::vector<double> to_strips(const double* rows, std::size_t count, std::size_t height,
                              std::size_t columns) {
    const std::size_t strips = (columns + kStrip - 1) / kStrip;
    std::vector<double> result(strips * height * kStrip);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            result[((j / kStrip) * height + i) * kStrip + j % kStrip] = rows[i * columns + j];
    return result;
}

std::uint64_t stream_of(std::uint64_t seed, std::uint64_t replicate) {
    return splitmix(seed ^ splitmix(replicate));
}

// Sums of integers up to these bounds are exact in a double, so that their order does not matter: a
// batch would need 2^21 rows of the largest value to leave the range.
constexpr double kLargestValue = 0x1p31;
constexpr double kLargestSum = 0x1p51;

bool are_small_integers(std::span<const double> values, double largest) {
    return std::all_of(values.begin(), values.end(), [largest](double value) {
        return std::abs(value) <= largest && value == std::trunc(value);
    });
}

// The sums of all subsets of each four rows of a strip: subset s of group g is at (g * 16 + s) * kStrip.
void sum_subsets(const double* rows, std::size_t groups, double* subsets) {
    for (std::size_t g = 0; g < groups; ++g) {
        double* sums = subsets + g * kSubsets * kStrip;
        std::fill_n(sums, kStrip, 0.0);
        for (std::size_t bits = 1; bits < kSubsets; ++bits) {
            const std::size_t last = static_cast<std::size_t>(std::bit_width(bits)) - 1;
            const double* row = rows + (g * kGroup + last) * kStrip;
            const double* rest = sums + (bits ^ (std::size_t{1} << last)) * kStrip;
            for (std::size_t j = 0; j < kStrip; ++j) sums[bits * kStrip + j] = rest[j] + row[j];
        }
    }
}

// Adds to each of `count` sums the subsets that the coins of a word choose.
PARAGAUGE_VECTORS
void add_subsets(const double* subsets, const std::uint64_t* words, std::size_t count, double* sums) {
    for (std::size_t b = 0; b < count; ++b) {
        Strip even, odd{};
        std::memcpy(&even, sums + b * kStrip, sizeof even);
        std::uint64_t bits = words[b];
        for (std::size_t g = 0; g < kWord / kGroup; g += 2, bits >>= 2 * kGroup) {
            Strip one, other;
            std::memcpy(&one, subsets + (g * kSubsets + bits % kSubsets) * kStrip, sizeof one);
            const std::uint64_t next = bits / kSubsets % kSubsets;
            std::memcpy(&other, subsets + ((g + 1) * kSubsets + next) * kStrip, sizeof other);
            even += one;
            odd += other;
        }
        even += odd;
        std::memcpy(sums + b * kStrip, &even, sizeof even);
    }
}

// Coins choose a subset of each four segments, whose sum is known: a quarter of the additions. Only for
// integers (see `kLargestSum`): the order of additions is not that of the segments.
void add_coin_subsets(std::span<const double> stats, std::size_t columns, const ResampleSettings& settings,
                      std::span<double> sums) {
    const std::size_t rows = stats.size() / columns;
    const std::size_t replicates = sums.size() / columns;
    const std::size_t strips = (columns + kStrip - 1) / kStrip;
    run_parallel(split(replicates, settings.threads, 16), [&](std::size_t, Range range) {
        const std::size_t mine = range.last - range.first;
        std::vector<double> totals = to_strips(sums.data() + range.first * columns, mine, mine, columns);
        std::vector<std::uint64_t> streams(mine), words(mine);
        for (std::size_t b = 0; b < mine; ++b) streams[b] = stream_of(settings.seed, range.first + b);
        std::vector<double> subsets(kWord / kGroup * kSubsets * kStrip);
        for (std::size_t row = 0; row < rows;) {
            const std::size_t skip = (settings.first + row) % kWord;
            const std::size_t count = std::min(rows - row, kWord - skip);
            const std::uint64_t number = (settings.first + row) / kWord;
            for (std::size_t b = 0; b < mine; ++b) words[b] = splitmix(streams[b] + number) >> skip;
            const std::vector<double> cut =
                to_strips(stats.data() + row * columns, count, kWord, columns);
            for (std::size_t strip = 0; strip < strips; ++strip) {
                sum_subsets(cut.data() + strip * kWord * kStrip, kWord / kGroup, subsets.data());
                add_subsets(subsets.data(), words.data(), mine, totals.data() + strip * mine * kStrip);
            }
            row += count;
        }
        for (std::size_t b = 0; b < mine; ++b)
            for (std::size_t j = 0; j < columns; ++j)
                sums[(range.first + b) * columns + j] =
                    totals[((j / kStrip) * mine + b) * kStrip + j % kStrip];
    });
}

}  // namespace

void draw_weights(Weights kind, std::uint64_t seed, std::uint64_t replicate, std::size_t count,
                  std::int32_t* weights, std::size_t stride) {
    const auto fill = kind == Weights::Coin ? coin_weights : poisson_weights;
    const std::uint64_t stream = stream_of(seed, replicate);
    std::array<double, kBlock> drawn;
    for (std::size_t block = 0; block < count; block += kBlock) {
        const std::size_t size = std::min(kBlock, count - block);
        fill(stream, block, size, drawn.data());
        for (std::size_t i = 0; i < size; ++i)
            weights[(block + i) * stride] = static_cast<std::int32_t>(drawn[i]);
    }
}

PARAGAUGE_VECTORS
void draw_coins(std::uint64_t seed, std::uint64_t first, unsigned replicates, std::span<std::int32_t> coins) {
    std::fill(coins.begin(), coins.end(), 0);
    for (unsigned l = 0; l < replicates; ++l) {
        const std::uint64_t stream = stream_of(seed, first + l);
        for (std::size_t start = 0; start < coins.size(); start += 64) {
            const std::uint64_t bits = splitmix(stream + start / 64);
            const std::size_t size = std::min<std::size_t>(64, coins.size() - start);
            for (std::size_t i = 0; i < size; ++i)
                coins[start + i] |= static_cast<std::int32_t>(bits >> i & 1) << l;
        }
    }
}

void resample_sums(std::span<const double> stats, std::size_t columns,
                   const ResampleSettings& settings, std::span<double> sums) {
    if (columns == 0) return;
    if (settings.weights == Weights::Coin && are_small_integers(stats, kLargestValue) &&
        are_small_integers(sums, kLargestSum))
        return add_coin_subsets(stats, columns, settings, sums);
    const std::size_t rows = stats.size() / columns;
    const std::size_t replicates = sums.size() / columns;
    const std::size_t strips = (columns + kStrip - 1) / kStrip;
    const auto fill = settings.weights == Weights::Coin ? coin_weights : poisson_weights;
    run_parallel(split(replicates, settings.threads, 16), [&](std::size_t, Range range) {
        const std::size_t mine = range.last - range.first;
        const std::size_t height = (mine + kTogether - 1) / kTogether * kTogether;
        std::vector<double> totals =
            to_strips(sums.data() + range.first * columns, mine, height, columns);
        std::vector<double> weights(kTogether * kBlock);
        for (std::size_t block = 0; block < rows; block += kBlock) {
            const std::size_t count = std::min(kBlock, rows - block);
            const std::vector<double> cut =
                to_strips(stats.data() + block * columns, count, count, columns);
            for (std::size_t b = 0; b < height; b += kTogether) {
                for (std::size_t r = 0; r < kTogether; ++r) {
                    const std::uint64_t stream = stream_of(settings.seed, range.first + b + r);
                    fill(stream, settings.first + block, count, weights.data() + r * kBlock);
                }
                for (std::size_t strip = 0; strip < strips; ++strip)
                    accumulate(weights.data(), cut.data() + strip * count * kStrip, count,
                               totals.data() + (strip * height + b) * kStrip);
            }
        }
        for (std::size_t b = 0; b < mine; ++b)
            for (std::size_t j = 0; j < columns; ++j)
                sums[(range.first + b) * columns + j] =
                    totals[((j / kStrip) * height + b) * kStrip + j % kStrip];
    });
}

}  // namespace paragauge
