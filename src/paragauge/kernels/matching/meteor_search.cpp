#include "matching/meteor_search.hpp"

#include <algorithm>
#include <limits>

#include "base/hashing.hpp"

namespace paragauge {

using namespace bits;

namespace {

constexpr std::int32_t kNone = MeteorState::kNone;
constexpr std::size_t kFree = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kNarrow = 4;

// While no state branches, states are compared only once in this many words: comparing costs more than
// it saves.
constexpr std::size_t kMerge = 4;

// When a stage has compared this many positions of partial alignments, only the best partial
// alignment is followed further.
constexpr std::size_t kPatience = std::size_t{1} << 22;

// The first of the best states.
std::size_t best_of(const std::vector<MeteorState>& states) {
    std::size_t best = 0;
    for (std::size_t s = 1; s < states.size(); ++s)
        if (states[s].better_than(states[best])) best = s;
    return best;
}

std::uint64_t hash_of(std::span<const std::uint32_t> key) {
    std::uint64_t hash = 0;
    for (const std::uint32_t part : key) hash = mix(hash ^ part);
    return hash;
}

}  // namespace

// A first search with a narrow beam is often enough; if not, its result bounds the second.
bool MeteorSearch::solve(std::span<const Word> options, std::size_t words, std::size_t places) {
    options_ = options;
    words_ = words;
    places_ = places;
    width_ = (places + 63) / 64;
    find_groups();
    bounded_ = false;
    bool exact = run(std::min(beam_, kNarrow));
    keep_links();
    if (!exact && beam_ > kNarrow) {
        bound_ = states_[best_of(states_)];
        bounded_ = std::ranges::all_of(groups_, [](const MeteorGroup& group) { return group.alone; });
        exact = run(beam_);
        // No state is left if the beam has dropped those within the bound.
        if (!states_.empty() && (exact || states_[best_of(states_)].better_than(bound_))) keep_links();
    }
    return exact;
}

void MeteorSearch::find_groups() {
    const std::size_t words = words_;
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
    group_at_.resize(places_);
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

// The mappings of the best state, into best_links_.
void MeteorSearch::keep_links() {
    best_links_.clear();
    std::int32_t link = states_[best_of(states_)].link;
    while (link != kNone) {
        best_links_.push_back(links_[static_cast<std::size_t>(link)]);
        link = best_links_.back().before;
    }
}

// Fills states_ with alignments of the whole sentence; returns whether the best is among them.
bool MeteorSearch::run(std::size_t beam) {
    bool exact = true;
    std::size_t effort = 0;
    links_.clear();
    states_.assign(1, MeteorState{});
    used_.assign(width_, 0);
    for (MeteorGroup& group : groups_) group.left = group.words;
    for (std::size_t i = 0; i < words_ && !states_.empty(); ++i) {
        if (empty(options(i))) {
            for (MeteorState& state : states_) state.last = kNone;
            continue;
        }
        MeteorGroup& group = groups_[group_of_[i]];
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

// All mappings of word i after state s. Children come in the order of their mappings, the one
// that leaves the word alone last, so that of equally good ones the first has the smallest.
void MeteorSearch::expand(std::size_t i, const MeteorGroup& group, std::size_t s) {
    const ConstBits used = ConstBits(used_).subspan(s * width_, width_);
    if (!group.alone) {
        each(options(i), [&](std::size_t j) {
            if (!has(used, j)) add_mapping(i, j, s);
            return true;
        });
        add_skip(s);
        return;
    }
    std::size_t mapped = 0, after = 0;
    each(options(i), [&](std::size_t j) {
        if (has(used, j)) {
            ++mapped;
            after = j + 1;
        }
        return true;
    });
    const std::size_t missing = std::min(group.words, group.options) - mapped;
    std::size_t rank = 0;
    each(options(i), [&](std::size_t j) {
        if (missing == 0 || group.options - rank < missing) return false;
        if (j >= after) add_mapping(i, j, s);
        ++rank;
        return true;
    });
    if (group.left >= missing) add_skip(s);
}

void MeteorSearch::add_mapping(std::size_t i, std::size_t j, std::size_t s) {
    const ConstBits used = ConstBits(used_).subspan(s * width_, width_);
    MeteorState state = states_[s];
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

void MeteorSearch::add_skip(std::size_t s) {
    next_states_.push_back(states_[s]);
    next_states_.back().last = kNone;
    next_used_.insert(next_used_.end(), used_.begin() + static_cast<std::ptrdiff_t>(s * width_),
                      used_.begin() + static_cast<std::ptrdiff_t>((s + 1) * width_));
}

// Writes to keys_ what matters of state s for the words after i, and to `sure` its crosses and those that
// are sure to come: the words of a group that are still to be mapped take at best its last positions,
// or all of them.
void MeteorSearch::find_key(std::size_t i, std::size_t s) {
    MeteorState& state = next_states_[s];
    const ConstBits used = ConstBits(next_used_).subspan(s * width_, width_), future = later(i + 1);
    std::uint32_t* key = keys_.data() + s * stride_;
    std::uint32_t right = 0;
    state.sure = state.crosses;
    for (MeteorGroup& group : groups_)
        group.pending = !group.alone ? 0 : group.words > group.options ? group.options : group.left;
    for (std::size_t w = width_; w-- > 0;) {
        for (Word rest = used[w] | future[w]; rest != 0;) {
            const int bit = 63 - std::countl_zero(rest);
            const Word top = Word{1} << bit;
            rest ^= top;
            const bool taken = (used[w] & top) != 0;
            if ((future[w] & top) != 0) {
                *key++ = 2 * right + taken;
                MeteorGroup& group = groups_[group_at_[64 * w + static_cast<std::size_t>(bit)]];
                if (!taken && group.pending > 0) {
                    --group.pending;
                    state.sure += right;
                }
            }
            right += taken;
        }
    }
    const auto next = static_cast<std::size_t>(state.last + 1);
    const bool goes_on = state.last != kNone && next < places_ &&
                         i + 1 < words_ && has(options(i + 1), next);
    *key = goes_on ? static_cast<std::uint32_t>(next + 1) : 0;
}

// Keeps the best of the states that have the same key, and at most `beam` of all; returns
// whether these were all.
bool MeteorSearch::merge(std::size_t i, std::size_t beam) {
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

// Keeps only those next states that order_ lists, in ascending order.
void MeteorSearch::keep_ordered() {
    for (std::size_t to = 0; to < order_.size(); ++to) {
        next_states_[to] = next_states_[order_[to]];
        std::copy_n(next_used_.begin() + static_cast<std::ptrdiff_t>(order_[to] * width_), width_,
                    next_used_.begin() + static_cast<std::ptrdiff_t>(to * width_));
    }
    next_states_.resize(order_.size());
    next_used_.resize(order_.size() * width_);
}

}  // namespace paragauge
