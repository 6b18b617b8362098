// Bindings for rewriting references: unmatched words and the spans of tokens.

#include "bind/binding.hpp"
#include "rewrite/unmatched.hpp"

namespace paragauge {

namespace {

nb::object py_unmatched(const nb::tuple& references, const nb::tuple& candidates,
                        const Array<std::uint8_t>& words, std::size_t threads) {
    require(candidates.size() == 3 && references.size() == 3, "a column is a tuple of three");
    require(candidates[2].is_none(), "candidates must have one line per segment");
    const IdColumn ours = id_column(candidates[0], candidates[1], nb::none());
    const IdColumn theirs = id_column(references[0], references[1], references[2]);
    require(ours.segments() == theirs.segments(), "all columns must have the same number of segments");
    check_ids(ours, words.shape(0));
    check_ids(theirs, words.shape(0));
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = unmatched(theirs, ours, view(words), threads);
    }
    return give(std::move(rows), 3);
}

nb::object py_token_spans(const Array<std::uint8_t>& buffer, const Spans& spans,
                          const Array<std::uint8_t>& token_buffer, const Spans& token_lines,
                          std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    const TextColumn tokens = text_column(token_buffer, token_lines, nb::none());
    require(lines.lines() == tokens.lines(), "there must be as many lines of tokens as lines");
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = token_spans(lines, tokens, threads);
    }
    return give(std::move(rows), 2);
}

}  // namespace

void bind_rewrite(nb::module_& m) {
    m.def("unmatched", &py_unmatched, nb::arg("references"), nb::arg("candidates"), nb::arg("words"),
          nb::arg("threads"));
    m.def("token_spans", &py_token_spans, nb::arg("buffer"), nb::arg("spans"), nb::arg("token_buffer"),
          nb::arg("token_lines"), nb::arg("threads"));
}

}  // namespace paragauge
