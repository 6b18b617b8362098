#include "matching/ngrams.hpp"

#include <algorithm>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "matching/match_hash.hpp"
#include "matching/segment_matcher.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

using Sentence = std::span<const std::int32_t>;

}  // namespace

std::vector<std::int64_t> match_ngrams(const IdColumn& candidates, const IdColumn& others,
                                       const MatchSettings& settings) {
    const std::size_t segments = candidates.segments();
    const std::size_t width = 2 * settings.order;
    std::vector<std::int64_t> rows((settings.joint ? segments : others.lines()) * width);
    run_parallel(split(segments, settings.threads, kGrain), [&](std::size_t, Range range) {
        SegmentMatcher matcher(settings.order, settings.counting);
        for (std::size_t segment = range.first; segment < range.last; ++segment)
            matcher.match(candidates, others, settings.joint, segment, rows.data());
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
                    // Positions of this line are not valid in the next one.
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
