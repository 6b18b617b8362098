#include "lm/sort.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace paragauge {

void sort_few(std::uint32_t* numbers, std::size_t count, std::size_t width, std::size_t keys) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t* left = numbers + a * width;
        const std::uint32_t* right = numbers + b * width;
        return std::lexicographical_compare(left, left + keys, right, right + keys);
    });
    const std::vector<std::uint32_t> copy(numbers, numbers + count * width);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(numbers + i * width, copy.data() + order[i] * width, width * sizeof(std::uint32_t));
}

}  // namespace paragauge
