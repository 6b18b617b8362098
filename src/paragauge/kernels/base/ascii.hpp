// Runs of ASCII letters, eight bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace paragauge {

inline bool is_ascii_letter(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }

// The first byte from `p` on that is not an ASCII letter.
// Eight bytes at a time: in each byte of `others` the top bit says "not a letter".
inline const char* skip_ascii_letters(const char* p, const char* end) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL, kTops = 0x80 * kOnes;
    if constexpr (std::endian::native == std::endian::little) {
        while (end - p >= 8) {
            std::uint64_t word;
            std::memcpy(&word, p, 8);
            const std::uint64_t lowercase = (word | 0x20 * kOnes) & ~kTops;
            const std::uint64_t from_a = lowercase + (0x80 - 'a') * kOnes;
            const std::uint64_t after_z = lowercase + (0x80 - 'z' - 1) * kOnes;
            const std::uint64_t others = (~from_a | after_z | word) & kTops;
            if (others != 0) return p + std::countr_zero(others) / 8;
            p += 8;
        }
    }
    while (p != end && is_ascii_letter(*p)) ++p;
    return p;
}

}  // namespace paragauge
