#include "text/penn.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/ascii.hpp"

namespace paragauge {

namespace {

// What the rules up to the double quotes do with a character.
enum class Role : std::uint8_t {
    Plain,    // nothing
    Isolate,  // a space before and after it
    Dot,
    Dash,
    Quote,
    Odd,      // nothing, but it may be white space other than the space
};

constexpr std::array<Role, 256> roles() {
    std::array<Role, 256> table{};
    for (unsigned c = 0; c < 256; ++c)
        if (c < 0x20 || c >= 0x80) table[c] = Role::Odd;
    for (const char c : {',', ';', ':', '@', '#', '$', '%', '&', '?', '!', '[', ']', '(', ')', '{', '}', '<', '>'})
        table[static_cast<unsigned char>(c)] = Role::Isolate;
    table['.'] = Role::Dot;
    table['-'] = Role::Dash;
    table['"'] = Role::Quote;
    return table;
}

constexpr std::array<Role, 256> kRoles = roles();

// A line never grows more than this: a double quote becomes two characters and two spaces.
constexpr std::size_t kGrowth = 4;

bool opens_quote(char before) {
    return before == ' ' || before == '(' || before == '[' || before == '{' || before == '<';
}

// The position of the full stop that the rule on final full stops splits off, or npos. The rule
// sees the line after ellipses were split off by threes: a dot remains alone, and so can be split
// off, when the run's length is one more than a multiple of three, and the run must not be all
// there is before. Nothing that the rules before this one add can stand among the closing quotes
// and brackets after it.
std::size_t final_stop(std::string_view line) {
    std::size_t at = line.size();
    while (at > 0 && std::strchr("])}>\"'", line[at - 1]) != nullptr && line[at - 1] != '\0') --at;
    std::size_t run = 0;
    while (run < at && line[at - 1 - run] == '.') ++run;
    if (run % 3 != 1 || (run == 1 && at == 1)) return std::string_view::npos;
    return at - 1;
}

// Writes the line as it is after the script's rule on closing double quotes, every space included.
// Returns whether there is a character that may be white space but is not the space.
//
// The rules up to that one look at single characters, at runs of dots or dashes, at the character
// before a double quote, or at the end of the line; none sees what another has done, but for the
// final full stop (see final_stop) and a double quote after one at the start of the line, which
// opens because the first rule has put a space before it.
bool spread(std::string_view line, std::string& out) {
    out.resize(kGrowth * line.size() + 4);
    char* to = out.data();
    const auto put = [&to](const char* text, std::size_t size) {
        std::memcpy(to, text, size);
        to += size;
    };
    const char* const begin = line.data();
    const char* const end = begin + line.size();
    const std::size_t stop_at = final_stop(line);
    const char* const stop = stop_at == std::string_view::npos ? nullptr : begin + stop_at;
    bool odd = false;
    *to++ = ' ';
    for (const char* p = begin; p != end;) {
        switch (kRoles[static_cast<unsigned char>(*p)]) {
            case Role::Odd:
                odd = true;
                *to++ = *p++;
                break;
            case Role::Plain: {
                const char* const next = skip_ascii_letters(p + 1, end);
                put(p, static_cast<std::size_t>(next - p));
                p = next;
                break;
            }
            case Role::Isolate:
                *to++ = ' ';
                *to++ = *p++;
                *to++ = ' ';
                break;
            case Role::Quote:
                if (p == begin)
                    put("`` ", 3);
                else if (opens_quote(p[-1]) || (p == begin + 1 && *begin == '"'))
                    put(" `` ", 4);
                else
                    put(" '' ", 4);
                ++p;
                break;
            case Role::Dash:
                if (p + 1 != end && p[1] == '-') {
                    put(" -- ", 4);
                    p += 2;
                } else {
                    *to++ = *p++;
                }
                break;
            case Role::Dot:
                if (end - p >= 3 && p[1] == '.' && p[2] == '.') {
                    put(" ... ", 5);
                    p += 3;
                } else {
                    if (p == stop) *to++ = ' ';
                    *to++ = *p++;
                }
                break;
        }
    }
    if (stop != nullptr) *to++ = ' ';
    *to++ = ' ';
    out.resize(static_cast<std::size_t>(to - out.data()));
    return odd;
}

struct Ending {
    char text[4];
    std::size_t size;
};

// In the order of the script: each is looked for once, so that 've is split off before n't.
constexpr Ending kEndings[] = {{"'ll", 3}, {"'re", 3}, {"'ve", 3}, {"n't", 3},
                               {"'LL", 3}, {"'RE", 3}, {"'VE", 3}, {"N'T", 3}};

// The length of what the rules on apostrophes leave at the left of `word`, a run without spaces;
// `cut` is called with the start of each piece split off, from right to left. A rule splits a word
// at the right only, so that the next rule sees the rest as a word of its own.
template <class Cut>
std::size_t split_endings(std::string_view word, Cut cut) {
    std::size_t size = word.size();
    const auto last = [&](std::size_t i) { return size >= i ? word[size - i] : '\0'; };
    const auto take = [&](std::size_t ending) {
        size -= ending;
        cut(size);
    };
    // A lone apostrophe is a word already: the space that the rule may add before it changes nothing.
    if (last(1) == '\'' && size >= 2 && last(2) != '\'') take(1);
    if (last(2) == '\'' && std::memchr("sSmMdD", last(1), 6) != nullptr) take(2);
    for (const Ending& ending : kEndings)
        if (size >= ending.size && std::memcmp(word.data() + size - ending.size, ending.text, ending.size) == 0)
            take(ending.size);
    return size;
}

struct Compound {
    std::string_view word;
    std::size_t capital;  // the letter that may be a capital
    std::size_t cut;
};

constexpr Compound kCompounds[] = {
    {"cannot", 0, 3}, {"d'ye", 0, 2},   {"gimme", 0, 3}, {"gonna", 0, 3}, {"gotta", 0, 3},
    {"lemme", 0, 3},  {"more'n", 0, 4}, {"'tis", 1, 2},  {"'twas", 1, 2}, {"wanna", 0, 3},
};

const Compound* compound(std::string_view word) {
    if (word.size() < 4 || word.size() > 6) return nullptr;
    for (const Compound& each : kCompounds) {
        if (each.word.size() != word.size()) continue;
        const std::size_t k = each.capital;
        if ((word[k] | 0x20) != each.word[k] || word.substr(0, k) != each.word.substr(0, k)) continue;
        if (word.substr(k + 1) == each.word.substr(k + 1)) return &each;
    }
    return nullptr;
}

}  // namespace

void tokenize_penn(std::string_view line, std::string& scratch, Tokens& tokens) {
    const bool odd = spread(line, scratch);
    const auto push = [&](const char* from, const char* to) {
        if (from == to) return;
        if (odd)
            split_words({from, static_cast<std::size_t>(to - from)}, tokens);
        else
            tokens.push(from, static_cast<std::size_t>(to - from));
    };
    // A rule on compounds takes the spaces at both sides, so that it misses the same compound right
    // after one that it has split, with a single space between them.
    const Compound* before = nullptr;
    const char* after_before = nullptr;
    std::array<const char*, 2 + std::size(kEndings)> cuts;
    const char* p = scratch.data();
    const char* const end = p + scratch.size();  // a space stands before it
    while (true) {
        while (p != end && *p == ' ') ++p;
        if (p == end) break;
        const char* word = p;
        p = skip_ascii_letters(p, end);
        if (*p != ' ') p = static_cast<const char*>(std::memchr(p, ' ', static_cast<std::size_t>(end - p)));
        std::size_t pieces = 0;
        const char* left_end = p;
        // Every ending has its apostrophe among the last three characters.
        const std::ptrdiff_t size = p - word;
        if (p[-1] == '\'' || (size >= 2 && p[-2] == '\'') || (size >= 3 && p[-3] == '\''))
            left_end = word + split_endings({word, static_cast<std::size_t>(size)},
                                            [&](std::size_t at) { cuts[pieces++] = word + at; });
        const Compound* word_pair = compound({word, static_cast<std::size_t>(left_end - word)});
        if (word_pair != nullptr && word_pair == before && word == after_before + 1) word_pair = nullptr;
        if (word_pair != nullptr) {
            push(word, word + word_pair->cut);
            push(word + word_pair->cut, left_end);
        } else {
            push(word, left_end);
        }
        before = word_pair;
        after_before = left_end;
        while (pieces > 0) {
            const char* const from = cuts[--pieces];
            push(from, pieces == 0 ? p : cuts[pieces - 1]);
        }
    }
}

}  // namespace paragauge
