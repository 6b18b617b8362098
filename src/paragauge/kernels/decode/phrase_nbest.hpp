// The best different translations in the graph of a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "decode/phrase_search.hpp"

namespace paragauge {

struct PhraseTranslation {
    std::string text;
    double score;
    PhraseValues features;
};

// Limit of the texts examined for a list while scores are equal: per text asked for, plus a constant.
constexpr std::size_t kTextsPerText = 20;
constexpr std::size_t kMoreTexts = 1000;

// Paths through the graph of hypotheses, best first (Huang and Chiang 2005, algorithm 3). Of the paths to
// a node with the same text only the best is kept: no continuation makes another one better. Texts are
// compared by a 64-bit hash.
class PhrasePaths {
public:
    PhrasePaths(const PhraseModel& model, const PhraseSentence& sentence, const PhraseOptions& options,
                const PhraseSearch& search)
        : model_(model), sentence_(sentence), options_(options), search_(search) {}

    struct Path {
        double score;
        std::uint32_t arc;
        std::uint32_t rank;  // which of the paths to the arc's node
        std::uint64_t text;  // a hash
    };
    // The path to a node with this rank; null if there are fewer.
    const Path* find(std::uint32_t node, std::size_t rank);

private:
    struct Ways {
        std::vector<Path> waiting;  // a heap
        std::vector<Path> paths;
        std::unordered_set<std::uint64_t> texts;
        std::optional<Path> last;  // taken from the heap; its successor is not in it yet
    };

    bool worse(const Path& a, const Path& b) const;
    Ways& ways(std::uint32_t node);
    void push(Ways& ways, std::uint32_t arc, std::uint32_t rank);
    std::uint64_t extended(std::uint64_t text, const PhraseOption& option) const;

    const PhraseModel& model_;
    const PhraseSentence& sentence_;
    const PhraseOptions& options_;
    const PhraseSearch& search_;
    std::unordered_map<std::uint32_t, Ways> ways_;
};

// At most `size` translations, by descending score, then by their bytes.
std::vector<PhraseTranslation> best_translations(const PhraseModel& model, const PhraseSentence& sentence,
                                                 const PhraseOptions& options, const PhraseSearch& search,
                                                 std::size_t size);

}  // namespace paragauge
