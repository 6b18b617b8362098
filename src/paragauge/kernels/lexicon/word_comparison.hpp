// Which words of two sentences have equal lemmas, equal tags or synonymous lemmas, as tables of bits: rows
// are the words of one sentence, columns those of the other.
//
// No pair of words is compared by itself. The other sentence's lemmas, tags and members of synonym sets are
// looked up in tables that say which columns have them, so a word costs as much as its set is large. Members
// that only one lemma has, as most do, connect no two words, and are told apart by a bit beforehand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bit_rows.hpp"
#include "base/hashing.hpp"
#include "lexicon/synonyms.hpp"

namespace paragauge {

struct TaggedWords {
    const std::int32_t* lemmas;
    const std::int32_t* tags;
    std::size_t size;
};

class WordComparison {
public:
    // `self`: whether a lemma without a set is a synonym of itself.
    WordComparison(const LemmaSets& sets, bool self) : sets_(sets), self_(self) {}

    // Without `synonyms` only the first two tables are filled.
    void compare(const TaggedWords& mine, const TaggedWords& theirs, bool synonyms) {
        const std::size_t words = BitRows::words_for(theirs.size);
        index(theirs.lemmas, theirs.size, words, lemma_numbers_, lemma_columns_);
        index(theirs.tags, theirs.size, words, tag_numbers_, tag_columns_);
        if (synonyms) index_members(mine, theirs, words);
        for (BitRows* rows : {&equal_, &same_lemmas_, &similar_, &similar_twice_}) rows->reset(mine.size, words);
        synonyms_.reset(1, words);
        for (std::size_t i = 0; i < mine.size; ++i) {
            const std::uint64_t* const lemma = columns_of(mine.lemmas[i], lemma_numbers_, lemma_columns_);
            const std::uint64_t* const tag = columns_of(mine.tags[i], tag_numbers_, tag_columns_);
            if (lemma != nullptr)
                for (std::size_t w = 0; w < words; ++w) {
                    same_lemmas_.row(i)[w] = lemma[w];
                    if (tag != nullptr) equal_.row(i)[w] = lemma[w] & tag[w];
                }
            if (!synonyms) continue;
            find_synonyms(mine.lemmas[i], lemma);
            const std::uint64_t* const synonym = synonyms_.row(0);
            for (std::size_t w = 0; w < words; ++w) {
                similar_.row(i)[w] = synonym[w] | (tag == nullptr ? 0 : tag[w]);
                similar_twice_.row(i)[w] = synonym[w] & (tag == nullptr ? 0 : tag[w]);
            }
        }
    }

    const BitRows& equal() const { return equal_; }                  // lemma and tag
    const BitRows& same_lemmas() const { return same_lemmas_; }
    const BitRows& similar() const { return similar_; }              // equal tags or synonyms
    const BitRows& similar_twice() const { return similar_twice_; }  // equal tags and synonyms

private:
    static constexpr std::size_t kFilterBits = 1 << 13;
    using Filter = std::array<std::uint64_t, kFilterBits / 64>;

    // Numbers the keys, and fills a row of columns for each.
    static void index(const std::int32_t* keys, std::size_t size, std::size_t words, KeyTable& numbers,
                      BitRows& columns) {
        numbers.reset(size);
        columns.reset(0, words);
        for (std::size_t j = 0; j < size; ++j) mark(keys[j], j, numbers, columns);
    }

    // Column j has the key; each key has a row.
    static void mark(std::int32_t key, std::size_t j, KeyTable& numbers, BitRows& columns) {
        const std::size_t row = numbers.insert(static_cast<std::uint32_t>(key));
        if (row == columns.rows()) columns.add_row();
        columns.set(row, j);
    }

    static const std::uint64_t* columns_of(std::int32_t key, const KeyTable& numbers, const BitRows& columns) {
        const std::uint32_t row = numbers.find(static_cast<std::uint32_t>(key));
        return row == KeyTable::kAbsent ? nullptr : columns.row(row);
    }

    void index_members(const TaggedWords& mine, const TaggedWords& theirs, std::size_t words) {
        once_.fill(0);
        shared_.fill(0);
        std::size_t members = 0, lemmas = 0;
        for (std::size_t j = 0; j < theirs.size; ++j) {
            members += sets_.of(theirs.lemmas[j]).size();
            // The first word with the lemma.
            if (lemma_numbers_.find(static_cast<std::uint32_t>(theirs.lemmas[j])) == lemmas) {
                ++lemmas;
                count(theirs.lemmas[j]);
            }
        }
        for (std::size_t i = 0; i < mine.size; ++i)
            if (columns_of(mine.lemmas[i], lemma_numbers_, lemma_columns_) == nullptr) count(mine.lemmas[i]);
        member_numbers_.reset(members);
        member_columns_.reset(0, words);
        for (std::size_t j = 0; j < theirs.size; ++j)
            for (const std::int32_t member : sets_.of(theirs.lemmas[j]))
                if (may_be_shared(member)) mark(member, j, member_numbers_, member_columns_);
    }

    void count(std::int32_t lemma) {
        for (const std::int32_t member : sets_.of(lemma)) {
            const auto bit = static_cast<std::uint32_t>(member) % kFilterBits;
            const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
            shared_[bit / 64] |= once_[bit / 64] & mask;
            once_[bit / 64] |= mask;
        }
    }

    bool may_be_shared(std::int32_t member) const {
        const auto bit = static_cast<std::uint32_t>(member) % kFilterBits;
        return shared_[bit / 64] >> (bit % 64) & 1;
    }

    void find_synonyms(std::int32_t lemma, const std::uint64_t* same) {
        const auto set = sets_.of(lemma);
        std::uint64_t* const found = synonyms_.row(0);
        const bool with_itself = same != nullptr && (self_ || !set.empty());
        for (std::size_t w = 0; w < synonyms_.words(); ++w) found[w] = with_itself ? same[w] : 0;
        for (const std::int32_t member : set) {
            if (!may_be_shared(member)) continue;
            if (const std::uint64_t* const columns = columns_of(member, member_numbers_, member_columns_))
                for (std::size_t w = 0; w < synonyms_.words(); ++w) found[w] |= columns[w];
        }
    }

    const LemmaSets& sets_;
    bool self_;
    Filter once_, shared_;  // members, by their last digits
    KeyTable lemma_numbers_, tag_numbers_, member_numbers_;
    BitRows lemma_columns_, tag_columns_, member_columns_;
    BitRows synonyms_, equal_, same_lemmas_, similar_, similar_twice_;
};

}  // namespace paragauge
