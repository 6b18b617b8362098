// Tokenisers with sacreBLEU's output, each in one pass over the bytes of a line.
//
// sacreBLEU rewrites the line with a chain of regular expressions; reference.py keeps that form.
// The chains of `13a`, `zh` and `intl` differ in their character classes only, so one scanner runs
// all three (see scan() in tokenise.cpp for why one pass is enough).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paragauge {

enum class Scheme { V13a, Intl, Char, Zh, None };

// Throws std::invalid_argument for an unknown name.
Scheme scheme_named(std::string_view name);

using Tokens = std::vector<std::string_view>;

// Fills `tokens` with the tokens of `line` (valid UTF-8). They point into `line` or into `scratch`,
// which must outlive them and is overwritten by the next call.
void tokenise(Scheme scheme, std::string_view line, std::string& scratch, Tokens& tokens);

}  // namespace paragauge
