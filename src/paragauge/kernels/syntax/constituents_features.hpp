// The parser's features: of the places between words, of spans and of splits.
// Each is a key (see feature_key), passed to `visit`; reference/syntax/constituents_features.py is the
// readable version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "syntax/tagger_words.hpp"

namespace paragauge {

// A word as hashes.
struct ParserWord {
    std::uint64_t word;    // lowercased
    std::uint64_t suffix;  // its last three bytes
    std::uint64_t tag;
};

// The words of a sentence, with two boundary words before and after.
class ParserWords {
public:
    // Contract: as many tags as tokens, each with a kind.
    void assign(std::span<const std::string_view> tokens, std::span<const std::int32_t> tags,
                std::span<const std::uint8_t> kinds, WordReader& reader) {
        words_.assign(2, ParserWord{1, 1, 1});
        tags_.clear();
        WordForm form{};
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            reader.read(tokens[i], form);
            tags_.push_back(static_cast<std::size_t>(tags[i]));
            words_.push_back({form.lower, form.suffix[2], tags_.back() + 3});
        }
        words_.insert(words_.end(), 2, ParserWord{2, 2, 2});
        add_kinds(kinds);
    }

    std::size_t size() const { return tags_.size(); }
    std::size_t tag(std::size_t i) const { return tags_[i]; }
    const ParserWord& at(std::size_t i) const { return words_[i + 2]; }
    const ParserWord& before(std::size_t i, std::size_t by = 1) const { return words_[i + 2 - by]; }
    // A hash of the kinds of the words from i to j - 1, runs of equal kinds counted once.
    std::uint64_t kinds(std::size_t i, std::size_t j) const { return kinds_[j * (j - 1) / 2 + i]; }

private:
    void add_kinds(std::span<const std::uint8_t> kinds) {
        kinds_.resize(size() * (size() + 1) / 2);
        for (std::size_t i = 0; i < size(); ++i) {
            std::uint64_t hash = 0, last = 0;
            for (std::size_t j = i + 1; j <= size(); ++j) {
                const std::uint64_t kind = kinds[tags_[j - 1]] + std::uint64_t{1};
                if (kind != last) hash = combine(hash, kind);
                last = kind;
                kinds_[j * (j - 1) / 2 + i] = hash;
            }
        }
    }

    std::vector<ParserWord> words_;
    std::vector<std::size_t> tags_;
    std::vector<std::uint64_t> kinds_;
};

// 1 to 5; 6 and 7, to 10, to 15, to 25 and more words.
inline std::uint64_t length_class(std::size_t n) {
    if (n <= 5) return n;
    if (n <= 7) return 6;
    if (n <= 10) return 7;
    if (n <= 15) return 8;
    return n <= 25 ? 9 : 10;
}

constexpr std::uint64_t kStarts = 100, kEnds = 120;

// Of the place before word i, where spans start or end.
template <class Visit>
void place_features(const ParserWords& s, std::size_t i, std::uint64_t number, Visit visit) {
    const ParserWord &b2 = s.before(i, 2), &b = s.before(i), &a = s.at(i), &a2 = s.at(i + 1);
    const std::uint64_t tags = combine(b.tag, a.tag);
    visit(feature_key(number, a.word));
    visit(feature_key(number + 1, b.word));
    visit(feature_key(number + 2, a.tag));
    visit(feature_key(number + 3, b.tag));
    visit(feature_key(number + 4, tags));
    visit(feature_key(number + 5, combine(b.word, a.tag)));
    visit(feature_key(number + 6, combine(b.tag, a.word)));
    visit(feature_key(number + 7, combine(a.tag, a2.tag)));
    visit(feature_key(number + 8, combine(b2.tag, b.tag)));
    visit(feature_key(number + 9, combine(tags, a2.tag)));
    visit(feature_key(number + 10, combine(tags, b2.tag)));
    visit(feature_key(number + 11, combine(b.word, a.word)));
    visit(feature_key(number + 12, a.suffix));
    visit(feature_key(number + 13, b.suffix));
    visit(feature_key(number + 14, combine(a.word, a2.tag)));
    visit(feature_key(number + 15, combine(b2.tag, b.word)));
}

