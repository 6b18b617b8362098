// General categories N, P and S of Unicode, for the `intl` tokenizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace paragauge {

enum class Category : std::uint8_t { Other, Number, Punctuation, Symbol };

struct CategoryRange {
    char32_t first;
    char32_t last;
    Category category;
};

// The table of unicode_ranges.inc, in ascending order.
std::span<const CategoryRange> category_ranges();

// Contract: `c` is at most U+10FFFF.
Category category(char32_t c);

}  // namespace paragauge
