#include "meteor.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

#include "hashing.hpp"
#include "parallel.hpp"

namespace paragauge {

namespace {

using Word = std::uint64_t;
constexpr std::int32_t kNone = -1;
constexpr std::size_t kGrain = 16;
constexpr std::size_t kNarrow = 4;
// Where no state branches, states are compared at every so many words only: it costs more than it
// saves.
constexpr std::size_t kMerge = 4;

// Two sentences with more pairs of words than this are aligned greedily.
constexpr std::size_t kLargest = std::size_t{1} << 20;

// From where a stage would have compared so many positions of partial alignments, only the best
// partial alignment is followed further.
constexpr std::size_t kPatience = std::size_t{1} << 22;

// A set of positions in the reference, as words of 64 bits.
using Bits = std::span<Word>;
using ConstBits = std::span<const Word>;

void put(Bits bits, std::size_t at) { bits[at / 64] |= Word{1} << (at % 64); }

bool has(ConstBits bits, std::size_t at) { return (bits[at / 64] >> (at % 64) & 1) != 0; }

bool empty(ConstBits bits) {
    return std::all_of(bits.begin(), bits.end(), [](Word word) { return word == 0; });
}

// std::popcount calls a function of the compiler's library where the machine may lack the instruction.
std::size_t count(Word word) {
    word -= word >> 1 & 0x5555555555555555ULL;
    word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return static_cast<std::size_t>(word * 0x0101010101010101ULL >> 56);
}

std::size_t count(ConstBits bits) {
    std::size_t total = 0;
    for (const Word word : bits) total += count(word);
    return total;
}

std::size_t count_above(ConstBits bits, std::size_t at) {
    // Twice, because a shift by 64 is undefined.
    std::size_t total = count(bits[at / 64] >> (at % 64) >> 1);
    for (std::size_t i = at / 64 + 1; i < bits.size(); ++i) total += count(bits[i]);
    return total;
}

// Calls body(position) for each position in ascending order until it says false.
template <class Body>
void each(ConstBits bits, Body body) {
    for (std::size_t i = 0; i < bits.size(); ++i)
        for (Word word = bits[i]; word != 0; word &= word - 1)
            if (!body(64 * i + static_cast<std::size_t>(std::countr_zero(word)))) return;
}

// A partial alignment: what is decided for the candidate's words so far.
struct State {
    std::int32_t matches = 0;
    std::int64_t crosses = 0;
    std::int32_t chunks = 0;
    std::int32_t last = kNone;  // where the word before is mapped to
    std::int32_t link = kNone;  // the last mapping, in links_
    std::int64_t sure = 0;      // crosses, and those with mappings that are sure to come

    bool better_than(const State& other) const {
        if (matches != other.matches) return matches > other.matches;
        if (crosses != other.crosses) return crosses < other.crosses;
        return chunks < other.chunks;
    }
    bool more_promising_than(const State& other) const {
        if (matches != other.matches) return matches > other.matches;
        if (sure != other.sure) return sure < other.sure;
        return chunks < other.chunks;
    }
};

// The words of the candidate that have the same options, when no other word has any of these: an
// alignment with the most mappings maps as many as there are words or options, whichever is less,
// and one with the fewest crosses maps them in order (to uncross two takes away their own cross and
// adds none).
struct Group {
    std::size_t words = 0;
    std::size_t options = 0;
    std::size_t left = 0;     // words that are still to come
    bool alone = true;        // no other word has any of the options
    std::size_t pending = 0;  // scratch of find_key
};

// The search of one stage goes through the candidate's words from left to right and keeps the best
// of all partial alignments that are the same for what is to come: those that leave the same options,
// have as many mappings to the right of each option, and end where a chunk can go on or not. Mappings
// of stages before take part with their one option. If more than `beam` remain, the best are kept.
class Aligner {
public:
    Aligner(std::span<const MeteorStage> stages, std::size_t beam) : stages_(stages), beam_(beam) {}

