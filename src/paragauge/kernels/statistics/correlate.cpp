#include "statistics/correlate.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "base/vectors.hpp"
#include "statistics/rank_order.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kLanes = 16;
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// The coefficient in each lane: a number, or which side was constant.
struct Lanes {
    double value[kLanes];
    bool x_constant[kLanes];
    bool y_constant[kLanes];
};

// All that does not depend on weights.
struct Group {
    std::size_t size = 0;
    std::vector<std::int32_t> x_rank, y_rank;
    std::vector<double> x, y;              // Pearson
    Order by_x, by_y;                      // Spearman, Kendall
    std::vector<std::uint8_t> both_last;   // Kendall: ends of runs equal in x and y, in by_x
    std::vector<std::vector<std::uint32_t>> merges;  // Kendall
};

Group prepare(const Pairs& pairs, std::size_t group, Coefficient coefficient) {
    const auto first = static_cast<std::size_t>(pairs.offsets[group]);
    Group result;
    result.size = static_cast<std::size_t>(pairs.offsets[group + 1]) - first;
    const double* x = pairs.x.data() + first;
    const double* y = pairs.y.data() + first;
    result.x_rank = dense_ranks(x, result.size);
    result.y_rank = dense_ranks(y, result.size);
    const auto& xr = result.x_rank;
    const auto& yr = result.y_rank;
    if (coefficient == Coefficient::Pearson) {
        result.x.assign(x, x + result.size);
        result.y.assign(y, y + result.size);
        return result;
    }
    Order& by_x = result.by_x;
    Order& by_y = result.by_y;
    by_x.pair.resize(result.size);
    std::iota(by_x.pair.begin(), by_x.pair.end(), 0U);
    by_y.pair = by_x.pair;
    std::sort(by_x.pair.begin(), by_x.pair.end(), [&](std::uint32_t a, std::uint32_t b) {
        return xr[a] != xr[b] ? xr[a] < xr[b] : yr[a] != yr[b] ? yr[a] < yr[b] : a < b;
    });
    std::sort(by_y.pair.begin(), by_y.pair.end(), [&](std::uint32_t a, std::uint32_t b) {
        return yr[a] != yr[b] ? yr[a] < yr[b] : a < b;
    });
    by_x.mark([&](std::uint32_t a, std::uint32_t b) { return xr[a] == xr[b]; });
    by_y.mark([&](std::uint32_t a, std::uint32_t b) { return yr[a] == yr[b]; });
    if (coefficient == Coefficient::Kendall) {
        Order both{by_x.pair, {}};
        both.mark([&](std::uint32_t a, std::uint32_t b) { return xr[a] == xr[b] && yr[a] == yr[b]; });
        result.both_last = std::move(both.last);
        result.merges = merge_passes(by_x.pair, yr);
    }
    return result;
}

// Weights of pairs: kLanes numbers for each. Bytes would do, but compilers widen them one by one.
using Row = const std::int32_t*;
using Rows = std::vector<std::int32_t>;

// A value in each lane. The compiler splits these as the machine's registers need.
using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));
using Doubles = double __attribute__((vector_size(8 * kLanes)));

inline __attribute__((always_inline)) void load(Row from, Ints& to) {
    std::memcpy(&to, from, sizeof to);
}

inline __attribute__((always_inline)) void load(Row from, Doubles& to) {
    Ints whole;
    load(from, whole);
    to = __builtin_convertvector(whole, Doubles);
}

PARAGAUGE_VECTORS
void find_constant(const Group& group, Row weights, Lanes& lanes) {
    std::int32_t low_x[kLanes], high_x[kLanes], low_y[kLanes], high_y[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) {
        low_x[l] = low_y[l] = std::numeric_limits<std::int32_t>::max();
        high_x[l] = high_y[l] = -1;
    }
    for (std::size_t i = 0; i < group.size; ++i) {
        const std::int32_t x = group.x_rank[i];
        const std::int32_t y = group.y_rank[i];
        Row row = weights + i * kLanes;
        std::size_t varied = 0;
        for (std::size_t l = 0; l < kLanes; ++l) {
            if (row[l] != 0) {
                low_x[l] = std::min(low_x[l], x);
                high_x[l] = std::max(high_x[l], x);
                low_y[l] = std::min(low_y[l], y);
                high_y[l] = std::max(high_y[l], y);
            }
            varied += static_cast<std::size_t>((low_x[l] < high_x[l]) & (low_y[l] < high_y[l]));
        }
        if (varied == kLanes) break;  // mostly the first few pairs differ already
    }
    for (std::size_t l = 0; l < kLanes; ++l) {
        lanes.x_constant[l] = low_x[l] >= high_x[l];
        lanes.y_constant[l] = low_y[l] >= high_y[l];
    }
}

