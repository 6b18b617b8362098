#include "base/parallel.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>

namespace paragauge {

std::vector<Range> split(std::size_t size, std::size_t threads, std::size_t grain) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t parts = std::clamp<std::size_t>(size / std::max<std::size_t>(grain, 1), 1, threads);
    std::vector<Range> ranges;
    ranges.reserve(parts);
    for (std::size_t i = 0; i < parts; ++i)
        ranges.push_back({size * i / parts, size * (i + 1) / parts});
    return ranges;
}

void run_threads(const std::vector<Range>& ranges, RangeBody body) {
    std::vector<std::exception_ptr> errors(ranges.size());
    const auto guarded = [&](std::size_t i) {
        try {
            body.call(body.object, i, ranges[i]);
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
            guarded(i);  // the system is out of threads: this one does the work
        }
    }
    guarded(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace paragauge