    void align(std::span<const std::int32_t> candidate, std::span<const std::int32_t> reference,
               std::int64_t* result) {
        candidate_ = candidate;
        reference_ = reference;
        map_.assign(candidate.size(), kNone);
        taken_.assign(reference.size(), 0);
        const bool large = candidate.size() * reference.size() > kLargest;
        cut_ = large;
        for (const MeteorStage& stage : stages_) {
            if (large)
                map_greedily(stage);
            else if (find_options(stage))
                search();
        }
        report(result);
    }

private:
    void report(std::int64_t* result) const {
        std::int64_t matches = 0, chunks = 0;
        for (std::size_t i = 0; i < map_.size(); ++i) {
            if (map_[i] == kNone) continue;
            ++matches;
            chunks += i == 0 || map_[i - 1] == kNone || map_[i - 1] + 1 != map_[i];
        }
        result[0] = matches;
        result[1] = chunks;
        result[2] = cut_;
    }

    void take(std::size_t i, std::size_t j) {
        map_[i] = static_cast<std::int32_t>(j);
        taken_[j] = 1;
    }

    // Each word goes to the first free position that matches it.
    void map_greedily(const MeteorStage& stage) {
        std::unordered_map<std::int32_t, std::vector<std::size_t>> places;
        for (std::size_t j = reference_.size(); j-- > 0;)
            if (!taken_[j])
                for (const std::int32_t key : stage.row(reference_[j])) places[key].push_back(j);
        for (std::size_t i = 0; i < candidate_.size(); ++i) {
            if (map_[i] != kNone) continue;
            std::size_t best = reference_.size();
            for (const std::int32_t key : stage.row(candidate_[i])) {
                const auto found = places.find(key);
                if (found == places.end()) continue;
                std::vector<std::size_t>& own = found->second;
                while (!own.empty() && taken_[own.back()]) own.pop_back();
                if (!own.empty()) best = std::min(best, own.back());
            }
            if (best < reference_.size()) take(i, best);
        }
    }

    ConstBits options(std::size_t i) const { return ConstBits(options_).subspan(i * width_, width_); }
    ConstBits later(std::size_t i) const { return ConstBits(later_).subspan(i * width_, width_); }

    // Whether a free word has an option.
    bool find_options(const MeteorStage& stage) {
        width_ = (reference_.size() + 63) / 64;
        options_.assign(candidate_.size() * width_, 0);
        bool found = false;
        for (std::size_t i = 0; i < candidate_.size(); ++i) {
            const Bits own = Bits(options_).subspan(i * width_, width_);
            if (map_[i] != kNone) {
                put(own, static_cast<std::size_t>(map_[i]));
                continue;
            }
            for (std::size_t j = 0; j < reference_.size(); ++j)
                if (!taken_[j] && stage.match(candidate_[i], reference_[j])) {
                    put(own, j);
                    found = true;
                }
        }
        return found;
    }

    void find_groups() {
        const std::size_t words = candidate_.size();
        groups_.clear();
        group_of_.assign(words, 0);
        first_of_.clear();
        std::vector<Word> seen(width_, 0), twice(width_, 0);
        for (std::size_t i = 0; i < words; ++i) {
            if (empty(options(i))) continue;
            std::size_t g = 0;
            while (g < groups_.size() && !std::ranges::equal(options(first_of_[g]), options(i))) ++g;
            if (g == groups_.size()) {
                groups_.push_back({0, count(options(i))});
                first_of_.push_back(i);
                for (std::size_t w = 0; w < width_; ++w) {
                    twice[w] |= seen[w] & options(i)[w];
                    seen[w] |= options(i)[w];
                }
            }
            group_of_[i] = g;
            ++groups_[g].words;
            ++groups_[g].left;
        }
        group_at_.resize(reference_.size());
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const ConstBits own = options(first_of_[g]);
            for (std::size_t w = 0; w < width_; ++w)
                if ((own[w] & twice[w]) != 0) groups_[g].alone = false;
            each(own, [&](std::size_t j) {
                group_at_[j] = g;
                return true;
            });
        }
        later_.assign((words + 1) * width_, 0);
        for (std::size_t i = words; i-- > 0;)
            for (std::size_t w = 0; w < width_; ++w)
                later_[i * width_ + w] = later_[(i + 1) * width_ + w] | options(i)[w];
    }

