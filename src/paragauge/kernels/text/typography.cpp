#include "text/typography.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace paragauge {

namespace {

constexpr std::array<std::string_view, 7> kLigatures = {"ff", "fi", "fl", "ffi", "ffl", "st", "st"};

constexpr std::array<char, 128> printable_ascii() {
    std::array<char, 128> table{};
    for (unsigned c = 0; c < 128; ++c) table[c] = static_cast<char>(c);
    return table;
}

constexpr std::array<char, 128> kAscii = printable_ascii();

// What stands for a character whose lead byte is `a` and whose next bytes are `b` and `c` (0 if there
// is none); nothing if it stays.
std::optional<std::string_view> replacement(unsigned a, unsigned b, unsigned c) {
    using Text = std::string_view;
    if (a == 0xC2) {
        switch (b) {
            case 0xA0: return Text(" ");                  // no-break space
            case 0xAB: case 0xBB: return Text("\"");      // guillemets
            case 0xAD: return Text("");                   // soft hyphen
            case 0xB4: return Text("'");                  // acute accent
            default: return std::nullopt;
        }
    }
    if (a == 0xCA) return b == 0xBC ? std::optional(Text("'")) : std::nullopt;  // modifier apostrophe
    if (a == 0xE2 && b == 0x80) {
        if (c <= 0x8A || c == 0xAF) return Text(" ");     // U+2000 to U+200A, narrow no-break space
        if (c == 0x8B) return Text("");                   // zero width space
        if (c >= 0x90 && c <= 0x93) return Text("-");     // hyphens, figure dash, en dash
        if (c == 0x94 || c == 0x95) return Text(" - ");   // em dash, horizontal bar
        if (c >= 0x98 && c <= 0x9B) return Text("'");     // single quotes
        if (c >= 0x9C && c <= 0x9F) return Text("\"");    // double quotes
        if (c == 0xA6) return Text("...");                // ellipsis
        if (c == 0xB2 || c == 0xB5 || c == 0xB9 || c == 0xBA) return Text("'");  // prime, ‹ ›
        if (c == 0xB3 || c == 0xB6) return Text("\"");    // double primes
        return std::nullopt;
    }
    if (a == 0xE2 && b == 0x81) {
        if (c == 0x9F) return Text(" ");                  // medium mathematical space
        if (c == 0xA0) return Text("");                   // word joiner
        return std::nullopt;
    }
    if (a == 0xE2 && b == 0x88) return c == 0x92 ? std::optional(Text("-")) : std::nullopt;  // minus
    if (a == 0xE2 && b == 0xB8 && (c == 0xBA || c == 0xBB)) return Text(" - ");  // longer em dashes
    if (a == 0xE3 && b == 0x80) {
        if (c == 0x80) return Text(" ");                  // ideographic space
        if (c >= 0x9D && c <= 0x9F) return Text("\"");    // prime quotation marks
        return std::nullopt;
    }
    if (a == 0xEF) {
        if (b == 0xAC && c >= 0x80 && c <= 0x86) return kLigatures[c - 0x80];
        if (b == 0xBB && c == 0xBF) return Text("");      // zero width no-break space
        // Full-width forms: U+FF01 to U+FF5E are U+0021 to U+007E.
        if (b == 0xBC && c >= 0x81) return Text(&kAscii[c - 0x81 + 0x21], 1);
        if (b == 0xBD && c <= 0x9E) return Text(&kAscii[c - 0x80 + 0x60], 1);
    }
    return std::nullopt;
}

// The next byte from `p` on that is beyond ASCII, eight bytes at a time.
const char* skip_ascii(const char* p, const char* end) {
    constexpr std::uint64_t kTops = 0x8080808080808080ULL;
    while (end - p >= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        if ((word & kTops) != 0) break;
        p += 8;
    }
    while (p != end && static_cast<unsigned char>(*p) < 0x80) ++p;
    return p;
}

struct Match {
    const char* at;         // the end of the line if there is none
    unsigned size;          // of the character
    std::string_view text;  // in its place
};

// The first typographic character from `p` on.
Match find_typographic(const char* p, const char* end) {
    while ((p = skip_ascii(p, end)) != end) {
        const auto byte = [p](int i) { return static_cast<unsigned>(static_cast<unsigned char>(p[i])); };
        const unsigned lead = byte(0);
        const unsigned size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (size < 4)
            if (const auto text = replacement(lead, byte(1), size == 3 ? byte(2) : 0))
                return {p, size, *text};
        p += size;
    }
    return {end, 0, {}};
}

bool has_typography(const TextColumn& lines) {
    for (std::size_t i = 0; i < lines.lines(); ++i) {
        const std::string_view line = lines.line(i);
        const char* const end = line.data() + line.size();
        if (find_typographic(line.data(), end).at != end) return true;
    }
    return false;
}

}  // namespace

std::optional<Joined> normalize_typography(const TextColumn& lines) {
    if (!has_typography(lines)) return std::nullopt;
    Joined result{{}, {0}};
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < lines.lines(); ++i) bytes += lines.line(i).size();
    result.text.reserve(bytes);
    result.offsets.reserve(lines.lines() + 1);
    for (std::size_t i = 0; i < lines.lines(); ++i) {
        const std::string_view line = lines.line(i);
        const char* p = line.data();
        const char* const end = p + line.size();
        while (p != end) {
            const Match match = find_typographic(p, end);
            result.text.append(p, match.at);
            result.text.append(match.text);
            p = match.at + match.size;
        }
        result.offsets.push_back(static_cast<std::int64_t>(result.text.size()));
    }
    return result;
}

}  // namespace paragauge
