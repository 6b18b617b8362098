#include "ngrams.hpp"

#include <algorithm>

#include "hashing.hpp"
#include "parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

using Sentence = std::span<const std::int32_t>;

std::uint64_t pair_key(std::uint32_t prefix, std::uint32_t word) {
    return static_cast<std::uint64_t>(prefix) << 32 | word;
}

// Numbers pairs (prefix, word) 0, 1, 2 ... in order of first insertion. While the product of the two
// ranges is small, as in sentences of ordinary length, the pair is an index into a plain array.
class PairTable {
public:
    static constexpr std::uint32_t kAbsent = KeyTable::kAbsent;

    // Empties the table for prefixes below `prefixes`, words below `words` and `pairs` insertions.
    void reset(std::size_t prefixes, std::size_t words, std::size_t pairs) {
        for (std::uint32_t i = 0; i < size_; ++i) cells_[used_[i]] = 0;
        size_ = 0;
        words_ = static_cast<std::uint32_t>(words);
        dense_ = prefixes * words <= kDenseLimit;
        if (!dense_) return sparse_.reset(pairs);
        if (cells_.size() < prefixes * words) cells_.resize(prefixes * words);
        if (used_.size() < pairs) used_.resize(pairs);
    }

    std::uint32_t insert(std::uint32_t prefix, std::uint32_t word) {
        if (!dense_) return sparse_.insert(pair_key(prefix, word));
        const std::uint32_t at = prefix * words_ + word;
        std::uint32_t& cell = cells_[at];
        if (cell == 0) {
            used_[size_] = at;
            cell = ++size_;
        }
        return cell - 1;
    }

    std::uint32_t find(std::uint32_t prefix, std::uint32_t word) const {
        if (!dense_) return sparse_.find(pair_key(prefix, word));
        return cells_[prefix * words_ + word] - 1;  // 0 - 1 is kAbsent
    }

private:
    static constexpr std::size_t kDenseLimit = 1 << 15;
    KeyTable sparse_;
    std::vector<std::uint32_t> cells_;  // number + 1, or 0
    std::vector<std::uint32_t> used_;   // cells that are not 0
    std::uint32_t size_ = 0;
    std::uint32_t words_ = 0;
    bool dense_ = true;
};

// The n-grams of one candidate, against which other sentences are matched.
class Matcher {
public:
    Matcher(std::size_t order, bool distinct) : orders_(order), distinct_(distinct) {}

    void start(Sentence candidate) {
        length_ = candidate.size();
        reserve(length_, words_, grams_);
        raw_range_ = 0;
        for (const std::int32_t id : candidate)
            raw_range_ = std::max<std::size_t>(raw_range_, static_cast<std::uint32_t>(id) + 1ULL);
        std::size_t prefixes = 1, words = raw_range_;
        for (std::size_t n = 1; n <= orders_.size(); ++n) {
            Order& order = orders_[n - 1];
            const std::size_t count = length_ < n ? 0 : length_ - n + 1;
            order.table.reset(prefixes, words, count);
            reserve(count, order.cells);
            Cell* const cells = order.cells.data();
            std::uint32_t size = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t gram =
                    n == 1 ? order.table.insert(0, static_cast<std::uint32_t>(candidate[i]))
                           : order.table.insert(grams_[i], words_[i + n - 1]);
                if (gram == size)
                    cells[size++] = {1, 0, 0, 0};
                else if (!distinct_)
                    ++cells[gram].limit;
                grams_[i] = gram;
                if (n == 1) words_[i] = gram;
            }
            order.size = prefixes = size;
            if (n == 1) words = size;
            order.matched = 0;
        }
        line_ = 0;
    }

    void match(Sentence other) {
        reserve(other.size(), other_words_, other_grams_);
        std::uint32_t* const words = other_words_.data();
        std::uint32_t* const grams = other_grams_.data();
        const std::size_t size = other.size();
        ++line_;
        bool found = false;
        for (std::size_t i = 0; i < size; ++i) {
            const auto id = static_cast<std::uint32_t>(other[i]);
            words[i] = id < raw_range_ ? orders_[0].table.find(0, id) : PairTable::kAbsent;
            grams[i] = words[i];
            if (words[i] == PairTable::kAbsent) continue;
            found = true;
            orders_[0].meet(words[i], line_);
        }
        for (std::size_t n = 2; found && n <= orders_.size() && n <= size; ++n) {
            Order& order = orders_[n - 1];
            found = false;
            for (std::size_t i = 0; i + n <= size; ++i) {
                if (grams[i] == PairTable::kAbsent) continue;
                const std::uint32_t word = words[i + n - 1];
                grams[i] = word == PairTable::kAbsent ? word : order.table.find(grams[i], word);
                if (grams[i] == PairTable::kAbsent) continue;
                found = true;
                order.meet(grams[i], line_);
            }
        }
    }

    // Writes the row and forgets what was matched.
    void finish(std::int64_t* row) {
        const std::size_t order_count = orders_.size();
        for (std::size_t n = 1; n <= order_count; ++n) {
            Order& order = orders_[n - 1];
            row[n - 1] = order.matched;
            row[order_count + n - 1] =
                static_cast<std::int64_t>(distinct_ ? order.size : length_ < n ? 0 : length_ - n + 1);
            if (order.matched > 0)
                for (std::size_t gram = 0; gram < order.size; ++gram) order.cells[gram].best = 0;
            order.matched = 0;
        }
    }

