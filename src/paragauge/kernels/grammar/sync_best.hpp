// The cheapest derivation of each (node, target span), by dynamic programming over the relations.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "grammar/sync_relations.hpp"

namespace paragauge {

// The price of a derivation: the sum of its rules' costs, then the number of rules and copied words,
// then the number of copied words.
struct Price {
    double cost = std::numeric_limits<double>::infinity();
    std::uint32_t rules = 0, copies = 0;
    auto operator<=>(const Price&) const = default;
};
// What is below any other price: rules in a circle make it cheaper without end.
inline constexpr Price kEndless{-std::numeric_limits<double>::infinity(), 0, 0};

// One way to make an item: a rule, and the items under its labels. Compared when prices are equal.
struct Choice {
    std::int64_t rule = 0;
    std::vector<std::array<std::int64_t, 4>> children;  // both spans of each label, in source order
    std::vector<std::uint32_t> nodes;
    auto operator<=>(const Choice& other) const {
        if (const auto order = rule <=> other.rule; order != 0) return order;
        return children <=> other.children;
    }
    bool operator==(const Choice& other) const { return (*this <=> other) == 0; }
};

class SyncBest {
public:
    // Contract: the relations are those of the chart.
    SyncBest(const SyncGrammar& grammar, const SyncChart& chart, SyncRelations& relations,
             const SyncSettings& settings, SyncBudget& budget);

    const Price& price(std::size_t node, std::size_t from, std::size_t to) const {
        return prices_[index(node, from, to)];
    }
    // The first choice, in their order, with the item's price.
    Choice choose(std::size_t node, std::size_t from, std::size_t to);

private:
    std::size_t index(std::size_t node, std::size_t from, std::size_t to) const;
    bool passes(std::size_t node) const;
    void fill(std::size_t at);
    // Calls body(rule, children, from, to, spans) for every way to make items of a span with its rules.
    template <class Body>
    void each_way(std::size_t at, bool unary, const Body& body);
    template <class Body>
    void walk(SyncGrammar::Symbols side, std::size_t symbol, std::size_t at, const Body& body);
    Price price_of(std::size_t rule, std::size_t labels) const;

    const SyncGrammar& grammar_;
    const SyncChart& chart_;
    SyncRelations& relations_;
    const SyncSettings& settings_;
    SyncBudget& budget_;
    std::vector<std::size_t> first_;  // by node and first position: where its prices are
    std::vector<Price> prices_;
    std::array<std::uint32_t, SyncGrammar::kMostNonterminals> children_{};
    // The target spans of the children.
    std::array<std::array<std::size_t, 2>, SyncGrammar::kMostNonterminals> spans_{};
};

}  // namespace paragauge
