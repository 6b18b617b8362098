// Bags of pivot-language n-grams (Liu, Dahlmeier and Ng 2010, sections 4.2 and 4.3): the best
// segmentation of a sentence into phrases, the confusion network of their translations, and the
// expected weight of every n-gram of the network.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "base/hashing.hpp"

namespace paragauge {

inline constexpr std::size_t kPivotOrder = 4;
inline constexpr std::int32_t kNoPhrase = -1;

// An n-gram of up to four words; places after the last hold -1.
using Gram = std::array<std::int32_t, kPivotOrder>;

struct Segmentation {
    std::vector<std::int32_t> ends;     // where each phrase ends, in words from the sentence's start
    std::vector<std::int32_t> phrases;  // its number, or kNoPhrase for a word that is none
    std::vector<std::int64_t> offsets;  // the phrases of each sentence
};

struct PivotBags {
    std::vector<std::int32_t> grams;    // kPivotOrder numbers each, sorted within a sentence
    std::vector<double> weights;
    std::vector<std::int64_t> offsets;
};

struct BagView {
    std::span<const std::int32_t> grams;
    std::span<const double> weights;
    std::span<const std::int64_t> offsets;
    std::size_t size() const { return offsets.size() - 1; }
};

// Phrases with their log probabilities, and for each the edges of its part of the network.
class PivotTable {
public:
    PivotTable(const IdColumn& phrases, std::span<const double> scores,
               std::span<const std::int64_t> edge_offsets, std::span<const std::int32_t> targets,
               std::span<const double> probabilities, const IdColumn& target_phrases);

    // Phrases of at most `longest` words are used; a word that is no phrase has the score `unknown`.
    Segmentation segment(const IdColumn& sentences, double unknown, std::size_t longest,
                         std::size_t threads) const;

    // `order` from 1 to kPivotOrder; n-grams of weight `least` or less are left out.
    PivotBags bags(const IdColumn& sentences, double unknown, std::size_t longest, std::size_t order,
                   double least, std::size_t threads) const;

private:
    friend class Network;
    std::uint32_t step(std::uint32_t node, std::int32_t word) const;
    void segment_line(std::span<const std::int32_t> words, double unknown, std::size_t longest,
                      std::vector<double>& best, std::vector<std::int32_t>& back,
                      std::vector<std::int32_t>& ends, std::vector<std::int32_t>& phrases) const;

    KeyTable steps_;                     // (node, word) -> node; node 0 is the empty phrase
    std::vector<std::int32_t> phrase_;   // the phrase that ends at each node
    std::vector<double> scores_;
    std::vector<std::int64_t> edge_offsets_;
    std::vector<std::int32_t> targets_;
    std::vector<double> probabilities_;
    std::vector<std::int32_t> target_ids_;
    std::vector<std::int64_t> target_offsets_;
};

// For each pair (left bag, right bag) and each order: shared weight, left weight, right weight.
// With word weights an n-gram counts as the sum of its words' weights over its length.
std::vector<double> gram_overlaps(const BagView& left, const BagView& right,
                                  std::span<const std::int64_t> left_index,
                                  std::span<const std::int64_t> right_index,
                                  std::span<const double> word_weights, double other_weight,
                                  std::size_t threads);

}  // namespace paragauge
