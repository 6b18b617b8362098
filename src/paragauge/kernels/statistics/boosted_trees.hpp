// Predictions of a regression by boosted trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paragauge {

// The nodes of all trees. A node with feature -1 is a leaf, of which only the value is read. The children
// of any other node have greater numbers than it has, so that every walk ends.
struct BoostedTrees {
    std::span<const std::int64_t> roots;
    std::span<const std::int32_t> features;
    std::span<const double> thresholds;
    std::span<const std::int32_t> left;
    std::span<const std::int32_t> right;
    std::span<const double> values;
};

// For each row of `rows` ([count, width], flat): the sum over trees, in order, of the value of the leaf
// that the row reaches; row[feature] <= threshold goes left. A row's value does not depend on the other
// rows or on the number of threads.
std::vector<double> tree_sums(std::span<const double> rows, std::size_t count, std::size_t width,
                              const BoostedTrees& trees, std::size_t threads);

}  // namespace paragauge
