#include "decode/phrase_decoder.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numbers>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

// Sentences differ in length, so each thread takes the next free one.
template <class Body>
void for_each_free(std::size_t size, std::size_t threads, Body body) {
    std::atomic<std::size_t> next{0};
    run_parallel(split(size, threads, 1), [&](std::size_t, Range) {
        auto work = body();
        for (std::size_t i = next++; i < size; i = next++) work(i);
    });
}

void append(Joined& to, std::string_view text) {
    to.text += text;
    to.offsets.push_back(static_cast<std::int64_t>(to.text.size()));
}

}  // namespace

// Shortlists of the source phrases of these lines that have many rows.
void PhraseDecoder::prepare(const TextColumn& lines, std::size_t threads) {
    struct SourcePhrase {
        Node node;
        std::vector<std::uint32_t> source;
    };
    std::vector<SourcePhrase> sources;
    const PhraseStore& store = *model_.store;
    PhraseSentence sentence;
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        sentence.read(store, lines.line(line));
        for (std::size_t start = 0; start < sentence.size(); ++start) {
            Node node = kRoot;
            for (std::size_t at = start; at < sentence.size(); ++at) {
                if (sentence.words[at] == KeyTable::kAbsent) break;
                node = store.step(node, sentence.words[at]);
                if (node == kRoot) break;
                if (store.last_row(node) - store.first_row(node) <= kManyRows) continue;
                if (!lists_.try_emplace(node).second) continue;
                const auto first = sentence.words.begin();
                sources.push_back({node, {first + static_cast<std::ptrdiff_t>(start),
                                          first + static_cast<std::ptrdiff_t>(at + 1)}});
            }
        }
    }
    for_each_free(sources.size(), threads, [&] {
        return [&](std::size_t i) {
            lists_.find(sources[i].node)->second =
                shortlist(model_, sources[i].node, sources[i].source, model_.settings.limit);
        };
    });
}

PhraseLists PhraseDecoder::decode(const TextColumn& lines, std::size_t size, std::size_t threads) {
    const std::scoped_lock lock(mutex_);
    prepare(lines, threads);
    std::vector<std::vector<PhraseTranslation>> translations(lines.lines());
    for_each_free(translations.size(), threads, [&] {
        return [&, sentence = PhraseSentence(), options = PhraseOptions(),
                search = PhraseSearch()](std::size_t i) mutable {
            sentence.read(*model_.store, lines.line(i));
            if (sentence.size() == 0) return;
            options.fill(model_, sentence, model_.settings.limit, &lists_);
            search.run(model_, sentence, options);
            translations[i] = best_translations(model_, sentence, options, search, size);
        };
    });
    PhraseLists lists;
    lists.texts.offsets.push_back(0);
    lists.offsets.push_back(0);
    for (const std::vector<PhraseTranslation>& list : translations) {
        for (const PhraseTranslation& each : list) {
            append(lists.texts, each.text);
            lists.features.insert(lists.features.end(), each.features.begin(), each.features.end());
            lists.scores.push_back(each.score);
        }
        lists.offsets.push_back(static_cast<std::int64_t>(lists.scores.size()));
    }
    return lists;
}

PhraseOptionRows PhraseDecoder::options(std::string_view line, std::size_t limit) {
    PhraseSentence sentence;
    sentence.read(*model_.store, line);
    PhraseOptions options;
    {
        const std::scoped_lock lock(mutex_);
        const std::int64_t whole[2] = {0, static_cast<std::int64_t>(line.size())};
        prepare({line.data(), line.size(), whole, {}}, 1);
        options.fill(model_, sentence, limit, limit <= model_.settings.limit ? &lists_ : nullptr);
    }
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    StepCache cache;
    PhraseOptionRows rows;
    rows.texts.offsets.push_back(0);
    for (const PhraseOption& option : options.all()) {
        rows.spans.push_back(option.start);
        rows.spans.push_back(option.end);
        std::string text;
        if (option.row == kPassThrough) text = sentence.texts[option.start];
        else
            for (const std::uint32_t word : model_.store->target(option.row)) {
                if (!text.empty()) text += ' ';
                text += model_.store->text(word);
            }
        append(rows.texts, text);
        PhraseValues values = model_.features(option);
        Node state = kRoot;
        cache.start(options.openings());
        values[kLanguageModel] =
            options.extend(*model_.model, cache, option, kNone, state) * std::numbers::ln10;
        rows.features.insert(rows.features.end(), values.begin(), values.end());
        rows.scores.push_back(option.isolated);
    }
    return rows;
}

}  // namespace paragauge
