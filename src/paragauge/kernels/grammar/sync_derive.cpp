#include "grammar/sync_derive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "grammar/sync_best.hpp"
#include "grammar/sync_parse.hpp"
#include "grammar/sync_relations.hpp"

namespace paragauge {

namespace {

struct Item {
    std::size_t node, from, to;
};

std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }

// The nodes at the top of the best derivation, from left to right.
std::vector<Item> tops(const SyncChart& chart, const SyncRelations& relations, const SyncBest& best,
                       const SyncSettings& settings, double& cost) {
    struct Step {
        Price price;
        std::size_t first = 0, from = 0, node = 0;
    };
    const std::size_t size = chart.size(), rows = relations.rows();
    std::vector<Step> steps((size + 1) * rows);
    steps[0].price = {0, 0, 0};
    for (std::size_t last = 1; last <= size; ++last)
        for (std::size_t first = last < chart.width() ? 0 : last - chart.width(); first < last; ++first) {
            if (!settings.glue && (first > 0 || last < size)) continue;
            const SyncChart::Numbers here = chart.nodes(chart.cell(first, last));
            for (std::size_t from = 0; from < rows; ++from) {
                const Price before = steps[first * rows + from].price;
                if (before == Price{}) continue;
                for (std::size_t node = here.first; node < here.last; ++node) {
                    if (settings.starts[static_cast<std::size_t>(chart.all()[node].label)] == 0) continue;
                    bits::each(relations.row(node, from), [&](std::size_t to) {
                        const Price& piece = best.price(node, from, to);
                        const Price sum{before.cost + piece.cost, before.rules + piece.rules,
                                        before.copies + piece.copies};
                        // Ties go to the earlier split, then to the smaller label.
                        Step& step = steps[last * rows + to];
                        if (sum < step.price) step = {sum, first, from, node};
                        return true;
                    });
                }
            }
        }
    std::vector<Item> items;
    cost = steps.back().price.cost;
    if (std::isinf(cost)) return items;
    for (std::size_t last = size, to = rows - 1; last > 0;) {
        const Step& step = steps[last * rows + to];
        items.push_back({step.node, step.from, to});
        last = step.first;
        to = step.from;
    }
    std::reverse(items.begin(), items.end());
    return items;
}

// The tree in preorder.
std::vector<std::int64_t> tree_of(const SyncChart& chart, SyncBest& best, const std::vector<Item>& roots) {
    struct Open {
        Item item;
        std::int64_t parent;
    };
    std::vector<std::int64_t> rows;
    std::vector<Open> open;
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) open.push_back({*root, -1});
    while (!open.empty()) {
        const Open next = open.back();
        open.pop_back();
        const SyncChart::Node& node = chart.all()[next.item.node];
        const Choice choice = best.choose(next.item.node, next.item.from, next.item.to);
        const std::int64_t row = number(rows.size() / kTreeColumns);
        for (const std::int64_t value :
             {next.parent, choice.rule, std::int64_t{node.label}, number(chart.first(node.cell)),
              number(chart.last(node.cell)), number(next.item.from), number(next.item.to)})
            rows.push_back(value);
        for (std::size_t i = choice.nodes.size(); i-- > 0;)
            open.push_back({{choice.nodes[i], static_cast<std::size_t>(choice.children[i][2]),
                             static_cast<std::size_t>(choice.children[i][3])},
                            row});
    }
    return rows;
}

// Pairs of spans that a node reaches and that lie in no other such pair, the largest first.
std::vector<std::int64_t> largest_spans(const SyncChart& chart, const SyncRelations& relations) {
    const std::size_t rows = relations.rows(), words = relation_words(rows - 1);
    const std::size_t size = rows * words;
    // For each span: the target spans inside one that it, or a span around it, reaches.
    std::vector<bits::Word> below(chart.size() * chart.width() * size, 0);
    std::vector<std::array<std::int64_t, kSpanColumns>> spans;
    std::vector<bits::Word> own(size);
    const auto row = [&](std::vector<bits::Word>& all, std::size_t base, std::size_t from) {
        return std::span(all).subspan(base + from * words, words);
    };
    for (std::size_t width = chart.width(); width > 0; --width)
        for (std::size_t first = 0; first + width <= chart.size(); ++first) {
            const std::size_t last = first + width, at = chart.cell(first, last), base = at * size;
            if (width < chart.width()) {
                const auto take = [&](std::size_t around) {
                    for (std::size_t i = 0; i < size; ++i) below[base + i] |= below[around * size + i];
                };
                if (first > 0) take(chart.cell(first - 1, last));
                if (last < chart.size()) take(chart.cell(first, last + 1));
            }
            std::fill(own.begin(), own.end(), bits::Word{0});
            const SyncChart::Numbers nodes = chart.nodes(at);
            for (std::size_t node = nodes.first; node < nodes.last; ++node)
                for (std::size_t from = 0; from < rows; ++from)
                    for (std::size_t i = 0; i < words; ++i)
                        own[from * words + i] |= relations.row(node, from)[i];
            // Longest first: a target span inside one that was taken is not the largest.
            for (std::size_t length = rows - 1; length > 0; --length)
                for (std::size_t from = 0; from + length < rows; ++from) {
                    const std::size_t to = from + length;
                    const bool inside = (from > 0 && bits::has(row(below, base, from - 1), to)) ||
                                        (to + 1 < rows && bits::has(row(below, base, from), to + 1)) ||
                                        bits::has(row(below, base, from), to);
                    if (inside) bits::put(row(below, base, from), to);
                    if (inside || !bits::has(row(own, 0, from), to)) continue;
                    bits::put(row(below, base, from), to);
                    std::size_t node = nodes.first;
                    while (!bits::has(relations.row(node, from), to)) ++node;
                    spans.push_back({number(first), number(last), number(from), number(to),
                                     std::int64_t{chart.all()[node].label}});
                }
        }
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
        const std::int64_t left = a[1] - a[0] + a[3] - a[2], right = b[1] - b[0] + b[3] - b[2];
        return left != right ? left > right : a < b;
    });
    std::vector<std::int64_t> flat;
    for (const auto& span : spans) flat.insert(flat.end(), span.begin(), span.end());
    return flat;
}

}  // namespace

SyncDerivation sync_derive(const SyncGrammar& grammar, SyncChart::Words source, SyncChart::Words target,
                           const SyncSettings& settings) {
    SyncDerivation result;
    SyncChart chart(grammar);
    SyncRelations relations(grammar);
    SyncBudget budget(settings);
    try {
        result.status = sync_status(chart, relations, source, target, settings, budget, [] {});
    } catch (const SyncBudget::Exceeded& exceeded) {
        result.status = exceeded.status;
        return result;
    }
    try {
        budget.memory(SyncChart::cells(source.size(), settings.span) * relation_bytes(target.size()));
        if (result.status == SyncStatus::no_source_parse) relations.parse(chart, target, settings, budget);
        if (result.status == SyncStatus::covered) {
            SyncBest best(grammar, chart, relations, settings, budget);
            result.tree = tree_of(chart, best, tops(chart, relations, best, settings, result.cost));
        }
        result.spans = largest_spans(chart, relations);
    } catch (const SyncBudget::Exceeded& exceeded) {
        result.stopped = static_cast<int>(exceeded.status);
    }
    return result;
}

}  // namespace paragauge
