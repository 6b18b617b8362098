// Different rules with their counts, found by hash and compared exactly, and their text.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rule_pair.hpp"

namespace paragauge {

// All tokens of one side with a blank after each: a run of words is one piece of it.
struct TokenText {
    std::string text;
    std::vector<std::size_t> starts;

    TokenText(const TextRows& words, const IdColumn& side);
    void append(std::string& out, std::uint32_t first, std::uint32_t last) const {
        out.append(text, starts[first], starts[last] - starts[first]);
    }
};

// Where a rule was found: positions count the tokens of the batch.
struct RuleSpan {
    std::uint32_t s0, s1, t0, t1, label;
};
struct RuleInstance {
    std::uint32_t pair;
    std::uint32_t gaps;
    std::array<RuleSpan, kMostNonterminals + 1> spans;  // the rule itself, then its gaps by source

    // Numbers of the gaps by their target words.
    std::array<std::uint8_t, kMostNonterminals> by_target() const {
        std::array<std::uint8_t, kMostNonterminals> order{};
        for (std::uint32_t i = 0; i < gaps; ++i) {
            std::uint32_t place = i;
            for (; place > 0 && spans[order[place - 1]].t0 > spans[i + 1].t0; --place)
                order[place] = order[place - 1];
            order[place] = static_cast<std::uint8_t>(i + 1);
        }
        return order;
    }
};

class RuleRows {
public:
    RuleRows(const RuleBatch& batch, const TokenText& source, const TokenText& target,
             std::size_t max_rows);

    void clear();
    // Counts a rule; false if it is new and there is no room for it.
    bool add(std::uint64_t hash, const RuleInstance& rule);
    // Puts all rows at the end of the columns.
    void write(const SpanLabeller& labeller, RuleColumns& columns) const;

    // Whether both sides of a rule are the same symbols.
    bool is_identity(const RuleInstance& rule) const;
    // The links between words of a rule, as positions among the symbols of both sides, into `links`.
    void links_of(const RuleInstance& rule, std::vector<std::uint64_t>& links) const;

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t row = 0;
        std::uint32_t stamp = 0;
    };

    RuleInstance stored(std::size_t row) const;
    void store(const RuleInstance& rule);
    bool same(const RuleInstance& a, const RuleInstance& b);
    void write_side(const RuleInstance& rule, bool target, std::string& out) const;

    const RuleBatch& batch_;
    const TokenText& source_;
    const TokenText& target_;
    const std::size_t max_rows_;
    const std::size_t stride_;
    std::vector<Slot> slots_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> stored_;
    std::vector<std::int64_t> counts_;
    std::vector<std::uint64_t> links_, other_links_;
};

}  // namespace paragauge
