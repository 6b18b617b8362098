// What the parser sees of a sentence: features of where spans begin and end, of spans, and of splits.
// A feature is a key (see feature_key); reference/constituents_features.py lists them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tagger_words.hpp"

namespace paragauge {

// A word as hashes.
struct ParserWord {
    std::uint64_t word;    // lower-cased
    std::uint64_t suffix;  // its last three bytes
    std::uint64_t shape;
    std::uint64_t tag;
};

// The words of a sentence with two boundaries on each side: word i of the sentence is at(i).
class ParserWords {
public:
    std::size_t size() const { return tags_.size(); }
    std::size_t tag(std::size_t i) const { return tags_[i]; }
    const ParserWord& at(std::size_t i) const { return words_[i + 2]; }
    const ParserWord& before(std::size_t i, std::size_t by = 1) const { return words_[i + 2 - by]; }

    void assign(std::span<const std::string_view> tokens, std::span<const std::int32_t> tags,
                WordReader& reader) {
        words_.assign(2, ParserWord{1, 1, 1, 1});
        tags_.clear();
        WordForm form{};
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            reader.read(tokens[i], form);
            tags_.push_back(static_cast<std::size_t>(tags[i]));
            words_.push_back({form.lower, form.suffix[2], form.shape, tags_.back() + 3});
        }
        words_.insert(words_.end(), 2, ParserWord{2, 2, 2, 2});
    }

private:
    std::vector<ParserWord> words_;
    std::vector<std::size_t> tags_;
};

// 1, 2, 3, 4, 5, 6-7, 8-10, 11-15, 16-25, more.
inline std::uint64_t length_class(std::size_t n) {
    if (n <= 5) return n;
    if (n <= 7) return 6;
    if (n <= 10) return 7;
    if (n <= 15) return 8;
    return n <= 25 ? 9 : 10;
}

// Of the place between two words, `i` being the second: number from `base` on.
template <class Visit>
void place_features(const ParserWords& s, std::size_t i, std::uint64_t base, Visit visit) {
    const ParserWord &b2 = s.before(i, 2), &b = s.before(i), &a = s.at(i), &a2 = s.at(i + 1);
    visit(feature_key(base, a.word));
    visit(feature_key(base + 1, b.word));
    visit(feature_key(base + 2, a.tag));
    visit(feature_key(base + 3, b.tag));
    visit(feature_key(base + 4, combine(b.tag, a.tag)));
    visit(feature_key(base + 5, combine(b.word, a.tag)));
    visit(feature_key(base + 6, combine(b.tag, a.word)));
    visit(feature_key(base + 7, combine(a.tag, a2.tag)));
    visit(feature_key(base + 8, combine(b2.tag, b.tag)));
    visit(feature_key(base + 9, combine(combine(b.tag, a.tag), a2.tag)));
    visit(feature_key(base + 10, combine(combine(b2.tag, b.tag), a.tag)));
    visit(feature_key(base + 11, combine(b.word, a.word)));
    visit(feature_key(base + 12, a.suffix));
    visit(feature_key(base + 13, b.suffix));
    visit(feature_key(base + 14, combine(a.word, a2.tag)));
    visit(feature_key(base + 15, combine(b2.tag, b.word)));
}

// Of the span of the words from i to j - 1.
template <class Visit>
void span_features(const ParserWords& s, std::size_t i, std::size_t j, Visit visit) {
    const ParserWord &b = s.before(i), &f = s.at(i), &l = s.before(j), &a = s.at(j);
    const std::uint64_t length = length_class(j - i);
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
    visit(feature_key(14, combine(f.tag, length)));
    visit(feature_key(15, combine(l.tag, length)));
    visit(feature_key(16, combine(b.tag, length)));
    visit(feature_key(17, combine(a.tag, length)));
    visit(feature_key(18, combine(f.word, length)));
    visit(feature_key(19, combine(l.word, length)));
    visit(feature_key(20, combine(f.word, a.tag)));
    visit(feature_key(21, combine(f.tag, a.word)));
    visit(feature_key(22, combine(b.word, l.tag)));
    visit(feature_key(23, combine(b.tag, f.word)));
    visit(feature_key(24, combine(inner, s.at(i + 1).tag)));
    visit(feature_key(25, combine(inner, s.before(j, 2).tag)));
    visit(feature_key(26, combine(b.word, f.word)));
    if (j - i <= 6) {
        std::uint64_t tags = 0;
        for (std::size_t k = i; k < j; ++k) tags = combine(tags, s.at(k).tag);
        visit(feature_key(27, tags));
        visit(feature_key(28, combine(tags, outer)));
        if (j - i <= 3) {
            std::uint64_t words = 0;
            for (std::size_t k = i; k < j; ++k) words = combine(words, s.at(k).word);
            visit(feature_key(29, words));
        }
    }
}

// Of a split: the words from i to k - 1 are the left child, those from k to j - 1 the right one.
// What hangs on the left child's place, and what hangs on the right one's.
template <class Visit>
void left_features(const ParserWords& s, std::size_t i, std::size_t k, Visit visit) {
    const ParserWord &f = s.at(i), &l = s.before(k), &a = s.at(k);
    visit(feature_key(80, combine(f.tag, a.tag)));
    visit(feature_key(81, combine(f.word, a.word)));
    visit(feature_key(82, combine(f.word, a.tag)));
    visit(feature_key(83, combine(combine(f.tag, l.tag), a.tag)));
    visit(feature_key(84, combine(f.tag, a.word)));
    visit(feature_key(85, length_class(k - i)));
}

template <class Visit>
void right_features(const ParserWords& s, std::size_t k, std::size_t j, Visit visit) {
    const ParserWord &b = s.before(k), &f = s.at(k), &l = s.before(j), &a = s.at(j);
    visit(feature_key(90, combine(b.tag, l.tag)));
    visit(feature_key(91, combine(b.word, l.word)));
    visit(feature_key(92, combine(combine(b.tag, f.tag), l.tag)));
    visit(feature_key(93, length_class(j - k)));
    visit(feature_key(94, combine(combine(b.tag, f.tag), a.tag)));
}

constexpr std::uint64_t kStartBase = 30, kEndBase = 50;

// Of the middle of a split.
template <class Visit>
void middle_features(const ParserWords& s, std::size_t k, Visit visit) {
    const ParserWord &b = s.before(k), &a = s.at(k);
    visit(feature_key(70, b.word));
    visit(feature_key(71, a.word));
    visit(feature_key(72, combine(b.tag, a.tag)));
    visit(feature_key(73, combine(b.word, a.tag)));
    visit(feature_key(74, combine(b.tag, a.word)));
    visit(feature_key(75, combine(b.word, a.word)));
}

// A parent's left or right child, by its symbol: a label, or a tag after all labels.
inline std::uint32_t left_child_key(std::uint64_t symbol) { return feature_key(98, symbol); }
inline std::uint32_t right_child_key(std::uint64_t symbol) { return feature_key(99, symbol); }

}  // namespace paragauge
