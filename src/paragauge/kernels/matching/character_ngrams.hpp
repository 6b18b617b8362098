// Words compared by their letters: bags of character n-grams and Dice's coefficient.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/columns.hpp"
#include "text/utf8.hpp"

namespace paragauge {

// The 1- to 3-grams of the characters of each lemma, with a mark at both ends (but not the mark
// alone): sorted, three characters of 21 bits to a number.
class CharacterNgrams {
public:
    CharacterNgrams(const TextColumn& lemmas, std::span<const char> used) : offsets_{0} {
        for (std::size_t i = 0; i < lemmas.lines(); ++i) {
            if (used[i]) add(lemmas.line(i));
            std::uint64_t bits = 0;
            for (std::size_t k = offsets_.back(); k < grams_.size(); ++k)
                bits |= std::uint64_t{1} << (grams_[k] * kMixer >> 58);
            bits_.push_back(bits);
            offsets_.push_back(grams_.size());
        }
    }

    // Dice's coefficient of two lemmas' bags.
    double dice(std::int32_t a, std::int32_t b) const {
        const auto left = of(a), right = of(b);
        std::size_t common = 0;
        auto i = left.begin(), j = right.begin();
        while (i != left.end() && j != right.end()) {
            if (*i == *j) ++common, ++i, ++j;
            else if (*i < *j) ++i;
            else ++j;
        }
        return share(common, left.size() + right.size());
    }

    // The coefficient if it is larger than `least`, else 0. Bits settle most pairs: each bit that only
    // one lemma has is that of a gram, at least, that the other does not have.
    double dice_above(std::int32_t a, std::int32_t b, double least) const {
        const std::size_t size = of(a).size(), other_size = of(b).size();
        const std::uint64_t bits = bits_[static_cast<std::size_t>(a)];
        const std::uint64_t other_bits = bits_[static_cast<std::size_t>(b)];
        const auto alone = static_cast<std::size_t>(std::popcount(bits & ~other_bits));
        const auto other_alone = static_cast<std::size_t>(std::popcount(other_bits & ~bits));
        const std::size_t most = std::min(size - alone, other_size - other_alone);
        if (!(share(most, size + other_size) > least)) return 0.0;
        const double alike = dice(a, b);
        return alike > least ? alike : 0.0;
    }

private:
    static constexpr std::uint64_t kMark = 0x110000;
    static constexpr std::uint64_t kMixer = 0x9E3779B97F4A7C15;  // the top bits of a product depend on all bits

    static double share(std::size_t common, std::size_t all) {
        return all == 0 ? 0.0 : 2.0 * static_cast<double>(common) / static_cast<double>(all);
    }

    std::span<const std::uint64_t> of(std::int32_t lemma) const {
        const auto i = static_cast<std::size_t>(lemma);
        return {grams_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
    }

    void add(std::string_view lemma) {
        points_.assign(1, kMark);
        for (std::size_t at = 0; at < lemma.size();) {
            const CodePoint point = decode(lemma.data() + at);
            points_.push_back(point.value);
            at += point.size;
        }
        points_.push_back(kMark);
        const std::size_t first = grams_.size();
        for (std::size_t n = 1; n <= 3; ++n)
            for (std::size_t i = 0; i + n <= points_.size(); ++i) {
                if (n == 1 && points_[i] == kMark) continue;
                std::uint64_t gram = 0;
                for (std::size_t k = 0; k < n; ++k) gram = gram << 21 | (points_[i + k] + 1);
                grams_.push_back(gram);
            }
        std::sort(grams_.begin() + static_cast<std::ptrdiff_t>(first), grams_.end());
    }

    std::vector<std::uint64_t> grams_, points_;
    std::vector<std::uint64_t> bits_;  // of each lemma: one of 64 is set for each of its grams
    std::vector<std::size_t> offsets_;
};

}  // namespace paragauge
