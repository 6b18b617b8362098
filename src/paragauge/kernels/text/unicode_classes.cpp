#include "text/unicode_classes.hpp"

#include <vector>

namespace paragauge {

namespace {

constexpr Category N = Category::Number;
constexpr Category P = Category::Punctuation;
constexpr Category S = Category::Symbol;

constexpr CategoryRange kRanges[] = {
#include "text/unicode_ranges.inc"
};

std::vector<Category> expand() {
    std::vector<Category> table(0x110000, Category::Other);
    for (const CategoryRange& range : kRanges)
        for (char32_t c = range.first; c <= range.last; ++c) table[c] = range.category;
    return table;
}

}  // namespace

std::span<const CategoryRange> category_ranges() { return kRanges; }

Category category(char32_t c) {
    static const std::vector<Category> table = expand();
    return table[c];
}

}  // namespace paragauge
