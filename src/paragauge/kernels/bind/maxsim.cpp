// Bindings of MAXSIM's matchings.

#include "bind/binding.hpp"
#include "matching/assignment.hpp"
#include "matching/maxsim.hpp"
#include "matching/similarity.hpp"
#include "matching/soft.hpp"

namespace paragauge {

namespace {

using Weights = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A table of this weight would not fit in 64 bits when potentials are added up.
constexpr std::int64_t kHeaviest = std::int64_t{1} << 40;

nb::object py_assignment(const Weights& weights) {
    const std::span<const std::int64_t> flat(weights.data(), weights.shape(0) * weights.shape(1));
    for (const std::int64_t weight : flat)
        require(weight >= 0 && weight <= kHeaviest, "weights must be from 0 to 2^40");
    std::vector<std::int32_t> match;
    {
        nb::gil_scoped_release release;
        Assignment assignment;
        const auto columns = assignment.solve(flat, weights.shape(0), weights.shape(1));
        match.assign(columns.begin(), columns.end());
    }
    return give(std::move(match));
}

// A larger weight would have as many levels of prices.
constexpr std::int64_t kSmallWeight = 1000;

std::int64_t py_matching_weight(const Weights& weights) {
    const std::size_t rows = weights.shape(0), columns = weights.shape(1);
    const std::span<const std::int64_t> flat(weights.data(), rows * columns);
    for (const std::int64_t weight : flat)
        require(weight >= 0 && weight <= kSmallWeight, "weights must be from 0 to 1000");
    nb::gil_scoped_release release;
    SmallWeightMatching graph;
    graph.start(columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j)
            if (const std::int64_t weight = flat[i * columns + j]; weight > 0)
                graph.add(j, static_cast<std::int32_t>(weight));
        graph.end_row();
    }
    return graph.weight();
}

void check_lemmas(std::span<const std::int32_t> lemmas, std::size_t known) {
    for (const std::int32_t lemma : lemmas)
        require(lemma >= 0 && static_cast<std::size_t>(lemma) < known, "every lemma must have a set");
}

// (ids of the first field, ..., offsets, groups or None)
template <std::size_t Fields>
ItemColumn<Fields> item_column(const nb::tuple& parts) {
    require(parts.size() == Fields + 2, "a column has its fields, offsets and groups");
    ItemColumn<Fields> column;
    for (std::size_t i = 0; i < Fields; ++i) {
        column.fields[i] = view(exact<Array<std::int32_t>>(parts[i]));
        require(column.fields[i].size() == column.fields[0].size(),
                "the fields of a column must be equally long");
    }
    column.offsets = view(exact<Array<std::int64_t>>(parts[Fields]));
    check_increasing(column.offsets, column.fields[0].size(),
                     "offsets must not decrease and must stay within the items");
    column.groups = groups_of(parts[Fields + 1], column.lines());
    return column;
}

template <class Column>
void check_columns(const Column& candidates, const Column& references) {
    require(candidates.groups.empty(), "candidates have one line per segment");
    require(candidates.segments() == references.segments(),
            "all columns must have the same number of segments");
}

nb::object give_matched(Matched&& matched, std::size_t width, bool links) {
    nb::object rows = give(std::move(matched.rows), width);
    if (!links) return rows;
    return nb::make_tuple(rows, give(std::move(matched.links), kLinkFields),
                          give(std::move(matched.offsets)));
}

nb::object py_maxsim_ngrams(nb::tuple candidates, nb::tuple references, nb::tuple sets,
                            std::size_t order, nb::tuple phases, bool self, bool links,
                            std::size_t threads) {
    const WordColumn mine = item_column<2>(candidates), theirs = item_column<2>(references);
    check_columns(mine, theirs);
    const LemmaSets known = lemma_sets(sets);
    check_lemmas(mine.fields[0], known.size());
    check_lemmas(theirs.fields[0], known.size());
    require(order >= 1 && order <= 64, "order must be from 1 to 64");
    require(phases.size() == 3, "phases are a tuple of three");
    const MaxSimSettings settings{order,
                                  nb::cast<bool>(phases[0]),
                                  nb::cast<bool>(phases[1]),
                                  nb::cast<bool>(phases[2]),
                                  self,
                                  threads};
    Matched matched;
    {
        nb::gil_scoped_release release;
        matched = maxsim_ngrams(mine, theirs, known, settings, links);
    }
    return give_matched(std::move(matched), 3 * order, links);
}

nb::object py_maxsim_relations(nb::tuple candidates, nb::tuple references, nb::tuple sets, bool self,
                               bool links, std::size_t threads) {
    const RelationColumn mine = item_column<3>(candidates), theirs = item_column<3>(references);
    check_columns(mine, theirs);
    const LemmaSets known = lemma_sets(sets);
    for (const std::size_t field : {std::size_t{0}, std::size_t{2}}) {
        check_lemmas(mine.fields[field], known.size());
        check_lemmas(theirs.fields[field], known.size());
    }
    Matched matched;
    {
        nb::gil_scoped_release release;
        matched = maxsim_relations(mine, theirs, known, self, threads, links);
    }
    return give_matched(std::move(matched), 3, links);
}

WeightedColumn weighted_column(const nb::tuple& parts) {
    require(parts.size() == 5, "a weighted column is a tuple of five");
    const auto weights = view(exact<Array<double>>(parts[2]));
    const WeightedColumn column{item_column<2>(nb::make_tuple(parts[0], parts[1], parts[3], parts[4])),
                                weights};
    require(weights.size() == column.words.fields[0].size(), "every word must have a weight");
    for (const double weight : weights)
        require(weight >= 0.0 && weight <= 1.0, "weights must be from 0 to 1");
    return column;
}

nb::object py_soft_words(nb::tuple candidates, nb::tuple references, nb::tuple sets, nb::tuple lemmas,
                         double synonym, double characters, double category, double distance,
                         double floor, bool links, std::size_t threads) {
    const WeightedColumn mine = weighted_column(candidates), theirs = weighted_column(references);
    check_columns(mine.words, theirs.words);
    const LemmaSets known = lemma_sets(sets);
    require(lemmas.size() == 2, "lemmas are a tuple of a buffer and spans");
    const TextColumn texts = text_column(exact<Array<std::uint8_t>>(lemmas[0]),
                                         exact<Spans>(lemmas[1]), nb::none());
    require(texts.lines() == known.size(), "every lemma must have a set and a text");
    check_lemmas(mine.words.fields[0], known.size());
    check_lemmas(theirs.words.fields[0], known.size());
    for (const double share : {synonym, characters, category, distance, floor})
        require(share >= 0.0 && share <= 1.0, "settings must be from 0 to 1");
    const SoftSettings settings{synonym, characters, category, distance, floor, threads};
    SoftMatched matched;
    {
        nb::gil_scoped_release release;
        matched = soft_words(mine, theirs, known, texts, settings, links);
    }
    nb::object rows = give(std::move(matched.rows), kSoftFields);
    if (!links) return rows;
    return nb::make_tuple(rows, give(std::move(matched.links), 2),
                          give(std::move(matched.similarities)), give(std::move(matched.offsets)));
}

nb::object py_similar_ngrams(nb::tuple candidates, nb::tuple references,
                             const Array<double>& similarities, std::size_t order, nb::tuple phases,
                             bool links, std::size_t threads) {
    const WeightedColumn mine = weighted_column(candidates), theirs = weighted_column(references);
    check_columns(mine.words, theirs.words);
    require(order >= 1 && order <= 64, "order must be from 1 to 64");
    require(phases.size() == 3, "phases are a tuple of three");
    const std::span<const double> tables = view(similarities);
    std::size_t pairs = 0;
    for (std::size_t segment = 0; segment < theirs.words.segments(); ++segment)
        for (std::size_t line = theirs.words.first_line(segment);
             line < theirs.words.first_line(segment + 1); ++line)
            pairs += mine.words.size(segment) * theirs.words.size(line);
    require(tables.size() == pairs, "every pair of words must have a similarity");
    for (const double similarity : tables)
        require(similarity >= 0.0 && similarity <= 1.0, "similarities must be from 0 to 1");
    const SimilaritySettings settings{order, nb::cast<bool>(phases[0]), nb::cast<bool>(phases[1]),
                                      nb::cast<bool>(phases[2]), threads};
    SimilarMatched matched;
    {
        nb::gil_scoped_release release;
        matched = similar_ngrams(mine, theirs, tables, settings, links);
    }
    nb::object rows = give(std::move(matched.rows), 3 * order);
    if (!links) return rows;
    return nb::make_tuple(rows, give(std::move(matched.links), kSimilarLinkFields),
                          give(std::move(matched.weights)), give(std::move(matched.offsets)));
}

}  // namespace

