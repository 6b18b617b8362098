// Word translation probabilities, and the lexical weights of phrase pairs made of them (Koehn, Och and
// Marcu 2003, section 4.4). reference/phrases/lexical.py defines the weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/columns.hpp"
#include "base/hashing.hpp"

namespace paragauge {

class LexicalTable {
public:
    // Contract: all four have the same length. Throws std::invalid_argument for a repeated pair.
    LexicalTable(const TextRows& sources, const TextRows& targets, std::span<const double> p_target,
                 std::span<const double> p_source);
    LexicalTable(const LexicalTable&) = delete;
    LexicalTable& operator=(const LexicalTable&) = delete;

    std::size_t size() const { return p_target_.size(); }

    // lex(target|source) of all rows, then lex(source|target) of all rows. In `rules`, symbols such as
    // [1] are non-terminals. Throws std::invalid_argument for the first row with a bad alignment or an
    // unknown pair of words.
    std::vector<double> weights(const TextRows& sources, const TextRows& targets,
                                const TextRows& alignments, bool rules, std::size_t threads) const;

private:
    struct Scratch;
    void weigh(std::size_t row, const TextRows& sources, const TextRows& targets,
               const TextRows& alignments, bool rules, Scratch& scratch, double* result) const;
    std::uint32_t entry(std::uint32_t source, std::uint32_t target) const;

    std::string source_text_, target_text_;  // what the tables of words point into
    StringTable source_words_, target_words_;
    KeyTable pairs_;
    std::vector<double> p_target_, p_source_;
};

}  // namespace paragauge
