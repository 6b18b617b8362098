// Penn brackets into arrays: the constituents of many trees, in the order in which they open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/encode.hpp"

namespace paragauge {

struct BracketedTrees {
    std::vector<std::int32_t> label, begin, end, parent;
    std::vector<std::int64_t> offsets{0};      // constituents of tree i: offsets[i] to offsets[i + 1]
    std::vector<std::int64_t> words;           // 2 per word: its span in the buffer
    std::vector<std::int64_t> word_offsets{0};  // words of tree i
    std::int64_t bad = -1;                     // the first line that is not a tree
    std::string message;                       // what is wrong with it
};

// Each line is one tree. Labels are numbered by `labels`, which grows; with `strip`, without what
// follows a hyphen or an equals sign. Reading stops at the first line that is not a tree.
BracketedTrees read_brackets(const TextColumn& lines, Vocabulary& labels, bool strip);

struct BracketSpans {
    std::vector<std::int64_t> spans;  // 2 per tree
    std::size_t consumed;             // bytes that the trees take; an open one follows
};

// Cuts text after each bracket that closes a tree, wherever lines end.
BracketSpans bracket_spans(std::string_view text);

}  // namespace paragauge