void bind_maxsim(nb::module_& m) {
    m.def("assignment", &py_assignment, nb::arg("weights"));
    m.def("matching_weight", &py_matching_weight, nb::arg("weights"));
    m.def("maxsim_ngrams", &py_maxsim_ngrams, nb::arg("candidates"), nb::arg("references"),
          nb::arg("sets"), nb::arg("order"), nb::arg("phases"), nb::arg("self"), nb::arg("links"),
          nb::arg("threads"));
    m.def("maxsim_relations", &py_maxsim_relations, nb::arg("candidates"), nb::arg("references"),
          nb::arg("sets"), nb::arg("self"), nb::arg("links"), nb::arg("threads"));
    m.def("similar_ngrams", &py_similar_ngrams, nb::arg("candidates"), nb::arg("references"),
          nb::arg("similarities"), nb::arg("order"), nb::arg("phases"), nb::arg("links"),
          nb::arg("threads"));
    m.def("soft_words", &py_soft_words, nb::arg("candidates"), nb::arg("references"), nb::arg("sets"),
          nb::arg("lemmas"), nb::arg("synonym"), nb::arg("characters"), nb::arg("category"),
          nb::arg("distance"), nb::arg("floor"), nb::arg("links"), nb::arg("threads"));
}

}  // namespace paragauge
