#include "decode/cube_kbest.hpp"

#include <algorithm>

namespace paragauge {

const CubeKBest::Derivation* CubeKBest::at(std::uint32_t item, std::size_t number) {
    Progress& progress = progress_[item];
    if (!progress.started) start(item, progress);
    while (progress.derivations.size() <= number) {
        if (progress.pending) push_next(progress);
        if (progress.queue.empty()) return nullptr;
        take(progress);
    }
    return &progress.derivations[number];
}

void CubeKBest::start(std::uint32_t item, Progress& progress) {
    progress.started = true;
    for (std::uint32_t at = chart_.item(item).first_edge; at != CubeChart::kNone; at = chart_.edge(at).next) {
        Candidate first{0, at, std::vector<std::uint32_t>(chart_.edge(at).count, 0)};
        score(first);
        progress.queue.push_back(std::move(first));
    }
    std::make_heap(progress.queue.begin(), progress.queue.end());
}

// Sets the score; false if an item has no such derivation.
bool CubeKBest::score(Candidate& candidate) {
    const CubeChart::Edge& edge = chart_.edge(candidate.edge);
    candidate.score = edge.transition;
    for (std::size_t i = 0; i < edge.count; ++i) {
        const std::uint32_t item = chart_.tails(edge)[i];
        if (candidate.at[i] == 0) {
            candidate.score += chart_.item(item).score;  // known before any derivation exists
            continue;
        }
        const Derivation* inside = at(item, candidate.at[i]);
        if (inside == nullptr) return false;
        candidate.score += inside->score;
    }
    return true;
}

void CubeKBest::push_next(Progress& progress) {
    progress.pending = false;
    for (std::size_t place = 0; place < progress.last.at.size(); ++place) {
        Candidate next = progress.last;
        ++next.at[place];
        if (score(next)) {
            progress.queue.push_back(std::move(next));
            std::push_heap(progress.queue.begin(), progress.queue.end());
        }
        if (progress.last.at[place] > 0) break;
    }
}

// Takes the best candidate, and keeps it if its text is new. Texts are compared by a 64-bit hash.
void CubeKBest::take(Progress& progress) {
    std::pop_heap(progress.queue.begin(), progress.queue.end());
    progress.last = std::move(progress.queue.back());
    progress.queue.pop_back();
    progress.pending = true;
    const CubeChart::Edge& edge = chart_.edge(progress.last.edge);
    Derivation derivation{progress.last.score, progress.last.edge, progress.last.at, {}};
    for (const std::int32_t symbol : edge.target) {
        if (symbol >= 0) {
            derivation.text.push_back(symbol);
            continue;
        }
        const auto i = static_cast<std::size_t>(-1 - symbol);
        const Derivation* inside = at(chart_.tails(edge)[i], progress.last.at[i]);
        derivation.text.insert(derivation.text.end(), inside->text.begin(), inside->text.end());
    }
    std::uint64_t hash = 0;
    for (const std::int32_t word : derivation.text) hash = mix(hash ^ static_cast<std::uint32_t>(word));
    if (progress.texts.insert(hash).second) progress.derivations.push_back(std::move(derivation));
}

void CubeKBest::rules(const Derivation& derivation, std::vector<std::uint32_t>& into) {
    const CubeChart::Edge& edge = chart_.edge(derivation.edge);
    into.push_back(edge.rule);
    for (std::size_t i = 0; i < edge.count; ++i)
        rules(*at(chart_.tails(edge)[i], derivation.at[i]), into);
}

}  // namespace paragauge
