// Translation edit rate (Snover et al. 2006): word edits and shifts that turn a candidate into a reference,
// found by tercom's greedy search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

enum class EditStep : std::uint8_t { Match, Substitute, Insert, Delete };

// Words first ... first + size - 1 of the candidate, as earlier shifts left it, move so that they start at
// `target` of the new candidate.
struct WordShift {
    std::int64_t first, size, target;
};

// First the shifts, one after the other; then the steps, from left to right: Insert adds a word of the
// reference, Delete removes one of the candidate.
struct TerEdits {
    std::vector<WordShift> shifts;
    std::vector<EditStep> steps;
};

TerEdits ter_edits(std::span<const std::int32_t> candidate, std::span<const std::int32_t> reference);

// For each segment a row of 7 integers: all edits, the words of all its references, then insertions,
// deletions, substitutions and shifts, and which of its references was chosen, counted from 0: the first
// that needs the fewest edits. A segment without references has zeros. Contract: both columns have the same
// number of segments, and `candidates` has one line per segment.
std::vector<std::int64_t> ter_counts(const IdColumn& candidates, const IdColumn& references, std::size_t threads);

}  // namespace paragauge