private:
    // Occurrences of one n-gram: how many may match, how many the best line so far matched, how
    // many the line `line` has.
    struct Cell {
        std::uint32_t limit, best, seen, line;
    };
    struct Order {
        PairTable table;
        std::vector<Cell> cells;
        std::size_t size = 0;  // different n-grams
        std::int64_t matched = 0;

        void meet(std::uint32_t gram, std::uint32_t line) {
            Cell& cell = cells[gram];
            const std::uint32_t seen = cell.line == line ? cell.seen + 1 : 1;
            cell.line = line;
            cell.seen = seen;
            const bool better = seen > cell.best && seen <= cell.limit;
            cell.best = better ? seen : cell.best;
            matched += better;
        }
    };

    template <class... Vectors>
    static void reserve(std::size_t size, Vectors&... vectors) {
        ((vectors.size() < size ? vectors.resize(size) : void()), ...);
    }

    std::vector<Order> orders_;
    std::vector<std::uint32_t> words_;  // the candidate's words and n-grams, as numbers
    std::vector<std::uint32_t> grams_;
    std::vector<std::uint32_t> other_words_;
    std::vector<std::uint32_t> other_grams_;
    std::size_t length_ = 0;
    std::size_t raw_range_ = 0;  // of the candidate's ids
    std::uint32_t line_ = 0;     // number of the current line, from 1 on
    bool distinct_;
};

}  // namespace

std::vector<std::int64_t> match_ngrams(const IdColumn& candidates, const IdColumn& others,
                                       const MatchSettings& settings) {
    const std::size_t segments = candidates.segments();
    const std::size_t width = 2 * settings.order;
    std::vector<std::int64_t> rows((settings.joint ? segments : others.lines()) * width);
    run_parallel(split(segments, settings.threads, kGrain), [&](std::size_t, Range range) {
        Matcher matcher(settings.order, settings.distinct);
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            matcher.start(candidates.line(segment));
            const std::size_t stop = others.first_line(segment + 1);
            for (std::size_t line = others.first_line(segment); line < stop; ++line) {
                matcher.match(others.line(line));
                if (!settings.joint) matcher.finish(rows.data() + line * width);
            }
            if (settings.joint) matcher.finish(rows.data() + segment * width);
        }
    });
    return rows;
}

