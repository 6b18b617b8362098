// Smoothing and reading of the n-grams of one order. These functions depend on that order but not on the
// model's, so that each is compiled once per order and not once per pair of orders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lm/estimate.hpp"
#include "lm/levels.hpp"
#include "lm/sort.hpp"

namespace paragauge {

inline void smooth_unigrams(Level<1>& unigrams) {
    std::vector<Record<2>> words;
    ContextGroup group;
    for (auto in = unigrams.counts.sorted(); in.get() != nullptr; in.next()) {
        words.push_back(*in.get());
        if (words.back()[0] > kBegin) group.add(words.back()[1]);
    }
    // The mass left over goes to all words but <s>, the unknown one included.
    const double rest = group.sum == 0 ? 1.0 : group.gamma(unigrams.discounts);
    const double uniform = 1.0 / static_cast<double>(words.size() - 1);
    for (const Record<2>& word : words) {
        double probability = rest * uniform;
        if (word[0] == kBegin)
            probability = 1.0;
        else if (word[0] != kUnknownWord)
            probability += group.own(word[1], unigrams.discounts);
        Record<3> record{word[0]};
        put(record, 1, probability);
        unigrams.probabilities.push(record);
    }
    unigrams.probabilities.seal();
}

// Discounts the counts of order K and writes them to `rotated`; what each context leaves over goes to the
// gammas of the order below.
template <std::size_t K>
void discount_order(Level<K>& own, Level<K - 1>& lower, Sorter<K, K + 4>& rotated) {
    std::vector<Record<K + 1>> members;
    auto in = own.counts.sorted();
    while (in.get() != nullptr) {
        members.clear();
        ContextGroup group;
        do {
            members.push_back(*in.get());
            group.add(members.back()[K]);
            in.next();
        } while (in.get() != nullptr &&
                 std::equal(members[0].begin(), members[0].begin() + (K - 1), in.get()->begin()));
        const double gamma = group.gamma(own.discounts);
        Record<K + 1> context;
        std::copy(members[0].begin(), members[0].begin() + (K - 1), context.begin());
        put(context, K - 1, gamma);
        lower.gammas.push(context);
        for (const Record<K + 1>& member : members) {
            if (member[K] & kPruned) continue;
            Record<K + 4> record;
            std::copy(member.begin() + 1, member.begin() + K, record.begin());
            record[K - 1] = member[0];
            put(record, K, group.own(member[K], own.discounts));
            put(record, K + 2, gamma);
            rotated.push(record);
        }
    }
    lower.gammas.seal();
}

template <std::size_t K>
void smooth_order(Level<K>& own, Level<K - 1>& lower, SpillFolder& folder, std::size_t bytes,
                  std::size_t threads) {
    // With the first word last, n-grams come in the order of the ones they back off to.
    Sorter<K, K + 4> rotated(folder, bytes, threads);
    discount_order(own, lower, rotated);
    Sorter<K, K + 2> by_words(folder, bytes, threads);
    auto backoffs = lower.probabilities.reader();
    for (auto in = rotated.sorted(); in.get() != nullptr; in.next()) {
        const Record<K + 4>& from = *in.get();
        while (!std::equal(from.begin(), from.begin() + (K - 1), backoffs.get()->begin())) backoffs.next();
        Record<K + 2> record;
        record[0] = from[K - 1];
        std::copy(from.begin(), from.begin() + (K - 1), record.begin() + 1);
        put(record, K, get(from, K) + get(from, K + 2) * get(*backoffs.get(), K - 1));
        by_words.push(record);
    }
    for (auto in = by_words.sorted(); in.get() != nullptr; in.next()) own.probabilities.push(*in.get());
    own.probabilities.seal();
}

// Appends the next n-grams of order K, at most `limit`, to the batch; unigrams have no order below.
template <std::size_t K, class Lower>
void read_order(Level<K>& own, Lower* lower, std::size_t limit, NgramBatch& batch) {
    if (!own.reading) {
        own.reading = true;
        own.probability_reader = own.probabilities.reader();
        own.gamma_reader = own.gammas.reader();
        if constexpr (K > 1) own.context_reader = lower->probabilities.reader();
    }
    const auto& in = own.probability_reader;
    for (std::size_t i = 0; i < limit && in.get() != nullptr; ++i, own.probability_reader.next()) {
        const Record<K + 2>& gram = *in.get();
        const auto gamma = [&]() -> const Record<K + 2>* { return own.gamma_reader.get(); };
        while (gamma() != nullptr && compare_keys<K>(*gamma(), gram) < 0) own.gamma_reader.next();
        const bool context = gamma() != nullptr && compare_keys<K>(*gamma(), gram) == 0;
        batch.words.insert(batch.words.end(), gram.begin(), gram.begin() + K);
        batch.probabilities.push_back(log10_of(get(gram, K)));
        batch.backoffs.push_back(context ? log10_of(get(*gamma(), K)) : 0.0F);
        if constexpr (K > 1) {
            while (!std::equal(gram.begin(), gram.begin() + (K - 1), own.context_reader.get()->begin())) {
                own.context_reader.next();
                ++own.context;
            }
        }
        batch.parents.push_back(own.context);
    }
}

}  // namespace paragauge
