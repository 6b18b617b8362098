#include "lm/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

void check(std::span<const NgramLevel> levels) {
    const auto require = [](bool condition) {
        if (!condition) throw std::invalid_argument("the levels are not a trie of n-grams");
    };
    require(!levels.empty() && levels.size() <= kMostOrder && levels[0].size() >= kFirstWord);
    std::uint64_t nodes = 1;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const NgramLevel& level = levels[k];
        nodes += level.size();
        require(nodes <= kMostNodes);
        const std::size_t contexts = k == 0 ? 1 : levels[k - 1].size();
        for (std::size_t i = 0; i < level.size(); ++i) {
            const std::int32_t parent = level.parents[i], word = level.words[i];
            require(parent >= 0 && static_cast<std::size_t>(parent) < contexts);
            require(word >= 0 && static_cast<std::size_t>(word) < levels[0].size());
            if (k == 0) require(static_cast<std::size_t>(word) == i);
            if (i > 0)
                require(level.parents[i - 1] < parent ||
                        (level.parents[i - 1] == parent && level.words[i - 1] < word));
        }
    }
}

// Words outside the model are the unknown word, and so are <s> and </s> inside a sentence.
std::uint32_t word_of(std::int32_t id, std::size_t words) {
    const auto word = static_cast<std::uint32_t>(id);
    return word < kFirstWord || word >= words ? kUnknownWord : word;
}

}  // namespace

NgramModel::NgramModel(std::span<const NgramLevel> levels, std::size_t threads) {
    check(levels);
    Node nodes = 1;
    for (const NgramLevel& level : levels) {
        firsts_.push_back(nodes);
        nodes += static_cast<Node>(level.size());
    }
    firsts_.push_back(nodes);
    unigrams_.assign(levels[0].probabilities.begin(), levels[0].probabilities.end());
    const Node states = levels.size() == 1 ? 1 : firsts_[levels.size() - 1];
    backoffs_.reserve(states);
    backoffs_.push_back(0);
    for (const NgramLevel& level : levels.first(levels.size() - 1))
        backoffs_.insert(backoffs_.end(), level.backoffs.begin(), level.backoffs.end());
    most_ = unigrams_;
    for (const NgramLevel& level : levels.subspan(1))
        for (std::size_t i = 0; i < level.size(); ++i) {
            float& most = most_[static_cast<std::size_t>(level.words[i])];
            most = std::max(most, level.probabilities[i]);
        }
    most_backoff_ = *std::max_element(backoffs_.begin(), backoffs_.end());
    table_.reserve(nodes - levels[0].size());
    suffixes_.assign(states, kRoot);
    for (std::size_t k = 1; k < levels.size(); ++k) link(levels[k], k, threads);
}

// Puts the n-grams of order k + 1 into the table; their suffixes have lower orders and are in it already.
void NgramModel::link(const NgramLevel& level, std::size_t k, std::size_t threads) {
    constexpr std::size_t kAhead = 16;  // lookups in flight
    const bool highest = k + 1 == order();
    const auto context = [&](std::size_t i) {
        return firsts_[k - 1] + static_cast<Node>(level.parents[i]);
    };
    const auto word = [&](std::size_t i) { return static_cast<std::uint32_t>(level.words[i]); };
    std::vector<Node> suffixes(level.size());
    run_parallel(split(level.size(), threads, 4096), [&](std::size_t, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            if (i + kAhead < range.last) table_.prefetch(suffixes_[context(i + kAhead)], word(i + kAhead));
            suffixes[i] = word(i) + 1;
            for (Node shorter = suffixes_[context(i)]; shorter != kRoot; shorter = suffixes_[shorter])
                if (const TrieTable::Slot* slot = table_.find(shorter, word(i))) {
                    suffixes[i] = slot->node;
                    break;
                }
        }
    });
    for (std::size_t i = 0; i < level.size(); ++i) {
        if (i + kAhead < level.size()) table_.prefetch(context(i + kAhead), word(i + kAhead));
        const Node node = highest ? suffixes[i] | kHighest : firsts_[k] + static_cast<Node>(i);
        table_.insert(context(i), word(i), node, level.probabilities[i]);
    }
    if (!highest) std::copy(suffixes.begin(), suffixes.end(), suffixes_.begin() + firsts_[k]);
}

namespace {

// A sentence being scored. Several take turns: while one waits for memory, the others go on.
struct Lane {
    std::size_t line;
    std::int64_t at;
    Node state;
    std::uint32_t word;
};

constexpr std::size_t kLanes = 12;

}  // namespace

SentenceScores NgramModel::sentences(std::span<const std::int32_t> ids,
                                     std::span<const std::int64_t> offsets, std::size_t threads) const {
    const std::size_t lines = offsets.size() - 1;
    SentenceScores scores{std::vector<double>(lines), std::vector<double>(lines),
                          std::vector<std::int64_t>(lines)};
    const auto load = [&](Lane& lane) {
        lane.word = lane.at == offsets[lane.line + 1]
                        ? kEnd
                        : word_of(ids[static_cast<std::size_t>(lane.at)], words());
        prefetch(lane.state, lane.word);
    };
    run_parallel(split(lines, threads, kGrain), [&](std::size_t, Range range) {
        std::vector<Lane> lanes;
        std::size_t next = range.first;
        const auto start = [&](Lane& lane) {
            lane = {next, offsets[next], begin(), kEnd};
            ++next;
            load(lane);
        };
        for (; lanes.size() < kLanes && next < range.last;) start(lanes.emplace_back());
        while (!lanes.empty()) {
            for (std::size_t i = 0; i < lanes.size();) {
                Lane& lane = lanes[i];
                const double log10 = step(lane.state, lane.word).log10;
                scores.log10[lane.line] += log10;
                if (lane.word == kUnknownWord)
                    ++scores.unknown[lane.line];
                else
                    scores.known[lane.line] += log10;
                if (lane.word != kEnd) {
                    ++lane.at;
                    load(lane);
                } else if (next < range.last) {
                    start(lane);
                } else {
                    lane = lanes.back();
                    lanes.pop_back();
                    continue;
                }
                ++i;
            }
        }
    });
    return scores;
}

TokenScores NgramModel::tokens(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets,
                               std::size_t threads) const {
    const std::size_t lines = offsets.size() - 1;
    TokenScores scores;
    for (std::size_t line = 0; line <= lines; ++line)
        scores.offsets.push_back(offsets[line] - offsets[0] + static_cast<std::int64_t>(line));
    scores.log10.resize(static_cast<std::size_t>(scores.offsets.back()));
    scores.matched.resize(scores.log10.size());
    run_parallel(split(lines, threads, kGrain), [&](std::size_t, Range range) {
        for (std::size_t line = range.first; line < range.last; ++line) {
            Node state = begin();
            auto at = static_cast<std::size_t>(scores.offsets[line]);
            const auto put = [&](std::uint32_t word) {
                const Step scored = step(state, word);
                scores.log10[at] = scored.log10;
                scores.matched[at++] = static_cast<std::int32_t>(length_of(scored.node));
            };
            for (std::int64_t i = offsets[line]; i < offsets[line + 1]; ++i)
                put(word_of(ids[static_cast<std::size_t>(i)], words()));
            put(kEnd);
        }
    });
    return scores;
}

}  // namespace paragauge
