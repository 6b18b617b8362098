// Bindings of contexts of words: their features, the training of classifiers, and their scores.

#include <algorithm>
#include <cmath>
#include <new>

#include "bind/binding.hpp"
#include "rewrite/context_table.hpp"
#include "rewrite/context_train.hpp"
#include "rewrite/contexts.hpp"

namespace paragauge {

namespace {

using Ints = Array<std::int64_t>;

ContextShape shape_of(const nb::tuple& parts) {
    require(parts.size() == 5, "a shape is a tuple of five");
    const ContextShape shape{nb::cast<std::size_t>(parts[0]), nb::cast<std::size_t>(parts[1]),
                             nb::cast<std::size_t>(parts[2]), nb::cast<bool>(parts[3]),
                             nb::cast<bool>(parts[4])};
    require(shape.order <= kContextOrder, "order must be from 0 to 4");
    require(1 <= shape.window && shape.window <= kContextWindow, "window must be from 1 to 1000");
    require(shape.reach <= kContextWindow, "reach must be from 0 to 1000");
    return shape;
}

// Each place must be a token of its line.
void check_places(std::span<const std::int64_t> offsets, std::span<const std::int64_t> lines,
                  std::span<const std::int64_t> positions) {
    require(lines.size() == positions.size(), "every place must have a line and a position");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        require(0 <= lines[i] && lines[i] < static_cast<std::int64_t>(offsets.size()) - 1,
                "lines must be numbers of lines");
        const auto row = static_cast<std::size_t>(lines[i]);
        require(0 <= positions[i] && positions[i] < offsets[row + 1] - offsets[row],
                "positions must be those of tokens of their lines");
    }
}

nb::object py_hash_words(const Array<std::uint8_t>& buffer, const Spans& spans, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    HashedLines result;
    {
        nb::gil_scoped_release release;
        result = hash_words(lines, threads);
    }
    return nb::make_tuple(give(std::move(result.words)), give(std::move(result.offsets)));
}

nb::object py_context_features(const Array<std::uint32_t>& words, const Ints& offsets, const Ints& lines,
                               const Ints& positions, const nb::tuple& shape) {
    const ContextShape chosen = shape_of(shape);
    check_increasing(view(offsets), words.shape(0), "offsets must not decrease and must stay within the words");
    check_places(view(offsets), view(lines), view(positions));
    ContextFeatures result;
    {
        nb::gil_scoped_release release;
        result = context_features(view(words), view(offsets), view(lines), view(positions), chosen);
    }
    return nb::make_tuple(give(std::move(result.hashes)), give(std::move(result.places), 3),
                          give(std::move(result.offsets)));
}

void check_numbers(std::span<const std::int32_t> ids, std::size_t limit) {
    const auto outside = [limit](std::int32_t id) {
        return id < 0 || static_cast<std::size_t>(id) >= limit;
    };
    require(std::none_of(ids.begin(), ids.end(), outside), "ids must be numbers of words");
}

nb::object py_sample_positions(const Array<std::int32_t>& ids, const Array<std::int32_t>& rows,
                               std::size_t wanted, std::size_t limit, std::uint64_t seed) {
    check_numbers(view(ids), rows.shape(0));
    require(std::all_of(rows.data(), rows.data() + rows.shape(0),
                        [wanted](std::int32_t row) {
                            return row < 0 || static_cast<std::size_t>(row) < wanted;
                        }),
            "rows must be below the number of wanted words");
    require(limit >= 1, "limit must be at least 1");
    SampledPositions result;
    {
        nb::gil_scoped_release release;
        result = sample_positions(view(ids), view(rows), wanted, limit, seed);
    }
    return nb::make_tuple(give(std::move(result.positions)), give(std::move(result.offsets)),
                          give(std::move(result.counts)));
}

Learning learning_of(const nb::tuple& parts) {
    require(parts.size() == 4, "learning is a tuple of four");
    const auto name = nb::cast<std::string>(parts[0]);
    require(name == "logistic" || name == "boosting", "learner must be 'logistic' or 'boosting'");
    const Learning learning{name == "boosting", nb::cast<std::size_t>(parts[1]),
                            nb::cast<double>(parts[2]), nb::cast<double>(parts[3])};
    require(learning.rounds >= 1, "rounds must be at least 1");
    require(std::isfinite(learning.rate) && learning.rate > 0, "rate must be positive");
    require(std::isfinite(learning.penalty) && learning.penalty >= 0, "penalty must not be negative");
    return learning;
}

nb::object give_classifiers(const std::vector<ContextClassifier>& trained) {
    std::vector<std::int64_t> offsets{0}, counts;
    std::vector<std::uint32_t> features;
    std::vector<std::int8_t> weights;
    std::vector<double> scales;
    std::vector<std::int32_t> biases;
    for (const ContextClassifier& each : trained) {
        features.insert(features.end(), each.features.begin(), each.features.end());
        weights.insert(weights.end(), each.weights.begin(), each.weights.end());
        offsets.push_back(static_cast<std::int64_t>(features.size()));
        scales.push_back(each.scale);
        biases.push_back(each.bias);
        counts.insert(counts.end(), {each.positives, each.negatives, each.held, each.correct});
    }
    return nb::make_tuple(give(std::move(offsets)), give(std::move(features)), give(std::move(weights)),
                          give(std::move(scales)), give(std::move(biases)), give(std::move(counts), 4));
}

nb::object py_train_contexts(const nb::tuple& corpus, const nb::tuple& types,
                             const Array<std::int32_t>& words, const nb::tuple& samples,
                             const nb::tuple& shape, const nb::tuple& learning, std::size_t least,
                             std::size_t most, double held_out, std::size_t draws, bool by_sentence,
                             std::uint64_t seed, std::size_t threads) {
    require(corpus.size() == 2 && types.size() == 2 && samples.size() == 2,
            "corpus, types and samples are tuples of two");
    const ContextCorpus text{view(exact<Array<std::int32_t>>(corpus[0])), view(exact<Ints>(corpus[1])),
                             view(exact<Array<std::uint32_t>>(types[0])),
                             view(exact<Array<std::uint8_t>>(types[1]))};
    const auto positions = view(exact<Ints>(samples[0]));
    const auto bounds = view(exact<Ints>(samples[1]));
    require(0 <= held_out && held_out < 1, "held_out must be at least 0 and below 1");
    require(draws >= 1, "draws must be at least 1");
    const ContextTraining settings{shape_of(shape), learning_of(learning), least, most, held_out, draws,
                                   by_sentence, seed};
    check_increasing(text.offsets, text.ids.size(), "offsets must not decrease and must stay within the ids");
    require(text.hashes.size() == text.classes.size(), "every word must have a hash and classes");
    require(bounds.size() == words.shape(0) + 1, "every word must have samples, if only none");
    check_increasing(bounds, positions.size(), "samples must not decrease and must stay within the positions");
    check_numbers(view(words), text.hashes.size());
    require(std::all_of(positions.begin(), positions.end(),
                        [&](std::int64_t at) {
                            return text.offsets.front() <= at && at < text.offsets.back();
                        }),
            "positions must be those of tokens of the corpus");
    std::vector<ContextClassifier> result;
    {
        nb::gil_scoped_release release;
        check_numbers(text.ids, text.hashes.size());
        result = train_contexts(text, view(words), positions, bounds, settings, threads);
    }
    return give_classifiers(result);
}

void py_table(ContextTable* self, const nb::tuple& classifiers, const nb::tuple& shape) {
    require(classifiers.size() == 5, "classifiers are a tuple of five");
    const auto offsets = view(exact<Ints>(classifiers[0]));
    const auto features = view(exact<Array<std::uint32_t>>(classifiers[1]));
    const auto weights = view(exact<Array<std::int8_t>>(classifiers[2]));
    const auto scales = view(exact<Array<double>>(classifiers[3]));
    const auto biases = view(exact<Array<std::int32_t>>(classifiers[4]));
    check_increasing(offsets, features.size(), "offsets must not decrease and must stay within the features");
    require(features.size() == weights.size(), "every feature must have a weight");
    require(scales.size() + 1 == offsets.size() && biases.size() == scales.size(),
            "every word must have a scale and a bias");
    for (std::size_t word = 0; word < scales.size(); ++word)
        for (auto at = static_cast<std::size_t>(offsets[word]) + 1;
             at < static_cast<std::size_t>(offsets[word + 1]); ++at)
            require(features[at - 1] < features[at], "the features of a word must be sorted and differ");
    new (self) ContextTable(offsets, features, weights, scales, biases, shape_of(shape));
}

nb::object py_scores(const ContextTable& self, const Array<std::uint8_t>& buffer, const Spans& spans,
                     const Ints& lines, const Ints& positions, const Ints& words, std::size_t threads) {
    const TextColumn text = text_column(buffer, spans, nb::none());
    const auto rows = view(words);
    const auto limit = static_cast<std::int64_t>(self.size());
    require(rows.size() == lines.shape(0), "every proposal must have a word");
    require(std::all_of(rows.begin(), rows.end(),
                        [limit](std::int64_t row) { return -1 <= row && row < limit; }),
            "words must be numbers of classifiers, or -1");
    std::vector<double> result;
    {
        nb::gil_scoped_release release;
        const HashedLines hashed = hash_words(text, threads);
        check_places(hashed.offsets, view(lines), view(positions));
        result = self.scores(hashed, view(lines), view(positions), rows, threads);
    }
    return give(std::move(result));
}

}  // namespace

