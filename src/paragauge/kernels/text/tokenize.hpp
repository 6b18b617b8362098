// Tokenizers: sacreBLEU's, each in one pass over the bytes of a line, and Penn's (see penn.hpp).
//
// sacreBLEU rewrites the line with a chain of regular expressions; reference/text/text.py keeps that form.
// The chains of `13a`, `zh` and `intl` differ in their character classes only, so one scanner runs
// all three (see scan() in tokenize.cpp for why one pass is enough).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace paragauge {

enum class Scheme { V13a, Intl, Char, Zh, None, Spaces, Penn };

// Throws std::invalid_argument for an unknown name.
Scheme scheme_named(std::string_view name);

// The tokens of one line; a vector whose push is always inlined, which the scanners depend on for speed.
class Tokens {
public:
    void clear() { size_ = 0; }
    void push(const char* data, std::size_t size) {
        if (size_ == storage_.size()) storage_.resize(std::max<std::size_t>(64, 2 * size_));
        storage_[size_++] = {data, size};
    }
    std::size_t size() const { return size_; }
    const std::string_view* begin() const { return storage_.data(); }
    const std::string_view* end() const { return storage_.data() + size_; }

private:
    std::vector<std::string_view> storage_;
    std::size_t size_ = 0;
};

// Appends the words of `line`: what Python's str.split() gives.
void split_words(std::string_view line, Tokens& tokens);

// Fills `tokens` with the tokens of `line` (valid UTF-8). They point into `line` or into `scratch`,
// which must outlive them and is overwritten by the next call.
void tokenize(Scheme scheme, std::string_view line, std::string& scratch, Tokens& tokens);

}  // namespace paragauge
