// Bindings of phrase extraction, of lexical weights and of Moses phrase tables.

#include "binding.hpp"
#include "lexical.hpp"
#include "moses.hpp"
#include "phrases.hpp"

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

LinkColumn link_column(nb::handle object, const BitextSide& source, const BitextSide& target) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 3, "links are a tuple of three");
    const LinkColumn links{view(exact<Array<std::int32_t>>(parts[0])),
                           view(exact<Array<std::int32_t>>(parts[1])),
                           view(exact<Array<std::int64_t>>(parts[2]))};
    require(links.source.size() == links.target.size(), "a link has a source and a target");
    check_increasing(links.offsets, links.source.size(),
                     "offsets must not decrease and must stay within the links");
    require(links.offsets.size() == source.sentences.offsets.size() &&
                links.offsets.size() == target.sentences.offsets.size(),
            "both sides and the links must have the same number of sentences");
    for (std::size_t number = 0; number + 1 < links.offsets.size(); ++number) {
        const std::int64_t words = source.sentences.offsets[number + 1] - source.sentences.offsets[number];
        const std::int64_t others = target.sentences.offsets[number + 1] - target.sentences.offsets[number];
        const auto first = static_cast<std::size_t>(links.offsets[number]);
        const auto last = static_cast<std::size_t>(links.offsets[number + 1]);
        for (std::size_t i = first; i < last; ++i) {
            const std::int32_t s = links.source[i], t = links.target[i];
            require(0 <= s && s < words && 0 <= t && t < others, "links must stay within their sentences");
            require(i == first || links.source[i - 1] < s ||
                        (links.source[i - 1] == s && links.target[i - 1] < t),
                    "links must be sorted and different");
        }
    }
    return links;
}

nb::object py_extract_phrases(nb::handle source, nb::handle target, nb::handle links,
                              std::size_t max_length, std::size_t threads) {
    require(1 <= max_length && max_length <= kLongestPhrase, "max_length must be from 1 to 64");
    const BitextSide left = bitext_side(source), right = bitext_side(target);
    const LinkColumn between = link_column(links, left, right);
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
                      nb::handle alignments, std::size_t threads) {
    const TextRows left = text_rows(sources), right = text_rows(targets), links = text_rows(alignments);
    require(left.size() == right.size() && left.size() == links.size(),
            "all columns must have the same number of rows");
    std::vector<double> result;
    {
        nb::gil_scoped_release release;
        result = table.weights(left, right, links, threads);
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
             nb::arg("threads"));
}

}  // namespace paragauge
