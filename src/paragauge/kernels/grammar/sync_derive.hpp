// The best derivation of a sentence pair, and the largest spans that were reached. See
// reference/grammar/sync_derive.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grammar/sync_chart.hpp"
#include "grammar/sync_grammar.hpp"

namespace paragauge {

struct SyncDerivation {
    SyncStatus status = SyncStatus::no_source_parse;
    int stopped = -1;  // the limit that was hit after the status was known, as a status; -1: none
    double cost = 0;  // minus infinity if rules in a circle lower it without end: there is no tree then
    std::vector<std::int64_t> tree;   // rows of parent, rule, label and both spans; see the twin
    std::vector<std::int64_t> spans;  // rows of both spans and a label
};

inline constexpr std::size_t kTreeColumns = 7, kSpanColumns = 5;

// Contract as for sync_parse.
SyncDerivation sync_derive(const SyncGrammar& grammar, SyncChart::Words source, SyncChart::Words target,
                           const SyncSettings& settings);

}  // namespace paragauge
