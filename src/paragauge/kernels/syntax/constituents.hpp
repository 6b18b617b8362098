// Constituents of tagged lines by a trained model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "syntax/constituents_chart.hpp"
#include "syntax/constituents_table.hpp"

namespace paragauge {

// A line of the processor's cache.
struct alignas(64) WeightBlock {
    std::array<std::int8_t, 64> weights{};
};

class ConstituentParser {
public:
    // Contract: the first rows are of children, one for each label and tag on the left and then on the
    // right; the others are of the features `keys`, each of which is there once.
    ConstituentParser(LabelSet labels, std::span<const std::uint8_t> kinds,
                      std::span<const std::uint32_t> keys,
                      std::span<const std::int64_t> offsets, std::span<const std::uint8_t> columns,
                      std::span<const std::int8_t> weights);

    // Nodes of the binary trees of all lines, 2n - 1 for n words; see Chart.
    std::vector<BinaryNode> parse(const TextColumn& lines, std::span<const std::int32_t> tags,
                                  std::span<const std::int64_t> offsets, std::size_t threads) const;

    // The interface that Chart needs.
    using Weight = std::int8_t;
    using Sum = std::int32_t;
    const LabelSet& labels() const { return labels_; }
    // Overwrites `keys`.
    void rows(std::vector<std::uint32_t>& keys, std::vector<const std::int8_t*>& out) const;
    const std::int32_t* first() const { return children_.data(); }
    const std::int32_t* second() const { return &children_[symbols_ * width_]; }
    std::size_t tags() const { return kinds_.size(); }

private:
    LabelSet labels_;
    std::vector<std::uint8_t> kinds_;  // of each tag
    std::size_t symbols_, width_;
    std::size_t blocks_;  // of a row
    std::vector<std::int32_t> children_;
    FeatureTable table_;
    std::vector<WeightBlock> rows_;
};

}  // namespace paragauge
