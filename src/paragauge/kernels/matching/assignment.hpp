// Exact maximum-weight matching of the rows and columns of a small table: Kuhn and Munkres' method
// as shortest augmenting paths with potentials, O(rows^2 * columns) with rows <= columns. Weights are
// whole numbers, so results are exact, and ties fall the same way everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace paragauge {

class Assignment {
public:
    // The column matched to each row, or -1: none, or an edge of weight 0, which adds nothing.
    // `weights` has rows * columns entries, row after row, from 0 to 2^40.
    std::span<const std::int32_t> solve(std::span<const std::int64_t> weights, std::size_t rows,
                                        std::size_t columns) {
        match_.assign(rows, -1);
        if (rows == 0 || columns == 0) return match_;
        if (rows <= columns) {
            shortest_paths(weights.data(), rows, columns, columns, 1);
            for (std::size_t j = 1; j <= columns; ++j)
                if (owner_[j] != 0) link(weights, columns, owner_[j] - 1, j - 1);
        } else {
            shortest_paths(weights.data(), columns, rows, 1, columns);
            for (std::size_t j = 1; j <= rows; ++j)
                if (owner_[j] != 0) link(weights, columns, j - 1, owner_[j] - 1);
        }
        return match_;
    }

private:
    void link(std::span<const std::int64_t> weights, std::size_t columns, std::size_t row,
              std::size_t column) {
        if (weights[row * columns + column] > 0) match_[row] = static_cast<std::int32_t>(column);
    }

    // Row i and column j are counted from 1; 0 stands for none. The cost of an edge is minus its
    // weight, at weights[(i - 1) * down + (j - 1) * across].
    void shortest_paths(const std::int64_t* weights, std::size_t rows, std::size_t columns,
                        std::size_t down, std::size_t across) {
        constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
        row_potential_.assign(rows + 1, 0);
        column_potential_.assign(columns + 1, 0);
        owner_.assign(columns + 1, 0);
        way_.assign(columns + 1, 0);
        for (std::size_t row = 1; row <= rows; ++row) {
            owner_[0] = row;
            distance_.assign(columns + 1, kFar);
            done_.assign(columns + 1, 0);
            std::size_t column = 0;
            do {
                done_[column] = 1;
                const std::size_t i = owner_[column];
                const std::int64_t* line = weights + (i - 1) * down;
                const std::int64_t base = row_potential_[i];
                std::int64_t nearest = kFar;
                std::size_t next = 0;
                for (std::size_t j = 1; j <= columns; ++j) {
                    if (done_[j]) continue;
                    const std::int64_t reduced = -line[(j - 1) * across] - base - column_potential_[j];
                    if (reduced < distance_[j]) {
                        distance_[j] = reduced;
                        way_[j] = column;
                    }
                    if (distance_[j] < nearest) {
                        nearest = distance_[j];
                        next = j;
                    }
                }
                for (std::size_t j = 0; j <= columns; ++j) {
                    if (done_[j]) {
                        row_potential_[owner_[j]] += nearest;
                        column_potential_[j] -= nearest;
                    } else {
                        distance_[j] -= nearest;
                    }
                }
                column = next;
            } while (owner_[column] != 0);
            while (column != 0) {
                const std::size_t before = way_[column];
                owner_[column] = owner_[before];
                column = before;
            }
        }
    }

    std::vector<std::int32_t> match_;
    std::vector<std::int64_t> row_potential_, column_potential_, distance_;
    std::vector<std::size_t> owner_, way_;
    std::vector<char> done_;
};

}  // namespace paragauge
