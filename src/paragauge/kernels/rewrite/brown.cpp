#include "rewrite/brown.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/parallel.hpp"
#include "base/vectors.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kTable = 1 << 16;
constexpr std::size_t kWork = 1 << 16;  // steps worth a thread
// Losses fit in 63 bits: they are below 2^8 times the number of bigrams.
constexpr int kBits = 54;

// Losses of merging one cluster with those before it, and the least of them. Arithmetic is modulo 2^64,
// in which sums and products may pass the limit as long as the result does not.
PARAGAUGE_VECTORS
std::int64_t row_losses(std::int64_t* __restrict losses, std::size_t count,
                        const std::uint64_t* __restrict core, const std::uint64_t* __restrict left_logs,
                        const std::uint64_t* __restrict right_logs, const std::uint64_t* __restrict lefts,
                        const std::uint64_t* __restrict rights, const std::uint64_t* __restrict paid,
                        std::uint64_t left, std::uint64_t right, std::uint64_t own) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t value = core[i] + (left + lefts[i]) * left_logs[i] +
                                    (right + rights[i]) * right_logs[i] - paid[i] - own;
        losses[i] = static_cast<std::int64_t>(value);
        least = losses[i] < least ? losses[i] : least;
    }
    return least;
}

}  // namespace

FixedLog::FixedLog(std::uint64_t total)
    : scale_(std::ldexp(1.0, kBits - static_cast<int>(std::bit_width(total)))),
      total_(static_cast<double>(std::max<std::uint64_t>(total, 1))) {
    std::vector<std::uint64_t> table(std::min<std::uint64_t>(total + 1, kTable));
    for (std::size_t n = 0; n < table.size(); ++n) table[n] = computed(n);
    small_ = std::move(table);
}

std::uint64_t FixedLog::computed(std::uint64_t n) const {
    if (n == 0) return 0;
    const double x = static_cast<double>(n);
    return static_cast<std::uint64_t>(std::nearbyint(x * std::log(x) * scale_));
}

std::uint64_t FixedLog::logarithm(std::uint64_t n) const {
    if (n == 0) return 0;
    return static_cast<std::uint64_t>(std::nearbyint(std::log(static_cast<double>(n)) * scale_));
}

double FixedLog::nats(std::uint64_t value) const {
    return static_cast<double>(static_cast<std::int64_t>(value)) / scale_ / total_;
}

bool BrownClustering::Best::operator<(const Best& other) const {
    return std::tie(loss, first, second) < std::tie(other.loss, other.first, other.second);
}

BrownClustering::BrownClustering(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                                 std::span<const std::int64_t> counts, std::size_t words,
                                 std::size_t clusters, std::size_t threads)
    : words_(words),
      width_(std::min(words, clusters + 1)),
      threads_(threads),
      logs_(static_cast<std::uint64_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}))),
      parent_(words),
      slots_(words),
      first_word_(width_),
      after_(width_),
      before_(width_),
      core_(width_ * width_),
      left_logs_(width_ * width_),
      right_logs_(width_ * width_),
      left_(width_),
      right_(width_),
      inside_left_(width_),
      inside_right_(width_),
      word_left_(words),
      word_right_(words) {
    std::iota(parent_.begin(), parent_.end(), 0);
    build_edges(left, right, counts);
    for (std::size_t word = 0; word < std::min(words, clusters); ++word) enter(word, word);
}

void BrownClustering::build_edges(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                                  std::span<const std::int64_t> counts) {
    const auto fill = [&](std::span<const std::int32_t> from, std::span<const std::int32_t> to,
                          std::vector<std::size_t>& starts, std::vector<Edge>& edges,
                          std::vector<std::uint64_t>& sums) {
        starts.assign(words_ + 1, 0);
        for (const std::int32_t word : from) ++starts[static_cast<std::size_t>(word) + 1];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
        edges.resize(from.size());
        for (std::size_t i = 0; i < from.size(); ++i) {
            const auto word = static_cast<std::size_t>(from[i]);
            const auto count = static_cast<std::uint64_t>(counts[i]);
            edges[next[word]++] = {to[i], count};
            sums[word] += count;
        }
    };
    fill(left, right, after_starts_, after_edges_, word_left_);
    fill(right, left, before_starts_, before_edges_, word_right_);
}

std::size_t BrownClustering::slot_of(std::int32_t word) {
    auto at_word = static_cast<std::size_t>(word);
    while (parent_[at_word] != static_cast<std::int32_t>(at_word)) {
        parent_[at_word] = parent_[static_cast<std::size_t>(parent_[at_word])];
        at_word = static_cast<std::size_t>(parent_[at_word]);
    }
    return slots_[at_word];
}

