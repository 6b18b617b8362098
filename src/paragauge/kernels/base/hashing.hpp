// Small open-addressing tables that are emptied in constant time: a slot counts only while its
// stamp equals the table's, so the next sentence starts with a clean table.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace paragauge {

inline std::uint64_t mix(std::uint64_t x) {
    // Multiply and fold: every bit of x reaches every bit of the result.
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(x ^ 0x9E3779B97F4A7C15ULL) * 0xD6E8FEB86659FD93ULL;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// The bytes of a text of at most 8 bytes as one number: different texts of one length have
// different numbers. `limit` is the end of the memory that may be read, text or not: where it
// allows, one masked load does.
inline std::uint64_t short_key(const char* p, std::size_t size, const char* limit) {
    std::uint64_t word = 0;
    if (std::endian::native == std::endian::little && limit - p >= 8) {
        std::memcpy(&word, p, 8);
        return size == 8 ? word : word & ((std::uint64_t{1} << (8 * size)) - 1);
    }
    std::memcpy(&word, p, size);
    return word;
}

// The text itself if it is short, otherwise a hash of it.
inline std::uint64_t text_key(std::string_view text, const char* limit) {
    const char* p = text.data();
    std::size_t left = text.size();
    if (left <= 8) return short_key(p, left, limit);
    std::uint64_t key = 0;
    for (; left > 8; p += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        key = mix(key ^ word);
    }
    return mix(key ^ short_key(p, left, limit));
}

// Numbers 64-bit keys 0, 1, 2 ... in order of first insertion.
class KeyTable {
public:
    static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

    // Empties the table and makes room for `keys` keys.
    void reset(std::size_t keys) {
        std::size_t capacity = 64;
        while (capacity < 2 * keys) capacity *= 2;
        if (capacity > slots_.size()) slots_.assign(capacity, Slot{});
        mask_ = capacity - 1;
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
// long as the table is used, or be copied by the caller (see Vocabulary in encode.cpp).
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

    // Number of `text`; inserts it when it is new. `fresh` tells which. For `limit` see short_key.
    std::uint32_t insert(std::string_view text, const char* limit, bool& fresh) {
        if (2 * (texts_.size() + 1) > slots_.size()) grow();
        const Slot probe{text_key(text, limit), stamp_, 0, text.size()};
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = place(probe);; at = at + 1) {
            Slot& slot = slots_[at & mask];
            if (slot.stamp != stamp_) {
                slot = probe;
                slot.id = static_cast<std::uint32_t>(texts_.size());
                texts_.push_back(text);
                fresh = true;
                return slot.id;
            }
            if (same(slot, probe, text)) {
                fresh = false;
                return slot.id;
            }
        }
    }

    std::uint32_t find(std::string_view text) const {
        if (slots_.empty()) return KeyTable::kAbsent;
        const Slot probe{text_key(text, text.data() + text.size()), stamp_, 0, text.size()};
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = place(probe);; at = at + 1) {
            const Slot& slot = slots_[at & mask];
            if (slot.stamp != stamp_) return KeyTable::kAbsent;
            if (same(slot, probe, text)) return slot.id;
        }
    }

    const std::vector<std::string_view>& texts() const { return texts_; }

    // The stored view of string `id` now points to `text`, an equal string that lives longer.
    void repoint(std::uint32_t id, std::string_view text) { texts_[id] = text; }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        std::uint32_t id = 0;
        std::size_t size = 0;
    };

    static std::size_t place(const Slot& slot) { return mix(slot.key + slot.size); }

    bool same(const Slot& slot, const Slot& probe, std::string_view text) const {
        return slot.key == probe.key && slot.size == probe.size &&
               (text.size() <= 8 || texts_[slot.id] == text);
    }

    void grow() {
        std::vector<Slot> larger(slots_.size() * 2);
        const std::size_t mask = larger.size() - 1;
        for (const Slot& slot : slots_) {
            if (slot.stamp != stamp_) continue;
            std::size_t at = place(slot);
            while (larger[at & mask].stamp == stamp_) ++at;
            larger[at & mask] = slot;
        }
        slots_.swap(larger);
    }

    std::vector<Slot> slots_;
    std::vector<std::string_view> texts_;
    std::uint32_t stamp_ = 0;
};

}  // namespace paragauge
