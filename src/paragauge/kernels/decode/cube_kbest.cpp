#include "decode/cube_kbest.hpp"

#include <algorithm>

namespace paragauge {

const CubeKBest::Derivation* CubeKBest::at(std::uint32_t item, std::size_t number) {
    Found& found = found_[item];
    if (!found.started) start(item, found);
    while (found.derivations.size() <= number) {
        if (found.pending) push_next(found);
        if (found.queue.empty()) return nullptr;
        take(found);
    }
    return &found.derivations[number];
}

void CubeKBest::start(std::uint32_t item, Found& found) {
    found.started = true;
    for (std::uint32_t at = chart_.item(item).first_edge; at != CubeChart::kNone; at = chart_.edge(at).next) {
        Candidate first{0, at, std::vector<std::uint32_t>(chart_.edge(at).count, 0)};
        score(first);
        found.queue.push_back(std::move(first));
    }
    std::make_heap(found.queue.begin(), found.queue.end());
}

// Sets the score; false if an item has no such derivation.
bool CubeKBest::score(Candidate& candidate) {
    const CubeChart::Edge& edge = chart_.edge(candidate.edge);
    candidate.score = edge.transition;
    for (std::size_t i = 0; i < edge.count; ++i) {
        const std::uint32_t item = chart_.tails(edge)[i];
        if (candidate.at[i] == 0) {
            candidate.score += chart_.item(item).score;  // known before any derivation is made
            continue;
        }
        const Derivation* inside = at(item, candidate.at[i]);
        if (inside == nullptr) return false;
        candidate.score += inside->score;
    }
    return true;
}

void CubeKBest::push_next(Found& found) {
    found.pending = false;
    for (std::size_t place = 0; place < found.last.at.size(); ++place) {
        Candidate next = found.last;
        ++next.at[place];
        if (score(next)) {
            found.queue.push_back(std::move(next));
            std::push_heap(found.queue.begin(), found.queue.end());
        }
        if (found.last.at[place] > 0) break;
    }
}

// Takes the best candidate, and keeps it if its text is new. Texts are told apart by 64 bits.
void CubeKBest::take(Found& found) {
    std::pop_heap(found.queue.begin(), found.queue.end());
    found.last = std::move(found.queue.back());
    found.queue.pop_back();
    found.pending = true;
    const CubeChart::Edge& edge = chart_.edge(found.last.edge);
    Derivation made{found.last.score, found.last.edge, found.last.at, {}};
    for (const std::int32_t symbol : edge.target) {
        if (symbol >= 0) {
            made.text.push_back(symbol);
            continue;
        }
        const auto i = static_cast<std::size_t>(-1 - symbol);
        const Derivation* inside = at(chart_.tails(edge)[i], found.last.at[i]);
        made.text.insert(made.text.end(), inside->text.begin(), inside->text.end());
    }
    std::uint64_t hash = 0;
    for (const std::int32_t word : made.text) hash = mix(hash ^ static_cast<std::uint32_t>(word));
    if (found.texts.insert(hash).second) found.derivations.push_back(std::move(made));
}

void CubeKBest::rules(const Derivation& derivation, std::vector<std::uint32_t>& into) {
    const CubeChart::Edge& edge = chart_.edge(derivation.edge);
    into.push_back(edge.rule);
    for (std::size_t i = 0; i < edge.count; ++i)
        rules(*at(chart_.tails(edge)[i], derivation.at[i]), into);
}

}  // namespace paragauge
