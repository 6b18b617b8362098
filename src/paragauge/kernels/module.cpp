// The Python face of the kernels: checks shapes and bounds, releases the GIL, hands out arrays.
// What each function means is said once, in its twin in reference.py.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "correlate.hpp"
#include "encode.hpp"
#include "lines.hpp"
#include "ngrams.hpp"
#include "resample.hpp"
#include "tokenise.hpp"
#include "unicode_classes.hpp"
#include "utf8.hpp"

namespace nb = nanobind;
using namespace paragauge;

namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Spans = nb::ndarray<const std::int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// An array inside a tuple, taken as it is: a converted copy would be gone before the kernel runs,
// while the tuple keeps the original alive.
template <class A>
A exact(nb::handle object) {
    A array;
    if (!nb::try_cast<A>(object, array, false))
        throw std::invalid_argument("expected a contiguous array of the documented type and shape");
    return array;
}

template <class T>
std::span<const T> view(const Array<T>& array) {
    return {array.data(), array.shape(0)};
}

std::string_view text_of(const Array<std::uint8_t>& buffer) {
    return {reinterpret_cast<const char*>(buffer.data()), buffer.shape(0)};
}

// Gives a vector to NumPy without copying it; the array is the vector's only owner.
template <class T>
nb::object give(std::vector<T>&& values, std::size_t columns = 0) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    std::size_t shape[2] = {owned->size(), columns};
    if (columns > 0) shape[0] /= columns;
    return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), columns > 0 ? 2 : 1, shape, owner));
}

nb::object give(std::string&& text) {
    auto* owned = new std::string(std::move(text));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::string*>(p); });
    const std::size_t shape[1] = {owned->size()};
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(owned->data(), 1, shape, owner));
}

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

void check_increasing(std::span<const std::int64_t> offsets, std::size_t limit, const char* message) {
    require(!offsets.empty() && offsets.front() >= 0, message);
    for (std::size_t i = 1; i < offsets.size(); ++i) require(offsets[i - 1] <= offsets[i], message);
    require(static_cast<std::size_t>(offsets.back()) <= limit, message);
}

std::span<const std::int64_t> groups_of(nb::handle object, std::size_t lines) {
    if (object.is_none()) return {};
    const auto groups = view(exact<Array<std::int64_t>>(object));
    check_increasing(groups, lines, "groups must not decrease and must stay within the lines");
    return groups;
}

TextColumn text_column(const Array<std::uint8_t>& buffer, const Spans& spans, nb::handle groups) {
    const auto size = static_cast<std::int64_t>(buffer.shape(0));
    const std::span<const std::int64_t> flat(spans.data(), spans.shape(0) * 2);
    for (std::size_t i = 0; i < flat.size(); i += 2)
        require(0 <= flat[i] && flat[i] <= flat[i + 1] && flat[i + 1] <= size,
                "spans must stay within the buffer");
    return {reinterpret_cast<const char*>(buffer.data()), buffer.shape(0), flat,
            groups_of(groups, spans.shape(0))};
}

IdColumn id_column(nb::handle ids, nb::handle offsets, nb::handle groups) {
    const auto id_view = view(exact<Array<std::int32_t>>(ids));
    const auto offset_view = view(exact<Array<std::int64_t>>(offsets));
    check_increasing(offset_view, id_view.size(),
                     "offsets must not decrease and must stay within the ids");
    return {id_view, offset_view, groups_of(groups, offset_view.size() - 1)};
}

// Columns come from Python as tuples (values, positions, groups or None).
template <class Column, class Make>
std::vector<Column> columns_of(const nb::list& list, Make make) {
    std::vector<Column> columns;
    for (const nb::handle item : list) {
        const nb::tuple parts = nb::cast<nb::tuple>(item);
        require(parts.size() == 3, "a column is a tuple of three");
        columns.push_back(make(parts[0], parts[1], parts[2]));
        require(columns.back().segments() == columns.front().segments(),
                "all columns must have the same number of segments");
    }
    return columns;
}

nb::object give(Encoded&& encoded) {
    return nb::make_tuple(give(std::move(encoded.ids)), give(std::move(encoded.offsets)));
}

nb::object py_first_invalid(const Array<std::uint8_t>& buffer) {
    std::size_t at;
    {
        nb::gil_scoped_release release;
        at = first_invalid_utf8(text_of(buffer));
    }
    return at == std::string_view::npos ? nb::object(nb::none()) : nb::cast(at);
}

nb::object py_split_lines(const Array<std::uint8_t>& buffer, std::size_t start, std::size_t limit,
                          bool last) {
    require(start <= buffer.shape(0), "start must lie within the buffer");
    SplitLines result;
    {
        nb::gil_scoped_release release;
        result = split_lines(text_of(buffer).substr(start), limit, last);
        for (std::int64_t& position : result.spans) position += static_cast<std::int64_t>(start);
    }
    return nb::make_tuple(give(std::move(result.spans), 2), start + result.consumed);
}

