#include "matching/maxsim.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "matching/assignment.hpp"

namespace paragauge {

namespace {

bool synonyms(const LemmaSets& sets, bool self, std::int32_t a, std::int32_t b) {
    if (a == b) return self || !sets.of(a).empty();
    return meet(sets.of(a), sets.of(b));
}

// Matches the sentences of one thread's lines; its memory is reused for the next pair.
class Matcher {
public:
    Matcher(const LemmaSets& sets, const MaxSimSettings& settings, bool keep)
        : sets_(sets), settings_(settings), keep_(keep) {}

    void ngrams(const std::int32_t* lemmas, const std::int32_t* tags, std::size_t size,
                const std::int32_t* other_lemmas, const std::int32_t* other_tags,
                std::size_t other_size, std::int64_t* row) {
        mine_ = {lemmas, tags, size};
        theirs_ = {other_lemmas, other_tags, other_size};
        // Similarities of words in halves, computed when first needed.
        if (settings_.graph_phase) halves_.assign(size * other_size, kUnknown);
        for (std::size_t n = 1; n <= settings_.order; ++n) {
            const std::size_t count = size >= n ? size - n + 1 : 0;
            const std::size_t other_count = other_size >= n ? other_size - n + 1 : 0;
            fill(left_, count);
            fill(right_, other_count);
            std::int64_t units = 0;
            if (settings_.tag_phase) units += exact_phase<true>(n);
            if (settings_.lemma_phase) units += exact_phase<false>(n);
            if (settings_.graph_phase) units += graph_phase(n);
            *row++ = units;
            *row++ = static_cast<std::int64_t>(count);
            *row++ = static_cast<std::int64_t>(other_count);
        }
    }

    std::int64_t relations(const RelationColumn& candidates, std::size_t line,
                           const RelationColumn& references, std::size_t other_line) {
        fill(left_, candidates.size(line));
        fill(right_, references.size(other_line));
        const std::int32_t* mine[3];
        const std::int32_t* theirs[3];
        for (std::size_t field = 0; field < 3; ++field) {
            mine[field] = candidates.at(field, line);
            theirs[field] = references.at(field, other_line);
        }
        return solve(0, [&](std::size_t i, std::size_t j) -> std::int64_t {
            if (mine[1][i] != theirs[1][j]) return 0;
            return 1 + synonyms(sets_, settings_.self, mine[0][i], theirs[0][j]) +
                   synonyms(sets_, settings_.self, mine[2][i], theirs[2][j]);
        });
    }

    std::vector<std::int32_t> links;

private:
    static constexpr std::int8_t kUnknown = -1;

    struct Sentence {
        const std::int32_t* lemmas;
        const std::int32_t* tags;
        std::size_t size;
    };

    static void fill(std::vector<std::uint32_t>& items, std::size_t count) {
        items.resize(count);
        for (std::size_t i = 0; i < count; ++i) items[i] = static_cast<std::uint32_t>(i);
    }

    void link(std::size_t n, int phase, std::uint32_t i, std::uint32_t j, std::int64_t units) {
        if (!keep_) return;
        for (const std::int64_t value : {static_cast<std::int64_t>(n), std::int64_t{phase},
                                         std::int64_t{i}, std::int64_t{j}, units})
            links.push_back(static_cast<std::int32_t>(value));
    }

    template <bool Tags>
    bool equal(std::size_t n, std::size_t i, std::size_t j) const {
        for (std::size_t k = 0; k < n; ++k) {
            if (mine_.lemmas[i + k] != theirs_.lemmas[j + k]) return false;
            if (Tags && mine_.tags[i + k] != theirs_.tags[j + k]) return false;
        }
        return true;
    }

    // Left to right in both sentences: each n-gram takes the first equal one that is free.
    template <bool Tags>
    std::int64_t exact_phase(std::size_t n) {
        const auto full = static_cast<std::int64_t>(2 * n);
        std::int64_t units = 0;
        std::size_t unmatched = 0;
        for (const std::uint32_t i : left_) {
            const auto match = std::find_if(right_.begin(), right_.end(),
                                            [&](std::uint32_t j) { return equal<Tags>(n, i, j); });
            if (match == right_.end()) {
                left_[unmatched++] = i;
                continue;
            }
            units += full;
            link(n, Tags ? 1 : 2, i, *match, full);
            right_.erase(match);
        }
        left_.resize(unmatched);
        return units;
    }

    int halves(std::size_t i, std::size_t j) {
        std::int8_t& known = halves_[i * theirs_.size + j];
        if (known == kUnknown)
            known = static_cast<std::int8_t>(
                (mine_.tags[i] == theirs_.tags[j]) +
                synonyms(sets_, settings_.self, mine_.lemmas[i], theirs_.lemmas[j]));
        return known;
    }

    std::int64_t graph_phase(std::size_t n) {
        return solve(n, [&](std::size_t i, std::size_t j) {
            std::int64_t units = 0;
            for (std::size_t k = 0; k < n; ++k) {
                const int one = halves(i + k, j + k);
                if (one == 0) return std::int64_t{0};
                units += one;
            }
            return units;
        });
    }

