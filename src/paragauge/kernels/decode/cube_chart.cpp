#include "decode/cube_chart.hpp"

#include <algorithm>
#include <limits>

namespace paragauge {

namespace {

constexpr std::int32_t kBoth[] = {-1, -2};  // the target sides of glue rules
constexpr std::size_t kMostLists = std::size_t{1} << 16;  // source sides whose sorted rules are kept

}  // namespace

CubeChart::CubeChart(const CubeModel& model, const CubeWords& words, std::span<const double> weights,
                     const CubeSettings& settings)
    : model_(model),
      words_(words),
      weights_(weights),
      settings_(settings),
      lm_weight_(weights[0] * std::numbers::ln10),
      seen_(0, ItemHash{this}, ItemEqual{this}) {
    glue_ = {{static_score(model.extra(CubeModel::kGlue)), model.extra(CubeModel::kGlue), kBoth}};
    start_ = {{0.0, model.extra(CubeModel::kStart), Symbols(kBoth).first(1)}};
}

double CubeChart::static_score(std::uint32_t rule) const {
    const std::span<const float> row = model_.row(rule);
    double total = 0;
    for (std::size_t i = 0; i < row.size(); ++i) total += weights_[i + 1] * static_cast<double>(row[i]);
    return total;
}

double CubeChart::score_alone(std::uint32_t rule) const {
    return static_score(rule) + lm_weight_ * model_.estimate(rule);
}

void CubeChart::parse(std::span<const std::int32_t> ids) {
    const std::size_t size = ids.size();
    sentence_.clear();
    for (const std::int32_t id : ids) {
        const std::int32_t own = words_.grammar_ids[static_cast<std::size_t>(id)];
        sentence_.push_back(own >= 0 ? own : static_cast<std::int32_t>(model_.words()) + id);
    }
    width_ = settings_.span == 0 || settings_.span > size ? size : settings_.span;
    word_rules_.assign(size, {});
    for (std::size_t at = 0; at < size; ++at) {
        const auto word = static_cast<std::size_t>(sentence_[at]);
        const bool known = word < model_.words() && model_.grammar().known()[word] != 0;
        const std::uint32_t rule = model_.extra(known ? CubeModel::kPass : CubeModel::kUnknownPass);
        word_rules_[at] = {{static_score(rule), rule, Symbols(sentence_).subspan(at, 1)}};
    }
    if (lists_.size() > kMostLists) lists_.clear();
    cells_.assign(size * width_, {});
    glued_.assign(size + 1, {});
    dots_.clear();
    dot_tails_.clear();
    groups_.clear();
    order_.clear();
    items_.clear();
    edges_.clear();
    edge_tails_.clear();
    for (std::size_t last = 1; last <= size; ++last) {
        for (std::size_t first = last; first-- > 0 && last - first <= width_;) fill(first, last);
        glue(last);
    }
    finish(glued_[size]);
}

bool CubeChart::has_children(std::uint32_t node) const {
    return model_.grammar().has_words(node) || !model_.grammar().label_children(node).symbols.empty();
}

void CubeChart::add_dot(std::uint32_t node, std::span<const ItemList> tails, const ItemList* more) {
    const auto at = static_cast<std::uint32_t>(dot_tails_.size());
    // `tails` may point into the vector that grows.
    const std::size_t from = tails.empty() ? 0 : static_cast<std::size_t>(tails.data() - dot_tails_.data());
    for (std::size_t i = 0; i < tails.size(); ++i) dot_tails_.push_back(ItemList(dot_tails_[from + i]));
    if (more != nullptr) dot_tails_.push_back(*more);
    dots_.push_back({node, at, static_cast<std::uint32_t>(dot_tails_.size() - at)});
}

// The copied word as an item without a label, which also joins the items of labels other than its own.
void CubeChart::add_copy(std::size_t first, Cell& target) {
    const RuleRef& rule = word_rules_[first][0];
    CubeBoundary boundary(model_);
    boundary.add(lm_word(rule.target[0]));
    const double transition = rule.score + lm_weight_ * boundary.lm;
    const double rank = transition + lm_weight_ * boundary.estimate;
    const auto item = static_cast<std::uint32_t>(items_.size());
    items_.push_back({kAnyLabel, boundary.state, transition, rank, kNone, kNone});
    add_edge(item, {transition, rule.target, rule.rule, kNone,
                    static_cast<std::uint32_t>(edge_tails_.size()), 0});
    const auto put = [&](std::uint32_t number) { order_.push_back(number); };
    target.copy.first = static_cast<std::uint32_t>(order_.size());
    put(item);
    target.copy.last = target.copy.first + 1;
    for (std::uint32_t at = target.groups; at < target.groups_end; ++at) {
        Group& group = groups_[at];
        if (group.label == settings_.pass_label) continue;
        const auto start = static_cast<std::uint32_t>(order_.size());
        std::uint32_t place = group.items.first;
        for (; place < group.items.last && items_[order_[place]].rank >= rank; ++place) put(order_[place]);
        put(item);
        for (; place < group.items.last; ++place) put(order_[place]);
        group.items = {start, static_cast<std::uint32_t>(order_.size())};
    }
}

template <class Body>
void CubeChart::each_list(const Cell& cell, std::uint32_t node, const Body& body) const {
    if (cell.copy.size() == 0) {
        for (std::uint32_t at = cell.groups; at < cell.groups_end; ++at)
            if (const std::uint32_t child = model_.grammar().child(node, -1 - groups_[at].label))
                body(child, groups_[at].items);
        return;
    }
    // Children are sorted by symbol: the last ones have the first labels.
    const SyncGrammar::Children next = model_.grammar().label_children(node);
    std::uint32_t at = cell.groups;
    for (std::size_t i = next.symbols.size(); i-- > 0;) {
        const std::int32_t label = -1 - next.symbols[i];
        while (at < cell.groups_end && groups_[at].label < label) ++at;
        if (at < cell.groups_end && groups_[at].label == label) body(next.nodes[i], groups_[at].items);
        else if (label != settings_.pass_label) body(next.nodes[i], cell.copy);
    }
}

// Beginnings of source sides that end with the last word, or with an item that does not start the span.
void CubeChart::find_dots(std::size_t first, std::size_t last) {
    const SyncGrammar& grammar = model_.grammar();
    const auto tails_of = [&](std::uint32_t dot) {
        return std::span<const ItemList>(dot_tails_).subspan(dots_[dot].tails, dots_[dot].count);
    };
    const std::int32_t word = sentence_[last - 1];
    if (static_cast<std::size_t>(word) < model_.words()) {
        if (last - first == 1) {
            if (const std::uint32_t node = grammar.child(0, word)) add_dot(node, {}, nullptr);
        } else {
            const Cell before = cells_[cell(first, last - 1)];
            for (std::uint32_t dot = before.dots; dot < before.dots_end; ++dot)
                if (const std::uint32_t node = grammar.child(dots_[dot].node, word))
                    add_dot(node, tails_of(dot), nullptr);
        }
    }
    for (std::size_t middle = first + 1; middle < last; ++middle) {
        const Cell left = cells_[cell(first, middle)], right = cells_[cell(middle, last)];
        for (std::uint32_t dot = left.dots; dot < left.dots_end; ++dot) {
            if (grammar.label_children(dots_[dot].node).symbols.empty()) continue;
            each_list(right, dots_[dot].node, [&](std::uint32_t node, const ItemList& items) {
                add_dot(node, tails_of(dot), &items);
            });
        }
    }
}

void CubeChart::fill(std::size_t first, std::size_t last) {
    const SyncGrammar& grammar = model_.grammar();
    Cell filled;
    filled.dots = static_cast<std::uint32_t>(dots_.size());
    find_dots(first, last);
    if (last - first == 1) add_cube(word_rules_[first], {}, settings_.pass_label);
    std::uint32_t size = filled.dots;
    for (std::uint32_t at = filled.dots; at < dots_.size(); ++at) {
        const Dot dot = dots_[at];
        if (!grammar.rules(dot.node).empty())
            add_cube(sorted_rules(dot.node), std::span(dot_tails_).subspan(dot.tails, dot.count), kRuleLabel);
        if (has_children(dot.node)) dots_[size++] = dot;
    }
    dots_.resize(size);
    const auto before = static_cast<std::uint32_t>(items_.size());
    prune();
    sort_items(before, filled);
    if (last - first == 1 && settings_.pass_any) add_copy(first, filled);
    each_list(filled, 0, [&](std::uint32_t node, const ItemList& items) {
        if (has_children(node)) add_dot(node, {}, &items);
    });
    filled.dots_end = static_cast<std::uint32_t>(dots_.size());
    cells_[cell(first, last)] = filled;
}

// The items from `first` on: grouped by label, and all of them with the best first.
void CubeChart::sort_items(std::uint32_t first, Cell& target) {
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
        return items_[a].rank != items_[b].rank ? items_[a].rank > items_[b].rank : a < b;
    };
    const auto put = [&](auto before) {
        const auto start = static_cast<std::uint32_t>(order_.size());
        for (std::uint32_t item = first; item < items_.size(); ++item) order_.push_back(item);
        std::sort(order_.begin() + start, order_.end(), before);
        return ItemList{start, static_cast<std::uint32_t>(order_.size())};
    };
    target.all = put(better);
    const ItemList labeled = put([&](std::uint32_t a, std::uint32_t b) {
        return items_[a].label != items_[b].label ? items_[a].label < items_[b].label : better(a, b);
    });
    target.groups = static_cast<std::uint32_t>(groups_.size());
    for (std::uint32_t at = labeled.first; at < labeled.last; ++at) {
        const std::int32_t label = items_[order_[at]].label;
        if (groups_.size() == target.groups || groups_.back().label != label)
            groups_.push_back({label, {at, at}});
        groups_.back().items.last = at + 1;
    }
    target.groups_end = static_cast<std::uint32_t>(groups_.size());
}

