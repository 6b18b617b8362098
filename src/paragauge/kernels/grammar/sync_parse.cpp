#include "grammar/sync_parse.hpp"

#include <atomic>
#include <chrono>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t nanoseconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count();
}

SyncChart::Words line(const IdColumn& column, std::size_t i) {
    const auto first = static_cast<std::size_t>(column.offsets[i]);
    return column.ids.subspan(first, static_cast<std::size_t>(column.offsets[i + 1]) - first);
}

}  // namespace

SyncResults sync_parse(const SyncGrammar& grammar, const IdColumn& sources, const IdColumn& targets,
                       const SyncSettings& settings, std::size_t threads) {
    const std::size_t pairs = sources.lines();
    SyncResults results{std::vector<std::uint8_t>(pairs), std::vector<std::int64_t>(pairs, -1),
                        std::vector<std::int64_t>(2 * pairs, 0)};
    // Pairs differ in cost by orders of magnitude: each thread takes the next one.
    std::atomic<std::size_t> next{0};
    run_parallel(split(pairs, threads, 1), [&](std::size_t, Range) {
        SyncChart chart(grammar);
        SyncRelations relations(grammar);
        for (std::size_t pair = next++; pair < pairs; pair = next++) {
            const SyncChart::Words source = line(sources, pair), target = line(targets, pair);
            const auto start = Clock::now();
            auto middle = start;
            SyncStatus status;
            try {
                SyncBudget budget(settings);
                status = sync_status(chart, relations, source, target, settings, budget,
                                     [&middle] { middle = Clock::now(); });
                results.items[pair] = static_cast<std::int64_t>(budget.items());
            } catch (const SyncBudget::Exceeded& exceeded) {
                status = exceeded.status;
                if (middle == start) middle = Clock::now();
            }
            results.status[pair] = static_cast<std::uint8_t>(status);
            results.times[2 * pair] = nanoseconds(start, middle);
            results.times[2 * pair + 1] = nanoseconds(middle, Clock::now());
        }
    });
    return results;
}

}  // namespace paragauge
