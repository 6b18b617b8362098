#include "matching/word_alignment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace paragauge {

namespace {

constexpr double kOppositeSimilarity = 0.75, kSynonymSimilarity = 0.9, kStemSimilarity = 0.85;
constexpr double kLettersSimilarity = 0.8, kLeastDice = 0.6;
constexpr double kNeighbor = 0.3, kDistance = 0.1;

double distance(std::size_t i, std::size_t size, std::size_t j, std::size_t other_size) {
    return std::abs((static_cast<double>(i) + 0.5) / static_cast<double>(size) -
                    (static_cast<double>(j) + 0.5) / static_cast<double>(other_size));
}

}  // namespace

void WordAligner::align(std::span<const WordType> left, std::span<const WordType> right) {
    links.assign(left.size(), {});
    reverse.assign(right.size(), {});
    link_equal(left, right, &WordType::spelling, kSameWord);
    link_equal(left, right, &WordType::lemma, kSameLemma);
    link_similar(left, right);
    link_slots(left, right);
}

bool WordAligner::linked_before(std::size_t i, std::size_t j) const {
    if (i == 0 || j == 0) return i == j;
    return links[i - 1].partner == static_cast<std::int32_t>(j - 1);
}

bool WordAligner::linked_after(std::size_t i, std::size_t j) const {
    const bool last = i + 1 == links.size(), other_last = j + 1 == reverse.size();
    if (last || other_last) return last == other_last;
    return links[i + 1].partner == static_cast<std::int32_t>(j + 1);
}

void WordAligner::add(std::size_t i, std::size_t j, WordLinkKind kind, double similarity) {
    links[i] = {static_cast<std::int32_t>(j), kind, similarity};
    reverse[j] = {static_cast<std::int32_t>(i), kind, similarity};
}

// If one side has a word more often, its occurrences are chosen in order, each as near as possible
// and with the same neighbors.
void WordAligner::link_equal(std::span<const WordType> left, std::span<const WordType> right,
                             std::int32_t WordType::*key, WordLinkKind kind) {
    for (std::size_t first = 0; first < left.size(); ++first) {
        if (links[first].kind != kUnlinked) continue;
        const std::int32_t word = left[first].*key;
        others_.clear();
        for (std::size_t j = 0; j < right.size(); ++j)
            if (right[j].*key == word && reverse[j].kind == kUnlinked) others_.push_back(j);
        if (others_.empty()) continue;
        ours_.clear();
        for (std::size_t i = first; i < left.size(); ++i)
            if (left[i].*key == word && links[i].kind == kUnlinked) ours_.push_back(i);
        if (ours_.size() == others_.size()) {
            for (std::size_t k = 0; k < ours_.size(); ++k) add(ours_[k], others_[k], kind, 1.0);
            continue;
        }
        const bool swapped = ours_.size() > others_.size();
        const auto& few = swapped ? others_ : ours_;
        const auto& many = swapped ? ours_ : others_;
        std::size_t start = 0;
        for (std::size_t rank = 0; rank < few.size(); ++rank) {
            const std::size_t stop = many.size() - (few.size() - rank - 1);
            std::size_t best = start;
            double best_score = -std::numeric_limits<double>::infinity();
            for (std::size_t choice = start; choice < stop; ++choice) {
                const std::size_t i = swapped ? many[choice] : few[rank];
                const std::size_t j = swapped ? few[rank] : many[choice];
                double score = -distance(i, left.size(), j, right.size());
                if (i > 0 && j > 0 && left[i - 1].*key == right[j - 1].*key) score += kNeighbor;
                if (i + 1 < left.size() && j + 1 < right.size() &&
                    left[i + 1].*key == right[j + 1].*key)
                    score += kNeighbor;
                if (score > best_score) best = choice, best_score = score;
            }
            if (swapped)
                add(many[best], few[rank], kind, 1.0);
            else
                add(few[rank], many[best], kind, 1.0);
            start = best + 1;
        }
    }
}

void WordAligner::link_similar(std::span<const WordType> left, std::span<const WordType> right) {
    loose_.clear();
    for (std::size_t j = 0; j < right.size(); ++j)
        if (reverse[j].kind == kUnlinked) loose_.push_back(j);
    if (loose_.empty()) return;
    edges_.clear();
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (links[i].kind != kUnlinked) continue;
        for (const std::size_t j : loose_) {
            double similarity = 0.0;
            const WordLinkKind kind = compare(left[i], right[j], similarity);
            if (kind == kUnlinked) continue;
            const double score = similarity - kDistance * distance(i, left.size(), j, right.size());
            edges_.push_back({score, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), kind,
                              similarity});
        }
    }
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
        if (a.score != b.score) return a.score > b.score;
        return a.i != b.i ? a.i < b.i : a.j < b.j;
    });
    for (const Edge& edge : edges_) {
        const auto i = static_cast<std::size_t>(edge.i), j = static_cast<std::size_t>(edge.j);
        if (links[i].kind == kUnlinked && reverse[j].kind == kUnlinked)
            add(i, j, edge.kind, edge.similarity);
    }
}

WordLinkKind WordAligner::compare(const WordType& a, const WordType& b, double& similarity) const {
    if (meet(lemmas_.own.of(a.lemma), lemmas_.opposite.of(b.lemma))) {
        similarity = kOppositeSimilarity;
        return kOpposite;
    }
    if (a.is_content() && b.is_content() &&
        meet(lemmas_.synsets.of(a.lemma), lemmas_.synsets.of(b.lemma))) {
        similarity = kSynonymSimilarity;
        return kSynonym;
    }
    const std::int32_t stem = lemmas_.stems[static_cast<std::size_t>(a.lemma)];
    const std::int32_t other_stem = lemmas_.stems[static_cast<std::size_t>(b.lemma)];
    if (stem < 0 || other_stem < 0) return kUnlinked;
    if (stem == other_stem) {
        similarity = kStemSimilarity;
        return kSameStem;
    }
    const double alike = grams_.dice_above(a.lemma, b.lemma, kLeastDice);
    if (alike == 0.0) return kUnlinked;
    similarity = kLettersSimilarity * alike;
    return kSimilarLetters;
}

void WordAligner::link_slots(std::span<const WordType> left, std::span<const WordType> right) {
    for (std::size_t i = 0; i < left.size(); ++i) {
        for (std::size_t j = 0; j < right.size() && links[i].kind == kUnlinked; ++j) {
            if (reverse[j].kind != kUnlinked) continue;
            const bool before = linked_before(i, j), after = linked_after(i, j);
            if ((before && after) || ((before || after) && left[i].category == right[j].category))
                add(i, j, kSlot, 0.0);
        }
    }
}

}  // namespace paragauge