const CubeChart::RuleList& CubeChart::sorted_rules(std::uint32_t node) {
    const auto [place, fresh] = lists_.try_emplace(node);
    RuleList& list = place->second;
    if (!fresh) return list;
    for (const std::uint32_t rule : model_.grammar().rules(node))
        list.push_back({static_score(rule), rule, model_.grammar().target(rule)});
    const auto better = [&](const RuleRef& a, const RuleRef& b) {
        const double left = a.score + lm_weight_ * model_.estimate(a.rule);
        const double right = b.score + lm_weight_ * model_.estimate(b.rule);
        return left != right ? left > right : a.rule < b.rule;
    };
    const std::size_t size =
        settings_.options == 0 ? list.size() : std::min(settings_.options, list.size());
    std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(size), list.end(), better);
    list.resize(size);
    list.shrink_to_fit();
    return list;
}

void CubeChart::glue(std::size_t last) {
    for (std::size_t first = last - std::min(last, width_); first < last; ++first) {
        const ItemList inside = cells_[cell(first, last)].all;
        if (inside.size() == 0) continue;
        const ItemList both[] = {glued_[first], inside};
        if (first == 0) add_cube(start_, std::span(&inside, 1), kGlueLabel);
        else add_cube(glue_, both, kGlueLabel);
    }
    const auto before = static_cast<std::uint32_t>(items_.size());
    prune();
    Cell sorted;
    sort_items(before, sorted);
    glued_[last] = sorted.all;
}

