// The best different translations in what a search has kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "phrase_search.hpp"

namespace paragauge {

struct PhraseTranslation {
    std::string text;
    double score;
    PhraseValues features;
};

constexpr std::size_t kDerivationsPerText = 20;  // as Moses' n-best-factor, and
constexpr std::size_t kMoreDerivations = 1000;   // for sentences with many derivations of one text

// Ways through the graph of hypotheses, the best first (Huang and Chiang 2005, algorithm 3).
class PhrasePaths {
public:
    explicit PhrasePaths(const PhraseSearch& search) : search_(search) {}

    struct Path {
        double score;
        std::uint32_t arc;
        std::uint32_t rank;  // which of the ways to the arc's node
    };
    // The way with this rank to a node; null if there are not so many.
    const Path* find(std::uint32_t node, std::size_t rank);

private:
    struct Ways {
        std::vector<Path> waiting;  // a heap
        std::vector<Path> found;
        bool followed = true;  // whether the way after the last found one is among those that wait
    };

    bool worse(const Path& a, const Path& b) const;
    Ways& ways(std::uint32_t node);
    void push(Ways& ways, std::uint32_t arc, std::uint32_t rank);

    const PhraseSearch& search_;
    std::unordered_map<std::uint32_t, Ways> ways_;
};

// At most `size` translations, by falling score, then by their bytes.
std::vector<PhraseTranslation> best_translations(const PhraseModel& model, const PhraseSentence& sentence,
                                                 const PhraseOptions& options, const PhraseSearch& search,
                                                 std::size_t size);

}  // namespace paragauge
