// Bindings of matching and bags of n-grams.

#include "bind/binding.hpp"
#include "matching/ngrams.hpp"

namespace paragauge {

namespace {

nb::object py_match_ngrams(nb::tuple candidates, nb::tuple others, std::size_t order, std::string_view counting,
                           bool joint, std::size_t threads) {
    nb::list list;
    list.append(candidates);
    list.append(others);
    const auto columns = columns_of<IdColumn>(list, id_column);
    require(columns[0].groups.empty(), "candidates have one line per segment");
    require(order >= 1, "order must be at least 1");
    const MatchSettings settings{order, counting_named(counting), joint, threads};
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = match_ngrams(columns[0], columns[1], settings);
    }
    return give(std::move(rows), 2 * order);
}

nb::list list_of(const std::vector<std::int64_t>& values) {
    nb::list list;
    for (const std::int64_t value : values) list.append(value);
    return list;
}

std::string_view pair_text(nb::handle text) {
    std::string_view line;
    if (!nb::try_cast<std::string_view>(text, line)) throw nb::type_error("expected text");
    return line;
}

// One pair takes microseconds: the interpreter's lock is kept, and the counts are plain Python numbers.
const PairCounts& count_pair(nb::handle candidate, nb::handle others, std::string_view scheme,
                             std::size_t order, std::string_view counting, bool joint) {
    require(order >= 1, "order must be at least 1");
    const std::string_view own = pair_text(candidate);
    const MatchSettings settings{order, counting_named(counting), joint, 1};
    if (nb::isinstance<nb::str>(others)) {
        const std::string_view line = pair_text(others);
        return match_pair(own, {&line, 1}, scheme_named(scheme), settings);
    }
    std::vector<std::string_view> lines;
    if (nb::isinstance<nb::list>(others) || nb::isinstance<nb::tuple>(others))
        for (const nb::handle other : others) lines.push_back(pair_text(other));
    if (lines.empty()) throw nb::type_error("expected a text or a list of texts");
    return match_pair(own, lines, scheme_named(scheme), settings);
}

nb::object py_match_pair(nb::handle candidate, nb::handle others, std::string_view scheme,
                         std::size_t order, std::string_view counting, bool joint) {
    const PairCounts& counts = count_pair(candidate, others, scheme, order, counting, joint);
    return nb::make_tuple(list_of(counts.lengths), list_of(counts.rows));
}

double py_pair_novelty(nb::handle candidate, nb::handle others, std::string_view scheme,
                       std::size_t order, std::string_view counting, bool joint, double missing) {
    const PairCounts& counts = count_pair(candidate, others, scheme, order, counting, joint);
    if (!joint && counts.lengths.size() != 2) throw nb::type_error("expected one other text");
    return novelty(counts, missing);
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

}  // namespace

void bind_ngrams(nb::module_& m) {
    m.def("match_ngrams", &py_match_ngrams, nb::arg("candidates"), nb::arg("others"),
          nb::arg("order"), nb::arg("counting"), nb::arg("joint"), nb::arg("threads"));
    m.def("match_pair", &py_match_pair, nb::arg("candidate").none(), nb::arg("others").none(), nb::arg("scheme"),
          nb::arg("order"), nb::arg("counting"), nb::arg("joint"));
    m.def("pair_novelty", &py_pair_novelty, nb::arg("candidate").none(), nb::arg("others").none(), nb::arg("scheme"),
          nb::arg("order"), nb::arg("counting"), nb::arg("joint"), nb::arg("missing"));
    m.def("ngram_bags", &py_ngram_bags, nb::arg("columns"), nb::arg("order"), nb::arg("threads"));
    m.def("bag_overlaps", &py_bag_overlaps, nb::arg("left"), nb::arg("right"), nb::arg("threads"));
}

}  // namespace paragauge
