// UTF-8: validation, decoding of valid text, and Python's idea of white space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace paragauge {

// Offset of the first byte that does not belong to well-formed UTF-8 (no overlong forms, no
// surrogates, nothing above U+10FFFF), or npos.
std::size_t first_invalid_utf8(std::string_view text);

struct CodePoint {
    char32_t value;
    unsigned size;
};

// Contract: `text` is valid UTF-8 and not empty.
inline CodePoint decode(const char* at) {
    const auto byte = [at](int i) -> unsigned { return static_cast<unsigned char>(at[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    if (lead < 0xE0) return {static_cast<char32_t>((lead & 0x1F) << 6 | (byte(1) & 0x3F)), 2};
    if (lead < 0xF0)
        return {static_cast<char32_t>((lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)),
                3};
    return {static_cast<char32_t>((lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 |
                                  (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F)),
            4};
}

inline bool is_ascii_space(unsigned char c) {
    return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
}

// The code points at which Python's str.split() splits.
inline bool is_space(char32_t c) {
    if (c < 0x80) return is_ascii_space(static_cast<unsigned char>(c));
    if (c < 0x1680) return c == 0x85 || c == 0xA0;
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

// `text` without white space at its right (or, with strip_left, at both ends), as str.rstrip does.
std::string_view strip(std::string_view text, bool strip_left);

}  // namespace paragauge
