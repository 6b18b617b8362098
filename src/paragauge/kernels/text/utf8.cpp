#include "text/utf8.hpp"

#include <cstring>

namespace paragauge {

namespace {

// Length of the well-formed sequence at `at`, or 0. `left` is the number of bytes that remain.
unsigned sequence_length(const unsigned char* at, std::size_t left) {
    const unsigned lead = at[0];
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const unsigned size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (left < size) return 0;
    // The second byte's range excludes overlong forms, surrogates and values above U+10FFFF.
    unsigned low = 0x80, high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    if (at[1] < low || at[1] > high) return 0;
    for (unsigned i = 2; i < size; ++i)
        if ((at[i] & 0xC0) != 0x80) return 0;
    return size;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    const std::size_t size = text.size();
    std::size_t i = 0;
    while (i < size) {
        if (i + 8 <= size) {
            std::uint64_t word;
            std::memcpy(&word, bytes + i, 8);
            if ((word & 0x8080808080808080ULL) == 0) {
                i += 8;
                continue;
            }
        }
        const unsigned length = sequence_length(bytes + i, size - i);
        if (length == 0) return i;
        i += length;
    }
    return std::string_view::npos;
}

std::string_view strip(std::string_view text, bool strip_left) {
    while (!text.empty()) {
        std::size_t at = text.size() - 1;
        while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
        if (!is_space(decode(text.data() + at).value)) break;
        text.remove_suffix(text.size() - at);
    }
    while (strip_left && !text.empty()) {
        const CodePoint c = decode(text.data());
        if (!is_space(c.value)) break;
        text.remove_prefix(c.size);
    }
    return text;
}

}  // namespace paragauge
