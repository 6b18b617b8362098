// A bitext with its word alignment, as kernels read it.
#pragma once

#include <cstdint>
#include <span>

#include "base/columns.hpp"

namespace paragauge {

// One side of a bitext: what each number stands for, and the sentences as numbers.
struct BitextSide {
    TextRows words;
    IdColumn sentences;
};

// Links of sentence pair i: offsets[i] to offsets[i + 1], by source word and then by target word.
struct LinkColumn {
    std::span<const std::int32_t> source;
    std::span<const std::int32_t> target;
    std::span<const std::int64_t> offsets;
};

}  // namespace paragauge
