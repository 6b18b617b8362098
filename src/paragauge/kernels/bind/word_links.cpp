// Bindings of alignments of words: METEOR's, and what changed between two sentences.

#include <algorithm>
#include <cmath>

#include "bind/binding.hpp"
#include "matching/meteor.hpp"
#include "matching/word_changes.hpp"

namespace paragauge {

namespace {

void check_words(const IdColumn& column, std::span<const MeteorStage> stages) {
    for (const MeteorStage& stage : stages) {
        const auto rows = static_cast<std::int64_t>(stage.offsets.size()) - 1;
        require(std::all_of(column.ids.begin(), column.ids.end(),
                            [rows](std::int32_t word) { return 0 <= word && word < rows; }),
                "every word must have a row in every stage");
    }
}

std::vector<MeteorStage> stages_of(const nb::list& list) {
    std::vector<MeteorStage> stages;
    for (const nb::handle item : list) {
        const nb::tuple parts = nb::cast<nb::tuple>(item);
        require(parts.size() == 2, "a stage is a tuple of two");
        const IdColumn rows = id_column(parts[0], parts[1], nb::none());
        for (std::size_t i = 0; i < rows.lines(); ++i)
            require(std::is_sorted(rows.line(i).begin(), rows.line(i).end()), "keys must be sorted");
        stages.emplace_back(rows.ids, rows.offsets);
    }
    return stages;
}

nb::object py_meteor_alignments(const nb::tuple& candidates, const nb::tuple& references,
                                const nb::list& stages, std::size_t beam, std::size_t threads) {
    require(candidates.size() == 3 && references.size() == 3, "a column is a tuple of three");
    require(candidates[2].is_none(), "candidates must have one line per segment");
    const IdColumn ours = id_column(candidates[0], candidates[1], nb::none());
    const IdColumn theirs = id_column(references[0], references[1], references[2]);
    require(ours.segments() == theirs.segments(), "all columns must have the same number of segments");
    require(beam >= 1, "beam must be at least 1");
    const std::vector<MeteorStage> all = stages_of(stages);
    check_words(ours, all);
    check_words(theirs, all);
    std::vector<std::int64_t> result;
    {
        nb::gil_scoped_release release;
        result = meteor_alignments(ours, theirs, all, beam, threads);
    }
    return give(std::move(result), 3);
}

nb::object py_meteor_links(const Array<std::int32_t>& candidate, const Array<std::int32_t>& reference,
                           const nb::list& stages, std::size_t beam) {
    require(beam >= 1, "beam must be at least 1");
    const std::vector<MeteorStage> all = stages_of(stages);
    const auto ours = view(candidate), theirs = view(reference);
    for (const MeteorStage& stage : all) {
        const auto rows = static_cast<std::int64_t>(stage.offsets.size()) - 1;
        for (const auto& side : {ours, theirs})
            for (const std::int32_t word : side)
                require(0 <= word && word < rows, "every word must have a row in every stage");
    }
    std::vector<std::int64_t> result;
    {
        nb::gil_scoped_release release;
        result = meteor_links(ours, theirs, all, beam);
    }
    return give(std::move(result), 2);
}

using TypeFields = nb::ndarray<const std::int32_t, nb::shape<-1, kTypeFields>, nb::c_contig, nb::device::cpu>;

WordTypes word_types(const nb::tuple& parts, std::size_t lemmas) {
    require(parts.size() == 5, "word types are a tuple of five");
    const auto fields = exact<TypeFields>(parts[0]);
    // A row has the members of WordType in their order.
    const WordTypes types{{reinterpret_cast<const WordType*>(fields.data()), fields.shape(0)},
                          view(exact<Array<double>>(parts[1])),
                          view(exact<Array<std::int32_t>>(parts[2])),
                          view(exact<Array<double>>(parts[3])),
                          view(exact<Array<std::int64_t>>(parts[4]))};
    require(types.types.size() == types.weights.size(),
            "every word type must have its fields and a weight");
    for (const double weight : types.weights)
        require(weight >= 0.0 && std::isfinite(weight), "weights must be finite and at least 0");
    require(types.part_kinds.size() == types.part_values.size() &&
                types.part_offsets.size() == types.types.size() + 1,
            "every word type must have its number parts");
    check_increasing(types.part_offsets, types.part_kinds.size(),
                     "offsets must not decrease and must stay within the number parts");
    for (const double value : types.part_values)
        require(value >= 0.0 && std::isfinite(value), "numbers must be finite and at least 0");
    for (const WordType& type : types.types) {
        require(0 <= type.category && type.category <= kOther,
                "categories must be those of the layout");
        require(0 <= type.lemma && static_cast<std::size_t>(type.lemma) < lemmas,
                "every word type must have a lemma");
    }
    return types;
}

LemmaFacts lemma_facts(const nb::tuple& parts) {
    require(parts.size() == 5, "lemmas are a tuple of five");
    const nb::tuple texts = nb::cast<nb::tuple>(parts[4]);
    require(texts.size() == 2, "texts are a tuple of a buffer and spans");
    const LemmaFacts facts{view(exact<Array<std::int32_t>>(parts[0])), lemma_sets(parts[1]),
                           lemma_sets(parts[2]), lemma_sets(parts[3]),
                           text_column(exact<Array<std::uint8_t>>(texts[0]), exact<Spans>(texts[1]),
                                       nb::none())};
    const std::size_t known = facts.texts.lines();
    require(facts.stems.size() == known && facts.synsets.size() == known && facts.own.size() == known &&
                facts.opposite.size() == known,
            "every lemma must have a stem, sets and a text");
    for (const std::int32_t stem : facts.stems) require(stem >= -1, "stems must be numbers from 0, or -1");
    return facts;
}

nb::object py_word_changes(const nb::tuple& lines, const Array<std::int64_t>& left,
                           const Array<std::int64_t>& right, const nb::tuple& types,
                           const nb::tuple& lemmas, bool links, std::size_t threads) {
    require(lines.size() == 2, "lines are a tuple of two");
    const IdColumn words = id_column(lines[0], lines[1], nb::none());
    const LemmaFacts facts = lemma_facts(lemmas);
    const WordTypes table = word_types(types, facts.stems.size());
    for (const std::int32_t id : words.ids)
        require(0 <= id && static_cast<std::size_t>(id) < table.types.size(),
                "every word must have a type");
    const auto candidates = view(left), sources = view(right);
    constexpr const char* kRows = "left and right must be equally many numbers of lines";
    require(candidates.size() == sources.size(), kRows);
    for (const auto& side : {candidates, sources})
        for (const std::int64_t line : side)
            require(0 <= line && static_cast<std::size_t>(line) < words.lines(), kRows);
    WordChanges changes;
    {
        nb::gil_scoped_release release;
        changes = word_changes(words, candidates, sources, table, facts, links, threads);
    }
    nb::object rows = give(std::move(changes.rows), kChangeFeatures);
    if (!links) return rows;
    return nb::make_tuple(rows, give(std::move(changes.links), kChangeLinkFields),
                          give(std::move(changes.offsets)));
}

}  // namespace

void bind_word_links(nb::module_& m) {
    m.def("meteor_alignments", &py_meteor_alignments, nb::arg("candidates"), nb::arg("references"),
          nb::arg("stages"), nb::arg("beam"), nb::arg("threads"));
    m.def("meteor_links", &py_meteor_links, nb::arg("candidate"), nb::arg("reference"),
          nb::arg("stages"), nb::arg("beam"));
    m.def("word_changes", &py_word_changes, nb::arg("lines"), nb::arg("left"), nb::arg("right"),
          nb::arg("types"), nb::arg("lemmas"), nb::arg("links"), nb::arg("threads"));
}

}  // namespace paragauge