    // A first search with a narrow beam is often enough; if not, what it found bounds the second.
    void search() {
        find_groups();
        bounded_ = false;
        bool exact = run(std::min(beam_, kNarrow));
        keep_links();
        if (!exact && beam_ > kNarrow) {
            bound_ = states_[best_of(states_)];
            bounded_ = std::ranges::all_of(groups_, [](const Group& group) { return group.alone; });
            exact = run(beam_);
            // None is left if the beam has lost what the bound would have let pass.
            if (!states_.empty() && (exact || states_[best_of(states_)].better_than(bound_))) keep_links();
        }
        cut_ = cut_ || !exact;
        for (const Link& made : found_) take(made.word, made.place);
    }

    // The mappings of the best state, into found_.
    void keep_links() {
        found_.clear();
        std::int32_t link = states_[best_of(states_)].link;
        while (link != kNone) {
            found_.push_back(links_[static_cast<std::size_t>(link)]);
            link = found_.back().before;
        }
    }

    // Fills states_ with alignments of the whole sentence; says whether the best is among them.
    bool run(std::size_t beam) {
        bool exact = true;
        std::size_t effort = 0;
        links_.clear();
        states_.assign(1, State{});
        used_.assign(width_, 0);
        for (Group& group : groups_) group.left = group.words;
        for (std::size_t i = 0; i < candidate_.size() && !states_.empty(); ++i) {
            if (empty(options(i))) {
                for (State& state : states_) state.last = kNone;
                continue;
            }
            Group& group = groups_[group_of_[i]];
            --group.left;
            effort += states_.size() * group.options * (1 + count(later(i + 1)));
            const bool hurried = effort > kPatience || beam == 1;
            next_states_.clear();
            next_used_.clear();
            if (hurried)
                expand(i, group, best_of(states_));
            else
                for (std::size_t s = 0; s < states_.size(); ++s) expand(i, group, s);
            exact = exact && !(hurried && (states_.size() > 1 || next_states_.size() > 1));
            const bool branched = next_states_.size() > states_.size();
            if (next_states_.size() > 1 && (hurried || branched || i % kMerge == 0)) {
                if (hurried) {
                    order_.assign(1, best_of(next_states_));
                    keep_ordered();
                } else if (!merge(i, beam)) {
                    exact = false;
                }
            }
            states_.swap(next_states_);
            used_.swap(next_used_);
        }
        return exact;
    }

    // The first of the best.
    static std::size_t best_of(const std::vector<State>& states) {
        std::size_t best = 0;
        for (std::size_t s = 1; s < states.size(); ++s)
            if (states[s].better_than(states[best])) best = s;
        return best;
    }

    // All that word i can do after state s. Children come in the order of their mappings, the one
    // that leaves the word alone last, so that of equally good ones the first has the smallest.
    void expand(std::size_t i, const Group& group, std::size_t s) {
        const ConstBits used = ConstBits(used_).subspan(s * width_, width_);
        if (!group.alone) {
            each(options(i), [&](std::size_t j) {
                if (!has(used, j)) add_mapping(i, j, s);
                return true;
            });
            add_skip(s);
            return;
        }
        std::size_t made = 0, after = 0;
        each(options(i), [&](std::size_t j) {
            if (has(used, j)) {
                ++made;
                after = j + 1;
            }
            return true;
        });
        const std::size_t missing = std::min(group.words, group.options) - made;
        std::size_t rank = 0;
        each(options(i), [&](std::size_t j) {
            if (missing == 0 || group.options - rank < missing) return false;
            if (j >= after) add_mapping(i, j, s);
            ++rank;
            return true;
        });
        if (group.left >= missing) add_skip(s);
    }

