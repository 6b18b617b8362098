// The second pass of synchronous parsing (Dyer 2010): the target sentence with the forest's nodes as
// labels. For each node, the set of target spans it can stand for is a relation of positions, one row
// of bits per first position; the target side of a rule is a product of relations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "grammar/sync_chart.hpp"

namespace paragauge {

class SyncRelations {
public:
    using Word = bits::Word;
    explicit SyncRelations(const SyncGrammar& grammar)
        : grammar_(grammar), place_(grammar.words(), 0), memo_(grammar.nodes()) {}

    // The relations of all nodes of a chart.
    void parse(const SyncChart& chart, SyncChart::Words target, const SyncSettings& settings,
               SyncBudget& budget);

    // Whether nodes cover both sentences.
    bool covered(const SyncSettings& settings) const;

    std::size_t rows() const { return target_.size() + 1; }
    SyncChart::Words target() const { return target_; }
    bits::ConstBits row(std::size_t node, std::size_t from) const {
        return std::span(relations_).subspan((node * rows() + from) * words_, words_);
    }
    // Positions at which some span of a node begins.
    bits::ConstBits starts(std::size_t node) const {
        return std::span(starts_).subspan(node * words_, words_);
    }
    bool alive(std::size_t node) const { return !bits::empty(starts(node)); }
    // The rules at a node of the trie whose target words all occur in the target sentence.
    std::span<const std::uint32_t> usable(std::uint32_t trie_node);

private:
    // A symbol of a target side: the positions of a word, or the relation of a node.
    struct Step {
        const Word* relation;  // null for a word
        const Word* positions;
    };
    struct Memo {
        std::uint32_t stamp = 0, first = 0, last = 0;
    };
    void number_words(SyncChart::Words target);
    void fill(const SyncChart& chart, std::size_t at, const SyncSettings& settings, SyncBudget& budget);
    void unary(const SyncChart& chart, std::size_t at, SyncBudget& budget);
    bool compose(SyncGrammar::Symbols side, const std::uint32_t* children, std::size_t node);
    bool compose_narrow(Word* out) const;
    bool compose_wide(Word* out);
    void note_starts(SyncChart::Numbers nodes);

    const SyncGrammar& grammar_;
    const SyncChart* chart_ = nullptr;
    SyncChart::Words target_;
    std::size_t words_ = 0;
    std::vector<Word> relations_, starts_, positions_, row_;
    std::vector<std::uint32_t> place_;  // by word: from 1 on, where its positions are; 0: not in the target
    std::vector<Memo> memo_;            // by node of the trie
    std::vector<std::uint32_t> usable_, unary_, outputs_;
    std::vector<Step> steps_;
    std::uint32_t stamp_ = 0;
};

}  // namespace paragauge
