// Bindings of segmentation, confusion networks and the agreement of their bags.

#include <algorithm>
#include <new>

#include "bind/binding.hpp"
#include "phrases/pivot.hpp"

namespace paragauge {

namespace {

using Pair = nb::tuple;

IdColumn phrases_of(const Pair& pair) {
    require(pair.size() == 2, "phrases are a tuple of two");
    return id_column(pair[0], pair[1], nb::none());
}

void check_ids(std::span<const std::int32_t> ids) {
    require(std::all_of(ids.begin(), ids.end(), [](std::int32_t id) { return id >= 0; }),
            "words must be numbers from 0");
}

void py_table(PivotTable* self, const Pair& phrases, const Array<double>& scores,
              const Array<std::int64_t>& edge_offsets, const Array<std::int32_t>& targets,
              const Array<double>& probabilities, const Pair& target_phrases) {
    const IdColumn ours = phrases_of(phrases);
    const IdColumn theirs = phrases_of(target_phrases);
    const auto bounds = view(edge_offsets);
    require(scores.shape(0) == ours.lines(), "every phrase must have a score");
    require(bounds.size() == ours.lines() + 1, "every phrase must have edges, if only none");
    require(targets.shape(0) == probabilities.shape(0), "every edge must have a probability");
    check_increasing(bounds, targets.shape(0), "edges must not decrease and must stay within the targets");
    check_ids(ours.ids);
    check_ids(theirs.ids);
    const auto limit = static_cast<std::int64_t>(theirs.lines());
    require(std::all_of(targets.data(), targets.data() + targets.shape(0),
                        [limit](std::int32_t at) { return 0 <= at && at < limit; }),
            "targets must be numbers of target phrases");
    new (self) PivotTable(ours, view(scores), bounds, view(targets), view(probabilities), theirs);
}

nb::object py_segment(const PivotTable& self, const Pair& sentences, double unknown, std::size_t longest,
                      std::size_t threads) {
    const IdColumn lines = phrases_of(sentences);
    check_ids(lines.ids);
    require(longest >= 1, "longest must be at least 1");
    Segmentation result;
    {
        nb::gil_scoped_release release;
        result = self.segment(lines, unknown, longest, threads);
    }
    return nb::make_tuple(give(std::move(result.ends)), give(std::move(result.phrases)),
                          give(std::move(result.offsets)));
}

nb::object py_bags(const PivotTable& self, const Pair& sentences, double unknown, std::size_t longest,
                   std::size_t order, double least, std::size_t threads) {
    const IdColumn lines = phrases_of(sentences);
    check_ids(lines.ids);
    require(longest >= 1, "longest must be at least 1");
    require(1 <= order && order <= kPivotOrder, "order must be from 1 to 4");
    PivotBags result;
    {
        nb::gil_scoped_release release;
        result = self.bags(lines, unknown, longest, order, least, threads);
    }
    return nb::make_tuple(give(std::move(result.grams), kPivotOrder), give(std::move(result.weights)),
                          give(std::move(result.offsets)));
}

BagView bags_of(const nb::tuple& parts) {
    require(parts.size() == 3, "bags are a tuple of three");
    using Grams = nb::ndarray<const std::int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
    const auto grams = exact<Grams>(parts[0]);
    const auto weights = view(exact<Array<double>>(parts[1]));
    const auto offsets = view(exact<Array<std::int64_t>>(parts[2]));
    const std::span<const std::int32_t> flat(grams.data(), grams.shape(0) * kPivotOrder);
    require(grams.shape(0) == weights.size(), "every n-gram must have a weight");
    check_increasing(offsets, weights.size(), "offsets must not decrease and must stay within the n-grams");
    for (std::size_t i = 0; i < flat.size(); i += kPivotOrder)
        require(flat[i] >= 0, "an n-gram must have a word");
    return {flat, weights, offsets};
}

nb::object py_gram_overlaps(const nb::tuple& left, const nb::tuple& right,
                            const Array<std::int64_t>& left_index, const Array<std::int64_t>& right_index,
                            const Array<double>& word_weights, double other_weight, std::size_t threads) {
    const BagView ours = bags_of(left), theirs = bags_of(right);
    require(left_index.shape(0) == right_index.shape(0), "left and right must have the same length");
    const auto inside = [](std::span<const std::int64_t> index, std::size_t size) {
        return std::all_of(index.begin(), index.end(), [size](std::int64_t at) {
            return 0 <= at && static_cast<std::size_t>(at) < size;
        });
    };
    require(inside(view(left_index), ours.size()) && inside(view(right_index), theirs.size()),
            "left and right must be numbers of bags");
    std::vector<double> result;
    {
        nb::gil_scoped_release release;
        result = gram_overlaps(ours, theirs, view(left_index), view(right_index), view(word_weights),
                               other_weight, threads);
    }
    return give(std::move(result), 3 * kPivotOrder);
}

}  // namespace

void bind_pivot(nb::module_& m) {
    nb::class_<PivotTable>(m, "PivotTable")
        .def("__init__", &py_table, nb::arg("phrases"), nb::arg("scores"), nb::arg("edge_offsets"),
             nb::arg("targets"), nb::arg("probabilities"), nb::arg("target_phrases"))
        .def("segment", &py_segment, nb::arg("sentences"), nb::arg("unknown"), nb::arg("longest"),
             nb::arg("threads"))
        .def("bags", &py_bags, nb::arg("sentences"), nb::arg("unknown"), nb::arg("longest"),
             nb::arg("order"), nb::arg("least"), nb::arg("threads"));
    m.def("gram_overlaps", &py_gram_overlaps, nb::arg("left"), nb::arg("right"), nb::arg("left_index"),
          nb::arg("right_index"), nb::arg("word_weights"), nb::arg("other_weight"), nb::arg("threads"));
}

}  // namespace paragauge
