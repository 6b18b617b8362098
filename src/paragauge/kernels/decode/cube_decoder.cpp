#include "decode/cube_decoder.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "decode/cube_chart.hpp"
#include "decode/cube_kbest.hpp"

namespace paragauge {

CubeModel::CubeModel(const SyncGrammar& grammar, const NgramModel& lm, const TextRows& words,
                     std::span<const std::int32_t> lm_ids, std::vector<float> features,
                     std::size_t columns, std::size_t threads)
    : grammar_(grammar),
      lm_(lm),
      text_(words.text),
      offsets_(words.offsets.begin(), words.offsets.end()),
      features_(std::move(features)),
      columns_(columns),
      estimates_(grammar.size()) {
    lm_ids_.reserve(lm_ids.size());
    for (const std::int32_t id : lm_ids) lm_ids_.push_back(known(id));
    run_parallel(split(grammar.size(), threads, 4096), [&](std::size_t, Range range) {
        for (std::size_t rule = range.first; rule < range.last; ++rule) {
            Node state = kRoot;
            for (const SyncGrammar::Symbol symbol : grammar_.target(rule)) {
                if (symbol < 0) state = kRoot;
                else estimates_[rule] += lm_.step(state, lm_ids_[static_cast<std::size_t>(symbol)]).log10;
            }
        }
    });
}

namespace {

struct Hypothesis {
    std::string text;
    double score;
    std::vector<double> features;
};

// Decodes one sentence into its best texts, best first.
class SentenceDecoder {
public:
    SentenceDecoder(const CubeModel& model, const CubeWords& words, std::span<const double> weights,
                    const CubeSettings& settings)
        : model_(model), words_(words), weights_(weights), chart_(model, words, weights, settings) {}

    std::vector<Hypothesis> decode(std::span<const std::int32_t> ids, std::size_t size) {
        std::vector<Hypothesis> hypotheses;
        if (ids.empty() || size == 0) return hypotheses;
        chart_.parse(ids);
        CubeKBest best(chart_);
        double last = 0;
        for (std::size_t number = 0; number < size + kTies; ++number) {
            const CubeKBest::Derivation* derivation = best.at(number);
            if (derivation == nullptr || (number >= size && derivation->score != last)) break;
            last = derivation->score;
            rules_.clear();
            best.rules(*derivation, rules_);
            hypotheses.push_back(make_hypothesis(derivation->text));
        }
        std::sort(hypotheses.begin(), hypotheses.end(), [](const Hypothesis& a, const Hypothesis& b) {
            return a.score != b.score ? a.score > b.score : a.text < b.text;
        });
        if (hypotheses.size() > size) hypotheses.resize(size);
        return hypotheses;
    }

private:
    Hypothesis make_hypothesis(std::span<const std::int32_t> text) const {
        Hypothesis hypothesis{"", 0, std::vector<double>(weights_.size(), 0)};
        Node state = model_.lm().begin();
        double log10 = 0;
        for (const std::int32_t symbol : text) {
            const auto word = static_cast<std::size_t>(symbol);
            if (!hypothesis.text.empty()) hypothesis.text += ' ';
            hypothesis.text +=
                word < model_.words() ? model_.word(word) : words_.texts.row(word - model_.words());
            log10 += model_.lm().step(state, chart_.lm_word(symbol)).log10;
        }
        log10 += model_.lm().step(state, kEnd).log10;
        hypothesis.features[0] = log10 * std::numbers::ln10;
        for (const std::uint32_t rule : rules_) {
            if (rule == model_.extra(CubeModel::kStart)) continue;
            const std::span<const float> row = model_.row(rule);
            for (std::size_t i = 0; i < row.size(); ++i)
                hypothesis.features[i + 1] += static_cast<double>(row[i]);
        }
        for (std::size_t i = 0; i < weights_.size(); ++i)
            hypothesis.score += weights_[i] * hypothesis.features[i];
        return hypothesis;
    }

    const CubeModel& model_;
    const CubeWords& words_;
    std::span<const double> weights_;
    CubeChart chart_;
    std::vector<std::uint32_t> rules_;
};

}  // namespace

CubeResults cube_decode(const CubeModel& model, const CubeWords& words, const IdColumn& sentences,
                        std::span<const double> weights, const CubeSettings& settings, std::size_t size,
                        std::size_t threads) {
    std::vector<std::vector<Hypothesis>> lists(sentences.lines());
    std::atomic<std::size_t> next = 0;  // sentences take very different times
    run_parallel(split(lists.size(), threads, 1), [&](std::size_t, Range) {
        SentenceDecoder decoder(model, words, weights, settings);
        for (std::size_t line; (line = next.fetch_add(1)) < lists.size();) {
            const auto first = static_cast<std::size_t>(sentences.offsets[line]);
            const auto last = static_cast<std::size_t>(sentences.offsets[line + 1]);
            lists[line] = decoder.decode(sentences.ids.subspan(first, last - first), size);
        }
    });
    CubeResults results;
    results.offsets.push_back(0);
    results.texts.offsets.push_back(0);
    for (const std::vector<Hypothesis>& hypotheses : lists) {
        for (const Hypothesis& one : hypotheses) {
            results.texts.text += one.text;
            results.texts.offsets.push_back(static_cast<std::int64_t>(results.texts.text.size()));
            results.scores.push_back(one.score);
            results.features.insert(results.features.end(), one.features.begin(), one.features.end());
        }
        results.offsets.push_back(static_cast<std::int64_t>(results.scores.size()));
    }
    return results;
}

CubePhrases cube_phrases(const CubeModel& model, std::span<const std::int32_t> words,
                         std::span<const double> weights, std::size_t limit) {
    const CubeSettings settings;
    const CubeWords none{};
    const CubeChart chart(model, none, weights, settings);
    const SyncGrammar& grammar = model.grammar();
    CubePhrases phrases;
    std::vector<std::pair<double, std::uint32_t>> best;
    for (std::size_t first = 0; first < words.size(); ++first) {
        std::uint32_t node = 0;
        for (std::size_t last = first + 1; last <= words.size() && words[last - 1] >= 0; ++last) {
            if ((node = grammar.child(node, words[last - 1])) == 0) break;
            best.clear();
            for (const std::uint32_t rule : grammar.rules(node))
                if (!std::ranges::equal(grammar.target(rule), words.subspan(first, last - first)))
                    best.emplace_back(-chart.score_alone(rule), rule);
            std::sort(best.begin(), best.end());
            const std::size_t before = phrases.rules.size();
            for (const auto& [score, rule] : best) {
                if (phrases.rules.size() - before == limit) break;
                const auto same = [&, number = rule](std::int32_t other) {
                    return std::ranges::equal(grammar.target(number),
                                              grammar.target(static_cast<std::size_t>(other)));
                };
                if (std::any_of(phrases.rules.begin() + static_cast<std::ptrdiff_t>(before),
                                phrases.rules.end(), same))
                    continue;
                phrases.first.push_back(static_cast<std::int32_t>(first));
                phrases.last.push_back(static_cast<std::int32_t>(last));
                phrases.rules.push_back(static_cast<std::int32_t>(rule));
                phrases.scores.push_back(-score);
            }
        }
    }
    return phrases;
}

}  // namespace paragauge
