// A trie of n-grams: each one is a child of its context, the n-gram without the last word.
//
// Nodes are numbered order by order, and inside an order by context and word; node 0 is the empty
// n-gram, and word w alone is node w + 1. Children are found by hashing (context, word), which is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hashing.hpp"

namespace paragauge {

using Node = std::uint32_t;
constexpr Node kRoot = 0;
constexpr std::uint64_t kMostNodes = 0x7FFFFFFF;

// The n-grams of one order, as arrays of equal length sorted by (parent, word); a parent is the number
// of the context inside its own order.
struct NgramLevel {
    std::span<const std::int32_t> parents;
    std::span<const std::int32_t> words;
    std::span<const float> probabilities;  // log10
    std::span<const float> backoffs;       // log10

    std::size_t size() const { return words.size(); }
};

// In a slot: the n-gram has the highest order, and the slot holds the state after it.
constexpr Node kHighest = 0x80000000U;

// From (context, word) to the node and its probability.
class TrieTable {
public:
    struct Slot {
        std::uint64_t key = 0;
        Node node = kRoot;  // kRoot: free; with kHighest: the state that follows
        float probability = 0;
    };

    void reserve(std::size_t nodes) {
        std::size_t capacity = 64;
        while (capacity < nodes + nodes / 2) capacity *= 2;
        if (capacity <= slots_.size()) return;
        std::vector<Slot> old(capacity);
        old.swap(slots_);
        mask_ = capacity - 1;
        for (const Slot& slot : old)
            if (slot.node != kRoot) place(slot.key) = slot;
    }

    // Returns false if the child is already there.
    bool insert(Node context, std::uint32_t word, Node node, float probability) {
        Slot& slot = place(key_of(context, word));
        if (slot.node != kRoot) return false;
        slot = {key_of(context, word), node, probability};
        return true;
    }

    const Slot* find(Node context, std::uint32_t word) const {
        const std::uint64_t key = key_of(context, word);
        for (std::size_t at = mix(key) & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.node == kRoot) return nullptr;
            if (slot.key == key) return &slot;
        }
    }

    void prefetch(Node context, std::uint32_t word) const {
        __builtin_prefetch(&slots_[mix(key_of(context, word)) & mask_]);
    }

private:
    static std::uint64_t key_of(Node context, std::uint32_t word) {
        return std::uint64_t{context} << 32 | word;
    }

    Slot& place(std::uint64_t key) {
        std::size_t at = mix(key) & mask_;
        while (slots_[at].node != kRoot && slots_[at].key != key) at = (at + 1) & mask_;
        return slots_[at];
    }

    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::size_t mask_ = 63;
};

// Sorts the n-grams of a file, which come order by order but unsorted inside an order, for a trie.
class NgramSorter {
public:
    enum class Fault { none, context, twice };
    struct Sorted {
        std::vector<std::int64_t> positions;  // of the n-grams as given, in the trie's order
        std::vector<std::int32_t> parents;
        Fault fault = Fault::none;
        std::size_t at = 0;  // the n-gram at fault: its context is missing, or it is repeated
    };

    // The n-grams of the next order; `words` has that many numbers for each.
    Sorted add(std::span<const std::int32_t> words);
    std::size_t order() const { return firsts_.size(); }

private:
    TrieTable table_;
    std::vector<Node> firsts_;  // the first node of each order, then the number of nodes
    Node nodes_ = 1;
};

}  // namespace paragauge
