// Edit distance within a band around the diagonal, which keeps all rows so that a changed candidate is
// computed from the first changed word on.
//
// Row i of the table is the candidate's first i words, column j the reference's first j. With the ratio r of
// the lengths, reference to candidate, only columns within `beam` of floor(i r) are computed, and in the last
// row all from there on: tercom's beam. Memory is linear in the length of both texts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "matching/ter.hpp"

namespace paragauge {

class EditBand {
public:
    // Sets the lengths and the reference, and computes the rows of `candidate`.
    void start(std::span<const std::int32_t> candidate, std::span<const std::int32_t> reference) {
        reference_ = reference;
        shape(candidate.size());
        candidate_.assign(candidate.begin(), candidate.end());
        update(0);
    }

    std::span<const std::int32_t> candidate() const { return candidate_; }
    std::int32_t distance() const { return row(candidate_.size())[columns() - 1]; }

    // Replaces the candidate by another of the same words in another order, equal before word `first`.
    void replace(std::span<const std::int32_t> candidate, std::size_t first) {
        candidate_.assign(candidate.begin(), candidate.end());
        update(first);
    }

    // The distance of a candidate that differs from the present one only in words `first` to `last` - 1.
    std::int32_t distance_of(std::span<const std::int32_t> candidate, std::size_t first, std::size_t last) {
        const std::int32_t* previous = row(first);
        for (std::size_t i = first + 1; i <= candidate.size(); ++i) {
            std::int32_t* const mine = scratch_[i % 2].data() + 1;
            fill_row(i, candidate[i - 1], previous, mine);
            // The rest is the same words: if all costs differ by as much, so does the distance.
            if (i >= last) {
                const std::int32_t* const present = row(i);
                const auto low = static_cast<std::size_t>(bounds_[i].low);
                const auto high = static_cast<std::size_t>(bounds_[i].high);
                const std::int32_t difference = mine[low] - present[low];
                std::size_t j = low + 1;
                while (j < high && mine[j] - present[j] == difference) ++j;
                if (j >= high) return distance() + difference;
            }
            previous = mine;
        }
        return previous[columns() - 1];
    }

    // The cheapest edits from the candidate to the reference, from the last to the first; of equally cheap
    // ones a match or substitution rather than a deletion, and that rather than an insertion.
    void trace_backwards(std::vector<EditStep>& steps) const {
        steps.clear();
        std::size_t i = candidate_.size(), j = reference_.size();
        while (i > 0 || j > 0) {
            if (i == 0) {
                steps.push_back(EditStep::Insert);
                --j;
                continue;
            }
            const std::int32_t cost = row(i)[j];
            const bool same = j > 0 && candidate_[i - 1] == reference_[j - 1];
            if (j > 0 && row(i - 1)[j - 1] + !same == cost) {
                steps.push_back(same ? EditStep::Match : EditStep::Substitute);
                --i, --j;
            } else if (row(i - 1)[j] + 1 == cost) {
                steps.push_back(EditStep::Delete);
                --i;
            } else {
                steps.push_back(EditStep::Insert);
                --j;
            }
        }
    }

private:
    static constexpr std::size_t kBeam = 25;
    static constexpr std::int32_t kFar = 1 << 29;  // a cost beyond the band

    struct Bounds {
        std::ptrdiff_t low, high;  // columns low to high - 1 are in the band
        std::ptrdiff_t origin;     // cells_[origin + j] is column j
    };

    std::size_t columns() const { return reference_.size() + 1; }
    const std::int32_t* row(std::size_t i) const { return cells_.data() + bounds_[i].origin; }

    void shape(std::size_t words) {
        const auto theirs = static_cast<double>(reference_.size());
        const double ratio = words > 0 ? theirs / static_cast<double>(words) : 1.0;
        std::size_t beam = kBeam;
        // Bands of neighboring rows must overlap.
        if (static_cast<double>(kBeam) < ratio / 2)
            beam = static_cast<std::size_t>(std::ceil(ratio / 2 + static_cast<double>(kBeam)));
        bounds_.resize(words + 1);
        const auto width = static_cast<std::ptrdiff_t>(columns());
        bounds_[0] = {0, width, 0};
        for (std::size_t i = 1; i <= words; ++i) {
            const auto middle = static_cast<std::ptrdiff_t>(std::floor(static_cast<double>(i) * ratio));
            const auto reach = static_cast<std::ptrdiff_t>(beam);
            bounds_[i] = {std::max<std::ptrdiff_t>(0, middle - reach),
                          i == words ? width : std::min(width, middle + reach), 0};
        }
        // Each row has room for a column before its first, and for the columns of the next row.
        std::ptrdiff_t size = 0;
        for (std::size_t i = 0; i <= words; ++i) {
            bounds_[i].origin = size + 1 - bounds_[i].low;
            size += 1 + room(i) - bounds_[i].low;
        }
        if (cells_.size() < static_cast<std::size_t>(size)) cells_.resize(static_cast<std::size_t>(size));
        for (std::vector<std::int32_t>& row : scratch_)
            if (row.size() < columns() + 1) row.resize(columns() + 1);
    }

    // The columns that row i and the next one reach.
    std::ptrdiff_t room(std::size_t i) const {
        return i + 1 < bounds_.size() ? std::max(bounds_[i].high, bounds_[i + 1].high) : bounds_[i].high;
    }

    void update(std::size_t first) {
        if (first == 0) {
            std::int32_t* const cells = cells_.data() + bounds_[0].origin;
            for (std::size_t j = 0; j < columns(); ++j) cells[j] = static_cast<std::int32_t>(j);
        }
        for (std::size_t i = first + 1; i <= candidate_.size(); ++i)
            fill_row(i, candidate_[i - 1], row(i - 1), cells_.data() + bounds_[i].origin);
    }

    void fill_row(std::size_t i, std::int32_t word, const std::int32_t* above, std::int32_t* cells) const {
        const Bounds& bounds = bounds_[i];
        std::ptrdiff_t j = bounds.low;
        cells[j - 1] = kFar;
        std::int32_t left = kFar;
        if (j == 0) left = cells[j++] = above[0] + 1;
        const std::int32_t* const words = reference_.data();
        for (; j < bounds.high; ++j) {
            const std::int32_t diagonal = above[j - 1] + (words[j - 1] != word);
            left = std::min(std::min(diagonal, above[j] + 1), left + 1);
            cells[j] = left;
        }
        for (const std::ptrdiff_t end = room(i); j < end; ++j) cells[j] = kFar;
    }

    std::span<const std::int32_t> reference_;
    std::vector<std::int32_t> candidate_;
    std::vector<Bounds> bounds_;
    std::vector<std::int32_t> cells_;
    std::vector<std::int32_t> scratch_[2];
};

}  // namespace paragauge
