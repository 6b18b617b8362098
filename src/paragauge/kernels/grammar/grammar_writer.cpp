#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "grammar/grammar_line.hpp"
#include "grammar/grammar_text.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 512;
constexpr std::string_view kBar = " ||| ";
constexpr std::string_view kBars = "|||";

enum Reason : std::int32_t { kFine, kMissing, kWord, kSides, kPhrases, kLabel, kLinks };

using grammar_line::is_digit;

bool has_blank(std::string_view text) { return text.find_first_of("\t\r\v\f\n ") != text.npos; }

template <class Use>
void each_word(std::string_view text, Use use) {
    for (std::size_t at = 0;;) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        use(text.substr(at, end - at));
        if (end == text.size()) return;
        at = end + 1;
    }
}

bool read_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

struct Symbol {
    std::string_view word;
    std::uint32_t index;  // 0 for words
};

class Line {
public:
    Line(const GrammarColumns& rows, WrittenStyle style, std::string& out)
        : rows_(rows), style_(style), out_(out) {}

    Reason write(std::size_t row) {
        if (const Reason reason = check(row); reason != kFine) return reason;
        if (to_moses())
            moses(row);
        else
            labeled(row);
        out_.push_back('\n');
        return kFine;
    }

private:
    bool to_moses() const {
        return style_ == WrittenStyle::moses_rules || style_ == WrittenStyle::moses_phrases;
    }

    std::span<const double> values(std::size_t row) const {
        return rows_.values.subspan(row * rows_.features, rows_.features);
    }

    Reason check(std::size_t row) {
        for (std::size_t i = 0; i < rows_.features; ++i)
            if (std::isnan(values(row)[i]) && rows_.names.row(i).empty()) return kMissing;
        labels_.clear();
        if (!rows_.labels.row(row).empty())
            each_word(rows_.labels.row(row), [&](std::string_view label) { labels_.push_back(label); });
        if (!label_fits(rows_.lhs.row(row)) ||
            !std::all_of(labels_.begin(), labels_.end(), [&](std::string_view l) { return label_fits(l); }))
            return kLabel;
        for (const auto& [side, text] : {std::pair{&source_, rows_.source.row(row)},
                                         std::pair{&target_, rows_.target.row(row)}})
            if (const Reason reason = read(text, *side); reason != kFine) return reason;
        const std::string_view alignment = rows_.alignment.row(row), entailment = rows_.entailment.row(row);
        bool fits = true;
        if (!alignment.empty())
            each_word(alignment, [&](std::string_view link) {
                const std::size_t hyphen = std::min(link.find('-'), link.size());
                fits = fits && read_digits(link.substr(0, hyphen)) && hyphen < link.size() &&
                       read_digits(link.substr(hyphen + 1));
            });
        if (!entailment.empty())
            each_word(entailment, [&](std::string_view word) {
                fits = fits && !word.empty() && word.find(kBars) == word.npos && word.find('\n') == word.npos;
            });
        if (!fits) return kLinks;
        return style_ == WrittenStyle::moses_phrases && !labels_.empty() ? kPhrases : kFine;
    }

    bool label_fits(std::string_view label) const {
        return !label.empty() && !has_blank(label) && label.find(kBars) == label.npos &&
               (style_ != WrittenStyle::moses_rules || label.find("][") == label.npos);
    }

    Reason read(std::string_view text, std::vector<Symbol>& side) {
        side.clear();
        bool fits = true;
        each_word(text, [&](std::string_view token) {
            std::uint32_t index = 0;
            std::string_view one, two;
            if (is_index(token)) {
                if (token.size() < 12) std::from_chars(token.data() + 1, token.data() + token.size() - 1, index);
                side.push_back({{}, index});
                return;
            }
            fits = fits && !token.empty() && !has_blank(token) && token.find(kBars) == token.npos &&
                   !(!to_moses() && is_nonterminal(token, one, index)) &&
                   !(style_ == WrittenStyle::moses_rules && is_moses_nonterminal(token, one, two));
            side.push_back({token, 0});
        });
        if (!fits) return kWord;
        used_.assign(labels_.size(), false);
        std::size_t nonterminals = 0;
        for (const Symbol& symbol : side) {
            if (symbol.word.data() != nullptr) continue;
            if (symbol.index == 0 || symbol.index > labels_.size() || used_[symbol.index - 1]) return kSides;
            used_[symbol.index - 1] = true;
            ++nonterminals;
        }
        return nonterminals == labels_.size() ? kFine : kSides;
    }

    template <class Nonterminal>
    void put(const std::vector<Symbol>& side, Nonterminal nonterminal) {
        for (std::size_t i = 0; i < side.size(); ++i) {
            if (i > 0) out_.push_back(' ');
            if (side[i].index == 0)
                out_.append(side[i].word);
            else
                nonterminal(side[i].index);
        }
    }

