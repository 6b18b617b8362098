// The best derivations of a sentence with different texts, lazily; see reference/decode/cube_kbest.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "decode/cube_chart.hpp"

namespace paragauge {

// How many more derivations to make if the last of a list ties with others; their texts break the tie.
inline constexpr std::size_t kTies = 64;

class CubeKBest {
public:
    explicit CubeKBest(const CubeChart& chart) : chart_(chart) {}

    struct Derivation {
        double score;
        std::uint32_t edge;
        std::vector<std::uint32_t> at;  // which derivation of each item under the edge
        std::vector<std::int32_t> text;
    };
    // The derivation of the sentence with this rank, from 0, or null; valid until the next call.
    const Derivation* at(std::size_t number) { return at(chart_.goal(), number); }
    // Its rules: from the top, then from left to right.
    void rules(const Derivation& derivation, std::vector<std::uint32_t>& into);

private:
    struct Candidate {
        double score;
        std::uint32_t edge;
        std::vector<std::uint32_t> at;

        bool operator<(const Candidate& other) const {
            if (score != other.score) return score < other.score;
            if (edge != other.edge) return edge > other.edge;
            return other.at < at;
        }
    };
    struct Progress {
        bool started = false, pending = false;
        std::vector<Derivation> derivations;
        std::unordered_set<std::uint64_t> texts;  // hashes of those of the derivations
        std::vector<Candidate> queue;
        Candidate last;
    };

    const Derivation* at(std::uint32_t item, std::size_t number);
    void start(std::uint32_t item, Progress& progress);
    void push_next(Progress& progress);
    bool score(Candidate& candidate);
    void take(Progress& progress);

    const CubeChart& chart_;
    std::unordered_map<std::uint32_t, Progress> progress_;
};

}  // namespace paragauge
