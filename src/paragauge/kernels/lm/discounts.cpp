// Discounts of modified Kneser-Ney smoothing, equation 26 of Chen and Goodman (1998).

#include <stdexcept>
#include <string>

#include "lm/estimate.hpp"

namespace paragauge {

namespace {

[[noreturn]] void refuse(std::size_t order, const std::string& why) {
    throw std::invalid_argument("cannot estimate the discounts of " + std::to_string(order) + "-grams: " +
                                why);
}

}  // namespace

Discounts estimate_discounts(const std::array<std::uint64_t, 5>& counts, std::size_t order,
                             const EstimateSettings& settings) {
    Discounts discounts{};
    for (std::size_t j = 1; j <= 3; ++j)
        if (counts[j] == 0) {
            if (settings.fallback) return settings.fallback_discounts;
            refuse(order, "none has adjusted count " + std::to_string(j));
        }
    const double once = static_cast<double>(counts[1]);
    const double y = once / (once + 2.0 * static_cast<double>(counts[2]));
    for (std::size_t j = 1; j <= 3; ++j) {
        const double size = static_cast<double>(j);
        const double ratio = static_cast<double>(counts[j + 1]) / static_cast<double>(counts[j]);
        discounts[j] = size - (size + 1.0) * y * ratio;
        if (discounts[j] < 0.0 || discounts[j] > size) {
            if (settings.fallback) return settings.fallback_discounts;
            refuse(order, "the one for adjusted count " + std::to_string(j) + " is out of range");
        }
    }
    return discounts;
}

}  // namespace paragauge
