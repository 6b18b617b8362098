#include "lm/arpa.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/decimal.hpp"
#include "base/parallel.hpp"

namespace paragauge {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool parse_number(std::string_view text, float& value) {
    double wide = 0;
    const auto [end, error] = read_decimal(text.data(), text.data() + text.size(), wide);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    if (!(std::abs(wide) <= std::numeric_limits<float>::max())) return false;  // also rejects NaN
    value = static_cast<float>(wide);
    return true;
}

}  // namespace

ArpaNgrams parse_arpa(const TextColumn& lines, std::size_t order, Vocabulary& vocabulary) {
    ArpaNgrams ngrams;
    std::vector<std::string_view> fields;
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        const auto fault = [&](ArpaFault kind) {
            ngrams.fault = kind;
            ngrams.at = line;
            return ngrams;
        };
        fields.clear();
        const std::string_view text = lines.line(line);
        for (std::size_t at = 0; at < text.size();) {
            std::size_t stop = at;
            while (stop < text.size() && !is_blank(text[stop])) ++stop;
            if (stop > at) fields.push_back(text.substr(at, stop - at));
            at = stop + 1;
        }
        if (fields.size() < order + 1 || fields.size() > order + 2) return fault(ArpaFault::fields);
        float probability = 0, backoff = 0;
        if (!parse_number(fields[0], probability)) return fault(ArpaFault::number);
        if (fields.size() == order + 2 && !parse_number(fields.back(), backoff))
            return fault(ArpaFault::number);
        if (probability > 0) return fault(ArpaFault::probability);
        for (std::size_t i = 1; i <= order; ++i) {
            std::int32_t word = vocabulary.find(fields[i]);
            if (order == 1 && word != Vocabulary::kUnknown) return fault(ArpaFault::twice);
            if (order == 1) word = vocabulary.add(fields[i]);
            if (word == Vocabulary::kUnknown) return fault(ArpaFault::word);
            ngrams.words.push_back(word);
        }
        ngrams.probabilities.push_back(probability);
        ngrams.backoffs.push_back(backoff);
    }
    return ngrams;
}

std::vector<std::string> format_arpa(std::span<const std::int32_t> words, std::size_t order,
                                     std::span<const float> probabilities,
                                     std::span<const float> backoffs, bool highest,
                                     const Vocabulary& vocabulary, std::size_t threads) {
    const std::vector<const std::string*> texts = vocabulary.tokens();
    const std::vector<Range> ranges = split(probabilities.size(), threads, 1024);
    std::vector<std::string> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        std::string& out = parts[index];
        out.reserve((range.last - range.first) * (16 + 8 * order));
        const auto number = [&out](float value) {
            char digits[64];
            const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
            out.append(digits, end);
        };
        for (std::size_t i = range.first; i < range.last; ++i) {
            number(probabilities[i]);
            for (std::size_t k = 0; k < order; ++k) {
                out.push_back(k == 0 ? '\t' : ' ');
                out += *texts[static_cast<std::size_t>(words[i * order + k])];
            }
            if (!highest) {
                out.push_back('\t');
                number(backoffs[i]);
            }
            out.push_back('\n');
        }
    });
    return parts;
}

}  // namespace paragauge
