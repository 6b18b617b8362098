// Columns of text and of numbers, as kernels take and return them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// Sentences as numbers, with groups as in TextColumn.
struct IdColumn {
    std::span<const std::int32_t> ids;
    std::span<const std::int64_t> offsets;  // tokens of line i: offsets[i] to offsets[i + 1]
    std::span<const std::int64_t> groups;   // as in TextColumn

    std::size_t lines() const { return offsets.size() - 1; }
    std::size_t segments() const { return groups.empty() ? lines() : groups.size() - 1; }
    std::size_t first_line(std::size_t segment) const {
        return groups.empty() ? segment : static_cast<std::size_t>(groups[segment]);
    }
    std::span<const std::int32_t> line(std::size_t i) const {
        return ids.subspan(static_cast<std::size_t>(offsets[i]),
                           static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    }
};

// Sentences as numbers, made by a kernel.
struct Encoded {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> offsets;  // tokens of line i: offsets[i] to offsets[i + 1]
};

// Texts made by a kernel, one after the other; text i is the bytes offsets[i] to offsets[i + 1].
struct Joined {
    std::string text;
    std::vector<std::int64_t> offsets;
};

// The same, as a kernel reads them.
struct TextRows {
    std::string_view text;
    std::span<const std::int64_t> offsets;

    std::size_t size() const { return offsets.size() - 1; }
    std::string_view row(std::size_t i) const {
        return text.substr(static_cast<std::size_t>(offsets[i]),
                           static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    }
};

// Joins parts whose offsets lack the leading 0.
Joined one_after_another(std::span<const Joined> parts);

}  // namespace paragauge
