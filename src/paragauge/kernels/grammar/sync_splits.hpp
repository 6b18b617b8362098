// The ways in which a rule's source side lies over a span of the source sentence.
#pragma once

#include <cstddef>
#include <cstdint>

#include "grammar/sync_chart.hpp"

namespace paragauge {

// Calls body() for each way in which `side`, from symbol `at` on, covers [from, last); `children` then
// holds the nodes under its labels. `alive(node)` says whether a node may be used.
template <class Alive, class Body>
void each_split(const SyncChart& chart, SyncGrammar::Symbols side, std::size_t at, std::size_t from,
                std::size_t last, std::uint32_t* children, const Alive& alive, const Body& body) {
    for (; at < side.size() && side[at] >= 0; ++at, ++from)
        if (from == last || chart.source()[from] != side[at]) return;
    if (at == side.size()) {
        if (from == last) body();
        return;
    }
    const std::size_t rest = side.size() - at - 1;  // symbols to come, each at least one word
    for (std::size_t end = rest == 0 ? last : from + 1; end + rest <= last; ++end) {
        if (end == from || end - from > chart.width()) return;
        if (rest > 0 && side[at + 1] >= 0 && chart.source()[end] != side[at + 1]) continue;
        const std::uint32_t node = chart.find(chart.cell(from, end), -1 - side[at]);
        if (node == SyncChart::kNone || !alive(node)) continue;
        *children = node;
        each_split(chart, side, at + 1, end, last, children + 1, alive, body);
    }
}

inline bool is_unary(SyncGrammar::Symbols side) { return side.size() == 1 && side[0] < 0; }

}  // namespace paragauge
