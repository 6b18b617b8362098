#include "text/lines.hpp"

#include <algorithm>
#include <cstring>

#include "text/utf8.hpp"

namespace paragauge {

namespace {

// First bytes of characters of two bytes: from here on there are capitals, and up to here all are Latin.
constexpr unsigned char kFirstLatin = 0xC2, kFirstCased = 0xC3, kLastLatin = 0xC5;
constexpr unsigned kDottedCapital = 0x130;  // its lower case has two characters

unsigned two_bytes(unsigned char first, char second) {
    return (first & 0x1FU) << 6 | (static_cast<unsigned char>(second) & 0x3FU);
}

// A character from U+00C0 to U+017F in lower case.
unsigned lower_latin_letter(unsigned c) {
    const auto between = [c](unsigned first, unsigned last) { return first <= c && c <= last; };
    if (between(0xC0, 0xDE) && c != 0xD7) return c + 0x20;
    if (c == 0x178) return 0xFF;
    // Capitals and small letters take turns.
    const bool even_capitals = (between(0x100, 0x137) && c != kDottedCapital) || between(0x14A, 0x177);
    const bool odd_capitals = between(0x139, 0x148) || between(0x179, 0x17E);
    return c + ((even_capitals && c % 2 == 0) || (odd_capitals && c % 2 == 1) ? 1 : 0);
}

// Whether all characters are ASCII, up to U+017F but the dotted capital I, or from U+2000 to U+20BF:
// punctuation and signs, which have no case.
bool is_latin(std::string_view line) {
    std::size_t i = 0;
    while (i < line.size()) {
        const auto byte = static_cast<unsigned char>(line[i]);
        if (byte < 0x80) {
            ++i;
        } else if (byte >= kFirstLatin && byte <= kLastLatin && i + 1 < line.size() &&
                   two_bytes(byte, line[i + 1]) != kDottedCapital) {
            i += 2;
        } else if (byte == 0xE2 && i + 2 < line.size() && static_cast<unsigned char>(line[i + 1]) <= 0x82) {
            i += 3;
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace

SplitLines split_lines(std::string_view text, std::size_t limit, bool last) {
    SplitLines result{{}, 0};
    const char* const begin = text.data();
    std::size_t at = 0;
    for (std::size_t line = 0; line < limit && at < text.size(); ++line) {
        const void* newline = std::memchr(begin + at, '\n', text.size() - at);
        if (newline == nullptr && !last) break;
        std::size_t stop = text.size(), next = text.size();
        if (newline != nullptr) {
            stop = static_cast<std::size_t>(static_cast<const char*>(newline) - begin);
            next = stop + 1;
            if (stop > at && begin[stop - 1] == '\r') --stop;
        }
        result.spans.push_back(static_cast<std::int64_t>(at));
        result.spans.push_back(static_cast<std::int64_t>(stop));
        at = next;
    }
    result.consumed = at;
    return result;
}

SplitFields split_fields(const char* data, const std::int64_t* spans, std::size_t lines) {
    SplitFields result;
    result.spans.reserve(2 * lines);
    result.groups.reserve(lines + 1);
    result.groups.push_back(0);
    for (std::size_t line = 0; line < lines; ++line) {
        std::int64_t at = spans[2 * line];
        const std::int64_t stop = spans[2 * line + 1];
        while (true) {
            const void* tab_byte = at == stop ? nullptr
                                           : std::memchr(data + at, '\t', static_cast<std::size_t>(stop - at));
            const std::int64_t tab = tab_byte == nullptr ? stop : static_cast<const char*>(tab_byte) - data;
            result.spans.push_back(at);
            result.spans.push_back(tab);
            if (tab_byte == nullptr) break;
            at = tab + 1;
        }
        result.groups.push_back(static_cast<std::int64_t>(result.spans.size() / 2));
    }
    return result;
}

std::size_t count_blank(const char* data, const std::int64_t* spans, std::size_t lines) {
    std::size_t blank = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        const char* p = data + spans[2 * line];
        const char* const stop = data + spans[2 * line + 1];
        while (p != stop) {
            const CodePoint c = decode(p);
            if (!is_space(c.value)) break;
            p += c.size;
        }
        blank += p == stop;
    }
    return blank;
}

std::size_t count_tabbed(const char* data, const std::int64_t* spans, std::size_t lines) {
    std::size_t tabbed = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        const std::string_view text(data + spans[2 * line],
                                    static_cast<std::size_t>(spans[2 * line + 1] - spans[2 * line]));
        tabbed += text.find('\t') != text.npos;
    }
    return tabbed;
}

Lowered lower_latin(std::string_view text, const std::int64_t* spans, std::size_t lines) {
    Lowered result{std::string(text), {}};
    std::string& lowercased = result.text;
    for (std::size_t i = 0; i < lowercased.size(); ++i) {
        const auto byte = static_cast<unsigned char>(lowercased[i]);
        if (byte >= 'A' && byte <= 'Z') {
            lowercased[i] = static_cast<char>(byte + ('a' - 'A'));
        } else if (byte >= kFirstCased && byte <= kLastLatin && i + 1 < lowercased.size()) {
            const unsigned letter = lower_latin_letter(two_bytes(byte, lowercased[i + 1]));
            lowercased[i] = static_cast<char>(0xC0 | letter >> 6);
            lowercased[++i] = static_cast<char>(0x80 | (letter & 0x3F));
        }
    }
    for (std::size_t line = 0; line < lines; ++line) {
        const auto first = static_cast<std::size_t>(spans[2 * line]);
        const auto size = static_cast<std::size_t>(spans[2 * line + 1]) - first;
        if (!is_latin(text.substr(first, size))) result.foreign.push_back(static_cast<std::int64_t>(line));
    }
    return result;
}

}  // namespace paragauge
