// Predictions of a regression with a radial basis function kernel.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace paragauge {

// For each row z of `rows` ([n, k], flat): the sum over vectors v of coefficient_v exp(-gamma |z - v|^2).
// A row's value does not depend on the other rows or on the number of threads.
std::vector<double> rbf_values(std::span<const double> rows, std::span<const double> vectors,
                               std::span<const double> coefficients, std::size_t width, double gamma,
                               std::size_t threads);

}  // namespace paragauge
