// The Penn Treebank tokenizer of tokenizer.sed (MacIntyre 1995), in two passes over the bytes.
//
// reference/text/penn.py keeps the script's form, a chain of regular expressions; penn.cpp says why two
// passes give the same tokens for every string.
#pragma once

#include <string>
#include <string_view>

#include "text/tokenize.hpp"

namespace paragauge {

// Appends the tokens of `line` (valid UTF-8, no white space at its right) to `tokens`. They point
// into `scratch`, which is overwritten and is never empty afterwards.
void tokenize_penn(std::string_view line, std::string& scratch, Tokens& tokens);

}  // namespace paragauge
