// The best binary tree over a sentence, by CKY.
//
// A label is that of a constituent, of a chain of them over the same words, or of the first children
// of a constituent (a bar). The score of a tree is the sum over its nodes of
//     span(i, j, A) + middle(k, A) + left(i, k, A) + right(k, j, A) + first[B, A] + second[C, A]
// for label A over the words i to j - 1, split at k into children with labels B and C. A word without
// a constituent of its own has its tag for a label, and a node over one word has only the first term.
// For every span two maxima over its labels are kept, as left and as right child of each possible
// parent A, so a split costs one sum per label: O(n^3 L + n^2 L^2) for n words and L labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "syntax/constituents_features.hpp"
#include "syntax/constituents_sums.hpp"

namespace paragauge {

constexpr std::int32_t kNoLabel = -1;

struct BinaryNode {
    std::int32_t label;  // kNoLabel: a word with nothing but its tag
    std::int32_t begin, split, end;

    bool operator==(const BinaryNode&) const = default;
};

// How labels may be put together.
struct LabelSet {
    std::size_t labels = 0;
    std::vector<std::int32_t> bar_of;   // for a bar the constituent it is part of, otherwise -1
    std::vector<std::int32_t> lowest;   // the last constituent of a chain; for a bar, bar_of

    std::size_t width() const { return (labels + kLabelBlock - 1) / kLabelBlock * kLabelBlock; }
    bool is_bar(std::size_t label) const { return bar_of[label] >= 0; }
    // A bar is the left child of what it is part of, or of a longer bar.
    bool may_be_left(std::size_t child, std::size_t parent) const {
        return !is_bar(child) || bar_of[child] == lowest[parent];
    }
};

template <class Number>
constexpr Number kNever = std::is_same_v<Number, float> ? static_cast<Number>(-1e20f)
                                                        : static_cast<Number>(-(1 << 28));

// Rules out children that are not allowed: bars on the right, and on the left below other parents.
// `children` has a row of labels for each symbol as left child, then for each as right child.
template <class Number>
void forbid(const LabelSet& set, std::size_t symbols, Number* children) {
    for (std::size_t parent = 0; parent < set.labels; ++parent)
        for (std::size_t child = 0; child < set.labels; ++child) {
            Number* left = children + child * set.width() + parent;
            if (!set.may_be_left(child, parent)) *left = kNever<Number>;
            if (set.is_bar(child)) left[symbols * set.width()] = kNever<Number>;
        }
}

// Weights: `Weight` and `Sum` types; labels(); rows(keys, out), which appends the rows of those features
// that have weights; first() and second(), tables with one row for each symbol (labels, then tags).
template <class Weights>
class Chart {
public:
    using Sum = typename Weights::Sum;
    using Row = const typename Weights::Weight*;

    explicit Chart(const Weights& weights)
        : weights_(weights), labels_(weights.labels()), width_(labels_.width()) {}

    // Nodes of the best tree, a parent before its children, the left one first. extra(i, j, best, none)
    // may change the scores of a span's labels, and of its only word without one.
    template <class Extra>
    void parse(const ParserWords& words, std::vector<BinaryNode>& out, Extra extra) {
        const std::size_t n = words.size();
        out.clear();
        if (n == 0) return;
        const std::size_t cells = n * (n + 1) / 2 * width_;
        for (auto* part : {&best_, &left_, &right_})
            if (part->size() < cells) part->resize(cells);
        none_.assign(n, Sum{0});
        add_places(words);
        for (std::size_t length = 1; length <= n; ++length)
            for (std::size_t i = 0; i + length <= n; ++i) fill(words, i, i + length, extra);
        std::size_t top = 0;
        const Sum* whole = &best_[cell(0, n)];
        for (std::size_t a = 1; a < labels_.labels; ++a)
            if (!labels_.is_bar(a) && (labels_.is_bar(top) || whole[a] > whole[top])) top = a;
        const bool bare = n == 1 && none_[0] >= whole[top];
        trace(words, 0, n, bare ? kNoLabel : static_cast<std::int32_t>(top), out);
    }

private:
    std::size_t cell(std::size_t i, std::size_t j) const { return (j * (j - 1) / 2 + i) * width_; }

    template <class Features>
    void sum(Sum* total, Features features) {
        keys_.clear();
        rows_.clear();
        features([&](std::uint32_t key) { keys_.push_back(key); });
        weights_.rows(keys_, rows_);
        add_rows(rows_.data(), rows_.size(), width_, total);
    }

    void add_places(const ParserWords& words) {
        const std::size_t n = words.size();
        for (auto* part : {&starts_, &ends_, &middles_}) part->resize((n + 1) * width_);
        for (std::size_t i = 0; i <= n; ++i) {
            sum(&starts_[i * width_], [&](auto visit) { place_features(words, i, kStarts, visit); });
            sum(&ends_[i * width_], [&](auto visit) { place_features(words, i, kEnds, visit); });
            sum(&middles_[i * width_], [&](auto visit) { middle_features(words, i, visit); });
        }
        scores_.resize(width_);
    }

