// Synonymy as sets of numbers, without the strings of the lexicon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace paragauge {

// Sorted sets of numbers, one for each lemma: two lemmas are synonyms if their sets intersect.
struct LemmaSets {
    std::span<const std::int32_t> members;
    std::span<const std::int64_t> offsets;  // set of lemma i: offsets[i] to offsets[i + 1]

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const std::int32_t> of(std::int64_t lemma) const {
        const auto i = static_cast<std::size_t>(lemma);
        return members.subspan(static_cast<std::size_t>(offsets[i]),
                               static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    }
};

// Whether two sorted sets have a member in common.
inline bool meet(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
    auto i = a.begin(), j = b.begin();
    while (i != a.end() && j != b.end()) {
        if (*i == *j) return true;
        if (*i < *j)
            ++i;
        else
            ++j;
    }
    return false;
}

}  // namespace paragauge
