#include "phrases/occurrences.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 256;
constexpr double kLargest = 1e250;     // of a sum of terms before it is scaled down
constexpr double kNegligible = 1e-17;  // share of the sum below which falling terms do not count

std::size_t words_of(std::string_view phrase) {
    return 1 + static_cast<std::size_t>(std::count(phrase.begin(), phrase.end(), ' '));
}

// How many sentences two ascending lists share: each of the shorter one is looked up in the longer one.
std::int64_t count_common(std::span<const std::uint32_t> few, std::span<const std::uint32_t> many) {
    if (few.size() > many.size()) std::swap(few, many);
    std::int64_t common = 0;
    auto from = many.begin();
    for (const std::uint32_t sentence : few) {
        // Steps that double until they pass the sentence, then a binary search in the last step.
        std::ptrdiff_t step = 1;
        while (step < many.end() - from && from[step] < sentence) step *= 2;
        from = std::lower_bound(from, from + std::min(step + 1, many.end() - from), sentence);
        if (from == many.end()) break;
        common += *from == sentence;
    }
    return common;
}

}  // namespace

PhraseOccurrences::PhraseOccurrences(const TextColumn& lines, const TextRows& phrases)
    : text_(phrases.text), sentences_(lines.lines()) {
    std::size_t longest = 0;
    numbers_.reserve(phrases.size());
    for (std::size_t i = 0; i < phrases.size(); ++i) {
        const std::string_view row = phrases.row(i);
        const std::string_view phrase(text_.data() + (row.data() - phrases.text.data()), row.size());
        numbers_.try_emplace(phrase, static_cast<std::uint32_t>(numbers_.size()));
        longest = std::max(longest, words_of(phrase));
    }
    lists_.resize(numbers_.size());
    std::vector<std::size_t> starts;
    for (std::size_t number = 0; number < sentences_; ++number) {
        const std::string_view line = lines.line(number);
        if (line.empty()) continue;
        starts.assign(1, 0);
        for (std::size_t i = 0; i < line.size(); ++i)
            if (line[i] == ' ') starts.push_back(i + 1);
        starts.push_back(line.size() + 1);
        for (std::size_t first = 0; first + 1 < starts.size(); ++first) {
            const std::size_t stop = std::min(starts.size() - 1, first + longest);
            for (std::size_t last = first + 1; last <= stop; ++last) {
                const auto place = numbers_.find(line.substr(starts[first], starts[last] - 1 - starts[first]));
                if (place == numbers_.end()) continue;
                std::vector<std::uint32_t>& list = lists_[place->second];
                if (list.empty() || list.back() != number) list.push_back(static_cast<std::uint32_t>(number));
            }
        }
    }
}

std::span<const std::uint32_t> PhraseOccurrences::of(std::string_view phrase) const {
    const auto place = numbers_.find(phrase);
    if (place == numbers_.end()) throw std::invalid_argument("unknown phrase");
    return lists_[place->second];
}

std::vector<std::int64_t> count_phrase_pairs(const PhraseOccurrences& source,
                                              const PhraseOccurrences& target, const TextRows& sources,
                                              const TextRows& targets, std::size_t threads) {
    std::vector<std::int64_t> counts(3 * sources.size());
    run_parallel(split(sources.size(), threads, kGrain), [&](std::size_t, Range range) {
        for (std::size_t row = range.first; row < range.last; ++row) {
            const auto left = source.of(sources.row(row)), right = target.of(targets.row(row));
            counts[3 * row] = static_cast<std::int64_t>(left.size());
            counts[3 * row + 1] = static_cast<std::int64_t>(right.size());
            counts[3 * row + 2] = count_common(left, right);
        }
    });
    return counts;
}

double significance(std::int64_t both, std::int64_t source, std::int64_t target, std::int64_t sentences) {
    const auto log_factorial = [](std::int64_t n) { return std::lgamma(static_cast<double>(n) + 1); };
    const std::int64_t most = std::min(source, target), least = std::max<std::int64_t>(0, source + target - sentences);
    if (both <= least) return 0;
    const double first = log_factorial(source) + log_factorial(sentences - source) + log_factorial(target) +
                         log_factorial(sentences - target) - log_factorial(sentences) - log_factorial(both) -
                         log_factorial(source - both) - log_factorial(target - both) -
                         log_factorial(sentences - source - target + both);
    // Terms relative to the first one.
    double term = 1, sum = 1, scale = 0;
    for (std::int64_t k = both; k < most; ++k) {
        const double ratio = static_cast<double>(source - k) / static_cast<double>(k + 1) *
                             (static_cast<double>(target - k) /
                              static_cast<double>(sentences - source - target + k + 1));
        term *= ratio;
        sum += term;
        if (ratio < 1 && term < kNegligible * sum) break;
        if (sum > kLargest) {
            scale += std::log(kLargest);
            term /= kLargest;
            sum /= kLargest;
        }
    }
    return std::max(0.0, -(first + scale + std::log(sum)));
}

}  // namespace paragauge
