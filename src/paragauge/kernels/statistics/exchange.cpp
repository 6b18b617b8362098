#include "statistics/exchange.hpp"

#include <algorithm>
#include <cmath>
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

using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));
using Doubles = double __attribute__((vector_size(8 * kLanes)));
// Of each cell, one bit per replicate: whether the first list takes it.
using Takes = std::vector<std::uint16_t>;

// The scores of both metrics in one group: cell 2 i is item i's of `one`, cell 2 i + 1 that of `other`.
struct Group {
    std::size_t items = 0;
    std::vector<std::int32_t> unit;        // of each item
    std::vector<double> gold;              // of each item: twice its mean rank, counted from the middle
    double gold_squares = 0.0;             // Spearman
    double gold_tied = 0.0;                // Kendall: pairs of items with equal gold
    std::vector<std::uint32_t> by_score;   // the cells in rising order of score, then gold
    std::vector<std::uint8_t> last;        // ends of runs of equal scores in by_score
    std::vector<std::uint8_t> both_last;   // ends of runs of equal scores and gold
    // Kendall: how many cells each is discordant with, and pairs of discordant cells.
    std::vector<double> discordant;
    double all_discordant = 0.0;
    std::vector<std::vector<std::uint32_t>> merges;

    bool constant() const { return gold_squares == 0.0; }
};

void rank_gold(const double* gold, Group& group) {
    const std::vector<std::int32_t> rank = dense_ranks(gold, group.items);
    std::vector<double> count(group.items + 1), before(group.items + 1);
    for (const std::int32_t r : rank) count[static_cast<std::size_t>(r)] += 1;
    for (std::size_t r = 0; r < group.items; ++r) before[r + 1] = before[r] + count[r];
    for (const std::int32_t r : rank) {
        const auto at = static_cast<std::size_t>(r);
        group.gold.push_back(2 * before[at] + count[at] - static_cast<double>(group.items));
        group.gold_squares += group.gold.back() * group.gold.back();
    }
    for (const double tied : count) group.gold_tied += tied * (tied - 1) / 2;
}

// A cell from the left-hand run of a merge is discordant with all from the right-hand run that were written
// before it, and a cell from the right-hand run with all from the left-hand run that are written after it.
void find_discordant(Group& group) {
    group.discordant.assign(group.by_score.size(), 0.0);
    std::size_t width = 1;
    for (const std::vector<std::uint32_t>& pass : group.merges) {
        for (std::size_t start = 0; start < pass.size(); start += 2 * width) {
            const std::size_t stop = std::min(start + 2 * width, pass.size());
            double lefts = static_cast<double>(std::min(width, stop - start)), rights = 0.0;
            for (std::size_t at = start; at < stop; ++at) {
                const bool right = pass[at] & 1;
                group.discordant[pass[at] >> 1] += right ? lefts : rights;
                if (right) rights += 1;
                else lefts -= 1;
            }
        }
        width *= 2;
    }
    for (const double partners : group.discordant) group.all_discordant += partners / 2;
}

Group prepare(const Exchange& exchange, std::size_t number, Coefficient coefficient) {
    const auto first = static_cast<std::size_t>(exchange.offsets[number]);
    Group group;
    group.items = static_cast<std::size_t>(exchange.offsets[number + 1]) - first;
    rank_gold(exchange.gold.data() + first, group);
    if (group.constant()) return group;
    std::vector<double> scores, gold;
    for (std::size_t i = first; i < first + group.items; ++i) {
        group.unit.push_back(static_cast<std::int32_t>(exchange.units[i]));
        scores.insert(scores.end(), {exchange.one[i], exchange.other[i]});
        gold.insert(gold.end(), 2, exchange.gold[i]);
    }
    const std::vector<std::int32_t> x = dense_ranks(scores.data(), scores.size());
    const std::vector<std::int32_t> y = dense_ranks(gold.data(), gold.size());
    std::vector<std::uint32_t>& order = group.by_score;
    order.resize(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return x[a] != x[b] ? x[a] < x[b] : y[a] != y[b] ? y[a] < y[b] : a < b;
    });
    group.last.assign(order.size(), 1);
    group.both_last.assign(order.size(), 1);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        group.last[i] = x[order[i]] != x[order[i + 1]];
        group.both_last[i] = group.last[i] || y[order[i]] != y[order[i + 1]];
    }
    if (coefficient == Coefficient::Kendall) {
        group.merges = merge_passes(order, y);
        find_discordant(group);
    }
    return group;
}

