// Bindings of chrF and TER.

#include "bind/binding.hpp"
#include "matching/chrf.hpp"
#include "matching/ter.hpp"
#include "text/tercom.hpp"

namespace paragauge {

namespace {

TextColumn text_column_of(const nb::tuple& parts) {
    require(parts.size() == 3, "a column is a tuple of three");
    return text_column(exact<Array<std::uint8_t>>(parts[0]), exact<Spans>(parts[1]), parts[2]);
}

IdColumn id_column_of(const nb::tuple& parts) {
    require(parts.size() == 3, "a column is a tuple of three");
    return id_column(parts[0], parts[1], parts[2]);
}

template <class Column>
void check_columns(const Column& candidates, const Column& references) {
    require(candidates.groups.empty(), "candidates have one line per segment");
    require(candidates.segments() == references.segments(), "all columns must have the same number of segments");
}

nb::object py_chrf_counts(const nb::tuple& candidates, const nb::tuple& references, std::size_t char_order,
                          std::size_t word_order, double beta, bool whitespace, bool smooth, std::size_t threads) {
    const TextColumn ours = text_column_of(candidates), theirs = text_column_of(references);
    check_columns(ours, theirs);
    require(char_order >= 1, "char_order must be at least 1");
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = chrf_counts(ours, theirs, {char_order, word_order, beta, whitespace, smooth, threads});
    }
    return give(std::move(rows), 3 * (char_order + word_order));
}

nb::object py_normalize_tercom(const Array<std::uint8_t>& buffer, const Spans& spans, bool normalized, bool no_punct,
                               bool asian, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    Joined result;
    {
        nb::gil_scoped_release release;
        result = normalize_tercom(lines, {normalized, no_punct, asian, threads});
    }
    return give_rows(std::move(result));
}

nb::object py_ter_counts(const nb::tuple& candidates, const nb::tuple& references, std::size_t threads) {
    const IdColumn ours = id_column_of(candidates), theirs = id_column_of(references);
    check_columns(ours, theirs);
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = ter_counts(ours, theirs, threads);
    }
    return give(std::move(rows), 7);
}

nb::object py_ter_edits(const Array<std::int32_t>& candidate, const Array<std::int32_t>& reference) {
    TerEdits edits;
    {
        nb::gil_scoped_release release;
        edits = ter_edits(view(candidate), view(reference));
    }
    std::vector<std::int64_t> shifts;
    for (const WordShift& shift : edits.shifts) shifts.insert(shifts.end(), {shift.first, shift.size, shift.target});
    std::vector<std::uint8_t> steps;
    for (const EditStep step : edits.steps) steps.push_back(static_cast<std::uint8_t>(step));
    return nb::make_tuple(give(std::move(shifts), 3), give(std::move(steps)));
}

}  // namespace

void bind_chrf_ter(nb::module_& m) {
    m.def("chrf_counts", &py_chrf_counts, nb::arg("candidates"), nb::arg("references"), nb::arg("char_order"),
          nb::arg("word_order"), nb::arg("beta"), nb::arg("whitespace"), nb::arg("smooth"), nb::arg("threads"));
    m.def("normalize_tercom", &py_normalize_tercom, nb::arg("buffer"), nb::arg("spans"), nb::arg("normalized"),
          nb::arg("no_punct"), nb::arg("asian"), nb::arg("threads"));
    m.def("ter_counts", &py_ter_counts, nb::arg("candidates"), nb::arg("references"), nb::arg("threads"));
    m.def("ter_edits", &py_ter_edits, nb::arg("candidate"), nb::arg("reference"));
}

}  // namespace paragauge
