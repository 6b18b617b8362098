// Typographic characters as a typewriter has them; reference/text/typography.py has the table and is the
// specification.
#pragma once

#include <optional>

#include "base/columns.hpp"

namespace paragauge {

// Every line with its typographic characters replaced, or nothing if no line has any. A line never
// grows. Contract: lines are valid UTF-8.
std::optional<Joined> normalize_typography(const TextColumn& lines);

}  // namespace paragauge
