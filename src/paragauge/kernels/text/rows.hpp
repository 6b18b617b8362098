// Rows of delimited text with quotes (RFC 4180), as spans of their fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paragauge {

enum class RowProblem : int {
    none = 0,
    stray_return = 1,  // a carriage return outside quotes that ends no line
    after_quote = 2,   // text between a closing quote and the delimiter
    open_quote = 3,    // the input ends inside quotes
};

struct SplitRows {
    std::vector<std::int64_t> spans;   // 2 per field; positions from text.size() on are in `unquoted`
    std::vector<std::int64_t> groups;  // fields of row i: groups[i] to groups[i + 1]
    std::vector<std::int64_t> lines;   // line ends before each row
    std::string unquoted;              // fields with doubled quotes, without the doubles
    std::size_t consumed = 0;          // bytes that the rows take, line ends included
    std::int64_t ended = 0;            // line ends in those bytes
    RowProblem problem = RowProblem::none;  // of the row after the last one
    std::size_t place = 0;                  // the byte where it is: for open_quote the quote
};

// At most `limit` rows of `text`. A row ends at \n or \r\n outside quotes; what follows the last end
// is a row only when `last` says that the input ends here.
SplitRows split_rows(std::string_view text, std::size_t limit, char delimiter, bool last);

}  // namespace paragauge
