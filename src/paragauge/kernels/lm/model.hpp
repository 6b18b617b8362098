// Queries of a back-off language model. The state between two words is one number: the node of the
// longest n-gram that ends there and is a context. reference/lm/model.py defines the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lm/estimate.hpp"
#include "lm/trie.hpp"

namespace paragauge {

struct SentenceScores {
    std::vector<double> log10;          // per sentence, </s> included
    std::vector<double> known;          // the part from known words and </s>
    std::vector<std::int64_t> unknown;  // words outside the model
};

struct TokenScores {
    std::vector<double> log10;           // per token, </s> after each sentence included
    std::vector<std::int32_t> matched;   // length of the n-gram that gave the probability
    std::vector<std::int64_t> offsets;
};

class NgramModel {
public:
    // Throws std::invalid_argument if the levels are not a trie: unigrams are all words in order, and
    // other orders are sorted by (parent, word).
    NgramModel(std::span<const NgramLevel> levels, std::size_t threads);

    std::size_t order() const { return firsts_.size() - 1; }
    std::size_t words() const { return firsts_[1] - firsts_[0]; }
    std::size_t states() const { return suffixes_.size(); }
    Node begin() const { return order() > 1 ? kBegin + 1 : kRoot; }

    struct Step {
        double log10;
        Node node;  // of the n-gram that was found; with kHighest: the state after it
    };
    // The probability of `word` after `state`, which becomes the state after the word.
    Step step(Node& state, std::uint32_t word) const {
        double sum = 0;
        for (Node context = state; context != kRoot; context = suffixes_[context]) {
            if (const TrieTable::Slot* slot = table_.find(context, word)) {
                state = slot->node & ~kHighest;
                return {sum + slot->probability, slot->node};
            }
            sum += backoffs_[context];
        }
        state = order() > 1 ? word + 1 : kRoot;
        return {sum + unigrams_[word], word + 1};
    }
    // Prefetches memory: call it some time before `step`.
    void prefetch(Node state, std::uint32_t word) const { table_.prefetch(state, word); }

    SentenceScores sentences(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets,
                             std::size_t threads) const;
    TokenScores tokens(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets,
                       std::size_t threads) const;

    // An upper bound of the word's probability after any state (log10).
    double most(std::uint32_t word) const {
        return most_[word] + static_cast<double>(order() - 1) * most_backoff_;
    }
    Node first(std::size_t order_less_one) const { return firsts_[order_less_one]; }
    Node suffix(Node node) const { return suffixes_[node]; }
    const TrieTable::Slot* child(Node context, std::uint32_t word) const {
        return table_.find(context, word);
    }
    std::size_t length_of(Node node) const {
        if (node & kHighest) return order();
        std::size_t length = 0;
        while (length < order() && node >= firsts_[length]) ++length;
        return length;
    }

private:
    void link(const NgramLevel& level, std::size_t k, std::size_t threads);

    TrieTable table_;
    std::vector<Node> firsts_;  // the first node of each order, then the number of nodes
    std::vector<float> unigrams_;
    std::vector<float> most_;  // per word, the highest probability of an n-gram that ends with it
    float most_backoff_ = 0;   // the highest back-off, at least 0
    // Per node below the highest order:
    std::vector<float> backoffs_;
    std::vector<Node> suffixes_;  // its longest proper suffix in the model
};

}  // namespace paragauge
