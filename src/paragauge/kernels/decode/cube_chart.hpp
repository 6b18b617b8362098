// The items of one sentence: CKY with the trie of source sides, and cube pruning over each span.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "decode/cube_model.hpp"

namespace paragauge {

class CubeChart {
public:
    using Symbols = SyncGrammar::Symbols;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    struct Item {
        std::int32_t label;
        CubeState state;
        double score, rank;
        std::uint32_t first_edge, last_edge;
    };
    // The edges of an item are a linked list, in the order in which they were found.
    struct Edge {
        double transition;
        Symbols target;
        std::uint32_t rule, next;
        std::uint32_t tails, count;
    };

    CubeChart(const CubeModel& model, const CubeWords& words, std::span<const double> weights,
              const CubeSettings& settings);
    CubeChart(const CubeChart&) = delete;
    CubeChart& operator=(const CubeChart&) = delete;

    // Decodes a sentence of at least one word, by numbers of its own words.
    void parse(std::span<const std::int32_t> ids);

    std::uint32_t goal() const { return static_cast<std::uint32_t>(items_.size() - 1); }
    std::size_t items() const { return items_.size(); }
    const Item& item(std::uint32_t number) const { return items_[number]; }
    const Edge& edge(std::uint32_t number) const { return edges_[number]; }
    std::span<const std::uint32_t> tails(const Edge& edge) const {
        return std::span(edge_tails_).subspan(edge.tails, edge.count);
    }
    double static_score(std::uint32_t rule) const;
    // With the language model's estimate of the rule's words alone.
    double score_alone(std::uint32_t rule) const;
    // The number in the language model of a word of the grammar or, beyond these, of the sentences.
    std::uint32_t lm_word(std::int32_t word) const {
        const auto number = static_cast<std::size_t>(word);
        return number < model_.words() ? model_.lm_word(number)
                                       : model_.known(words_.lm_ids[number - model_.words()]);
    }

private:
    struct RuleRef {
        double score;
        std::uint32_t rule;
        Symbols target;
    };
    using RuleList = std::vector<RuleRef>;
    struct ItemList {  // positions in order_, best first
        std::uint32_t first = 0, last = 0;
        std::uint32_t size() const { return last - first; }
    };
    struct Group {
        std::int32_t label;
        ItemList items;
    };
    struct Dot {
        std::uint32_t node, tails, count;
    };
    struct Cell {
        std::uint32_t groups = 0, groups_end = 0, dots = 0, dots_end = 0;
        ItemList all;
        ItemList copy;  // the copied word for non-terminals of any label, or none
    };
    struct Cube {
        const RuleList* rules;
        std::uint32_t tails, count;
        std::int32_t label;  // kRuleLabel: the rule's left side
    };
    struct Candidate {
        double rank, score, transition;
        std::uint32_t cube, at;  // at: place in positions_
        CubeState state;
    };
    static constexpr std::int32_t kGlueLabel = -1, kRuleLabel = -2, kAnyLabel = -3;
    struct ItemHash {
        const CubeChart* chart;
        std::size_t operator()(std::uint32_t number) const;
    };
    struct ItemEqual {
        const CubeChart* chart;
        bool operator()(std::uint32_t a, std::uint32_t b) const;
    };

    std::size_t cell(std::size_t first, std::size_t last) const {
        return first * width_ + (last - first - 1);
    }
    void fill(std::size_t first, std::size_t last);
    void find_dots(std::size_t first, std::size_t last);
    void add_dot(std::uint32_t node, std::span<const ItemList> tails, const ItemList* more);
    bool has_children(std::uint32_t node) const;
    const RuleList& sorted_rules(std::uint32_t node);
    void glue(std::size_t last);
    void finish(ItemList glued);
    void add_cube(const RuleList& rules, std::span<const ItemList> tails, std::int32_t label);
    void prune();
    void push(std::uint32_t cube, std::span<const std::uint32_t> at);
    bool less(std::uint32_t a, std::uint32_t b) const;
    void pop_into_item(const Candidate& candidate);
    void add_edge(std::uint32_t item, const Edge& edge);
    void sort_items(std::uint32_t first, Cell& target);
    void add_copy(std::size_t first, Cell& target);
    // Calls body(child, items) for the items of a span under each label that may follow a node.
    template <class Body>
    void each_list(const Cell& cell, std::uint32_t node, const Body& body) const;

    const CubeModel& model_;
    const CubeWords& words_;
    std::span<const double> weights_;
    const CubeSettings& settings_;
    double lm_weight_;
    RuleList glue_, start_;

    std::vector<std::int32_t> sentence_;
    std::size_t width_ = 0;
    std::vector<RuleList> word_rules_;  // X -> w / w of each position
    std::vector<Cell> cells_;
    std::vector<ItemList> glued_;  // by the position after the last word
    std::vector<Dot> dots_;
    std::vector<ItemList> dot_tails_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> order_;
    std::vector<Item> items_;
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> edge_tails_;
    std::unordered_map<std::uint32_t, RuleList> lists_;  // by node of the trie

    // Of the current span:
    std::vector<Cube> cubes_;
    std::vector<ItemList> cube_tails_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> positions_, queue_;
    std::unordered_set<std::uint32_t, ItemHash, ItemEqual> seen_;
};

}  // namespace paragauge
