// What decoding with a synchronous grammar and a language model needs, read only, and the boundaries
// of target texts. reference/decode/cube.py defines the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "base/columns.hpp"
#include "grammar/sync_grammar.hpp"
#include "lm/estimate.hpp"
#include "lm/model.hpp"

namespace paragauge {

struct CubeSettings {
    std::size_t span = 0;     // most words under an item; 0: no limit. Glue rules have no limit.
    std::size_t pops = 0;     // of each queue; 0: no limit
    std::size_t options = 0;  // rules of a source side; 0: all
    std::int32_t pass_label = 0;
    bool pass_any = false;  // copied words also stand under non-terminals of other labels
};

// The sentences' own words.
struct CubeWords {
    TextRows texts;
    std::span<const std::int32_t> grammar_ids;  // -1: no word of the grammar
    std::span<const std::int32_t> lm_ids;
};

class CubeModel {
public:
    // Rules beside the grammar's, whose features are the last rows; kStart has none.
    static constexpr std::size_t kPass = 0, kUnknownPass = 1, kGlue = 2, kStart = 3, kExtraRows = 3;

    CubeModel(const SyncGrammar& grammar, const NgramModel& lm, const TextRows& words,
              std::span<const std::int32_t> lm_ids, std::vector<float> features, std::size_t columns,
              std::size_t threads);

    const SyncGrammar& grammar() const { return grammar_; }
    const NgramModel& lm() const { return lm_; }
    std::size_t boundary() const { return lm_.order() - 1; }
    std::size_t columns() const { return columns_; }
    std::size_t words() const { return lm_ids_.size(); }
    std::uint32_t extra(std::size_t which) const {
        return static_cast<std::uint32_t>(grammar_.size() + which);
    }
    std::string_view word(std::size_t number) const {
        return TextRows{text_, offsets_}.row(number);
    }
    std::uint32_t lm_word(std::size_t number) const { return lm_ids_[number]; }
    std::uint32_t known(std::int32_t lm_id) const {
        const auto word = static_cast<std::uint32_t>(lm_id);
        return word < kFirstWord || word >= lm_.words() ? kUnknownWord : word;
    }
    // Features of a rule that is not kStart.
    std::span<const float> row(std::size_t rule) const {
        return std::span(features_).subspan(rule * columns_, columns_);
    }
    // Whether the grammar still has the same rules.
    bool unchanged() const { return grammar_.size() == estimates_.size(); }
    double estimate(std::size_t rule) const { return estimates_[rule]; }

private:
    const SyncGrammar& grammar_;
    const NgramModel& lm_;
    std::string text_;
    std::vector<std::int64_t> offsets_;
    std::vector<std::uint32_t> lm_ids_;
    std::vector<float> features_;
    std::size_t columns_;
    std::vector<double> estimates_;  // log10 of each rule's words
};

// The first words of a target text, at most order - 1, and the state after it.
struct CubeState {
    std::array<std::uint32_t, kMostOrder - 1> left{};
    std::uint32_t size = 0;
    Node right = kRoot;

    bool operator==(const CubeState& other) const {
        if (size != other.size || right != other.right) return false;
        for (std::size_t i = 0; i < size; ++i)
            if (left[i] != other.left[i]) return false;
        return true;
    }
};

// Puts a target text together from words and items.
class CubeBoundary {
public:
    explicit CubeBoundary(const CubeModel& model) : lm_(model.lm()), most_(model.boundary()) {}

    double lm = 0;        // log10 of words whose probability is known now
    double estimate = 0;  // of the first words
    CubeState state;

    void add(std::uint32_t word) {
        const double log10 = lm_.step(state.right, word).log10;
        if (state.size < most_) {
            state.left[state.size++] = word;
            estimate += log10;
        } else {
            lm += log10;
        }
    }
    void add(const CubeState& inside) {
        for (std::size_t i = 0; i < inside.size; ++i) add(inside.left[i]);
        if (inside.size == most_) state.right = inside.right;
    }

private:
    const NgramModel& lm_;
    std::size_t most_;
};

}  // namespace paragauge
