// Lines of grammars, read and written; reference/grammar/grammar_reader.py and grammar_writer.py describe
// the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

enum class GrammarStyle { labeled, moses_rules, moses_phrases };
enum class WrittenStyle { joshua, hiero, ppdb, moses_rules, moses_phrases };

struct GrammarRows {
    Joined lhs;
    Joined labels;
    Joined source;
    Joined target;
    Joined alignment;
    Joined entailment;
    std::vector<std::int32_t> words;      // 2 per row: of the source and of the target side
    std::vector<std::int64_t> counts;     // -1 for none
    Joined names;                         // of features
    std::vector<std::int32_t> features;   // numbers of names
    std::vector<double> values;           // one per feature
    std::vector<std::int64_t> offsets;    // features of row i: offsets[i] to offsets[i + 1]
    std::vector<std::int64_t> bad;        // numbers of lines that have no row
};

GrammarRows parse_grammar(const TextColumn& lines, GrammarStyle style, std::size_t threads);

struct GrammarColumns {
    TextRows lhs;
    TextRows labels;
    TextRows source;
    TextRows target;
    TextRows alignment;
    TextRows entailment;
    TextRows names;                  // of features; empty for those written by position
    std::span<const double> values;  // features per row, NaN for none
    std::span<const double> counts;  // numbers of Moses' fifth field per row
    std::size_t features;
    std::size_t counted;

    std::size_t rows() const { return lhs.size(); }
};

struct GrammarText {
    std::string text;
    std::int64_t bad = -1;  // the first row that cannot be written, and why
    std::int32_t reason = 0;
};

GrammarText format_grammar(const GrammarColumns& rows, WrittenStyle style, std::size_t threads);

// Symbols of sides, shared by reading and writing.
bool is_index(std::string_view token);
bool is_nonterminal(std::string_view token, std::string_view& label, std::uint32_t& index);
bool is_moses_nonterminal(std::string_view token, std::string_view& source, std::string_view& target);

}  // namespace paragauge
