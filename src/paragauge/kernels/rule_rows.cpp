#include "rule_rows.hpp"

#include <cstring>

namespace paragauge {

namespace {

constexpr std::size_t kSpanSize = sizeof(RuleSpan) / sizeof(std::uint32_t);

bool same_words(const std::int32_t* a, const std::int32_t* b, std::uint32_t size) {
    return std::memcmp(a, b, size * sizeof(std::int32_t)) == 0;
}

void add_number(std::string& out, std::uint64_t number) { out += std::to_string(number); }

void end_row(Joined& column) { column.offsets.push_back(static_cast<std::int64_t>(column.text.size())); }

// How many words of [first, last) stand outside of the gaps.
std::int32_t words(std::uint32_t first, std::uint32_t last, std::uint32_t in_gaps) {
    return static_cast<std::int32_t>(last - first - in_gaps);
}

}  // namespace

TokenText::TokenText(const TextRows& words, const IdColumn& side) {
    starts.reserve(side.ids.size() + 1);
    for (const std::int32_t id : side.ids) {
        starts.push_back(text.size());
        text.append(words.row(static_cast<std::size_t>(id)));
        text.push_back(' ');
    }
    starts.push_back(text.size());
}

RuleRows::RuleRows(const RuleBatch& batch, const TokenText& source, const TokenText& target,
                   std::size_t max_rows)
    : batch_(batch),
      source_(source),
      target_(target),
      max_rows_(max_rows),
      stride_(2 + kSpanSize * (static_cast<std::size_t>(batch.limits.nonterminals) + 1)) {}

void RuleRows::clear() {
    stored_.clear();
    counts_.clear();
    if (slots_.empty()) slots_.resize(1024);
    if (++stamp_ == 0) {
        slots_.assign(slots_.size(), Slot{});
        stamp_ = 1;
    }
}

bool RuleRows::add(std::uint64_t hash, const RuleInstance& rule) {
    std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    for (; slots_[place].stamp == stamp_; place = (place + 1) & mask) {
        if (slots_[place].hash != hash) continue;
        if (!same(stored(slots_[place].row), rule)) continue;
        ++counts_[slots_[place].row];
        return true;
    }
    if (counts_.size() == max_rows_) return false;
    slots_[place] = {hash, static_cast<std::uint32_t>(counts_.size()), stamp_};
    counts_.push_back(1);
    store(rule);
    if (2 * counts_.size() > slots_.size()) {
        std::vector<Slot> larger(slots_.size() * 2);
        mask = larger.size() - 1;
        for (const Slot& slot : slots_) {
            if (slot.stamp != stamp_) continue;
            place = slot.hash & mask;
            while (larger[place].stamp == stamp_) place = (place + 1) & mask;
            larger[place] = slot;
        }
        slots_.swap(larger);
    }
    return true;
}

void RuleRows::store(const RuleInstance& rule) {
    const std::size_t first = stored_.size();
    stored_.resize(first + stride_);
    stored_[first] = rule.pair;
    stored_[first + 1] = rule.gaps;
    std::memcpy(&stored_[first + 2], rule.spans.data(), (rule.gaps + 1) * sizeof(RuleSpan));
}

RuleInstance RuleRows::stored(std::size_t row) const {
    const std::uint32_t* const from = &stored_[row * stride_];
    RuleInstance rule;
    rule.pair = from[0];
    rule.gaps = from[1];
    std::memcpy(rule.spans.data(), from + 2, (rule.gaps + 1) * sizeof(RuleSpan));
    return rule;
}

// Equal rules have the same words between the same gaps on both sides, and the same labels.
bool RuleRows::same(const RuleInstance& a, const RuleInstance& b) {
    if (a.gaps != b.gaps) return false;
    for (std::uint32_t i = 0; i <= a.gaps; ++i)
        if (a.spans[i].label != b.spans[i].label) return false;
    const auto a_order = a.by_target(), b_order = b.by_target();
    const std::int32_t *source = batch_.source.ids.data(), *target = batch_.target.ids.data();
    std::uint32_t as = a.spans[0].s0, bs = b.spans[0].s0, at = a.spans[0].t0, bt = b.spans[0].t0;
    for (std::uint32_t i = 0; i <= a.gaps; ++i) {
        const bool last = i == a.gaps;
        if (!last && a_order[i] != b_order[i]) return false;
        const std::uint32_t a_source = last ? a.spans[0].s1 : a.spans[i + 1].s0;
        const std::uint32_t b_source = last ? b.spans[0].s1 : b.spans[i + 1].s0;
        const std::uint32_t a_target = last ? a.spans[0].t1 : a.spans[a_order[i]].t0;
        const std::uint32_t b_target = last ? b.spans[0].t1 : b.spans[b_order[i]].t0;
        if (a_source - as != b_source - bs || a_target - at != b_target - bt) return false;
        if (!same_words(source + as, source + bs, a_source - as)) return false;
        if (!same_words(target + at, target + bt, a_target - at)) return false;
        if (last) break;
        as = a.spans[i + 1].s1;
        bs = b.spans[i + 1].s1;
        at = a.spans[a_order[i]].t1;
        bt = b.spans[b_order[i]].t1;
    }
    if (!batch_.limits.alignment) return true;
    links_of(a, links_);
    links_of(b, other_links_);
    return links_ == other_links_;
}

bool RuleRows::is_identity(const RuleInstance& rule) const {
    const auto order = rule.by_target();
    std::uint32_t s = rule.spans[0].s0, t = rule.spans[0].t0;
    for (std::uint32_t i = 0; i <= rule.gaps; ++i) {
        const bool last = i == rule.gaps;
        if (!last && order[i] != i + 1) return false;
        const std::uint32_t source = last ? rule.spans[0].s1 : rule.spans[i + 1].s0;
        const std::uint32_t target = last ? rule.spans[0].t1 : rule.spans[i + 1].t0;
        if (source - s != target - t) return false;
        if (!same_words(batch_.source.ids.data() + s, batch_.target.ids.data() + t, source - s)) return false;
        if (last) break;
        s = rule.spans[i + 1].s1;
        t = rule.spans[i + 1].t1;
    }
    return true;
}

void RuleRows::links_of(const RuleInstance& rule, std::vector<std::uint64_t>& links) const {
    links.clear();
    const LinkColumn& all = batch_.links;
    const auto source_base = static_cast<std::uint32_t>(batch_.source.offsets[rule.pair]);
    const auto target_base = static_cast<std::uint32_t>(batch_.target.offsets[rule.pair]);
    const auto first = all.source.begin() + all.offsets[rule.pair];
    const auto last = all.source.begin() + all.offsets[rule.pair + 1];
    const auto from = std::lower_bound(first, last, static_cast<std::int32_t>(rule.spans[0].s0 - source_base));
    for (auto link = from; link != last; ++link) {
        const std::uint32_t s = static_cast<std::uint32_t>(*link) + source_base;
        if (s >= rule.spans[0].s1) break;
        const std::uint32_t t =
            static_cast<std::uint32_t>(all.target[static_cast<std::size_t>(link - all.source.begin())]) +
            target_base;
        std::uint64_t source_place = s - rule.spans[0].s0, target_place = t - rule.spans[0].t0;
        bool inside = false;
        for (std::uint32_t i = 1; i <= rule.gaps && !inside; ++i) {
            const RuleSpan& gap = rule.spans[i];
            inside = gap.s0 <= s && s < gap.s1;
            if (gap.s1 <= s) source_place -= gap.s1 - gap.s0 - 1;
            if (gap.t1 <= t) target_place -= gap.t1 - gap.t0 - 1;
        }
        if (!inside) links.push_back(source_place << 32 | target_place);
    }
}

void RuleRows::write_side(const RuleInstance& rule, bool target, std::string& out) const {
    const auto order = rule.by_target();
    const TokenText& tokens = target ? target_ : source_;
    std::uint32_t at = target ? rule.spans[0].t0 : rule.spans[0].s0;
    for (std::uint32_t i = 0; i < rule.gaps; ++i) {
        const std::uint32_t number = target ? order[i] : i + 1;
        const RuleSpan& gap = rule.spans[number];
        tokens.append(out, at, target ? gap.t0 : gap.s0);
        out.push_back('[');
        out.push_back(static_cast<char>('0' + number));
        out.append("] ");
        at = target ? gap.t1 : gap.s1;
    }
    tokens.append(out, at, target ? rule.spans[0].t1 : rule.spans[0].s1);
    out.pop_back();
}

void RuleRows::write(const SpanLabeller& labeller, RuleColumns& columns) const {
    std::vector<std::uint64_t> links;
    for (std::size_t row = 0; row < counts_.size(); ++row) {
        const RuleInstance rule = stored(row);
        columns.lhs.text.append(labeller.text(rule.spans[0].label));
        end_row(columns.lhs);
        std::uint32_t source_gaps = 0, target_gaps = 0;
        for (std::uint32_t i = 1; i <= rule.gaps; ++i) {
            if (i > 1) columns.labels.text.push_back(' ');
            columns.labels.text.append(labeller.text(rule.spans[i].label));
            source_gaps += rule.spans[i].s1 - rule.spans[i].s0;
            target_gaps += rule.spans[i].t1 - rule.spans[i].t0;
        }
        end_row(columns.labels);
        write_side(rule, false, columns.source.text);
        end_row(columns.source);
        write_side(rule, true, columns.target.text);
        end_row(columns.target);
        columns.source_words.push_back(words(rule.spans[0].s0, rule.spans[0].s1, source_gaps));
        columns.target_words.push_back(words(rule.spans[0].t0, rule.spans[0].t1, target_gaps));
        if (!batch_.limits.alignment) continue;
        links_of(rule, links);
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (i > 0) columns.alignment.text.push_back(' ');
            add_number(columns.alignment.text, links[i] >> 32);
            columns.alignment.text.push_back('-');
            add_number(columns.alignment.text, links[i] & 0xFFFFFFFF);
        }
        end_row(columns.alignment);
    }
    columns.counts.insert(columns.counts.end(), counts_.begin(), counts_.end());
}

}  // namespace paragauge
