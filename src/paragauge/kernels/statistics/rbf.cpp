#include "statistics/rbf.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/vectors.hpp"

namespace paragauge {

namespace {

// Vectors are stored feature by feature, so that one feature of all of them is added at a time: each sum
// follows the order of the features, and the loop fills wide registers.
PARAGAUGE_VECTORS
void add_squares(double* __restrict distances, const double* __restrict feature, std::size_t count,
                 double value) {
    for (std::size_t i = 0; i < count; ++i) {
        const double difference = feature[i] - value;
        distances[i] += difference * difference;
    }
}

}  // namespace

std::vector<double> rbf_values(std::span<const double> rows, std::span<const double> vectors,
                               std::span<const double> coefficients, std::size_t width, double gamma,
                               std::size_t threads) {
    const std::size_t count = coefficients.size();
    std::vector<double> turned(vectors.size());
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < width; ++k) turned[k * count + i] = vectors[i * width + k];
    std::vector<double> values(width == 0 ? 0 : rows.size() / width);
    run_parallel(split(values.size(), threads, 16), [&](std::size_t, Range range) {
        std::vector<double> distances(count);
        for (std::size_t row = range.first; row < range.last; ++row) {
            std::fill(distances.begin(), distances.end(), 0.0);
            for (std::size_t k = 0; k < width; ++k)
                add_squares(distances.data(), turned.data() + k * count, count, rows[row * width + k]);
            double sum = 0.0;
            for (std::size_t i = 0; i < count; ++i)
                sum += coefficients[i] * std::exp(-gamma * distances[i]);
            values[row] = sum;
        }
    });
    return values;
}

}  // namespace paragauge
