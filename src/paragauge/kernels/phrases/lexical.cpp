#include "phrases/lexical.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 1024;

std::uint64_t key_of(std::uint32_t source, std::uint32_t target) {
    return std::uint64_t{source} << 32 | target;
}

[[noreturn]] void refuse(std::size_t row, const char* problem) {
    throw std::invalid_argument("row " + std::to_string(row) + ": " + problem);
}

// A placeholder for non-terminals, which have no probability.
constexpr std::uint32_t kNonterminal = KeyTable::kAbsent - 1;

bool is_nonterminal(std::string_view word) {
    if (word.size() < 3 || word.front() != '[' || word.back() != ']') return false;
    const std::string_view number = word.substr(1, word.size() - 2);
    return std::ranges::all_of(number, [](char c) { return '0' <= c && c <= '9'; });
}

void split_words(std::string_view phrase, const StringTable& known, bool rules,
                 std::vector<std::uint32_t>& words) {
    words.clear();
    while (!phrase.empty()) {
        const std::size_t space = std::min(phrase.find(' '), phrase.size());
        const std::string_view word = phrase.substr(0, space);
        if (space > 0) words.push_back(rules && is_nonterminal(word) ? kNonterminal : known.find(word));
        phrase.remove_prefix(std::min(space + 1, phrase.size()));
    }
}

// Reads and removes the number at the start of `text`; false if there is none.
bool take_number(std::string_view& text, std::size_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

void read_links(std::size_t row, std::string_view text,
                std::vector<std::pair<std::size_t, std::size_t>>& links) {
    links.clear();
    while (!text.empty()) {
        std::size_t s = 0, t = 0;
        bool good = take_number(text, s) && text.starts_with('-');
        if (good) text.remove_prefix(1);
        good = good && take_number(text, t) && (text.empty() || (text.size() > 1 && text.front() == ' '));
        if (!good) refuse(row, "expected links such as 0-0 1-2");
        if (!text.empty()) text.remove_prefix(1);
        links.emplace_back(s, t);
    }
}

}  // namespace

struct LexicalTable::Scratch {
    // The sum over a word's links, and their number.
    struct Sum {
        double total = 0;
        std::size_t links = 0;
    };
    std::vector<std::uint32_t> source, target;
    std::vector<Sum> source_sums, target_sums;
    std::vector<std::pair<std::size_t, std::size_t>> links;
};

LexicalTable::LexicalTable(const TextRows& sources, const TextRows& targets,
                           std::span<const double> p_target, std::span<const double> p_source)
    : source_text_(sources.text),
      target_text_(targets.text),
      p_target_(p_target.begin(), p_target.end()),
      p_source_(p_source.begin(), p_source.end()) {
    source_words_.reset();
    target_words_.reset();
    pairs_.reset(p_target.size());
    const TextRows own_sources{source_text_, sources.offsets}, own_targets{target_text_, targets.offsets};
    const char* const source_end = source_text_.data() + source_text_.size();
    const char* const target_end = target_text_.data() + target_text_.size();
    bool fresh = false;
    for (std::size_t i = 0; i < p_target.size(); ++i) {
        const std::uint32_t source = source_words_.insert(own_sources.row(i), source_end, fresh);
        const std::uint32_t target = target_words_.insert(own_targets.row(i), target_end, fresh);
        if (pairs_.insert(key_of(source, target)) != i) refuse(i, "a pair of words stands twice");
    }
}

std::uint32_t LexicalTable::entry(std::uint32_t source, std::uint32_t target) const {
    if (source >= kNonterminal || target >= kNonterminal) return KeyTable::kAbsent;
    return pairs_.find(key_of(source, target));
}

void LexicalTable::weigh(std::size_t row, const TextRows& sources, const TextRows& targets,
                         const TextRows& alignments, bool rules, Scratch& scratch, double* result) const {
    split_words(sources.row(row), source_words_, rules, scratch.source);
    split_words(targets.row(row), target_words_, rules, scratch.target);
    scratch.source_sums.assign(scratch.source.size(), {});
    scratch.target_sums.assign(scratch.target.size(), {});
    read_links(row, alignments.row(row), scratch.links);
    for (const auto& [s, t] : scratch.links) {
        if (s >= scratch.source.size() || t >= scratch.target.size())
            refuse(row, "a link leaves its phrase");
        const std::uint32_t pair = entry(scratch.source[s], scratch.target[t]);
        if (pair == KeyTable::kAbsent) refuse(row, "linked words without a translation probability");
        scratch.target_sums[t].total += p_target_[pair];
        ++scratch.target_sums[t].links;
        scratch.source_sums[s].total += p_source_[pair];
        ++scratch.source_sums[s].links;
    }
    const std::uint32_t no_source = source_words_.find(""), no_target = target_words_.find("");
    double target_weight = 1, source_weight = 1;
    for (std::size_t t = 0; t < scratch.target.size(); ++t) {
        if (scratch.target[t] == kNonterminal) continue;
        const auto& [total, links] = scratch.target_sums[t];
        const std::uint32_t lone = links > 0 ? 0 : entry(no_source, scratch.target[t]);
        if (lone == KeyTable::kAbsent) refuse(row, "an unaligned word without a probability");
        target_weight *= links > 0 ? total / static_cast<double>(links) : p_target_[lone];
    }
    for (std::size_t s = 0; s < scratch.source.size(); ++s) {
        if (scratch.source[s] == kNonterminal) continue;
        const auto& [total, links] = scratch.source_sums[s];
        const std::uint32_t lone = links > 0 ? 0 : entry(scratch.source[s], no_target);
        if (lone == KeyTable::kAbsent) refuse(row, "an unaligned word without a probability");
        source_weight *= links > 0 ? total / static_cast<double>(links) : p_source_[lone];
    }
    result[0] = target_weight;
    result[sources.size()] = source_weight;
}

std::vector<double> LexicalTable::weights(const TextRows& sources, const TextRows& targets,
                                          const TextRows& alignments, bool rules, std::size_t threads) const {
    std::vector<double> result(2 * sources.size());
    run_parallel(split(sources.size(), threads, kGrain), [&](std::size_t, Range range) {
        Scratch scratch;
        for (std::size_t row = range.first; row < range.last; ++row)
            weigh(row, sources, targets, alignments, rules, scratch, &result[row]);
    });
    return result;
}

}  // namespace paragauge
