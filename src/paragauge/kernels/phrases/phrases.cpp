#include "phrases/phrases.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;
constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
constexpr char kFirstPosition = '0';
constexpr char kEndOfWord = '!';  // below every position, so that a set sorts before its extensions

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// A sentence as text with a space between words: a phrase is one piece of it.
class Sentence {
public:
    void read(const BitextSide& side, std::size_t number) {
        const auto first = static_cast<std::size_t>(side.sentences.offsets[number]);
        const auto last = static_cast<std::size_t>(side.sentences.offsets[number + 1]);
        text_.clear();
        starts_.clear();
        for (std::size_t i = first; i < last; ++i) {
            starts_.push_back(text_.size());
            text_.append(side.words.row(at(side.sentences.ids[i])));
            text_.push_back(' ');
        }
        starts_.push_back(text_.size());
    }

    std::int32_t size() const { return static_cast<std::int32_t>(starts_.size()) - 1; }

    std::string_view phrase(std::int32_t first, std::int32_t last) const {
        return std::string_view(text_).substr(starts_[at(first)],
                                              starts_[at(last) + 1] - 1 - starts_[at(first)]);
    }

private:
    std::string text_;
    std::vector<std::size_t> starts_;
};

void add_row(Joined& column, std::string_view text) {
    column.text.append(text);
    column.offsets.push_back(static_cast<std::int64_t>(column.text.size()));
}

void add_number(std::string& text, std::int32_t number) {
    if (number >= 10) text.push_back(static_cast<char>('0' + number / 10));
    text.push_back(static_cast<char>('0' + number % 10));
}

class Extractor {
public:
    Extractor(const BitextSide& source, const BitextSide& target, const LinkColumn& links,
              std::int32_t longest, PhrasePairs& rows)
        : sides_{&source, &target}, links_(links), longest_(longest), rows_(rows) {}

    void pair(std::size_t number) {
        source_.read(*sides_[0], number);
        target_.read(*sides_[1], number);
        sort_links(number);
        for (std::int32_t first = 0; first < target_.size(); ++first) from(first);
    }

private:
    // Links by target word, and the first and last target word that each source word has.
    void sort_links(std::size_t number) {
        const auto begin = static_cast<std::size_t>(links_.offsets[number]);
        const auto end = static_cast<std::size_t>(links_.offsets[number + 1]);
        starts_.assign(at(target_.size()) + 2, 0);
        low_.assign(at(source_.size()), kNone);
        high_.assign(at(source_.size()), -1);
        for (std::size_t i = begin; i < end; ++i) {
            const std::int32_t s = links_.source[i], t = links_.target[i];
            ++starts_[at(t) + 2];
            low_[at(s)] = std::min(low_[at(s)], t);
            high_[at(s)] = std::max(high_[at(s)], t);
        }
        for (std::size_t t = 2; t < starts_.size(); ++t) starts_[t] += starts_[t - 1];
        sources_.resize(end - begin);
        for (std::size_t i = begin; i < end; ++i)
            sources_[starts_[at(links_.target[i]) + 1]++] = links_.source[i];
    }

    // All pairs whose target phrase begins at `first`.
    void from(std::int32_t first) {
        std::int32_t min_source = kNone, max_source = -1;  // source words linked to the target phrase
        std::int32_t low = kNone, high = -1;               // target words linked to those between
        const std::int32_t stop = std::min(target_.size(), first + longest_);
        for (std::int32_t last = first; last < stop; ++last) {
            for (std::size_t i = starts_[at(last)]; i < starts_[at(last) + 1]; ++i) {
                const std::int32_t s = sources_[i];
                if (max_source < 0) cover(s, s, low, high);
                if (s < min_source && max_source >= 0) cover(s, min_source - 1, low, high);
                if (s > max_source && max_source >= 0) cover(max_source + 1, s, low, high);
                min_source = std::min(min_source, s);
                max_source = std::max(max_source, s);
            }
            if (max_source < 0) continue;
            // A phrase that is too wide, or linked to words before it, stays so when it grows.
            if (max_source - min_source >= longest_ || low < first) return;
            if (high <= last) emit(first, last, min_source, max_source);
        }
    }

    void cover(std::int32_t first, std::int32_t last, std::int32_t& low, std::int32_t& high) const {
        for (std::int32_t s = first; s <= last; ++s) {
            low = std::min(low, low_[at(s)]);
            high = std::max(high, high_[at(s)]);
        }
    }

    // The pair itself and its extensions over unaligned source words on both sides.
    void emit(std::int32_t first, std::int32_t last, std::int32_t min_source, std::int32_t max_source) {
        for (std::int32_t left = min_source; left >= 0 && max_source - left < longest_; --left) {
            if (left != min_source && high_[at(left)] >= 0) break;
            describe(first, last, left);
            for (std::int32_t right = max_source;
                 right < source_.size() && right - left < longest_; ++right) {
                if (right != max_source && high_[at(right)] >= 0) break;
                add_row(rows_.source, source_.phrase(left, right));
                add_row(rows_.target, target_.phrase(first, last));
                add_row(rows_.alignment, alignment_);
                add_row(rows_.order, order_);
            }
        }
    }

    // The links inside a pair whose source phrase begins at `left`, for reading and for sorting.
    void describe(std::int32_t first, std::int32_t last, std::int32_t left) {
        alignment_.clear();
        order_.clear();
        for (std::int32_t t = first; t <= last; ++t) {
            for (std::size_t i = starts_[at(t)]; i < starts_[at(t) + 1]; ++i) {
                if (!alignment_.empty()) alignment_.push_back(' ');
                add_number(alignment_, sources_[i] - left);
                alignment_.push_back('-');
                add_number(alignment_, t - first);
                order_.push_back(static_cast<char>(kFirstPosition + (sources_[i] - left)));
            }
            order_.push_back(kEndOfWord);
        }
    }

    const BitextSide* sides_[2];
    const LinkColumn& links_;
    const std::int32_t longest_;
    PhrasePairs& rows_;
    Sentence source_, target_;
    std::vector<std::size_t> starts_;    // links of target word t: starts_[t] to starts_[t + 1]
    std::vector<std::int32_t> sources_;  // their source words
    std::vector<std::int32_t> low_, high_;
    std::string alignment_, order_;
};

Joined whole(std::vector<PhrasePairs>& parts, Joined PhrasePairs::* column) {
    std::vector<Joined> pieces;
    pieces.reserve(parts.size());
    for (PhrasePairs& part : parts) pieces.push_back(std::move(part.*column));
    return one_after_another(pieces);
}

}  // namespace

PhrasePairs extract_phrases(const BitextSide& source, const BitextSide& target, const LinkColumn& links,
                            std::size_t max_length, std::size_t threads) {
    const std::vector<Range> ranges = split(links.offsets.size() - 1, threads, kGrain);
    std::vector<PhrasePairs> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Extractor extractor(source, target, links, static_cast<std::int32_t>(max_length), parts[index]);
        for (std::size_t number = range.first; number < range.last; ++number) extractor.pair(number);
    });
    return {whole(parts, &PhrasePairs::source), whole(parts, &PhrasePairs::target),
            whole(parts, &PhrasePairs::alignment), whole(parts, &PhrasePairs::order)};
}

}  // namespace paragauge
