// tercom's normalization of lines for TER, as sacreBLEU applies it; the twin has its regular expressions.
#pragma once

#include <cstddef>

#include "base/columns.hpp"

namespace paragauge {

struct TercomSettings {
    bool normalized;   // decode entities, split punctuation off
    bool no_punct;     // remove punctuation
    bool asian;        // also split, and remove, characters and punctuation of East Asian scripts
    std::size_t threads;
};

// The words of each line (valid UTF-8) joined by one space.
Joined normalize_tercom(const TextColumn& lines, const TercomSettings& settings);

}  // namespace paragauge
