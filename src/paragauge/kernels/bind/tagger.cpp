// Bindings of the tagger and of its training.

#include <nanobind/stl/vector.h>

#include "bind/binding.hpp"
#include "syntax/tagger.hpp"
#include "syntax/tagger_train.hpp"

namespace paragauge {

namespace {

nb::object py_tag(const Tagger& tagger, const Array<std::uint8_t>& buffer, const Spans& spans,
                  std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    Encoded tags;
    {
        nb::gil_scoped_release release;
        tags = tagger.tag(lines, threads);
    }
    return give(std::move(tags));
}

nb::object py_known(const Tagger& tagger, const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    std::vector<std::uint8_t> known;
    {
        nb::gil_scoped_release release;
        known = tagger.known(lines);
    }
    return give(std::move(known));
}

void check_names(const std::vector<std::string>& names) {
    require(!names.empty() && names.size() <= kMostTags, "expected 1 to 63 tags");
    for (const std::string& name : names) {
        require(!name.empty() && name.size() < 256, "a tag has 1 to 255 characters");
        for (const char c : name) require(c > ' ' && c < 127, "a tag is printable ASCII without spaces");
    }
}

void make_trainer(TaggerTrainer* self, const Array<std::uint8_t>& buffer, const Spans& spans,
                  const Array<std::int32_t>& tags, const std::vector<std::string>& names,
                  std::int64_t cutoff, std::int64_t margin, std::uint64_t seed) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    check_names(names);
    require(cutoff >= 1 && margin >= 0, "cutoff must be at least 1 and margin at least 0");
    for (const std::int32_t tag : view(tags))
        require(tag >= 0 && static_cast<std::size_t>(tag) < names.size(), "a tag has no name");
    nb::gil_scoped_release release;
    std::size_t tokens = 0;
    std::vector<std::string_view> words;
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        split_words(lines.line(line), words);
        tokens += words.size();
    }
    require(tokens == tags.shape(0), "expected one tag for each token");
    new (self) TaggerTrainer(lines, view(tags), names, {cutoff, margin, seed});
}

nb::bytes py_model(const TaggerTrainer& trainer) {
    std::string bytes;
    {
        nb::gil_scoped_release release;
        bytes = trainer.model();
    }
    return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_tagger(nb::module_& m) {
    nb::class_<Tagger>(m, "Tagger")
        .def(
            "__init__",
            [](Tagger* self, const nb::bytes& model) {
                new (self) Tagger(std::string_view(model.c_str(), model.size()));
            },
            nb::arg("model"))
        .def_prop_ro("names", &Tagger::names)
        .def("tag", &py_tag, nb::arg("buffer"), nb::arg("spans"), nb::arg("threads"))
        .def("known", &py_known, nb::arg("buffer"), nb::arg("spans"));
    nb::class_<TaggerTrainer>(m, "TaggerTrainer")
        .def("__init__", &make_trainer, nb::arg("buffer"), nb::arg("spans"), nb::arg("tags"),
             nb::arg("names"), nb::arg("cutoff"), nb::arg("margin"), nb::arg("seed"))
        .def("epoch", &TaggerTrainer::epoch, nb::call_guard<nb::gil_scoped_release>())
        .def("model", &py_model);
}

}  // namespace paragauge
