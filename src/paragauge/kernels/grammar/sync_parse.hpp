// Are pairs of sentences in the language of a synchronous grammar? See reference/grammar/sync.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/columns.hpp"
#include "grammar/sync_chart.hpp"
#include "grammar/sync_grammar.hpp"
#include "grammar/sync_relations.hpp"

namespace paragauge {

struct SyncResults {
    std::vector<std::uint8_t> status;  // a SyncStatus each
    std::vector<std::int64_t> items;   // -1 where a limit stopped the parse
    std::vector<std::int64_t> times;   // nanoseconds of the two passes, two each
};

// Longest charts, in spans: beyond them a pair is out of memory whatever the settings say.
inline constexpr std::size_t kMostCells = std::size_t{1} << 26;

// The result for one pair, with its chart and, if the source has a parse, its relations. Throws
// SyncBudget::Exceeded where a limit is hit. `middle` is called between the two passes. Coverage and
// derivation both use this, so that they agree.
template <class Middle>
SyncStatus sync_status(SyncChart& chart, SyncRelations& relations, SyncChart::Words source,
                       SyncChart::Words target, const SyncSettings& settings, SyncBudget& budget,
                       const Middle& middle) {
    const std::size_t cells = SyncChart::cells(source.size(), settings.span);
    if (cells > kMostCells) throw SyncBudget::Exceeded{SyncStatus::out_of_memory};
    budget.memory(kSpanBytes * cells);
    chart.parse(source, settings, kNodeBytes + relation_bytes(target.size()), budget);
    middle();
    if (!chart.complete(settings)) return SyncStatus::no_source_parse;
    relations.parse(chart, target, settings, budget);
    return relations.covered(settings) ? SyncStatus::covered : SyncStatus::unreachable;
}

// Contract: both columns have the same number of lines, all ids are words of the grammar, the settings
// have a flag for each label and each word.
SyncResults sync_parse(const SyncGrammar& grammar, const IdColumn& sources, const IdColumn& targets,
                       const SyncSettings& settings, std::size_t threads);

}  // namespace paragauge
