#include "base/columns.hpp"

namespace paragauge {

Joined one_after_another(std::span<const Joined> parts) {
    Joined whole{{}, {0}};
    for (const Joined& part : parts) {
        const auto base = static_cast<std::int64_t>(whole.text.size());
        for (const std::int64_t end : part.offsets) whole.offsets.push_back(base + end);
        whole.text += part.text;
    }
    return whole;
}

}  // namespace paragauge
