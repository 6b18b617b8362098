// Parses and checks one line of a grammar. See grammar_line.py.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "grammar/grammar_text.hpp"

namespace paragauge::grammar_line {

inline constexpr std::size_t kFields = 6;
inline constexpr std::size_t kMostNonterminals = 99;
inline constexpr std::size_t kMostFeatures = 999;
inline constexpr double kMostExact = 9007199254740992.0;
inline constexpr std::array<std::string_view, 3> kCounts{"target_count", "source_count", "joint_count"};

using Words = std::vector<std::string_view>;

inline bool is_digit(char c) { return '0' <= c && c <= '9'; }
inline constexpr std::array<bool, 256> kBlank = [] {
    std::array<bool, 256> blank{};
    for (const char c : {' ', '\t', '\r', '\v', '\f'}) blank[static_cast<unsigned char>(c)] = true;
    return blank;
}();

// A finite decimal number as programs print it: no inf or nan, no hexadecimal.
inline bool read_number(std::string_view text, double& value) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || !(is_digit(text.front()) || (text.size() > 1 && text.front() == '.' && is_digit(text[1]))))
        return false;
    const char* const stop = text.data() + text.size();
    const auto [end, error] = read_decimal(text.data(), stop, value);
    if (end != stop) return false;
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
    if (negative) value = -value;
    return std::isfinite(value);
}

inline std::int64_t whole(double value) {
    return 0 <= value && value <= kMostExact && value == std::floor(value) ? static_cast<std::int64_t>(value) : -1;
}

inline bool read_position(std::string_view text, std::size_t limit, std::size_t& position) {
    if (text.empty() || !is_digit(text.front())) return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
    return error == std::errc{} && end == text.data() + text.size() && position < limit;
}

inline bool read_label(std::string_view token, std::string_view& label) {
    if (token.size() < 3 || token.front() != '[' || token.back() != ']') return false;
    label = token.substr(1, token.size() - 2);
    return true;
}

// The one of two labels that is not Moses' own X.
inline bool one_label(std::string_view source, std::string_view target, std::string_view& label) {
    label = source == "X" ? target : source;
    return source == target || source == "X" || target == "X";
}

struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// Numbers names in order of first appearance; most lines have the same names as the line before.
class Names {
public:
    std::int32_t number(std::string_view name) {
        if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
        const auto id = static_cast<std::int32_t>(numbers_.size());
        numbers_.emplace(name, id);
        order_.emplace_back(name);
        return id;
    }
    const std::vector<std::string>& order() const { return order_; }

private:
    std::unordered_map<std::string, std::int32_t, StringHash, std::equal_to<>> numbers_;
    std::vector<std::string> order_;
};

struct Part {
    GrammarRows rows;
    Names names;
};

class Parser {
public:
    Parser(Part& part, GrammarStyle style) : rows_(part.rows), names_(part.names), style_(style) {}

    bool line(std::string_view text) {
        std::size_t fields = 0;
        if (!split(text, fields)) return false;
        labels_.clear();
        source_.clear();
        target_.clear();
        seen_.clear();
        values_.clear();
        kept_.clear();
        count_ = -1;
        if (style_ == GrammarStyle::labeled ? !labeled(fields) : !moses(fields)) return false;
        keep();
        return true;
    }

private:
    // Words of the first fields, and the number of all fields; false if bars lack spaces around them.
    bool split(std::string_view text, std::size_t& fields) {
        for (Words& words : fields_) words.clear();
        std::size_t field = 0;
        const char* at = text.data();
        const char* const stop = at + text.size();
        while (at < stop) {
            const char* end = at;
            while (end < stop && !kBlank[static_cast<unsigned char>(*end)]) ++end;
            const std::string_view word(at, static_cast<std::size_t>(end - at));
            if (word.size() == 3 && word == "|||")
                ++field;
            else if (word.find("|||") != word.npos)
                return false;
            else if (!word.empty() && field < kFields)
                fields_[field].push_back(word);
            at = end + 1;
        }
        fields = field + 1;
        return true;
    }

