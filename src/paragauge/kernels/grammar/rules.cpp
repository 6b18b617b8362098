#include "grammar/rules.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "grammar/rule_pair.hpp"
#include "grammar/rule_rows.hpp"

namespace paragauge {

// The rules of pairs first to last, chunk by chunk. The search goes from each phrase pair down to its
// gaps and pauses wherever it is when a chunk is full.
class RuleLane {
public:
    RuleLane(const RuleBatch& batch, const TokenText& source, const TokenText& target, Range range,
             std::size_t max_rows)
        : batch_(batch),
          pair_(batch),
          rows_(batch, source, target, pair_.labeler(), max_rows),
          range_(range),
          done_(range.first == range.last) {}

    bool done() const { return done_; }

    const RuleRows& rows() const { return rows_; }

    void chunk() {
        rows_.clear();
        while (range_.first < range_.last) {
            if (!open_) {
                pair_.read(range_.first);
                phrase_ = 0;
                open_ = true;
            }
            for (; phrase_ < pair_.phrases().size(); ++phrase_)
                if (!search(pair_.phrases()[phrase_])) return;
            open_ = false;
            ++range_.first;
        }
        done_ = rows_.flush();
    }

private:
    // A rule with as many gaps as there are levels below this one, and where the next gap may be.
    struct Level {
        std::int32_t source_end = 0;    // of the last gap
        std::int32_t source_words = 0;  // before that
        std::int32_t target_words = 0;  // outside of all gaps
        std::int32_t links = 0;         // between words outside of all gaps
        std::uint64_t hash = 0;         // of the source side until source_end
        std::int32_t start = 0;         // where gaps begin that are tried now
        std::uint32_t next = 0, stop = 0;
    };

    // All rules of a phrase pair; false if there was no room, and the next call goes on from there.
    bool search(const RulePhrase& phrase) {
        if (depth_ < 0) {
            depth_ = 0;
            enter(phrase, {phrase.s0, 0, phrase.t1 - phrase.t0, pair_.links(phrase.s0, phrase.s1), 0});
        }
        for (;;) {
            if (pending_) {
                if (!emit(phrase)) return false;
                pending_ = false;
            }
            const RulePhrase* const gap = next_gap(phrase);
            if (gap != nullptr) {
                const Level& above = levels_[at(depth_)];
                Level below;
                below.source_end = gap->s1;
                below.source_words = above.source_words + (gap->s0 - above.source_end);
                below.target_words = above.target_words - (gap->t1 - gap->t0);
                below.links = above.links - pair_.links(gap->s0, gap->s1);
                below.hash = RollingHash::with(
                    pair_.source_hash().with(above.hash, above.source_end, gap->s0),
                    RollingHash::nonterminal(at(depth_)));
                gaps_[at(depth_)] = gap;
                ++depth_;
                enter(phrase, below);
            } else if (depth_-- == 0) {
                return true;
            }
        }
    }

    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

    void enter(const RulePhrase& phrase, Level level) {
        const RuleLimits& limits = batch_.limits;
        const bool apart = depth_ > 0 && !limits.adjacent;
        level.start = level.source_end + (apart ? 1 : 0);
        const bool lexical_only = pair_.is_fallback(phrase) && limits.fallback != Fallback::kAll;
        if (depth_ == limits.nonterminals || lexical_only) level.start = phrase.s1;
        levels_[at(depth_)] = level;
        range(phrase);
        pending_ = true;
    }

    // Words that the source side may have when it gets one gap more.
    std::int32_t budget() const {
        return std::min(batch_.limits.source_symbols - depth_ - 1, batch_.limits.source_words);
    }

    // The gaps that begin at the level's start and may come next.
    void range(const RulePhrase& phrase) {
        Level& level = levels_[at(depth_)];
        level.next = level.stop = 0;
        if (level.start >= phrase.s1) return;
        const std::int32_t left = budget() - level.source_words - (level.start - level.source_end);
        if (left < 0) {
            level.start = phrase.s1;
            return;
        }
        const std::int32_t longest = std::min(batch_.limits.source_phrase, phrase.s1 - level.start);
        // The last gap must reach far enough that not too many words follow.
        const bool last = depth_ + 1 == batch_.limits.nonterminals;
        const std::int32_t shortest = last ? std::max(1, phrase.s1 - level.start - left) : 1;
        if (shortest > longest) return;
        level.next = pair_.gap_from(level.start, shortest);
        level.stop = pair_.gap_from(level.start, longest + 1);
    }

