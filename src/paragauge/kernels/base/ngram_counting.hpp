// How occurrences of n-grams are counted and matched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace paragauge {

enum class Counting : std::uint8_t {
    kClip,    // every occurrence counts, and matches at most as often as the other line has it
    kSet,     // each different n-gram counts once
    kMember,  // every occurrence counts, and matches if the other line has the n-gram at all
};

constexpr std::size_t kCountings = 3;

inline Counting counting_named(std::string_view name) {
    if (name == "clip") return Counting::kClip;
    if (name == "set") return Counting::kSet;
    if (name == "member") return Counting::kMember;
    throw std::invalid_argument("unknown counting");
}

}  // namespace paragauge
