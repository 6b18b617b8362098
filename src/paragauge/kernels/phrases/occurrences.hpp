// In which sentences phrases occur, and Fisher's exact test on pairs of phrases (Johnson et al. 2007).
// reference/phrases/occurrences.py defines the counts and the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

class PhraseOccurrences {
public:
    // Words of `lines` and `phrases` are separated by one space. Repeated phrases count as one.
    PhraseOccurrences(const TextColumn& lines, const TextRows& phrases);
    PhraseOccurrences(const PhraseOccurrences&) = delete;
    PhraseOccurrences& operator=(const PhraseOccurrences&) = delete;

    std::size_t sentences() const { return sentences_; }
    // The sentences with this phrase, ascending. Throws std::invalid_argument for an unknown phrase.
    std::span<const std::uint32_t> of(std::string_view phrase) const;

private:
    std::string text_;  // what the keys point into
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
    std::vector<std::vector<std::uint32_t>> lists_;
    std::size_t sentences_ = 0;
};

// Sentences with the source phrase, with the target phrase and with both, three numbers per row.
std::vector<std::int64_t> count_phrase_pairs(const PhraseOccurrences& source,
                                              const PhraseOccurrences& target, const TextRows& sources,
                                              const TextRows& targets, std::size_t threads);

// -ln of the probability of at least as many sentences with both, if the phrases were independent.
double significance(std::int64_t both, std::int64_t source, std::int64_t target, std::int64_t sentences);

}  // namespace paragauge
