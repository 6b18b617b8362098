// Binding of METEOR's alignment.

#include <algorithm>

#include "bind/binding.hpp"
#include "matching/meteor.hpp"

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

}  // namespace

void bind_meteor(nb::module_& m) {
    m.def("meteor_alignments", &py_meteor_alignments, nb::arg("candidates"), nb::arg("references"),
          nb::arg("stages"), nb::arg("beam"), nb::arg("threads"));
}

}  // namespace paragauge
