// Bindings of synchronous parsing.

#include <algorithm>
#include <new>

#include "bind/binding.hpp"
#include "grammar/sync_derive.hpp"
#include "grammar/sync_grammar.hpp"
#include "grammar/sync_parse.hpp"

namespace paragauge {

namespace {

IdColumn sentences_of(const SyncGrammar& grammar, nb::handle object) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 2, "sentences are a tuple of two");
    const IdColumn column = id_column(parts[0], parts[1], nb::none());
    const auto words = static_cast<std::int64_t>(grammar.words());
    require(std::all_of(column.ids.begin(), column.ids.end(),
                        [words](std::int32_t id) { return 0 <= id && id < words; }),
            "ids must be numbers of words");
    return column;
}

// Settings come from Python as a tuple, in the order of the twin's `SyncSettings`.
SyncSettings settings_of(const SyncGrammar& grammar, const nb::tuple& parts) {
    require(parts.size() == 8, "settings are a tuple of eight");
    SyncSettings settings;
    settings.span = nb::cast<std::size_t>(parts[0]);
    settings.glue = nb::cast<bool>(parts[1]);
    settings.starts = view(exact<Array<std::uint8_t>>(parts[2]));
    settings.pass_labels = view(exact<Array<std::int32_t>>(parts[3]));
    settings.pass = view(exact<Array<std::uint8_t>>(parts[4]));
    settings.max_items = nb::cast<std::size_t>(parts[5]);
    settings.max_memory = nb::cast<std::size_t>(parts[6]);
    settings.seconds = nb::cast<double>(parts[7]);
    require(settings.starts.size() == grammar.labels(), "every label must have a flag");
    require(settings.pass.size() == grammar.words(), "every word must have a flag");
    std::int64_t before = -1;
    for (const std::int32_t label : settings.pass_labels) {
        require(label > before && label < static_cast<std::int64_t>(grammar.labels()),
                "the labels of words that pass must be labels, in ascending order");
        before = label;
    }
    return settings;
}

void py_grammar(SyncGrammar* self, nb::handle words, const Array<std::uint8_t>& sides) {
    const TextRows rows = text_rows(words);
    require(rows.size() == sides.shape(0), "every word must have its sides");
    new (self) SyncGrammar(rows, view(sides));
}

std::size_t py_add(SyncGrammar& self, nb::handle lhs, nb::handle labels, nb::handle source,
                   nb::handle target, const Array<double>& costs, std::size_t threads) {
    const RuleRows rows{text_rows(lhs), text_rows(labels), text_rows(source), text_rows(target), view(costs)};
    const std::size_t size = rows.lhs.size();
    require(rows.labels.size() == size && rows.source.size() == size && rows.target.size() == size &&
                rows.costs.size() == size,
            "all columns must have the same number of rows");
    nb::gil_scoped_release release;
    return self.add(rows, threads);
}

nb::object py_labels(const SyncGrammar& self) {
    Joined texts = self.label_texts();
    return nb::make_tuple(give(std::move(texts.text)), give(std::move(texts.offsets)));
}

nb::object py_rule(const SyncGrammar& self, std::size_t rule) {
    if (rule >= self.size()) throw nb::index_error("no such rule");
    const auto copied = [](SyncGrammar::Symbols symbols) {
        return give(std::vector<std::int32_t>(symbols.begin(), symbols.end()));
    };
    return nb::make_tuple(self.lhs(rule), copied(self.source(rule)), copied(self.target(rule)),
                          self.cost(rule));
}

nb::object py_parse(const SyncGrammar& self, nb::handle sources, nb::handle targets,
                    const nb::tuple& settings, std::size_t threads) {
    const IdColumn ours = sentences_of(self, sources), theirs = sentences_of(self, targets);
    require(ours.lines() == theirs.lines(), "both sides must have the same number of sentences");
    const SyncSettings chosen = settings_of(self, settings);
    SyncResults results;
    {
        nb::gil_scoped_release release;
        results = sync_parse(self, ours, theirs, chosen, threads);
    }
    return nb::make_tuple(give(std::move(results.status)), give(std::move(results.items)),
                          give(std::move(results.times), 2));
}

nb::object py_derive(const SyncGrammar& self, nb::handle source, nb::handle target,
                     const nb::tuple& settings) {
    const IdColumn ours = sentences_of(self, source), theirs = sentences_of(self, target);
    require(ours.lines() == 1 && theirs.lines() == 1, "one pair is derived at a time");
    const SyncSettings chosen = settings_of(self, settings);
    SyncDerivation result;
    {
        nb::gil_scoped_release release;
        const auto line = [](const IdColumn& column) {
            return column.ids.subspan(static_cast<std::size_t>(column.offsets[0]),
                                      static_cast<std::size_t>(column.offsets[1] - column.offsets[0]));
        };
        result = sync_derive(self, line(ours), line(theirs), chosen);
    }
    return nb::make_tuple(static_cast<int>(result.status), result.cost,
                          give(std::move(result.tree), kTreeColumns),
                          give(std::move(result.spans), kSpanColumns), result.stopped);
}

nb::object py_inner(const SyncGrammar& self) { return give(self.inner()); }

nb::object py_known(const SyncGrammar& self) {
    return give(std::vector<std::uint8_t>(self.known().begin(), self.known().end()));
}

}  // namespace

void bind_sync(nb::module_& m) {
    nb::class_<SyncGrammar>(m, "SyncGrammar")
        .def("__init__", &py_grammar, nb::arg("words"), nb::arg("sides"))
        .def("__len__", &SyncGrammar::size)
        .def("add", &py_add, nb::arg("lhs"), nb::arg("labels"), nb::arg("source"), nb::arg("target"),
             nb::arg("costs"), nb::arg("threads"))
        .def("finish", &SyncGrammar::finish, nb::call_guard<nb::gil_scoped_release>())
        .def("label", &SyncGrammar::label, nb::arg("name"))
        .def("labels", &py_labels)
        .def("inner", &py_inner)
        .def("known", &py_known)
        .def("rule", &py_rule, nb::arg("number"))
        .def("parse", &py_parse, nb::arg("sources"), nb::arg("targets"), nb::arg("settings"),
             nb::arg("threads"))
        .def("derive", &py_derive, nb::arg("source"), nb::arg("target"), nb::arg("settings"));
}

}  // namespace paragauge
