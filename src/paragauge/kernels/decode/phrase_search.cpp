#include "decode/phrase_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace paragauge {

namespace {

// A tolerance: sums are compared with bounds that were added up in another order.
constexpr double kSlack = 1e-9;

std::uint64_t hash_of(const PhraseNode& node) {
    return mix(node.hash ^ (std::uint64_t{node.state} << 32 | node.last));
}

bool same(const PhraseNode& a, const PhraseNode& b) {
    return a.state == b.state && a.last == b.last && a.coverage == b.coverage;
}

// The order of a stack; equal totals are ordered by the fields that distinguish hypotheses.
bool before(const PhraseNode& a, const PhraseNode& b) {
    if (a.total() != b.total()) return a.total() > b.total();
    if (const auto order = a.coverage <=> b.coverage; order != 0) return order < 0;
    return a.last != b.last ? a.last < b.last : a.state < b.state;
}

}  // namespace

void PhraseSearch::Stack::reset(std::size_t size) {
    nodes.clear();
    best = cut = -std::numeric_limits<double>::infinity();
    trigger = size + size / 4 + 8;
    table.assign(64, 0);
}

void PhraseSearch::index(Stack& stack) {
    std::size_t capacity = stack.table.size();
    while (capacity < 2 * stack.nodes.size()) capacity *= 2;
    stack.table.assign(capacity, 0);
    for (std::size_t i = 0; i < stack.nodes.size(); ++i) {
        std::size_t at = hash_of(stack.nodes[i]) & (capacity - 1);
        while (stack.table[at] != 0) at = (at + 1) & (capacity - 1);
        stack.table[at] = static_cast<std::uint32_t>(i + 1);
    }
}

// The sum over the gaps of words that are not translated yet.
double PhraseSearch::future(const Coverage& coverage) const {
    double sum = 0;
    for (std::size_t at = 0; at < size_;) {
        if (coverage.has(at)) {
            ++at;
            continue;
        }
        const std::size_t start = at;
        while (at < size_ && !coverage.has(at)) ++at;
        sum += options_->future(start, at);
    }
    return sum;
}

void PhraseSearch::put(Stack& stack, const PhraseNode& node, const PhraseArc& arc) {
    const double total = node.total();
    if (total < stack.cut) return;
    if (total > stack.best) {
        stack.best = total;
        stack.cut = std::max(stack.cut, total + model_->settings.beam);
    }
    const std::size_t mask = stack.table.size() - 1;
    std::size_t at = hash_of(node) & mask;
    while (stack.table[at] != 0 && !same(stack.nodes[stack.table[at] - 1], node)) at = (at + 1) & mask;
    const auto number = static_cast<std::uint32_t>(arcs_.size());
    arcs_.push_back(arc);
    if (stack.table[at] != 0) {
        PhraseNode& existing = stack.nodes[stack.table[at] - 1];
        arcs_.back().next = existing.arcs;
        existing.arcs = number;
        existing.score = std::max(existing.score, node.score);
        return;
    }
    arcs_.back().next = kNoArc;
    stack.nodes.push_back(node);
    stack.nodes.back().arcs = number;
    stack.table[at] = static_cast<std::uint32_t>(stack.nodes.size());
    if (stack.nodes.size() >= stack.trigger)
        prune(stack);
    else if (2 * stack.nodes.size() > stack.table.size())
        index(stack);
}

// Raises the cut to the total of the last hypothesis that fits in the stack.
void PhraseSearch::prune(Stack& stack) {
    const std::size_t limit = model_->settings.stack;
    totals_.clear();
    for (const PhraseNode& node : stack.nodes) totals_.push_back(node.total());
    const auto last = totals_.begin() + static_cast<std::ptrdiff_t>(limit - 1);
    std::nth_element(totals_.begin(), last, totals_.end(), std::greater<>());
    stack.cut = std::max(stack.cut, *last);
    std::erase_if(stack.nodes, [&](const PhraseNode& node) { return node.total() < stack.cut; });
    // Ties may leave more than the stack holds: prune less often then.
    const std::size_t left = std::max(limit, stack.nodes.size());
    stack.trigger = left + left / 4 + 8;
    index(stack);
}

void PhraseSearch::drop_arcs(PhraseNode& node, double cut) {
    std::uint32_t* link = &node.arcs;
    while (*link != kNoArc) {
        PhraseArc& arc = arcs_[*link];
        if (nodes_[arc.from].score + arc.score + node.future < cut)
            *link = arc.next;
        else
            link = &arc.next;
    }
}

