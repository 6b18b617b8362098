// Phrases of a reference that rules relate to a phrase of the candidate.
// reference/rewrite/phrase_matcher.py defines the results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/columns.hpp"
#include "base/hashing.hpp"

namespace paragauge {

// Rules from phrases to phrases, indexed for lookup. All phrases are in one trie, whose nodes are
// numbered from 1; 0 is the root.
class PhraseMatcher {
public:
    // Contract: as many phrases on the left as on the right, none of them empty, no id below 0, and
    // fewer than 2^31 words in all.
    PhraseMatcher(const IdColumn& left, const IdColumn& right);

    std::size_t size() const { return right_.size(); }

    // Rows (line, first, last, first position in the candidate, rule). Contract: `candidates` has one
    // line per segment, as many as `references` has segments, and every id is an index of `known`,
    // which has the rules' number of each word, or -1.
    std::vector<std::int64_t> match(const IdColumn& references, const IdColumn& candidates,
                                    std::span<const std::int32_t> known, std::size_t threads) const;

private:
    struct Scratch;

    static std::uint64_t key(std::uint32_t node, std::int32_t word) {
        return std::uint64_t{node} << 32 | static_cast<std::uint32_t>(word);
    }

    // The node of a phrase that starts with that of `node` and goes on with `word`; 0 if there is none.
    std::uint32_t step(std::uint32_t node, std::int32_t word) const {
        if (word < 0) return 0;
        const std::uint32_t next = trie_.find(key(node, word));
        return next == KeyTable::kAbsent ? 0 : next + 1;
    }

    std::uint32_t insert(std::span<const std::int32_t> phrase);
    void read_candidate(std::span<const std::int32_t> words, std::span<const std::int32_t> known,
                        Scratch& scratch) const;
    void match_line(std::size_t number, std::span<const std::int32_t> reference,
                    std::span<const std::int32_t> candidate, std::span<const std::int32_t> known,
                    Scratch& scratch, std::vector<std::int64_t>& rows) const;

    KeyTable trie_;
    std::vector<std::uint32_t> right_;         // the node of each rule's right side
    std::vector<std::uint32_t> right_length_;  // its words
    std::size_t longest_ = 0;                  // the words of the longest of them
    std::vector<std::uint8_t> is_right_;       // whether a node is a right side
    std::vector<std::uint32_t> first_rule_;    // rules of node i: by_left_ from here to that of i + 1
    std::vector<std::uint32_t> by_left_;
};

}  // namespace paragauge
