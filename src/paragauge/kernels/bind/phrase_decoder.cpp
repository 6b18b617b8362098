// Bindings of phrase-based decoding.

#include <algorithm>
#include <cmath>

#include "bind/binding.hpp"
#include "decode/phrase_decoder.hpp"

namespace paragauge {

namespace {

using Scores = nb::ndarray<const float, nb::shape<-1, kPhraseScores>, nb::c_contig, nb::device::cpu>;

void py_add(PhraseStore& store, const nb::tuple& sources, const nb::tuple& targets, const Scores& scores) {
    const TextRows from = text_rows(sources), to = text_rows(targets);
    require(from.size() == to.size() && from.size() == scores.shape(0),
            "there must be as many sources as targets and scores");
    const std::span<const float> values(scores.data(), kPhraseScores * scores.shape(0));
    for (const float value : values) require(std::isfinite(value), "scores must be finite");
    nb::gil_scoped_release release;
    store.add(from, to, values);
}

void py_init(PhraseDecoder* self, const PhraseStore& store, const NgramModel& model,
             const Array<double>& weights, std::size_t stack, double beam, std::int64_t distortion,
             std::size_t limit, std::string_view copy) {
    require(weights.shape(0) == kPhraseFeatures, "there must be a weight for each feature");
    require(stack > 0 && stack <= 1U << 24 && limit > 0, "stack and limit must be above 0");
    require(beam <= 0, "the beam is the logarithm of a share");
    require(distortion >= -1, "distortion must be -1 or more");
    require(copy == "allow" || copy == "penalize" || copy == "differ" || copy == "forbid",
            "copy is allow, penalize, differ or forbid");
    PhraseModel phrase_model{&store, &model, {}, {}};
    for (std::size_t i = 0; i < kPhraseFeatures; ++i) {
        phrase_model.weights[i] = weights.data()[i];
        require(std::isfinite(phrase_model.weights[i]), "weights must be finite");
    }
    phrase_model.settings = {stack, beam, distortion, limit, copy == "penalize", copy == "forbid",
                             copy == "forbid" || copy == "differ"};
    new (self) PhraseDecoder(phrase_model);
}

std::size_t word_count(std::string_view line) {
    std::size_t words = 0;
    for_each_word(line, [&](std::string_view) { ++words; });
    return words;
}

nb::object py_decode(PhraseDecoder& decoder, const Array<std::uint8_t>& buffer, const Spans& spans,
                     std::size_t size, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    require(size > 0 && size <= 1U << 24, "size must be above 0");
    PhraseLists lists;
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < lines.lines(); ++i)
            require(word_count(lines.line(i)) <= kLongestSentence, "a sentence has at most 256 words");
        lists = decoder.decode(lines, size, threads);
    }
    return nb::make_tuple(give_rows(std::move(lists.texts)), give(std::move(lists.offsets)),
                          give(std::move(lists.features), kPhraseFeatures), give(std::move(lists.scores)));
}

nb::object py_options(PhraseDecoder& decoder, std::string_view line, std::size_t limit) {
    require(limit > 0, "limit must be above 0");
    require(word_count(line) <= kLongestSentence, "a sentence has at most 256 words");
    PhraseOptionRows rows;
    {
        nb::gil_scoped_release release;
        rows = decoder.options(line, limit);
    }
    return nb::make_tuple(give(std::move(rows.spans), 2), give_rows(std::move(rows.texts)),
                          give(std::move(rows.features), kPhraseFeatures), give(std::move(rows.scores)));
}

}  // namespace

void bind_phrase_decoder(nb::module_& m) {
    nb::class_<PhraseStore>(m, "PhraseStore")
        .def(nb::init<const Vocabulary&>(), nb::arg("vocabulary"), nb::keep_alive<1, 2>())
        .def("add", &py_add, nb::arg("sources"), nb::arg("targets"), nb::arg("scores"))
        .def("__len__", &PhraseStore::rows)
        .def_prop_ro("sources", &PhraseStore::sources)
        .def_prop_ro("longest", &PhraseStore::longest);
    nb::class_<PhraseDecoder>(m, "PhraseDecoder")
        .def("__init__", &py_init, nb::arg("store"), nb::arg("model"), nb::arg("weights"), nb::arg("stack"),
             nb::arg("beam"), nb::arg("distortion"), nb::arg("limit"), nb::arg("copy"),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("decode", &py_decode, nb::arg("buffer"), nb::arg("spans"), nb::arg("size"), nb::arg("threads"))
        .def("options", &py_options, nb::arg("line"), nb::arg("limit"));
}

}  // namespace paragauge