    bool labeled(std::size_t fields) {
        if (fields < 3 || fields > kFields || fields_[0].size() != 1 || !read_label(fields_[0][0], lhs_))
            return false;
        if (fields_[1].empty() || fields_[2].empty()) return false;
        indices_.clear();
        std::string_view label;
        std::uint32_t index = 0;
        for (const std::string_view token : fields_[1]) {
            if (!is_nonterminal(token, label, index)) {
                if (is_index(token)) return false;
                add(source_, token);
                continue;
            }
            if (indices_.size() == kMostNonterminals ||
                std::find(indices_.begin(), indices_.end(), index) != indices_.end())
                return false;
            indices_.push_back(index);
            labels_.push_back(label);
            add(source_, indices_.size());
        }
        used_.assign(indices_.size(), false);
        for (const std::string_view token : fields_[2]) {
            const bool named = is_nonterminal(token, label, index);
            if (!named && !is_index(token)) {
                add(target_, token);
                continue;
            }
            if (!named && !small_index(token, index)) return false;
            const auto match = std::find(indices_.begin(), indices_.end(), index);
            const auto place = static_cast<std::size_t>(match - indices_.begin());
            if (match == indices_.end() || used_[place] || (named && label != labels_[place])) return false;
            used_[place] = true;
            add(target_, place + 1);
        }
        if (std::find(used_.begin(), used_.end(), false) != used_.end()) return false;
        std::size_t from = 0, to = 0;
        for (const std::string_view link : fields_[4]) {
            if (!read_link(link, fields_[1].size(), fields_[2].size(), from, to)) return false;
            kept_.push_back(link);
        }
        return read_features();
    }

    bool read_features() {
        if (fields_[3].size() > kMostFeatures) return false;
        std::size_t position = 0;
        bool as_before = true;  // the names so far match the line before
        for (const std::string_view token : fields_[3]) {
            const std::size_t equals = token.rfind('=');
            const bool named = equals != token.npos;
            const std::string_view name = named ? token.substr(0, equals) : number_name(position++);
            const std::string_view text = named ? token.substr(equals + 1) : token;
            if (name.empty()) return false;
            as_before = as_before && seen_.size() < last_.size() && last_[seen_.size()] == name;
            if (!as_before && std::find(seen_.begin(), seen_.end(), name) != seen_.end()) return false;
            seen_.push_back(name);
            if (named && text == "NA") continue;
            double value = 0;
            if (!read_number(text, value)) return false;
            if (name != "count")
                values_.emplace_back(name, value);
            else if ((count_ = whole(value)) < 0)
                return false;
        }
        std::swap(last_, seen_);
        return true;
    }

