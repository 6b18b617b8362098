// Training of one classifier per word (Kauchak and Barzilay 2006, section 3): examples from a corpus
// of numbered words, a learner, and weights cut to the strongest and rounded to 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/contexts.hpp"
#include "rewrite/linear.hpp"

namespace paragauge {

// The corpus: sentences of word numbers, and the hash and the classes (a bit each) of every number.
struct ContextCorpus {
    std::span<const std::int32_t> ids;
    std::span<const std::int64_t> offsets;
    std::span<const std::uint32_t> hashes;
    std::span<const std::uint8_t> classes;
};

struct ContextTraining {
    ContextShape shape;
    Learning learning;
    std::size_t least;  // examples that a feature must stand in
    std::size_t most;   // features kept for each word
    double held_out;    // share of the examples that is kept apart
    std::size_t draws;  // of negatives, over which the weights are averaged
    bool by_sentence;   // whether a negative is a token of a random sentence, not any random token
    std::uint64_t seed;
};

// One word's classifier: score = scale * (bias + the weights of the features that are there).
struct ContextClassifier {
    double scale = 1;
    std::int32_t bias = 0;
    std::vector<std::uint32_t> features;  // sorted
    std::vector<std::int8_t> weights;
    std::int64_t positives = 0;
    std::int64_t negatives = 0;
    std::int64_t held = 0;     // examples kept apart
    std::int64_t correct = 0;  // of these, classified correctly
};

// Contract: words are numbers of the corpus, and samples[i] are positions of words[i].
std::vector<ContextClassifier> train_contexts(const ContextCorpus& corpus,
                                              std::span<const std::int32_t> words,
                                              std::span<const std::int64_t> positions,
                                              std::span<const std::int64_t> samples,
                                              const ContextTraining& settings, std::size_t threads);

}  // namespace paragauge