std::vector<Bags> ngram_bags(std::span<const IdColumn> columns, std::size_t order,
                             std::size_t threads) {
    const std::size_t segments = columns.empty() ? 0 : columns.front().segments();
    const std::vector<Range> ranges = split(segments, threads, kGrain);
    std::vector<std::vector<Bags>> parts(ranges.size(), std::vector<Bags>(columns.size()));
    run_parallel(ranges, [&](std::size_t index, Range range) {
        KeyTable table;
        std::vector<std::uint32_t> grams;
        std::vector<std::size_t> place;  // where the current line keeps each n-gram
        constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            std::size_t tokens = 0;
            for (const IdColumn& column : columns)
                for (std::size_t line = column.first_line(segment);
                     line < column.first_line(segment + 1); ++line)
                    tokens += column.line(line).size();
            table.reset(tokens * order);
            place.clear();
            for (std::size_t c = 0; c < columns.size(); ++c) {
                Bags& bags = parts[index][c];
                const std::size_t stop = columns[c].first_line(segment + 1);
                for (std::size_t line = columns[c].first_line(segment); line < stop; ++line) {
                    const Sentence sentence = columns[c].line(line);
                    const std::size_t first = bags.keys.size();
                    grams.assign(sentence.size(), 0);
                    for (std::size_t n = 1; n <= order && n <= sentence.size(); ++n) {
                        for (std::size_t i = 0; i + n <= sentence.size(); ++i) {
                            // Unigrams have prefix 0, so prefixes count from 1.
                            const std::uint32_t gram =
                                table.insert(
                                    pair_key(grams[i], static_cast<std::uint32_t>(sentence[i + n - 1])));
                            grams[i] = gram + 1;
                            if (gram >= place.size()) place.resize(gram + 1, kNowhere);
                            if (place[gram] == kNowhere) {
                                place[gram] = bags.keys.size();
                                bags.keys.push_back(static_cast<std::int32_t>(gram));
                                bags.weights.push_back(0.0);
                            }
                            bags.weights[place[gram]] += 1.0;
                        }
                    }
                    // Places of this line mean nothing in the next one.
                    for (std::size_t k = first; k < bags.keys.size(); ++k)
                        place[static_cast<std::size_t>(bags.keys[k])] = kNowhere;
                    bags.offsets.push_back(static_cast<std::int64_t>(bags.keys.size()));
                }
            }
        }
    });
    std::vector<Bags> result(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        Bags& whole = result[c];
        whole.offsets.push_back(0);
        for (std::vector<Bags>& part : parts) {
            const auto base = static_cast<std::int64_t>(whole.keys.size());
            for (const std::int64_t end : part[c].offsets) whole.offsets.push_back(base + end);
            whole.keys.insert(whole.keys.end(), part[c].keys.begin(), part[c].keys.end());
            whole.weights.insert(whole.weights.end(), part[c].weights.begin(), part[c].weights.end());
        }
    }
    return result;
}

std::vector<double> bag_overlaps(const BagsView& left, const BagsView& right, std::size_t threads) {
    const std::size_t bags = left.offsets.size() - 1;
    std::vector<double> overlaps(bags);
    run_parallel(split(bags, threads, kGrain), [&](std::size_t, Range range) {
        KeyTable table;
        std::vector<double> mine, theirs;
        for (std::size_t bag = range.first; bag < range.last; ++bag) {
            const auto first = static_cast<std::size_t>(left.offsets[bag]);
            const auto last = static_cast<std::size_t>(left.offsets[bag + 1]);
            table.reset(last - first);
            mine.assign(last - first, 0.0);
            theirs.assign(last - first, 0.0);
            for (std::size_t i = first; i < last; ++i)
                mine[table.insert(static_cast<std::uint32_t>(left.keys[i]))] += left.weights[i];
            for (auto i = static_cast<std::size_t>(right.offsets[bag]);
                 i < static_cast<std::size_t>(right.offsets[bag + 1]); ++i) {
                const std::uint32_t id = table.find(static_cast<std::uint32_t>(right.keys[i]));
                if (id != KeyTable::kAbsent) theirs[id] += right.weights[i];
            }
            double sum = 0.0;
            for (std::size_t id = 0; id < table.size(); ++id) sum += std::min(mine[id], theirs[id]);
            overlaps[bag] = sum;
        }
    });
    return overlaps;
}

}  // namespace paragauge
