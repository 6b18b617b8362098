#include "grammar/sync_chart.hpp"

#include <algorithm>

namespace paragauge {

SyncBudget::SyncBudget(const SyncSettings& settings)
    : settings_(settings), start_(std::chrono::steady_clock::now()) {}

void SyncBudget::look_at_clock() {
    ticks_ = 0;
    if (settings_.seconds <= 0) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (passed.count() > settings_.seconds) throw Exceeded{SyncStatus::out_of_time};
}

void SyncChart::parse(Words source, const SyncSettings& settings, std::size_t node_bytes,
                      SyncBudget& budget) {
    source_ = source;
    width_ = width(source.size(), settings.span);
    cells_.assign(cells(source.size(), settings.span), Cell{});
    nodes_.clear();
    dots_.clear();
    std::fill(node_of_.begin(), node_of_.end(), kNone);
    for (std::size_t last = 1; last <= size(); ++last)
        for (std::size_t first = last; first-- > 0 && last - first <= width_;)
            fill(first, last, settings, node_bytes, budget);
}

void SyncChart::fill(std::size_t first, std::size_t last, const SyncSettings& settings,
                     std::size_t node_bytes, SyncBudget& budget) {
    const std::size_t at = cell(first, last);
    if (++stamp_ == 0) {
        std::fill(seen_.begin(), seen_.end(), 0U);
        stamp_ = 1;
    }
    Cell& here = cells_[at];
    here.dots = static_cast<std::uint32_t>(dots_.size());
    here.nodes = static_cast<std::uint32_t>(nodes_.size());
    const std::int32_t word = source_[last - 1];
    if (last - first == 1) {
        add_dot(grammar_.child(0, word), first, last, budget);
        if (settings.pass[static_cast<std::size_t>(word)] != 0)
            for (const std::int32_t label : settings.pass_labels) add_node(label, at, node_bytes, budget);
    } else {
        const Cell before = cells_[cell(first, last - 1)];
        for (std::uint32_t i = before.dots; i < before.dots_end; ++i)
            if (grammar_.has_words(dots_[i])) add_dot(grammar_.child(dots_[i], word), first, last, budget);
        for (std::size_t middle = first + 1; middle < last; ++middle)
            advance(first, middle, last, budget);
    }
    // A source side that ends here makes nodes, and a node starts source sides that may end here too.
    std::size_t dot = here.dots, node = here.nodes;
    while (dot < dots_.size() || node < nodes_.size()) {
        for (; dot < dots_.size(); ++dot)
            for (const std::int32_t head : grammar_.heads(dots_[dot])) add_node(head, at, node_bytes, budget);
        for (; node < nodes_.size(); ++node)
            add_dot(grammar_.child(0, -1 - nodes_[node].label), first, last, budget);
    }
    budget.memory(kDotBytes * (dots_.size() - here.dots));
    // Indices have 32 bits, whatever the settings allow.
    if (dots_.size() >= kNone || nodes_.size() >= kNone) throw SyncBudget::Exceeded{SyncStatus::out_of_memory};
    here.dots_end = static_cast<std::uint32_t>(dots_.size());
    here.nodes_end = static_cast<std::uint32_t>(nodes_.size());
    const auto begin = nodes_.begin() + here.nodes;
    for (auto each = begin; each != nodes_.end(); ++each)
        node_of_[static_cast<std::size_t>(each->label)] = kNone;
    std::sort(begin, nodes_.end(), [](const Node& a, const Node& b) { return a.label < b.label; });
}

// Moves the dots over [first, middle) across the nodes over [middle, last).
void SyncChart::advance(std::size_t first, std::size_t middle, std::size_t last, SyncBudget& budget) {
    const Cell left = cells_[cell(first, middle)];
    const Cell right = cells_[cell(middle, last)];
    const std::size_t count = right.nodes_end - right.nodes;
    if (count == 0) return;
    for (std::uint32_t i = left.dots; i < left.dots_end; ++i) {
        const SyncGrammar::Children next = grammar_.label_children(dots_[i]);
        if (next.symbols.size() <= count) {
            for (std::size_t k = 0; k < next.symbols.size(); ++k)
                if (seen_[next.nodes[k]] != stamp_ &&
                    find(cell(middle, last), -1 - next.symbols[k]) != kNone)
                    add_dot(next.nodes[k], first, last, budget);
        } else {
            for (std::uint32_t node = right.nodes; node < right.nodes_end; ++node)
                add_dot(grammar_.child(dots_[i], -1 - nodes_[node].label), first, last, budget);
        }
    }
}

void SyncChart::add_dot(std::uint32_t node, std::size_t first, std::size_t last, SyncBudget& budget) {
    if (node == 0 || seen_[node] == stamp_) return;
    seen_[node] = stamp_;
    if (grammar_.heads(node).empty()) {
        if (last == size() || last - first == width_) return;
        if (grammar_.label_children(node).symbols.empty() && grammar_.child(node, source_[last]) == 0) return;
    }
    dots_.push_back(node);
    budget.item();
}

void SyncChart::add_node(std::int32_t label, std::size_t at, std::size_t node_bytes, SyncBudget& budget) {
    std::uint32_t& number = node_of_[static_cast<std::size_t>(label)];
    if (number != kNone) return;
    number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({label, static_cast<std::uint32_t>(at)});
    budget.item();
    budget.memory(node_bytes);
}

std::uint32_t SyncChart::find(std::size_t at, std::int32_t label) const {
    const auto begin = nodes_.begin() + cells_[at].nodes, end = nodes_.begin() + cells_[at].nodes_end;
    const auto place = std::lower_bound(
        begin, end, label, [](const Node& node, std::int32_t sought) { return node.label < sought; });
    if (place == end || place->label != label) return kNone;
    return static_cast<std::uint32_t>(place - nodes_.begin());
}

bool SyncChart::complete(const SyncSettings& settings) const {
    const auto top = [&](std::size_t at) {
        const Numbers here = nodes(at);
        return std::any_of(
            nodes_.begin() + here.first, nodes_.begin() + here.last, [&](const Node& node) {
                return settings.starts[static_cast<std::size_t>(node.label)] != 0;
            });
    };
    if (!settings.glue) return size() > 0 && size() <= width_ && top(cell(0, size()));
    std::vector<bool> reached(size() + 1, false);
    reached[0] = true;
    for (std::size_t last = 1; last <= size(); ++last)
        for (std::size_t first = last; first-- > 0 && last - first <= width_ && !reached[last];)
            reached[last] = reached[first] && top(cell(first, last));
    return size() > 0 && reached[size()];
}

}  // namespace paragauge
