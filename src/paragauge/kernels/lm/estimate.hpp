// Modified Kneser-Ney estimation (Chen and Goodman 1998) as KenLM's lmplz does it (Heafield et al.
// 2013), in memory of a given size. reference/lm/estimate.py defines the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace paragauge {

constexpr std::size_t kMostOrder = 6;

// Special words have the first numbers.
constexpr std::uint32_t kUnknownWord = 0;
constexpr std::uint32_t kBegin = 1;
constexpr std::uint32_t kEnd = 2;
constexpr std::uint32_t kFirstWord = 3;

using Discounts = std::array<double, 4>;  // by count: 0, 1, 2, 3 and more

struct EstimateSettings {
    std::vector<std::uint32_t> prune;  // per order: drop n-grams that occur this often or less
    bool fallback;                     // discounts to fall back to when they cannot be estimated
    Discounts fallback_discounts;
};

// Some n-grams of one order, sorted by their words.
struct NgramBatch {
    std::vector<std::int32_t> words;    // order per n-gram
    std::vector<std::int32_t> parents;  // the number of the context among the n-grams one order lower
    std::vector<float> probabilities;   // log10
    std::vector<float> backoffs;        // log10
};

// First all sentences are added, then `adjust` is called once, `smooth` once for each order from 1 on,
// and `read` for each order until it returns nothing.
class NgramEstimator {
public:
    virtual ~NgramEstimator() = default;
    virtual std::size_t order() const = 0;
    // Sentences without <s> and </s>; words from kFirstWord on.
    virtual void add(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) = 0;
    // Throws std::invalid_argument if discounts cannot be estimated.
    virtual void adjust(const EstimateSettings& settings) = 0;
    virtual void smooth() = 0;
    virtual NgramBatch read(std::size_t order, std::size_t limit) = 0;
    virtual std::vector<std::int64_t> counts() const = 0;  // n-grams of each order, after pruning
    virtual std::vector<Discounts> discounts() const = 0;
    virtual std::size_t spilled() const = 0;  // files written so far
};

std::unique_ptr<NgramEstimator> make_estimator(std::size_t order, std::size_t memory,
                                               std::string folder, std::size_t threads);

// From the numbers of n-grams that occur 1, 2, 3 and 4 times (positions 1 to 4).
Discounts estimate_discounts(const std::array<std::uint64_t, 5>& counts, std::size_t order,
                             const EstimateSettings& settings);

}  // namespace paragauge
