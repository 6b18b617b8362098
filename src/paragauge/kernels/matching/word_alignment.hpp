// Which words of two sentences correspond: equal words first, then words of the same lemma, opposites,
// synonyms, words alike in stem or letters, and at last other words in the same place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "lexicon/synonyms.hpp"
#include "matching/character_ngrams.hpp"

namespace paragauge {

// Numbers below are those of word_layout.py.
enum WordCategory : std::int32_t {
    kName, kNoun, kVerb, kAdjective, kAdverb, kNumber,  // up to here they carry content
    kModal, kPreposition, kDeterminer, kPronoun, kLight, kOther,
};

enum WordLinkKind : std::int32_t {
    kUnlinked = -1,
    kSameWord, kSameLemma, kOpposite, kSynonym, kSameStem, kSimilarLetters, kSlot,
};

// A distinct word, read from a row of the table of word types.
struct WordType {
    std::int32_t spelling, lemma, category, flags, unit, quantifier, modal, pronoun;

    bool is_content() const { return category <= kNumber; }
};

constexpr std::size_t kTypeFields = 8;
static_assert(sizeof(WordType) == kTypeFields * sizeof(std::int32_t));

// What is known of lemmas. Two are synonyms if their sets of synsets meet, and opposites if a number
// of one's own is among those of the other's opposites.
struct LemmaFacts {
    std::span<const std::int32_t> stems;  // -1: too short to compare by stem or letters
    LemmaSets synsets, own, opposite;
    TextColumn texts;
};

struct WordLink {
    std::int32_t partner = -1;
    WordLinkKind kind = kUnlinked;
    double similarity = 0.0;

    // Whether the two words have about the same meaning.
    bool is_same() const { return kind != kUnlinked && kind != kOpposite && kind != kSlot; }
    bool is_loose() const { return kind == kUnlinked || kind == kSlot; }
};

// Aligns pair after pair with the same buffers.
class WordAligner {
public:
    WordAligner(const LemmaFacts& lemmas, const CharacterNgrams& grams)
        : lemmas_(lemmas), grams_(grams) {}

    // Afterwards `links` has the partner of each word on the left, `reverse` of each on the right.
    void align(std::span<const WordType> left, std::span<const WordType> right);

    // Whether the words before, and those after, are linked with each other; ends count as linked.
    bool linked_before(std::size_t i, std::size_t j) const;
    bool linked_after(std::size_t i, std::size_t j) const;

    std::vector<WordLink> links, reverse;

private:
    struct Edge {
        double score;
        std::int32_t i, j;
        WordLinkKind kind;
        double similarity;
    };

    void add(std::size_t i, std::size_t j, WordLinkKind kind, double similarity);
    void link_equal(std::span<const WordType> left, std::span<const WordType> right,
                    std::int32_t WordType::*key, WordLinkKind kind);
    void link_similar(std::span<const WordType> left, std::span<const WordType> right);
    void link_slots(std::span<const WordType> left, std::span<const WordType> right);
    WordLinkKind compare(const WordType& a, const WordType& b, double& similarity) const;

    const LemmaFacts& lemmas_;
    const CharacterNgrams& grams_;
    std::vector<std::size_t> ours_, others_, loose_;
    std::vector<Edge> edges_;
};

}  // namespace paragauge
