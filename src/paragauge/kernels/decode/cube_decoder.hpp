// Decoding of many sentences: each one's best texts with their features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "decode/cube_model.hpp"

namespace paragauge {

struct CubeResults {
    Joined texts;                       // of all sentences, one after the other
    std::vector<std::int64_t> offsets;  // texts of sentence i: offsets[i] to offsets[i + 1]
    std::vector<double> features;       // per text, columns + 1 each
    std::vector<double> scores;
};

CubeResults cube_decode(const CubeModel& model, const CubeWords& words, const IdColumn& sentences,
                        std::span<const double> weights, const CubeSettings& settings, std::size_t size,
                        std::size_t threads);

struct CubePhrases {
    std::vector<std::int32_t> first, last, rules;
    std::vector<double> scores;
};

// Rules without non-terminals in one sentence, by numbers of the grammar's words or -1.
CubePhrases cube_phrases(const CubeModel& model, std::span<const std::int32_t> words,
                         std::span<const double> weights, std::size_t limit);

}  // namespace paragauge
