// Ranks and orders of values, which rank correlations of all resamples share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace paragauge {

// Values as 0, 1, 2 ... in rising order, equal values alike.
inline std::vector<std::int32_t> dense_ranks(const double* values, std::size_t size) {
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    std::vector<std::int32_t> ranks(size);
    std::int32_t rank = -1;
    for (std::size_t i = 0; i < size; ++i) {
        if (i == 0 || values[order[i]] != values[order[i - 1]]) ++rank;
        ranks[order[i]] = rank;
    }
    return ranks;
}

// Pairs in some order, with the last pair of each run of ties marked.
struct Order {
    std::vector<std::uint32_t> pair;
    std::vector<std::uint8_t> last;

    template <class Same>
    void mark(Same same) {
        last.assign(pair.size(), 1);
        for (std::size_t i = 0; i + 1 < pair.size(); ++i) last[i] = !same(pair[i], pair[i + 1]);
    }
};

// The passes of a merge sort by y of the pairs in order of x. Each pass lists the pairs in the order it
// writes them, twice the pair plus 1 if it comes from the right-hand run.
inline std::vector<std::vector<std::uint32_t>> merge_passes(const std::vector<std::uint32_t>& by_x,
                                                            const std::vector<std::int32_t>& y_rank) {
    std::vector<std::vector<std::uint32_t>> passes;
    std::vector<std::uint32_t> current = by_x;
    std::vector<std::uint32_t> next(current.size());
    for (std::size_t width = 1; width < current.size(); width *= 2) {
        std::vector<std::uint32_t> pass(current.size());
        for (std::size_t start = 0; start < current.size(); start += 2 * width) {
            const std::size_t middle = std::min(start + width, current.size());
            const std::size_t stop = std::min(start + 2 * width, current.size());
            std::size_t left = start;
            std::size_t right = middle;
            for (std::size_t at = start; at < stop; ++at) {
                const bool from_right =
                    left == middle ||
                    (right < stop && y_rank[current[right]] < y_rank[current[left]]);
                const std::uint32_t pair = current[from_right ? right++ : left++];
                next[at] = pair;
                pass[at] = 2 * pair + from_right;
            }
        }
        current.swap(next);
        passes.push_back(std::move(pass));
    }
    return passes;
}

}  // namespace paragauge
