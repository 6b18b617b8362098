// Bindings of rules from phrases to phrases.

#include <limits>

#include "bind/binding.hpp"
#include "rewrite/phrase_matcher.hpp"

namespace paragauge {

namespace {

IdColumn phrases_of(const nb::tuple& phrases) {
    require(phrases.size() == 2, "phrases are a tuple of two");
    const IdColumn column = id_column(phrases[0], phrases[1], nb::none());
    for (std::size_t i = 0; i < column.lines(); ++i) {
        require(!column.line(i).empty(), "a phrase must have a word");
        for (const std::int32_t id : column.line(i)) require(id >= 0, "ids of phrases must not be negative");
    }
    return column;
}

void py_init(PhraseMatcher* self, const nb::tuple& left, const nb::tuple& right) {
    const IdColumn from = phrases_of(left), to = phrases_of(right);
    require(from.lines() == to.lines(), "there must be as many phrases on the left as on the right");
    require(from.ids.size() + to.ids.size() < std::numeric_limits<std::int32_t>::max(),
            "there are too many words in the rules");
    nb::gil_scoped_release release;
    new (self) PhraseMatcher(from, to);
}

nb::object py_match(const PhraseMatcher& rules, const nb::tuple& references, const nb::tuple& candidates,
                    const Array<std::int32_t>& known, std::size_t threads) {
    require(candidates.size() == 3 && references.size() == 3, "a column is a tuple of three");
    require(candidates[2].is_none(), "candidates must have one line per segment");
    const IdColumn ours = id_column(candidates[0], candidates[1], nb::none());
    const IdColumn theirs = id_column(references[0], references[1], references[2]);
    require(ours.segments() == theirs.segments(), "all columns must have the same number of segments");
    check_ids(ours, known.shape(0));
    check_ids(theirs, known.shape(0));
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = rules.match(theirs, ours, view(known), threads);
    }
    return give(std::move(rows), 5);
}

}  // namespace

void bind_phrase_matcher(nb::module_& m) {
    nb::class_<PhraseMatcher>(m, "PhraseMatcher")
        .def("__init__", &py_init, nb::arg("left"), nb::arg("right"))
        .def("__len__", &PhraseMatcher::size)
        .def("match", &py_match, nb::arg("references"), nb::arg("candidates"), nb::arg("known"),
             nb::arg("threads"));
}

}  // namespace paragauge
