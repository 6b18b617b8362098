// Work split into contiguous ranges, one thread each. The caller makes results independent of the
// number of ranges; nothing here does arithmetic.
#pragma once

#include <cstddef>
#include <vector>

namespace paragauge {

struct Range {
    std::size_t first;
    std::size_t last;
};

// At most `threads` ranges (0: one per core) of at least `grain` items that cover [0, size).
std::vector<Range> split(std::size_t size, std::size_t threads, std::size_t grain);

// What `run_parallel` calls, without its type, so that the code around threads is compiled once.
struct RangeBody {
    const void* object;
    void (*call)(const void* object, std::size_t index, Range range);
};

void run_threads(const std::vector<Range>& ranges, RangeBody body);

// Calls body(index of the range, range), each in a thread of its own; rethrows the first exception.
template <class Body>
void run_parallel(const std::vector<Range>& ranges, const Body& body) {
    run_threads(ranges, {&body, [](const void* object, std::size_t index, Range range) {
                             (*static_cast<const Body*>(object))(index, range);
                         }});
}

}  // namespace paragauge
