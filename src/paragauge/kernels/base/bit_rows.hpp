// A table of bits, row after row of 64-bit words: which words or n-grams of one sentence (rows) go with
// which of another (columns).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paragauge {

class BitRows {
public:
    static constexpr std::size_t kWordBits = 64;

    static std::size_t words_for(std::size_t columns) { return (columns + kWordBits - 1) / kWordBits; }

    // `rows` rows of zeros, each of `words` 64-bit words.
    void reset(std::size_t rows, std::size_t words) {
        rows_ = rows;
        words_ = words;
        bits_.assign(rows * words, 0);
    }

    // One more row of zeros; its number.
    std::size_t add_row() {
        bits_.resize(bits_.size() + words_, 0);
        return rows_++;
    }

    std::size_t rows() const { return rows_; }
    std::size_t words() const { return words_; }
    std::uint64_t* row(std::size_t i) { return bits_.data() + i * words_; }
    const std::uint64_t* row(std::size_t i) const { return bits_.data() + i * words_; }

    void set(std::size_t i, std::size_t j) { row(i)[j / kWordBits] |= std::uint64_t{1} << (j % kWordBits); }
    bool test(std::size_t i, std::size_t j) const { return row(i)[j / kWordBits] >> (j % kWordBits) & 1; }

    // Row i keeps the columns j whose column j + by is in row i + by of `other`. Contract: 0 < by < 64.
    void keep_diagonal(const BitRows& other, std::size_t i, unsigned by) {
        std::uint64_t* const mine = row(i);
        const std::uint64_t* const theirs = other.row(i + by);
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t shifted = theirs[w] >> by;
            if (w + 1 < words_) shifted |= theirs[w + 1] << (kWordBits - by);
            mine[w] &= shifted;
        }
    }

private:
    std::size_t rows_ = 0, words_ = 0;
    std::vector<std::uint64_t> bits_;
};

}  // namespace paragauge
