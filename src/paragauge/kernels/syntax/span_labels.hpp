// Labels of spans of words from the tree above them: constituents, and what SAMT and CCG-like grammars
// make of constituents that stand side by side or lack a neighbor.
// reference/syntax/span_labels.py defines the label of a span.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

// Trees as lists of their nodes: node i has the label label[i] and the words begin[i] to end[i]. Nodes
// of sentence s are offsets[s] to offsets[s + 1], a parent before its children.
struct TreeColumn {
    TextRows labels;
    std::span<const std::int32_t> label;
    std::span<const std::int32_t> begin;
    std::span<const std::int32_t> end;
    std::span<const std::int64_t> offsets;
};

enum class Unary { kBottom, kTop, kAll };

struct LabelSettings {
    bool constituents = true;
    bool concatenated = false;
    bool slashed = false;
    bool doubled = false;
    Unary unary = Unary::kBottom;
    std::string_view fallback;
};

// Labels the spans of sentences, one sentence after the other; label numbers are shared by all.
class SpanLabeler {
public:
    static constexpr std::uint32_t kFallback = 0;

    // Without trees every span has the fallback's label.
    SpanLabeler(const TreeColumn* trees, const LabelSettings& settings);

    // Goes to a sentence of `length` words; spans of at most `widest` words are looked up once.
    void read(std::size_t sentence, std::int32_t length, std::int32_t widest);

    // Number of the label of words begin to end, 0 <= begin < end <= length.
    std::uint32_t label(std::int32_t begin, std::int32_t end);

    std::string_view text(std::uint32_t number) const { return texts_[number]; }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    struct Node {
        std::int32_t begin, end;
        std::uint32_t label;
    };

    std::uint32_t number_of(std::string text);
    std::uint32_t joined(char between, std::uint32_t left, std::uint32_t right);
    std::uint32_t constituent(std::int32_t begin, std::int32_t end) const;
    std::uint32_t concatenation(std::int32_t begin, std::int32_t end);
    std::uint32_t forward_slash(std::int32_t begin, std::int32_t end);
    std::uint32_t backward_slash(std::int32_t begin, std::int32_t end);
    std::uint32_t double_concatenation(std::int32_t begin, std::int32_t end);
    std::uint32_t find_label(std::int32_t begin, std::int32_t end);
    void index(std::int32_t length);

    const TreeColumn* trees_;
    const LabelSettings settings_;
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
    std::unordered_map<std::uint64_t, std::uint32_t> joined_;
    std::vector<std::uint32_t> of_tree_label_;
    std::int32_t widest_ = 0;
    std::vector<Node> nodes_;                // one for each span that has a constituent
    std::vector<std::uint32_t> first_;       // nodes that begin at word i: first_[i] to first_[i + 1]
    std::vector<std::uint32_t> ends_, last_; // nodes that end at word i: ends_[last_[i] to last_[i + 1]]
    std::vector<std::uint32_t> known_;       // labels found so far, by begin and length
};

// Texts of the labels of spans (sentence, begin, end), three numbers each. Contract: spans lie within
// their sentences, of `lengths` words, and are not empty.
Joined label_spans(const TreeColumn& trees, std::span<const std::int64_t> lengths,
                   std::span<const std::int64_t> spans, const LabelSettings& settings,
                   std::size_t threads);

}  // namespace paragauge
