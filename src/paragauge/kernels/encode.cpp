#include "encode.hpp"

#include "parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

template <class T>
void append(std::vector<T>& target, const std::vector<T>& part) {
    target.insert(target.end(), part.begin(), part.end());
}

// Concatenates what the threads made, in order; part.offsets holds the end of each line.
Encoded gather(std::vector<Encoded>& parts) {
    Encoded whole;
    whole.offsets.push_back(0);
    for (Encoded& part : parts) {
        const auto base = static_cast<std::int64_t>(whole.ids.size());
        for (const std::int64_t end : part.offsets) whole.offsets.push_back(base + end);
        append(whole.ids, part.ids);
        part = Encoded{};
    }
    return whole;
}

}  // namespace

std::vector<Encoded> encode_segments(std::span<const TextColumn> columns, Scheme scheme,
                                     std::size_t threads) {
    const std::size_t segments = columns.empty() ? 0 : columns.front().segments();
    const std::vector<Range> ranges = split(segments, threads, kGrain);
    std::vector<std::vector<Encoded>> parts(columns.size(), std::vector<Encoded>(ranges.size()));
    run_parallel(ranges, [&](std::size_t index, Range range) {
        StringTable table;
        Tokens tokens;
        // Tokens of a rewritten line live in its scratch string until the segment is done.
        std::deque<std::string> scratches;
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            table.reset();
            std::size_t used = 0;
            for (std::size_t c = 0; c < columns.size(); ++c) {
                Encoded& part = parts[c][index];
                const std::size_t stop = columns[c].first_line(segment + 1);
                for (std::size_t line = columns[c].first_line(segment); line < stop; ++line) {
                    if (used == scratches.size()) scratches.emplace_back();
                    std::string& scratch = scratches[used];
                    scratch.clear();
                    tokenise(scheme, columns[c].line(line), scratch, tokens);
                    if (!scratch.empty()) ++used;
                    bool fresh = false;
                    for (const std::string_view token : tokens)
                        part.ids.push_back(static_cast<std::int32_t>(table.insert(token, fresh)));
                    part.offsets.push_back(static_cast<std::int64_t>(part.ids.size()));
                }
            }
        }
    });
    std::vector<Encoded> result;
    result.reserve(columns.size());
    for (std::vector<Encoded>& column : parts) result.push_back(gather(column));
    return result;
}

Joined tokenise_lines(const TextColumn& lines, Scheme scheme, std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Joined> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Joined& part = parts[index];
        Tokens tokens;
        std::string scratch;
        for (std::size_t line = range.first; line < range.last; ++line) {
            tokenise(scheme, lines.line(line), scratch, tokens);
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                if (i > 0) part.text.push_back(' ');
                part.text.append(tokens[i]);
            }
            part.offsets.push_back(static_cast<std::int64_t>(part.text.size()));
        }
    });
    Joined whole{{}, {0}};
    for (const Joined& part : parts) {
        const auto base = static_cast<std::int64_t>(whole.text.size());
        for (const std::int64_t end : part.offsets) whole.offsets.push_back(base + end);
        whole.text += part.text;
    }
    return whole;
}

std::int32_t Vocabulary::add(std::string_view token) {
    bool fresh = false;
    const std::uint32_t id = table_.insert(token, fresh);
    if (fresh) {
        texts_.emplace_back(token);
        table_.repoint(id, texts_.back());
    }
    return static_cast<std::int32_t>(id);
}

std::int32_t Vocabulary::find(std::string_view token) const {
    const std::uint32_t id = table_.find(token);
    return id == KeyTable::kAbsent ? kUnknown : static_cast<std::int32_t>(id);
}

Encoded Vocabulary::encode(const TextColumn& lines, Scheme scheme, bool grow, std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Encoded> parts(ranges.size());
    std::vector<Vocabulary> locals(ranges.size());
    // Each thread numbers its own lines, then the local numberings are merged in reading order:
    // the result is that of one thread reading everything.
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Encoded& part = parts[index];
        Tokens tokens;
        std::string scratch;
        for (std::size_t line = range.first; line < range.last; ++line) {
            tokenise(scheme, lines.line(line), scratch, tokens);
            for (const std::string_view token : tokens) part.ids.push_back(locals[index].add(token));
            part.offsets.push_back(static_cast<std::int64_t>(part.ids.size()));
        }
    });
    std::vector<std::vector<std::int32_t>> global(ranges.size());
    for (std::size_t index = 0; index < ranges.size(); ++index)
        for (const std::string_view token : locals[index].table_.texts())
            global[index].push_back(grow ? add(token) : find(token));
    run_parallel(ranges, [&](std::size_t index, Range) {
        for (std::int32_t& id : parts[index].ids) id = global[index][static_cast<std::size_t>(id)];
    });
    return gather(parts);
}

}  // namespace paragauge
