#include "matching/meteor.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "matching/meteor_search.hpp"

namespace paragauge {

using namespace bits;

namespace {

constexpr std::int32_t kNone = -1;
constexpr std::size_t kGrain = 16;

// Two sentences with more pairs of words than this are aligned greedily.
constexpr std::size_t kLargest = std::size_t{1} << 20;

// Aligns sentences, one pair after the other.
class Aligner {
public:
    Aligner(std::span<const MeteorStage> stages, std::size_t beam) : stages_(stages), search_(beam) {}

    void align(std::span<const std::int32_t> candidate, std::span<const std::int32_t> reference) {
        candidate_ = candidate;
        reference_ = reference;
        map_.assign(candidate.size(), kNone);
        stage_.assign(candidate.size(), kNone);
        taken_.assign(reference.size(), 0);
        const bool large = candidate.size() * reference.size() > kLargest;
        cut_ = large;
        for (std::size_t number = 0; number < stages_.size(); ++number) {
            now_ = static_cast<std::int32_t>(number);
            if (large)
                map_greedily(stages_[number]);
            else if (find_options(stages_[number]))
                map_best();
        }
    }

    // For each word of the candidate its position in the reference and its stage, or kNone twice.
    std::vector<std::int64_t> links() const {
        std::vector<std::int64_t> result;
        for (std::size_t i = 0; i < map_.size(); ++i) {
            result.push_back(map_[i]);
            result.push_back(stage_[i]);
        }
        return result;
    }

    void report(std::int64_t* result) const {
        std::int64_t matches = 0, chunks = 0;
        for (std::size_t i = 0; i < map_.size(); ++i) {
            if (map_[i] == kNone) continue;
            ++matches;
            chunks += i == 0 || map_[i - 1] == kNone || map_[i - 1] + 1 != map_[i];
        }
        result[0] = matches;
        result[1] = chunks;
        result[2] = cut_;
    }

private:
    void take(std::size_t i, std::size_t j) {
        // The search gives back the mappings of earlier stages too.
        if (map_[i] == kNone) stage_[i] = now_;
        map_[i] = static_cast<std::int32_t>(j);
        taken_[j] = 1;
    }

    // Each word goes to the first free position that matches it.
    void map_greedily(const MeteorStage& stage) {
        std::unordered_map<std::int32_t, std::vector<std::size_t>> places;
        for (std::size_t j = reference_.size(); j-- > 0;)
            if (!taken_[j])
                for (const std::int32_t key : stage.row(reference_[j])) places[key].push_back(j);
        for (std::size_t i = 0; i < candidate_.size(); ++i) {
            if (map_[i] != kNone) continue;
            std::size_t best = reference_.size();
            for (const std::int32_t key : stage.row(candidate_[i])) {
                const auto places_of_key = places.find(key);
                if (places_of_key == places.end()) continue;
                std::vector<std::size_t>& own = places_of_key->second;
                while (!own.empty() && taken_[own.back()]) own.pop_back();
                if (!own.empty()) best = std::min(best, own.back());
            }
            if (best < reference_.size()) take(i, best);
        }
    }

    void map_best() {
        if (!search_.solve(options_, candidate_.size(), reference_.size())) cut_ = true;
        for (const MeteorSearch::Link& link : search_.best_links()) take(link.word, link.place);
    }

    // Fills options_, existing mappings included; returns whether a free word has any.
    bool find_options(const MeteorStage& stage) {
        const std::size_t width = (reference_.size() + 63) / 64;
        options_.assign(candidate_.size() * width, 0);
        bool any = false;
        for (std::size_t i = 0; i < candidate_.size(); ++i) {
            const Bits own = Bits(options_).subspan(i * width, width);
            if (map_[i] != kNone) {
                put(own, static_cast<std::size_t>(map_[i]));
                continue;
            }
            for (std::size_t j = 0; j < reference_.size(); ++j)
                if (!taken_[j] && stage.match(candidate_[i], reference_[j])) {
                    put(own, j);
                    any = true;
                }
        }
        return any;
    }

    std::span<const MeteorStage> stages_;
    MeteorSearch search_;
    std::span<const std::int32_t> candidate_, reference_;
    bool cut_ = false;
    std::int32_t now_ = kNone;         // the stage that adds mappings
    std::vector<std::int32_t> map_;    // where each word of the candidate is mapped to
    std::vector<std::int32_t> stage_;  // the stage that mapped it
    std::vector<std::uint8_t> taken_;  // positions of the reference that are mapped to
    std::vector<Word> options_;        // where it may be mapped to
};

}  // namespace

MeteorStage::MeteorStage(std::span<const std::int32_t> all, std::span<const std::int64_t> bounds)
    : keys(all), offsets(bounds), signatures(bounds.size() - 1, 0) {
    for (std::size_t word = 0; word < signatures.size(); ++word)
        for (const std::int32_t key : row(static_cast<std::int32_t>(word)))
            signatures[word] |= Word{1} << (mix(static_cast<std::uint32_t>(key)) % 64);
}

std::span<const std::int32_t> MeteorStage::row(std::int32_t word) const {
    const auto at = static_cast<std::size_t>(word);
    return keys.subspan(static_cast<std::size_t>(offsets[at]),
                        static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
}

bool MeteorStage::match(std::int32_t a, std::int32_t b) const {
    if ((signatures[static_cast<std::size_t>(a)] & signatures[static_cast<std::size_t>(b)]) == 0) return false;
    const auto left = row(a), right = row(b);
    auto p = left.begin(), q = right.begin();
    while (p != left.end() && q != right.end()) {
        if (*p == *q) return true;
        if (*p < *q)
            ++p;
        else
            ++q;
    }
    return false;
}

std::vector<std::int64_t> meteor_alignments(const IdColumn& candidates, const IdColumn& references,
                                            std::span<const MeteorStage> stages, std::size_t beam,
                                            std::size_t threads) {
    std::vector<std::int64_t> result(3 * references.lines());
    run_parallel(split(candidates.segments(), threads, kGrain), [&](std::size_t, Range range) {
        Aligner aligner(stages, beam);
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            const auto candidate = candidates.line(candidates.first_line(segment));
            const std::size_t stop = references.first_line(segment + 1);
            for (std::size_t line = references.first_line(segment); line < stop; ++line) {
                aligner.align(candidate, references.line(line));
                aligner.report(result.data() + 3 * line);
            }
        }
    });
    return result;
}

std::vector<std::int64_t> meteor_links(std::span<const std::int32_t> candidate,
                                       std::span<const std::int32_t> reference,
                                       std::span<const MeteorStage> stages, std::size_t beam) {
    Aligner aligner(stages, beam);
    aligner.align(candidate, reference);
    return aligner.links();
}

}  // namespace paragauge
