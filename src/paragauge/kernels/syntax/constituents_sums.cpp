#include "syntax/constituents_sums.hpp"

#include <algorithm>

#include "base/vectors.hpp"

namespace paragauge {

namespace {

// The inner loops run over all labels in memory that is not aliased, so that they become vector
// instructions.
template <class Weight, class Sum>
inline __attribute__((always_inline)) void add_all(const Weight* const* rows, std::size_t count,
                                                   std::size_t width, Sum* __restrict__ total) {
    std::fill(total, total + width, Sum{0});
    for (std::size_t r = 0; r < count; ++r) {
        const Weight* __restrict__ row = rows[r];
        for (std::size_t a = 0; a < width; ++a) total[a] += static_cast<Sum>(row[a]);
    }
}

template <class Sum>
inline __attribute__((always_inline)) void max_of_sums(const Sum* __restrict__ left,
                                                       const Sum* __restrict__ right,
                                                       std::size_t width, Sum* __restrict__ total) {
    for (std::size_t a = 0; a < width; ++a) {
        const Sum sum = left[a] + right[a];
        total[a] = sum > total[a] ? sum : total[a];
    }
}

template <class Sum>
inline __attribute__((always_inline)) void max_of_children(const Sum* best, const Sum* table,
                                                           std::size_t labels, std::size_t width,
                                                           Sum* __restrict__ total) {
    for (std::size_t b = 0; b < labels; ++b) {
        const Sum* __restrict__ row = table + b * width;
        const Sum shift = best[b];
        for (std::size_t a = 0; a < width; ++a) {
            const Sum sum = shift + row[a];
            total[a] = sum > total[a] ? sum : total[a];
        }
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
