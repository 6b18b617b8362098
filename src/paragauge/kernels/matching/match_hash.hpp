// N-gram matching by numbering: any length of sentence, any ids, time linear in the length.
//
// N-grams are numbered by growing them: the n-gram at position i is the pair (number of the
// (n-1)-gram at i, token i+n-1), so every order is exact and costs one lookup for any n.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hashing.hpp"
#include "base/ngram_counting.hpp"

namespace paragauge {

inline std::uint64_t pair_key(std::uint32_t prefix, std::uint32_t word) {
    return static_cast<std::uint64_t>(prefix) << 32 | word;
}

// Numbers pairs (prefix, word) 0, 1, 2 ... in order of first insertion. While the product of the two
// ranges is small, as in sentences of ordinary length, the pair is an index into a plain array.
class PairTable {
public:
    static constexpr std::uint32_t kAbsent = KeyTable::kAbsent;

    // Empties the table for prefixes below `prefixes`, words below `words` and `pairs` insertions.
    void reset(std::size_t prefixes, std::size_t words, std::size_t pairs) {
        for (std::uint32_t i = 0; i < size_; ++i) cells_[used_[i]] = 0;
        size_ = 0;
        words_ = static_cast<std::uint32_t>(words);
        dense_ = prefixes * words <= kDenseLimit;
        if (!dense_) return sparse_.reset(pairs);
        if (cells_.size() < prefixes * words) cells_.resize(prefixes * words);
        if (used_.size() < pairs) used_.resize(pairs);
    }

    std::uint32_t insert(std::uint32_t prefix, std::uint32_t word) {
        if (!dense_) return sparse_.insert(pair_key(prefix, word));
        const std::uint32_t at = prefix * words_ + word;
        std::uint32_t& cell = cells_[at];
        if (cell == 0) {
            used_[size_] = at;
            cell = ++size_;
        }
        return cell - 1;
    }

    std::uint32_t find(std::uint32_t prefix, std::uint32_t word) const {
        if (!dense_) return sparse_.find(pair_key(prefix, word));
        return cells_[prefix * words_ + word] - 1;  // 0 - 1 is kAbsent
    }

private:
    static constexpr std::size_t kDenseLimit = 1 << 15;
    KeyTable sparse_;
    std::vector<std::uint32_t> cells_;  // number + 1, or 0
    std::vector<std::uint32_t> used_;   // cells that are not 0
    std::uint32_t size_ = 0;
    std::uint32_t words_ = 0;
    bool dense_ = true;
};

// The n-grams of one candidate, against which other sentences are matched.
class HashMatcher {
public:
    HashMatcher(std::size_t order, Counting counting) : orders_(order), counting_(counting) {}

    void start(std::span<const std::int32_t> candidate) {
        length_ = candidate.size();
        reserve(length_, words_, grams_);
        raw_range_ = 0;
        for (const std::int32_t id : candidate)
            raw_range_ = std::max<std::size_t>(raw_range_, static_cast<std::uint32_t>(id) + 1ULL);
        std::size_t prefixes = 1, words = raw_range_;
        for (std::size_t n = 1; n <= orders_.size(); ++n) {
            Order& order = orders_[n - 1];
            const std::size_t count = length_ < n ? 0 : length_ - n + 1;
            order.table.reset(prefixes, words, count);
            reserve(count, order.cells);
            Cell* const cells = order.cells.data();
            std::uint32_t size = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t gram =
                    n == 1 ? order.table.insert(0, static_cast<std::uint32_t>(candidate[i]))
                           : order.table.insert(grams_[i], words_[i + n - 1]);
                if (gram == size)
                    cells[size++] = {1, 0, 0, 0};
                else if (counting_ != Counting::kSet)
                    ++cells[gram].limit;
                grams_[i] = gram;
                if (n == 1) words_[i] = gram;
            }
            order.size = prefixes = size;
            if (n == 1) words = size;
            order.matched = 0;
        }
        line_ = 0;
    }

    void match(std::span<const std::int32_t> other) {
        reserve(other.size(), other_words_, other_grams_);
        std::uint32_t* const words = other_words_.data();
        std::uint32_t* const grams = other_grams_.data();
        const std::size_t size = other.size();
        ++line_;
        bool matched = false;
        for (std::size_t i = 0; i < size; ++i) {
            const auto id = static_cast<std::uint32_t>(other[i]);
            words[i] = id < raw_range_ ? orders_[0].table.find(0, id) : PairTable::kAbsent;
            grams[i] = words[i];
            if (words[i] == PairTable::kAbsent) continue;
            matched = true;
            meet(orders_[0], words[i]);
        }
        for (std::size_t n = 2; matched && n <= orders_.size() && n <= size; ++n) {
            Order& order = orders_[n - 1];
            matched = false;
            for (std::size_t i = 0; i + n <= size; ++i) {
                if (grams[i] == PairTable::kAbsent) continue;
                const std::uint32_t word = words[i + n - 1];
                grams[i] = word == PairTable::kAbsent ? word : order.table.find(grams[i], word);
                if (grams[i] == PairTable::kAbsent) continue;
                matched = true;
                meet(order, grams[i]);
            }
        }
    }

    // Writes the row and resets the matches.
    void finish(std::int64_t* row) {
        const std::size_t order_count = orders_.size();
        for (std::size_t n = 1; n <= order_count; ++n) {
            Order& order = orders_[n - 1];
            row[n - 1] = order.matched;
            row[order_count + n - 1] =
                static_cast<std::int64_t>(counting_ == Counting::kSet ? order.size
                                          : length_ < n               ? 0
                                                                      : length_ - n + 1);
            if (order.matched > 0)
                for (std::size_t gram = 0; gram < order.size; ++gram) order.cells[gram].best = 0;
            order.matched = 0;
        }
    }

private:
    // Occurrences of one n-gram: how many may match, how many the best line so far matched, how
    // many the line `line` has.
    struct Cell {
        std::uint32_t limit, best, occurrences, line;
    };
    struct Order {
        PairTable table;
        std::vector<Cell> cells;
        std::size_t size = 0;  // different n-grams
        std::int64_t matched = 0;
    };

    // One more occurrence of a candidate's n-gram in the current line.
    void meet(Order& order, std::uint32_t gram) const {
        Cell& cell = order.cells[gram];
        if (counting_ == Counting::kMember) {
            order.matched += cell.best == 0 ? cell.limit : 0;
            cell.best = cell.limit;
            return;
        }
        const std::uint32_t occurrences = cell.line == line_ ? cell.occurrences + 1 : 1;
        cell.line = line_;
        cell.occurrences = occurrences;
        const bool better = occurrences > cell.best && occurrences <= cell.limit;
        cell.best = better ? occurrences : cell.best;
        order.matched += better;
    }

    template <class... Vectors>
    static void reserve(std::size_t size, Vectors&... vectors) {
        ((vectors.size() < size ? vectors.resize(size) : void()), ...);
    }

    std::vector<Order> orders_;
    std::vector<std::uint32_t> words_;  // the candidate's words and n-grams, as numbers
    std::vector<std::uint32_t> grams_;
    std::vector<std::uint32_t> other_words_;
    std::vector<std::uint32_t> other_grams_;
    std::size_t length_ = 0;
    std::size_t raw_range_ = 0;  // of the candidate's ids
    std::uint32_t line_ = 0;     // number of the current line, from 1 on
    Counting counting_;
};

}  // namespace paragauge
