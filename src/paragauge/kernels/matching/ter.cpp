#include "matching/ter.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "base/parallel.hpp"
#include "matching/edit_band.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 8;
constexpr std::size_t kRow = 7;

// Limits of tercom, and of sacreBLEU the last.
constexpr std::size_t kMostWords = 10;         // that are shifted at once
constexpr std::size_t kMostDistance = 50;      // between the positions of equal words
constexpr std::size_t kMostCandidates = 1000;  // in the search of one pair

using Sentence = std::span<const std::int32_t>;

struct Shift {
    std::size_t first, size, target;

    // The words that change places are those from begin() to end() - 1.
    std::size_t begin() const { return std::min(first, target); }
    std::size_t end() const { return std::max(first, target) + size; }

    void apply(Sentence words, std::vector<std::int32_t>& shifted) const {
        shifted.assign(words.begin(), words.end());
        const auto at = [&](std::size_t i) { return shifted.begin() + static_cast<std::ptrdiff_t>(i); };
        if (target < first)
            std::rotate(at(target), at(first), at(first + size));
        else
            std::rotate(at(first), at(first + size), at(target + size));
    }
};

// The edits between one candidate and one reference.
class TerSearch {
public:
    void run(Sentence candidate, Sentence reference) {
        shifts_.clear();
        reference_ = reference;
        band_.start(candidate, reference);
        if (!reference.empty()) shift_while_it_helps();
        band_.trace_backwards(steps_);
    }

    std::size_t edits() const { return static_cast<std::size_t>(band_.distance()) + shifts_.size(); }
    const std::vector<WordShift>& shifts() const { return shifts_; }
    const std::vector<EditStep>& steps_backwards() const { return steps_; }

private:
    // A shift is better if it saves more edits, then if it moves more words, then those that stand, and then
    // go, further left.
    using Rank = std::tuple<std::int32_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t>;

    void shift_while_it_helps() {
        tried_ = 0;
        while (band_.distance() > 0) {
            align();
            const bool better = find_best();
            if (tried_ >= kMostCandidates || !better) return;
            best_.apply(band_.candidate(), shifted_);
            band_.replace(shifted_, best_.begin());
            shifts_.push_back({static_cast<std::int64_t>(best_.first), static_cast<std::int64_t>(best_.size),
                               static_cast<std::int64_t>(best_.target)});
        }
    }

