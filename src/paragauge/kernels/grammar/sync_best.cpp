#include "grammar/sync_best.hpp"

#include <algorithm>

#include "grammar/sync_splits.hpp"

namespace paragauge {

SyncBest::SyncBest(const SyncGrammar& grammar, const SyncChart& chart, SyncRelations& relations,
                   const SyncSettings& settings, SyncBudget& budget)
    : grammar_(grammar), chart_(chart), relations_(relations), settings_(settings), budget_(budget) {
    std::size_t total = 0;
    const std::size_t nodes = chart.all().size();
    first_.reserve(nodes * relations.rows());
    for (std::size_t node = 0; node < nodes; ++node)
        for (std::size_t from = 0; from < relations.rows(); ++from) {
            first_.push_back(total);
            total += bits::count(relations.row(node, from));
        }
    budget.memory(sizeof(Price) * total + 8 * first_.size());
    prices_.resize(total);
    chart.each_cell([this](std::size_t at) { fill(at); });
}

std::size_t SyncBest::index(std::size_t node, std::size_t from, std::size_t to) const {
    const bits::ConstBits row = relations_.row(node, from);
    return first_[node * relations_.rows() + from] + bits::count(row) - bits::count_above(row, to) - 1;
}

// Whether a node is a word that may be copied.
bool SyncBest::passes(std::size_t node) const {
    const SyncChart::Node& here = chart_.all()[node];
    const std::size_t first = chart_.first(here.cell);
    return chart_.last(here.cell) - first == 1 &&
           settings_.pass[static_cast<std::size_t>(chart_.source()[first])] != 0 &&
           std::ranges::binary_search(settings_.pass_labels, here.label);
}

// Target spans of a side from `symbol` on that begin at `at`; body(end of the last).
template <class Body>
void SyncBest::walk(SyncGrammar::Symbols side, std::size_t symbol, std::size_t at, const Body& body) {
    for (; symbol < side.size() && side[symbol] >= 0; ++symbol, ++at)
        if (at == relations_.target().size() || relations_.target()[at] != side[symbol]) return;
    if (symbol == side.size()) {
        body(at);
        return;
    }
    const auto label = static_cast<std::size_t>(-1 - side[symbol]);
    bits::each(relations_.row(children_[label], at), [&](std::size_t end) {
        spans_[label] = {at, end};
        walk(side, symbol + 1, end, body);
        return true;
    });
}

template <class Body>
void SyncBest::each_way(std::size_t at, bool unary, const Body& body) {
    for (const std::uint32_t dot : chart_.dots(at)) {
        const std::span<const std::uint32_t> rules = relations_.usable(dot);
        if (rules.empty()) continue;
        const SyncGrammar::Symbols side = grammar_.source(rules.front());
        if (is_unary(side) != unary) continue;
        each_split(chart_, side, 0, chart_.first(at), chart_.last(at), children_.data(),
                   [this](std::uint32_t node) { return relations_.alive(node); },
                   [&] {
                       for (const std::uint32_t rule : rules)
                           for (std::size_t from = 0; from < relations_.rows(); ++from)
                               walk(grammar_.target(rule), 0, from,
                                    [&](std::size_t to) { body(rule, from, to); });
                   });
    }
}

Price SyncBest::price_of(std::size_t rule, std::size_t labels) const {
    Price sum{grammar_.cost(rule), 1, 0};
    for (std::size_t i = 0; i < labels; ++i) {
        const Price& child = price(children_[i], spans_[i][0], spans_[i][1]);
        sum.cost += child.cost;
        sum.rules += child.rules;
        sum.copies += child.copies;
    }
    return sum;
}

namespace {

std::size_t labels_of(SyncGrammar::Symbols side) {
    std::size_t count = 0;
    for (const SyncGrammar::Symbol symbol : side) count += symbol < 0;
    return count;
}

}  // namespace

void SyncBest::fill(std::size_t at) {
    const SyncChart::Numbers nodes = chart_.nodes(at);
    for (std::size_t node = nodes.first; node < nodes.last; ++node)
        if (passes(node)) {
            const std::int32_t word = chart_.source()[chart_.first(at)];
            for (std::size_t from = 0; from < relations_.target().size(); ++from)
                if (relations_.target()[from] == word) prices_[index(node, from, from + 1)] = {0, 1, 1};
        }
    bool better = false, endless = false;
    const auto relax = [&](std::uint32_t rule, std::size_t from, std::size_t to) {
        budget_.tick();
        const Price cost = price_of(rule, labels_of(grammar_.source(rule)));
        Price& best = prices_[index(chart_.find(at, grammar_.lhs(rule)), from, to)];
        if (cost < best) {
            best = endless ? kEndless : cost;
            better = true;
        }
    };
    each_way(at, false, relax);
    // A rule of one label keeps or widens the target span, so a derivation by such rules in which no item
    // repeats has at most this many of them. What gets cheaper after that does so without end.
    const std::size_t most = (nodes.last - nodes.first) * relations_.rows();
    std::size_t rounds = 0;
    for (better = true; better; endless = ++rounds > most) {
        better = false;
        each_way(at, true, relax);
    }
}

Choice SyncBest::choose(std::size_t node, std::size_t from, std::size_t to) {
    const SyncChart::Node& here = chart_.all()[node];
    const Price lowest = price(node, from, to);
    Choice best;
    bool any = false;
    const auto consider = [&](std::uint32_t rule, std::size_t begin, std::size_t end) {
        if (begin != from || end != to || grammar_.lhs(rule) != here.label) return;
        const std::size_t labels = labels_of(grammar_.source(rule));
        if (price_of(rule, labels) != lowest) return;
        Choice candidate{static_cast<std::int64_t>(rule), {}, {children_.begin(), children_.begin() + labels}};
        for (std::size_t i = 0; i < labels; ++i) {
            const std::size_t cell = chart_.all()[children_[i]].cell;
            candidate.children.push_back({static_cast<std::int64_t>(chart_.first(cell)),
                                          static_cast<std::int64_t>(chart_.last(cell)),
                                          static_cast<std::int64_t>(spans_[i][0]),
                                          static_cast<std::int64_t>(spans_[i][1])});
        }
        if (!any || candidate < best) best = std::move(candidate);
        any = true;
    };
    each_way(here.cell, false, consider);
    each_way(here.cell, true, consider);
    if (!any) best.rule = -1;  // a copied word
    return best;
}

}  // namespace paragauge
