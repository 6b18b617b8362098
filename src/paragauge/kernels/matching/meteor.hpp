// METEOR's alignment of two sentences (Banerjee and Lavie 2005), word by word, stage by stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

// In a stage two words match if their sets of keys intersect. Row w holds the sorted keys of word w.
struct MeteorStage {
    std::span<const std::int32_t> keys;
    std::span<const std::int64_t> offsets;
    // Bit k of row w: one of its keys falls on k; rows without a common bit do not intersect.
    std::vector<std::uint64_t> signatures;

    MeteorStage(std::span<const std::int32_t> keys, std::span<const std::int64_t> offsets);
    std::span<const std::int32_t> row(std::int32_t word) const;
    bool match(std::int32_t a, std::int32_t b) const;
};

// For each line of `references`: matches, chunks, and 1 if the search was cut. At most `beam` partial
// alignments are kept; see meteor_search.hpp.
// Contract: words are rows of all stages; as many segments on both sides.
std::vector<std::int64_t> meteor_alignments(const IdColumn& candidates, const IdColumn& references,
                                            std::span<const MeteorStage> stages, std::size_t beam,
                                            std::size_t threads);

// The alignment of one pair: for each word of the candidate its position in the reference and the
// number of the stage that mapped it, or -1 twice.
std::vector<std::int64_t> meteor_links(std::span<const std::int32_t> candidate,
                                       std::span<const std::int32_t> reference,
                                       std::span<const MeteorStage> stages, std::size_t beam);

}  // namespace paragauge
