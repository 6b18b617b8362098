#include "rewrite/context_train.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "rewrite/boosting.hpp"
#include "rewrite/logistic.hpp"

namespace paragauge {

namespace {

constexpr double kLargest = 127;
constexpr std::uint64_t kAttempts = 100;

struct Example {
    std::int64_t position;
    std::uint8_t label;
};

// Sets of features, by hash.
struct Contexts {
    std::vector<std::uint32_t> features;
    std::vector<std::size_t> offsets{0};
};

// Weights of features by hash, of one draw after the other, and the sum of their biases.
struct NamedWeights {
    double bias = 0;
    std::vector<std::pair<std::uint32_t, double>> weights;
};

class Trainer {
public:
    Trainer(const ContextCorpus& corpus, const ContextTraining& settings)
        : corpus_(corpus), settings_(settings) {}

    ContextClassifier train(std::int32_t word, std::span<const std::int64_t> positions) {
        ContextClassifier result;
        const std::vector<Example> examples = draw(word, positions, 0);
        result.positives = static_cast<std::int64_t>(positions.size());
        result.negatives = static_cast<std::int64_t>(examples.size()) - result.positives;
        const auto held = static_cast<std::size_t>(
            std::floor(settings_.held_out * static_cast<double>(examples.size())));
        const std::span<const Example> all(examples);
        NamedWeights learned;
        learn(all.subspan(held), learned);
        std::vector<std::int64_t> known;
        for (const Example& example : all.subspan(held))
            if (example.label == 1) known.push_back(example.position);
        for (std::size_t i = 1; i < settings_.draws; ++i) {
            const std::vector<Example> more = draw(word, known, i);
            result.negatives += static_cast<std::int64_t>(more.size() - known.size());
            learn(more, learned);
        }
        std::vector<std::uint32_t> names;
        const Linear model = mean(learned, names);
        keep(model, names, result);
        test(all.first(held), result);
        return result;
    }

private:
    std::size_t sentence_of(std::int64_t position) const {
        const auto after = std::upper_bound(corpus_.offsets.begin(), corpus_.offsets.end(), position);
        return static_cast<std::size_t>(after - corpus_.offsets.begin()) - 1;
    }

    // The words around a position that may be features, and its place among them.
    std::pair<std::span<const std::int32_t>, std::size_t> around(std::int64_t position) const {
        const std::size_t sentence = sentence_of(position);
        const auto first = static_cast<std::size_t>(corpus_.offsets[sentence]);
        const auto last = static_cast<std::size_t>(corpus_.offsets[sentence + 1]);
        const auto at = static_cast<std::size_t>(position);
        const std::size_t from = at - std::min(at - first, kContextWindow);
        const std::size_t to = std::min(last, at + kContextWindow + 1);
        return {corpus_.ids.subspan(from, to - from), at - from};
    }

    // A random token of a random sentence, -1 if that is empty.
    std::int64_t token_of_a_sentence(Draws& draws) const {
        const std::size_t sentence = draws.below(corpus_.offsets.size() - 1);
        const std::int64_t first = corpus_.offsets[sentence];
        const auto length = static_cast<std::uint64_t>(corpus_.offsets[sentence + 1] - first);
        return length == 0 ? -1 : first + static_cast<std::int64_t>(draws.below(length));
    }

    // The positions, and as many negatives, shuffled; `again` counts the draws of negatives.
    std::vector<Example> draw(std::int32_t word, std::span<const std::int64_t> positions,
                              std::uint64_t again) const {
        std::vector<Example> examples;
        for (const std::int64_t position : positions) examples.push_back({position, 1});
        const auto number = static_cast<std::size_t>(word);
        Draws draws((settings_.seed + again) ^ splitmix(corpus_.hashes[number]));
        const auto first = static_cast<std::uint64_t>(corpus_.offsets.front());
        const auto tokens = static_cast<std::uint64_t>(corpus_.offsets.back()) - first;
        const std::uint64_t attempts = kAttempts * (positions.size() + 1);
        for (std::uint64_t i = 0; i < attempts && examples.size() < 2 * positions.size(); ++i) {
            const std::int64_t position = settings_.by_sentence
                                              ? token_of_a_sentence(draws)
                                              : static_cast<std::int64_t>(first + draws.below(tokens));
            if (position < 0) continue;
            const auto id = static_cast<std::size_t>(corpus_.ids[static_cast<std::size_t>(position)]);
            if ((corpus_.classes[id] & corpus_.classes[number]) == 0) continue;
            const auto words = around(position).first;
            if (std::find(words.begin(), words.end(), word) == words.end())
                examples.push_back({position, 0});
        }
        for (std::size_t i = examples.size(); i > 1; --i)
            std::swap(examples[i - 1], examples[draws.below(i)]);
        return examples;
    }

    // Trains on one draw and adds the weights to those of earlier draws.
    void learn(std::span<const Example> examples, NamedWeights& learned) {
        std::vector<std::uint32_t> names;
        const Examples numbered = number(contexts(examples), examples, names);
        const Linear model = settings_.learning.boosting
                                 ? learn_boosting(numbered, settings_.learning)
                                 : learn_logistic(numbered, settings_.learning);
        learned.bias += model.bias;
        for (std::size_t f = 0; f < names.size(); ++f)
            learned.weights.emplace_back(names[f], model.weights[f]);
    }

