#include "rewrite/phrase_matcher.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "lexicon/word_sets.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

// Whether each word of `old` that the candidate has is in `phrase` at least as often.
bool keeps_matches(std::span<const std::int32_t> old, std::span<const std::int32_t> phrase,
                   const KeyTable& candidate) {
    return std::all_of(old.begin(), old.end(), [&](std::int32_t word) {
        return !has(candidate, word) ||
               std::count(old.begin(), old.end(), word) <= std::count(phrase.begin(), phrase.end(), word);
    });
}

}  // namespace

struct PhraseMatcher::Scratch {
    KeyTable theirs, ours;             // the words of the reference and of the candidate
    KeyTable phrases;                  // nodes of right sides in the candidate
    std::vector<std::size_t> places;   // where each of these occurs first
};

PhraseMatcher::PhraseMatcher(const IdColumn& left, const IdColumn& right) {
    const std::size_t rules = left.lines();
    trie_.reset(left.ids.size() + right.ids.size());
    std::vector<std::uint32_t> left_nodes(rules);
    right_.resize(rules);
    right_length_.resize(rules);
    for (std::size_t i = 0; i < rules; ++i) {
        left_nodes[i] = insert(left.line(i));
        right_[i] = insert(right.line(i));
        right_length_[i] = static_cast<std::uint32_t>(right.line(i).size());
        longest_ = std::max(longest_, right.line(i).size());
    }
    const std::size_t nodes = std::size_t{trie_.size()} + 1;
    is_right_.assign(nodes, 0);
    for (const std::uint32_t node : right_) is_right_[node] = 1;
    first_rule_.assign(nodes + 1, 0);
    for (const std::uint32_t node : left_nodes) ++first_rule_[node + 1];
    for (std::size_t i = 1; i <= nodes; ++i) first_rule_[i] += first_rule_[i - 1];
    by_left_.resize(rules);
    std::vector<std::uint32_t> next(first_rule_.begin(), first_rule_.end() - 1);
    for (std::size_t i = 0; i < rules; ++i) by_left_[next[left_nodes[i]]++] = static_cast<std::uint32_t>(i);
}

std::uint32_t PhraseMatcher::insert(std::span<const std::int32_t> phrase) {
    std::uint32_t node = 0;
    for (const std::int32_t word : phrase) node = trie_.insert(key(node, word)) + 1;
    return node;
}

void PhraseMatcher::read_candidate(std::span<const std::int32_t> words,
                                   std::span<const std::int32_t> known, Scratch& scratch) const {
    fill(scratch.ours, words);
    scratch.phrases.reset(std::min(is_right_.size(), words.size() * longest_));
    scratch.places.clear();
    for (std::size_t first = 0; first < words.size(); ++first) {
        std::uint32_t node = 0;
        for (std::size_t at = first; at < words.size(); ++at) {
            node = step(node, known[static_cast<std::size_t>(words[at])]);
            if (node == 0) break;
            if (is_right_[node] == 0) continue;
            const std::uint32_t before = scratch.phrases.size();
            if (scratch.phrases.insert(node) == before) scratch.places.push_back(first);
        }
    }
}

void PhraseMatcher::match_line(std::size_t number, std::span<const std::int32_t> reference,
                               std::span<const std::int32_t> candidate,
                               std::span<const std::int32_t> known, Scratch& scratch,
                               std::vector<std::int64_t>& rows) const {
    fill(scratch.theirs, reference);
    const auto is_new = [&](std::int32_t word) { return !has(scratch.theirs, word); };
    for (std::size_t first = 0; first < reference.size(); ++first) {
        std::uint32_t node = 0;
        bool unmatched = false;
        for (std::size_t last = first; last < reference.size(); ++last) {
            node = step(node, known[static_cast<std::size_t>(reference[last])]);
            if (node == 0) break;
            unmatched = unmatched || !has(scratch.ours, reference[last]);
            if (!unmatched) continue;
            const std::span<const std::int32_t> old = reference.subspan(first, last - first + 1);
            for (std::uint32_t i = first_rule_[node]; i < first_rule_[node + 1]; ++i) {
                const std::uint32_t rule = by_left_[i];
                const std::uint32_t key = scratch.phrases.find(right_[rule]);
                if (key == KeyTable::kAbsent) continue;
                const std::size_t place = scratch.places[key];
                const std::span<const std::int32_t> phrase = candidate.subspan(place, right_length_[rule]);
                if (!std::any_of(phrase.begin(), phrase.end(), is_new)) continue;
                if (!keeps_matches(old, phrase, scratch.ours)) continue;
                for (const std::size_t value : {number, first, last, place, std::size_t{rule}})
                    rows.push_back(static_cast<std::int64_t>(value));
            }
        }
    }
}

std::vector<std::int64_t> PhraseMatcher::match(const IdColumn& references, const IdColumn& candidates,
                                               std::span<const std::int32_t> known,
                                               std::size_t threads) const {
    const std::vector<Range> ranges = split(candidates.lines(), threads, kGrain);
    std::vector<std::vector<std::int64_t>> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Scratch scratch;
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            const std::span<const std::int32_t> candidate = candidates.line(segment);
            read_candidate(candidate, known, scratch);
            if (scratch.places.empty()) continue;
            const std::size_t stop = references.first_line(segment + 1);
            for (std::size_t line = references.first_line(segment); line < stop; ++line)
                match_line(line, references.line(line), candidate, known, scratch, parts[index]);
        }
    });
    return one_after_another(parts);
}

}  // namespace paragauge
