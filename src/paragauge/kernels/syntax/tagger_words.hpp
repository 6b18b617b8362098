// What the tagger knows about a word, as hashes: its form, its ends, its shape and its ambiguity class.
// reference/syntax/tagger.py says what each field is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hashing.hpp"

namespace paragauge {

constexpr std::size_t kSuffixes = 5;
constexpr std::size_t kPrefixes = 4;
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;

inline std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return mix(a) * 3 + b; }

// A feature: a template's number and what fills it. Different features share a key once in 2^32.
inline std::uint32_t feature_key(std::uint64_t number, std::uint64_t value) {
    return static_cast<std::uint32_t>(mix(value + number * kGolden) >> 32);
}

std::uint64_t hash_text(std::string_view text);

// Tags that a common word has had, as bits, by the word's key. A sorted list with binary search.
class TagLexicon {
public:
    TagLexicon() = default;
    explicit TagLexicon(std::vector<std::pair<std::uint32_t, std::uint64_t>> entries)
        : entries_(std::move(entries)) {}

    const std::vector<std::pair<std::uint32_t, std::uint64_t>>& entries() const { return entries_; }
    std::uint64_t tags(std::uint32_t key) const;  // 0 for a word that is not there

private:
    std::vector<std::pair<std::uint32_t, std::uint64_t>> entries_;
};

// What features of several words look at.
struct WordContext {
    std::uint64_t lower;
    std::uint64_t shape;
    std::uint64_t form_class;
};

struct WordForm : WordContext {
    std::uint64_t form;
    std::array<std::uint64_t, kSuffixes> suffix;  // of 1, 2 ... bytes
    std::array<std::uint64_t, kPrefixes> prefix;
    std::uint64_t flags;
    std::uint64_t lower_class;
    std::uint32_t form_key;  // in the lexicon
    std::uint32_t lower_key;
    bool known;
};

// Reads words; keeps its scratch strings between calls.
class WordReader {
public:
    // The hashes of `token` without the classes.
    void read(std::string_view token, WordForm& word);
    // Adds the classes.
    static void classify(const TagLexicon& lexicon, WordForm& word);

private:
    std::string form_;
    std::string lower_;
    std::string shape_;
};

// The boundary before the first word (`side` 1) or after the last one (`side` 2).
WordForm boundary(std::uint64_t side);

// The tokens of a line; straight double quotes are opening and closing ones by turns.
void split_words(std::string_view line, std::vector<std::string_view>& words);

}  // namespace paragauge
