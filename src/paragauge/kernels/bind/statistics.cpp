// Bindings of resampling, correlation and regressions.

#include <algorithm>
#include <cmath>

#include "bind/binding.hpp"
#include "statistics/boosted_trees.hpp"
#include "statistics/correlate.hpp"
#include "statistics/exchange.hpp"
#include "statistics/rbf.hpp"
#include "statistics/resample.hpp"

namespace paragauge {

namespace {

Weights weights_named(std::string_view name) {
    require(name == "poisson" || name == "coin", "weights must be 'poisson' or 'coin'");
    return name == "poisson" ? Weights::Poisson : Weights::Coin;
}

void py_resample_sums(const Table& stats, std::string_view weights, std::uint64_t seed,
                      std::uint64_t first, const Sums& sums, std::size_t threads) {
    require(stats.shape(1) == sums.shape(1), "stats and sums must have the same columns");
    const ResampleSettings settings{weights_named(weights), seed, first, threads};
    nb::gil_scoped_release release;
    resample_sums({stats.data(), stats.shape(0) * stats.shape(1)}, stats.shape(1), settings,
                  {sums.data(), sums.shape(0) * sums.shape(1)});
}

Coefficient coefficient_named(std::string_view name) {
    if (name == "pearson") return Coefficient::Pearson;
    if (name == "spearman") return Coefficient::Spearman;
    require(name == "kendall", "coefficient must be 'pearson', 'spearman' or 'kendall'");
    return Coefficient::Kendall;
}

Pairs pairs_of(const Array<double>& x, const Array<double>& y, const Array<std::int64_t>& offsets) {
    require(x.shape(0) == y.shape(0), "x and y must have the same length");
    // Weights go up to 8, and their sums times a weight must fit in 32 bits.
    require(x.shape(0) < (std::size_t{1} << 24), "expected fewer than 16,777,216 pairs");
    check_increasing(view(offsets), x.shape(0), "offsets must not decrease and must stay within x");
    for (const auto& values : {view(x), view(y)})
        for (const double value : values)
            require(std::isfinite(value), "x and y must be finite numbers");
    return {view(x), view(y), view(offsets)};
}

Units units_of(const Array<std::int64_t>& units, std::span<const std::uint8_t> complement,
               std::string_view weights, std::size_t pairs) {
    require(units.shape(0) == pairs, "expected one unit for each pair");
    require(complement.empty() || (complement.size() == pairs && weights == "coin"),
            "expected a complement for each pair, of coin weights");
    std::int64_t most = -1;
    for (const std::int64_t unit : view(units)) {
        require(unit >= 0 && unit < (std::int64_t{1} << 32), "units must be from 0 to 2^32");
        most = std::max(most, unit);
    }
    return {view(units), complement, static_cast<std::size_t>(most + 1)};
}

nb::object py_group_correlations(const Array<double>& x, const Array<double>& y,
                                 const Array<std::int64_t>& offsets, std::string_view coefficient,
                                 std::size_t threads) {
    const Pairs pairs = pairs_of(x, y, offsets);
    const Coefficient chosen = coefficient_named(coefficient);
    std::vector<double> result(offsets.shape(0) - 1);
    {
        nb::gil_scoped_release release;
        group_correlations(pairs, chosen, threads, result);
    }
    return give(std::move(result));
}

nb::object py_resampled_correlations(const Array<double>& x, const Array<double>& y,
                                     const Array<std::int64_t>& offsets,
                                     const Array<std::int64_t>& units,
                                     const Array<std::uint8_t>& complement,
                                     std::string_view coefficient, std::string_view weights,
                                     bool zero_constant, std::uint64_t seed, std::size_t replicates,
                                     std::size_t threads) {
    const Pairs pairs = pairs_of(x, y, offsets);
    const Units resampled_units = units_of(units, view(complement), weights, x.shape(0));
    const CorrelateSettings settings{coefficient_named(coefficient), weights_named(weights), seed,
                                     zero_constant, threads};
    std::vector<double> result(replicates);
    {
        nb::gil_scoped_release release;
        resampled_correlations(pairs, resampled_units, settings, result);
    }
    return give(std::move(result));
}

nb::object py_exchanged_correlations(const Array<double>& one, const Array<double>& other,
                                     const Array<double>& gold, const Array<std::int64_t>& offsets,
                                     const Array<std::int64_t>& units, std::string_view coefficient,
                                     bool zero_constant, std::uint64_t seed, std::size_t replicates,
                                     std::size_t threads) {
    const Pairs pairs = pairs_of(one, gold, offsets);
    pairs_of(other, gold, offsets);
    const Units coins = units_of(units, {}, "coin", one.shape(0));
    const Coefficient chosen = coefficient_named(coefficient);
    require(chosen != Coefficient::Pearson, "coefficient must be 'spearman' or 'kendall'");
    const CorrelateSettings settings{chosen, Weights::Coin, seed, zero_constant, threads};
    std::vector<double> first(replicates), second(replicates);
    {
        nb::gil_scoped_release release;
        const Exchange exchange{pairs.x, view(other), pairs.y, pairs.offsets, coins.of_pair, coins.count};
        exchanged_correlations(exchange, settings, first, second);
    }
    return nb::make_tuple(give(std::move(first)), give(std::move(second)));
}

nb::object py_resampled_maxima(const Array<double>& gain, const Array<std::uint8_t>& last,
                               const Array<std::int64_t>& units, const Array<std::uint8_t>& complement,
                               std::string_view weights, std::uint64_t seed, std::size_t replicates,
                               std::size_t threads) {
    require(gain.shape(0) == last.shape(0), "gain and last must have the same length");
    const Units resampled_units = units_of(units, view(complement), weights, gain.shape(0));
    const Weights kind = weights_named(weights);
    std::vector<double> result(replicates);
    {
        nb::gil_scoped_release release;
        resampled_maxima(view(gain), view(last), resampled_units, kind, seed, threads, result);
    }
    return give(std::move(result));
}

nb::object py_rbf_values(const Table& rows, const Table& vectors, const Array<double>& coefficients,
                         double gamma, std::size_t threads) {
    require(rows.shape(1) == vectors.shape(1) && vectors.shape(0) == coefficients.shape(0),
            "rows and vectors must have the same features, vectors a coefficient each");
    const std::span<const double> flat(rows.data(), rows.size());
    const std::span<const double> all(vectors.data(), vectors.size());
    std::vector<double> result;
    {
        nb::gil_scoped_release release;
        result = rbf_values(flat, all, view(coefficients), rows.shape(1), gamma, threads);
    }
    return give(std::move(result));
}

void check_trees(const BoostedTrees& trees, std::size_t width) {
    const std::size_t nodes = trees.features.size();
    require(trees.thresholds.size() == nodes && trees.left.size() == nodes &&
                trees.right.size() == nodes && trees.values.size() == nodes,
            "features, thresholds, left, right and values must have the same length");
    require(nodes < (std::size_t{1} << 31), "expected fewer than 2,147,483,648 nodes");
    const auto count = static_cast<std::int64_t>(nodes);
    for (const std::int64_t root : trees.roots)
        require(0 <= root && root < count, "every root must be the number of a node");
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::int32_t feature = trees.features[i];
        require(feature == -1 || (feature >= 0 && static_cast<std::size_t>(feature) < width),
                "every feature must be a column of the rows, or -1 in a leaf");
        if (feature < 0) {
            require(std::isfinite(trees.values[i]), "values of leaves must be finite numbers");
            continue;
        }
        require(std::isfinite(trees.thresholds[i]), "thresholds must be finite numbers");
        const auto self = static_cast<std::int64_t>(i);
        require(self < trees.left[i] && trees.left[i] < count && self < trees.right[i] &&
                    trees.right[i] < count,
                "children must be nodes with greater numbers than their parent");
    }
}

nb::object py_tree_sums(const Table& rows, const Array<std::int64_t>& roots,
                        const Array<std::int32_t>& features, const Array<double>& thresholds,
                        const Array<std::int32_t>& left, const Array<std::int32_t>& right,
                        const Array<double>& values, std::size_t threads) {
    const BoostedTrees trees{view(roots), view(features), view(thresholds),
                             view(left),  view(right),    view(values)};
    const std::span<const double> flat(rows.data(), rows.size());
    const std::size_t count = rows.shape(0), width = rows.shape(1);
    std::vector<double> result;
    {
        nb::gil_scoped_release release;
        check_trees(trees, width);
        for (const double value : flat) require(!std::isnan(value), "rows must not contain NaN");
        result = tree_sums(flat, count, width, trees, threads);
    }
    return give(std::move(result));
}

}  // namespace

