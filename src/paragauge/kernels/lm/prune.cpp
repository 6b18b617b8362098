#include "lm/prune.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "lm/model.hpp"

namespace paragauge {

namespace {

constexpr double kLogZero = -99;
constexpr std::size_t kGrain = 256;

class Pruner {
public:
    Pruner(std::span<const NgramLevel> levels, std::size_t threads)
        : levels_(levels), threads_(threads), model_(levels, threads) {
        result_.kept.reserve(levels.size());
        for (const NgramLevel& level : levels) {
            result_.kept.emplace_back(level.size(), std::uint8_t{1});
            result_.backoffs.emplace_back(level.backoffs.begin(), level.backoffs.end());
            std::vector<double> logs(level.size());
            const std::size_t k = result_.kept.size() - 1;
            for (std::size_t i = 0; i < level.size(); ++i) {
                const auto parent = static_cast<std::size_t>(level.parents[i]);
                const double before = k == 0 ? 0 : contexts_[k - 1][parent];
                // <s> is as frequent as </s>, and has no probability of its own.
                const std::size_t at = k == 0 && i == kBegin ? kEnd : i;
                logs[i] = before + level.probabilities[at];
            }
            contexts_.push_back(std::move(logs));
        }
    }

    Pruned run(double threshold) {
        for (std::size_t k = levels_.size() - 1; k > 0; --k) choose(k, threshold);
        for (std::size_t k = 0; k + 1 < levels_.size(); ++k) balance(k);
        return std::move(result_);
    }

private:
    // The children, of order k + 1 (from 0), of each context: bounds in the order's arrays.
    std::vector<std::size_t> bounds(std::size_t k) const {
        std::vector<std::size_t> offsets(levels_[k - 1].size() + 1, 0);
        for (const std::int32_t parent : levels_[k].parents) ++offsets[static_cast<std::size_t>(parent) + 1];
        for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
        return offsets;
    }

    // Marks the n-grams of order k + 1 to remove; contexts of others stay.
    void choose(std::size_t k, double threshold) {
        const NgramLevel& level = levels_[k];
        std::vector<std::uint8_t> needed(level.size(), 0);
        if (k + 1 < levels_.size())
            for (std::size_t i = 0; i < levels_[k + 1].size(); ++i)
                if (result_.kept[k + 1][i]) needed[static_cast<std::size_t>(levels_[k + 1].parents[i])] = 1;
        const std::vector<std::size_t> starts = bounds(k);
        run_parallel(split(starts.size() - 1, threads_, kGrain), [&](std::size_t, Range range) {
            std::vector<double> lower;
            for (std::size_t context = range.first; context < range.last; ++context) {
                const Node node = model_.first(k - 1) + static_cast<Node>(context);
                double mass = 0, mass_lower = 0;
                lower.clear();
                for (std::size_t i = starts[context]; i < starts[context + 1]; ++i) {
                    Node state = model_.suffix(node);
                    lower.push_back(model_.step(state, static_cast<std::uint32_t>(level.words[i])).log10);
                    mass += std::pow(10.0, level.probabilities[i]);
                    mass_lower += std::pow(10.0, lower.back());
                }
                const double left = std::max(0.0, 1 - mass), left_lower = std::max(0.0, 1 - mass_lower);
                for (std::size_t i = starts[context]; i < starts[context + 1]; ++i) {
                    if (needed[i]) continue;
                    const double own = level.probabilities[i], low = lower[i - starts[context]];
                    const double p = std::pow(10.0, own);
                    const double after = std::log10(left + p) - std::log10(left_lower + std::pow(10.0, low));
                    double change = p * (low + after - own);
                    if (left > 0 && left_lower > 0)
                        change += left * (after - std::log10(left) + std::log10(left_lower));
                    const double loss = -std::pow(10.0, contexts_[k - 1][context]) * change;
                    if (std::pow(10.0, loss) - 1 < threshold) result_.kept[k][i] = 0;
                }
            }
        });
    }

    // The back-offs of the n-grams of order k + 1, which make each context sum to one again.
    void balance(std::size_t k) {
        const NgramLevel& level = levels_[k + 1];
        const std::vector<std::size_t> starts = bounds(k + 1);
        run_parallel(split(starts.size() - 1, threads_, kGrain), [&](std::size_t, Range range) {
            for (std::size_t context = range.first; context < range.last; ++context) {
                double mass = 0, mass_lower = 0;
                bool any = false;
                for (std::size_t i = starts[context]; i < starts[context + 1]; ++i) {
                    if (!result_.kept[k + 1][i]) continue;
                    any = true;
                    mass += std::pow(10.0, level.probabilities[i]);
                    const auto word = static_cast<std::uint32_t>(level.words[i]);
                    mass_lower += std::pow(10.0, shorter(k, context, word));
                }
                const double left = 1 - mass, left_lower = 1 - mass_lower;
                double backoff = 0;
                if (any && left_lower > 0) backoff = left > 0 ? std::log10(left / left_lower) : kLogZero;
                result_.backoffs[k][context] = static_cast<float>(backoff);
            }
        });
    }

    // log10 of `word` after the context without its first word, by the n-grams that are left.
    double shorter(std::size_t k, std::size_t context, std::uint32_t word) const {
        double sum = 0;
        Node state = model_.suffix(model_.first(k) + static_cast<Node>(context));
        for (; state != kRoot; state = model_.suffix(state)) {
            if (const TrieTable::Slot* slot = model_.child(state, word)) {
                const std::size_t level = model_.length_of(slot->node) - 1;
                if (result_.kept[level][slot->node - model_.first(level)]) return sum + slot->probability;
            }
            const std::size_t at = model_.length_of(state) - 1;
            sum += result_.backoffs[at][state - model_.first(at)];
        }
        return sum + levels_[0].probabilities[word];
    }

    std::span<const NgramLevel> levels_;
    std::size_t threads_;
    NgramModel model_;
    std::vector<std::vector<double>> contexts_;  // log10 of each n-gram as the start of a text
    Pruned result_;
};

}  // namespace

Pruned entropy_prune(std::span<const NgramLevel> levels, double threshold, std::size_t threads) {
    return Pruner(levels, threads).run(threshold);
}

}  // namespace paragauge