void bind_contexts(nb::module_& m) {
    m.def("hash_words", &py_hash_words, nb::arg("buffer"), nb::arg("spans"), nb::arg("threads"));
    m.def("context_features", &py_context_features, nb::arg("words"), nb::arg("offsets"), nb::arg("lines"),
          nb::arg("positions"), nb::arg("shape"));
    m.def("sample_positions", &py_sample_positions, nb::arg("ids"), nb::arg("rows"), nb::arg("wanted"),
          nb::arg("limit"), nb::arg("seed"));
    m.def("train_contexts", &py_train_contexts, nb::arg("corpus"), nb::arg("types"), nb::arg("words"),
          nb::arg("samples"), nb::arg("shape"), nb::arg("learning"), nb::arg("least"), nb::arg("most"),
          nb::arg("held_out"), nb::arg("draws"), nb::arg("by_sentence"), nb::arg("seed"),
          nb::arg("threads"));
    nb::class_<ContextTable>(m, "ContextTable")
        .def("__init__", &py_table, nb::arg("classifiers"), nb::arg("shape"))
        .def("__len__", &ContextTable::size)
        .def("scores", &py_scores, nb::arg("buffer"), nb::arg("spans"), nb::arg("lines"),
             nb::arg("positions"), nb::arg("words"), nb::arg("threads"));
}

}  // namespace paragauge
