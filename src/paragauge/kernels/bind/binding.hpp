// Shared by all bindings: array types, checks of shapes and bounds, and passing vectors to NumPy.
// Bindings check their arguments, release the GIL and call a kernel; each function is documented once,
// in its twin in reference/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/columns.hpp"
#include "base/hashing.hpp"
#include "lexicon/synonyms.hpp"

namespace paragauge {

namespace nb = nanobind;

void bind_lm(nb::module_& m);
void bind_text(nb::module_& m);
void bind_ngrams(nb::module_& m);
void bind_chrf_ter(nb::module_& m);
void bind_statistics(nb::module_& m);
void bind_maxsim(nb::module_& m);
void bind_tagger(nb::module_& m);
void bind_wordnet(nb::module_& m);
void bind_word_links(nb::module_& m);
void bind_pivot(nb::module_& m);
void bind_phrases(nb::module_& m);
void bind_sync(nb::module_& m);
void bind_align(nb::module_& m);
void bind_rewrite(nb::module_& m);
void bind_phrase_decoder(nb::module_& m);
void bind_phrase_matcher(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_constituents(nb::module_& m);
void bind_trees(nb::module_& m);
void bind_grammar_text(nb::module_& m);
void bind_clusters(nb::module_& m);
void bind_contexts(nb::module_& m);
void bind_cube(nb::module_& m);

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Spans = nb::ndarray<const std::int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// An array inside a tuple, used as it is: a converted copy would be freed before the kernel runs,
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

inline std::string_view text_of(const Array<std::uint8_t>& buffer) {
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

inline nb::object give(std::string&& text) {
    auto* owned = new std::string(std::move(text));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::string*>(p); });
    const std::size_t shape[1] = {owned->size()};
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(owned->data(), 1, shape, owner));
}

inline void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

inline void check_increasing(std::span<const std::int64_t> offsets, std::size_t limit, const char* message) {
    require(!offsets.empty() && offsets.front() >= 0, message);
    for (std::size_t i = 1; i < offsets.size(); ++i) require(offsets[i - 1] <= offsets[i], message);
    require(static_cast<std::size_t>(offsets.back()) <= limit, message);
}

inline std::span<const std::int64_t> groups_of(nb::handle object, std::size_t lines) {
    if (object.is_none()) return {};
    const auto groups = view(exact<Array<std::int64_t>>(object));
    check_increasing(groups, lines, "groups must not decrease and must stay within the lines");
    return groups;
}

inline TextColumn text_column(const Array<std::uint8_t>& buffer, const Spans& spans, nb::handle groups) {
    const auto size = static_cast<std::int64_t>(buffer.shape(0));
    const std::span<const std::int64_t> flat(spans.data(), spans.shape(0) * 2);
    for (std::size_t i = 0; i < flat.size(); i += 2)
        require(0 <= flat[i] && flat[i] <= flat[i + 1] && flat[i + 1] <= size,
                "spans must stay within the buffer");
    return {reinterpret_cast<const char*>(buffer.data()), buffer.shape(0), flat,
            groups_of(groups, spans.shape(0))};
}

inline IdColumn id_column(nb::handle ids, nb::handle offsets, nb::handle groups) {
    const auto id_view = view(exact<Array<std::int32_t>>(ids));
    const auto offset_view = view(exact<Array<std::int64_t>>(offsets));
    check_increasing(offset_view, id_view.size(),
                     "offsets must not decrease and must stay within the ids");
    return {id_view, offset_view, groups_of(groups, offset_view.size() - 1)};
}

// Sets of lemmas come from Python as tuples (members, offsets).
inline LemmaSets lemma_sets(nb::handle object) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 2, "sets are a tuple of two");
    const LemmaSets sets{view(exact<Array<std::int32_t>>(parts[0])),
                         view(exact<Array<std::int64_t>>(parts[1]))};
    check_increasing(sets.offsets, sets.members.size(),
                     "offsets must not decrease and must stay within the sets");
    return sets;
}

inline void check_ids(const IdColumn& column, std::size_t words) {
    for (const std::int32_t id : column.ids)
        require(0 <= id && static_cast<std::size_t>(id) < words, "every id must be an index of the words");
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

inline nb::object give(Encoded&& encoded) {
    return nb::make_tuple(give(std::move(encoded.ids)), give(std::move(encoded.offsets)));
}

// Texts come from Python as pairs (bytes, offsets), as Arrow stores them.
inline TextRows text_rows(nb::handle object) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 2, "texts are a tuple of two");
    const TextRows rows{text_of(exact<Array<std::uint8_t>>(parts[0])),
                        view(exact<Array<std::int64_t>>(parts[1]))};
    check_increasing(rows.offsets, rows.text.size(),
                     "offsets must not decrease and must stay within the text");
    return rows;
}

inline nb::object give_rows(Joined&& rows) {
    return nb::make_tuple(give(std::move(rows.text)), give(std::move(rows.offsets)));
}

}  // namespace paragauge