// Of the span of the words from i to j - 1: before it, its first, its last, and after it.
template <class Visit>
void span_features(const ParserWords& s, std::size_t i, std::size_t j, Visit visit) {
    const ParserWord &b = s.before(i), &f = s.at(i), &l = s.before(j), &a = s.at(j);
    const std::uint64_t length = length_class(j - i), kinds = s.kinds(i, j);
    const std::uint64_t inner = combine(f.tag, l.tag), outer = combine(b.tag, a.tag);
    visit(feature_key(1, length));
    visit(feature_key(2, inner));
    visit(feature_key(3, combine(f.word, l.tag)));
    visit(feature_key(4, combine(f.tag, l.word)));
    visit(feature_key(5, combine(f.word, l.word)));
    visit(feature_key(6, outer));
    visit(feature_key(7, combine(b.word, a.tag)));
    visit(feature_key(8, combine(b.tag, a.word)));
    visit(feature_key(9, combine(inner, outer)));
    visit(feature_key(10, combine(inner, b.tag)));
    visit(feature_key(11, combine(inner, a.tag)));
    visit(feature_key(12, combine(outer, f.tag)));
    visit(feature_key(13, combine(outer, l.tag)));
    visit(feature_key(14, combine(length, f.tag)));
    visit(feature_key(15, combine(length, l.tag)));
    visit(feature_key(16, combine(length, b.tag)));
    visit(feature_key(17, combine(length, a.tag)));
    visit(feature_key(18, combine(length, f.word)));
    visit(feature_key(19, combine(length, l.word)));
    visit(feature_key(20, combine(f.word, a.tag)));
    visit(feature_key(21, combine(f.tag, a.word)));
    visit(feature_key(22, combine(b.word, l.tag)));
    visit(feature_key(23, combine(inner, s.at(i + 1).tag)));
    visit(feature_key(24, combine(inner, s.before(j, 2).tag)));
    visit(feature_key(25, kinds));
    visit(feature_key(26, combine(kinds, b.tag)));
    visit(feature_key(27, combine(kinds, a.tag)));
    visit(feature_key(28, combine(kinds, outer)));
    visit(feature_key(29, combine(kinds, f.tag)));
    visit(feature_key(30, combine(kinds, l.tag)));
    if (j - i > 1) {
        const std::uint64_t ends = combine(s.before(j, 2).tag, l.tag);
        visit(feature_key(31, combine(ends, combine(f.tag, s.at(i + 1).tag))));
        visit(feature_key(32, combine(ends, f.word)));
        visit(feature_key(33, combine(outer, f.word)));
        visit(feature_key(34, combine(combine(b.word, a.tag), f.tag)));
        visit(feature_key(35, combine(combine(b.tag, a.word), l.tag)));
        visit(feature_key(36, combine(outer, s.before(i, 2).tag)));
        visit(feature_key(37, combine(outer, s.at(j + 1).tag)));
    }
    if (j - i <= 6) {
        std::uint64_t tags = 0;
        for (std::size_t k = i; k < j; ++k) tags = combine(tags, s.at(k).tag);
        visit(feature_key(38, tags));
        visit(feature_key(39, combine(tags, outer)));
    }
    if (j - i <= 3) {
        std::uint64_t words = 0;
        for (std::size_t k = i; k < j; ++k) words = combine(words, s.at(k).word);
        visit(feature_key(40, words));
    }
}

// Of a split before word k.
template <class Visit>
void middle_features(const ParserWords& s, std::size_t k, Visit visit) {
    const ParserWord &b = s.before(k), &a = s.at(k);
    visit(feature_key(50, b.word));
    visit(feature_key(51, a.word));
    visit(feature_key(52, combine(b.tag, a.tag)));
    visit(feature_key(53, combine(b.word, a.tag)));
    visit(feature_key(54, combine(b.tag, a.word)));
    visit(feature_key(55, combine(b.word, a.word)));
}

// Of a split before word k whose left part begins at i.
template <class Visit>
void left_features(const ParserWords& s, std::size_t i, std::size_t k, Visit visit) {
    const ParserWord &f = s.at(i), &l = s.before(k), &a = s.at(k);
    visit(feature_key(60, length_class(k - i)));
    visit(feature_key(61, combine(f.tag, a.tag)));
    visit(feature_key(62, combine(f.word, a.word)));
    visit(feature_key(63, combine(f.word, a.tag)));
    visit(feature_key(64, combine(f.tag, a.word)));
    visit(feature_key(65, combine(combine(f.tag, a.tag), l.tag)));
    visit(feature_key(66, combine(s.kinds(i, k), a.tag)));
    visit(feature_key(67, combine(combine(f.word, a.word), l.tag)));
}

// Of a split before word k whose right part ends before j.
template <class Visit>
void right_features(const ParserWords& s, std::size_t k, std::size_t j, Visit visit) {
    const ParserWord &b = s.before(k), &f = s.at(k), &l = s.before(j), &a = s.at(j);
    const std::uint64_t middle = combine(b.tag, f.tag), kinds = s.kinds(k, j);
    visit(feature_key(70, length_class(j - k)));
    visit(feature_key(71, combine(b.tag, l.tag)));
    visit(feature_key(72, combine(b.word, l.word)));
    visit(feature_key(73, combine(middle, l.tag)));
    visit(feature_key(74, combine(middle, a.tag)));
    visit(feature_key(75, combine(kinds, b.tag)));
    visit(feature_key(76, combine(kinds, b.word)));
    visit(feature_key(77, combine(combine(b.word, f.word), l.tag)));
}

}  // namespace paragauge
