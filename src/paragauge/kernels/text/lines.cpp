#include "text/lines.hpp"

#include <algorithm>
#include <cstring>

#include "text/utf8.hpp"

namespace paragauge {

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

Lowered lower_ascii(std::string_view text, const std::int64_t* spans, std::size_t lines) {
    Lowered result{std::string(text), {}};
    for (char& c : result.text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    for (std::size_t line = 0; line < lines; ++line) {
        const auto* first = reinterpret_cast<const unsigned char*>(text.data()) + spans[2 * line];
        const auto* last = reinterpret_cast<const unsigned char*>(text.data()) + spans[2 * line + 1];
        if (std::any_of(first, last, [](unsigned char c) { return c >= 0x80; }))
            result.foreign.push_back(static_cast<std::int64_t>(line));
    }
    return result;
}

}  // namespace paragauge
