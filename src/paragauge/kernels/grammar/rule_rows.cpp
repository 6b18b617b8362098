#include "grammar/rule_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace paragauge {

namespace {

constexpr std::size_t kSlack = 16;  // bytes that may be read past the tokens
constexpr std::size_t kNonterminal = 4;  // bytes of "[1] "

// Writes symbols with a space between them, up to `limit`.
class Writer {
public:
    Writer(char* out, char* limit) : out_(out), limit_(limit) {}

    void start_row() { fresh_ = true; }
    char* end() const { return out_; }

    // A run of words, which has a space at its end.
    void words(const char* from, std::size_t size) {
        if (size == 0) return;
        blank();
        --size;
        // Most runs are short, and a call costs more than copying a block of 16 bytes; surplus bytes
        // are overwritten by the next run.
        if (limit_ - out_ >= static_cast<std::ptrdiff_t>(kSlack)) {
            std::memcpy(out_, from, kSlack);
            if (size > kSlack) std::memcpy(out_ + kSlack, from + kSlack, size - kSlack);
        } else {
            std::memcpy(out_, from, size);
        }
        out_ += size;
    }

    void nonterminal(std::size_t number) {
        blank();
        const char mark[] = {'[', static_cast<char>('0' + number), ']'};
        std::memcpy(out_, mark, sizeof mark);
        out_ += sizeof mark;
    }

    void text(std::string_view text) {
        blank();
        std::memcpy(out_, text.data(), text.size());
        out_ += text.size();
    }

    void link(std::uint64_t link) {
        blank();
        out_ = std::to_chars(out_, limit_, link >> 32).ptr;
        *out_++ = '-';
        out_ = std::to_chars(out_, limit_, link & 0xFFFFFFFF).ptr;
    }

private:
    void blank() {
        if (!fresh_) *out_++ = ' ';
        fresh_ = false;
    }

