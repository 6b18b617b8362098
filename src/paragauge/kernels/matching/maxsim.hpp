// MAXSIM (Chan and Ng 2008): maximum-weight matching of the n-grams, and of the dependency
// relations, of two sentences. Words are pairs of a lemma and a tag, both numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lexicon/synonyms.hpp"

namespace paragauge {

// Several ids per item of a line (lemma and tag; child, type and parent), sharing the offsets.
template <std::size_t Fields>
struct ItemColumn {
    std::span<const std::int32_t> fields[Fields];
    std::span<const std::int64_t> offsets;
    std::span<const std::int64_t> groups;  // as in TextColumn

    std::size_t lines() const { return offsets.size() - 1; }
    std::size_t segments() const { return groups.empty() ? lines() : groups.size() - 1; }
    std::size_t first_line(std::size_t segment) const {
        return groups.empty() ? segment : static_cast<std::size_t>(groups[segment]);
    }
    std::size_t size(std::size_t line) const {
        return static_cast<std::size_t>(offsets[line + 1] - offsets[line]);
    }
    const std::int32_t* at(std::size_t field, std::size_t line) const {
        return fields[field].data() + offsets[line];
    }
};
using WordColumn = ItemColumn<2>;
using RelationColumn = ItemColumn<3>;

struct MaxSimSettings {
    std::size_t order;
    bool tag_phase, lemma_phase, graph_phase;
    bool self;  // whether a lemma without a set is a synonym of itself
    std::size_t threads;
};

// One link of an alignment: the order n, the phase (1 lemma and tag, 2 lemma, 3 graph), the
// positions of the two items, and the weight in units of 1 / (2n), or of 1 / 3 for relations.
constexpr std::size_t kLinkFields = 5;

struct Matched {
    std::vector<std::int64_t> rows;     // see maxsim_ngrams
    std::vector<std::int32_t> links;    // kLinkFields numbers each
    std::vector<std::int64_t> offsets;  // links of line i: offsets[i] to offsets[i + 1]
};

// For each reference line 3 * order integers: for n = 1 ... order the weight of the matching in
// units of 1 / (2n), and the numbers of candidate and of reference n-grams. With `links`, also
// which n-grams were matched. Contract: both columns have the same number of segments, the
// candidates one line per segment, and every lemma has a set.
Matched maxsim_ngrams(const WordColumn& candidates, const WordColumn& references,
                      const LemmaSets& sets, const MaxSimSettings& settings, bool links);

// For each reference line the weight of the matching in thirds, and the numbers of candidate and of
// reference relations; links as above, with n = 0 and phase 3.
Matched maxsim_relations(const RelationColumn& candidates, const RelationColumn& references,
                         const LemmaSets& sets, bool self, std::size_t threads, bool links);

}  // namespace paragauge