void PhraseSearch::finish(Stack& stack) {
    const std::size_t limit = model_->settings.stack;
    std::erase_if(stack.nodes, [&](const PhraseNode& node) { return node.total() < stack.cut; });
    std::sort(stack.nodes.begin(), stack.nodes.end(), before);
    // A full stack is treated like an overfull one: some hypotheses below the cut were rejected, others not.
    if (stack.nodes.size() >= limit) {
        stack.nodes.resize(limit);
        stack.cut = std::max(stack.cut, stack.nodes.back().total());
    }
    for (PhraseNode& node : stack.nodes) {
        drop_arcs(node, stack.cut);
        nodes_.push_back(node);
    }
}

void PhraseSearch::extend(std::uint32_t number, std::size_t covered, std::size_t start, std::size_t end,
                          const Coverage& coverage) {
    const PhraseNode& from = nodes_[number];
    const bool whole = covered + (end - start) == size_;
    Stack& stack = stacks_[covered + (end - start)];
    const double jump = std::abs(static_cast<double>(start) - static_cast<double>(from.last));
    const double distortion = model_->weights[kDistortion] * -jump;
    const double weight = model_->log_weight();
    PhraseNode node{coverage, coverage.hash(), static_cast<std::uint32_t>(end), kRoot, 0, future(coverage),
                    kNoArc};
    const double around = from.score + distortion + node.future +
                          (whole ? weight * model_->model->most(kEnd) : 0.0);
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t choice : options_->of(start, end)) {
        const PhraseOption& option = options_->all()[choice];
        const double cut = stack.cut - kSlack * (1 + std::abs(stack.cut));
        if (around + option.bound < cut) break;
        const double least = weight > 0 ? (cut - around - option.fixed) / weight : kNone;
        node.state = from.state;
        double log10 = options_->extend(*model_->model, cache_, option, least, node.state);
        if (log10 == kNone) continue;
        if (whole) {
            log10 += cache_.step(*model_->model, node.state, kEnd);
            node.state = kRoot;
            node.last = 0;
        }
        const double score = option.fixed + distortion + weight * log10;
        node.score = from.score + score;
        put(stack, node, {number, choice, kNoArc, score, log10});
    }
}

// A phrase may start at most `distortion` words from the end of the last one, and close enough to the
// first untranslated word that this word can be translated next.
void PhraseSearch::expand(std::uint32_t number, std::size_t covered) {
    const Coverage coverage = nodes_[number].coverage;
    const auto last = static_cast<std::int64_t>(nodes_[number].last);
    const std::int64_t limit = model_->settings.distortion;
    cache_.start(options_->openings());
    std::size_t gap = 0;
    while (coverage.has(gap)) ++gap;
    for (std::size_t start = gap; start < size_; ++start) {
        if (coverage.has(start)) continue;
        if (limit >= 0 && std::abs(static_cast<std::int64_t>(start) - last) > limit) continue;
        Coverage wider = coverage;
        const std::size_t stop = std::min(size_, start + options_->longest());
        for (std::size_t end = start + 1; end <= stop && !coverage.has(end - 1); ++end) {
            if (limit >= 0 && start > gap && static_cast<std::int64_t>(end - gap) > limit) break;
            wider.add(end - 1);
            if (!options_->of(start, end).empty()) extend(number, covered, start, end, wider);
        }
    }
}

void PhraseSearch::run(const PhraseModel& model, const PhraseSentence& sentence,
                       const PhraseOptions& options) {
    model_ = &model;
    options_ = &options;
    size_ = sentence.size();
    nodes_.clear();
    arcs_.clear();
    if (stacks_.size() <= size_) stacks_.resize(size_ + 1);
    for (std::size_t i = 0; i <= size_; ++i) stacks_[i].reset(model.settings.stack);
    nodes_.push_back({Coverage{}, Coverage{}.hash(), 0, model.model->begin(), 0, options.future(0, size_), kNoArc});
    expand(0, 0);
    for (std::size_t covered = 1; covered <= size_; ++covered) {
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        finish(stacks_[covered]);
        const auto last = static_cast<std::uint32_t>(nodes_.size());
        if (covered < size_)
            for (std::uint32_t number = first; number < last; ++number) expand(number, covered);
    }
}

}  // namespace paragauge
