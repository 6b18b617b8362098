// Trained classifiers of contexts: for a position in a sentence and a word, the score of the word's
// classifier there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/contexts.hpp"

namespace paragauge {

class ContextTable {
public:
    // Contract: offsets, scales and biases fit each other; the features of each word are sorted and
    // differ. Everything is copied.
    ContextTable(std::span<const std::int64_t> offsets, std::span<const std::uint32_t> features,
                 std::span<const std::int8_t> weights, std::span<const double> scales,
                 std::span<const std::int32_t> biases, const ContextShape& shape);

    std::size_t size() const { return scales_.size(); }

    // One score for each proposal: a position of a segment and a classifier, -1 for none (NaN).
    std::vector<double> scores(const HashedLines& lines, std::span<const std::int64_t> segments,
                               std::span<const std::int64_t> positions,
                               std::span<const std::int64_t> words, std::size_t threads) const;

private:
    double score(std::span<const std::uint32_t> features, std::size_t word,
                 std::vector<std::size_t>& present) const;

    std::vector<std::size_t> offsets_;
    std::vector<std::uint32_t> features_;
    std::vector<std::int8_t> weights_;
    std::vector<double> scales_;
    std::vector<std::int32_t> biases_;
    ContextShape shape_;
    // Hashes are spread evenly: their first bits tell roughly where a feature is. A word has
    // 2^bits buckets of about four features, whose ends stand one after the other.
    std::vector<unsigned> bits_;
    std::vector<std::size_t> buckets_;
    std::vector<std::uint32_t> ends_;
};

}  // namespace paragauge
