// The search for the best alignment of one stage of METEOR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"

namespace paragauge {

// A partial alignment: what is decided for the candidate's words so far.
struct MeteorState {
    static constexpr std::int32_t kNone = -1;

    std::int32_t matches = 0;
    std::int64_t crosses = 0;
    std::int32_t chunks = 0;
    std::int32_t last = kNone;  // where the word before is mapped to
    std::int32_t link = kNone;  // the last mapping, in links_
    std::int64_t sure = 0;      // crosses, and those with mappings that are sure to come

    bool better_than(const MeteorState& other) const {
        if (matches != other.matches) return matches > other.matches;
        if (crosses != other.crosses) return crosses < other.crosses;
        return chunks < other.chunks;
    }
    bool more_promising_than(const MeteorState& other) const {
        if (matches != other.matches) return matches > other.matches;
        if (sure != other.sure) return sure < other.sure;
        return chunks < other.chunks;
    }
};

// The words of the candidate that have the same options, when no other word has any of these: an
// alignment with the most mappings maps as many as there are words or options, whichever is less,
// and one with the fewest crosses maps them in order (to uncross two takes away their own cross and
// adds none).
struct MeteorGroup {
    std::size_t words = 0;
    std::size_t options = 0;
    std::size_t left = 0;     // words that are still to come
    bool alone = true;        // no other word has any of the options
    std::size_t pending = 0;  // scratch of find_key
};

// The search of one stage goes through the candidate's words from left to right and keeps the best
// of all partial alignments that are equivalent for the words to come: those that leave the same options,
// have as many mappings to the right of each option, and agree in whether a chunk can go on. Mappings
// of stages before take part with their one option. If more than `beam` remain, the best are kept.
class MeteorSearch {
public:
    using Word = bits::Word;
    using ConstBits = bits::ConstBits;
    struct Link {
        std::int32_t before;  // the mapping before it, for the search
        std::size_t word;
        std::size_t place;
    };

    explicit MeteorSearch(std::size_t beam) : beam_(beam) {}

    // Aligns words that may be mapped to the positions in `options`, as many bits as `places` for
    // each, rounded up to whole words; the mappings are in best_links(). Returns whether it is the best.
    bool solve(std::span<const Word> options, std::size_t words, std::size_t places);
    const std::vector<Link>& best_links() const { return best_links_; }

private:
    ConstBits options(std::size_t i) const { return options_.subspan(i * width_, width_); }
    ConstBits later(std::size_t i) const { return ConstBits(later_).subspan(i * width_, width_); }
    void find_groups();
    bool run(std::size_t beam);
    void keep_links();
    void expand(std::size_t i, const MeteorGroup& group, std::size_t s);
    void add_mapping(std::size_t i, std::size_t j, std::size_t s);
    void add_skip(std::size_t s);
    void find_key(std::size_t i, std::size_t s);
    std::span<const std::uint32_t> key_of(std::size_t s) const {
        return std::span<const std::uint32_t>(keys_).subspan(s * stride_, stride_);
    }
    bool is_worse_than_bound(const MeteorState& state) const {
        return state.sure > bound_.crosses || (state.sure == bound_.crosses && state.chunks > bound_.chunks);
    }
    bool merge(std::size_t i, std::size_t beam);
    void keep_ordered();

    std::size_t beam_;
    std::size_t words_ = 0, places_ = 0, width_ = 0;
    ConstBits options_;
    std::vector<Word> later_;  // options of word i and of all after it
    std::vector<MeteorGroup> groups_;
    std::vector<std::size_t> group_of_, first_of_, group_at_;
    std::vector<Link> links_, best_links_;
    std::vector<MeteorState> states_, next_states_;
    std::vector<Word> used_, next_used_;  // positions that each state has mapped to
    bool bounded_ = false;
    MeteorState bound_;
    std::size_t stride_ = 0;
    std::vector<std::uint32_t> keys_;  // stride_ for each of the next states
    std::vector<std::size_t> table_, order_;
    std::vector<std::uint8_t> alive_;
};

}  // namespace paragauge
