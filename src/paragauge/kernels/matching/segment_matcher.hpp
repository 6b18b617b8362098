// Matches the candidate of one segment against its lines, by the faster of the two exact ways.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/columns.hpp"
#include "matching/match_grid.hpp"
#include "matching/match_hash.hpp"

namespace paragauge {

class SegmentMatcher {
public:
    SegmentMatcher(std::size_t order, Counting counting)
        : order_(order), short_(counting), long_(counting), hash_(order, counting) {}

    std::size_t order() const { return order_; }

    // Writes the segment's row, or with `joint` false one row per line, to their places in `rows`.
    void match(const IdColumn& candidates, const IdColumn& others, bool joint, std::size_t segment,
               std::int64_t* rows) {
        const auto run = [&](auto& matcher) {
            const std::size_t width = 2 * order_;
            matcher.start(candidates.line(segment));
            const std::size_t stop = others.first_line(segment + 1);
            for (std::size_t line = others.first_line(segment); line < stop; ++line) {
                matcher.match(others.line(line));
                if (!joint) matcher.finish(rows + line * width);
            }
            if (joint) matcher.finish(rows + segment * width);
        };
        if (order_ != kGridOrder || !fits_grid(candidates, others, segment))
            run(hash_);
        else if (candidates.line(segment).size() <= ShortGrid::kMostWords)
            run(short_);
        else
            run(long_);
    }

private:
    // Sentences of up to 32 words, and of up to 64, with the usual order go through a grid.
    static constexpr std::size_t kGridOrder = 4;
    using ShortGrid = GridMatcher<kGridOrder, 2>;
    using LongGrid = GridMatcher<kGridOrder, 4>;

    // Whether the candidate's ids and all its lines fit in a grid.
    static bool fits_grid(const IdColumn& candidates, const IdColumn& others, std::size_t segment) {
        const std::size_t stop = others.first_line(segment + 1);
        for (std::size_t line = others.first_line(segment); line < stop; ++line)
            if (others.line(line).size() > LongGrid::kMostOthers) return false;
        const std::span<const std::int32_t> candidate = candidates.line(segment);
        return candidate.size() <= LongGrid::kMostWords &&
               std::all_of(candidate.begin(), candidate.end(), [](std::int32_t id) {
                   return static_cast<std::uint32_t>(id) < LongGrid::kMostIds;
               });
    }

    std::size_t order_;
    ShortGrid short_;
    LongGrid long_;
    HashMatcher hash_;
};

}  // namespace paragauge