    bool moses(std::size_t fields) {
        if (fields < 3 || fields_[2].size() > kMostFeatures) return false;
        Words &source = fields_[0], &target = fields_[1];
        if (source.empty() || target.empty()) return false;
        const bool rules = style_ == GrammarStyle::moses_rules;
        lhs_ = "X";
        if (rules) {
            std::string_view left, right;
            for (const auto& [side, label] : {std::pair{&source, &left}, std::pair{&target, &right}}) {
                if (!read_label(side->back(), *label) || side->back().find("][") != std::string_view::npos)
                    return false;
                side->pop_back();
            }
            if (!one_label(left, right, lhs_) || source.empty() || target.empty()) return false;
        }
        links_.clear();
        for (const std::string_view link : fields_[3]) {
            std::size_t from = 0, to = 0;
            if (!read_link(link, source.size(), target.size(), from, to)) return false;
            links_.emplace_back(from, to);
        }
        if (!(rules ? pair_nonterminals() : words_only())) return false;
        for (std::size_t i = 0; i < fields_[2].size(); ++i) {
            double value = 0;
            if (!read_number(fields_[2][i], value)) return false;
            values_.emplace_back(number_name(i), value);
        }
        const Words& counts = fields_[4];
        if (!counts.empty() && counts.size() != 2 && counts.size() != 3) return false;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            double value = 0;
            if (!read_number(counts[i], value)) return false;
            values_.emplace_back(kCounts[i], value);
            if (i == 2) count_ = whole(value);
        }
        fields_[5].clear();  // sparse features, no entailment
        return true;
    }

    bool words_only() {
        for (const auto& [field, side] : {std::pair{0, &source_}, std::pair{1, &target_}})
            for (const std::string_view token : fields_[static_cast<std::size_t>(field)]) {
                if (is_index(token)) return false;
                add(*side, token);
            }
        kept_ = fields_[3];
        return true;
    }

    // Numbers the non-terminals of Moses' rules by their links, and keeps the other links.
    bool pair_nonterminals() {
        const Words &source = fields_[0], &target = fields_[1];
        numbers_.assign(target.size(), 0);
        std::string_view left, right;
        for (std::size_t place = 0; place < source.size(); ++place) {
            if (!is_moses_nonterminal(source[place], left, right)) {
                if (is_index(source[place])) return false;
                add(source_, source[place]);
                continue;
            }
            if (labels_.size() == kMostNonterminals) return false;
            std::size_t linked = target.size();
            for (const auto& [from, to] : links_) {
                if (from != place) continue;
                if (linked != target.size() && linked != to) return false;
                linked = to;
            }
            if (linked == target.size() || target[linked] != source[place] || numbers_[linked] != 0) return false;
            std::string_view label;
            if (!one_label(left, right, label)) return false;
            labels_.push_back(label);
            numbers_[linked] = labels_.size();
            add(source_, labels_.size());
        }
        for (std::size_t place = 0; place < target.size(); ++place) {
            if (!is_moses_nonterminal(target[place], left, right)) {
                if (is_index(target[place])) return false;
                add(target_, target[place]);
                continue;
            }
            if (numbers_[place] == 0) return false;
            std::size_t from = source.size();
            for (const auto& [s, t] : links_) {
                if (t != place) continue;
                if (from != source.size() && from != s) return false;
                from = s;
            }
            add(target_, numbers_[place]);
        }
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (numbers_[links_[i].second] == 0) kept_.push_back(fields_[3][i]);
        return true;
    }

    bool read_link(std::string_view link, std::size_t sources, std::size_t targets, std::size_t& from,
                   std::size_t& to) {
        const std::size_t hyphen = link.find('-');
        return hyphen != link.npos && read_position(link.substr(0, hyphen), sources, from) &&
               read_position(link.substr(hyphen + 1), targets, to);
    }

    static bool small_index(std::string_view token, std::uint32_t& index) {
        const char* const last = token.data() + token.size() - 1;
        const auto [end, error] = std::from_chars(token.data() + 1, last, index);
        return error == std::errc{} && end == last;
    }

    static void add(std::string& side, std::string_view word) {
        if (!side.empty()) side.push_back(' ');
        side.append(word);
    }
    static void add(std::string& side, std::size_t number) {
        add(side, "[");
        side.append(std::to_string(number)).push_back(']');
    }

    std::string_view number_name(std::size_t position) {
        while (positions_.size() <= position) positions_.push_back(std::to_string(positions_.size()));
        return positions_[position];
    }

    static void put(Joined& column, std::string_view text) {
        column.text.append(text);
        column.offsets.push_back(static_cast<std::int64_t>(column.text.size()));
    }
    static void put(Joined& column, const Words& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (i > 0) column.text.push_back(' ');
            column.text.append(words[i]);
        }
        column.offsets.push_back(static_cast<std::int64_t>(column.text.size()));
    }

    void keep() {
        put(rows_.lhs, lhs_);
        put(rows_.labels, labels_);
        put(rows_.source, source_);
        put(rows_.target, target_);
        put(rows_.alignment, kept_);
        put(rows_.entailment, fields_[5]);
        const std::size_t first = style_ == GrammarStyle::labeled ? 1 : 0;
        for (const std::size_t field : {first, first + 1})
            rows_.words.push_back(static_cast<std::int32_t>(fields_[field].size() - labels_.size()));
        rows_.counts.push_back(count_);
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const auto& [name, value] = values_[i];
            if (i == layout_.size()) layout_.emplace_back("", -1);
            if (layout_[i].second < 0 || layout_[i].first != name) layout_[i] = {std::string(name), names_.number(name)};
            rows_.features.push_back(layout_[i].second);
            rows_.values.push_back(value);
        }
        rows_.offsets.push_back(static_cast<std::int64_t>(rows_.values.size()));
    }

    GrammarRows& rows_;
    Names& names_;
    GrammarStyle style_;
    std::array<Words, kFields> fields_;
    std::string_view lhs_;
    Words labels_, kept_, seen_, last_;
    std::string source_, target_;
    std::vector<std::uint32_t> indices_;
    std::vector<bool> used_;
    std::vector<std::size_t> numbers_;
    std::vector<std::pair<std::size_t, std::size_t>> links_;
    std::vector<std::pair<std::string_view, double>> values_;
    std::vector<std::pair<std::string, std::int32_t>> layout_;  // names of the line before, numbered
    std::deque<std::string> positions_;
    std::int64_t count_ = -1;
};

}  // namespace paragauge::grammar_line