nb::object py_split_fields(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    SplitFields result;
    {
        nb::gil_scoped_release release;
        result = split_fields(lines.data, lines.spans.data(), lines.lines());
    }
    return nb::make_tuple(give(std::move(result.spans), 2), give(std::move(result.groups)));
}

std::size_t py_count_blank(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    nb::gil_scoped_release release;
    return count_blank(lines.data, lines.spans.data(), lines.lines());
}

std::size_t py_count_tabbed(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    nb::gil_scoped_release release;
    return count_tabbed(lines.data, lines.spans.data(), lines.lines());
}

nb::object py_lower_ascii(const Array<std::uint8_t>& buffer, const Spans& spans) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    Lowered result;
    {
        nb::gil_scoped_release release;
        result = lower_ascii(text_of(buffer), lines.spans.data(), lines.lines());
    }
    return nb::make_tuple(give(std::move(result.text)), give(std::move(result.foreign)));
}

nb::object py_tokenise_lines(const Array<std::uint8_t>& buffer, const Spans& spans,
                             std::string_view scheme, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    const Scheme chosen = scheme_named(scheme);
    Joined result;
    {
        nb::gil_scoped_release release;
        result = tokenise_lines(lines, chosen, threads);
    }
    return nb::make_tuple(give(std::move(result.text)), give(std::move(result.offsets)));
}

nb::object py_encode_segments(const nb::list& list, std::string_view scheme, std::size_t threads) {
    const auto columns = columns_of<TextColumn>(list, [](auto buffer, auto spans, auto groups) {
        return text_column(exact<Array<std::uint8_t>>(buffer), exact<Spans>(spans), groups);
    });
    const Scheme chosen = scheme_named(scheme);
    std::vector<Encoded> encoded;
    {
        nb::gil_scoped_release release;
        encoded = encode_segments(columns, chosen, threads);
    }
    nb::list result;
    for (Encoded& column : encoded) result.append(give(std::move(column)));
    return result;
}

nb::object py_match_ngrams(nb::tuple candidates, nb::tuple others, std::size_t order, bool distinct,
                           bool joint, std::size_t threads) {
    nb::list list;
    list.append(candidates);
    list.append(others);
    const auto columns = columns_of<IdColumn>(list, id_column);
    require(columns[0].groups.empty(), "candidates have one line per segment");
    require(order >= 1, "order must be at least 1");
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = match_ngrams(columns[0], columns[1], {order, distinct, joint, threads});
    }
    return give(std::move(rows), 2 * order);
}

nb::object py_ngram_bags(const nb::list& list, std::size_t order, std::size_t threads) {
    const auto columns = columns_of<IdColumn>(list, id_column);
    std::vector<Bags> bags;
    {
        nb::gil_scoped_release release;
        bags = ngram_bags(columns, order, threads);
    }
    nb::list result;
    for (Bags& column : bags)
        result.append(nb::make_tuple(give(std::move(column.keys)), give(std::move(column.weights)),
                                     give(std::move(column.offsets))));
    return result;
}

BagsView bags_view(const nb::tuple& parts) {
    require(parts.size() == 3, "bags are a tuple of three");
    const BagsView bags{view(exact<Array<std::int32_t>>(parts[0])),
                        view(exact<Array<double>>(parts[1])),
                        view(exact<Array<std::int64_t>>(parts[2]))};
    require(bags.keys.size() == bags.weights.size(), "keys and weights must be equally long");
    check_increasing(bags.offsets, bags.keys.size(),
                     "offsets must not decrease and must stay within the keys");
    return bags;
}

nb::object py_bag_overlaps(nb::tuple left, nb::tuple right, std::size_t threads) {
    const BagsView left_view = bags_view(left), right_view = bags_view(right);
    require(left_view.offsets.size() == right_view.offsets.size(),
            "both sides must hold the same number of bags");
    std::vector<double> overlaps;
    {
        nb::gil_scoped_release release;
        overlaps = bag_overlaps(left_view, right_view, threads);
    }
    return give(std::move(overlaps));
}

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

Units units_of(const Array<std::int64_t>& units, const Array<std::uint8_t>& complement,
               std::string_view weights, std::size_t pairs) {
    require(units.shape(0) == pairs, "expected one unit for each pair");
    require(complement.shape(0) == 0 || (complement.shape(0) == pairs && weights == "coin"),
            "expected a complement for each pair, of coin weights");
    std::int64_t most = -1;
    for (const std::int64_t unit : view(units)) {
        require(unit >= 0 && unit < (std::int64_t{1} << 32), "units must be from 0 to 2^32");
        most = std::max(most, unit);
    }
    return {view(units), view(complement), static_cast<std::size_t>(most + 1)};
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
    const Units drawn = units_of(units, complement, weights, x.shape(0));
    const CorrelateSettings settings{coefficient_named(coefficient), weights_named(weights), seed,
                                     zero_constant, threads};
    std::vector<double> result(replicates);
    {
        nb::gil_scoped_release release;
        resampled_correlations(pairs, drawn, settings, result);
    }
    return give(std::move(result));
}