    // The heaviest matching of the items left on both sides. Items without any edge are left out
    // first, which makes the tables of longer n-grams small.
    template <class Weight>
    std::int64_t solve(std::size_t n, Weight weight) {
        const std::size_t columns = right_.size();
        weights_.assign(left_.size() * columns, 0);
        used_columns_.assign(columns, 0);
        std::size_t rows = 0;
        for (const std::uint32_t i : left_) {
            bool any = false;
            std::int64_t* row = weights_.data() + rows * columns;
            for (std::size_t j = 0; j < columns; ++j) {
                row[j] = weight(i, right_[j]);
                any |= row[j] > 0;
                used_columns_[j] |= row[j] > 0;
            }
            if (any) left_[rows++] = i;
        }
        left_.resize(rows);
        std::size_t used_count = 0;
        for (std::size_t j = 0; j < columns; ++j)
            if (used_columns_[j]) right_[used_count++] = right_[j];
        right_.resize(used_count);
        compact(rows, columns, used_count);
        const auto match = assignment_.solve({weights_.data(), rows * used_count}, rows, used_count);
        std::int64_t units = 0;
        for (std::size_t i = 0; i < rows; ++i) {
            if (match[i] < 0) continue;
            const auto j = static_cast<std::size_t>(match[i]);
            const std::int64_t gained = weights_[i * used_count + j];
            units += gained;
            link(n, 3, left_[i], right_[j], gained);
        }
        return units;
    }

    // Squeezes the unused columns out of the first `rows` rows of the table.
    void compact(std::size_t rows, std::size_t columns, std::size_t used_count) {
        if (used_count == columns) return;
        std::size_t to = 0;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                if (used_columns_[j]) weights_[to++] = weights_[i * columns + j];
    }

    const LemmaSets& sets_;
    const MaxSimSettings& settings_;
    bool keep_;
    Sentence mine_{}, theirs_{};
    std::vector<std::uint32_t> left_, right_;
    std::vector<std::int8_t> halves_;
    std::vector<std::int64_t> weights_;
    std::vector<char> used_columns_;
    Assignment assignment_;
};

// Calls body(matcher, candidate line, reference line, its row) for all lines of all segments, and
// concatenates the links of the threads.
template <class Column, class Body>
Matched match_lines(const Column& references, std::size_t width, const LemmaSets& sets,
                    const MaxSimSettings& settings, bool keep, Body body) {
    const std::size_t segments = references.segments();
    Matched result;
    const std::size_t lines = segments == 0 ? 0 : references.first_line(segments);
    const std::size_t before = segments == 0 ? 0 : references.first_line(0);
    result.rows.resize((lines - before) * width);
    if (keep) result.offsets.assign(lines - before + 1, 0);
    const auto ranges = split(segments, settings.threads, 16);
    std::vector<std::vector<std::int32_t>> links(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Matcher matcher(sets, settings, keep);
        for (std::size_t segment = range.first; segment < range.last; ++segment)
            for (std::size_t line = references.first_line(segment);
                 line < references.first_line(segment + 1); ++line) {
                const std::size_t known = matcher.links.size();
                body(matcher, segment, line, result.rows.data() + (line - before) * width);
                if (keep)
                    result.offsets[line - before + 1] =
                        static_cast<std::int64_t>((matcher.links.size() - known) / kLinkFields);
            }
        links[index] = std::move(matcher.links);
    });
    for (std::size_t i = 1; i < result.offsets.size(); ++i)
        result.offsets[i] += result.offsets[i - 1];
    for (const auto& part : links) result.links.insert(result.links.end(), part.begin(), part.end());
    return result;
}

}  // namespace

Matched maxsim_ngrams(const WordColumn& candidates, const WordColumn& references,
                      const LemmaSets& sets, const MaxSimSettings& settings, bool links) {
    return match_lines(references, 3 * settings.order, sets, settings, links,
                       [&](Matcher& matcher, std::size_t segment, std::size_t line, std::int64_t* row) {
                           matcher.ngrams(candidates.at(0, segment), candidates.at(1, segment),
                                          candidates.size(segment), references.at(0, line),
                                          references.at(1, line), references.size(line), row);
                       });
}

Matched maxsim_relations(const RelationColumn& candidates, const RelationColumn& references,
                         const LemmaSets& sets, bool self, std::size_t threads, bool links) {
    const MaxSimSettings settings{1, false, false, true, self, threads};
    return match_lines(references, 3, sets, settings, links,
                       [&](Matcher& matcher, std::size_t segment, std::size_t line, std::int64_t* row) {
                           row[0] = matcher.relations(candidates, segment, references, line);
                           row[1] = static_cast<std::int64_t>(candidates.size(segment));
                           row[2] = static_cast<std::int64_t>(references.size(line));
                       });
}

}  // namespace paragauge
