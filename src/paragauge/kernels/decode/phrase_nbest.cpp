#include "decode/phrase_nbest.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace paragauge {

namespace {

// Texts whose scores are this close to the last of a list are examined too, so that ties are complete.
constexpr double kEqual = 1e-9;

}  // namespace

bool PhrasePaths::worse(const Path& a, const Path& b) const {
    if (a.score != b.score) return a.score < b.score;
    const PhraseArc &left = search_.arcs()[a.arc], &right = search_.arcs()[b.arc];
    if (left.from != right.from) return left.from > right.from;
    if (left.option != right.option) return left.option > right.option;
    return a.rank > b.rank;
}

std::uint64_t PhrasePaths::extended(std::uint64_t text, const PhraseOption& option) const {
    const auto add = [&](std::uint64_t word) { text = mix(text ^ word); };
    if (option.row == kPassThrough) {
        const std::string_view word = sentence_.texts[option.start];
        const std::uint32_t number = sentence_.words[option.start];
        add(number != KeyTable::kAbsent ? number : ~text_key(word, word.data() + word.size()));
    } else {
        for (const std::uint32_t word : model_.store->target(option.row)) add(word);
    }
    return text;
}

void PhrasePaths::push(Ways& ways, std::uint32_t arc, std::uint32_t rank) {
    const PhraseArc& step = search_.arcs()[arc];
    double score = 0;
    std::uint64_t text = 0;
    if (step.from != 0) {  // node 0 is the start, which has one path
        const Path* before = find(step.from, rank);
        if (before == nullptr) return;
        score = before->score;
        text = before->text;
    } else if (rank > 0) {
        return;
    }
    ways.waiting.push_back({score + step.score, arc, rank, extended(text, options_.all()[step.option])});
    std::push_heap(ways.waiting.begin(), ways.waiting.end(),
                   [&](const Path& a, const Path& b) { return worse(a, b); });
}

PhrasePaths::Ways& PhrasePaths::ways(std::uint32_t node) {
    const auto [place, fresh] = ways_.try_emplace(node);
    Ways& ways = place->second;  // the reference stays valid while others are added
    if (fresh)
        for (std::uint32_t arc = search_.nodes()[node].arcs; arc != kNoArc; arc = search_.arcs()[arc].next)
            push(ways, arc, 0);
    return ways;
}

const PhrasePaths::Path* PhrasePaths::find(std::uint32_t node, std::size_t rank) {
    Ways& known = ways(node);
    while (known.paths.size() <= rank) {
        if (known.last) {
            const Path last = *known.last;
            known.last.reset();
            push(known, last.arc, last.rank + 1);
        }
        if (known.waiting.empty()) return nullptr;
        std::pop_heap(known.waiting.begin(), known.waiting.end(),
                      [&](const Path& a, const Path& b) { return worse(a, b); });
        known.last = known.waiting.back();
        known.waiting.pop_back();
        if (known.texts.insert(known.last->text).second) known.paths.push_back(*known.last);
    }
    return &known.paths[rank];
}

namespace {

PhraseTranslation make_translation(const PhraseModel& model, const PhraseSentence& sentence,
                                   const PhraseOptions& options, const PhraseSearch& search,
                                   PhrasePaths& paths, std::size_t rank) {
    std::vector<std::uint32_t> arcs;
    for (auto node = static_cast<std::uint32_t>(search.nodes().size() - 1); node != 0;) {
        const PhrasePaths::Path path = *paths.find(node, rank);
        arcs.push_back(path.arc);
        node = search.arcs()[path.arc].from;
        rank = path.rank;
    }
    PhraseTranslation translation{{}, 0, {}};
    std::size_t last = 0;
    for (std::size_t i = arcs.size(); i-- > 0;) {
        const PhraseArc& arc = search.arcs()[arcs[i]];
        const PhraseOption& option = options.all()[arc.option];
        PhraseValues values = model.features(option);
        values[kDistortion] = -std::abs(static_cast<double>(option.start) - static_cast<double>(last));
        values[kLanguageModel] = arc.log10 * std::numbers::ln10;
        for (std::size_t k = 0; k < kPhraseFeatures; ++k) translation.features[k] += values[k];
        last = option.end;
        const auto add = [&](std::string_view word) {
            if (!translation.text.empty()) translation.text += ' ';
            translation.text += word;
        };
        if (option.row == kPassThrough)
            add(sentence.texts[option.start]);
        else
            for (const std::uint32_t word : model.store->target(option.row)) add(model.store->text(word));
    }
    for (std::size_t k = 0; k < kPhraseFeatures; ++k)
        translation.score += model.weights[k] * translation.features[k];
    return translation;
}

std::string text_of(const PhraseSentence& sentence) {
    std::string text;
    for (const std::string_view word : sentence.texts) {
        if (!text.empty()) text += ' ';
        text += word;
    }
    return text;
}

}  // namespace

std::vector<PhraseTranslation> best_translations(const PhraseModel& model, const PhraseSentence& sentence,
                                                 const PhraseOptions& options, const PhraseSearch& search,
                                                 std::size_t size) {
    PhrasePaths paths(model, sentence, options, search);
    const auto whole = static_cast<std::uint32_t>(search.nodes().size() - 1);
    const std::string same = model.settings.drop_same_sentence ? text_of(sentence) : std::string();
    std::vector<PhraseTranslation> translations;
    std::optional<PhraseTranslation> copy;
    double last = 0;  // the score of the last translation of the list
    const std::size_t most = kTextsPerText * size + kMoreTexts;
    for (std::size_t rank = 0; rank < most; ++rank) {
        const PhrasePaths::Path* path = paths.find(whole, rank);
        if (path == nullptr || (translations.size() >= size && path->score < last - kEqual)) break;
        const double score = path->score;
        PhraseTranslation next = make_translation(model, sentence, options, search, paths, rank);
        if (model.settings.drop_same_sentence && next.text == same) {
            copy = std::move(next);
            continue;
        }
        translations.push_back(std::move(next));
        if (translations.size() == size) last = score;
    }
    if (translations.empty() && copy) translations.push_back(std::move(*copy));
    std::sort(translations.begin(), translations.end(), [](const PhraseTranslation& a, const PhraseTranslation& b) {
        return a.score != b.score ? a.score > b.score : a.text < b.text;
    });
    if (translations.size() > size) translations.resize(size);
    return translations;
}

}  // namespace paragauge
