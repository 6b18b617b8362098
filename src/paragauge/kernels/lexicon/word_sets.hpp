// Shared by kernels that compare two sentences word by word: the set of words of a sentence, and
// merging the rows of several threads.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hashing.hpp"

namespace paragauge {

inline void fill(KeyTable& table, std::span<const std::int32_t> ids) {
    table.reset(ids.size());
    for (const std::int32_t id : ids) table.insert(static_cast<std::uint64_t>(id));
}

inline bool has(const KeyTable& table, std::int32_t id) {
    return table.find(static_cast<std::uint64_t>(id)) != KeyTable::kAbsent;
}

inline std::vector<std::int64_t> one_after_another(std::vector<std::vector<std::int64_t>>& parts) {
    std::vector<std::int64_t> whole = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) whole.insert(whole.end(), parts[i].begin(), parts[i].end());
    return whole;
}

}  // namespace paragauge
