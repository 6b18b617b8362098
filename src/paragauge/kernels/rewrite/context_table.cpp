#include "rewrite/context_table.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace paragauge {

ContextTable::ContextTable(std::span<const std::int64_t> offsets,
                           std::span<const std::uint32_t> features,
                           std::span<const std::int8_t> weights, std::span<const double> scales,
                           std::span<const std::int32_t> biases, const ContextShape& shape)
    : features_(features.begin(), features.end()),
      weights_(weights.begin(), weights.end()),
      scales_(scales.begin(), scales.end()),
      biases_(biases.begin(), biases.end()),
      shape_(shape) {
    for (const std::int64_t offset : offsets) offsets_.push_back(static_cast<std::size_t>(offset));
    for (std::size_t word = 0; word < scales_.size(); ++word) {
        const std::size_t first = offsets_[word], last = offsets_[word + 1];
        unsigned bits = 1;
        while (bits < 31 && (std::size_t{4} << bits) < last - first) ++bits;
        bits_.push_back(bits);
        buckets_.push_back(ends_.size());
        std::size_t at = first;
        for (std::uint32_t bucket = 0; bucket < (std::uint32_t{1} << bits); ++bucket) {
            while (at < last && features_[at] >> (32 - bits) == bucket) ++at;
            ends_.push_back(static_cast<std::uint32_t>(at - first));
        }
    }
}

double ContextTable::score(std::span<const std::uint32_t> features, std::size_t word,
                           std::vector<std::size_t>& present) const {
    present.clear();
    const std::size_t first = offsets_[word];
    const std::uint32_t* ends = ends_.data() + buckets_[word];
    const unsigned shift = 32 - bits_[word];
    for (const std::uint32_t feature : features) {
        const std::uint32_t bucket = feature >> shift;
        for (std::size_t at = bucket == 0 ? 0 : ends[bucket - 1]; at < ends[bucket]; ++at)
            if (features_[first + at] == feature) present.push_back(first + at);
    }
    // A feature that occurs twice in the context counts once.
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    std::int64_t sum = biases_[word];
    for (const std::size_t at : present) sum += weights_[at];
    return static_cast<double>(sum) * scales_[word];
}

std::vector<double> ContextTable::scores(const HashedLines& lines,
                                         std::span<const std::int64_t> segments,
                                         std::span<const std::int64_t> positions,
                                         std::span<const std::int64_t> words,
                                         std::size_t threads) const {
    std::vector<double> result(words.size(), std::numeric_limits<double>::quiet_NaN());
    const std::span<const std::uint32_t> all(lines.words);
    run_parallel(split(words.size(), threads, 256), [&](std::size_t, Range range) {
        std::vector<std::uint32_t> features;
        std::vector<std::size_t> present;
        std::int64_t segment = -1, position = -1;
        for (std::size_t i = range.first; i < range.last; ++i) {
            if (words[i] < 0) continue;
            // Several words proposed for one place share its features.
            if (segments[i] != segment || positions[i] != position) {
                segment = segments[i];
                position = positions[i];
                features.clear();
                const auto row = static_cast<std::size_t>(segment);
                const auto first = static_cast<std::size_t>(lines.offsets[row]);
                const auto last = static_cast<std::size_t>(lines.offsets[row + 1]);
                each_feature(all.subspan(first, last - first), static_cast<std::size_t>(position), shape_,
                             [&](std::uint32_t hash, ContextPlace) { features.push_back(hash); });
            }
            result[i] = score(features, static_cast<std::size_t>(words[i]), present);
        }
    });
    return result;
}

}  // namespace paragauge
