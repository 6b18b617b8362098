// Lines of Moses phrase tables; reference/phrases/moses.py describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

struct MosesRows {
    Joined source;
    Joined target;
    Joined alignment;
    std::vector<double> scores;        // 4 per row, as in the file
    std::vector<std::int64_t> counts;  // 3 per row, as in the file; -1 where there are none
    std::vector<std::int64_t> bad;     // numbers of lines that have no row
};

MosesRows parse_moses(const TextColumn& lines, std::size_t threads);

}  // namespace paragauge