// The means come first: sums of plain squares would lose significant digits to a large mean.
PARAGAUGE_VECTORS
void pearson(const Group& group, Row weights, Lanes& lanes) {
    Doubles total{}, x{}, y{}, xx{}, yy{}, xy{}, weight;
    for (std::size_t i = 0; i < group.size; ++i) {
        load(weights + i * kLanes, weight);
        total += weight;
        x += weight * group.x[i];
        y += weight * group.y[i];
    }
    x /= total;
    y /= total;
    for (std::size_t i = 0; i < group.size; ++i) {
        load(weights + i * kLanes, weight);
        const Doubles across = group.x[i] - x;
        const Doubles up = group.y[i] - y;
        xx += weight * across * across;
        yy += weight * up * up;
        xy += weight * across * up;
    }
    for (std::size_t l = 0; l < kLanes; ++l)
        lanes.value[l] = xy[l] / std::sqrt(xx[l]) / std::sqrt(yy[l]);
}

// Calls body(pair, its rank in each lane) in this order. Ranks are doubled and counted from the
// middle of all of them, which keeps them whole and small.
template <class Body>
inline __attribute__((always_inline)) void for_ranks(const Order& order, Row weights,
                                                     const Ints& total, Body body) {
    Ints before{}, run{}, weight;
    for (std::size_t start = 0, i = 0; i < order.pair.size(); ++i) {
        load(weights + order.pair[i] * kLanes, weight);
        run += weight;
        if (!order.last[i]) continue;
        const Ints rank = 2 * before + run - total;
        for (; start <= i; ++start) body(order.pair[start], rank);
        before += run;
        run = Ints{};
    }
}

PARAGAUGE_VECTORS
void spearman(const Group& group, Row weights, Rows& scratch, Lanes& lanes) {
    Ints total{}, whole;
    for (std::size_t i = 0; i < group.size; ++i) {
        load(weights + i * kLanes, whole);
        total += whole;
    }
    scratch.resize(group.size * kLanes);
    Doubles xx{}, yy{}, xy{}, weight;
    for_ranks(group.by_x, weights, total, [&](std::size_t pair, const Ints& rank) {
        std::memcpy(scratch.data() + pair * kLanes, &rank, sizeof rank);
        load(weights + pair * kLanes, weight);
        const Doubles x = __builtin_convertvector(rank, Doubles);
        xx += weight * x * x;
    });
    for_ranks(group.by_y, weights, total, [&](std::size_t pair, const Ints& rank) {
        Ints other;
        std::memcpy(&other, scratch.data() + pair * kLanes, sizeof other);
        load(weights + pair * kLanes, weight);
        const Doubles y = __builtin_convertvector(rank, Doubles);
        yy += weight * y * y;
        xy += weight * y * __builtin_convertvector(other, Doubles);
    });
    for (std::size_t l = 0; l < kLanes; ++l) lanes.value[l] = xy[l] / std::sqrt(xx[l] * yy[l]);
}

// Pairs of equal items: the sum of t (t - 1) / 2 over runs of total weight t.
PARAGAUGE_VECTORS
void tied_pairs(const std::vector<std::uint32_t>& order, const std::vector<std::uint8_t>& last,
                Row weights, double* tied) {
    Doubles sum{}, run{}, weight;
    for (std::size_t i = 0; i < order.size(); ++i) {
        load(weights + order[i] * kLanes, weight);
        run += weight;
        if (!last[i]) continue;
        sum += run * (run - 1.0) / 2.0;
        run = Doubles{};
    }
    std::memcpy(tied, &sum, sizeof sum);
}

