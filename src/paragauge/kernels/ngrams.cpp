#include "ngrams.hpp"

#include <algorithm>

#include "hashing.hpp"
#include "parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

using Sentence = std::span<const std::int32_t>;

std::uint64_t pair_key(std::uint32_t prefix, std::int32_t token) {
    return static_cast<std::uint64_t>(prefix) << 32 | static_cast<std::uint32_t>(token);
}

// The n-grams of one candidate, against which other sentences are matched.
class Matcher {
public:
    Matcher(std::size_t order, bool distinct) : orders_(order), distinct_(distinct) {}

    void start(Sentence candidate) {
        length_ = candidate.size();
        grams_.assign(length_, 0);
        for (std::size_t n = 1; n <= orders_.size(); ++n) {
            Order& order = orders_[n - 1];
            const std::size_t count = length_ < n ? 0 : length_ - n + 1;
            order.table.reset(count);
            order.limit.clear();
            for (std::size_t i = 0; i < count; ++i) {
                grams_[i] = order.table.insert(pair_key(grams_[i], candidate[i + n - 1]));
                if (grams_[i] == order.limit.size()) order.limit.push_back(0);
                if (!distinct_ || order.limit[grams_[i]] == 0) ++order.limit[grams_[i]];
            }
            order.best.assign(order.limit.size(), 0);
            order.seen.assign(order.limit.size(), 0);
            order.matched = 0;
        }
    }

    void match(Sentence other) {
        others_.assign(other.size(), 0);
        for (std::size_t n = 1; n <= orders_.size() && n <= other.size(); ++n) {
            Order& order = orders_[n - 1];
            touched_.clear();
            for (std::size_t i = 0; i + n <= other.size(); ++i) {
                if (others_[i] == KeyTable::kAbsent) continue;
                const std::uint32_t gram = order.table.find(pair_key(others_[i], other[i + n - 1]));
                others_[i] = gram;
                if (gram == KeyTable::kAbsent) continue;
                touched_.push_back(gram);
                const std::int64_t seen = ++order.seen[gram];
                if (seen > order.best[gram] && seen <= order.limit[gram]) {
                    order.best[gram] = seen;
                    ++order.matched;
                }
            }
            if (touched_.empty()) break;
            for (const std::uint32_t gram : touched_) order.seen[gram] = 0;
        }
    }

    // Writes the row and forgets what was matched.
    void finish(std::int64_t* row) {
        const std::size_t order_count = orders_.size();
        for (std::size_t n = 1; n <= order_count; ++n) {
            Order& order = orders_[n - 1];
            row[n - 1] = order.matched;
            row[order_count + n - 1] =
                distinct_ ? static_cast<std::int64_t>(order.limit.size())
                          : static_cast<std::int64_t>(length_ < n ? 0 : length_ - n + 1);
            if (order.matched > 0) std::fill(order.best.begin(), order.best.end(), 0);
            order.matched = 0;
        }
    }

private:
    struct Order {
        KeyTable table;
        std::vector<std::int64_t> limit;  // occurrences of each n-gram that may match
        std::vector<std::int64_t> best;   // occurrences matched by the best line so far
        std::vector<std::int64_t> seen;   // occurrences in the current line
        std::int64_t matched = 0;
    };
    std::vector<Order> orders_;
    std::vector<std::uint32_t> grams_;
    std::vector<std::uint32_t> others_;
    std::vector<std::uint32_t> touched_;
    std::size_t length_ = 0;
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
                                table.insert(pair_key(grams[i], sentence[i + n - 1]));
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