void BrownClustering::place(std::size_t slot, std::size_t word) {
    entered_ = word + 1;
    slots_[word] = slot;
    first_word_[slot] = static_cast<std::int32_t>(word);
    left_[slot] = word_left_[word];
    right_[slot] = word_right_[word];
    active_.insert(std::lower_bound(active_.begin(), active_.end(), slot), slot);
    for (std::size_t i = after_starts_[word]; i < after_starts_[word + 1]; ++i) {
        const auto [other, count] = after_edges_[i];
        if (static_cast<std::size_t>(other) > word) continue;
        const std::size_t other_slot = slot_of(other);
        after_.add(slot, other_slot, count);
        before_.add(other_slot, slot, count);
        inside_left_[slot] += count;
        inside_right_[other_slot] += count;
    }
    for (std::size_t i = before_starts_[word]; i < before_starts_[word + 1]; ++i) {
        const auto [other, count] = before_edges_[i];
        if (static_cast<std::size_t>(other) >= word) continue;
        const std::size_t other_slot = slot_of(other);
        after_.add(other_slot, slot, count);
        before_.add(slot, other_slot, count);
        inside_left_[other_slot] += count;
        inside_right_[slot] += count;
    }
}

void BrownClustering::enter(std::size_t slot, std::size_t word) {
    place(slot, word);
    add_column(before_, slot);
    add_column(after_, slot);
    refresh(slot);
}

// Adds the new column `slot` to the pairs of all other clusters.
void BrownClustering::add_column(const Counts& columns, std::size_t slot) {
    columns.each(slot, [&](std::size_t high, std::uint64_t x) {
        if (high == slot) return;
        columns.each(slot, [&](std::size_t low, std::uint64_t y) {
            if (low < high && low != slot) core_[at(high, low)] += bend(x, y);
        });
    });
}

// Updates the pairs of all other clusters when two columns become one. A pair with both its counts in the
// same column does not change.
void BrownClustering::fold_columns(const Counts& columns, std::size_t stays, std::size_t goes) {
    struct Row {
        std::size_t slot;
        std::uint64_t stays, goes;
    };
    std::vector<Row> any, with_leaving, with_staying;
    for (const std::size_t slot : active_) {
        const Row row{slot, columns.at(stays, slot), columns.at(goes, slot)};
        if (slot == stays || slot == goes || (row.stays == 0 && row.goes == 0)) continue;
        any.push_back(row);
        if (row.goes > 0) with_leaving.push_back(row);
        if (row.stays > 0) with_staying.push_back(row);
    }
    const auto work = [&](const Row& row) {
        const auto& others = row.goes == 0 ? with_leaving : row.stays == 0 ? with_staying : any;
        for (const Row& other : others) {
            if (other.slot >= row.slot) break;
            core_[at(row.slot, other.slot)] +=
                bend(row.stays + row.goes, other.stays + other.goes) - bend(row.stays, other.stays) -
                bend(row.goes, other.goes);
        }
    };
    // Rows grow longer: a short one is paired with a long one, so that ranges have equal work.
    const std::size_t half = (any.size() + 1) / 2;
    const std::size_t steps = std::max<std::size_t>(1, std::min(with_leaving.size(), with_staying.size()));
    run_parallel(split(half, threads_, kWork / (8 * steps) + 1), [&](std::size_t, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            work(any[i]);
            if (any.size() - 1 - i != i) work(any[any.size() - 1 - i]);
        }
    });
}

// The cells of both clusters with themselves and each other, which rows and columns count once too often.
std::uint64_t BrownClustering::corner(std::size_t a, std::size_t b) const {
    const std::uint64_t aa = after_.at(a, a), ab = after_.at(a, b);
    const std::uint64_t ba = after_.at(b, a), bb = after_.at(b, b);
    if ((aa | ab | ba | bb) == 0) return 0;
    return logs_.entropy(aa + ba) + logs_.entropy(ab + bb) + logs_.entropy(aa + ab) +
           logs_.entropy(ba + bb) - logs_.entropy(aa) - logs_.entropy(ab) - logs_.entropy(ba) -
           logs_.entropy(bb) - logs_.entropy(aa + ab + ba + bb);
}

// Adds to the sum of each cluster the change from merging it with `slot`, over the columns they share.
void BrownClustering::add_shared(std::vector<std::uint64_t>& sums, const Counts& rows, const Counts& columns,
                                 std::size_t slot) const {
    std::vector<std::size_t> shared;
    rows.each(slot, [&](std::size_t column, std::uint64_t) { shared.push_back(column); });
    const auto ranges = split(shared.size(), threads_, kWork / (active_.size() + 1) + 1);
    std::vector<std::vector<std::uint64_t>> parts(ranges.size(), std::vector<std::uint64_t>(width_));
    run_parallel(ranges, [&](std::size_t part, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            const std::uint64_t x = rows.at(slot, shared[i]), alone = logs_.entropy(x);
            columns.each(shared[i], [&](std::size_t other, std::uint64_t y) {
                parts[part][other] += alone + logs_.entropy(y) - logs_.entropy(x + y);
            });
        }
    });
    for (const auto& part : parts)
        for (std::size_t other = 0; other < width_; ++other) sums[other] += part[other];
}

