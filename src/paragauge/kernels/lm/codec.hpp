// The shape of one order of a trie in few bits: for each context the number of its children, then the
// distances between their ascending words. Numbers from 1 on have Elias's codes (Elias 1975): gamma for
// numbers of children (plus one), delta for distances. Bits fill bytes from the lowest up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paragauge {

// `parents` must not decrease and be below `contexts`; words of one parent must ascend.
std::string pack_children(std::span<const std::int32_t> parents, std::span<const std::int32_t> words,
                          std::size_t contexts);

struct Children {
    std::vector<std::int32_t> parents;
    std::vector<std::int32_t> words;
};

// Throws std::invalid_argument unless `packed` holds `size` children of `contexts` contexts with words
// below `words`.
Children unpack_children(std::string_view packed, std::size_t contexts, std::size_t size,
                         std::size_t words);

}  // namespace paragauge
