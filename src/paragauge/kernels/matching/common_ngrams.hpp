// How many n-grams two sequences have in common, for all orders at once, by sorting.
//
// The n symbols from each position on, n being the longest order, make one number, most significant
// symbol first. In sorted order equal n-grams of every order stand side by side, so one pass counts them
// all. Time is linear in the length of the sequences. Where the symbols do not fit in one number, n-grams
// are numbered instead (match_hash.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "matching/match_hash.hpp"

namespace paragauge {

class CommonNgrams {
public:
    explicit CommonNgrams(std::size_t order)
        : order_(order), run_starts_(order + 1), run_owns_(order + 1),
          hash_(order, Counting::kClip), row_(2 * order) {}

    // Sets the first sequence. All symbols, also those of the other sequences, are from 0 to `symbols` - 1.
    void start(std::span<const std::int32_t> own, std::size_t symbols) {
        // Two symbols more mark what lies beyond the end of either side, so that it never matches.
        const auto bits = static_cast<unsigned>(std::bit_width(symbols + 1));
        packed_ = bits * order_ <= kKeyBits;
        if (!packed_) return hash_.start(own);
        if (bits != bits_) set_bits(bits);
        own_keys_.clear();
        append_keys(own, kOwnEnd, 1, own_keys_);
    }

    // common[n - 1] becomes the number of n-grams of `other` that the first sequence also has; no
    // occurrence matches twice.
    void match(std::span<const std::int32_t> other, std::int64_t* common) {
        if (!packed_) {
            hash_.match(other);
            hash_.finish(row_.data());
            std::copy_n(row_.data(), order_, common);
            return;
        }
        keys_.assign(own_keys_.begin(), own_keys_.end());
        append_keys(other, kOtherEnd, 0, keys_);
        sort_keys();
        count(common);
    }

private:
    static constexpr unsigned kKeyBits = 63;  // one more says whose n-gram it is
    static constexpr std::uint64_t kOtherEnd = 0, kOwnEnd = 1, kSymbols = 2;
    static constexpr unsigned kDigitBits = 8;
    static constexpr std::size_t kDigits = (kKeyBits + kDigitBits - 1) / kDigitBits;
    static constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;

    void set_bits(unsigned bits) {
        bits_ = bits;
        for (unsigned width = 0; width <= kKeyBits; ++width)
            shared_prefix_[width] =
                static_cast<std::uint8_t>(order_ - std::min<std::size_t>(order_, (width + bits - 1) / bits));
    }

    void append_keys(std::span<const std::int32_t> symbols, std::uint64_t end, std::uint64_t side,
                     std::vector<std::uint64_t>& keys) const {
        std::uint64_t key = 0;
        for (std::size_t n = 0; n < order_; ++n) key = key << bits_ | end;
        const std::size_t first = keys.size();
        keys.resize(first + symbols.size());
        const unsigned top = bits_ * static_cast<unsigned>(order_ - 1);
        for (std::size_t i = symbols.size(); i-- > 0;) {
            key = key >> bits_ | (static_cast<std::uint64_t>(symbols[i]) + kSymbols) << top;
            keys[first + i] = key << 1 | side;
        }
    }

    // Sorts the keys by all bits but the lowest, digit by digit from the least significant on.
    void sort_keys() {
        const std::size_t digits = (bits_ * order_ + kDigitBits - 1) / kDigitBits;
        for (std::size_t d = 0; d < digits; ++d) histograms_[d].fill(0);
        for (const std::uint64_t key : keys_)
            for (std::size_t d = 0; d < digits; ++d) ++histograms_[d][digit(key, d)];
        sorted_.resize(keys_.size());
        for (std::size_t d = 0; d < digits; ++d) {
            std::uint32_t before = 0;
            for (std::uint32_t& bucket : histograms_[d]) {
                const std::uint32_t size = bucket;
                bucket = before;
                before += size;
            }
            for (const std::uint64_t key : keys_) sorted_[histograms_[d][digit(key, d)]++] = key;
            keys_.swap(sorted_);
        }
    }

    static std::size_t digit(std::uint64_t key, std::size_t d) { return key >> (1 + kDigitBits * d) & (kBuckets - 1); }

    // Walks through the runs of equal n-grams of every order; in each, the smaller side matches.
    void count(std::int64_t* common) {
        std::fill_n(common, order_, 0);
        std::fill(run_starts_.begin(), run_starts_.end(), 0);
        std::fill(run_owns_.begin(), run_owns_.end(), 0);
        std::uint32_t owns = 0;
        const auto size = static_cast<std::uint32_t>(keys_.size());
        for (std::uint32_t i = 0; i < size; ++i) {
            owns += static_cast<std::uint32_t>(keys_[i] & 1);
            const std::size_t shared =
                i + 1 == size ? 0 : shared_prefix_[static_cast<std::size_t>(std::bit_width((keys_[i] ^ keys_[i + 1]) >> 1))];
            for (std::size_t n = order_; n > shared; --n) {
                const std::uint32_t own = owns - run_owns_[n];
                common[n - 1] += std::min(own, i + 1 - run_starts_[n] - own);
                run_starts_[n] = i + 1;
                run_owns_[n] = owns;
            }
        }
    }

    std::size_t order_;
    unsigned bits_ = 0;  // of one symbol
    bool packed_ = true;
    std::vector<std::uint64_t> own_keys_, keys_, sorted_;
    std::array<std::array<std::uint32_t, kBuckets>, kDigits> histograms_;
    std::array<std::uint8_t, kKeyBits + 1> shared_prefix_;  // symbols that agree, by the width of a difference
    std::vector<std::uint32_t> run_starts_, run_owns_;      // by order: the current run's first key, owns before it
    HashMatcher hash_;
    std::vector<std::int64_t> row_;
};

}  // namespace paragauge
