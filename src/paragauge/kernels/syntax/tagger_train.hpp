// Training of the tagger: an averaged perceptron (Collins 2002) that decodes greedily as it learns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/columns.hpp"
#include "syntax/tagger_model.hpp"

namespace paragauge {

struct TrainingSettings {
    std::int64_t cutoff;  // features seen less often are left out
    std::int64_t margin;  // by how much the right tag must win
    std::uint64_t seed;   // of the order of sentences
};

class TaggerTrainer {
public:
    // Contract: one tag below names.size() for each token; at most kMostTags names.
    TaggerTrainer(const TextColumn& lines, std::span<const std::int32_t> tags,
                  std::vector<std::string> names, TrainingSettings settings);

    // Learns from every sentence once; returns how many words led to an update.
    std::int64_t epoch();

    // The bytes of the model: averaged weights in 8 bits.
    std::string model() const;

private:
    struct Sentence {
        std::size_t first;  // of its words
        std::size_t last;
    };
    template <class T>
    using Row = std::array<T, 64>;

    void read(const TextColumn& lines);
    void make_lexicon();
    void choose_features();
    const WordForm& word(const Sentence& sentence, std::size_t position, std::int64_t shift) const;
    template <class Visit>
    void static_keys(const Sentence& sentence, std::size_t position, Visit visit) const;
    std::uint32_t row_of(std::uint32_t key) const;  // kNone for a feature that was left out
    std::int64_t learn(const Sentence& sentence);

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    std::vector<std::string> names_;
    TrainingSettings settings_;
    std::vector<WordForm> forms_;       // distinct words
    std::vector<std::uint32_t> words_;  // of all sentences, as indices of forms_
    std::vector<std::int32_t> tags_;
    std::vector<Sentence> sentences_;
    std::vector<std::uint32_t> order_;
    TagLexicon lexicon_;
    WordForm start_ = boundary(1);
    WordForm end_ = boundary(2);

    std::vector<std::uint32_t> keys_;  // of the features kept, ascending; a row each
    KeyTable table_;
    std::vector<std::uint32_t> static_rows_;
    std::vector<std::size_t> static_offsets_;
    std::vector<Row<std::int32_t>> weights_;
    std::vector<Row<std::int64_t>> totals_;  // of each change times the step at which it was made
    std::int64_t step_ = 0;
    std::uint64_t random_;
};

}  // namespace paragauge
