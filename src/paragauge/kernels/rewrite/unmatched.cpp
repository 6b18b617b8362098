#include "rewrite/unmatched.hpp"

#include <stdexcept>
#include <string_view>

#include "base/parallel.hpp"
#include "lexicon/word_sets.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

// Positions of words of `ids` that `other` lacks; with `once`, only the first of equal words.
void positions(std::span<const std::int32_t> ids, const KeyTable& other,
               std::span<const std::uint8_t> words, KeyTable* once, std::vector<std::int64_t>& positions) {
    positions.clear();
    if (once != nullptr) once->reset(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto id = static_cast<std::uint64_t>(ids[i]);
        if (words[id] == 0 || has(other, ids[i])) continue;
        if (once != nullptr) {
            const std::uint32_t known = once->size();
            if (once->insert(id) != known) continue;
        }
        positions.push_back(static_cast<std::int64_t>(i));
    }
}

// Appends the span of each token of a line that starts at byte `base` of the buffer.
void append_spans(std::string_view line, std::int64_t base, std::string_view tokens,
                  std::vector<std::int64_t>& spans) {
    std::size_t at = 0;
    for (std::size_t start = 0; start < tokens.size();) {
        const std::size_t stop = std::min(tokens.find(' ', start), tokens.size());
        const std::string_view token = tokens.substr(start, stop - start);
        const bool quote = token == "``" || token == "''";
        std::size_t length = 0;
        for (; at < line.size(); ++at) {
            if (line.substr(at, token.size()) == token) length = token.size();
            else if (quote && line[at] == '"') length = 1;
            if (length > 0) break;
        }
        if (length == 0) throw std::invalid_argument("tokens must be Penn tokens of their line");
        spans.push_back(base + static_cast<std::int64_t>(at));
        at += length;
        spans.push_back(base + static_cast<std::int64_t>(at));
        start = stop + 1;
    }
}

}  // namespace

std::vector<std::int64_t> unmatched(const IdColumn& references, const IdColumn& candidates,
                                    std::span<const std::uint8_t> words, std::size_t threads) {
    const std::vector<Range> ranges = split(candidates.lines(), threads, kGrain);
    std::vector<std::vector<std::int64_t>> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        KeyTable theirs, ours, once;
        std::vector<std::int64_t> left, right;
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            fill(ours, candidates.line(segment));
            const std::size_t stop = references.first_line(segment + 1);
            for (std::size_t line = references.first_line(segment); line < stop; ++line) {
                positions(references.line(line), ours, words, nullptr, left);
                if (left.empty()) continue;
                fill(theirs, references.line(line));
                positions(candidates.line(segment), theirs, words, &once, right);
                for (const std::int64_t position : left)
                    for (const std::int64_t other : right)
                        parts[index].insert(parts[index].end(),
                                            {static_cast<std::int64_t>(line), position, other});
            }
        }
    });
    return one_after_another(parts);
}

std::vector<std::int64_t> token_spans(const TextColumn& lines, const TextColumn& tokens,
                                      std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<std::vector<std::int64_t>> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i)
            append_spans(lines.line(i), lines.spans[2 * i], tokens.line(i), parts[index]);
    });
    return one_after_another(parts);
}

}  // namespace paragauge
