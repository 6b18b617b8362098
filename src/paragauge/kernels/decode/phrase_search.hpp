// Stack search for translations of one sentence. reference/decode/phrase_decoder.py defines the result.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "decode/phrase_options.hpp"

namespace paragauge {

constexpr std::size_t kLongestSentence = 256;  // words

// Which words are translated.
struct Coverage {
    std::array<std::uint64_t, kLongestSentence / 64> bits{};  // the last word is the most significant

    bool has(std::size_t at) const { return bits[at / 64] >> at % 64 & 1; }
    void add(std::size_t at) { bits[at / 64] |= std::uint64_t{1} << at % 64; }
    std::uint64_t hash() const {
        std::uint64_t key = 0;
        for (const std::uint64_t word : bits) key = mix(key ^ word);
        return key;
    }
    bool operator==(const Coverage&) const = default;
    std::strong_ordering operator<=>(const Coverage& other) const {
        for (std::size_t i = bits.size(); i-- > 0;)
            if (bits[i] != other.bits[i]) return bits[i] <=> other.bits[i];
        return std::strong_ordering::equal;
    }
};

constexpr std::uint32_t kNoArc = 0xFFFFFFFF;

// A hypothesis, which represents all that have the same possible continuations.
struct PhraseNode {
    Coverage coverage;
    std::uint64_t hash;  // of the coverage
    std::uint32_t last;  // where its last phrase ends
    Node state;
    double score;   // of the best path to it
    double future;  // estimate for the words not translated yet
    std::uint32_t arcs;

    double total() const { return score + future; }
};

// A step from one hypothesis to another.
struct PhraseArc {
    std::uint32_t from;  // a node of PhraseSearch::nodes
    std::uint32_t option;
    std::uint32_t next;  // another arc to the same node
    double score;
    double log10;  // of the language model
};

class PhraseSearch {
public:
    // Afterwards `nodes` has all hypotheses that were kept, stack by stack; the last one is the whole
    // translation. Contract: 1 to kLongestSentence words.
    void run(const PhraseModel& model, const PhraseSentence& sentence, const PhraseOptions& options);

    const std::vector<PhraseNode>& nodes() const { return nodes_; }
    const std::vector<PhraseArc>& arcs() const { return arcs_; }

private:
    // Hypotheses with the same number of translated words.
    struct Stack {
        std::vector<PhraseNode> nodes;
        std::vector<std::uint32_t> table;  // open addressing; numbers of nodes plus one
        double best = -std::numeric_limits<double>::infinity();
        double cut = -std::numeric_limits<double>::infinity();  // worse hypotheses are dropped
        std::size_t trigger = 0;

        void reset(std::size_t size);
    };

    void expand(std::uint32_t number, std::size_t covered);
    void extend(std::uint32_t number, std::size_t covered, std::size_t start, std::size_t end,
                const Coverage& coverage);
    void put(Stack& stack, const PhraseNode& node, const PhraseArc& arc);
    void prune(Stack& stack);
    void finish(Stack& stack);
    double future(const Coverage& coverage) const;
    void drop_arcs(PhraseNode& node, double cut);
    static void index(Stack& stack);

    StepCache cache_;
    const PhraseModel* model_ = nullptr;
    const PhraseOptions* options_ = nullptr;
    std::size_t size_ = 0;
    std::vector<PhraseNode> nodes_;
    std::vector<PhraseArc> arcs_;
    std::vector<Stack> stacks_;
    std::vector<double> totals_;  // for prune
};

}  // namespace paragauge
