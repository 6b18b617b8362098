#include "grammar/grammar_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/parallel.hpp"
#include "grammar/grammar_line.hpp"

namespace paragauge {

namespace {

using grammar_line::is_digit;
using grammar_line::Names;
using grammar_line::Parser;
using grammar_line::Part;
using grammar_line::read_label;

constexpr std::size_t kGrain = 512;

Joined joined(std::vector<Part>& parts, Joined GrammarRows::* column) {
    std::vector<Joined> pieces;
    pieces.reserve(parts.size());
    for (Part& part : parts) pieces.push_back(std::move(part.rows.*column));
    return one_after_another(pieces);
}

template <class T>
std::vector<T> joined(const std::vector<Part>& parts, std::vector<T> GrammarRows::* column) {
    std::vector<T> all;
    for (const Part& part : parts)
        all.insert(all.end(), (part.rows.*column).begin(), (part.rows.*column).end());
    return all;
}

}  // namespace

bool is_index(std::string_view token) {
    std::string_view label;
    return read_label(token, label) && std::all_of(label.begin(), label.end(), is_digit);
}

bool is_nonterminal(std::string_view token, std::string_view& label, std::uint32_t& index) {
    std::string_view inner;
    if (!read_label(token, inner)) return false;
    const std::size_t comma = inner.rfind(',');
    if (comma == inner.npos || comma == 0) return false;
    const std::string_view digits = inner.substr(comma + 1);
    if (digits.empty() || digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), is_digit)) return false;
    label = inner.substr(0, comma);
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
    return true;
}

bool is_moses_nonterminal(std::string_view token, std::string_view& source, std::string_view& target) {
    std::string_view inner;
    if (!read_label(token, inner)) return false;
    const std::size_t middle = inner.find("][");
    if (middle == inner.npos || middle == 0 || middle + 2 == inner.size()) return false;
    source = inner.substr(0, middle);
    target = inner.substr(middle + 2);
    return true;
}

GrammarRows parse_grammar(const TextColumn& lines, GrammarStyle style, std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Part> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Parser parser(parts[index], style);
        for (std::size_t i = range.first; i < range.last; ++i)
            if (!parser.line(lines.line(i))) parts[index].rows.bad.push_back(static_cast<std::int64_t>(i));
    });
    GrammarRows all;
    Names names;
    all.offsets.push_back(0);
    all.names.offsets.push_back(0);
    for (Part& part : parts) {
        std::vector<std::int32_t> numbers;
        for (const std::string& name : part.names.order()) numbers.push_back(names.number(name));
        for (const std::int32_t feature : part.rows.features)
            all.features.push_back(numbers[static_cast<std::size_t>(feature)]);
        const auto base = static_cast<std::int64_t>(all.values.size());
        for (const std::int64_t end : part.rows.offsets) all.offsets.push_back(base + end);
        all.values.insert(all.values.end(), part.rows.values.begin(), part.rows.values.end());
    }
    for (const std::string& name : names.order()) {
        all.names.text += name;
        all.names.offsets.push_back(static_cast<std::int64_t>(all.names.text.size()));
    }
    all.lhs = joined(parts, &GrammarRows::lhs);
    all.labels = joined(parts, &GrammarRows::labels);
    all.source = joined(parts, &GrammarRows::source);
    all.target = joined(parts, &GrammarRows::target);
    all.alignment = joined(parts, &GrammarRows::alignment);
    all.entailment = joined(parts, &GrammarRows::entailment);
    all.words = joined(parts, &GrammarRows::words);
    all.counts = joined(parts, &GrammarRows::counts);
    all.bad = joined(parts, &GrammarRows::bad);
    return all;
}

}  // namespace paragauge
