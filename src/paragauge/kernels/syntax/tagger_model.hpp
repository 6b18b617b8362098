// The model of the tagger: names of tags, the lexicon of common words, and weights of features.
//
// A file, all numbers little-endian: the eight bytes PGTAGGR1; the number of tags (32 bits) and each
// name (length in 8 bits, bytes); the number of lexicon entries (32 bits) and each one's key (32
// bits) and tags as bits (64 bits); the number of features (32 bits) and each one's key (32 bits),
// number of weights (8 bits), and weights (tag and value, 8 bits each). Keys ascend, and so do the
// tags of a feature.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/tagger_features.hpp"
#include "syntax/tagger_words.hpp"

namespace paragauge {

// Weights of one feature for all tags: one line of the processor's cache.
struct alignas(64) WeightRow {
    std::array<std::int8_t, 64> weights{};
};

struct FeatureWeights {
    std::uint32_t key;
    std::vector<std::pair<std::uint8_t, std::int8_t>> weights;
};

class TaggerModel {
public:
    // Throws std::invalid_argument if `file` is not a model.
    explicit TaggerModel(std::string_view file);

    const std::vector<std::string>& names() const { return names_; }
    const TagLexicon& lexicon() const { return lexicon_; }
    // Whether the model may have a feature: most it does not have are told apart by one bit.
    bool may_have(std::uint32_t key) const {
        const std::uint32_t bit = key >> present_shift_;
        return present_[bit / 64] >> (bit % 64) & 1;
    }
    // Asks for the memory that row() reads first.
    void prefetch(std::uint32_t key) const { __builtin_prefetch(&slots_[key & mask_]); }
    // The weights of a feature; zeros for one that the model does not have.
    const WeightRow& row(std::uint32_t key) const {
        for (std::size_t at = key & mask_;; at = (at + 1) & mask_) {
            const Slot slot = slots_[at];
            if (slot.row == 0 || slot.key == key) return rows_[slot.row];
        }
    }

private:
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t row = 0;  // 0 is the row of zeros
    };

    std::vector<std::string> names_;
    TagLexicon lexicon_;
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::vector<WeightRow> rows_;
    std::vector<std::uint64_t> present_;  // a bit for the first digits of each key
    unsigned present_shift_ = 0;
};

// The bytes of a model.
std::string write_model(const std::vector<std::string>& names, const TagLexicon& lexicon,
                        const std::vector<FeatureWeights>& features);

}  // namespace paragauge
