// From text to integers: tokenise and number the tokens of many lines at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hashing.hpp"
#include "tokenise.hpp"

namespace paragauge {

// Lines of text; `groups`, when not empty, says which lines belong to segment i: those from
// groups[i] to groups[i + 1]. Without it line i is segment i.
struct TextColumn {
    const char* data;
    std::size_t size;                     // of the buffer
    std::span<const std::int64_t> spans;  // 2 per line
    std::span<const std::int64_t> groups;

    std::size_t lines() const { return spans.size() / 2; }
    std::size_t segments() const { return groups.empty() ? lines() : groups.size() - 1; }
    std::size_t first_line(std::size_t segment) const {
        return groups.empty() ? segment : static_cast<std::size_t>(groups[segment]);
    }
    std::string_view line(std::size_t i) const {
        return {data + spans[2 * i], static_cast<std::size_t>(spans[2 * i + 1] - spans[2 * i])};
    }
};

struct Encoded {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> offsets;  // tokens of line i: offsets[i] to offsets[i + 1]
};

// Numbers the tokens of each segment from 0 in order of first appearance, columns in the given
// order. Numbers mean something inside one segment only: that is all that comparing a candidate
// with its references needs, and it keeps memory flat and threads apart.
// Contract: all columns have the same number of segments.
std::vector<Encoded> encode_segments(std::span<const TextColumn> columns, Scheme scheme,
                                     std::size_t threads);

// Tokens joined by one blank, line by line; offsets into the bytes.
struct Joined {
    std::string text;
    std::vector<std::int64_t> offsets;
};
// Texts one after the other: text i is the bytes offsets[i] to offsets[i + 1].
struct TextRows {
    std::string_view text;
    std::span<const std::int64_t> offsets;

    std::size_t size() const { return offsets.size() - 1; }
    std::string_view row(std::size_t i) const {
        return text.substr(static_cast<std::size_t>(offsets[i]),
                           static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    }
};

// Whole from parts, whose offsets lack the 0 at the front.
Joined one_after_another(std::span<const Joined> parts);
Joined tokenise_lines(const TextColumn& lines, Scheme scheme, std::size_t threads);

// A growing numbering of tokens that holds for a whole corpus. Safe to use from several threads.
class Vocabulary {
public:
    static constexpr std::int32_t kUnknown = -1;

    Vocabulary() { table_.reset(); }
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;

    std::size_t size() const;
    const std::string& token(std::size_t id) const;  // stays valid while the vocabulary grows
    std::vector<const std::string*> tokens() const;  // all of them, for as long as the vocabulary lives
    Joined texts(std::size_t first) const;           // tokens from this number on, nothing between them
    std::int32_t add(std::string_view token);
    std::int32_t find(std::string_view token) const;
    // One token a line, as they are; false, and nothing is added, if one is there already or stands twice.
    bool extend(const TextColumn& lines);

    // Ids of all tokens of all lines. A new token gets the next number, in reading order, when
    // `grow`; otherwise kUnknown. The numbering does not depend on `threads`.
    Encoded encode(const TextColumn& lines, Scheme scheme, bool grow, std::size_t threads);

private:
    std::int32_t add_locked(std::string_view token);
    std::int32_t find_locked(std::string_view token) const;

    mutable std::mutex mutex_;
    StringTable table_;
    std::deque<std::string> texts_;
};

}  // namespace paragauge