    void labeled(std::size_t row) {
        const auto full = [&](std::uint32_t index) {
            out_.append("[").append(labels_[index - 1]).append(",").append(std::to_string(index)).append("]");
        };
        const auto brief = [&](std::uint32_t index) {
            out_.append("[").append(std::to_string(index)).append("]");
        };
        out_.append("[").append(rows_.lhs.row(row)).append("]").append(kBar);
        put(source_, full);
        out_.append(kBar);
        if (style_ == WrittenStyle::hiero)
            put(target_, brief);
        else
            put(target_, full);
        const std::string_view alignment = rows_.alignment.row(row);
        const bool ppdb = style_ == WrittenStyle::ppdb;
        const std::string_view entailment = ppdb ? rows_.entailment.row(row) : std::string_view{};
        std::size_t before = out_.size();
        out_.append(kBar);
        features(row);
        const bool empty = out_.size() == before + kBar.size();
        const bool more = ppdb || !alignment.empty();
        if (empty && !more) out_.resize(before);
        if (more) out_.append(kBar).append(alignment);
        if (!entailment.empty()) out_.append(kBar).append(entailment);
    }

    void moses(std::size_t row) {
        const bool rules = style_ == WrittenStyle::moses_rules;
        const auto pair = [&](std::uint32_t index) { out_.append("[X][").append(labels_[index - 1]).append("]"); };
        put(source_, pair);
        if (rules) out_.append(" [X]");
        out_.append(kBar);
        put(target_, pair);
        if (rules) out_.append(" [").append(rows_.lhs.row(row)).append("]");
        out_.append(kBar);
        features(row);
        out_.append(kBar);
        if (rules)
            links(rows_.alignment.row(row));
        else
            out_.append(rows_.alignment.row(row));
        out_.append(kBar);
        const auto counts = rows_.counts.subspan(row * rows_.counted, rows_.counted);
        if (std::none_of(counts.begin(), counts.end(), [](double count) { return std::isnan(count); }))
            for (const double count : counts) {
                number(count);
                out_.push_back(' ');
            }
        out_.append(kBars);
    }

    // Links of words and of non-terminals, sorted.
    void links(std::string_view alignment) {
        links_.clear();
        if (!alignment.empty())
            each_word(alignment, [&](std::string_view link) {
                const std::size_t hyphen = link.find('-');
                links_.emplace_back(digits(link.substr(0, hyphen)), digits(link.substr(hyphen + 1)));
            });
        for (std::size_t s = 0; s < source_.size(); ++s)
            for (std::size_t t = 0; t < target_.size() && source_[s].index > 0; ++t)
                if (target_[t].index == source_[s].index) links_.emplace_back(std::to_string(s), std::to_string(t));
        const auto less = [](const auto& a, const auto& b) {
            return std::pair{a.first.size(), a.first} != std::pair{b.first.size(), b.first}
                       ? std::pair{a.first.size(), a.first} < std::pair{b.first.size(), b.first}
                       : std::pair{a.second.size(), a.second} < std::pair{b.second.size(), b.second};
        };
        std::sort(links_.begin(), links_.end(), less);
        links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
        for (std::size_t i = 0; i < links_.size(); ++i)
            out_.append(i > 0 ? " " : "").append(links_[i].first).append("-").append(links_[i].second);
    }

    // Digits without leading zeros compare as numbers by length, then as text.
    static std::string digits(std::string_view text) {
        text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
        return std::string(text);
    }

    void features(std::size_t row) {
        const std::span<const double> all = values(row);
        bool first = true;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::isnan(all[i])) continue;
            if (!first) out_.push_back(' ');
            first = false;
            if (!rows_.names.row(i).empty()) out_.append(rows_.names.row(i)).push_back('=');
            number(all[i]);
        }
    }

    void number(double value) {
        std::array<char, 400> text{};
        const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
        out_.append(text.data(), end);
    }

    const GrammarColumns& rows_;
    WrittenStyle style_;
    std::string& out_;
    std::vector<std::string_view> labels_;
    std::vector<Symbol> source_, target_;
    std::vector<bool> used_;
    std::vector<std::pair<std::string, std::string>> links_;
};

}  // namespace

GrammarText format_grammar(const GrammarColumns& rows, WrittenStyle style, std::size_t threads) {
    const std::vector<Range> ranges = split(rows.rows(), threads, kGrain);
    std::vector<GrammarText> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        GrammarText& part = parts[index];
        Line line(rows, style, part.text);
        for (std::size_t row = range.first; row < range.last && part.bad < 0; ++row) {
            part.reason = line.write(row);
            if (part.reason != kFine) part.bad = static_cast<std::int64_t>(row);
        }
    });
    GrammarText all;
    for (GrammarText& part : parts) {
        if (part.bad >= 0) return {{}, part.bad, part.reason};
        all.text += part.text;
    }
    return all;
}

}  // namespace paragauge
