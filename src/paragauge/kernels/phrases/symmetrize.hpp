// Merges two directional word alignments of each sentence pair into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace paragauge {

// Links of many sentence pairs: pair i has those from offsets[i] to offsets[i + 1].
struct LinkColumn {
    std::span<const std::int32_t> source;
    std::span<const std::int32_t> target;
    std::span<const std::int64_t> offsets;

    std::size_t pairs() const { return offsets.size() - 1; }
};

struct LinkLists {
    std::vector<std::int32_t> source;
    std::vector<std::int32_t> target;
    std::vector<std::int64_t> offsets;
};

enum class Heuristic { Forward, Reverse, Intersection, Union, GrowDiag, GrowDiagFinal, GrowDiagFinalAnd };

// Throws std::invalid_argument for an unknown name.
Heuristic heuristic_named(std::string_view name);

// Links come in any order and may repeat; the result is sorted by source, then target, without repetitions.
// Contract: both columns have the same number of pairs.
LinkLists symmetrize(const LinkColumn& forward, const LinkColumn& reverse, Heuristic heuristic,
                     std::size_t threads);

}  // namespace paragauge