    // The mean over the draws; a feature that a draw lacks has no weight there.
    Linear mean(NamedWeights& learned, std::vector<std::uint32_t>& names) const {
        std::stable_sort(learned.weights.begin(), learned.weights.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        const auto draws = static_cast<double>(settings_.draws);
        Linear result{learned.bias / draws, {}};
        for (const auto& [name, weight] : learned.weights) {
            if (names.empty() || names.back() != name) {
                names.push_back(name);
                result.weights.push_back(0);
            }
            result.weights.back() += weight;
        }
        for (double& weight : result.weights) weight /= draws;
        return result;
    }

    Contexts contexts(std::span<const Example> examples) const {
        Contexts result;
        std::vector<std::uint32_t> words;
        for (const Example& example : examples) {
            const auto [ids, at] = around(example.position);
            words.clear();
            for (const std::int32_t id : ids)
                words.push_back(corpus_.hashes[static_cast<std::size_t>(id)]);
            const auto before = static_cast<std::ptrdiff_t>(result.features.size());
            each_feature(words, at, settings_.shape, [&](std::uint32_t hash, ContextPlace) {
                result.features.push_back(hash);
            });
            std::sort(result.features.begin() + before, result.features.end());
            result.features.erase(std::unique(result.features.begin() + before, result.features.end()),
                                  result.features.end());
            result.offsets.push_back(result.features.size());
        }
        return result;
    }

    // Features by number, in the order of appearance; those in too few examples are left out.
    Examples number(const Contexts& known, std::span<const Example> labeled,
                    std::vector<std::uint32_t>& names) {
        table_.reset(known.features.size());
        std::vector<std::uint32_t> ids, counts;
        ids.reserve(known.features.size());
        for (const std::uint32_t hash : known.features) {
            ids.push_back(table_.insert(hash));
            if (ids.back() == counts.size()) {
                counts.push_back(0);
                names.push_back(hash);
            }
            ++counts[ids.back()];
        }
        std::vector<std::uint32_t> numbers(counts.size(), KeyTable::kAbsent);
        Examples result;
        for (std::size_t id = 0; id < counts.size(); ++id) {
            if (counts[id] < settings_.least) continue;
            names[result.different] = names[id];
            numbers[id] = static_cast<std::uint32_t>(result.different++);
        }
        names.resize(result.different);
        for (std::size_t i = 0; i < labeled.size(); ++i) {
            for (std::size_t at = known.offsets[i]; at < known.offsets[i + 1]; ++at)
                if (numbers[ids[at]] != KeyTable::kAbsent)
                    result.features.push_back(numbers[ids[at]]);
            result.offsets.push_back(result.features.size());
            result.labels.push_back(labeled[i].label);
        }
        return result;
    }

    // The strongest weights, as whole numbers from -127 to 127.
    void keep(const Linear& model, std::span<const std::uint32_t> names,
              ContextClassifier& result) const {
        std::vector<std::size_t> order(names.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const std::size_t size = std::min(settings_.most, order.size());
        const auto stronger = [&](std::size_t a, std::size_t b) {
            const double left = std::abs(model.weights[a]), right = std::abs(model.weights[b]);
            return left != right ? left > right : names[a] < names[b];
        };
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(size), order.end(),
                          stronger);
        order.resize(size);
        const double largest = size > 0 ? std::abs(model.weights[order[0]]) : 0;
        const double strongest = std::max(largest, std::abs(model.bias) / 1e6);
        result.scale = strongest > 0 ? strongest / kLargest : 1;
        result.bias = static_cast<std::int32_t>(std::floor(model.bias / result.scale + 0.5));
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return names[a] < names[b]; });
        for (const std::size_t f : order) {
            const double code = std::floor(model.weights[f] / result.scale + 0.5);
            if (code == 0) continue;
            result.features.push_back(names[f]);
            result.weights.push_back(static_cast<std::int8_t>(code));
        }
    }

    void test(std::span<const Example> examples, ContextClassifier& result) const {
        const Contexts unseen = contexts(examples);
        for (std::size_t i = 0; i < examples.size(); ++i) {
            std::int64_t sum = result.bias;
            for (std::size_t at = unseen.offsets[i]; at < unseen.offsets[i + 1]; ++at) {
                const auto feature = std::lower_bound(result.features.begin(), result.features.end(),
                                                    unseen.features[at]);
                if (feature != result.features.end() && *feature == unseen.features[at])
                    sum += result.weights[static_cast<std::size_t>(feature - result.features.begin())];
            }
            result.correct += (sum >= 0) == (examples[i].label == 1);
        }
        result.held = static_cast<std::int64_t>(examples.size());
    }

    const ContextCorpus& corpus_;
    const ContextTraining& settings_;
    KeyTable table_;
};

}  // namespace

std::vector<ContextClassifier> train_contexts(const ContextCorpus& corpus,
                                              std::span<const std::int32_t> words,
                                              std::span<const std::int64_t> positions,
                                              std::span<const std::int64_t> samples,
                                              const ContextTraining& settings, std::size_t threads) {
    std::vector<ContextClassifier> result(words.size());
    std::atomic<std::size_t> next{0};
    // Words differ a lot in size, so each thread takes the next free one.
    run_parallel(split(words.size(), threads, 1), [&](std::size_t, Range) {
        Trainer trainer(corpus, settings);
        for (std::size_t i = next++; i < words.size(); i = next++) {
            const auto first = static_cast<std::size_t>(samples[i]);
            const auto last = static_cast<std::size_t>(samples[i + 1]);
            result[i] = trainer.train(words[i], positions.subspan(first, last - first));
        }
    });
    return result;
}

}  // namespace paragauge
