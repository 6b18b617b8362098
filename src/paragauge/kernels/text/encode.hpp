// From text to integers: tokenize and number the tokens of many lines at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/columns.hpp"
#include "base/hashing.hpp"
#include "text/tokenize.hpp"

namespace paragauge {

// Numbers the tokens of each segment from 0 in order of first appearance, columns in the given
// order. Numbers are valid inside one segment only: comparing a candidate with its references
// needs no more, memory stays flat and threads stay independent.
// Contract: all columns have the same number of segments.
std::vector<Encoded> encode_segments(std::span<const TextColumn> columns, Scheme scheme,
                                     std::size_t threads);

// Numbers the tokens of one segment after the other, as encode_segments does. Lines must outlive their
// segment, because its tokens point into them.
class SegmentEncoder {
public:
    void start() {
        table_.reset();
        used_ = 0;
    }

    // Appends the ids of a line to `ids`; bytes up to `limit` may be read.
    void add(Scheme scheme, std::string_view line, const char* limit, std::vector<std::int32_t>& ids) {
        // Tokens of a rewritten line live in its scratch string until the segment is done.
        if (used_ == scratches_.size()) scratches_.emplace_back();
        std::string& scratch = scratches_[used_];
        scratch.clear();
        tokenize(scheme, line, scratch, tokens_);
        if (!scratch.empty()) {
            ++used_;
            limit = scratch.data() + scratch.size();
        }
        bool fresh = false;
        ids.resize(ids.size() + tokens_.size());
        std::int32_t* id = ids.data() + (ids.size() - tokens_.size());
        for (const std::string_view token : tokens_)
            *id++ = static_cast<std::int32_t>(table_.insert(token, limit, fresh));
    }

private:
    StringTable table_;
    Tokens tokens_;
    std::deque<std::string> scratches_;
    std::size_t used_ = 0;
};

// Tokens joined by one space, line by line.
Joined tokenize_lines(const TextColumn& lines, Scheme scheme, std::size_t threads);

// A growing numbering of tokens that holds for a whole corpus. Safe to use from several threads.
class Vocabulary {
public:
    static constexpr std::int32_t kUnknown = -1;

    Vocabulary() { table_.reset(); }
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;

    std::size_t size() const;
    const std::string& token(std::size_t id) const;  // stays valid while the vocabulary grows
    std::vector<const std::string*> tokens() const;  // all of them, for as long as the vocabulary lives
    Joined texts(std::size_t first) const;           // tokens from this number on, nothing between them
    std::int32_t add(std::string_view token);
    std::int32_t find(std::string_view token) const;
    // Adds one token per line, unchanged; returns false and adds nothing if one is known or repeated.
    bool extend(const TextColumn& lines);

    // Ids of all tokens of all lines. A new token gets the next number, in reading order, when
    // `grow`; otherwise kUnknown. The numbering does not depend on `threads`.
    Encoded encode(const TextColumn& lines, Scheme scheme, bool grow, std::size_t threads);

private:
    std::int32_t add_locked(std::string_view token);
    std::int32_t find_locked(std::string_view token) const;

    mutable std::mutex mutex_;
    StringTable table_;
    std::deque<std::string> texts_;
};

}  // namespace paragauge
