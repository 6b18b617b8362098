// Are pairs of sentences in the language of a synchronous grammar? See reference/sync.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams.hpp"
#include "sync_chart.hpp"
#include "sync_grammar.hpp"

namespace paragauge {

struct SyncResults {
    std::vector<std::uint8_t> status;  // a SyncStatus each
    std::vector<std::int64_t> items;   // -1 where a limit stopped the parse
    std::vector<std::int64_t> times;   // nanoseconds of the two passes, two each
};

// Longest charts, in spans: beyond them a pair is out of memory whatever the settings say.
inline constexpr std::size_t kMostCells = std::size_t{1} << 26;

// Contract: both columns have the same number of lines, all ids are words of the grammar, the settings
// have a flag for each label and each word.
SyncResults sync_parse(const SyncGrammar& grammar, const IdColumn& sources, const IdColumn& targets,
                       const SyncSettings& settings, std::size_t threads);

}  // namespace paragauge