void CubeChart::finish(ItemList glued) {
    const auto goal = static_cast<std::uint32_t>(items_.size());
    const double worst = -std::numeric_limits<double>::infinity();
    items_.push_back({kGlueLabel, {}, worst, worst, kNone, kNone});
    for (std::uint32_t at = glued.first; at < glued.last; ++at) {
        const CubeState& state = items_[order_[at]].state;
        Node after = model_.lm().begin();
        double total = 0;
        for (std::size_t i = 0; i < state.size; ++i) total += model_.lm().step(after, state.left[i]).log10;
        if (state.size == model_.boundary()) after = state.right;
        total += model_.lm().step(after, kEnd).log10;
        const auto tails = static_cast<std::uint32_t>(edge_tails_.size());
        edge_tails_.push_back(order_[at]);
        add_edge(goal, {lm_weight_ * total, start_[0].target, start_[0].rule, kNone, tails, 1});
        items_[goal].score = std::max(items_[goal].score, lm_weight_ * total + items_[order_[at]].score);
    }
}

void CubeChart::add_edge(std::uint32_t number, const Edge& edge) {
    Item& item = items_[number];
    const auto at = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back(edge);
    if (item.first_edge == kNone) item.first_edge = at;
    else edges_[item.last_edge].next = at;
    item.last_edge = at;
}

}  // namespace paragauge
