// Brown clustering (Brown et al. 1992) with a window of active clusters (Liang 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"

namespace paragauge {

// n log n and log n as whole numbers of 2^-bits nats: sums of them are exact in any order, so that
// updates step by step equal a fresh computation, and equal losses compare equal.
class FixedLog {
public:
    explicit FixedLog(std::uint64_t total);

    std::uint64_t entropy(std::uint64_t n) const {  // n log n
        return n < small_.size() ? small_[n] : computed(n);
    }
    std::uint64_t logarithm(std::uint64_t n) const;  // log n, 0 for 0
    double nats(std::uint64_t value) const;          // per bigram of the total

private:
    std::uint64_t computed(std::uint64_t n) const;

    double scale_, total_;
    std::vector<std::uint64_t> small_;
};

struct BrownMerges {
    std::vector<std::int32_t> pairs;  // (cluster that stays, cluster that goes), each by its first word
    std::vector<double> losses;       // of mutual information, in nats
};

// Words are 0 ... words - 1, the most frequent first. The first `clusters` of them start as clusters of
// one word; then each further word enters as a cluster of its own and the two clusters whose merging
// loses least are merged, until all words are in; then merging goes on to one cluster.
class BrownClustering {
public:
    // Counts of slots with slots, and which of them are not zero, so that rows are walked in no more
    // steps than they have entries.
    struct Counts {
        std::size_t width, blocks;
        std::vector<std::uint64_t> values, used;

        explicit Counts(std::size_t slots)
            : width(slots), blocks((slots + 63) / 64), values(slots * slots), used(slots * blocks) {}
        std::uint64_t at(std::size_t row, std::size_t column) const { return values[row * width + column]; }
        bits::Bits used_of(std::size_t row) { return {used.data() + row * blocks, blocks}; }
        void add(std::size_t row, std::size_t column, std::uint64_t count) {
            values[row * width + column] += count;
            bits::put(used_of(row), column);
        }
        void fold(std::size_t stays, std::size_t goes);  // both rows into one, both columns into one
        template <class Body>
        void each(std::size_t row, Body body) const {  // body(column, count)
            bits::each({used.data() + row * blocks, blocks}, [&](std::size_t column) {
                body(column, values[row * width + column]);
                return true;
            });
        }
    };

    // Bigrams (left, right, count), each pair once. Contract: words in range, counts positive.
    BrownClustering(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                    std::span<const std::int64_t> counts, std::size_t words, std::size_t clusters,
                    std::size_t threads);

    // The next `limit` merges, fewer at the end. There are words - 1 in all.
    BrownMerges merge(std::size_t limit);

private:
    struct Edge {
        std::int32_t word;
        std::uint64_t count;
    };
    struct Best {
        std::int64_t loss;
        std::int32_t first, second;  // first words of the clusters
        std::size_t high, low;       // their slots
        bool operator<(const Best& other) const;
    };

    void build_edges(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                     std::span<const std::int64_t> counts);
    void enter(std::size_t slot, std::size_t word);
    void place(std::size_t slot, std::size_t word);  // counts and marginals only
    void join(std::size_t stays, std::size_t goes);
    // `columns` has the columns of a table as rows: it is the other one of after_ and before_.
    void fold_columns(const Counts& columns, std::size_t stays, std::size_t goes);
    void add_column(const Counts& columns, std::size_t slot);
    void add_shared(std::vector<std::uint64_t>& sums, const Counts& rows, const Counts& columns,
                    std::size_t slot) const;
    void refresh(std::size_t slot);
    std::uint64_t corner(std::size_t a, std::size_t b) const;
    Best best() const;
    std::size_t slot_of(std::int32_t word);

    std::size_t at(std::size_t a, std::size_t b) const { return a * width_ + b; }
    std::uint64_t bend(std::uint64_t x, std::uint64_t y) const {
        return x == 0 || y == 0 ? 0 : logs_.entropy(x) + logs_.entropy(y) - logs_.entropy(x + y);
    }

    std::size_t words_, width_, threads_, entered_ = 0, made_ = 0;
    FixedLog logs_;
    std::vector<Edge> after_edges_, before_edges_;      // of word w: [starts[w], starts[w + 1])
    std::vector<std::size_t> after_starts_, before_starts_;
    std::vector<std::int32_t> parent_;                  // union-find over words
    std::vector<std::size_t> slots_;                    // of a cluster, at its first word
    std::vector<std::size_t> active_;                   // slots in use, ascending
    std::vector<std::int32_t> first_word_;              // of a slot's cluster
    Counts after_, before_;                             // of a row's cluster: what follows, what precedes
    std::vector<std::uint64_t> core_;                   // [high slot, low slot]
    std::vector<std::uint64_t> left_logs_, right_logs_; // log of summed marginals, [high slot, low slot]
    std::vector<std::uint64_t> left_, right_;           // marginals over all words, by slot
    std::vector<std::uint64_t> inside_left_, inside_right_;  // over active clusters only
    std::vector<std::uint64_t> word_left_, word_right_;
};

}  // namespace paragauge