    const RulePhrase* next_gap(const RulePhrase& phrase) {
        Level& level = levels_[at(depth_)];
        for (; level.start < phrase.s1; ++level.start, range(phrase)) {
            while (level.next < level.stop) {
                const RulePhrase* const gap = &pair_.gaps()[level.next++];
                if (fits(phrase, *gap)) return gap;
            }
        }
        return nullptr;
    }

    bool fits(const RulePhrase& phrase, const RulePhrase& gap) const {
        if (gap.t0 < phrase.t0 || gap.t1 > phrase.t1) return false;
        for (std::int32_t i = 0; i < depth_; ++i)
            if (gap.t0 < gaps_[at(i)]->t1 && gaps_[at(i)]->t0 < gap.t1) return false;
        return true;
    }

    bool allowed(const RulePhrase& phrase, std::int32_t source_words) const {
        const RuleLimits& limits = batch_.limits;
        const Level& level = levels_[at(depth_)];
        const std::int32_t target_words = level.target_words;
        if (depth_ == 0) {
            if (source_words > limits.lexical_source || target_words > limits.lexical_target) return false;
        } else {
            if (source_words + depth_ > limits.source_symbols || source_words > limits.source_words)
                return false;
            if (target_words + depth_ > limits.target_symbols || target_words > limits.target_words)
                return false;
            if (pair_.is_fallback(phrase) && limits.fallback != Fallback::kAll) return false;
            // Without words, one gap is the phrase itself: the rule would rewrite a symbol to itself.
            if (source_words == 0 && target_words == 0 && (!limits.abstract || depth_ == 1)) return false;
        }
        if (limits.one_word && (depth_ > 0 || source_words != 1)) return false;
        return source_words >= limits.min_words && level.links >= limits.min_links;
    }

    // Queues the rule with the gaps chosen so far for counting, if it is within the limits; false if
    // there is no room.
    bool emit(const RulePhrase& phrase) {
        const Level& level = levels_[at(depth_)];
        if (!allowed(phrase, level.source_words + (phrase.s1 - level.source_end))) return true;
        if (rows_.place() == nullptr && !rows_.flush()) return false;
        RuleInstance& rule = *rows_.place();
        rule.gaps = static_cast<std::uint32_t>(depth_);
        rule.spans[0] = placed(phrase);
        for (std::int32_t i = 0; i < depth_; ++i) {
            rule.spans[at(i) + 1] = placed(*gaps_[at(i)]);
            std::size_t place = at(i);
            for (; place > 0 && gaps_[rule.by_target[place - 1] - 1U]->t0 > gaps_[at(i)]->t0; --place)
                rule.by_target[place] = rule.by_target[place - 1];
            rule.by_target[place] = static_cast<std::uint8_t>(i + 1);
        }
        const std::uint64_t source = pair_.source_hash().with(level.hash, level.source_end, phrase.s1);
        const std::uint64_t target = target_hash(phrase, rule);
        if (source == target && !batch_.limits.identity && rows_.is_identity(rule)) return true;
        rule.hash = mix(source ^ mix(target));
        for (std::int32_t i = 0; i <= depth_; ++i)
            rule.hash = RollingHash::with(rule.hash, rule.spans[at(i)].label);
        if (batch_.limits.alignment) add_links(phrase, rule);
        rule.hash = mix(rule.hash);
        rows_.push();
        return true;
    }

    // The links between words outside of the gaps, as positions among the symbols of both sides.
    void add_links(const RulePhrase& phrase, RuleInstance& rule) {
        std::vector<std::uint64_t>& links = rows_.waiting_links();
        rule.first_link = static_cast<std::uint32_t>(links.size());
        std::int32_t from = phrase.s0, source_shift = phrase.s0;
        for (std::int32_t i = 0; i <= depth_; ++i) {
            const std::int32_t to = i < depth_ ? gaps_[at(i)]->s0 : phrase.s1;
            for (std::size_t number = pair_.first_link(from); number < pair_.first_link(to); ++number) {
                const std::int32_t t = batch_.links.target[number];
                std::int32_t target_shift = phrase.t0;
                for (std::int32_t j = 0; j < depth_; ++j)
                    if (gaps_[at(j)]->t1 <= t) target_shift += gaps_[at(j)]->t1 - gaps_[at(j)]->t0 - 1;
                const std::uint64_t link = at(batch_.links.source[number] - source_shift) << 32 |
                                           at(t - target_shift);
                links.push_back(link);
                rule.hash = RollingHash::with(rule.hash, link + 1);
            }
            if (i == depth_) break;
            from = gaps_[at(i)]->s1;
            source_shift += gaps_[at(i)]->s1 - gaps_[at(i)]->s0 - 1;
        }
        rule.last_link = static_cast<std::uint32_t>(links.size());
    }

