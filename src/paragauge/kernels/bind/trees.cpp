// Bindings of the reader of bracketed trees.

#include "bind/binding.hpp"
#include "syntax/brackets.hpp"

namespace paragauge {

namespace {

nb::object py_read_brackets(const Array<std::uint8_t>& buffer, const Spans& spans, Vocabulary& labels,
                            bool strip) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    BracketedTrees trees;
    {
        nb::gil_scoped_release release;
        trees = read_brackets(lines, labels, strip);
    }
    return nb::make_tuple(give(std::move(trees.label)), give(std::move(trees.begin)),
                          give(std::move(trees.end)), give(std::move(trees.parent)),
                          give(std::move(trees.offsets)), give(std::move(trees.words), 2),
                          give(std::move(trees.word_offsets)), trees.bad, trees.message);
}

nb::object py_bracket_spans(const Array<std::uint8_t>& buffer) {
    BracketSpans trees;
    {
        nb::gil_scoped_release release;
        trees = bracket_spans(text_of(buffer));
    }
    return nb::make_tuple(give(std::move(trees.spans), 2), trees.consumed);
}

}  // namespace

void bind_trees(nb::module_& m) {
    m.def("read_brackets", &py_read_brackets, nb::arg("buffer"), nb::arg("spans"), nb::arg("labels"),
          nb::arg("strip"));
    m.def("bracket_spans", &py_bracket_spans, nb::arg("buffer"));
}

}  // namespace paragauge
