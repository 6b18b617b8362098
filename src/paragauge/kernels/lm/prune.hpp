// Entropy pruning (Stolcke 1998). reference/lm/prune.py defines the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lm/trie.hpp"

namespace paragauge {

struct Pruned {
    std::vector<std::vector<std::uint8_t>> kept;  // per order, 1 for each n-gram that stays
    std::vector<std::vector<float>> backoffs;     // per order, of all n-grams
};

// Removes n-grams whose removal raises the perplexity by less than the share `threshold`.
Pruned entropy_prune(std::span<const NgramLevel> levels, double threshold, std::size_t threads);

}  // namespace paragauge
