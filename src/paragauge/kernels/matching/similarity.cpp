#include "matching/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "matching/assignment.hpp"

namespace paragauge {

namespace {

constexpr double kUnits = 1048576.0;  // edges are matched as whole numbers of 2^-20

struct Links {
    std::vector<std::int32_t> fields;
    std::vector<double> weights;
};

class SimilarityMatcher {
public:
    SimilarityMatcher(const WeightedColumn& candidates, const WeightedColumn& references,
                      const SimilaritySettings& settings)
        : candidates_(candidates), references_(references), settings_(settings) {}

    // Fills 3 * order numbers of `row`.
    void match(std::size_t line, std::size_t other_line, const double* table, double* row,
               Links* links) {
        for (std::size_t n = 1; n <= settings_.order; ++n, row += 3) {
            gram_weights(candidates_, line, n, weights_);
            gram_weights(references_, other_line, n, other_weights_);
            row[0] = match_order(line, other_line, table, n, links);
            row[1] = std::accumulate(weights_.begin(), weights_.end(), 0.0);
            row[2] = std::accumulate(other_weights_.begin(), other_weights_.end(), 0.0);
        }
    }

private:
    // The mean weight of the words of each n-gram.
    static void gram_weights(const WeightedColumn& column, std::size_t line, std::size_t n,
                             std::vector<double>& weights) {
        const std::size_t size = column.words.size(line);
        const double* words = column.weights.data() + column.words.offsets[line];
        weights.assign(size < n ? 0 : size - n + 1, 0.0);
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] = std::accumulate(words + i, words + i + n, 0.0) / static_cast<double>(n);
    }

    double match_order(std::size_t line, std::size_t other_line, const double* table, std::size_t n,
                       Links* links) {
        left_.resize(weights_.size());
        right_.resize(other_weights_.size());
        std::iota(left_.begin(), left_.end(), std::size_t{0});
        std::iota(right_.begin(), right_.end(), std::size_t{0});
        double total = 0.0;
        if (settings_.tag_phase) total += match_equal(line, other_line, n, 1, links);
        if (settings_.lemma_phase) total += match_equal(line, other_line, n, 2, links);
        if (settings_.graph_phase) total += match_graph(other_line, table, n, links);
        return total;
    }

    // Phase 1 compares lemmas and tags, phase 2 lemmas only; left to right in both sentences.
    double match_equal(std::size_t line, std::size_t other_line, std::size_t n, std::int32_t phase,
                       Links* links) {
        double total = 0.0;
        std::size_t unmatched = 0;
        for (const std::size_t i : left_) {
            const auto partner = std::find_if(right_.begin(), right_.end(), [&](std::size_t j) {
                return equal(0, line, i, other_line, j, n) &&
                       (phase == 2 || equal(1, line, i, other_line, j, n));
            });
            if (partner == right_.end()) {
                left_[unmatched++] = i;
                continue;
            }
            const double weight = std::min(weights_[i], other_weights_[*partner]);
            total += weight;
            add(links, n, phase, i, *partner, weight);
            right_.erase(partner);
        }
        left_.resize(unmatched);
        return total;
    }

    bool equal(std::size_t field, std::size_t line, std::size_t i, std::size_t other_line,
               std::size_t j, std::size_t n) const {
        const std::int32_t* own = candidates_.words.at(field, line) + i;
        return std::equal(own, own + n, references_.words.at(field, other_line) + j);
    }

    double match_graph(std::size_t other_line, const double* table, std::size_t n, Links* links) {
        const std::size_t columns = references_.words.size(other_line);
        edges_.resize(left_.size() * right_.size());
        units_.resize(edges_.size());
        std::size_t at = 0;
        for (const std::size_t i : left_)
            for (const std::size_t j : right_) {
                const double* diagonal = table + i * columns + j;
                double sum = 0.0, least = 1.0;
                for (std::size_t k = 0; k < n; ++k) {
                    const double similarity = diagonal[k * (columns + 1)];
                    sum += similarity;
                    least = std::min(least, similarity);
                }
                const double similarity = least > 0.0 ? sum / static_cast<double>(n) : 0.0;
                edges_[at] = similarity * std::min(weights_[i], other_weights_[j]);
                units_[at] = std::llround(edges_[at] * kUnits);
                ++at;
            }
        const auto match = assignment_.solve(units_, left_.size(), right_.size());
        double total = 0.0;
        for (std::size_t row = 0; row < left_.size(); ++row) {
            if (match[row] < 0) continue;
            const auto column = static_cast<std::size_t>(match[row]);
            const double weight = edges_[row * right_.size() + column];
            total += weight;
            add(links, n, 3, left_[row], right_[column], weight);
        }
        return total;
    }

    static void add(Links* links, std::size_t n, std::int32_t phase, std::size_t i, std::size_t j,
                    double weight) {
        if (links == nullptr) return;
        for (const std::size_t field : {n, static_cast<std::size_t>(phase), i, j})
            links->fields.push_back(static_cast<std::int32_t>(field));
        links->weights.push_back(weight);
    }

    const WeightedColumn& candidates_;
    const WeightedColumn& references_;
    const SimilaritySettings& settings_;
    std::vector<double> weights_, other_weights_, edges_;
    std::vector<std::size_t> left_, right_;
    std::vector<std::int64_t> units_;
    Assignment assignment_;
};

}  // namespace

SimilarMatched similar_ngrams(const WeightedColumn& candidates, const WeightedColumn& references,
                              std::span<const double> tables, const SimilaritySettings& settings,
                              bool links) {
    const WordColumn& others = references.words;
    const std::size_t segments = others.segments();
    const std::size_t before = segments == 0 ? 0 : others.first_line(0);
    const std::size_t lines = segments == 0 ? 0 : others.first_line(segments) - before;
    const std::size_t width = 3 * settings.order;
    std::vector<std::size_t> starts(lines + 1, 0);
    for (std::size_t segment = 0; segment < segments; ++segment)
        for (std::size_t line = others.first_line(segment); line < others.first_line(segment + 1);
             ++line)
            starts[line - before + 1] =
                starts[line - before] + candidates.words.size(segment) * others.size(line);
    SimilarMatched result;
    result.rows.resize(lines * width);
    if (links) result.offsets.assign(lines + 1, 0);
    const auto ranges = split(segments, settings.threads, 16);
    std::vector<Links> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        SimilarityMatcher matcher(candidates, references, settings);
        Links& part = parts[index];
        for (std::size_t segment = range.first; segment < range.last; ++segment)
            for (std::size_t line = others.first_line(segment); line < others.first_line(segment + 1);
                 ++line) {
                const std::size_t known = part.weights.size();
                matcher.match(segment, line, tables.data() + starts[line - before],
                              result.rows.data() + (line - before) * width, links ? &part : nullptr);
                if (links)
                    result.offsets[line - before + 1] =
                        static_cast<std::int64_t>(part.weights.size() - known);
            }
    });
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    for (const Links& part : parts) {
        result.links.insert(result.links.end(), part.fields.begin(), part.fields.end());
        result.weights.insert(result.weights.end(), part.weights.begin(), part.weights.end());
    }
    return result;
}

}  // namespace paragauge
