// Pharaoh files, `0-0 1-2` a line: from text to links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

struct PharaohLinks {
    std::vector<std::int32_t> source;
    std::vector<std::int32_t> target;
    std::vector<std::uint8_t> possible;  // 1: a possible link, 0: a sure one
    std::vector<std::int64_t> offsets;   // links of line i: offsets[i] to offsets[i + 1]
    std::vector<std::int64_t> bad;       // line, first byte and byte after the end of text that is not a link; or empty
};

// The links of each line, sorted by source, then target, without repetitions; sure if any repetition is.
// Reading stops at the first line that has anything other than links.
PharaohLinks parse_pharaoh(const TextColumn& lines, std::size_t threads);

}  // namespace paragauge