    template <class Extra>
    void fill(const ParserWords& words, std::size_t i, std::size_t j, Extra& extra) {
        const std::size_t at = cell(i, j);
        Sum *best = &best_[at], *left = &left_[at], *right = &right_[at];
        sum(scores_.data(), [&](auto visit) { span_features(words, i, j, visit); });
        const Sum *start = &starts_[i * width_], *end = &ends_[j * width_];
        for (std::size_t a = 0; a < width_; ++a) scores_[a] += start[a] + end[a];
        if (j - i == 1) {
            std::copy(scores_.begin(), scores_.end(), best);
            for (std::size_t a = 0; a < labels_.labels; ++a)
                if (labels_.is_bar(a)) best[a] = kNever<Sum>;
        } else {
            std::fill(best, best + width_, kNever<Sum> + kNever<Sum>);
            for (std::size_t k = i + 1; k < j; ++k)
                max_sums(&left_[cell(i, k)], &right_[cell(k, j)], width_, best);
            for (std::size_t a = 0; a < width_; ++a) best[a] += scores_[a];
        }
        extra(i, j, best, j - i == 1 ? &none_[i] : nullptr);
        if (j < words.size()) as_child(best, left, weights_.first(), i, j, words);
        if (i > 0) as_child(best, right, weights_.second(), i, j, words);
        if (j < words.size()) {
            sum(scores_.data(), [&](auto visit) { left_features(words, i, j, visit); });
            for (std::size_t a = 0; a < width_; ++a) left[a] += scores_[a];
        }
        if (i > 0) {
            sum(scores_.data(), [&](auto visit) { right_features(words, i, j, visit); });
            const Sum* middle = &middles_[i * width_];
            for (std::size_t a = 0; a < width_; ++a) right[a] += scores_[a] + middle[a];
        }
    }

    // The best of a span's labels below each parent.
    void as_child(const Sum* best, Sum* total, const Sum* table, std::size_t i, std::size_t j,
                  const ParserWords& words) const {
        std::fill(total, total + width_, kNever<Sum> + kNever<Sum>);
        if (j - i == 1) {
            const Sum* row = table + (labels_.labels + words.tag(i)) * width_;
            for (std::size_t a = 0; a < width_; ++a) total[a] = none_[i] + row[a];
        }
        max_children(best, table, labels_.labels, width_, total);
    }

    // The first label that is as good as any below parent `a`.
    std::int32_t child(const Sum* table, std::size_t i, std::size_t j, std::size_t a,
                       const ParserWords& words) const {
        const Sum* best = &best_[cell(i, j)];
        std::int32_t chosen = 0;
        Sum largest = best[0] + table[a];
        for (std::size_t b = 1; b < labels_.labels; ++b)
            if (const Sum score = best[b] + table[b * width_ + a]; score > largest) {
                largest = score;
                chosen = static_cast<std::int32_t>(b);
            }
        const bool bare =
            j - i == 1 && none_[i] + table[(labels_.labels + words.tag(i)) * width_ + a] >= largest;
        return bare ? kNoLabel : chosen;
    }

    void trace(const ParserWords& words, std::size_t first, std::size_t last, std::int32_t top,
               std::vector<BinaryNode>& out) {
        struct Item {
            std::size_t i, j;
            std::int32_t label;
        };
        std::vector<Item> items{{first, last, top}};
        while (!items.empty()) {
            const auto [i, j, label] = items.back();
            items.pop_back();
            std::size_t split = i;
            if (j - i > 1) {
                const auto a = static_cast<std::size_t>(label);
                Sum largest = std::numeric_limits<Sum>::lowest();
                for (std::size_t k = i + 1; k < j; ++k)
                    if (const Sum score = left_[cell(i, k) + a] + right_[cell(k, j) + a]; score > largest) {
                        largest = score;
                        split = k;
                    }
                items.push_back({split, j, child(weights_.second(), split, j, a, words)});
                items.push_back({i, split, child(weights_.first(), i, split, a, words)});
            }
            out.push_back({label, static_cast<std::int32_t>(i), static_cast<std::int32_t>(split),
                           static_cast<std::int32_t>(j)});
        }
    }

    const Weights& weights_;
    const LabelSet& labels_;
    std::size_t width_;
    std::vector<Sum> best_, left_, right_;      // one row per span
    std::vector<Sum> starts_, ends_, middles_;  // one row per place
    std::vector<Sum> none_;                     // score of a bare word
    std::vector<Sum> scores_;
    std::vector<std::uint32_t> keys_;
    std::vector<Row> rows_;
};

}  // namespace paragauge
