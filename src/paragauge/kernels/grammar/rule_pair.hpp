// One sentence pair prepared for extraction: its phrase pairs, which of them may be gaps, the labels of
// both, and hashes of all runs of words.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hashing.hpp"
#include "grammar/rules.hpp"

namespace paragauge {

// Words s0 to s1 of the source and t0 to t1 of the target.
struct RulePhrase {
    std::int32_t s0, s1, t0, t1;
    std::uint32_t label;
};

// Hashes of sequences of symbols, composed from the hashes of their parts.
class RollingHash {
public:
    static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ULL;

    // The hash of a sequence with one more symbol at its end.
    static std::uint64_t with(std::uint64_t hash, std::uint64_t symbol) { return hash * kBase + symbol; }
    static std::uint64_t nonterminal(std::size_t number) { return mix(~std::uint64_t{number}); }

    void read(std::span<const std::int32_t> ids) {
        until_.resize(ids.size() + 1);
        until_[0] = 0;
        for (std::size_t i = 0; i < ids.size(); ++i)
            until_[i + 1] = with(until_[i], mix(static_cast<std::uint64_t>(ids[i])));
        if (powers_.empty()) powers_.push_back(1);
        while (powers_.size() <= ids.size()) powers_.push_back(powers_.back() * kBase);
    }

    // The hash of a sequence with the words first to last at its end.
    std::uint64_t with(std::uint64_t hash, std::int32_t first, std::int32_t last) const {
        const std::uint64_t power = powers_[static_cast<std::size_t>(last - first)];
        return (hash - until_[static_cast<std::size_t>(first)]) * power +
               until_[static_cast<std::size_t>(last)];
    }

private:
    std::vector<std::uint64_t> until_, powers_;
};

class RulePair {
public:
    explicit RulePair(const RuleBatch& batch)
        : batch_(batch), labeler_(batch.trees, batch.labels), hiero_(batch.trees == nullptr) {}

    void read(std::size_t number);

    // All pairs that may be the left side of a rule, by s0, s1, t0, t1; the whole sentence pair comes
    // last if it is there only because it is whole.
    const std::vector<RulePhrase>& phrases() const { return phrases_; }
    // Those that may be gaps, in the same order.
    const std::vector<RulePhrase>& gaps() const { return gaps_; }
    // Where gaps begin whose source side starts at `s0` and has at least `length` words.
    std::uint32_t gap_from(std::int32_t s0, std::int32_t length) const {
        return first_gap_[static_cast<std::size_t>(s0) * stride_ + static_cast<std::size_t>(length)];
    }
    bool is_fallback(const RulePhrase& phrase) const {
        return !hiero_ && phrase.label == SpanLabeler::kFallback;
    }
    // Number of links of source words first to last.
    std::int32_t links(std::int32_t first, std::int32_t last) const {
        return static_cast<std::int32_t>(links_until_[static_cast<std::size_t>(last)] -
                                         links_until_[static_cast<std::size_t>(first)]);
    }
    // The first link of the batch that is of this source word or of a later one.
    std::size_t first_link(std::int32_t word) const {
        return link_base_ + links_until_[static_cast<std::size_t>(word)];
    }
    const RollingHash& source_hash() const { return source_hash_; }
    const RollingHash& target_hash() const { return target_hash_; }
    std::uint32_t source_base() const { return source_base_; }
    std::uint32_t target_base() const { return target_base_; }
    const SpanLabeler& labeler() const { return labeler_; }

private:
    void sort_links(std::size_t number);
    void find_phrases();
    void add(std::int32_t s0, std::int32_t s1, std::int32_t low, std::int32_t high);
    void find_gaps();

    const RuleBatch& batch_;
    SpanLabeler labeler_;
    const bool hiero_;
    RollingHash source_hash_, target_hash_;
    std::int32_t source_size_ = 0, target_size_ = 0;
    std::uint32_t source_base_ = 0, target_base_ = 0;
    std::size_t link_base_ = 0;
    std::vector<std::size_t> links_until_;
    std::vector<std::int32_t> target_low_, target_high_;  // target words that a source word is linked to
    std::vector<std::int32_t> source_low_, source_high_;  // source words that a target word is linked to
    std::vector<RulePhrase> phrases_, gaps_;
    std::vector<std::uint32_t> first_gap_;
    std::size_t stride_ = 0;
};

}  // namespace paragauge
