// A phrase table in memory, looked up by the words of a sentence.
// reference/decode/phrase_decoder.py defines its contents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lm/trie.hpp"
#include "text/encode.hpp"

namespace paragauge {

constexpr std::size_t kPhraseScores = 4;

// Source phrases are a trie whose nodes are numbered from 1 (0 is the root); the rows of a source phrase
// are adjacent.
class PhraseStore {
public:
    // `vocabulary`, which must live as long, has the words of the language model.
    explicit PhraseStore(const Vocabulary& vocabulary) : vocabulary_(&vocabulary) { words_.reset(); }

    // Rows with four scores each. Throws std::invalid_argument for a phrase without words, and for a
    // source whose rows are not adjacent.
    void add(const TextRows& sources, const TextRows& targets, std::span<const float> scores);

    std::size_t rows() const { return first_word_.size() - 1; }
    std::size_t sources() const { return sources_; }
    std::size_t longest() const { return longest_; }  // words of the longest source

    // The node after `node` and a word, kRoot if there is none.
    Node step(Node node, std::uint32_t word) const {
        const TrieTable::Slot* slot = trie_.find(node, word);
        return slot == nullptr ? kRoot : slot->node;
    }
    std::uint32_t first_row(Node node) const { return first_row_[node]; }
    std::uint32_t last_row(Node node) const { return last_row_[node]; }
    std::span<const std::uint32_t> target(std::uint32_t row) const {
        return {targets_.data() + first_word_[row], first_word_[row + 1] - first_word_[row]};
    }
    std::span<const float, kPhraseScores> scores(std::uint32_t row) const {
        return std::span<const float, kPhraseScores>(scores_.data() + kPhraseScores * std::size_t{row},
                                                     kPhraseScores);
    }

    // Words: their numbers here (KeyTable::kAbsent if none), their texts, their numbers in the model.
    std::uint32_t find(std::string_view word) const { return words_.find(word); }
    std::string_view text(std::uint32_t word) const { return words_.texts()[word]; }
    std::uint32_t model_word(std::uint32_t word) const { return model_words_[word]; }
    std::uint32_t model_word(std::string_view word) const;  // of any text

private:
    std::uint32_t number(std::string_view word, const char* limit);
    // Appends the words of a phrase to `to`.
    void put_words(std::string_view phrase, const char* limit, std::vector<std::uint32_t>& to);
    void open_source(std::span<const std::uint32_t> source);

    const Vocabulary* vocabulary_;
    StringTable words_;
    std::deque<std::string> texts_;
    std::vector<std::uint32_t> model_words_;
    TrieTable trie_;
    std::vector<std::uint32_t> first_row_{0}, last_row_{0};  // per node
    std::vector<std::uint32_t> first_word_{0};               // per row, into targets_
    std::vector<std::uint32_t> targets_;
    std::vector<float> scores_;
    std::string last_source_;
    Node open_ = kRoot;  // the source that rows are added to
    std::size_t sources_ = 0, longest_ = 0;
};

// The parts of a text between spaces.
template <class Body>
void for_each_word(std::string_view text, Body body) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t stop = std::min(text.find(' ', at), text.size());
        if (stop > at) body(text.substr(at, stop - at));
        at = stop + 1;
    }
}

}  // namespace paragauge
