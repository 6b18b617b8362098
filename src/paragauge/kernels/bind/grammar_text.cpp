// Bindings of the text formats of grammars.

#include "bind/binding.hpp"
#include "grammar/grammar_text.hpp"

namespace paragauge {

namespace {

nb::object py_parse_grammar(const Array<std::uint8_t>& buffer, const Spans& spans, int style,
                            std::size_t threads) {
    require(0 <= style && style <= 2, "style must be 0, 1 or 2");
    const TextColumn lines = text_column(buffer, spans, nb::none());
    GrammarRows rows;
    {
        nb::gil_scoped_release release;
        rows = parse_grammar(lines, static_cast<GrammarStyle>(style), threads);
    }
    return nb::make_tuple(
        give_rows(std::move(rows.lhs)), give_rows(std::move(rows.labels)), give_rows(std::move(rows.source)),
        give_rows(std::move(rows.target)), give_rows(std::move(rows.alignment)),
        give_rows(std::move(rows.entailment)), give(std::move(rows.words), 2), give(std::move(rows.counts)),
        give_rows(std::move(rows.names)),
        nb::make_tuple(give(std::move(rows.features)), give(std::move(rows.values)),
                       give(std::move(rows.offsets))),
        give(std::move(rows.bad)));
}

nb::object py_format_grammar(const nb::tuple& columns, const Table& values, nb::handle names,
                             const Table& counts, int style, std::size_t threads) {
    require(0 <= style && style <= 4, "style must be from 0 to 4");
    require(columns.size() == 6, "columns are a tuple of six");
    GrammarColumns rows{text_rows(columns[0]),
                        text_rows(columns[1]),
                        text_rows(columns[2]),
                        text_rows(columns[3]),
                        text_rows(columns[4]),
                        text_rows(columns[5]),
                        text_rows(names),
                        {values.data(), values.shape(0) * values.shape(1)},
                        {counts.data(), counts.shape(0) * counts.shape(1)},
                        values.shape(1),
                        counts.shape(1)};
    for (const TextRows& column : {rows.labels, rows.source, rows.target, rows.alignment, rows.entailment})
        require(column.size() == rows.rows(), "all columns must have the same number of rows");
    require(values.shape(0) == rows.rows() && counts.shape(0) == rows.rows(),
            "all columns must have the same number of rows");
    require(rows.names.size() == rows.features, "each feature needs a name");
    GrammarText text;
    {
        nb::gil_scoped_release release;
        text = format_grammar(rows, static_cast<WrittenStyle>(style), threads);
    }
    return nb::make_tuple(nb::bytes(text.text.data(), text.text.size()), text.bad, text.reason);
}

}  // namespace

void bind_grammar_text(nb::module_& m) {
    m.def("parse_grammar", &py_parse_grammar, nb::arg("buffer"), nb::arg("spans"), nb::arg("style"),
          nb::arg("threads"));
    m.def("format_grammar", &py_format_grammar, nb::arg("columns"), nb::arg("values"),
          nb::arg("names"), nb::arg("counts"), nb::arg("style"), nb::arg("threads"));
}

}  // namespace paragauge
