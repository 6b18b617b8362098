// Work split into contiguous ranges, one thread each. The caller makes results independent of the
// number of ranges; nothing here does arithmetic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace paragauge {

struct Range {
    std::size_t first;
    std::size_t last;
};

// At most `threads` ranges (0: one per core) of at least `grain` items that cover [0, size).
inline std::vector<Range> split(std::size_t size, std::size_t threads, std::size_t grain) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t parts = std::clamp<std::size_t>(size / std::max<std::size_t>(grain, 1), 1, threads);
    std::vector<Range> ranges;
    ranges.reserve(parts);
    for (std::size_t i = 0; i < parts; ++i)
        ranges.push_back({size * i / parts, size * (i + 1) / parts});
    return ranges;
}

// Calls body(index of the range, range), each in a thread of its own; rethrows the first exception.
template <class Body>
void run_parallel(const std::vector<Range>& ranges, Body body) {
    std::vector<std::exception_ptr> errors(ranges.size());
    const auto guarded = [&](std::size_t i) {
        try {
            body(i, ranges[i]);
        } catch (...) {
            errors[i] = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(ranges.size());
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        try {
            threads.emplace_back(guarded, i);
        } catch (const std::system_error&) {
            guarded(i);  // the system gives no more threads: this one does the work
        }
    }
    guarded(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace paragauge
