// The sums and maxima over labels of which a chart is made. `width` is a multiple of 16.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paragauge {

constexpr std::size_t kLabelBlock = 16;

// total[a] = the sum of all rows[r][a].
void add_rows(const float* const* rows, std::size_t count, std::size_t width, float* total);
void add_rows(const std::int8_t* const* rows, std::size_t count, std::size_t width, std::int32_t* total);

// total[a] = max(total[a], left[a] + right[a]).
void max_sums(const float* left, const float* right, std::size_t width, float* total);
void max_sums(const std::int32_t* left, const std::int32_t* right, std::size_t width,
              std::int32_t* total);

// total[a] = max over b < labels of (best[b] + table[b * width + a]).
void max_children(const float* best, const float* table, std::size_t labels, std::size_t width,
                  float* total);
void max_children(const std::int32_t* best, const std::int32_t* table, std::size_t labels,
                  std::size_t width, std::int32_t* total);

}  // namespace paragauge