    char* out_;
    char* limit_;
    bool fresh_ = true;
};

std::size_t digits(std::uint64_t number) {
    std::size_t count = 1;
    for (; number >= 10; number /= 10) ++count;
    return count;
}

bool same_words(const std::int32_t* a, const std::int32_t* b, std::uint32_t size) {
    for (std::uint32_t i = 0; i < size; ++i)
        if (a[i] != b[i]) return false;
    return true;
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
    text.append(kSlack, ' ');
}

RuleRows::RuleRows(const RuleBatch& batch, const TokenText& source, const TokenText& target,
                   const SpanLabeler& labeler, std::size_t max_rows)
    : batch_(batch),
      source_(source),
      target_(target),
      labeler_(labeler),
      max_rows_(max_rows),
      stride_(static_cast<std::size_t>(batch.limits.nonterminals) + 1),
      slots_(1024),
      queue_(kWaiting) {}

void RuleRows::clear() {
    slots_.assign(slots_.size(), Slot{});
    hashes_.clear();
    counts_.clear();
    spans_.clear();
    orders_.clear();
    gaps_.clear();
    links_.clear();
    link_ends_.clear();
    bytes_ = {};
}

bool RuleRows::flush() {
    for (std::size_t i = done_; i < waiting_; ++i) {
        const Slot slot = slots_[queue_[i].hash & (slots_.size() - 1)];
        if (slot.row != 0) __builtin_prefetch(spans(slot.row - 1));
    }
    for (; done_ < waiting_; ++done_)
        if (!add(queue_[done_])) return false;
    waiting_ = done_ = 0;
    queue_links_.clear();
    return true;
}

bool RuleRows::add(const RuleInstance& rule) {
    const std::size_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(rule.hash >> 32);
    std::size_t place = rule.hash & mask;
    for (; slots_[place].row != 0; place = (place + 1) & mask) {
        const std::size_t row = slots_[place].row - 1;
        if (slots_[place].tag != tag || !same(row, rule)) continue;
        ++counts_[row];
        return true;
    }
    if (counts_.size() == max_rows_) return false;
    store(rule);
    slots_[place] = {tag, static_cast<std::uint32_t>(counts_.size())};
    if (2 * counts_.size() > slots_.size()) grow();
    return true;
}

void RuleRows::grow() {
    std::vector<Slot> larger(slots_.size() * 2);
    const std::size_t mask = larger.size() - 1;
    for (const Slot slot : slots_) {
        if (slot.row == 0) continue;
        std::size_t place = hashes_[slot.row - 1] & mask;
        while (larger[place].row != 0) place = (place + 1) & mask;
        larger[place] = slot;
    }
    slots_.swap(larger);
}

void RuleRows::store(const RuleInstance& rule) {
    hashes_.push_back(rule.hash);
    counts_.push_back(1);
    gaps_.push_back(static_cast<std::uint8_t>(rule.gaps));
    orders_.push_back(rule.by_target);
    spans_.resize(spans_.size() + stride_);
    std::memcpy(&spans_[spans_.size() - stride_], rule.spans.data(), (rule.gaps + 1) * sizeof(RuleSpan));
    // A space stands after each symbol but the last.
    const RuleSpan& whole = rule.spans[0];
    bytes_[0] += labeler_.text(whole.label).size();
    bytes_[1] += rule.gaps > 0 ? rule.gaps - 1 : 0;
    bytes_[2] += source_.bytes(whole.s0, whole.s1) + kNonterminal * rule.gaps - 1;
    bytes_[3] += target_.bytes(whole.t0, whole.t1) + kNonterminal * rule.gaps - 1;
    for (std::uint32_t i = 1; i <= rule.gaps; ++i) {
        bytes_[1] += labeler_.text(rule.spans[i].label).size();
        bytes_[2] -= source_.bytes(rule.spans[i].s0, rule.spans[i].s1);
        bytes_[3] -= target_.bytes(rule.spans[i].t0, rule.spans[i].t1);
    }
    if (!batch_.limits.alignment) return;
    for (std::uint32_t i = rule.first_link; i < rule.last_link; ++i) {
        const std::uint64_t link = queue_links_[i];
        links_.push_back(link);
        bytes_[4] += digits(link >> 32) + digits(link & 0xFFFFFFFF) + (i > rule.first_link ? 2 : 1);
    }
    link_ends_.push_back(links_.size());
}

// Equal rules have the same words between the same gaps on both sides, and the same labels.
bool RuleRows::same(std::size_t row, const RuleInstance& rule) const {
    const RuleSpan *a = spans(row), *b = rule.spans.data();
    if (gaps_[row] != rule.gaps) return false;
    for (std::uint32_t i = 0; i <= rule.gaps; ++i)
        if (a[i].label != b[i].label) return false;
    const std::int32_t *source = batch_.source.ids.data(), *target = batch_.target.ids.data();
    std::uint32_t as = a[0].s0, bs = b[0].s0, at = a[0].t0, bt = b[0].t0;
    for (std::uint32_t i = 0; i <= rule.gaps; ++i) {
        const bool last = i == rule.gaps;
        const std::uint32_t t = last ? 0 : rule.by_target[i];
        if (!last && orders_[row][i] != t) return false;
        const std::uint32_t a_words = (last ? a[0].s1 : a[i + 1].s0) - as;
        const std::uint32_t b_words = (last ? b[0].s1 : b[i + 1].s0) - bs;
        if (a_words != b_words || !same_words(source + as, source + bs, a_words)) return false;
        const std::uint32_t a_others = (last ? a[0].t1 : a[t].t0) - at;
        const std::uint32_t b_others = (last ? b[0].t1 : b[t].t0) - bt;
        if (a_others != b_others || !same_words(target + at, target + bt, a_others)) return false;
        if (last) break;
        as = a[i + 1].s1;
        bs = b[i + 1].s1;
        at = a[t].t1;
        bt = b[t].t1;
    }
    if (!batch_.limits.alignment) return true;
    const std::size_t first = row == 0 ? 0 : link_ends_[row - 1], last = link_ends_[row];
    return last - first == rule.last_link - rule.first_link &&
           std::equal(links_.begin() + static_cast<std::ptrdiff_t>(first),
                      links_.begin() + static_cast<std::ptrdiff_t>(last),
                      queue_links_.begin() + static_cast<std::ptrdiff_t>(rule.first_link));
}

bool RuleRows::is_identity(const RuleInstance& rule) const {
    std::uint32_t s = rule.spans[0].s0, t = rule.spans[0].t0;
    for (std::uint32_t i = 0; i <= rule.gaps; ++i) {
        const bool last = i == rule.gaps;
        if (!last && rule.by_target[i] != i + 1) return false;
        const std::uint32_t source = (last ? rule.spans[0].s1 : rule.spans[i + 1].s0) - s;
        const std::uint32_t target = (last ? rule.spans[0].t1 : rule.spans[i + 1].t0) - t;
        if (source != target) return false;
        if (!same_words(batch_.source.ids.data() + s, batch_.target.ids.data() + t, source)) return false;
        if (last) break;
        s = rule.spans[i + 1].s1;
        t = rule.spans[i + 1].t1;
    }
    return true;
}

void RuleRows::write(RuleColumns& columns, std::size_t row, const Sizes& start) const {
    const std::array<Joined*, 5> texts{&columns.lhs, &columns.labels, &columns.source, &columns.target,
                                       &columns.alignment};
    std::vector<Writer> out;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        char* const from = texts[i]->text.data() + start[i];
        out.emplace_back(from, from + bytes_[i]);
    }
    for (std::size_t number = 0; number < counts_.size(); ++number, ++row) {
        for (Writer& writer : out) writer.start_row();
        const RuleSpan* const all = spans(number);
        std::uint32_t source_words = all[0].s1 - all[0].s0, target_words = all[0].t1 - all[0].t0;
        std::uint32_t s = all[0].s0, t = all[0].t0;
        out[0].text(labeler_.text(all[0].label));
        for (std::size_t i = 1; i <= gaps_[number]; ++i) {
            const std::size_t other = orders_[number][i - 1];
            out[1].text(labeler_.text(all[i].label));
            out[2].words(source_.at(s), source_.bytes(s, all[i].s0));
            out[2].nonterminal(i);
            out[3].words(target_.at(t), target_.bytes(t, all[other].t0));
            out[3].nonterminal(other);
            s = all[i].s1;
            t = all[other].t1;
            source_words -= all[i].s1 - all[i].s0;
            target_words -= all[i].t1 - all[i].t0;
        }
        out[2].words(source_.at(s), source_.bytes(s, all[0].s1));
        out[3].words(target_.at(t), target_.bytes(t, all[0].t1));
        if (batch_.limits.alignment)
            for (std::size_t i = number == 0 ? 0 : link_ends_[number - 1]; i < link_ends_[number]; ++i)
                out[4].link(links_[i]);
        for (std::size_t i = 0; i < texts.size(); ++i)
            texts[i]->offsets[row + 1] = out[i].end() - texts[i]->text.data();
        columns.source_words[row] = static_cast<std::int32_t>(source_words);
        columns.target_words[row] = static_cast<std::int32_t>(target_words);
        columns.counts[row] = counts_[number];
    }
}

}  // namespace paragauge