    void add_mapping(std::size_t i, std::size_t j, std::size_t s) {
        const ConstBits used = ConstBits(used_).subspan(s * width_, width_);
        State state = states_[s];
        ++state.matches;
        state.crosses += static_cast<std::int64_t>(count_above(used, j));
        state.chunks += state.last == kNone || static_cast<std::size_t>(state.last) + 1 != j;
        state.last = static_cast<std::int32_t>(j);
        links_.push_back({state.link, i, j});
        state.link = static_cast<std::int32_t>(links_.size() - 1);
        next_states_.push_back(state);
        next_used_.insert(next_used_.end(), used.begin(), used.end());
        put(Bits(next_used_).last(width_), j);
    }

    void add_skip(std::size_t s) {
        next_states_.push_back(states_[s]);
        next_states_.back().last = kNone;
        next_used_.insert(next_used_.end(), used_.begin() + static_cast<std::ptrdiff_t>(s * width_),
                          used_.begin() + static_cast<std::ptrdiff_t>((s + 1) * width_));
    }

    // What the words after i can see of state s, into keys_. Into `sure` its crosses and those that are
    // sure to come: the words of a group that are still to be mapped take at best its last positions,
    // or all of them.
    void find_key(std::size_t i, std::size_t s) {
        State& state = next_states_[s];
        const ConstBits used = ConstBits(next_used_).subspan(s * width_, width_), future = later(i + 1);
        std::uint32_t* key = keys_.data() + s * stride_;
        std::uint32_t right = 0;
        state.sure = state.crosses;
        for (Group& group : groups_)
            group.pending = !group.alone ? 0 : group.words > group.options ? group.options : group.left;
        for (std::size_t w = width_; w-- > 0;) {
            for (Word rest = used[w] | future[w]; rest != 0;) {
                const int bit = 63 - std::countl_zero(rest);
                const Word top = Word{1} << bit;
                rest ^= top;
                const bool taken = (used[w] & top) != 0;
                if ((future[w] & top) != 0) {
                    *key++ = 2 * right + taken;
                    Group& group = groups_[group_at_[64 * w + static_cast<std::size_t>(bit)]];
                    if (!taken && group.pending > 0) {
                        --group.pending;
                        state.sure += right;
                    }
                }
                right += taken;
            }
        }
        const auto next = static_cast<std::size_t>(state.last + 1);
        const bool goes_on = state.last != kNone && next < reference_.size() &&
                             i + 1 < candidate_.size() && has(options(i + 1), next);
        *key = goes_on ? static_cast<std::uint32_t>(next + 1) : 0;
    }

    std::span<const std::uint32_t> key_of(std::size_t s) const {
        return std::span<const std::uint32_t>(keys_).subspan(s * stride_, stride_);
    }

    static std::uint64_t hash_of(std::span<const std::uint32_t> key) {
        std::uint64_t hash = 0;
        for (const std::uint32_t part : key) hash = mix(hash ^ part);
        return hash;
    }

    // Whether the state cannot lead to anything as good as the alignment that is known.
    bool is_worse_than_bound(const State& state) const {
        return state.sure > bound_.crosses || (state.sure == bound_.crosses && state.chunks > bound_.chunks);
    }

