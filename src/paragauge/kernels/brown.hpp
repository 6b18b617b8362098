// Brown clustering (Brown et al. 1992) with a window of active clusters (Liang 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paragauge {

// n log n and log n as whole numbers of 2^-bits nats: sums of them are exact in any order, so that what is
// updated step by step is what would be computed anew, and equal losses are equal.
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
    void join(std::size_t kept, std::size_t gone);
    void fold_columns(const std::vector<std::uint64_t>& table, std::size_t kept, std::size_t gone);
    void add_column(const std::vector<std::uint64_t>& table, std::size_t slot);
    void refresh(std::size_t slot);
    std::uint64_t shared_of(std::size_t a, std::size_t b, const std::vector<std::size_t>& after,
                            const std::vector<std::size_t>& before) const;
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
    std::vector<std::uint64_t> after_, before_;         // [slot, slot] counts: a then b; b before a
    std::vector<std::uint64_t> core_;                   // [high slot, low slot]
    std::vector<std::uint64_t> left_logs_, right_logs_; // log of summed marginals, [high slot, low slot]
    std::vector<std::uint64_t> left_, right_;           // marginals over all words, by slot
    std::vector<std::uint64_t> inside_left_, inside_right_;  // over active clusters only
    std::vector<std::uint64_t> word_left_, word_right_;
};

}  // namespace paragauge
