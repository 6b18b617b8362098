#include "phrases/pivot.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr Gram kEmpty{-1, -1, -1, -1};
constexpr std::size_t kGrain = 16;

std::uint64_t step_key(std::uint32_t node, std::int32_t word) {
    return (std::uint64_t{node} << 32) | static_cast<std::uint32_t>(word);
}

std::size_t length_of(const Gram& gram) {
    std::size_t n = 0;
    while (n < kPivotOrder && gram[n] >= 0) ++n;
    return n;
}

// An n-gram in two numbers, each word as itself plus one in 32 bits, nothing as 0: they sort as the
// n-grams do.
struct Packed {
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    // The n-gram with one more word; it has `length` so far.
    Packed with(std::size_t length, std::int32_t word) const {
        const std::uint64_t own = std::uint64_t{static_cast<std::uint32_t>(word)} + 1;
        const std::uint64_t placed = length % 2 == 0 ? own << 32 : own;
        return length < 2 ? Packed{first | placed, second} : Packed{first, second | placed};
    }

    Gram unpacked() const {
        const auto word = [](std::uint64_t half) {
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(half) - 1U);
        };
        return {word(first >> 32), word(first), word(second >> 32), word(second)};
    }

    bool operator==(const Packed& other) const = default;
    bool operator<(const Packed& other) const {
        return first != other.first ? first < other.first : second < other.second;
    }
};

// Weights by n-gram, in order of first addition; emptied in constant time.
class GramTable {
public:
    void clear() {
        if (slots_.empty()) slots_.resize(256);
        if (++stamp_ == 0) {
            for (Slot& slot : slots_) slot.stamp = 0;
            stamp_ = 1;
        }
        entries_.clear();
    }

    void add(const Packed& gram, double weight) {
        if (2 * (entries_.size() + 1) > slots_.size()) grow();
        for (std::size_t at = place(gram);; at = (at + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[at];
            if (slot.stamp != stamp_) {
                slot = {stamp_, static_cast<std::uint32_t>(entries_.size())};
                entries_.push_back({gram, weight});
                return;
            }
            if (entries_[slot.entry].gram == gram) {
                entries_[slot.entry].weight += weight;
                return;
            }
        }
    }

    struct Entry {
        Packed gram;
        double weight;
    };
    std::vector<Entry>& entries() { return entries_; }
    void swap(GramTable& other) {
        slots_.swap(other.slots_);
        entries_.swap(other.entries_);
        std::swap(stamp_, other.stamp_);
    }

private:
    struct Slot {
        std::uint32_t stamp = 0;
        std::uint32_t entry = 0;
    };

    std::size_t place(const Packed& gram) const {
        return mix(gram.first * 0x9E3779B97F4A7C15ULL + gram.second) & (slots_.size() - 1);
    }

    void grow() {
        slots_.assign(2 * slots_.size(), Slot{});
        stamp_ = 1;
        for (std::uint32_t i = 0; i < entries_.size(); ++i) {
            std::size_t at = place(entries_[i].gram);
            while (slots_[at].stamp == stamp_) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = {stamp_, i};
        }
    }

    std::vector<Slot> slots_;
    std::vector<Entry> entries_;
    std::uint32_t stamp_ = 0;
};

}  // namespace

// The network of one sentence, read from left to right. `tails_[j]` holds the last j words of the
// paths that have that many, with the product of their edges.
class Network {
public:
    Network(const PivotTable& table, std::size_t order) : table_(table), order_(order) {}

    void start() {
        bag_.clear();
        for (std::size_t j = 1; j < kPivotOrder; ++j) tails_[j].clear();
    }

    void pass(std::int32_t word) {
        begin();
        edge({&word, 1}, 1.0);
        end();
    }