// In a merge, a pair from the left-hand run is discordant with all from the right-hand run that
// were written before it: they follow it in x and have a smaller y. Sums stay in 32 bits for as
// many pairs as are certain to fit.
template <bool narrow>
inline __attribute__((always_inline)) void count_pass(const std::vector<std::uint32_t>& pass,
                                                      std::size_t width, Row weights,
                                                      Doubles& discordant) {
    constexpr std::size_t kTogether = 8192;
    Ints sum{}, weight;
    std::size_t added = 0;
    for (std::size_t start = 0; start < pass.size(); start += 2 * width) {
        const std::size_t stop = std::min(start + 2 * width, pass.size());
        Ints written{};
        for (std::size_t at = start; at < stop; ++at) {
            load(weights + (pass[at] >> 1) * kLanes, weight);
            const std::int32_t right = -static_cast<std::int32_t>(pass[at] & 1);
            const Ints product = (weight & ~right) * written;
            if constexpr (narrow)
                sum += product;
            else
                discordant += __builtin_convertvector(product, Doubles);
            written += weight & right;
        }
        added += stop - start;
        if (narrow && added >= kTogether) {
            discordant += __builtin_convertvector(sum, Doubles);
            sum = Ints{};
            added = 0;
        }
    }
    discordant += __builtin_convertvector(sum, Doubles);
}

PARAGAUGE_VECTORS
void count_discordant(const Group& group, Row weights, double* result) {
    // Weights are at most 8: 8192 pairs of runs up to this width stay below 2^31.
    constexpr std::size_t kNarrow = 2048;
    Doubles discordant{};
    std::size_t width = 1;
    for (const std::vector<std::uint32_t>& pass : group.merges) {
        if (width <= kNarrow)
            count_pass<true>(pass, width, weights, discordant);
        else
            count_pass<false>(pass, width, weights, discordant);
        width *= 2;
    }
    std::memcpy(result, &discordant, sizeof discordant);
}

void kendall(const Group& group, Row weights, Lanes& lanes) {
    double x_tied[kLanes], y_tied[kLanes], both_tied[kLanes], discordant[kLanes];
    double total[kLanes] = {};
    for (std::size_t i = 0; i < group.size; ++i)
        for (std::size_t l = 0; l < kLanes; ++l) total[l] += weights[i * kLanes + l];
    tied_pairs(group.by_x.pair, group.by_x.last, weights, x_tied);
    tied_pairs(group.by_y.pair, group.by_y.last, weights, y_tied);
    tied_pairs(group.by_x.pair, group.both_last, weights, both_tied);
    count_discordant(group, weights, discordant);
    for (std::size_t l = 0; l < kLanes; ++l) {
        const double all = total[l] * (total[l] - 1) / 2;
        lanes.value[l] = (all - x_tied[l] - y_tied[l] + both_tied[l] - 2 * discordant[l]) /
                         std::sqrt(all - x_tied[l]) / std::sqrt(all - y_tied[l]);
    }
}

void correlate(const Group& group, Coefficient coefficient, Row weights,
               Rows& scratch, Lanes& lanes) {
    find_constant(group, weights, lanes);
    if (coefficient == Coefficient::Pearson) pearson(group, weights, lanes);
    if (coefficient == Coefficient::Spearman) spearman(group, weights, scratch, lanes);
    if (coefficient == Coefficient::Kendall) kendall(group, weights, lanes);
    for (double& value : lanes.value) value = std::clamp(value, -1.0, 1.0);
}

// Calls body(first replicate, how many, weights of the units) for blocks of kLanes replicates.
template <class Body>
void for_blocks(const Units& units, Weights weights, std::uint64_t seed, std::size_t threads,
                std::size_t replicates, Body body) {
    const std::size_t blocks = (replicates + kLanes - 1) / kLanes;
    run_parallel(split(blocks, threads, 1), [&](std::size_t, Range range) {
        Rows drawn(units.count * kLanes);
        auto work = body();
        for (std::size_t block = range.first; block < range.last; ++block) {
            const std::size_t first = block * kLanes;
            const std::size_t count = std::min(kLanes, replicates - first);
            for (std::size_t l = 0; l < count; ++l)
                draw_weights(weights, seed, first + l, units.count, drawn.data() + l, kLanes);
            work(first, count, drawn.data());
        }
    });
}

