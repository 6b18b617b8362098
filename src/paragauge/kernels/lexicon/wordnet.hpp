// WordNet as one table of bytes (reference/lexicon/wordnet.py describes it): words, their synsets, antonyms,
// and the exception lists of morphy (Fellbaum 1998). The table is not copied; opening it builds hash tables, the
// parts of speech of each word and the words of each synset.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "text/encode.hpp"

namespace paragauge {

enum class Pos : std::uint8_t { Noun, Verb, Adjective, Adverb };
constexpr std::size_t kPoses = 4;
constexpr std::uint8_t kAnyPos = 5;  // in lemmatize(): the first that changes the word

// 32-bit numbers in little-endian order at any address.
class Numbers {
public:
    Numbers() = default;
    Numbers(const char* at, std::size_t size) : at_(at), size_(size) {}
    std::size_t size() const { return size_; }
    std::uint32_t operator[](std::size_t i) const {
        std::uint32_t value;
        std::memcpy(&value, at_ + 4 * i, 4);
        if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap32(value);
        return value;
    }

private:
    const char* at_ = nullptr;
    std::size_t size_ = 0;
};

// Strings one after the other: string i lies between offsets i and i + 1.
struct Strings {
    Numbers offsets;
    std::string_view text;
    std::string_view operator[](std::size_t i) const {
        return {text.data() + offsets[i], offsets[i + 1] - offsets[i]};
    }
};

// Finds the number of a string among those that it was filled with.
class StringIndex {
public:
    static constexpr std::uint32_t kAbsent = KeyTable::kAbsent;
    void reserve(std::size_t strings);
    void add(std::string_view text, std::uint32_t number);
    template <class Equal>
    std::uint32_t find(std::string_view text, Equal equal) const {
        const std::uint64_t hash = hash_of(text);
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.number == kAbsent) return kAbsent;
            if (slot.tag == static_cast<std::uint32_t>(hash >> 32) && equal(slot.number)) return slot.number;
        }
    }

private:
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t number = kAbsent;
    };
    static std::uint64_t hash_of(std::string_view text) {
        return mix(text_key(text, text.data() + text.size()) + text.size());
    }
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
};

// Which numbers are in the set of a word.
enum class Relation { Synset, Shared, Forms };

// Which senses are opposites: those with a pointer between them, or also adjectives whose heads have one.
enum class Opposition { Direct, Similar };

// For each word, numbers that stand for it and numbers that stand for its opposites. Two words are
// opposites if the first set of one and the second set of the other meet.
struct OppositeSets {
    Encoded own, opposite;
};

class Morphy;

class WordNet {
public:
    // Throws std::invalid_argument for anything but a well-formed table, which must outlive this.
    explicit WordNet(std::string_view table);
    ~WordNet();

    std::string_view title() const { return title_; }
    std::size_t size() const { return masks_.size(); }
    std::string_view word(std::size_t number) const { return words_[number]; }
    std::uint32_t key(std::size_t synset) const { return keys_[synset]; }
    std::size_t synsets() const { return keys_.size(); }
    Pos pos_of(std::size_t synset) const;

    // The number of a word in lower case, or StringIndex::kAbsent.
    std::uint32_t find(std::string_view word) const {
        return index_.find(word, [&](std::uint32_t i) { return words_[i] == word; });
    }
    bool is_word(std::string_view word, Pos pos) const {
        const std::uint32_t number = find(word);
        return number != StringIndex::kAbsent && (masks_[number] >> static_cast<unsigned>(pos) & 1) != 0;
    }
    // The base form that the exception list gives, or an empty string.
    std::string_view exception(std::string_view form, Pos pos) const;
    // Forms and base forms in turn, of the whole exception list.
    std::vector<std::string_view> exceptions(Pos pos) const;

    // Synsets of a word in the order of its parts of speech and senses.
    std::vector<std::int32_t> senses(std::string_view word) const;
    // Numbers of all words that share a synset with the word, in ascending order.
    std::vector<std::int32_t> synonyms(std::string_view word) const;
    // For each line, a word: its sorted synsets, or those and the synsets of its base
    // forms, or the sorted numbers of all words that share a synset with it.
    Encoded related_sets(const TextColumn& words, Relation relation, std::size_t threads) const;
    // For each sense of the word, in the order of senses(): the words that are its antonyms, each once.
    Encoded antonyms(std::string_view word, Opposition opposition) const;
    // The sorted sets of each line, a word in any inflection; empty if it has no opposite.
    OppositeSets opposite_sets(const TextColumn& words, Opposition opposition, std::size_t threads) const;
    std::size_t antonym_pointers() const { return antonyms_.size() / 2; }
    // Tokens replaced by their base forms, `poses` says for each its part of speech plus 1, 0 or
    // kAnyPos.
    // Contract: as many `poses` as there are tokens, counted as pieces between spaces.
    Joined lemmatize(const TextColumn& lines, std::span<const std::uint8_t> poses,
                     std::size_t threads) const;

private:
    void check(bool condition, const char* message) const;
    void open_sections(std::string_view table);
    void check_strings(const Strings& strings, std::size_t count) const;
    void check_senses() const;
    void check_antonyms() const;
    void index_opposite_heads();
    template <class Visit>
    void visit_antonyms(std::size_t sense, Visit visit) const;
    template <class Visit>
    void visit_heads(std::size_t synset, Visit visit) const;
    template <class Visit>
    void visit_forms(std::string_view word, Morphy& morphy, Visit visit) const;
    std::size_t word_of_sense(std::size_t sense) const;
    void index_words();
    void index_exceptions();
    void index_synsets();
    void append_set(std::string_view word, Relation relation, Morphy& morphy,
                    std::vector<std::int32_t>& ids) const;
    void append_base(std::string_view base, Pos pos, std::vector<std::int32_t>& ids) const;

    struct FormCaches;

    std::string_view title_;
    std::array<std::size_t, kPoses + 1> first_synset_{};     // by part of speech
    std::array<std::size_t, kPoses + 1> first_exception_{};  // by part of speech
    Numbers keys_, sense_offsets_, senses_;
    Numbers antonyms_;  // pairs of places in senses_, sorted
    Numbers heads_;     // pairs of synsets, a satellite and its head, sorted
    Strings words_;
    Strings exceptions_;  // form, base, form, base ...
    StringIndex index_;
    std::array<StringIndex, kPoses> exception_index_;
    std::vector<std::uint8_t> masks_;  // bit p: the word has a synset of part of speech p
    std::vector<std::uint32_t> member_offsets_, members_;
    // Pairs of adjective synsets with an antonym pointer from a word of one to a word of the other, sorted.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> opposite_heads_;
    std::unique_ptr<FormCaches> form_caches_;  // base forms of the words of earlier calls
};

// The number of tokens of a line: its pieces between spaces, none if it is empty.
std::size_t count_tokens(std::string_view line);

// For each pair of rows of a ragged array whose rows are sorted: 1 if they are the same row or have
// a number in common.
std::vector<std::uint8_t> sets_meet(std::span<const std::int32_t> ids,
                                    std::span<const std::int64_t> offsets,
                                    std::span<const std::int64_t> left,
                                    std::span<const std::int64_t> right, std::size_t threads);

}  // namespace paragauge
