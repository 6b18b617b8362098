#include "constituents_sums.hpp"

#include <algorithm>

#include "vectors.hpp"

namespace paragauge {

namespace {

// All loops run over blocks of labels outside, so that a block's sums stay in registers.
template <class Weight, class Sum>
inline __attribute__((always_inline)) void add_all(const Weight* const* rows, std::size_t count,
                                                   std::size_t width, Sum* total) {
    for (std::size_t block = 0; block < width; block += kLabelBlock) {
        Sum sums[kLabelBlock] = {};
        for (std::size_t r = 0; r < count; ++r)
            for (std::size_t a = 0; a < kLabelBlock; ++a)
                sums[a] = static_cast<Sum>(sums[a] + static_cast<Sum>(rows[r][block + a]));
        for (std::size_t a = 0; a < kLabelBlock; ++a) total[block + a] = sums[a];
    }
}

template <class Sum>
inline __attribute__((always_inline)) void max_of_sums(const Sum* left, const Sum* right,
                                                       std::size_t width, Sum* total) {
    for (std::size_t a = 0; a < width; ++a) total[a] = std::max(total[a], left[a] + right[a]);
}

template <class Sum>
inline __attribute__((always_inline)) void max_of_children(const Sum* best, const Sum* table,
                                                           std::size_t labels, std::size_t width,
                                                           Sum* total) {
    for (std::size_t block = 0; block < width; block += kLabelBlock) {
        Sum largest[kLabelBlock];
        for (std::size_t a = 0; a < kLabelBlock; ++a) largest[a] = total[block + a];
        for (std::size_t b = 0; b < labels; ++b) {
            const Sum* row = table + b * width + block;
            for (std::size_t a = 0; a < kLabelBlock; ++a)
                largest[a] = std::max(largest[a], best[b] + row[a]);
        }
        for (std::size_t a = 0; a < kLabelBlock; ++a) total[block + a] = largest[a];
    }
}

}  // namespace

PARAGAUGE_VECTORS
void add_rows(const float* const* rows, std::size_t count, std::size_t width, float* total) {
    add_all<float, float>(rows, count, width, total);
}

PARAGAUGE_VECTORS
void add_rows(const std::int8_t* const* rows, std::size_t count, std::size_t width,
              std::int32_t* total) {
    add_all<std::int8_t, std::int32_t>(rows, count, width, total);
}

PARAGAUGE_VECTORS
void max_sums(const float* left, const float* right, std::size_t width, float* total) {
    max_of_sums(left, right, width, total);
}

PARAGAUGE_VECTORS
void max_sums(const std::int32_t* left, const std::int32_t* right, std::size_t width,
              std::int32_t* total) {
    max_of_sums(left, right, width, total);
}

PARAGAUGE_VECTORS
void max_children(const float* best, const float* table, std::size_t labels, std::size_t width,
                  float* total) {
    max_of_children(best, table, labels, width, total);
}

PARAGAUGE_VECTORS
void max_children(const std::int32_t* best, const std::int32_t* table, std::size_t labels,
                  std::size_t width, std::int32_t* total) {
    max_of_children(best, table, labels, width, total);
}

}  // namespace paragauge