    RuleSpan placed(const RulePhrase& phrase) const {
        const std::uint32_t source = pair_.source_base(), target = pair_.target_base();
        return {static_cast<std::uint32_t>(phrase.s0) + source, static_cast<std::uint32_t>(phrase.s1) + source,
                static_cast<std::uint32_t>(phrase.t0) + target, static_cast<std::uint32_t>(phrase.t1) + target,
                phrase.label};
    }

    std::uint64_t target_hash(const RulePhrase& phrase, const RuleInstance& rule) const {
        const auto& order = rule.by_target;
        std::uint64_t hash = 0;
        std::int32_t end = phrase.t0;
        for (std::int32_t i = 0; i < depth_; ++i) {
            const RulePhrase& gap = *gaps_[order[at(i)] - 1U];
            hash = pair_.target_hash().with(hash, end, gap.t0);
            hash = RollingHash::with(hash, RollingHash::nonterminal(order[at(i)] - 1U));
            end = gap.t1;
        }
        return pair_.target_hash().with(hash, end, phrase.t1);
    }

    const RuleBatch& batch_;
    RulePair pair_;
    RuleRows rows_;
    Range range_;  // pairs that are not done
    bool done_;
    bool open_ = false;
    std::size_t phrase_ = 0;
    std::int32_t depth_ = -1;
    bool pending_ = false;  // the rule with the gaps chosen so far is still to be counted
    std::array<Level, kMostNonterminals + 1> levels_;
    std::array<const RulePhrase*, kMostNonterminals> gaps_{};
};

RuleExtractor::RuleExtractor(const RuleBatch& batch, std::size_t max_rows)
    : batch_(batch),
      source_(std::make_unique<TokenText>(batch.words, batch.source)),
      target_(std::make_unique<TokenText>(batch.words, batch.target)) {
    const std::size_t each = std::max<std::size_t>(1, max_rows / kRuleLanes);
    for (const Range range : split(batch.pairs(), kRuleLanes, 1))
        lanes_.push_back(std::make_unique<RuleLane>(batch_, *source_, *target_, range, each));
}

RuleExtractor::~RuleExtractor() = default;

bool RuleExtractor::done() const {
    return std::ranges::all_of(lanes_, [](const auto& lane) { return lane->done(); });
}

RuleColumns RuleExtractor::next(std::size_t threads) {
    std::vector<RuleLane*> active;
    for (const auto& lane : lanes_)
        if (!lane->done()) active.push_back(lane.get());
    const std::vector<Range> ranges = split(active.size(), threads, 1);
    run_parallel(ranges, [&](std::size_t, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i) active[i]->chunk();
    });
    std::vector<std::size_t> rows(1);
    std::vector<RuleRows::Sizes> bytes(1);
    for (const RuleLane* lane : active) {
        rows.push_back(rows.back() + lane->rows().size());
        bytes.push_back(bytes.back());
        for (std::size_t i = 0; i < bytes.back().size(); ++i) bytes.back()[i] += lane->rows().bytes()[i];
    }
    RuleColumns columns;
    std::size_t number = 0;
    for (Joined* text : {&columns.lhs, &columns.labels, &columns.source, &columns.target, &columns.alignment}) {
        text->text.resize(bytes.back()[number++]);
        text->offsets.resize(rows.back() + 1);
    }
    columns.source_words.resize(rows.back());
    columns.target_words.resize(rows.back());
    columns.counts.resize(rows.back());
    run_parallel(ranges, [&](std::size_t, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i)
            active[i]->rows().write(columns, rows[i], bytes[i]);
    });
    return columns;
}

}  // namespace paragauge