nb::object py_resampled_maxima(const Array<double>& gain, const Array<std::uint8_t>& last,
                               const Array<std::int64_t>& units, const Array<std::uint8_t>& complement,
                               std::string_view weights, std::uint64_t seed, std::size_t replicates,
                               std::size_t threads) {
    require(gain.shape(0) == last.shape(0), "gain and last must have the same length");
    const Units drawn = units_of(units, complement, weights, gain.shape(0));
    const Weights kind = weights_named(weights);
    std::vector<double> result(replicates);
    {
        nb::gil_scoped_release release;
        resampled_maxima(view(gain), view(last), drawn, kind, seed, threads, result);
    }
    return give(std::move(result));
}

nb::object py_unicode_ranges(std::string_view name) {
    require(name == "N" || name == "P" || name == "S", "category must be N, P or S");
    const Category wanted = name == "N"   ? Category::Number
                            : name == "P" ? Category::Punctuation
                                          : Category::Symbol;
    std::vector<std::int64_t> ranges;
    for (const CategoryRange& range : category_ranges())
        if (range.category == wanted) {
            ranges.push_back(range.first);
            ranges.push_back(range.last);
        }
    return give(std::move(ranges), 2);
}

nb::object py_vocabulary_encode(Vocabulary& vocabulary, const Array<std::uint8_t>& buffer,
                                const Spans& spans, std::string_view scheme, bool grow,
                                std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    const Scheme chosen = scheme_named(scheme);
    Encoded encoded;
    {
        nb::gil_scoped_release release;
        encoded = vocabulary.encode(lines, chosen, grow, threads);
    }
    return give(std::move(encoded));
}

}  // namespace

NB_MODULE(_native, m) {
    m.def("first_invalid_utf8", &py_first_invalid, nb::arg("buffer"));
    m.def("split_lines", &py_split_lines, nb::arg("buffer"), nb::arg("start"), nb::arg("limit"),
          nb::arg("last"));
    m.def("split_fields", &py_split_fields, nb::arg("buffer"), nb::arg("spans"));
    m.def("count_blank", &py_count_blank, nb::arg("buffer"), nb::arg("spans"));
    m.def("count_tabbed", &py_count_tabbed, nb::arg("buffer"), nb::arg("spans"));
    m.def("lower_ascii", &py_lower_ascii, nb::arg("buffer"), nb::arg("spans"));
    m.def("tokenise_lines", &py_tokenise_lines, nb::arg("buffer"), nb::arg("spans"),
          nb::arg("scheme"), nb::arg("threads"));
    m.def("encode_segments", &py_encode_segments, nb::arg("columns"), nb::arg("scheme"),
          nb::arg("threads"));
    m.def("match_ngrams", &py_match_ngrams, nb::arg("candidates"), nb::arg("others"),
          nb::arg("order"), nb::arg("distinct"), nb::arg("joint"), nb::arg("threads"));
    m.def("ngram_bags", &py_ngram_bags, nb::arg("columns"), nb::arg("order"), nb::arg("threads"));
    m.def("bag_overlaps", &py_bag_overlaps, nb::arg("left"), nb::arg("right"), nb::arg("threads"));
    m.def("resample_sums", &py_resample_sums, nb::arg("stats"), nb::arg("weights"), nb::arg("seed"),
          nb::arg("first"), nb::arg("sums"), nb::arg("threads"));
    m.def("group_correlations", &py_group_correlations, nb::arg("x"), nb::arg("y"), nb::arg("offsets"),
          nb::arg("coefficient"), nb::arg("threads"));
    m.def("resampled_correlations", &py_resampled_correlations, nb::arg("x"), nb::arg("y"),
          nb::arg("offsets"), nb::arg("units"), nb::arg("complement"), nb::arg("coefficient"),
          nb::arg("weights"), nb::arg("zero_constant"), nb::arg("seed"), nb::arg("replicates"),
          nb::arg("threads"));
    m.def("resampled_maxima", &py_resampled_maxima, nb::arg("gain"), nb::arg("last"), nb::arg("units"),
          nb::arg("complement"), nb::arg("weights"), nb::arg("seed"), nb::arg("replicates"),
          nb::arg("threads"));
    m.def("unicode_ranges", &py_unicode_ranges, nb::arg("category"));
    nb::class_<Vocabulary>(m, "Vocabulary")
        .def(nb::init<>())
        .def("__len__", &Vocabulary::size)
        .def("add", &Vocabulary::add, nb::arg("token"))
        .def("find", &Vocabulary::find, nb::arg("token"))
        .def("token", &Vocabulary::token, nb::arg("number"))
        .def("encode", &py_vocabulary_encode, nb::arg("buffer"), nb::arg("spans"), nb::arg("scheme"),
             nb::arg("grow"), nb::arg("threads"));
}
