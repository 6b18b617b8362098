// A synchronous grammar ready for parsing: rules as numbers, and a trie of their source sides.
// reference/grammar/sync_grammar.py defines rules and which rows are rejected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/columns.hpp"
#include "base/hashing.hpp"
#include "text/encode.hpp"

namespace paragauge {

// Columns of rules in normal form: `[1] 's [2]`, with labels separated by a space.
struct RuleRows {
    TextRows lhs, labels, source, target;
    std::span<const double> costs;
};

class SyncGrammar {
public:
    using Symbol = std::int32_t;  // a word from 0; -1 - label on a source side, -index on a target side
    using Symbols = std::span<const Symbol>;
    static constexpr std::size_t kMostNonterminals = 32;
    static constexpr std::uint8_t kSourceSide = 1, kTargetSide = 2;

    // The words of the sentences to parse, and the sides on which each occurs. Throws
    // std::invalid_argument for a repeated word.
    SyncGrammar(const TextRows& words, std::span<const std::uint8_t> sides);
    SyncGrammar(const SyncGrammar&) = delete;
    SyncGrammar& operator=(const SyncGrammar&) = delete;

    // Adds the rules whose source words are words of that side. One with other words on its target
    // side counts for the parse of the source only. Returns the number of the first row that is not
    // a rule, and then adds none; or the number of rows.
    std::size_t add(const RuleRows& rows, std::size_t threads);
    // Builds the trie; rules added later are in it after the next call.
    void finish();

    std::size_t size() const { return lhs_.size(); }
    // Whether all rules are in the trie.
    bool finished() const { return finished_ == size(); }
    std::size_t words() const { return sides_.size(); }
    std::size_t labels() const { return labels_.size(); }
    std::int32_t label(std::string_view name) { return labels_.add(name); }
    Joined label_texts() const { return labels_.texts(0); }
    // Whether each label is that of a non-terminal of a rule.
    std::vector<std::uint8_t> inner() const;
    // Whether each word occurs in the source side of some row that was added, used or not.
    std::span<const std::uint8_t> known() const { return known_; }

    std::int32_t lhs(std::size_t rule) const { return lhs_[rule]; }
    double cost(std::size_t rule) const { return costs_[rule]; }
    Symbols source(std::size_t rule) const { return part(source_, source_offsets_, rule); }
    Symbols target(std::size_t rule) const { return part(target_, target_offsets_, rule); }

    // The trie: node 0 is the root; the children of a node are sorted by symbol, labels first.
    std::size_t nodes() const { return first_child_.empty() ? 0 : first_child_.size() - 1; }
    struct Children {
        Symbols symbols;
        std::span<const std::uint32_t> nodes;
    };
    Children label_children(std::uint32_t node) const {
        return children(first_child_[node], first_word_[node]);
    }
    bool has_words(std::uint32_t node) const { return first_word_[node] < first_child_[node + 1]; }
    // The child of a node over a symbol, or 0.
    std::uint32_t child(std::uint32_t node, Symbol symbol) const;
    // The left sides of all rules whose source side ends at a node.
    std::span<const std::int32_t> heads(std::uint32_t node) const {
        return std::span(heads_).subspan(first_head_[node], first_head_[node + 1] - first_head_[node]);
    }
    // Those rules, in the order in which they were added, as far as all target words are known.
    std::span<const std::uint32_t> rules(std::uint32_t node) const {
        return std::span(rules_).subspan(first_rule_[node], first_rule_[node + 1] - first_rule_[node]);
    }

private:
    struct Part;
    void read(const RuleRows& rows, std::size_t first, std::size_t last, Part& part) const;
    void keep(const RuleRows& rows, const Part& part);
    void take_heads();

    static Symbols part(const std::vector<Symbol>& pool, const std::vector<std::size_t>& offsets,
                        std::size_t rule) {
        return std::span(pool).subspan(offsets[rule], offsets[rule + 1] - offsets[rule]);
    }
    Children children(std::uint32_t first, std::uint32_t last) const {
        return {std::span(child_symbols_).subspan(first, last - first),
                std::span(child_nodes_).subspan(first, last - first)};
    }

    std::string text_;  // what the table of words points into
    StringTable words_;
    Vocabulary labels_;
    std::vector<std::uint8_t> sides_, known_;
    std::vector<std::int32_t> lhs_;
    std::vector<std::uint8_t> source_only_;
    std::vector<double> costs_;
    std::vector<Symbol> source_, target_;
    std::vector<std::size_t> source_offsets_{0}, target_offsets_{0};
    std::vector<std::uint32_t> first_child_, first_word_, child_nodes_, first_rule_, rules_, first_head_;
    std::vector<std::int32_t> heads_;
    std::vector<Symbol> child_symbols_;
    std::size_t finished_ = 0;               // rules in the trie
    std::vector<std::uint32_t> root_words_;  // the root's child over each word
};

}  // namespace paragauge
