// Small open-addressing tables that are emptied in constant time: a slot counts only while its
// stamp equals the table's, so the next sentence starts with a clean table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace paragauge {

inline std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0x9FB21C651E98DF25ULL;
    x ^= x >> 29;
    x *= 0xD6E8FEB86659FD93ULL;
    return x ^ (x >> 32);
}

inline std::uint64_t hash_bytes(std::string_view text) {
    const char* p = text.data();
    std::size_t left = text.size();
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL * (left + 1);
    for (; left > 8; p += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        hash = mix(hash ^ word);
    }
    // Overlapping loads in place of a loop over the last bytes; the length is in the seed.
    std::uint64_t tail = 0;
    if (left == 8) {
        std::memcpy(&tail, p, 8);
    } else if (left >= 4) {
        std::uint32_t low, high;
        std::memcpy(&low, p, 4);
        std::memcpy(&high, p + left - 4, 4);
        tail = static_cast<std::uint64_t>(high) << 32 | low;
    } else if (left > 0) {
        const auto byte = [p](std::size_t i) { return static_cast<unsigned char>(p[i]); };
        tail = byte(0) | static_cast<std::uint64_t>(byte(left / 2)) << 8 |
               static_cast<std::uint64_t>(byte(left - 1)) << 16;
    }
    return mix(hash ^ tail);
}

// Numbers 64-bit keys 0, 1, 2 ... in order of first insertion.
class KeyTable {
public:
    static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

    // Empties the table and makes room for `keys` keys.
    void reset(std::size_t keys) {
        std::size_t wanted = 64;
        while (wanted < 2 * keys) wanted *= 2;
        if (wanted > slots_.size()) slots_.assign(wanted, Slot{});
        mask_ = wanted - 1;
        size_ = 0;
        if (++stamp_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            stamp_ = 1;
        }
    }

    std::uint32_t insert(std::uint64_t key) {
        for (std::size_t at = mix(key) & mask_;; at = (at + 1) & mask_) {
            Slot& slot = slots_[at];
            if (slot.stamp != stamp_) {
                slot = {key, stamp_, size_};
                return size_++;
            }
            if (slot.key == key) return slot.id;
        }
    }

    std::uint32_t find(std::uint64_t key) const {
        for (std::size_t at = mix(key) & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.stamp != stamp_) return kAbsent;
            if (slot.key == key) return slot.id;
        }
    }

    std::uint32_t size() const { return size_; }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        std::uint32_t id = 0;
    };
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::uint32_t stamp_ = 0;
    std::uint32_t size_ = 0;
};

// Numbers strings 0, 1, 2 ... in order of first insertion. It keeps views: the text must live as
// long as the table is used, or be copied by the caller (see vocabulary.hpp).
class StringTable {
public:
    void reset() {
        if (slots_.empty()) slots_.resize(256);
        texts_.clear();
        if (++stamp_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            stamp_ = 1;
        }
    }

    // Number of `text`; inserts it when it is new. `fresh` tells which.
    std::uint32_t insert(std::string_view text, bool& fresh) {
        if (2 * (texts_.size() + 1) > slots_.size()) grow();
        const std::uint64_t hash = hash_bytes(text);
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
            Slot& slot = slots_[at];
            if (slot.stamp != stamp_) {
                slot = {tag, stamp_, static_cast<std::uint32_t>(texts_.size())};
                texts_.push_back(text);
                fresh = true;
                return slot.id;
            }
            if (slot.tag == tag && texts_[slot.id] == text) {
                fresh = false;
                return slot.id;
            }
        }
    }

    std::uint32_t find(std::string_view text) const {
        if (slots_.empty()) return KeyTable::kAbsent;
        const std::uint64_t hash = hash_bytes(text);
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (slot.stamp != stamp_) return KeyTable::kAbsent;
            if (slot.tag == tag && texts_[slot.id] == text) return slot.id;
        }
    }

    const std::vector<std::string_view>& texts() const { return texts_; }

    // The stored view of string `id` now points to `text`, an equal string that lives longer.
    void repoint(std::uint32_t id, std::string_view text) { texts_[id] = text; }

private:
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t stamp = 0;
        std::uint32_t id = 0;
    };

    void grow() {
        std::vector<Slot> larger(slots_.size() * 2);
        const std::size_t mask = larger.size() - 1;
        for (std::uint32_t id = 0; id < texts_.size(); ++id) {
            const std::uint64_t hash = hash_bytes(texts_[id]);
            std::size_t at = hash & mask;
            while (larger[at].stamp == stamp_) at = (at + 1) & mask;
            larger[at] = {static_cast<std::uint32_t>(hash >> 32), stamp_, id};
        }
        slots_.swap(larger);
    }

    std::vector<Slot> slots_;
    std::vector<std::string_view> texts_;
    std::uint32_t stamp_ = 0;
};

}  // namespace paragauge
