// The data of each order during estimation, and the arithmetic of one context.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>

#include "lm/estimate.hpp"
#include "lm/sort.hpp"

namespace paragauge {

// Marks the count of a pruned n-gram, which still counts in sums until its context is done.
constexpr std::uint32_t kPruned = 0x80000000U;
// The logarithm of zero in ARPA files.
constexpr float kLogZero = -99.0F;

template <std::size_t W>
void put(Record<W>& record, std::size_t at, double value) {
    std::memcpy(record.data() + at, &value, sizeof value);
}

template <std::size_t W>
double get(const Record<W>& record, std::size_t at) {
    double value;
    std::memcpy(&value, record.data() + at, sizeof value);
    return value;
}

inline float log10_of(double value) { return value > 0 ? static_cast<float>(std::log10(value)) : kLogZero; }

struct Share {
    std::size_t counter, counts, smoothing, spool;  // bytes of one sorter or spool

    Share(std::size_t memory, std::size_t order)
        : counter(memory / 2), counts(memory / 2 / order), smoothing(memory / 4), spool(memory / 8 / order) {}
};

// The data of the n-grams of order K.
template <std::size_t K>
struct Level {
    Level(SpillFolder& folder, const Share& share, std::size_t threads)
        : counts(folder, share.counts, threads),
          probabilities(folder, share.spool / sizeof(Record<K + 2>)),
          gammas(folder, share.spool / sizeof(Record<K + 2>)) {}

    Sorter<K, K + 1> counts;     // by words; the adjusted count, with kPruned
    Spool<K + 2> probabilities;  // by words, without pruned ones
    Spool<K + 2> gammas;         // by words: the mass that a context leaves to lower orders
    Reader<K + 2> probability_reader, gamma_reader;
    Reader<K + 1> context_reader;  // the contexts of these n-grams, which are read beside them
    Discounts discounts{};
    std::array<std::uint64_t, 5> frequencies{};  // how many have adjusted count 0 to 4
    std::int32_t context = 0;                    // of the n-gram that is read next
    bool reading = false;
};

template <std::size_t N, class Numbers = std::make_index_sequence<N>>
struct LevelsOf;
template <std::size_t N, std::size_t... I>
struct LevelsOf<N, std::index_sequence<I...>> {
    using type = std::tuple<Level<I + 1>...>;
};

// The n-grams of a context: the mass of each, and the mass left to lower orders.
struct ContextGroup {
    std::uint64_t sum = 0, lost = 0;
    std::array<std::uint64_t, 4> kinds{};

    void add(std::uint32_t marked) {
        const std::uint32_t count = marked & ~kPruned;
        sum += count;
        if (marked & kPruned)
            lost += count;
        else
            ++kinds[std::min<std::uint32_t>(count, 3)];
    }
    double gamma(const Discounts& discounts) const {
        double mass = static_cast<double>(lost);
        for (std::size_t i = 1; i <= 3; ++i) mass += discounts[i] * static_cast<double>(kinds[i]);
        return mass / static_cast<double>(sum);
    }
    double own(std::uint32_t count, const Discounts& discounts) const {
        return (count - discounts[std::min<std::uint32_t>(count, 3)]) / static_cast<double>(sum);
    }
};

}  // namespace paragauge