// What both lists have in each lane.
struct Both {
    Doubles first{}, second{};
};

// The first list takes a metric's score where the coin says so, the other metric's elsewhere.
void take(const Group& group, const std::vector<std::int32_t>& coins, Takes& takes) {
    takes.resize(2 * group.items);
    for (std::size_t i = 0; i < group.items; ++i) {
        const auto bits = static_cast<std::uint16_t>(coins[static_cast<std::size_t>(group.unit[i])]);
        takes[2 * i] = bits;
        takes[2 * i + 1] = static_cast<std::uint16_t>(~bits);
    }
}

// -1 in the lanes whose bit is 1, otherwise 0.
inline __attribute__((always_inline)) void to_mask(std::uint16_t bits, Ints& mask) {
    constexpr Ints kBits = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                            1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    mask = ((Ints{} + std::int32_t{bits}) & kBits) != 0;
}

// Sums of products of ranks, and of squares of the scores' ranks. All numbers are whole.
PARAGAUGE_VECTORS
void multiply_ranks(const Group& group, const Takes& takes, Both& products, Both& squares) {
    const auto items = static_cast<double>(group.items);
    Ints mask;
    Doubles before{}, run{}, gold{};
    double passed = 0.0, run_all = 0.0, gold_all = 0.0;
    for (std::size_t i = 0; i < group.by_score.size(); ++i) {
        const std::uint32_t cell = group.by_score[i];
        to_mask(takes[cell], mask);
        const Doubles weight = __builtin_convertvector(-mask, Doubles);
        const double cell_gold = group.gold[cell >> 1];
        run += weight;
        gold += weight * cell_gold;
        run_all += 1;
        gold_all += cell_gold;
        if (!group.last[i]) continue;
        const Doubles rank = 2 * before + run - items;
        products.first += gold * rank;
        squares.first += run * rank * rank;
        const Doubles run_left = run_all - run;
        const Doubles rank_left = 2 * (passed - before) + run_left - items;
        products.second += (gold_all - gold) * rank_left;
        squares.second += run_left * rank_left * rank_left;
        before += run;
        passed += run_all;
        run = gold = Doubles{};
        run_all = gold_all = 0.0;
    }
}

// Pairs of cells of one run that the same list takes.
PARAGAUGE_VECTORS
void count_tied(const Group& group, const std::vector<std::uint8_t>& last, const Takes& takes, Both& tied) {
    Ints mask;
    Doubles run{};
    double run_all = 0.0;
    for (std::size_t i = 0; i < group.by_score.size(); ++i) {
        const bool alone = last[i] && run_all == 0.0;
        if (alone) continue;
        to_mask(takes[group.by_score[i]], mask);
        run -= __builtin_convertvector(mask, Doubles);
        run_all += 1;
        if (!last[i]) continue;
        const Doubles left = run_all - run;
        tied.first += run * (run - 1.0) / 2.0;
        tied.second += left * (left - 1.0) / 2.0;
        run = Doubles{};
        run_all = 0.0;
    }
}

// Discordant pairs of the cells that each list takes. The first list's are counted in merges; the second's
// are all pairs, without those of each cell that the first list takes, which counts the first list's twice.
PARAGAUGE_VECTORS
void count_discordant(const Group& group, const Takes& takes, Both& discordant) {
    Ints mask;
    std::size_t width = 1;
    for (const std::vector<std::uint32_t>& pass : group.merges) {
        // Sums stay in 32 bits for as many cells as are certain to fit.
        const std::size_t together = std::max<std::size_t>(1, (std::size_t{1} << 29) / width);
        Ints sum{};
        std::size_t added = 0;
        for (std::size_t start = 0; start < pass.size(); start += 2 * width) {
            const std::size_t stop = std::min(start + 2 * width, pass.size());
            Ints written{};
            for (std::size_t at = start; at < stop;) {
                const std::size_t end = std::min(stop, at + together);
                added += end - at;
                for (; at < end; ++at) {
                    const auto right = static_cast<std::int32_t>(pass[at] & 1);
                    to_mask(takes[pass[at] >> 1], mask);
                    sum += mask & (right - 1) & written;
                    written -= mask & -right;
                }
                if (added < together) continue;
                discordant.first += __builtin_convertvector(sum, Doubles);
                sum = Ints{};
                added = 0;
            }
        }
        discordant.first += __builtin_convertvector(sum, Doubles);
        width *= 2;
    }
    Doubles touched{};
    for (std::size_t cell = 0; cell < takes.size(); ++cell) {
        to_mask(takes[cell], mask);
        touched -= __builtin_convertvector(mask, Doubles) * group.discordant[cell];
    }
    discordant.second = group.all_discordant - touched + discordant.first;
}