void bind_statistics(nb::module_& m) {
    m.def("rbf_values", &py_rbf_values, nb::arg("rows"), nb::arg("vectors"), nb::arg("coefficients"),
          nb::arg("gamma"), nb::arg("threads"));
    m.def("tree_sums", &py_tree_sums, nb::arg("rows"), nb::arg("roots"), nb::arg("features"),
          nb::arg("thresholds"), nb::arg("left"), nb::arg("right"), nb::arg("values"),
          nb::arg("threads"));
    m.def("resample_sums", &py_resample_sums, nb::arg("stats"), nb::arg("weights"), nb::arg("seed"),
          nb::arg("first"), nb::arg("sums"), nb::arg("threads"));
    m.def("group_correlations", &py_group_correlations, nb::arg("x"), nb::arg("y"), nb::arg("offsets"),
          nb::arg("coefficient"), nb::arg("threads"));
    m.def("resampled_correlations", &py_resampled_correlations, nb::arg("x"), nb::arg("y"),
          nb::arg("offsets"), nb::arg("units"), nb::arg("complement"), nb::arg("coefficient"),
          nb::arg("weights"), nb::arg("zero_constant"), nb::arg("seed"), nb::arg("replicates"),
          nb::arg("threads"));
    m.def("exchanged_correlations", &py_exchanged_correlations, nb::arg("one"), nb::arg("other"),
          nb::arg("gold"), nb::arg("offsets"), nb::arg("units"), nb::arg("coefficient"),
          nb::arg("zero_constant"), nb::arg("seed"), nb::arg("replicates"), nb::arg("threads"));
    m.def("resampled_maxima", &py_resampled_maxima, nb::arg("gain"), nb::arg("last"), nb::arg("units"),
          nb::arg("complement"), nb::arg("weights"), nb::arg("seed"), nb::arg("replicates"),
          nb::arg("threads"));
}

}  // namespace paragauge