    void phrase(std::int32_t number) {
        const auto at = static_cast<std::size_t>(number);
        const auto first = static_cast<std::size_t>(table_.edge_offsets_[at]);
        const auto last = static_cast<std::size_t>(table_.edge_offsets_[at + 1]);
        if (first == last) {  // the phrase has no edges: n-grams do not cross it
            for (std::size_t j = 1; j < kPivotOrder; ++j) tails_[j].clear();
            return;
        }
        begin();
        for (std::size_t i = first; i < last; ++i) {
            const auto target = static_cast<std::size_t>(table_.targets_[i]);
            const auto from = static_cast<std::size_t>(table_.target_offsets_[target]);
            const auto to = static_cast<std::size_t>(table_.target_offsets_[target + 1]);
            edge(std::span(table_.target_ids_).subspan(from, to - from), table_.probabilities_[i]);
        }
        end();
    }

    // The n-grams heavier than `least`, sorted.
    void collect(double least, PivotBags& out) {
        auto& entries = bag_.entries();
        std::erase_if(entries, [least](const auto& entry) { return !(entry.weight > least); });
        std::sort(entries.begin(), entries.end(),
                  [](const auto& a, const auto& b) { return a.gram < b.gram; });
        const std::size_t before = out.weights.size();
        out.weights.resize(before + entries.size());
        out.grams.resize(out.weights.size() * kPivotOrder);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const Gram gram = entries[i].gram.unpacked();
            out.weights[before + i] = entries[i].weight;
            std::copy(gram.begin(), gram.end(),
                      out.grams.begin() + static_cast<std::ptrdiff_t>((before + i) * kPivotOrder));
        }
    }

private:
    void begin() {
        for (std::size_t j = 1; j < order_; ++j) next_[j].clear();
    }

    void edge(std::span<const std::int32_t> words, double probability) {
        const std::size_t n = words.size();
        for (std::size_t first = 0; first < n; ++first) {
            Packed gram;
            for (std::size_t k = 0; k < order_ && first + k < n; ++k) {
                gram = gram.with(k, words[first + k]);
                bag_.add(gram, probability);
            }
        }
        for (std::size_t j = 1; j < order_; ++j)
            for (const auto& tail : tails_[j].entries()) {
                Packed gram = tail.gram;
                const double weight = tail.weight * probability;
                for (std::size_t k = 0; k < n && j + k < order_; ++k) {
                    gram = gram.with(j + k, words[k]);
                    bag_.add(gram, weight);
                }
            }
        for (std::size_t j = 1; j < order_; ++j) {
            if (n >= j) {
                Packed gram;
                for (std::size_t k = 0; k < j; ++k) gram = gram.with(k, words[n - j + k]);
                next_[j].add(gram, probability);
                continue;
            }
            // A tail of j words takes j - n of them from before this edge.
            for (const auto& tail : tails_[j - n].entries()) {
                Packed gram = tail.gram;
                for (std::size_t k = 0; k < n; ++k) gram = gram.with(j - n + k, words[k]);
                next_[j].add(gram, tail.weight * probability);
            }
        }
    }

    void end() {
        for (std::size_t j = 1; j < order_; ++j) tails_[j].swap(next_[j]);
    }

    const PivotTable& table_;
    std::size_t order_;
    GramTable bag_;
    std::array<GramTable, kPivotOrder> tails_;
    std::array<GramTable, kPivotOrder> next_;
};

PivotTable::PivotTable(const IdColumn& phrases, std::span<const double> scores,
                       std::span<const std::int64_t> edge_offsets, std::span<const std::int32_t> targets,
                       std::span<const double> probabilities, const IdColumn& target_phrases)
    : scores_(scores.begin(), scores.end()),
      edge_offsets_(edge_offsets.begin(), edge_offsets.end()),
      targets_(targets.begin(), targets.end()),
      probabilities_(probabilities.begin(), probabilities.end()),
      target_ids_(target_phrases.ids.begin(), target_phrases.ids.end()),
      target_offsets_(target_phrases.offsets.begin(), target_phrases.offsets.end()) {
    steps_.reset(phrases.ids.size() + 1);
    phrase_.push_back(kNoPhrase);
    for (std::size_t i = 0; i < phrases.lines(); ++i) {
        std::uint32_t node = 0;
        for (const std::int32_t word : phrases.line(i)) {
            node = steps_.insert(step_key(node, word)) + 1;
            if (node == phrase_.size()) phrase_.push_back(kNoPhrase);
        }
        if (node == 0) throw std::invalid_argument("a phrase must have a word");
        if (phrase_[node] != kNoPhrase) throw std::invalid_argument("a phrase stands twice in the table");
        phrase_[node] = static_cast<std::int32_t>(i);
    }
}

