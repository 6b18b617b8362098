// Bindings for learning thesauri: Brown clustering and counts of neighbors.

#include "bind/binding.hpp"
#include "rewrite/brown.hpp"
#include "rewrite/cooccurrence.hpp"

namespace paragauge {

namespace {

using Counts = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
constexpr std::int64_t kMostBigrams = std::int64_t{1} << 44;
constexpr std::size_t kMostClusters = 20000;

IdColumn lines_of(const Array<std::int32_t>& ids, const Array<std::int64_t>& offsets) {
    check_increasing(view(offsets), ids.shape(0), "offsets must not decrease and must stay within the ids");
    return {view(ids), view(offsets), {}};
}

void py_add_bigrams(BigramCounter& counter, const Array<std::int32_t>& ids,
                    const Array<std::int64_t>& offsets) {
    const IdColumn lines = lines_of(ids, offsets);
    nb::gil_scoped_release release;
    counter.add(lines.ids, lines.offsets);
}

nb::object py_bigrams(const BigramCounter& counter) {
    Bigrams bigrams;
    {
        nb::gil_scoped_release release;
        bigrams = counter.bigrams();
    }
    return nb::make_tuple(give(std::move(bigrams.left)), give(std::move(bigrams.right)),
                          give(std::move(bigrams.counts)));
}

void py_count_cooccurrences(const Array<std::int32_t>& ids, const Array<std::int64_t>& offsets,
                            const Array<std::int32_t>& columns, std::size_t window, Counts counts,
                            std::size_t threads) {
    const IdColumn lines = lines_of(ids, offsets);
    const std::size_t features = counts.shape(1);
    require(counts.shape(0) == columns.shape(0), "counts must have a row for each word");
    const auto words = static_cast<std::int64_t>(columns.shape(0));
    for (const std::int32_t id : lines.ids) require(id < words, "ids must be below the number of words");
    for (const std::int32_t column : view(columns))
        require(column < static_cast<std::int64_t>(features),
                "columns must be below the number of features");
    nb::gil_scoped_release release;
    count_cooccurrences(lines.ids, lines.offsets, view(columns), features, window, counts.data(), threads);
}

void py_brown(BrownClustering* self, const Array<std::int32_t>& left, const Array<std::int32_t>& right,
              const Array<std::int64_t>& counts, std::size_t words, std::size_t clusters,
              std::size_t threads) {
    const auto lefts = view(left), rights = view(right);
    const auto sizes = view(counts);
    require(lefts.size() == rights.size() && lefts.size() == sizes.size(),
            "every bigram must have two words and a count");
    require(1 <= clusters && clusters <= kMostClusters, "clusters must be from 1 to 20000");
    std::int64_t total = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        require(0 <= lefts[i] && static_cast<std::size_t>(lefts[i]) < words && 0 <= rights[i] &&
                    static_cast<std::size_t>(rights[i]) < words,
                "bigrams must be of words from 0 to the number of words");
        require(i == 0 || lefts[i - 1] < lefts[i] ||
                    (lefts[i - 1] == lefts[i] && rights[i - 1] < rights[i]),
                "bigrams must be sorted, each once");
        require(0 < sizes[i] && sizes[i] < kMostBigrams, "counts must be positive and below 2^44 in all");
        total += sizes[i];
        require(total < kMostBigrams, "counts must be positive and below 2^44 in all");
    }
    nb::gil_scoped_release release;
    new (self) BrownClustering(lefts, rights, sizes, words, clusters, threads);
}

nb::object py_merge(BrownClustering& clustering, std::size_t limit) {
    BrownMerges merges;
    {
        nb::gil_scoped_release release;
        merges = clustering.merge(limit);
    }
    return nb::make_tuple(give(std::move(merges.pairs), 2), give(std::move(merges.losses)));
}

}  // namespace

void bind_clusters(nb::module_& m) {
    nb::class_<BigramCounter>(m, "BigramCounter")
        .def(nb::init<>())
        .def("add", &py_add_bigrams, nb::arg("ids"), nb::arg("offsets"))
        .def("bigrams", &py_bigrams);
    nb::class_<BrownClustering>(m, "BrownClustering")
        .def("__init__", &py_brown, nb::arg("left"), nb::arg("right"), nb::arg("counts"),
             nb::arg("words"), nb::arg("clusters"), nb::arg("threads"))
        .def("merge", &py_merge, nb::arg("limit"));
    m.def("count_cooccurrences", &py_count_cooccurrences, nb::arg("ids"), nb::arg("offsets"),
          nb::arg("columns"), nb::arg("window"), nb::arg("counts"), nb::arg("threads"));
}

}  // namespace paragauge
