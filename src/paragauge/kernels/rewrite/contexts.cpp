#include "rewrite/contexts.hpp"

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace paragauge {

HashedLines hash_words(const TextColumn& lines, std::size_t threads) {
    HashedLines result;
    const std::size_t count = lines.lines();
    result.offsets.assign(count + 1, 0);
    const auto ranges = split(count, threads, 256);
    std::vector<std::vector<std::uint32_t>> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t part, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            std::string_view rest = lines.line(i);
            const std::size_t before = parts[part].size();
            for (bool more = !rest.empty(); more;) {
                const std::size_t space = rest.find(' ');
                parts[part].push_back(word_hash(rest.substr(0, space)));
                more = space != std::string_view::npos;
                if (more) rest.remove_prefix(space + 1);
            }
            result.offsets[i + 1] = static_cast<std::int64_t>(parts[part].size() - before);
        }
    });
    for (std::size_t i = 0; i < count; ++i) result.offsets[i + 1] += result.offsets[i];
    if (parts.size() == 1) {
        result.words = std::move(parts[0]);
        return result;
    }
    result.words.reserve(static_cast<std::size_t>(result.offsets.back()));
    for (const auto& part : parts) result.words.insert(result.words.end(), part.begin(), part.end());
    return result;
}

ContextFeatures context_features(std::span<const std::uint32_t> words,
                                 std::span<const std::int64_t> offsets,
                                 std::span<const std::int64_t> sentences,
                                 std::span<const std::int64_t> positions, const ContextShape& shape) {
    ContextFeatures result;
    result.offsets.push_back(0);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const auto sentence = static_cast<std::size_t>(sentences[i]);
        const auto first = static_cast<std::size_t>(offsets[sentence]);
        const auto last = static_cast<std::size_t>(offsets[sentence + 1]);
        each_feature(words.subspan(first, last - first), static_cast<std::size_t>(positions[i]), shape,
                     [&](std::uint32_t hash, ContextPlace place) {
                         result.hashes.push_back(hash);
                         result.places.insert(result.places.end(),
                                              {place.kind, place.length, place.start});
                     });
        result.offsets.push_back(static_cast<std::int64_t>(result.hashes.size()));
    }
    return result;
}

SampledPositions sample_positions(std::span<const std::int32_t> ids, std::span<const std::int32_t> rows,
                                  std::size_t wanted, std::size_t limit, std::uint64_t seed) {
    SampledPositions result;
    result.counts.assign(wanted, 0);
    std::vector<std::vector<std::int64_t>> samples(wanted);
    for (std::size_t at = 0; at < ids.size(); ++at) {
        const std::int32_t row = rows[static_cast<std::size_t>(ids[at])];
        if (row < 0) continue;
        const auto word = static_cast<std::size_t>(row);
        const auto earlier = static_cast<std::uint64_t>(result.counts[word]++);
        if (earlier < limit) {
            samples[word].push_back(static_cast<std::int64_t>(at));
            continue;
        }
        // Vitter's (1985) algorithm R: the k-th occurrence replaces one with the chance limit / k.
        const std::uint64_t place = splitmix(splitmix(seed ^ splitmix(word)) + earlier) % (earlier + 1);
        if (place < limit) samples[word][place] = static_cast<std::int64_t>(at);
    }
    result.offsets.push_back(0);
    for (const auto& positions : samples) {
        result.positions.insert(result.positions.end(), positions.begin(), positions.end());
        result.offsets.push_back(static_cast<std::int64_t>(result.positions.size()));
    }
    return result;
}

}  // namespace paragauge
