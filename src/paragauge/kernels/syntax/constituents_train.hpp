// Training of the parser: max-margin with AdaGrad, averaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "syntax/constituents_chart.hpp"
#include "syntax/constituents_table.hpp"

namespace paragauge {

struct ConstituentSettings {
    std::int64_t cutoff;  // features that right trees have less often are left out
    float rate;           // of learning
    float cost;           // of a wrong label
    std::uint64_t seed;
};

// A model as columns: weights of each feature, by label.
struct ConstituentWeights {
    std::vector<std::uint32_t> keys;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint8_t> labels;
    std::vector<std::int8_t> weights;
};

class ConstituentTrainer {
public:
    // Contract: one tag per token, each with a kind; `trees` are binary trees of the lines, in the
    // order of their nodes that Chart gives.
    ConstituentTrainer(const TextColumn& lines, std::span<const std::int32_t> word_tags,
                       std::span<const std::uint8_t> kinds, LabelSet labels,
                       std::span<const BinaryNode> trees, ConstituentSettings settings);

    // Learns from every sentence once; returns how many were parsed wrongly.
    std::int64_t epoch();

    // The mean weights, scaled by `scale` and rounded to 8 bits.
    ConstituentWeights model(float scale, std::int64_t smallest) const;

    // The interface that Chart needs.
    using Weight = float;
    using Sum = float;
    const LabelSet& labels() const { return labels_; }
    void rows(std::span<const std::uint32_t> keys, std::vector<const float*>& out) const {
        for (const std::uint32_t key : keys)
            if (const std::uint32_t row = table_.find(key); row != FeatureTable::kAbsent)
                out.push_back(&weights_[(2 * symbols_ + row) * width_]);
    }
    const float* first() const { return weights_.data(); }
    const float* second() const { return &weights_[symbols_ * width_]; }

private:
    struct Sentence {
        ParserWords words;
        std::size_t first_node;
        std::size_t nodes() const { return words.size() == 0 ? 0 : 2 * words.size() - 1; }
    };

    std::span<const BinaryNode> gold(const Sentence& sentence) const {
        return {trees_.data() + sentence.first_node, sentence.nodes()};
    }
    template <class Visit>
    void visit_rows(const ParserWords& words, std::span<const BinaryNode> tree, std::size_t at,
                    Visit visit) const;
    void choose_features();
    bool learn(const Sentence& sentence);

    std::size_t symbols_;
    LabelSet labels_;
    std::size_t width_;
    ConstituentSettings settings_;
    std::vector<BinaryNode> trees_;
    std::vector<Sentence> sentences_;
    std::vector<std::uint32_t> order_;
    std::uint64_t random_;
    FeatureTable table_;
    std::vector<std::uint32_t> keys_;
    std::vector<float> weights_, squares_, totals_;
    float step_ = 0;
    std::vector<BinaryNode> parsed_;
    std::vector<std::int64_t> at_;  // of each span the node of the right tree, or -1
    std::vector<std::pair<std::size_t, int>> changes_;
    Chart<ConstituentTrainer> chart_;
};

}  // namespace paragauge