// A coefficient in each lane, NaN where the list's scores are constant.
struct Values {
    double lanes[kLanes];
};

void spearman(const Group& group, const Takes& takes, Values& first, Values& second) {
    Both products, squares;
    multiply_ranks(group, takes, products, squares);
    const auto divide = [&](const Doubles& product, const Doubles& square, Values& values) {
        for (std::size_t l = 0; l < kLanes; ++l)
            values.lanes[l] = square[l] > 0.0 ? product[l] / std::sqrt(square[l] * group.gold_squares) : kUndefined;
    };
    divide(products.first, squares.first, first);
    divide(products.second, squares.second, second);
}

void kendall(const Group& group, const Takes& takes, Values& first, Values& second) {
    Both tied, both_tied, discordant;
    count_tied(group, group.last, takes, tied);
    count_tied(group, group.both_last, takes, both_tied);
    count_discordant(group, takes, discordant);
    const auto items = static_cast<double>(group.items);
    const double all = items * (items - 1) / 2;
    const auto divide = [&](const Doubles& x_tied, const Doubles& xy_tied, const Doubles& against, Values& values) {
        for (std::size_t l = 0; l < kLanes; ++l)
            values.lanes[l] = x_tied[l] < all ? (all - x_tied[l] - group.gold_tied + xy_tied[l] - 2 * against[l]) /
                                                    std::sqrt(all - x_tied[l]) / std::sqrt(all - group.gold_tied)
                                              : kUndefined;
    };
    divide(tied.first, both_tied.first, discordant.first, first);
    divide(tied.second, both_tied.second, discordant.second, second);
}

// The mean over groups in each lane.
class Mean {
public:
    void add(const Values& values, bool zero_constant) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            const bool constant = std::isnan(values.lanes[l]);
            if (constant && !zero_constant) continue;
            sum_[l] += constant ? 0.0 : std::clamp(values.lanes[l], -1.0, 1.0);
            used_[l] += 1;
        }
    }

    void write(std::size_t first, std::span<double> result) const {
        for (std::size_t l = 0; l < kLanes && first + l < result.size(); ++l)
            result[first + l] = used_[l] > 0 ? sum_[l] / used_[l] : kUndefined;
    }

private:
    double sum_[kLanes] = {}, used_[kLanes] = {};
};

}  // namespace

void exchanged_correlations(const Exchange& exchange, const CorrelateSettings& settings, std::span<double> first,
                            std::span<double> second) {
    const std::size_t count = exchange.offsets.size() - 1;
    std::vector<Group> groups(count);
    run_parallel(split(count, settings.threads, 1), [&](std::size_t, Range range) {
        for (std::size_t g = range.first; g < range.last; ++g) groups[g] = prepare(exchange, g, settings.coefficient);
    });
    const std::size_t blocks = (first.size() + kLanes - 1) / kLanes;
    run_parallel(split(blocks, settings.threads, 1), [&](std::size_t, Range range) {
        std::vector<std::int32_t> coins(exchange.coins);
        Takes takes;
        Values ours, theirs;
        for (std::size_t block = range.first; block < range.last; ++block) {
            draw_coins(settings.seed, block * kLanes, kLanes, coins);
            Mean first_mean, second_mean;
            for (const Group& group : groups) {
                if (group.constant()) continue;
                const auto correlate = settings.coefficient == Coefficient::Spearman ? spearman : kendall;
                take(group, coins, takes);
                correlate(group, takes, ours, theirs);
                first_mean.add(ours, settings.zero_constant);
                second_mean.add(theirs, settings.zero_constant);
            }
            first_mean.write(block * kLanes, first);
            second_mean.write(block * kLanes, second);
        }
    });
}

}  // namespace paragauge
