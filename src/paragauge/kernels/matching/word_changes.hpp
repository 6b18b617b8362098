// What changed between two sentences, from one alignment of their words: words without a partner,
// negations, numbers, quantities, tense, order and roles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "matching/word_alignment.hpp"

namespace paragauge {

// Numbers below are those of word_layout.py.
enum WordFlag : std::int32_t {
    kNegation = 1, kWeakNegation = 2, kPast = 4, kPresent = 8, kParticiple = 16, kBe = 32, kBy = 64,
    kCapitalized = 128,
};

enum NumberPartKind : std::int32_t {
    kDigits, kNumberWord, kScale, kAnd, kSingleNumber, kNumberEnd,
};

// Word types by number: fields, weights, and what the pieces of each add to a number.
struct WordTypes {
    std::span<const WordType> types;
    std::span<const double> weights;
    std::span<const std::int32_t> part_kinds;
    std::span<const double> part_values;
    std::span<const std::int64_t> part_offsets;  // parts of type i: part_offsets[i] to [i + 1]
};

constexpr std::size_t kChangeFeatures = 90;
constexpr std::size_t kChangeLinkFields = 3;

struct WordChanges {
    std::vector<double> rows;           // kChangeFeatures numbers each, in the order of word_layout.py
    std::vector<std::int32_t> links;    // position, position, kind
    std::vector<std::int64_t> offsets;  // links of pair i: offsets[i] to offsets[i + 1]
};

// Compares line left[k], the candidate, with line right[k], the source. Contract: lines hold numbers of
// types, left and right numbers of lines, types numbers of lemmas; sets are sorted.
WordChanges word_changes(const IdColumn& lines, std::span<const std::int64_t> left,
                         std::span<const std::int64_t> right, const WordTypes& types,
                         const LemmaFacts& lemmas, bool links, std::size_t threads);

}  // namespace paragauge