// The weights of pairs [first, last) from those of their units.
void spread(const Units& units, std::size_t first, std::size_t last, Row drawn,
            Rows& weights) {
    weights.resize((last - first) * kLanes);
    for (std::size_t i = first; i < last; ++i) {
        Row from = drawn + static_cast<std::size_t>(units.of_pair[i]) * kLanes;
        std::int32_t* to = weights.data() + (i - first) * kLanes;
        if (!units.complement.empty() && units.complement[i])
            for (std::size_t l = 0; l < kLanes; ++l) to[l] = 1 - from[l];
        else
            std::copy_n(from, kLanes, to);
    }
}

}  // namespace

void group_correlations(const Pairs& pairs, Coefficient coefficient, std::size_t threads,
                        std::span<double> result) {
    run_parallel(split(result.size(), threads, 64), [&](std::size_t, Range range) {
        Rows weights;
        Rows scratch;
        Lanes lanes;
        for (std::size_t g = range.first; g < range.last; ++g) {
            const Group group = prepare(pairs, g, coefficient);
            weights.assign(group.size * kLanes, 1);
            correlate(group, coefficient, weights.data(), scratch, lanes);
            const bool undefined = lanes.x_constant[0] || lanes.y_constant[0];
            result[g] = undefined ? kUndefined : lanes.value[0];
        }
    });
}

void resampled_correlations(const Pairs& pairs, const Units& units, const CorrelateSettings& settings,
                            std::span<double> result) {
    const std::size_t count = pairs.offsets.size() - 1;
    std::vector<Group> groups(count);
    run_parallel(split(count, settings.threads, 1), [&](std::size_t, Range range) {
        for (std::size_t g = range.first; g < range.last; ++g)
            groups[g] = prepare(pairs, g, settings.coefficient);
    });
    for_blocks(units, settings.weights, settings.seed, settings.threads, result.size(), [&] {
        return [&, weights = Rows(), scratch = Rows()](
                   std::size_t first, std::size_t replicates, Row drawn) mutable {
            double sum[kLanes] = {};
            double used[kLanes] = {};
            Lanes lanes;
            for (std::size_t g = 0; g < count; ++g) {
                const auto start = static_cast<std::size_t>(pairs.offsets[g]);
                spread(units, start, start + groups[g].size, drawn, weights);
                correlate(groups[g], settings.coefficient, weights.data(), scratch, lanes);
                for (std::size_t l = 0; l < kLanes; ++l) {
                    if (lanes.y_constant[l] || (lanes.x_constant[l] && !settings.zero_constant))
                        continue;
                    sum[l] += lanes.x_constant[l] ? 0.0 : lanes.value[l];
                    used[l] += 1;
                }
            }
            for (std::size_t l = 0; l < replicates; ++l)
                result[first + l] = used[l] > 0 ? sum[l] / used[l] : kUndefined;
        };
    });
}

void resampled_maxima(std::span<const double> gain, std::span<const std::uint8_t> last,
                      const Units& units, Weights weights, std::uint64_t seed, std::size_t threads,
                      std::span<double> result) {
    for_blocks(units, weights, seed, threads, result.size(), [&] {
        return [&, row = Rows()](std::size_t first, std::size_t replicates,
                                                      Row drawn) mutable {
            double sum[kLanes] = {};
            double best[kLanes] = {};
            spread(units, 0, gain.size(), drawn, row);
            for (std::size_t i = 0; i < gain.size(); ++i) {
                for (std::size_t l = 0; l < kLanes; ++l) sum[l] += row[i * kLanes + l] * gain[i];
                if (!last[i]) continue;
                for (std::size_t l = 0; l < kLanes; ++l) best[l] = std::max(best[l], sum[l]);
            }
            std::copy_n(best, replicates, result.begin() + static_cast<std::ptrdiff_t>(first));
        };
    });
}

}  // namespace paragauge
