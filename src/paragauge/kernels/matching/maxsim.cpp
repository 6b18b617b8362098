#include "matching/maxsim.hpp"

#include <bit>

#include "base/parallel.hpp"
#include "lexicon/word_comparison.hpp"
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
        : sets_(sets), settings_(settings), words_(sets, settings.self), keep_(keep) {}

    void ngrams(const std::int32_t* lemmas, const std::int32_t* tags, std::size_t size,
                const std::int32_t* other_lemmas, const std::int32_t* other_tags,
                std::size_t other_size, std::int64_t* row) {
        words_.compare({lemmas, tags, size}, {other_lemmas, other_tags, other_size},
                       settings_.graph_phase);
        equal_ = words_.equal();
        same_lemmas_ = words_.same_lemmas();
        similar_ = words_.similar();
        for (std::size_t n = 1; n <= settings_.order; ++n) {
            const std::size_t count = size >= n ? size - n + 1 : 0;
            const std::size_t other_count = other_size >= n ? other_size - n + 1 : 0;
            if (n > 1) lengthen(count, static_cast<unsigned>(n - 1));
            fill(left_, count);
            free_.reset(1, words_.equal().words());
            for (std::size_t j = 0; j < other_count; ++j) free_.set(0, j);
            std::int64_t units = 0;
            if (settings_.tag_phase) units += exact_phase(n, 1, equal_);
            if (settings_.lemma_phase) units += exact_phase(n, 2, same_lemmas_);
            if (settings_.graph_phase) units += graph_phase(n, other_count);
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
    static void fill(std::vector<std::uint32_t>& items, std::size_t count) {
        items.resize(count);
        for (std::size_t i = 0; i < count; ++i) items[i] = static_cast<std::uint32_t>(i);
    }

    void link(std::size_t n, int phase, std::size_t i, std::size_t j, std::int64_t units) {
        if (!keep_) return;
        for (const std::int64_t value : {static_cast<std::int64_t>(n), std::int64_t{phase},
                                         static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), units})
            links.push_back(static_cast<std::int32_t>(value));
    }

    // From n-grams of `by` words to those of one more.
    void lengthen(std::size_t count, unsigned by) {
        for (std::size_t i = 0; i < count; ++i) {
            equal_.keep_diagonal(words_.equal(), i, by);
            same_lemmas_.keep_diagonal(words_.same_lemmas(), i, by);
            if (settings_.graph_phase) similar_.keep_diagonal(words_.similar(), i, by);
        }
    }

    // Left to right in both sentences: each n-gram takes the first equal one that is free.
    std::int64_t exact_phase(std::size_t n, int phase, const BitRows& equal) {
        const auto full = static_cast<std::int64_t>(2 * n);
        std::int64_t units = 0;
        std::size_t unmatched = 0;
        std::uint64_t* const free = free_.row(0);
        for (const std::uint32_t i : left_) {
            const std::uint64_t* const row = equal.row(i);
            std::size_t w = 0;
            while (w < equal.words() && (row[w] & free[w]) == 0) ++w;
            if (w == equal.words()) {
                left_[unmatched++] = i;
                continue;
            }
            const std::uint64_t both = row[w] & free[w], lowest = both & (~both + 1);
            free[w] ^= lowest;
            units += full;
            link(n, phase, i, w * BitRows::kWordBits + static_cast<std::size_t>(std::countr_zero(lowest)), full);
        }
        left_.resize(unmatched);
        return units;
    }

    // In halves: 1 for each pair of words with equal tags or synonyms, another for those with both.
    std::int32_t ngram_weight(std::size_t n, std::size_t i, std::size_t j) const {
        std::int32_t units = static_cast<std::int32_t>(n);
        for (std::size_t k = 0; k < n; ++k) units += words_.similar_twice().test(i + k, j + k);
        return units;
    }

    std::int64_t graph_phase(std::size_t n, std::size_t other_count) {
        if (keep_) {
            right_.clear();
            for (std::size_t j = 0; j < other_count; ++j)
                if (free_.test(0, j)) right_.push_back(static_cast<std::uint32_t>(j));
            return solve(n, [&](std::size_t i, std::size_t j) {
                return similar_.test(i, j) ? std::int64_t{ngram_weight(n, i, j)} : 0;
            });
        }
        // Which of several heaviest matchings it is does not matter to the weight.
        graph_.start(other_count);
        const std::uint64_t* const free = free_.row(0);
        for (const std::uint32_t i : left_) {
            for (std::size_t w = 0; w < similar_.words(); ++w)
                for (std::uint64_t bits = similar_.row(i)[w] & free[w]; bits != 0; bits &= bits - 1) {
                    const std::size_t j =
                        w * BitRows::kWordBits + static_cast<std::size_t>(std::countr_zero(bits));
                    graph_.add(j, ngram_weight(n, i, j));
                }
            graph_.end_row();
        }
        return graph_.weight();
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
    WordComparison words_;
    bool keep_;
    BitRows equal_, same_lemmas_, similar_;  // n-grams of the present length
    BitRows free_;                           // the other side's n-grams without a partner
    std::vector<std::uint32_t> left_, right_;
    std::vector<std::int64_t> weights_;
    std::vector<char> used_columns_;
    Assignment assignment_;
    SmallWeightMatching graph_;
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