    // Keeps the best of the states that have the same key, and at most `beam` of all; says whether
    // these were all.
    bool merge(std::size_t i, std::size_t beam) {
        const std::size_t size = next_states_.size();
        std::size_t slots = 16;
        while (slots < 2 * size) slots *= 2;
        table_.assign(slots, kFree);
        stride_ = count(later(i + 1)) + 1;
        keys_.resize(size * stride_);
        alive_.assign(size, 1);
        for (std::size_t s = 0; s < size; ++s) {
            find_key(i, s);
            if (bounded_ && is_worse_than_bound(next_states_[s])) {
                alive_[s] = 0;
                continue;
            }
            std::size_t at = hash_of(key_of(s)) & (slots - 1);
            while (table_[at] != kFree && !std::ranges::equal(key_of(table_[at]), key_of(s)))
                at = (at + 1) & (slots - 1);
            if (table_[at] == kFree) {
                table_[at] = s;
            } else if (next_states_[s].better_than(next_states_[table_[at]])) {
                alive_[table_[at]] = 0;
                table_[at] = s;
            } else {
                alive_[s] = 0;
            }
        }
        order_.clear();
        for (std::size_t s = 0; s < size; ++s)
            if (alive_[s]) order_.push_back(s);
        const bool all = order_.size() <= beam;
        if (!all) {
            std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
                return next_states_[a].more_promising_than(next_states_[b]);
            });
            order_.resize(beam);
            std::sort(order_.begin(), order_.end());
        }
        keep_ordered();
        return all;
    }

    // Of the next states only those that order_ names, in its ascending order.
    void keep_ordered() {
        for (std::size_t to = 0; to < order_.size(); ++to) {
            next_states_[to] = next_states_[order_[to]];
            std::copy_n(next_used_.begin() + static_cast<std::ptrdiff_t>(order_[to] * width_), width_,
                        next_used_.begin() + static_cast<std::ptrdiff_t>(to * width_));
        }
        next_states_.resize(order_.size());
        next_used_.resize(order_.size() * width_);
    }

    static constexpr std::size_t kFree = std::numeric_limits<std::size_t>::max();
    struct Link {
        std::int32_t before;
        std::size_t word;
        std::size_t place;
    };

    std::span<const MeteorStage> stages_;
    std::size_t beam_;
    std::span<const std::int32_t> candidate_, reference_;
    bool cut_ = false;
    std::size_t width_ = 0;
    std::vector<std::int32_t> map_;    // where each word of the candidate is mapped to
    std::vector<std::uint8_t> taken_;  // positions of the reference that are mapped to
    std::vector<Word> options_, later_;
    std::vector<Group> groups_;
    std::vector<std::size_t> group_of_, first_of_, group_at_;
    std::vector<Link> links_, found_;
    std::vector<State> states_, next_states_;
    std::vector<Word> used_, next_used_;
    bool bounded_ = false;
    State bound_;
    std::size_t stride_ = 0;
    std::vector<std::uint32_t> keys_;  // stride_ for each of the next states
    std::vector<std::size_t> table_, order_;
    std::vector<std::uint8_t> alive_;
};

}  // namespace

MeteorStage::MeteorStage(std::span<const std::int32_t> all, std::span<const std::int64_t> bounds)
    : keys(all), offsets(bounds), signatures(bounds.size() - 1, 0) {
    for (std::size_t word = 0; word < signatures.size(); ++word)
        for (const std::int32_t key : row(static_cast<std::int32_t>(word)))
            signatures[word] |= Word{1} << (mix(static_cast<std::uint32_t>(key)) % 64);
}

std::span<const std::int32_t> MeteorStage::row(std::int32_t word) const {
    const auto at = static_cast<std::size_t>(word);
    return keys.subspan(static_cast<std::size_t>(offsets[at]),
                        static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
}

bool MeteorStage::match(std::int32_t a, std::int32_t b) const {
    if ((signatures[static_cast<std::size_t>(a)] & signatures[static_cast<std::size_t>(b)]) == 0) return false;
    const auto left = row(a), right = row(b);
    auto p = left.begin(), q = right.begin();
    while (p != left.end() && q != right.end()) {
        if (*p == *q) return true;
        if (*p < *q)
            ++p;
        else
            ++q;
    }
    return false;
}

std::vector<std::int64_t> meteor_alignments(const IdColumn& candidates, const IdColumn& references,
                                            std::span<const MeteorStage> stages, std::size_t beam,
                                            std::size_t threads) {
    std::vector<std::int64_t> result(3 * references.lines());
    run_parallel(split(candidates.segments(), threads, kGrain), [&](std::size_t, Range range) {
        Aligner aligner(stages, beam);
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            const auto candidate = candidates.line(candidates.first_line(segment));
            const std::size_t stop = references.first_line(segment + 1);
            for (std::size_t line = references.first_line(segment); line < stop; ++line)
                aligner.align(candidate, references.line(line), result.data() + 3 * line);
        }
    });
    return result;
}

}  // namespace paragauge
