// Sets of small numbers as words of 64 bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace paragauge::bits {

using Word = std::uint64_t;
using Bits = std::span<Word>;
using ConstBits = std::span<const Word>;

inline void put(Bits bits, std::size_t at) { bits[at / 64] |= Word{1} << (at % 64); }

inline bool has(ConstBits bits, std::size_t at) { return (bits[at / 64] >> (at % 64) & 1) != 0; }

inline bool empty(ConstBits bits) {
    return std::all_of(bits.begin(), bits.end(), [](Word word) { return word == 0; });
}

// std::popcount calls a function of the compiler's library where the machine may lack the instruction.
inline std::size_t count(Word word) {
    word -= word >> 1 & 0x5555555555555555ULL;
    word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return static_cast<std::size_t>(word * 0x0101010101010101ULL >> 56);
}

inline std::size_t count(ConstBits bits) {
    std::size_t total = 0;
    for (const Word word : bits) total += count(word);
    return total;
}

inline std::size_t count_above(ConstBits bits, std::size_t at) {
    // Twice, because a shift by 64 is undefined.
    std::size_t total = count(bits[at / 64] >> (at % 64) >> 1);
    for (std::size_t i = at / 64 + 1; i < bits.size(); ++i) total += count(bits[i]);
    return total;
}

// Calls body(position) for each position in ascending order until it returns false.
template <class Body>
void each(ConstBits bits, Body body) {
    for (std::size_t i = 0; i < bits.size(); ++i)
        for (Word word = bits[i]; word != 0; word &= word - 1)
            if (!body(64 * i + static_cast<std::size_t>(std::countr_zero(word)))) return;
}

}  // namespace paragauge::bits
