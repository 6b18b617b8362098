#include "text/encode.hpp"

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

// English has a token every five or six bytes; a guess that is too small only costs time.
constexpr std::size_t kBytesPerToken = 5;

// Reserves room for the tokens of the lines `first` to `last`.
void prepare(Encoded& part, const TextColumn& column, std::size_t first, std::size_t last) {
    part.offsets.reserve(last - first + 1);
    part.offsets.push_back(0);
    std::size_t bytes = 0;
    for (std::size_t line = first; line < last; ++line) bytes += column.line(line).size();
    part.ids.reserve(bytes / kBytesPerToken);
}

// Concatenates the results of the threads.
Encoded gather(std::vector<Encoded>& parts) {
    Encoded whole = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto base = static_cast<std::int64_t>(whole.ids.size());
        for (std::size_t line = 1; line < parts[i].offsets.size(); ++line)
            whole.offsets.push_back(base + parts[i].offsets[line]);
        whole.ids.insert(whole.ids.end(), parts[i].ids.begin(), parts[i].ids.end());
        parts[i] = Encoded{};
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
        SegmentEncoder encoder;
        for (std::size_t c = 0; c < columns.size(); ++c)
            prepare(parts[c][index], columns[c], columns[c].first_line(range.first),
                    columns[c].first_line(range.last));
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            encoder.start();
            for (std::size_t c = 0; c < columns.size(); ++c) {
                Encoded& part = parts[c][index];
                const std::size_t stop = columns[c].first_line(segment + 1);
                for (std::size_t line = columns[c].first_line(segment); line < stop; ++line) {
                    encoder.add(scheme, columns[c].line(line), columns[c].data + columns[c].size, part.ids);
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

Joined tokenize_lines(const TextColumn& lines, Scheme scheme, std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Joined> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Joined& part = parts[index];
        Tokens tokens;
        std::string scratch;
        for (std::size_t line = range.first; line < range.last; ++line) {
            tokenize(scheme, lines.line(line), scratch, tokens);
            for (const std::string_view& token : tokens) {
                if (&token != tokens.begin()) part.text.push_back(' ');
                part.text.append(token);
            }
            part.offsets.push_back(static_cast<std::int64_t>(part.text.size()));
        }
    });
    return one_after_another(parts);
}

std::size_t Vocabulary::size() const {
    const std::scoped_lock lock(mutex_);
    return table_.texts().size();
}

Joined Vocabulary::texts(std::size_t first) const {
    const std::scoped_lock lock(mutex_);
    Joined joined{{}, {0}};
    for (std::size_t id = first; id < texts_.size(); ++id) {
        joined.text += texts_[id];
        joined.offsets.push_back(static_cast<std::int64_t>(joined.text.size()));
    }
    return joined;
}

std::vector<const std::string*> Vocabulary::tokens() const {
    const std::scoped_lock lock(mutex_);
    std::vector<const std::string*> texts;
    texts.reserve(texts_.size());
    for (const std::string& text : texts_) texts.push_back(&text);
    return texts;
}

const std::string& Vocabulary::token(std::size_t id) const {
    const std::scoped_lock lock(mutex_);
    return texts_.at(id);
}

std::int32_t Vocabulary::add(std::string_view token) {
    const std::scoped_lock lock(mutex_);
    return add_locked(token);
}

std::int32_t Vocabulary::find(std::string_view token) const {
    const std::scoped_lock lock(mutex_);
    return find_locked(token);
}

std::int32_t Vocabulary::add_locked(std::string_view token) {
    bool fresh = false;
    const std::uint32_t id = table_.insert(token, token.data() + token.size(), fresh);
    if (fresh) {
        texts_.emplace_back(token);
        table_.repoint(id, texts_.back());
    }
    return static_cast<std::int32_t>(id);
}

std::int32_t Vocabulary::find_locked(std::string_view token) const {
    const std::uint32_t id = table_.find(token);
    return id == KeyTable::kAbsent ? kUnknown : static_cast<std::int32_t>(id);
}

bool Vocabulary::extend(const TextColumn& lines) {
    StringTable fresh;
    fresh.reset();
    const std::scoped_lock lock(mutex_);
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        const std::string_view token = lines.line(line);
        bool is_new = false;
        fresh.insert(token, token.data() + token.size(), is_new);
        if (!is_new || find_locked(token) != kUnknown) return false;
    }
    for (std::size_t line = 0; line < lines.lines(); ++line) add_locked(lines.line(line));
    return true;
}

Encoded Vocabulary::encode(const TextColumn& lines, Scheme scheme, bool grow, std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Encoded> parts(ranges.size());
    std::vector<Vocabulary> locals(ranges.size());
    // Each thread numbers its own lines, then the local numberings are merged in reading order:
    // the result is that of one thread reading everything.
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Encoded& part = parts[index];
        prepare(part, lines, range.first, range.last);
        Tokens tokens;
        std::string scratch;
        for (std::size_t line = range.first; line < range.last; ++line) {
            tokenize(scheme, lines.line(line), scratch, tokens);
            for (const std::string_view token : tokens) part.ids.push_back(locals[index].add_locked(token));
            part.offsets.push_back(static_cast<std::int64_t>(part.ids.size()));
        }
    });
    std::vector<std::vector<std::int32_t>> global(ranges.size());
    std::unique_lock lock(mutex_);
    for (std::size_t index = 0; index < ranges.size(); ++index)
        for (const std::string_view token : locals[index].table_.texts())
            global[index].push_back(grow ? add_locked(token) : find_locked(token));
    lock.unlock();
    run_parallel(ranges, [&](std::size_t index, Range) {
        for (std::int32_t& id : parts[index].ids) id = global[index][static_cast<std::size_t>(id)];
    });
    return gather(parts);
}

}  // namespace paragauge
