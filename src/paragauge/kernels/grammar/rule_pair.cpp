#include "grammar/rule_pair.hpp"

#include <algorithm>
#include <limits>

namespace paragauge {

namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::span<const std::int32_t> words_of(const IdColumn& side, std::size_t number) {
    const auto first = static_cast<std::size_t>(side.offsets[number]);
    return side.ids.subspan(first, static_cast<std::size_t>(side.offsets[number + 1]) - first);
}

}  // namespace

void RulePair::read(std::size_t number) {
    const std::span<const std::int32_t> source = words_of(batch_.source, number);
    const std::span<const std::int32_t> target = words_of(batch_.target, number);
    source_size_ = static_cast<std::int32_t>(source.size());
    target_size_ = static_cast<std::int32_t>(target.size());
    source_base_ = static_cast<std::uint32_t>(batch_.source.offsets[number]);
    target_base_ = static_cast<std::uint32_t>(batch_.target.offsets[number]);
    source_hash_.read(source);
    target_hash_.read(target);
    if (batch_.target_is_parsed)
        labeler_.read(number, target_size_, batch_.limits.target_phrase);
    else
        labeler_.read(number, source_size_, batch_.limits.source_phrase);
    sort_links(number);
    find_phrases();
    find_gaps();
}

void RulePair::sort_links(std::size_t number) {
    const auto first = static_cast<std::size_t>(batch_.links.offsets[number]);
    const auto last = static_cast<std::size_t>(batch_.links.offsets[number + 1]);
    link_base_ = first;
    links_until_.assign(at(source_size_) + 1, 0);
    target_low_.assign(at(source_size_), kNone);
    target_high_.assign(at(source_size_), -1);
    source_low_.assign(at(target_size_), kNone);
    source_high_.assign(at(target_size_), -1);
    for (std::size_t i = first; i < last; ++i) {
        const std::int32_t s = batch_.links.source[i], t = batch_.links.target[i];
        ++links_until_[at(s) + 1];
        target_low_[at(s)] = std::min(target_low_[at(s)], t);
        target_high_[at(s)] = std::max(target_high_[at(s)], t);
        source_low_[at(t)] = std::min(source_low_[at(t)], s);
        source_high_[at(t)] = std::max(source_high_[at(t)], s);
    }
    for (std::size_t i = 1; i < links_until_.size(); ++i) links_until_[i] += links_until_[i - 1];
}

void RulePair::find_phrases() {
    const RuleLimits& limits = batch_.limits;
    phrases_.clear();
    for (std::int32_t s0 = 0; s0 < source_size_; ++s0) {
        if (!limits.loose && target_high_[at(s0)] < 0) continue;
        std::int32_t low = kNone, high = -1;              // target words linked to the source phrase
        std::int32_t source_low = kNone, source_high = -1;  // source words linked to those between
        const std::int32_t stop = std::min(source_size_, s0 + limits.source_phrase);
        for (std::int32_t s1 = s0 + 1; s1 <= stop; ++s1) {
            const std::int32_t new_low = std::min(low, target_low_[at(s1 - 1)]);
            const std::int32_t new_high = std::max(high, target_high_[at(s1 - 1)]);
            const bool first = high < 0;
            for (std::int32_t t = new_low; new_high >= 0 && t <= new_high; ++t) {
                if (!first && t == low) t = high + 1;  // these were checked before
                if (t > new_high) break;
                source_low = std::min(source_low, source_low_[at(t)]);
                source_high = std::max(source_high, source_high_[at(t)]);
            }
            low = new_low;
            high = new_high;
            if (high < 0) continue;
            // A phrase that is too wide, or linked to words before it, stays so when it grows.
            if (high - low >= limits.target_phrase || source_low < s0) break;
            if (source_high >= s1 || (!limits.loose && target_high_[at(s1 - 1)] < 0)) continue;
            add(s0, s1, low, high);
        }
    }
}

// The phrase pair and, if asked for, its extensions over unaligned target words on both sides.
void RulePair::add(std::int32_t s0, std::int32_t s1, std::int32_t low, std::int32_t high) {
    std::int32_t t0 = low, stop = high + 1;
    const std::int32_t longest = batch_.limits.target_phrase;
    if (batch_.limits.loose) {
        while (t0 > 0 && source_high_[at(t0 - 1)] < 0 && high - t0 + 1 < longest) --t0;
        while (stop < target_size_ && source_high_[at(stop)] < 0) ++stop;
    }
    for (; t0 <= low; ++t0) {
        const std::int32_t last = std::min(stop, t0 + longest);
        for (std::int32_t t1 = high + 1; t1 <= last; ++t1) {
            const std::uint32_t label =
                batch_.target_is_parsed ? labeler_.label(t0, t1) : labeler_.label(s0, s1);
            phrases_.push_back({s0, s1, t0, t1, label});
        }
    }
}

void RulePair::find_gaps() {
    const RuleLimits& limits = batch_.limits;
    gaps_.clear();
    for (const RulePhrase& phrase : phrases_)
        if (limits.fallback == Fallback::kAll || !is_fallback(phrase)) gaps_.push_back(phrase);
    const std::int32_t widest = std::min(limits.source_phrase, source_size_);
    stride_ = at(widest) + 2;
    first_gap_.resize(at(source_size_) * stride_);
    std::uint32_t next = 0;
    for (std::int32_t s0 = 0; s0 < source_size_; ++s0)
        for (std::int32_t length = 0; length <= widest + 1; ++length) {
            while (next < gaps_.size() && gaps_[next].s0 == s0 &&
                   gaps_[next].s1 - gaps_[next].s0 < length)
                ++next;
            first_gap_[at(s0) * stride_ + at(length)] = next;
        }
    if (limits.fallback == Fallback::kNone) phrases_ = gaps_;
    std::erase_if(phrases_, [&](const RulePhrase& each) { return each.s1 - each.s0 > limits.span; });
    const RulePhrase whole{0, source_size_, 0, target_size_, 0};
    if (!limits.full_sentence || source_size_ == 0 || links_until_.back() == 0) return;
    for (const RulePhrase& each : phrases_)
        if (each.s1 - each.s0 == source_size_ && each.t1 - each.t0 == target_size_) return;
    phrases_.push_back(whole);
    phrases_.back().label = batch_.target_is_parsed ? labeler_.label(0, target_size_)
                                                    : labeler_.label(0, source_size_);
    if (limits.fallback == Fallback::kNone && is_fallback(phrases_.back())) phrases_.pop_back();
}

}  // namespace paragauge