// Recomputes all pairs of one cluster.
void BrownClustering::refresh(std::size_t slot) {
    std::vector<std::uint64_t> sums(width_);
    add_shared(sums, after_, before_, slot);
    add_shared(sums, before_, after_, slot);
    for (const std::size_t other : active_) {
        if (other == slot) continue;
        const std::size_t pair = at(std::max(slot, other), std::min(slot, other));
        core_[pair] = sums[other] + corner(slot, other);
        left_logs_[pair] = logs_.logarithm(left_[slot] + left_[other]);
        right_logs_[pair] = logs_.logarithm(right_[slot] + right_[other]);
    }
}

void BrownClustering::Counts::fold(std::size_t stays, std::size_t goes) {
    each(goes, [&](std::size_t column, std::uint64_t count) {
        add(stays, column, count);
        values[goes * width + column] = 0;
    });
    std::ranges::fill(used_of(goes), 0);
    for (std::size_t row = 0; row < width; ++row) {
        if (!bits::has(used_of(row), goes)) continue;
        used_of(row)[goes / 64] &= ~(std::uint64_t{1} << goes % 64);
        add(row, stays, values[row * width + goes]);
        values[row * width + goes] = 0;
    }
}

void BrownClustering::join(std::size_t stays, std::size_t goes) {
    fold_columns(before_, stays, goes);
    fold_columns(after_, stays, goes);
    after_.fold(stays, goes);
    before_.fold(stays, goes);
    for (std::vector<std::uint64_t>* sums : {&left_, &right_, &inside_left_, &inside_right_}) {
        (*sums)[stays] += (*sums)[goes];
        (*sums)[goes] = 0;
    }
    const std::int32_t staying_word = std::min(first_word_[stays], first_word_[goes]);
    const std::int32_t leaving_word = std::max(first_word_[stays], first_word_[goes]);
    parent_[static_cast<std::size_t>(leaving_word)] = staying_word;
    slots_[static_cast<std::size_t>(staying_word)] = stays;
    first_word_[stays] = staying_word;
    active_.erase(std::lower_bound(active_.begin(), active_.end(), goes));
    refresh(stays);
}

BrownClustering::Best BrownClustering::best() const {
    const std::size_t size = active_.back() + 1;
    std::vector<std::uint64_t> paid(size);
    for (const std::size_t slot : active_)
        paid[slot] = inside_left_[slot] * logs_.logarithm(left_[slot]) +
                     inside_right_[slot] * logs_.logarithm(right_[slot]);
    std::vector<char> used(size, 0);
    for (const std::size_t slot : active_) used[slot] = 1;
    const bool full = active_.size() == size;
    constexpr Best kNone{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int32_t>::max(),
                         std::numeric_limits<std::int32_t>::max(), 0, 0};
    const auto ranges = split((active_.size() + 1) / 2, threads_, kWork / size + 1);
    std::vector<Best> best(ranges.size(), kNone);
    run_parallel(ranges, [&](std::size_t part, Range range) {
        std::vector<std::int64_t> losses(size);
        Best& chosen = best[part];
        const auto look = [&](std::size_t high) {
            const std::int64_t least = row_losses(
                losses.data(), high, core_.data() + at(high, 0), left_logs_.data() + at(high, 0),
                right_logs_.data() + at(high, 0), inside_left_.data(), inside_right_.data(), paid.data(),
                inside_left_[high], inside_right_[high], paid[high]);
            // A free slot may hold anything, so its least value is ignored.
            if (full && least > chosen.loss) return;
            for (std::size_t low = 0; low < high; ++low) {
                if (!used[low] || losses[low] > chosen.loss) continue;
                const auto [first, second] = std::minmax(first_word_[high], first_word_[low]);
                chosen = std::min(chosen, Best{losses[low], first, second, high, low});
            }
        };
        for (std::size_t i = range.first; i < range.last; ++i) {
            look(active_[i]);
            if (active_.size() - 1 - i != i) look(active_[active_.size() - 1 - i]);
        }
    });
    return *std::min_element(best.begin(), best.end());
}

BrownMerges BrownClustering::merge(std::size_t limit) {
    BrownMerges merges;
    for (; limit > 0 && made_ + 1 < words_; --limit, ++made_) {
        if (entered_ < words_) {
            std::size_t slot = 0;  // the first free one
            while (slot < active_.size() && active_[slot] == slot) ++slot;
            enter(slot, entered_);
        }
        const Best chosen = best();
        merges.pairs.push_back(chosen.first);
        merges.pairs.push_back(chosen.second);
        merges.losses.push_back(logs_.nats(static_cast<std::uint64_t>(chosen.loss)));
        join(chosen.low, chosen.high);
    }
    return merges;
}

}  // namespace paragauge
