// Lines and fields of a text buffer, as spans: pairs (first byte, byte after the last).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paragauge {

struct SplitLines {
    std::vector<std::int64_t> spans;  // 2 per line, without the line end
    std::size_t consumed;             // bytes of the buffer that the lines take, ends included
};

// At most `limit` lines of `text`. A line ends at \n or \r\n; what follows the last line end is a
// line only when `last` says that the input ends here.
SplitLines split_lines(std::string_view text, std::size_t limit, bool last);

struct SplitFields {
    std::vector<std::int64_t> spans;   // 2 per field
    std::vector<std::int64_t> groups;  // fields of line i: groups[i] to groups[i + 1]
};

// Cuts every line at each tab.
SplitFields split_fields(const char* data, const std::int64_t* spans, std::size_t lines);

// How many lines hold nothing but white space.
std::size_t count_blank(const char* data, const std::int64_t* spans, std::size_t lines);

// How many lines hold a tab.
std::size_t count_tabbed(const char* data, const std::int64_t* spans, std::size_t lines);

struct Lowered {
    std::string text;                   // Latin letters up to U+017F lowercased, everything else as it was
    std::vector<std::int64_t> foreign;  // lines with letters for which this may not be enough
};

// The text in lower case, as far as no character changes its number of bytes or depends on its neighbors.
Lowered lower_latin(std::string_view text, const std::int64_t* spans, std::size_t lines);

}  // namespace paragauge