    // For each word of the reference the place after its partner in the candidate or after what was last
    // passed there, and how many words before each place are not matched.
    void align() {
        band_.trace_backwards(steps_);
        place_after_.clear();
        wrong_candidate_.assign(1, 0);
        wrong_reference_.assign(1, 0);
        std::size_t passed = 0;
        for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
            const std::size_t wrong = *step == EditStep::Match ? 0 : 1;
            if (*step != EditStep::Insert) {
                ++passed;
                wrong_candidate_.push_back(wrong_candidate_.back() + wrong);
            }
            if (*step != EditStep::Delete) {
                place_after_.push_back(passed);
                wrong_reference_.push_back(wrong_reference_.back() + wrong);
            }
        }
    }

    // Whether a shift saves edits; the best one becomes best_.
    bool find_best() {
        const Sentence words = band_.candidate();
        best_rank_ = {0, 0, 0, 0};
        for (std::size_t first = 0; first < words.size(); ++first) {
            const std::size_t low = first > kMostDistance ? first - kMostDistance : 0;
            const std::size_t high = std::min(reference_.size(), first + kMostDistance + 1);
            for (std::size_t other = low; other < high; ++other)
                if (words[first] == reference_[other] && !try_pair(words, first, other))
                    return std::get<0>(best_rank_) > 0;
        }
        return std::get<0>(best_rank_) > 0;
    }

    // Tries to move the words from `first` on that equal those from `other` on, one word, two words and so
    // on; false once enough candidates were tried.
    bool try_pair(Sentence words, std::size_t first, std::size_t other) {
        const std::size_t most =
            std::min({kMostWords, words.size() - first, reference_.size() - other});
        for (std::size_t size = 1; size <= most && words[first + size - 1] == reference_[other + size - 1]; ++size) {
            // What is matched already stays, on either side.
            if (wrong_candidate_[first + size] == wrong_candidate_[first]) continue;
            if (wrong_reference_[other + size] == wrong_reference_[other]) continue;
            // So do words whose place is within themselves.
            const std::size_t after = place_after_[other];
            if (first < after && after <= first + size) continue;
            try_places(words, first, other, size);
            if (tried_ >= kMostCandidates) return false;
        }
        return true;
    }

    // Before the partner of the first word, then after the partner of each word.
    void try_places(Sentence words, std::size_t first, std::size_t other, std::size_t size) {
        std::size_t last_place = words.size() + 1;
        for (std::size_t offset = 0; offset <= size; ++offset) {
            const std::size_t place = other + offset == 0 ? 0 : place_after_[other + offset - 1];
            if (place == last_place) continue;
            last_place = place;
            try_place(words, first, size, place);
            ++tried_;
        }
    }

    void try_place(Sentence words, std::size_t first, std::size_t size, std::size_t place) {
        // Places beyond the moved words count them; those within or right after do not.
        const std::size_t target = place > first + size ? place - size : std::min(place, words.size() - size);
        const Shift shift{first, size, target};
        std::int32_t saved = 0;
        if (target != first) {
            shift.apply(words, shifted_);
            saved = band_.distance() - band_.distance_of(shifted_, shift.begin(), shift.end());
        }
        const Rank rank{saved, size, -static_cast<std::ptrdiff_t>(first), -static_cast<std::ptrdiff_t>(place)};
        if (saved <= 0 || rank <= best_rank_) return;
        best_rank_ = rank;
        best_ = shift;
    }

    EditBand band_;
    Sentence reference_;
    std::vector<WordShift> shifts_;
    std::vector<EditStep> steps_;
    std::vector<std::size_t> place_after_, wrong_candidate_, wrong_reference_;
    std::vector<std::int32_t> shifted_;
    std::size_t tried_ = 0;
    Rank best_rank_;
    Shift best_{};
};

// The row of a segment, from the search of its best reference.
void fill_row(const TerSearch& search, std::int64_t reference, std::int64_t* row) {
    row[0] = static_cast<std::int64_t>(search.edits());
    const auto count = [&](EditStep kind) {
        return static_cast<std::int64_t>(
            std::count(search.steps_backwards().begin(), search.steps_backwards().end(), kind));
    };
    row[2] = count(EditStep::Insert);
    row[3] = count(EditStep::Delete);
    row[4] = count(EditStep::Substitute);
    row[5] = static_cast<std::int64_t>(search.shifts().size());
    row[6] = reference;
}

}  // namespace

TerEdits ter_edits(std::span<const std::int32_t> candidate, std::span<const std::int32_t> reference) {
    TerSearch search;
    search.run(candidate, reference);
    return {search.shifts(), {search.steps_backwards().rbegin(), search.steps_backwards().rend()}};
}

std::vector<std::int64_t> ter_counts(const IdColumn& candidates, const IdColumn& references, std::size_t threads) {
    const std::size_t segments = candidates.segments();
    std::vector<std::int64_t> rows(segments * kRow);
    run_parallel(split(segments, threads, kGrain), [&](std::size_t, Range range) {
        TerSearch search;
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            std::int64_t* const row = rows.data() + segment * kRow;
            const std::size_t first = references.first_line(segment), last = references.first_line(segment + 1);
            for (std::size_t line = first; line < last; ++line) {
                const Sentence reference = references.line(line);
                row[1] += static_cast<std::int64_t>(reference.size());
                search.run(candidates.line(segment), reference);
                if (line == first || static_cast<std::int64_t>(search.edits()) < row[0])
                    fill_row(search, static_cast<std::int64_t>(line - first), row);
            }
        }
    });
    return rows;
}

}  // namespace paragauge
