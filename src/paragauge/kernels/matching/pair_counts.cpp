#include "matching/ngrams.hpp"

#include <array>
#include <optional>

#include "matching/segment_matcher.hpp"
#include "text/encode.hpp"

namespace paragauge {

namespace {

struct PairTables {
    SegmentEncoder encoder;
    std::array<std::optional<SegmentMatcher>, kCountings> matchers;
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> offsets;
    PairCounts counts;
};

}  // namespace

const PairCounts& match_pair(std::string_view candidate, std::span<const std::string_view> others,
                             Scheme scheme, const MatchSettings& settings) {
    thread_local PairTables tables;
    tables.encoder.start();
    tables.ids.clear();
    tables.offsets.assign(1, 0);
    tables.counts.lengths.clear();
    const auto add = [&](std::string_view line) {
        tables.encoder.add(scheme, line, line.data() + line.size(), tables.ids);
        const auto end = static_cast<std::int64_t>(tables.ids.size());
        tables.counts.lengths.push_back(end - tables.offsets.back());
        tables.offsets.push_back(end);
    };
    add(candidate);
    for (const std::string_view other : others) add(other);
    std::optional<SegmentMatcher>& matcher = tables.matchers[static_cast<std::size_t>(settings.counting)];
    if (!matcher || matcher->order() != settings.order) matcher.emplace(settings.order, settings.counting);
    const std::array<std::int64_t, 2> groups{0, static_cast<std::int64_t>(others.size())};
    const std::span<const std::int64_t> offsets(tables.offsets);
    tables.counts.rows.assign((settings.joint ? 1 : others.size()) * 2 * settings.order, 0);
    matcher->match({tables.ids, offsets.first(2), {}}, {tables.ids, offsets.subspan(1), groups},
                   settings.joint, 0, tables.counts.rows.data());
    return tables.counts;
}

double novelty(const PairCounts& counts, double missing) {
    const std::size_t order = counts.rows.size() / 2;
    double sum = 0.0;
    std::size_t orders = 0;
    for (std::size_t n = 0; n < order; ++n) {
        const auto matched = static_cast<double>(counts.rows[n]);
        const auto all = static_cast<double>(counts.rows[order + n]);
        if (all > 0.0) {
            sum += (all - matched) / all;
            ++orders;
        } else if (missing >= 0.0) {
            sum += missing;
            ++orders;
        }
    }
    return sum / static_cast<double>(orders == 0 ? 1 : orders);
}

}  // namespace paragauge
