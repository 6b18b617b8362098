// Words that two sentences do not share, and where tokens are in their text.
// reference/rewrite/unmatched.py and reference/text/token_spans.py define the results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"

namespace paragauge {

// Rows (line, position, position in the candidate). Contract: `candidates` has one line per segment,
// as many as `references` has segments, and every id is an index of `words`.
std::vector<std::int64_t> unmatched(const IdColumn& references, const IdColumn& candidates,
                                    std::span<const std::uint8_t> words, std::size_t threads);

// First byte and byte after the last, in the buffer of `lines`, of each token. Throws
// std::invalid_argument if the tokens are not Penn tokens of the lines.
// Contract: there are as many lines of tokens as lines.
std::vector<std::int64_t> token_spans(const TextColumn& lines, const TextColumn& tokens,
                                      std::size_t threads);

}  // namespace paragauge