std::uint32_t PivotTable::step(std::uint32_t node, std::int32_t word) const {
    const std::uint32_t step = steps_.find(step_key(node, word));
    return step == KeyTable::kAbsent ? 0 : step + 1;
}

void PivotTable::segment_line(std::span<const std::int32_t> words, double unknown, std::size_t longest,
                              std::vector<double>& best, std::vector<std::int32_t>& back,
                              std::vector<std::int32_t>& ends, std::vector<std::int32_t>& phrases) const {
    const std::size_t n = words.size();
    best.assign(n + 1, -std::numeric_limits<double>::infinity());
    back.assign(2 * (n + 1), 0);  // the start and the number of the best last phrase
    best[0] = 0.0;
    const auto offer = [&](std::size_t from, std::size_t to, double score, std::int32_t phrase) {
        // Starts ascend, so that the longer last phrase wins ties.
        if (best[from] + score > best[to]) {
            best[to] = best[from] + score;
            back[2 * to] = static_cast<std::int32_t>(from);
            back[2 * to + 1] = phrase;
        }
    };
    for (std::size_t from = 0; from < n; ++from) {
        std::uint32_t node = 0;
        bool single = false;
        const std::size_t last = std::min(n, longest < n ? from + longest : n);
        for (std::size_t to = from; to < last && (node = step(node, words[to])) != 0; ++to) {
            const std::int32_t phrase = phrase_[node];
            if (phrase == kNoPhrase) continue;
            offer(from, to + 1, scores_[static_cast<std::size_t>(phrase)], phrase);
            single = single || to == from;
        }
        if (!single) offer(from, from + 1, unknown, kNoPhrase);
    }
    const std::size_t start = ends.size();
    for (std::size_t at = n; at > 0; at = static_cast<std::size_t>(back[2 * at])) {
        ends.push_back(static_cast<std::int32_t>(at));
        phrases.push_back(back[2 * at + 1]);
    }
    std::reverse(ends.begin() + static_cast<std::ptrdiff_t>(start), ends.end());
    std::reverse(phrases.begin() + static_cast<std::ptrdiff_t>(start), phrases.end());
}

Segmentation PivotTable::segment(const IdColumn& sentences, double unknown, std::size_t longest,
                                 std::size_t threads) const {
    const auto ranges = split(sentences.lines(), threads, kGrain);
    std::vector<Segmentation> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t part, Range range) {
        std::vector<double> best;
        std::vector<std::int32_t> back;
        Segmentation& mine = parts[part];
        for (std::size_t i = range.first; i < range.last; ++i) {
            segment_line(sentences.line(i), unknown, longest, best, back, mine.ends, mine.phrases);
            mine.offsets.push_back(static_cast<std::int64_t>(mine.ends.size()));
        }
    });
    Segmentation all;
    all.offsets.push_back(0);
    for (const Segmentation& part : parts) {
        const auto before = static_cast<std::int64_t>(all.ends.size());
        all.ends.insert(all.ends.end(), part.ends.begin(), part.ends.end());
        all.phrases.insert(all.phrases.end(), part.phrases.begin(), part.phrases.end());
        for (const std::int64_t offset : part.offsets) all.offsets.push_back(before + offset);
    }
    return all;
}

