#include "phrases/symmetrize.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 256;
constexpr std::uint8_t kForward = 1, kReverse = 2, kBoth = 3;

constexpr std::array<std::pair<std::string_view, Heuristic>, 7> kHeuristics{{
    {"forward", Heuristic::Forward},
    {"reverse", Heuristic::Reverse},
    {"intersection", Heuristic::Intersection},
    {"union", Heuristic::Union},
    {"grow-diag", Heuristic::GrowDiag},
    {"grow-diag-final", Heuristic::GrowDiagFinal},
    {"grow-diag-final-and", Heuristic::GrowDiagFinalAnd},
}};

// A step to a neighbor, target first; symal tries them in this order.
constexpr std::array<std::array<std::int64_t, 2>, 8> kNeighbors{
    {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

// A link of one of the two directions. `row` and `column` number the target and source positions
// that have links, so that memory grows with the links and not with the positions.
struct Point {
    std::int64_t target;
    std::int64_t source;
    std::uint8_t directions;
    bool chosen;
    std::uint32_t row;
    std::uint32_t column;

    bool before(std::int64_t other_target, std::int64_t other_source) const {
        return target != other_target ? target < other_target : source < other_source;
    }
};

// The work on one sentence pair; its buffers are reused for the next.
class Grower {
public:
    explicit Grower(Heuristic heuristic) : heuristic_(heuristic) {}

    void run(const LinkColumn& forward, const LinkColumn& reverse, std::size_t pair) {
        collect(forward, reverse, pair);
        const std::uint8_t required = start_directions();
        for (Point& point : points_) point.chosen = (point.directions & required) == required;
        if (heuristic_ == Heuristic::Union)
            for (Point& point : points_) point.chosen = true;
        if (heuristic_ < Heuristic::GrowDiag) return;
        number_positions();
        for (const Point& point : points_)
            if (point.chosen) cover(point);
        while (grow()) {
        }
        if (heuristic_ == Heuristic::GrowDiag) return;
        finish(kForward);
        finish(kReverse);
    }

    void give(LinkLists& lists) {
        std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
            return a.source != b.source ? a.source < b.source : a.target < b.target;
        });
        for (const Point& point : points_)
            if (point.chosen) {
                lists.source.push_back(static_cast<std::int32_t>(point.source));
                lists.target.push_back(static_cast<std::int32_t>(point.target));
            }
        lists.offsets.push_back(static_cast<std::int64_t>(lists.source.size()));
    }

private:
    // The directions that a link of the initial alignment must have.
    std::uint8_t start_directions() const {
        if (heuristic_ == Heuristic::Forward) return kForward;
        if (heuristic_ == Heuristic::Reverse) return kReverse;
        return kBoth;
    }

    // The union of both directions, sorted by target, then source: the order of symal's sets.
    void collect(const LinkColumn& forward, const LinkColumn& reverse, std::size_t pair) {
        points_.clear();
        const auto add = [&](const LinkColumn& links, std::uint8_t direction) {
            const auto last = static_cast<std::size_t>(links.offsets[pair + 1]);
            for (auto i = static_cast<std::size_t>(links.offsets[pair]); i < last; ++i)
                points_.push_back({links.target[i], links.source[i], direction, false, 0, 0});
        };
        add(forward, kForward);
        add(reverse, kReverse);
        std::sort(points_.begin(), points_.end(),
                  [](const Point& a, const Point& b) { return a.before(b.target, b.source); });
        std::size_t size = 0;
        for (const Point& point : points_) {
            if (size > 0 && !points_[size - 1].before(point.target, point.source))
                points_[size - 1].directions |= point.directions;
            else
                points_[size++] = point;
        }
        points_.resize(size);
    }

    void number_positions() {
        sources_.clear();
        for (const Point& point : points_) sources_.push_back(point.source);
        std::sort(sources_.begin(), sources_.end());
        sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
        std::uint32_t row = 0;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (i > 0 && points_[i].target != points_[i - 1].target) ++row;
            points_[i].row = row;
            points_[i].column = static_cast<std::uint32_t>(
                std::lower_bound(sources_.begin(), sources_.end(), points_[i].source) -
                sources_.begin());
        }
        covered_rows_.assign(points_.size(), false);
        covered_columns_.assign(points_.size(), false);
    }

    void cover(const Point& point) {
        covered_rows_[point.row] = true;
        covered_columns_[point.column] = true;
    }

    Point* find(std::int64_t target, std::int64_t source) {
        const auto nearest = std::partition_point(
            points_.begin(), points_.end(),
            [&](const Point& point) { return point.before(target, source); });
        if (nearest == points_.end() || nearest->target != target || nearest->source != source) return nullptr;
        return &*nearest;
    }

    // One pass over the chosen points, including points ahead that are chosen during the pass.
    bool grow() {
        bool added = false;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (!points_[i].chosen) continue;
            for (const auto& [down, right] : kNeighbors) {
                Point* const point = find(points_[i].target + down, points_[i].source + right);
                if (point == nullptr || (covered_rows_[point->row] && covered_columns_[point->column]))
                    continue;
                point->chosen = true;
                cover(*point);
                added = true;
            }
        }
        return added;
    }

    void finish(std::uint8_t direction) {
        const bool both = heuristic_ == Heuristic::GrowDiagFinalAnd;
        for (Point& point : points_) {
            if (point.chosen || point.directions != direction) continue;
            const bool row = covered_rows_[point.row], column = covered_columns_[point.column];
            if (both ? row || column : row && column) continue;
            point.chosen = true;
            cover(point);
        }
    }

    Heuristic heuristic_;
    std::vector<Point> points_;
    std::vector<std::int64_t> sources_;
    std::vector<bool> covered_rows_;
    std::vector<bool> covered_columns_;
};

}  // namespace

Heuristic heuristic_named(std::string_view name) {
    for (const auto& [known, heuristic] : kHeuristics)
        if (known == name) return heuristic;
    throw std::invalid_argument("unknown heuristic '" + std::string(name) + "'");
}

LinkLists symmetrize(const LinkColumn& forward, const LinkColumn& reverse, Heuristic heuristic,
                     std::size_t threads) {
    const std::vector<Range> ranges = split(forward.pairs(), threads, kGrain);
    std::vector<LinkLists> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Grower grower(heuristic);
        for (std::size_t pair = range.first; pair < range.last; ++pair) {
            grower.run(forward, reverse, pair);
            grower.give(parts[index]);
        }
    });
    LinkLists result;
    result.offsets.push_back(0);
    for (const LinkLists& part : parts) {
        const auto before = static_cast<std::int64_t>(result.source.size());
        result.source.insert(result.source.end(), part.source.begin(), part.source.end());
        result.target.insert(result.target.end(), part.target.begin(), part.target.end());
        for (const std::int64_t offset : part.offsets) result.offsets.push_back(before + offset);
    }
    return result;
}

}  // namespace paragauge
