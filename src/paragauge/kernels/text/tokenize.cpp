#include "text/tokenize.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "base/ascii.hpp"
#include "text/penn.hpp"
#include "text/unicode_classes.hpp"
#include "text/utf8.hpp"

namespace paragauge {

namespace {

// What a character does to the token it stands in.
enum class Kind : std::uint8_t {
    Other,    // part of a word
    Space,    // ends a word, is no token
    Isolate,  // always a token of its own
    Mark,     // a token of its own unless digits touch it: full stop and comma in 13a
    Digit,
    Dash,     // a token of its own after a digit
};

struct Classified {
    Kind kind;
    unsigned size;
};

constexpr std::array<Kind, 128> ascii_kinds_13a() {
    std::array<Kind, 128> kinds{};
    for (unsigned c = 0; c < 128; ++c) {
        const bool isolate = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') ||
                             (c > ' ' && c <= '&') || (c >= '(' && c <= '+') ||
                             (c >= ':' && c <= '@') || c == '/';
        if (c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F))
            kinds[c] = Kind::Space;
        else if (isolate)
            kinds[c] = Kind::Isolate;
        else if (c == '.' || c == ',')
            kinds[c] = Kind::Mark;
        else if (c == '-')
            kinds[c] = Kind::Dash;
        else if (c >= '0' && c <= '9')
            kinds[c] = Kind::Digit;
    }
    return kinds;
}

constexpr std::array<Kind, 128> kAscii13a = ascii_kinds_13a();

struct Classes13a {
    // mteval-v13a puts a space before and after the line; the others do not.
    static constexpr bool kPadded = true;
    static Classified at(const char* p) {
        const auto c = static_cast<unsigned char>(*p);
        if (c < 0x80) return {kAscii13a[c], 1};
        const CodePoint code = decode(p);
        return {is_space(code.value) ? Kind::Space : Kind::Other, code.size};
    }
};

// sacreBLEU's table spells two ranges with five hexadecimal digits after \u, which Python reads as
// a four-digit escape and a digit: U+20000-U+2A6D6 became U+2001-U+2A6D, and U+2F800-U+2FA1D
// became U+2F81-U+2FA1. Same output means same ranges.
bool is_chinese(char32_t c) {
    struct Range {
        char32_t first, last;
    };
    static constexpr Range kRanges[] = {
        {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3000, 0x303F},
        {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x32FF}, {0x3300, 0x33FF},
        {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
        {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
    };
    return std::any_of(std::begin(kRanges), std::end(kRanges),
                       [c](Range range) { return c >= range.first && c <= range.last; });
}

struct ClassesZh {
    static constexpr bool kPadded = false;
    static Classified at(const char* p) {
        const auto c = static_cast<unsigned char>(*p);
        if (c < 0x80) return {kAscii13a[c], 1};
        const CodePoint code = decode(p);
        if (is_space(code.value)) return {Kind::Space, code.size};
        return {is_chinese(code.value) ? Kind::Isolate : Kind::Other, code.size};
    }
};

struct ClassesIntl {
    static constexpr bool kPadded = false;
    static Classified at(const char* p) {
        const CodePoint code = decode(p);
        if (is_space(code.value)) return {Kind::Space, code.size};
        switch (category(code.value)) {
            case Category::Number: return {Kind::Digit, code.size};
            case Category::Punctuation: return {Kind::Mark, code.size};
            case Category::Symbol: return {Kind::Isolate, code.size};
            case Category::Other: break;
        }
        return {Kind::Other, code.size};
    }
};

// One pass in place of the regular expressions
//   (isolated)           ->  space, itself, space
//   (non-digit)(mark)    ->  \1 space \2 space
//   (mark)(non-digit)    ->  space \1 space \2
//   (digit)(dash)        ->  \1 space \2 space
// Matches do not overlap, so in the second expression a mark that has just been matched cannot be
// the non-digit before the next mark: `free` says that the character before may still be it. Two
// marks never stay adjacent after the second expression, so the third sees each mark alone: it
// isolates a mark unless a digit, or the end of an unpadded line, follows.
template <class Classes>
void scan(std::string_view line, Tokens& tokens) {
    const char* p = line.data();
    const char* const end = p + line.size();
    const char* word = nullptr;
    const auto close = [&](const char* stop) {
        if (word != nullptr) tokens.push(word, static_cast<std::size_t>(stop - word));
        word = nullptr;
    };
    const auto isolate = [&](unsigned size) {
        close(p);
        tokens.push(p, size);
    };
    bool free = Classes::kPadded;
    bool after_digit = false;
    while (p != end) {
        const Classified c = Classes::at(p);
        bool digit = false;
        switch (c.kind) {
            case Kind::Other:
                if (word == nullptr) word = p;
                free = true;
                // Most bytes are letters, and most words are followed by a space and a letter:
                // run over both without the state.
                p = skip_ascii_letters(p + c.size, end);
                while (end - p > 1 && *p == ' ' && is_ascii_letter(p[1])) {
                    close(p);
                    word = p + 1;
                    p = skip_ascii_letters(p + 2, end);
                }
                after_digit = false;
                continue;
            case Kind::Space:
                close(p);
                free = true;
                break;
            case Kind::Isolate:
                isolate(c.size);
                free = true;
                break;
            case Kind::Digit:
                if (word == nullptr) word = p;
                free = false;
                digit = true;
                break;
            case Kind::Dash:
                if (after_digit)
                    isolate(c.size);
                else if (word == nullptr)
                    word = p;
                free = true;
                break;
            case Kind::Mark:
                if (free) {
                    isolate(c.size);
                    free = false;
                    break;
                }
                const char* const next = p + c.size;
                const bool joined =
                    next == end ? !Classes::kPadded : Classes::at(next).kind == Kind::Digit;
                if (!joined)
                    isolate(c.size);
                else if (word == nullptr)
                    word = p;
                free = true;
                break;
        }
        after_digit = digit;
        p += c.size;
    }
    close(end);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    std::size_t write = 0, read = 0;
    while (true) {
        const std::size_t match = std::min(text.find(from, read), text.size());
        // `to` is never longer than `from`, so writing never overtakes reading.
        std::copy(text.begin() + static_cast<std::ptrdiff_t>(read),
                  text.begin() + static_cast<std::ptrdiff_t>(match),
                  text.begin() + static_cast<std::ptrdiff_t>(write));
        write += match - read;
        if (match == text.size()) break;
        std::copy(to.begin(), to.end(), text.begin() + static_cast<std::ptrdiff_t>(write));
        write += to.size();
        read = match + from.size();
    }
    text.resize(write);
}

bool has_mteval_escape(std::string_view line) {
    return line.find('\n') != line.npos || line.find('&') != line.npos ||
           line.find("<skipped>") != line.npos;
}

std::string_view unescape_mteval(std::string_view line, std::string& scratch) {
    scratch.assign(line);
    replace_all(scratch, "<skipped>", "");
    replace_all(scratch, "-\n", "");
    replace_all(scratch, "\n", " ");
    replace_all(scratch, "&quot;", "\"");
    replace_all(scratch, "&amp;", "&");
    replace_all(scratch, "&lt;", "<");
    replace_all(scratch, "&gt;", ">");
    return scratch;
}

void split_characters(std::string_view line, Tokens& tokens) {
    for (const char *p = line.data(), *end = p + line.size(); p != end;) {
        const CodePoint c = decode(p);
        if (!is_space(c.value)) tokens.push(p, c.size);
        p += c.size;
    }
}

// Bytes of multi-byte characters are never ASCII, so bytes will do.
void split_at_spaces(std::string_view line, Tokens& tokens) {
    constexpr std::string_view kWhitespace = " \t\n\v\f\r";
    for (std::size_t stop = 0;;) {
        const std::size_t start = line.find_first_not_of(kWhitespace, stop);
        if (start == line.npos) return;
        stop = std::min(line.find_first_of(kWhitespace, start), line.size());
        tokens.push(line.data() + start, stop - start);
    }
}

}  // namespace

void split_words(std::string_view line, Tokens& tokens) {
    const char* word = nullptr;
    const char* p = line.data();
    const char* const end = p + line.size();
    while (p != end) {
        const CodePoint c = decode(p);
        if (is_space(c.value)) {
            if (word != nullptr) tokens.push(word, static_cast<std::size_t>(p - word));
            word = nullptr;
        } else if (word == nullptr) {
            word = p;
        }
        p += c.size;
    }
    if (word != nullptr) tokens.push(word, static_cast<std::size_t>(end - word));
}

Scheme scheme_named(std::string_view name) {
    if (name == "13a") return Scheme::V13a;
    if (name == "intl") return Scheme::Intl;
    if (name == "char") return Scheme::Char;
    if (name == "zh") return Scheme::Zh;
    if (name == "none") return Scheme::None;
    if (name == "blanks") return Scheme::Spaces;
    if (name == "penn") return Scheme::Penn;
    throw std::invalid_argument("no native tokenizer named '" + std::string(name) + "'");
}

void tokenize(Scheme scheme, std::string_view line, std::string& scratch, Tokens& tokens) {
    tokens.clear();
    switch (scheme) {
        case Scheme::V13a:
            line = strip(line, false);
            if (has_mteval_escape(line)) line = unescape_mteval(line, scratch);
            return scan<Classes13a>(line, tokens);
        case Scheme::Intl: return scan<ClassesIntl>(strip(line, false), tokens);
        case Scheme::Zh: return scan<ClassesZh>(strip(line, true), tokens);
        case Scheme::Char: return split_characters(line, tokens);
        case Scheme::None: return split_words(line, tokens);
        case Scheme::Spaces: return split_at_spaces(line, tokens);
        case Scheme::Penn: return tokenize_penn(strip(line, false), scratch, tokens);
    }
}

}  // namespace paragauge