PivotBags PivotTable::bags(const IdColumn& sentences, double unknown, std::size_t longest, std::size_t order,
                           double least, std::size_t threads) const {
    const auto ranges = split(sentences.lines(), threads, kGrain);
    std::vector<PivotBags> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t part, Range range) {
        Network network(*this, order);
        std::vector<double> best;
        std::vector<std::int32_t> back, ends, phrases;
        PivotBags& mine = parts[part];
        for (std::size_t i = range.first; i < range.last; ++i) {
            const auto words = sentences.line(i);
            ends.clear();
            phrases.clear();
            segment_line(words, unknown, longest, best, back, ends, phrases);
            network.start();
            for (std::size_t k = 0; k < ends.size(); ++k) {
                if (phrases[k] == kNoPhrase)
                    network.pass(words[static_cast<std::size_t>(ends[k]) - 1]);
                else
                    network.phrase(phrases[k]);
            }
            network.collect(least, mine);
            mine.offsets.push_back(static_cast<std::int64_t>(mine.weights.size()));
        }
    });
    PivotBags all;
    all.offsets.push_back(0);
    for (const PivotBags& part : parts) {
        const auto before = static_cast<std::int64_t>(all.weights.size());
        all.grams.insert(all.grams.end(), part.grams.begin(), part.grams.end());
        all.weights.insert(all.weights.end(), part.weights.begin(), part.weights.end());
        for (const std::int64_t offset : part.offsets) all.offsets.push_back(before + offset);
    }
    return all;
}

std::vector<double> gram_overlaps(const BagView& left, const BagView& right,
                                  std::span<const std::int64_t> left_index,
                                  std::span<const std::int64_t> right_index,
                                  std::span<const double> word_weights, double other_weight,
                                  std::size_t threads) {
    constexpr std::size_t width = 3 * kPivotOrder;
    std::vector<double> result(left_index.size() * width, 0.0);
    const auto gram_of = [](const BagView& bags, std::size_t at) {
        Gram gram;
        std::copy_n(bags.grams.begin() + static_cast<std::ptrdiff_t>(at * kPivotOrder), kPivotOrder,
                    gram.begin());
        return gram;
    };
    const auto worth = [&](const Gram& gram, std::size_t n) {
        if (word_weights.empty()) return 1.0;
        double sum = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            const auto word = static_cast<std::size_t>(gram[k]);
            sum += word < word_weights.size() ? word_weights[word] : other_weight;
        }
        return sum / static_cast<double>(n);
    };
    run_parallel(split(left_index.size(), threads, 64), [&](std::size_t, Range range) {
        for (std::size_t pair = range.first; pair < range.last; ++pair) {
            double* sums = result.data() + pair * width;
            const auto l = static_cast<std::size_t>(left_index[pair]);
            const auto r = static_cast<std::size_t>(right_index[pair]);
            auto i = static_cast<std::size_t>(left.offsets[l]);
            auto j = static_cast<std::size_t>(right.offsets[r]);
            const auto i_end = static_cast<std::size_t>(left.offsets[l + 1]);
            const auto j_end = static_cast<std::size_t>(right.offsets[r + 1]);
            while (i < i_end || j < j_end) {
                const Gram mine = i < i_end ? gram_of(left, i) : kEmpty;
                const Gram theirs = j < j_end ? gram_of(right, j) : kEmpty;
                const bool take_left = i < i_end && (j == j_end || mine <= theirs);
                const bool take_right = j < j_end && (i == i_end || theirs <= mine);
                const Gram& gram = take_left ? mine : theirs;
                const std::size_t n = length_of(gram);
                const double factor = worth(gram, n);
                double* at = sums + 3 * (n - 1);
                if (take_left && take_right)
                    at[0] += factor * std::min(left.weights[i], right.weights[j]);
                if (take_left) at[1] += factor * left.weights[i++];
                if (take_right) at[2] += factor * right.weights[j++];
            }
        }
    });
    return result;
}

}  // namespace paragauge
