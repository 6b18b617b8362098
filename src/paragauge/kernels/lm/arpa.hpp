// The lines of n-grams in an ARPA file: log10 probability, words, and the log10 back-off unless it is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/encode.hpp"

namespace paragauge {

enum class ArpaFault : std::int32_t { none, fields, number, probability, word, twice };

struct ArpaNgrams {
    std::vector<std::int32_t> words;
    std::vector<float> probabilities;
    std::vector<float> backoffs;
    ArpaFault fault = ArpaFault::none;
    std::size_t at = 0;  // the line at fault
};

// Unigrams are added to the vocabulary and must be new; other orders must have its words.
ArpaNgrams parse_arpa(const TextColumn& lines, std::size_t order, Vocabulary& vocabulary);

// `words` has `order` numbers for each n-gram; the highest order has no back-offs. The parts, one per
// thread, make up one text.
std::vector<std::string> format_arpa(std::span<const std::int32_t> words, std::size_t order,
                                     std::span<const float> probabilities,
                                     std::span<const float> backoffs, bool highest,
                                     const Vocabulary& vocabulary, std::size_t threads);

}  // namespace paragauge
