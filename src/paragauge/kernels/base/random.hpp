// Random numbers from counters: the same for any order of work and any number of threads.
#pragma once

#include <cstdint>

namespace paragauge {

// The output function of SplitMix64 (Steele, Lea and Flood 2014), used on counters.
inline std::uint64_t splitmix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

// A stream of random numbers.
class Draws {
public:
    explicit Draws(std::uint64_t stream) : stream_(splitmix(stream)) {}

    // A whole number from 0 to `limit` - 1; the bias of the remainder is below `limit` / 2^64.
    std::uint64_t below(std::uint64_t limit) { return splitmix(stream_ + count_++) % limit; }

private:
    std::uint64_t stream_;
    std::uint64_t count_ = 0;
};

}  // namespace paragauge
