// Constituents of tagged lines by a trained model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "constituents_chart.hpp"
#include "encode.hpp"

namespace paragauge {

class ConstituentParser {
public:
    // Contract: rows 0 to 2 * (labels + tags) - 1 are of children, the others of the features `keys`.
    ConstituentParser(LabelSet labels, std::size_t tags, std::span<const std::uint32_t> keys,
                      std::span<const std::int64_t> offsets, std::span<const std::uint8_t> columns,
                      std::span<const std::int8_t> weights);

    // Nodes of the binary trees of all lines, 2n - 1 for n words; see Chart.
    std::vector<BinaryNode> parse(const TextColumn& lines, std::span<const std::int32_t> tags,
                                  std::span<const std::int64_t> offsets, std::size_t threads) const;

    // What Chart needs.
    using Weight = std::int8_t;
    using Sum = std::int32_t;
    const LabelSet& labels() const { return labels_; }
    const std::int8_t* row(std::uint32_t key) const {
        for (std::size_t at = key & mask_;; at = (at + 1) & mask_) {
            const Slot slot = slots_[at];
            if (slot.row == 0) return nullptr;
            if (slot.key == key) return &rows_[(slot.row - 1) * width_];
        }
    }
    const std::int32_t* first() const { return children_.data(); }
    const std::int32_t* second() const { return &children_[symbols_ * width_]; }
    std::size_t tags() const { return symbols_ - labels_.labels; }

private:
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t row = 0;  // from 1 on; 0 is a free slot
    };

    LabelSet labels_;
    std::size_t symbols_, width_;
    std::vector<std::int32_t> children_;
    std::vector<Slot> slots_;
    std::size_t mask_;
    std::vector<std::int8_t> rows_;
};

}  // namespace paragauge
