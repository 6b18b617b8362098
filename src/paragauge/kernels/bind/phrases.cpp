// Bindings of phrase extraction, of lexical weights and of Moses phrase tables.

#include "bind/bitext.hpp"
#include "phrases/lexical.hpp"
#include "phrases/moses.hpp"
#include "phrases/occurrences.hpp"
#include "phrases/phrases.hpp"

namespace paragauge {

namespace {

BitextSide bitext_side(nb::handle object) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 3, "a side is a tuple of three");
    const BitextSide side{text_rows(parts[0]), id_column(parts[1], parts[2], nb::none())};
    const auto words = static_cast<std::int64_t>(side.words.size());
    for (const std::int32_t id : side.sentences.ids)
        require(0 <= id && id < words, "ids must be numbers of words");
    return side;
}

nb::object py_extract_phrases(nb::handle source, nb::handle target, nb::handle links,
                              std::size_t max_length, std::size_t threads) {
    require(1 <= max_length && max_length <= kLongestPhrase, "max_length must be from 1 to 64");
    const BitextSide left = bitext_side(source), right = bitext_side(target);
    const LinkColumn between = link_column(links, left.sentences, right.sentences);
    PhrasePairs pairs;
    {
        nb::gil_scoped_release release;
        pairs = extract_phrases(left, right, between, max_length, threads);
    }
    return nb::make_tuple(give_rows(std::move(pairs.source)), give_rows(std::move(pairs.target)),
                          give_rows(std::move(pairs.alignment)), give_rows(std::move(pairs.order)));
}

void py_lexical_table(LexicalTable* self, nb::handle sources, nb::handle targets,
                      const Array<double>& p_target, const Array<double>& p_source) {
    const TextRows left = text_rows(sources), right = text_rows(targets);
    require(left.size() == right.size() && left.size() == p_target.shape(0) &&
                left.size() == p_source.shape(0),
            "all columns must have the same number of rows");
    new (self) LexicalTable(left, right, view(p_target), view(p_source));
}

nb::object py_weights(const LexicalTable& table, nb::handle sources, nb::handle targets,
                      nb::handle alignments, std::size_t threads, bool rules) {
    const TextRows left = text_rows(sources), right = text_rows(targets), links = text_rows(alignments);
    require(left.size() == right.size() && left.size() == links.size(),
            "all columns must have the same number of rows");
    std::vector<double> result;
    {
        nb::gil_scoped_release release;
        result = table.weights(left, right, links, rules, threads);
    }
    std::vector<double> backward(result.begin() + static_cast<std::ptrdiff_t>(left.size()), result.end());
    result.resize(left.size());
    return nb::make_tuple(give(std::move(result)), give(std::move(backward)));
}

nb::object py_parse_moses(const Array<std::uint8_t>& buffer, const Spans& spans, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    MosesRows rows;
    {
        nb::gil_scoped_release release;
        rows = parse_moses(lines, threads);
    }
    return nb::make_tuple(give_rows(std::move(rows.source)), give_rows(std::move(rows.target)),
                          give_rows(std::move(rows.alignment)), give(std::move(rows.scores), 4),
                          give(std::move(rows.counts), 3), give(std::move(rows.bad)));
}

void py_occurrences(PhraseOccurrences* self, const Array<std::uint8_t>& buffer, const Spans& spans,
                    nb::handle phrases) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    const TextRows rows = text_rows(phrases);
    require(lines.lines() < 0xFFFFFFFF, "there are too many sentences");
    nb::gil_scoped_release release;
    new (self) PhraseOccurrences(lines, rows);
}

nb::object py_cooccurrences(const PhraseOccurrences& source, const PhraseOccurrences& target,
                            nb::handle sources, nb::handle targets, std::size_t threads) {
    const TextRows left = text_rows(sources), right = text_rows(targets);
    require(source.sentences() == target.sentences(), "both sides must have the same number of sentences");
    require(left.size() == right.size(), "all columns must have the same number of rows");
    std::vector<std::int64_t> counts;
    {
        nb::gil_scoped_release release;
        counts = count_phrase_pairs(source, target, left, right, threads);
    }
    return give(std::move(counts), 3);
}

using Counts = nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

nb::object py_significances(const Counts& counts, std::int64_t sentences) {
    std::vector<double> values(counts.shape(0));
    for (std::size_t row = 0; row < values.size(); ++row) {
        const std::int64_t source = counts(row, 0), target = counts(row, 1), both = counts(row, 2);
        require(0 <= both && both <= source && both <= target && source <= sentences &&
                    target <= sentences && source - both <= sentences - target,
                "counts must fit into each other");
        values[row] = significance(both, source, target, sentences);
    }
    return give(std::move(values));
}

}  // namespace

void bind_phrases(nb::module_& m) {
    m.def("extract_phrases", &py_extract_phrases, nb::arg("source"), nb::arg("target"),
          nb::arg("links"), nb::arg("max_length"), nb::arg("threads"));
    m.def("parse_moses", &py_parse_moses, nb::arg("buffer"), nb::arg("spans"), nb::arg("threads"));
    nb::class_<LexicalTable>(m, "LexicalTable")
        .def("__init__", &py_lexical_table, nb::arg("sources"), nb::arg("targets"),
             nb::arg("p_target"), nb::arg("p_source"))
        .def("__len__", &LexicalTable::size)
        .def("weights", &py_weights, nb::arg("sources"), nb::arg("targets"), nb::arg("alignments"),
             nb::arg("threads"), nb::arg("rules") = false);
    nb::class_<PhraseOccurrences>(m, "PhraseOccurrences")
        .def("__init__", &py_occurrences, nb::arg("buffer"), nb::arg("spans"), nb::arg("phrases"))
        .def("__len__", &PhraseOccurrences::sentences);
    m.def("count_phrase_pairs", &py_cooccurrences, nb::arg("source"), nb::arg("target"),
          nb::arg("sources"), nb::arg("targets"), nb::arg("threads"));
    m.def("significances", &py_significances, nb::arg("counts"), nb::arg("sentences"));
}

}  // namespace paragauge
