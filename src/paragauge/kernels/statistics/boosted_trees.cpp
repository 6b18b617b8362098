#include "statistics/boosted_trees.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

// The number is a threshold or, of a leaf, a value. A leaf is its own child, so that a row that has
// arrived stays there while others walk on. The next node is looked up in an array, not chosen by a branch,
// which processors would often predict wrongly.
struct Node {
    double number;
    std::int32_t feature;
    std::int32_t children[2];
};

struct Tree {
    std::int32_t root;
    std::int32_t height;
};

// Rows that walk through a tree side by side. Each step of one row waits for its step before; those of
// other rows fill the time. The rows of a block stay in the first-level cache while the trees, which are
// read in order, pass by.
constexpr std::size_t BLOCK = 16;

std::vector<Node> pack_nodes(const BoostedTrees& trees) {
    std::vector<Node> nodes(trees.features.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto self = static_cast<std::int32_t>(i);
        if (trees.features[i] < 0)
            nodes[i] = {trees.values[i], 0, {self, self}};
        else
            nodes[i] = {trees.thresholds[i], trees.features[i], {trees.left[i], trees.right[i]}};
    }
    return nodes;
}

std::vector<Tree> measure_trees(const BoostedTrees& trees) {
    std::vector<std::int32_t> heights(trees.features.size());
    for (std::size_t i = heights.size(); i-- > 0;)
        if (trees.features[i] >= 0)
            heights[i] = 1 + std::max(heights[static_cast<std::size_t>(trees.left[i])],
                                      heights[static_cast<std::size_t>(trees.right[i])]);
    std::vector<Tree> measured;
    measured.reserve(trees.roots.size());
    for (const std::int64_t root : trees.roots)
        measured.push_back({static_cast<std::int32_t>(root), heights[static_cast<std::size_t>(root)]});
    return measured;
}

// Adds all trees to the sums of COUNT rows.
template <std::size_t COUNT>
void add_trees(double* __restrict sums, const double* __restrict rows, std::size_t width,
               std::span<const Tree> trees, const Node* __restrict nodes) {
    for (const Tree& tree : trees) {
        std::int32_t places[COUNT];
        std::fill_n(places, COUNT, tree.root);
        for (std::int32_t step = 0; step < tree.height; ++step)
            for (std::size_t i = 0; i < COUNT; ++i) {
                const Node& node = nodes[places[i]];
                const double value = rows[i * width + static_cast<std::size_t>(node.feature)];
                places[i] = node.children[value <= node.number ? 0 : 1];
            }
        for (std::size_t i = 0; i < COUNT; ++i) sums[i] += nodes[places[i]].number;
    }
}

}  // namespace

std::vector<double> tree_sums(std::span<const double> rows, std::size_t count, std::size_t width,
                              const BoostedTrees& trees, std::size_t threads) {
    const std::vector<Node> nodes = pack_nodes(trees);
    const std::vector<Tree> measured = measure_trees(trees);
    std::vector<double> sums(count);
    run_parallel(split(count, threads, 16 * BLOCK), [&](std::size_t, Range range) {
        std::size_t row = range.first;
        for (; row + BLOCK <= range.last; row += BLOCK)
            add_trees<BLOCK>(&sums[row], rows.data() + row * width, width, measured, nodes.data());
        for (; row < range.last; ++row)
            add_trees<1>(&sums[row], rows.data() + row * width, width, measured, nodes.data());
    });
    return sums;
}

}  // namespace paragauge
