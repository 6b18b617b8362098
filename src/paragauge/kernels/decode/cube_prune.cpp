// Cube pruning over one span.
#include <algorithm>

#include "decode/cube_chart.hpp"

namespace paragauge {

std::size_t CubeChart::ItemHash::operator()(std::uint32_t number) const {
    const Item& item = chart->items_[number];
    std::uint64_t key = mix(static_cast<std::uint64_t>(static_cast<std::uint32_t>(item.label)) << 32 |
                            item.state.right);
    for (std::size_t i = 0; i < item.state.size; ++i) key = mix(key ^ item.state.left[i]);
    return key;
}

bool CubeChart::ItemEqual::operator()(std::uint32_t a, std::uint32_t b) const {
    return chart->items_[a].label == chart->items_[b].label &&
           chart->items_[a].state == chart->items_[b].state;
}

void CubeChart::add_cube(const RuleList& rules, std::span<const ItemList> tails, std::int32_t label) {
    cubes_.push_back({&rules, static_cast<std::uint32_t>(cube_tails_.size()),
                      static_cast<std::uint32_t>(tails.size()), label});
    cube_tails_.insert(cube_tails_.end(), tails.begin(), tails.end());
}

// Whether candidate a comes after candidate b: heaps have the largest in front.
bool CubeChart::less(std::uint32_t a, std::uint32_t b) const {
    const Candidate &left = candidates_[a], &right = candidates_[b];
    if (left.rank != right.rank) return left.rank < right.rank;
    if (left.cube != right.cube) return left.cube > right.cube;
    const std::size_t places = 1 + cubes_[left.cube].count;
    const auto ours = positions_.begin() + left.at, theirs = positions_.begin() + right.at;
    return std::lexicographical_compare(theirs, theirs + static_cast<std::ptrdiff_t>(places), ours,
                                        ours + static_cast<std::ptrdiff_t>(places));
}

void CubeChart::push(std::uint32_t number, std::span<const std::uint32_t> at) {
    const Cube& cube = cubes_[number];
    const RuleRef& rule = (*cube.rules)[at[0]];
    const auto tail = [&](std::size_t index) -> const Item& {
        return items_[order_[cube_tails_[cube.tails + index].first + at[index + 1]]];
    };
    CubeBoundary boundary(model_);
    for (const SyncGrammar::Symbol symbol : rule.target) {
        if (symbol < 0) boundary.add(tail(static_cast<std::size_t>(-1 - symbol)).state);
        else boundary.add(lm_word(symbol));
    }
    const double transition = rule.score + lm_weight_ * boundary.lm;
    double score = transition;
    for (std::size_t i = 0; i < cube.count; ++i) score += tail(i).score;
    candidates_.push_back({score + lm_weight_ * boundary.estimate, score, transition, number,
                           static_cast<std::uint32_t>(positions_.size()), boundary.state});
    positions_.insert(positions_.end(), at.begin(), at.end());
    queue_.push_back(static_cast<std::uint32_t>(candidates_.size() - 1));
    std::push_heap(queue_.begin(), queue_.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return less(a, b); });
}

void CubeChart::pop_into_item(const Candidate& candidate) {
    const Cube& cube = cubes_[candidate.cube];
    const RuleRef& rule = (*cube.rules)[positions_[candidate.at]];
    const std::int32_t label = cube.label == kRuleLabel ? model_.grammar().lhs(rule.rule) : cube.label;
    auto item = static_cast<std::uint32_t>(items_.size());
    items_.push_back({label, candidate.state, candidate.score, candidate.rank, kNone, kNone});
    if (const auto [place, fresh] = seen_.insert(item); !fresh) {
        items_.pop_back();
        item = *place;
        items_[item].score = std::max(items_[item].score, candidate.score);
        items_[item].rank = std::max(items_[item].rank, candidate.rank);
    }
    const auto tails = static_cast<std::uint32_t>(edge_tails_.size());
    for (std::uint32_t i = 0; i < cube.count; ++i)
        edge_tails_.push_back(
            order_[cube_tails_[cube.tails + i].first + positions_[candidate.at + 1 + i]]);
    add_edge(item, {candidate.transition, rule.target, rule.rule, kNone, tails, cube.count});
}

void CubeChart::prune() {
    candidates_.clear();
    positions_.clear();
    queue_.clear();
    seen_.clear();
    std::vector<std::uint32_t> at;
    for (std::uint32_t cube = 0; cube < cubes_.size(); ++cube) {
        at.assign(1 + cubes_[cube].count, 0);
        push(cube, at);
    }
    for (std::size_t pops = 0; !queue_.empty() && (settings_.pops == 0 || pops < settings_.pops); ++pops) {
        std::pop_heap(queue_.begin(), queue_.end(),
                      [this](std::uint32_t a, std::uint32_t b) { return less(a, b); });
        const Candidate candidate = candidates_[queue_.back()];
        queue_.pop_back();
        pop_into_item(candidate);
        const Cube cube = cubes_[candidate.cube];
        const auto begin = positions_.begin() + candidate.at;
        at.assign(begin, begin + static_cast<std::ptrdiff_t>(1 + cube.count));
        for (std::size_t place = 0; place < at.size(); ++place) {
            const std::size_t size =
                place == 0 ? cube.rules->size() : cube_tails_[cube.tails + place - 1].size();
            if (at[place] + 1 < size) {
                ++at[place];
                push(candidate.cube, at);
                --at[place];
            }
            if (at[place] > 0) break;
        }
    }
    cubes_.clear();
    cube_tails_.clear();
}

}  // namespace paragauge
