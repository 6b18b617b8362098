// Exact maximum-weight matching of the rows and columns of a small table: Kuhn and Munkres' method
// as shortest augmenting paths with potentials, O(rows^2 * columns) with rows <= columns. Weights are
// whole numbers, so results are exact, and ties fall the same way everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
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

// The weight of the heaviest matching in a sparse graph of rows and columns whose weights are small whole
// numbers: the Hungarian method with all free rows at once.
//
// Each row has a price, first the largest weight, and each column one, first 0; the prices of an edge's ends
// add up to at least its weight. Rows without a column all have the same price, which sinks: at each level
// rows take columns along edges that are worth their prices exactly, until none can be added; then the rows
// and columns that free rows reach change their prices by at least 1. At price 0 the prices add up to the
// weight of the matching, which therefore is the heaviest. There are at most as many levels as the largest
// weight has units, so 1,000 rows and columns with a million edges take milliseconds.
class SmallWeightMatching {
public:
    // Empties the graph, whose columns are 0 to `columns` - 1.
    void start(std::size_t columns) {
        edges_.clear();
        row_ends_.assign(1, 0);
        column_prices_.assign(columns, 0);
        owners_.assign(columns, kNone);
        heaviest_ = 0;
    }

    // An edge of the row that end_row() ends. Contract: weight > 0, and no column twice in a row.
    void add(std::size_t column, std::int32_t weight) {
        edges_.push_back({static_cast<std::uint32_t>(column), weight});
        heaviest_ = std::max(heaviest_, weight);
    }

    // Rows without edges are left out.
    void end_row() {
        if (row_ends_.back() != edges_.size()) row_ends_.push_back(edges_.size());
    }

    std::int64_t weight() {
        const std::size_t rows = row_ends_.size() - 1;
        row_prices_.assign(rows, heaviest_);
        free_rows_.resize(rows);
        std::iota(free_rows_.begin(), free_rows_.end(), std::size_t{0});
        for (std::int32_t level = heaviest_; level > 0 && !free_rows_.empty();) {
            while (give_columns()) {}
            if (!free_rows_.empty()) level -= change_prices(level);
        }
        return std::accumulate(row_prices_.begin(), row_prices_.end(), std::int64_t{0}) +
               std::accumulate(column_prices_.begin(), column_prices_.end(), std::int64_t{0});
    }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    struct Edge {
        std::uint32_t column;
        std::int32_t weight;
    };

    std::int32_t slack(std::size_t row, const Edge& edge) const {
        return row_prices_[row] + column_prices_[edge.column] - edge.weight;
    }

    // Gives free rows a column, each column being reached once; whether any got one.
    bool give_columns() {
        reached_.assign(owners_.size(), 0);
        const auto last = std::remove_if(free_rows_.begin(), free_rows_.end(),
                                         [this](std::size_t row) { return give_column(row); });
        const bool any = last != free_rows_.end();
        free_rows_.erase(last, free_rows_.end());
        return any;
    }

    // A free column, or one whose owner finds another.
    bool give_column(std::size_t row) {
        for (std::size_t e = row_ends_[row]; e < row_ends_[row + 1]; ++e) {
            const Edge edge = edges_[e];
            if (reached_[edge.column] || slack(row, edge) != 0) continue;
            reached_[edge.column] = 1;
            if (owners_[edge.column] != kNone && !give_column(owners_[edge.column])) continue;
            owners_[edge.column] = static_cast<std::uint32_t>(row);
            return true;
        }
        return false;
    }

    // Lowers the prices of the rows that free rows reach until another column is reached or they are 0, and
    // raises those of the columns; by how much.
    std::int32_t change_prices(std::int32_t level) {
        reached_rows_ = free_rows_;
        for (std::size_t column = 0; column < reached_.size(); ++column)
            if (reached_[column]) reached_rows_.push_back(owners_[column]);
        std::int32_t change = level;
        for (const std::size_t row : reached_rows_)
            for (std::size_t e = row_ends_[row]; e < row_ends_[row + 1]; ++e)
                if (!reached_[edges_[e].column]) change = std::min(change, slack(row, edges_[e]));
        for (const std::size_t row : reached_rows_) row_prices_[row] -= change;
        for (std::size_t column = 0; column < reached_.size(); ++column)
            if (reached_[column]) column_prices_[column] += change;
        return change;
    }

    std::vector<Edge> edges_;
    std::vector<std::size_t> row_ends_;  // edges of row i: row_ends_[i] to row_ends_[i + 1]
    std::vector<std::int32_t> row_prices_, column_prices_;
    std::vector<std::uint32_t> owners_;
    std::vector<std::size_t> free_rows_, reached_rows_;
    std::vector<char> reached_;
    std::int32_t heaviest_ = 0;
};

}  // namespace paragauge
