// Bindings of WordNet.

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <optional>

#include "bind/binding.hpp"
#include "lexicon/morphy.hpp"
#include "lexicon/wordnet.hpp"

namespace paragauge {

namespace {

Pos pos_of(std::size_t code) {
    require(1 <= code && code <= kPoses, "a part of speech is 1, 2, 3 or 4");
    return static_cast<Pos>(code - 1);
}

Relation relation_named(std::string_view name) {
    if (name == "shared") return Relation::Shared;
    if (name == "synset") return Relation::Synset;
    if (name == "forms") return Relation::Forms;
    throw std::invalid_argument("no relation named '" + std::string(name) + "'");
}

Opposition opposition_named(std::string_view name) {
    if (name == "direct") return Opposition::Direct;
    if (name == "similar") return Opposition::Similar;
    throw std::invalid_argument("no opposition named '" + std::string(name) + "'");
}

// The object keeps the table's array alive (nb::keep_alive in bind_wordnet), so it takes the array as
// it is: nothing would keep a converted copy.
void py_open(WordNet* self, const Array<std::uint8_t>& table) { new (self) WordNet(text_of(table)); }

std::string_view py_word(const WordNet& net, std::size_t number) {
    if (number >= net.size()) throw nb::index_error("no such word");
    return net.word(number);
}

std::pair<std::uint32_t, unsigned> py_synset(const WordNet& net, std::size_t number) {
    if (number >= net.synsets()) throw nb::index_error("no such synset");
    return {net.key(number), static_cast<unsigned>(net.pos_of(number)) + 1};
}

nb::object py_senses(const WordNet& net, std::string_view word) { return give(net.senses(word)); }

nb::object py_synonyms(const WordNet& net, std::string_view word) {
    nb::list words;
    for (const std::int32_t number : net.synonyms(word)) words.append(net.word(static_cast<std::size_t>(number)));
    return words;
}

std::optional<std::string> py_morphy(const WordNet& net, std::string_view word, std::size_t pos) {
    Morphy morphy(net);
    if (!morphy.base(word, pos_of(pos))) return std::nullopt;
    return std::string(morphy.result());
}

nb::object py_exceptions(const WordNet& net, std::size_t pos) {
    nb::list pairs;
    const std::vector<std::string_view> texts = net.exceptions(pos_of(pos));
    for (std::size_t i = 0; i < texts.size(); i += 2) pairs.append(nb::make_tuple(texts[i], texts[i + 1]));
    return pairs;
}

nb::object py_related_sets(const WordNet& net, const Array<std::uint8_t>& buffer, const Spans& spans,
                           std::string_view how, std::size_t threads) {
    const TextColumn words = text_column(buffer, spans, nb::none());
    const Relation relation = relation_named(how);
    Encoded result;
    {
        nb::gil_scoped_release release;
        result = net.related_sets(words, relation, threads);
    }
    return give(std::move(result));
}

nb::object py_antonyms(const WordNet& net, std::string_view word, std::string_view how) {
    return give(net.antonyms(word, opposition_named(how)));
}

nb::object py_opposite_sets(const WordNet& net, const Array<std::uint8_t>& buffer, const Spans& spans,
                            std::string_view how, std::size_t threads) {
    const TextColumn words = text_column(buffer, spans, nb::none());
    const Opposition opposition = opposition_named(how);
    OppositeSets result;
    {
        nb::gil_scoped_release release;
        result = net.opposite_sets(words, opposition, threads);
    }
    return nb::make_tuple(give(std::move(result.own)), give(std::move(result.opposite)));
}

nb::object py_lemmatize(const WordNet& net, const Array<std::uint8_t>& buffer, const Spans& spans,
                        const Array<std::uint8_t>& poses, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    const std::span<const std::uint8_t> codes = view(poses);
    Joined result;
    {
        nb::gil_scoped_release release;
        std::size_t tokens = 0;
        for (std::size_t i = 0; i < lines.lines(); ++i) tokens += count_tokens(lines.line(i));
        require(tokens == codes.size(), "there must be one part of speech for each token");
        require(std::all_of(codes.begin(), codes.end(), [](std::uint8_t code) { return code <= kAnyPos; }),
                "a part of speech is 0, 1, 2, 3, 4 or 5");
        result = net.lemmatize(lines, codes, threads);
    }
    return nb::make_tuple(give(std::move(result.text)), give(std::move(result.offsets)));
}

nb::object py_sets_meet(const Array<std::int32_t>& ids, const Array<std::int64_t>& offsets,
                        const Array<std::int64_t>& left, const Array<std::int64_t>& right,
                        std::size_t threads) {
    const auto bounds = view(offsets), a = view(left), b = view(right);
    check_increasing(bounds, ids.shape(0), "offsets must not decrease and must stay within the ids");
    require(a.size() == b.size(), "left and right must have the same length");
    const auto rows = static_cast<std::int64_t>(bounds.size()) - 1;
    const auto inside = [rows](std::int64_t row) { return 0 <= row && row < rows; };
    require(std::all_of(a.begin(), a.end(), inside) && std::all_of(b.begin(), b.end(), inside),
            "left and right must be rows of the sets");
    std::vector<std::uint8_t> result;
    {
        nb::gil_scoped_release release;
        result = sets_meet(view(ids), bounds, a, b, threads);
    }
    return give(std::move(result));
}

}  // namespace

void bind_wordnet(nb::module_& m) {
    nb::class_<WordNet>(m, "WordNet")
        .def("__init__", &py_open, nb::arg("table").noconvert(), nb::keep_alive<1, 2>())
        .def("__len__", &WordNet::size)
        .def("title", &WordNet::title)
        .def("word", &py_word, nb::arg("number"))
        .def("synset", &py_synset, nb::arg("number"))
        .def("senses", &py_senses, nb::arg("word"))
        .def("synonyms", &py_synonyms, nb::arg("word"))
        .def("morphy", &py_morphy, nb::arg("word"), nb::arg("pos"))
        .def("exceptions", &py_exceptions, nb::arg("pos"))
        .def("related_sets", &py_related_sets, nb::arg("buffer"), nb::arg("spans"), nb::arg("how"),
             nb::arg("threads"))
        .def("antonym_pointers", &WordNet::antonym_pointers)
        .def("antonyms", &py_antonyms, nb::arg("word"), nb::arg("how"))
        .def("opposite_sets", &py_opposite_sets, nb::arg("buffer"), nb::arg("spans"), nb::arg("how"),
             nb::arg("threads"))
        .def("lemmatize", &py_lemmatize, nb::arg("buffer"), nb::arg("spans"), nb::arg("pos"),
             nb::arg("threads"));
    m.def("sets_meet", &py_sets_meet, nb::arg("ids"), nb::arg("offsets"), nb::arg("left"),
          nb::arg("right"), nb::arg("threads"));
}

}  // namespace paragauge
