#include "lexicon/morphy.hpp"

#include <algorithm>
#include <span>

namespace paragauge {

namespace {

struct Rule {
    std::string_view ending;
    std::string_view instead;
};

constexpr Rule kNoun[] = {{"s", ""},     {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
                          {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
constexpr Rule kVerb[] = {{"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},
                          {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
constexpr Rule kAdjective[] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};

std::span<const Rule> rules(Pos pos) {
    switch (pos) {
        case Pos::Noun: return kNoun;
        case Pos::Verb: return kVerb;
        case Pos::Adjective: return kAdjective;
        case Pos::Adverb: break;
    }
    return {};
}

constexpr std::string_view kPrepositions[] = {"to",  "at",   "of",   "on",   "off", "in",    "out",    "up",
                                              "down", "from", "with", "into", "for", "about", "between"};

bool is_preposition(std::string_view word) {
    return std::find(std::begin(kPrepositions), std::end(kPrepositions), word) != std::end(kPrepositions);
}

// An ending is never the whole word.
bool ends(std::string_view word, std::string_view ending) {
    return word.size() > ending.size() && word.ends_with(ending);
}

std::string_view up_to(std::string_view text, std::size_t stop) { return text.substr(0, stop); }

// Whether a word after the first, of the words between underscores, is a preposition. As in
// WordNet's library a run of underscores counts as one when words are counted, but not when the
// next word is looked for.
bool has_preposition(std::string_view text) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < text.size(); ++i) words += text[i] == '_' && (i == 0 || text[i - 1] != '_');
    for (std::size_t at = 0; words > 0; --words) {
        at = text.find('_', at) + 1;
        if (is_preposition(up_to(text.substr(at), text.find('_', at) - at))) return true;
    }
    return false;
}

bool is_separator(char c) { return c == '_' || c == '-'; }

bool is_ascii_word(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

}  // namespace

// Whether the word, or the word with hyphens and underscores exchanged or dropped or without full
// stops, is in WordNet.
bool Morphy::is_defined(std::string_view word, Pos pos) {
    if (net_.is_word(word, pos)) return true;
    if (word.find_first_of("_-.") == word.npos) return false;
    constexpr int kDrop = -1;
    const auto is_variant = [&](auto change) {
        variant_.clear();
        for (const char c : word)
            if (const int changed = change(c); changed != kDrop) variant_.push_back(static_cast<char>(changed));
        return net_.is_word(variant_, pos);
    };
    const auto byte = [](char c) { return int{static_cast<unsigned char>(c)}; };
    return is_variant([&](char c) { return c == '_' ? '-' : byte(c); }) ||
           is_variant([&](char c) { return c == '-' ? '_' : byte(c); }) ||
           is_variant([&](char c) { return is_separator(c) ? kDrop : byte(c); }) ||
           is_variant([&](char c) { return c == '.' ? kDrop : byte(c); });
}

// morphword: the base form of a single word by the exception list or the rules, into piece_.
bool Morphy::detach(std::string_view word, Pos pos) {
    if (const std::string_view base = net_.exception(word, pos); !base.empty()) {
        piece_ = base;
        return true;
    }
    std::string_view end;
    if (pos == Pos::Noun) {
        if (ends(word, "ful")) {
            end = word.substr(word.size() - 3);
            word.remove_suffix(3);
        } else if (word.size() <= 2 || ends(word, "ss")) {
            return false;
        }
    }
    for (const Rule& rule : rules(pos)) {
        if (!ends(word, rule.ending)) continue;
        piece_ = up_to(word, word.size() - rule.ending.size());
        piece_ += rule.instead;
        if (!is_defined(piece_, pos)) continue;
        piece_ += end;
        return true;
    }
    return false;
}

bool Morphy::base(std::string_view word, Pos pos) {
    return changed(word, pos) || (net_.is_word(word, pos) && give(word));
}

bool Morphy::changed(std::string_view word, Pos pos) {
    if (const std::string_view base = net_.exception(word, pos); !base.empty() && base != word)
        return give(base);
    if (pos != Pos::Verb && detach(word, pos) && piece_ != word) return give(piece_);
    if (pos == Pos::Verb && has_preposition(word)) return base_before_preposition(word);
    return base_of_parts(word, pos);
}

// A collocation: the base form of each part. As in WordNet's library there are as many cuts as runs
// of hyphens and underscores, and each cut is made at the next single one.
bool Morphy::base_of_parts(std::string_view word, Pos pos) {
    std::size_t cuts = 0;
    for (std::size_t i = 0; i < word.size(); ++i)
        cuts += is_separator(word[i]) && (i == 0 || !is_separator(word[i - 1]));
    joined_.clear();
    std::size_t start = 0;
    for (; cuts > 0; --cuts) {
        std::size_t stop = start;
        while (!is_separator(word[stop])) ++stop;
        const std::string_view part = word.substr(start, stop - start);
        joined_ += detach(part, pos) ? std::string_view(piece_) : part;
        joined_ += word[stop];
        start = stop + 1;
    }
    const std::string_view part = word.substr(start);
    joined_ += detach(part, pos) ? std::string_view(piece_) : part;
    return joined_ != word && is_defined(joined_, pos) && give(joined_);
}

bool Morphy::try_verb(std::string_view verb, std::string_view rest, std::string_view other) {
    for (const std::string_view tail : {rest, other}) {
        if (tail.empty()) continue;
        result_ = verb;
        result_ += tail;
        if (is_defined(result_, Pos::Verb)) return true;
    }
    return false;
}

// morphprep: a verb with a preposition among the words after it. The verb changes, and the last
// word, as a noun, may change too.
bool Morphy::base_before_preposition(std::string_view word) {
    const std::size_t first = word.find('_'), last = word.rfind('_');
    const std::string_view verb = up_to(word, first), rest = word.substr(first);
    joined_.clear();
    if (first != last && detach(word.substr(last + 1), Pos::Noun)) {
        joined_ = word.substr(first, last + 1 - first);
        joined_ += piece_;
    }
    if (!is_ascii_word(verb)) return false;
    if (const std::string_view base = net_.exception(verb, Pos::Verb); !base.empty() && base != verb)
        if (try_verb(base, rest, joined_)) return true;
    for (const Rule& rule : rules(Pos::Verb)) {
        if (!ends(verb, rule.ending)) continue;
        piece_ = up_to(verb, verb.size() - rule.ending.size());
        piece_ += rule.instead;
        if (try_verb(piece_, rest, joined_)) return true;
    }
    if (joined_.empty() || joined_ == rest) return false;
    result_ = verb;
    result_ += joined_;
    return true;
}

}  // namespace paragauge
