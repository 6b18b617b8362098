// Numbers of features by their keys. Most features of a chart have no weights: a few bits in a small
// table, which stays in the cache, reject most of those before the large one is consulted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paragauge {

class FeatureTable {
public:
    static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

    FeatureTable() : FeatureTable(std::span<const std::uint32_t>{}) {}

    // Contract: keys are different from each other.
    explicit FeatureTable(std::span<const std::uint32_t> keys) {
        std::size_t size = 64;
        while (size < 2 * keys.size()) size *= 2;
        slots_.resize(size);
        mask_ = static_cast<std::uint32_t>(size - 1);
        bits_.resize(size / 8);  // eight bits for each slot
        for (std::size_t i = 0; i < keys.size(); ++i) {
            std::size_t at = keys[i] & mask_;
            while (slots_[at].number != kAbsent) at = (at + 1) & mask_;
            slots_[at] = {keys[i], static_cast<std::uint32_t>(i)};
            bits_[word(keys[i])] |= bit(keys[i]);
        }
    }

    bool may_have(std::uint32_t key) const { return (bits_[word(key)] & bit(key)) != 0; }

    std::uint32_t find(std::uint32_t key) const { return may_have(key) ? search(key) : kAbsent; }

    void prefetch(std::uint32_t key) const { __builtin_prefetch(&slots_[key & mask_]); }

    std::uint32_t search(std::uint32_t key) const {
        for (std::size_t at = key & mask_;; at = (at + 1) & mask_) {
            const Slot slot = slots_[at];
            if (slot.number == kAbsent || slot.key == key) return slot.number;
        }
    }

private:
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t number = kAbsent;
    };

    // The slot's low bits choose the word, the key's highest bits one of its 64 bits.
    std::size_t word(std::uint32_t key) const { return (key & mask_) / 8; }
    static std::uint64_t bit(std::uint32_t key) { return std::uint64_t{1} << (key >> 26); }

    std::vector<Slot> slots_;
    std::uint32_t mask_;
    std::vector<std::uint64_t> bits_;
};

}  // namespace paragauge
