// Words matched by degrees: synonyms, shared characters, parts of speech and positions all give
// partial credit, in the framework of MAXSIM (Chan and Ng 2008), which allows any similarity between items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "matching/maxsim.hpp"

namespace paragauge {

struct SoftSettings {
    double synonym;     // similarity of two synonyms
    double characters;  // similarity of two words with the same character n-grams
    double category;    // factor for words of different categories
    double distance;    // share lost by words at opposite ends of their sentences
    double floor;       // similarities below this count as 0
    std::size_t threads;
};

// Lemma and category of each word, with a weight from 0 to 1.
struct WeightedColumn {
    WordColumn words;
    std::span<const double> weights;
};

constexpr std::size_t kSoftFields = 6;

struct SoftMatched {
    std::vector<double> rows;           // see soft_words
    std::vector<std::int32_t> links;    // positions of the two words of each link
    std::vector<double> similarities;   // one per link
    std::vector<std::int64_t> offsets;  // links of line i: offsets[i] to offsets[i + 1]
};

// For each reference line: weight of the heaviest matching, weights of the candidate's and of the
// reference's words, number of links, number of chunks (runs of links that are neighbors in both
// sentences), and the sum of the links' distances. `lemmas` has the text of each lemma.
// Contract: as for maxsim_ngrams; every lemma has a text.
SoftMatched soft_words(const WeightedColumn& candidates, const WeightedColumn& references,
                       const LemmaSets& sets, const TextColumn& lemmas,
                       const SoftSettings& settings, bool links);

}  // namespace paragauge
