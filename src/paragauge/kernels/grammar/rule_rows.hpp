// Different rules with their counts, found by hash and compared exactly, and their text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar/rule_pair.hpp"

namespace paragauge {

// All tokens of one side with a space after each: a run of words is one piece of it.
struct TokenText {
    std::string text;
    std::vector<std::size_t> starts;

    TokenText(const TextRows& words, const IdColumn& side);
    std::size_t bytes(std::uint32_t first, std::uint32_t last) const { return starts[last] - starts[first]; }
    const char* at(std::uint32_t token) const { return text.data() + starts[token]; }
};

// Where a rule occurs; positions count the tokens of the batch.
struct RuleSpan {
    std::uint32_t s0, s1, t0, t1, label;
};

// A rule as it stands in a sentence pair: its own span, then its gaps by source, and by target; the
// links between its words as positions among the symbols of both sides.
struct RuleInstance {
    std::uint64_t hash;
    std::uint32_t gaps;
    std::uint32_t first_link, last_link;
    std::array<std::uint8_t, kMostNonterminals> by_target;
    std::array<RuleSpan, kMostNonterminals + 1> spans;
};

class RuleRows {
public:
    RuleRows(const RuleBatch& batch, const TokenText& source, const TokenText& target,
             const SpanLabeler& labeler, std::size_t max_rows);

    void clear();
    std::size_t size() const { return counts_.size(); }

    // A place for a rule that waits to be counted; none if flush() must make one.
    RuleInstance* place() { return waiting_ < kWaiting ? &queue_[waiting_] : nullptr; }
    std::vector<std::uint64_t>& waiting_links() { return queue_links_; }
    // Takes the rule that was put there.
    void push() {
        __builtin_prefetch(&slots_[queue_[waiting_].hash & (slots_.size() - 1)]);
        ++waiting_;
    }
    // Counts all rules that wait; false if one is new and there is no room for it.
    bool flush();

    // Bytes of the text of all rows: left side, labels, source, target, alignment.
    using Sizes = std::array<std::size_t, 5>;
    const Sizes& bytes() const { return bytes_; }
    // Writes all rows into the columns, which are large enough, after `row` rows and `start` bytes.
    void write(RuleColumns& columns, std::size_t row, const Sizes& start) const;

    bool is_identity(const RuleInstance& rule) const;

private:
    static constexpr std::size_t kWaiting = 32;

    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t row = 0;  // number of the row, from 1; 0 is an empty slot
    };

    bool add(const RuleInstance& rule);
    void store(const RuleInstance& rule);
    void grow();
    const RuleSpan* spans(std::size_t row) const { return &spans_[row * stride_]; }
    bool same(std::size_t row, const RuleInstance& rule) const;

    const RuleBatch& batch_;
    const TokenText& source_;
    const TokenText& target_;
    const SpanLabeler& labeler_;
    const std::size_t max_rows_;
    const std::size_t stride_;
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::int64_t> counts_;
    std::vector<RuleSpan> spans_;
    std::vector<std::array<std::uint8_t, kMostNonterminals>> orders_;
    std::vector<std::uint8_t> gaps_;
    std::vector<std::uint64_t> links_;
    std::vector<std::size_t> link_ends_;
    Sizes bytes_{};
    std::vector<RuleInstance> queue_;
    std::vector<std::uint64_t> queue_links_;
    std::size_t waiting_ = 0, done_ = 0;
};

}  // namespace paragauge
