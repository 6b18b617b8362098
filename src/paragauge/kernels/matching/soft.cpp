#include "matching/soft.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "matching/assignment.hpp"
#include "matching/character_ngrams.hpp"

namespace paragauge {

namespace {

constexpr double kUnits = 1048576.0;  // edges are matched as whole numbers of 2^-20

struct Links {
    std::vector<std::int32_t> positions;
    std::vector<double> similarities;
};

class SoftMatcher {
public:
    SoftMatcher(const WeightedColumn& candidates, const WeightedColumn& references,
                const LemmaSets& sets, const CharacterNgrams& grams, const SoftSettings& settings)
        : candidates_(candidates), references_(references), sets_(sets), grams_(grams),
          settings_(settings) {}

    void match(std::size_t line, std::size_t other_line, double* row, Links* links_out) {
        const std::size_t size = candidates_.words.size(line);
        const std::size_t other_size = references_.words.size(other_line);
        const double* weights = candidates_.weights.data() + candidates_.words.offsets[line];
        const double* others = references_.weights.data() + references_.words.offsets[other_line];
        fill(line, other_line, size, other_size, weights, others);
        const auto match = assignment_.solve(units_, size, other_size);
        std::fill_n(row, kSoftFields, 0.0);
        for (std::size_t i = 0; i < size; ++i) row[1] += weights[i];
        for (std::size_t j = 0; j < other_size; ++j) row[2] += others[j];
        std::size_t last_i = 0, last_j = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if (match[i] < 0) continue;
            const auto j = static_cast<std::size_t>(match[i]);
            const double similarity = similarities_[i * other_size + j];
            row[0] += similarity * std::min(weights[i], others[j]);
            row[3] += 1.0;
            if (row[3] == 1.0 || i != last_i + 1 || j != last_j + 1) row[4] += 1.0;
            row[5] += distance(i, size, j, other_size);
            last_i = i, last_j = j;
            if (links_out == nullptr) continue;
            links_out->positions.push_back(static_cast<std::int32_t>(i));
            links_out->positions.push_back(static_cast<std::int32_t>(j));
            links_out->similarities.push_back(similarity);
        }
    }

private:
    static double distance(std::size_t i, std::size_t size, std::size_t j, std::size_t other_size) {
        return std::abs((static_cast<double>(i) + 0.5) / static_cast<double>(size) -
                        (static_cast<double>(j) + 0.5) / static_cast<double>(other_size));
    }

    void fill(std::size_t line, std::size_t other_line, std::size_t size, std::size_t other_size,
              const double* weights, const double* others) {
        const std::int32_t* lemmas = candidates_.words.at(0, line);
        const std::int32_t* categories = candidates_.words.at(1, line);
        const std::int32_t* other_lemmas = references_.words.at(0, other_line);
        const std::int32_t* other_categories = references_.words.at(1, other_line);
        units_.resize(size * other_size);
        similarities_.resize(size * other_size);
        std::size_t at = 0;
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < other_size; ++j, ++at) {
                double similarity = lemma_similarity(lemmas[i], other_lemmas[j]);
                if (categories[i] != other_categories[j]) similarity *= settings_.category;
                similarity *= 1.0 - settings_.distance * distance(i, size, j, other_size);
                if (similarity < settings_.floor) similarity = 0.0;
                similarities_[at] = similarity;
                units_[at] = std::llround(similarity * std::min(weights[i], others[j]) * kUnits);
            }
    }

    double lemma_similarity(std::int32_t a, std::int32_t b) const {
        if (a == b) return 1.0;
        const double alike = settings_.characters * grams_.dice(a, b);
        if (settings_.synonym <= alike || !meet(sets_.of(a), sets_.of(b))) return alike;
        return settings_.synonym;
    }

    const WeightedColumn& candidates_;
    const WeightedColumn& references_;
    const LemmaSets& sets_;
    const CharacterNgrams& grams_;
    const SoftSettings& settings_;
    std::vector<std::int64_t> units_;
    std::vector<double> similarities_;
    Assignment assignment_;
};

}  // namespace

SoftMatched soft_words(const WeightedColumn& candidates, const WeightedColumn& references,
                       const LemmaSets& sets, const TextColumn& lemmas,
                       const SoftSettings& settings, bool links) {
    std::vector<char> used(lemmas.lines(), 0);
    for (const WeightedColumn* column : {&candidates, &references})
        for (const std::int32_t lemma : column->words.fields[0])
            used[static_cast<std::size_t>(lemma)] = 1;
    const CharacterNgrams grams(lemmas, used);
    const WordColumn& others = references.words;
    const std::size_t segments = others.segments();
    const std::size_t before = segments == 0 ? 0 : others.first_line(0);
    const std::size_t lines = segments == 0 ? 0 : others.first_line(segments) - before;
    SoftMatched result;
    result.rows.resize(lines * kSoftFields);
    if (links) result.offsets.assign(lines + 1, 0);
    const auto ranges = split(segments, settings.threads, 16);
    std::vector<Links> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        SoftMatcher matcher(candidates, references, sets, grams, settings);
        for (std::size_t segment = range.first; segment < range.last; ++segment)
            for (std::size_t line = others.first_line(segment); line < others.first_line(segment + 1);
                 ++line) {
                const std::size_t known = parts[index].similarities.size();
                matcher.match(segment, line, result.rows.data() + (line - before) * kSoftFields,
                              links ? &parts[index] : nullptr);
                if (links)
                    result.offsets[line - before + 1] =
                        static_cast<std::int64_t>(parts[index].similarities.size() - known);
            }
    });
    for (std::size_t i = 1; i < result.offsets.size(); ++i)
        result.offsets[i] += result.offsets[i - 1];
    for (const Links& part : parts) {
        result.links.insert(result.links.end(), part.positions.begin(), part.positions.end());
        result.similarities.insert(result.similarities.end(), part.similarities.begin(),
                                   part.similarities.end());
    }
    return result;
}

}  // namespace paragauge
