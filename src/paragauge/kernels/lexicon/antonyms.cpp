// Antonyms of WordNet: pointers between senses of words, and adjectives that are opposites through their heads.

#include <algorithm>

#include "base/parallel.hpp"
#include "lexicon/morphy.hpp"
#include "lexicon/wordnet.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

// The first pair of a sorted section whose left number is not less than `left`.
std::size_t first_pair(const Numbers& pairs, std::size_t left) {
    std::size_t low = 0, high = pairs.size() / 2;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (pairs[2 * middle] < left)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool are_sorted(const Numbers& pairs) {
    for (std::size_t i = 2; i < pairs.size(); i += 2)
        if (pairs[i - 2] > pairs[i] || (pairs[i - 2] == pairs[i] && pairs[i - 1] >= pairs[i + 1])) return false;
    return true;
}

void sort_from(std::vector<std::int32_t>& ids, std::size_t first) {
    const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, ids.end());
    ids.erase(std::unique(begin, ids.end()), ids.end());
}

void append(Encoded& whole, const Encoded& part) {
    const auto base = static_cast<std::int64_t>(whole.ids.size());
    for (const std::int64_t end : part.offsets) whole.offsets.push_back(base + end);
    whole.ids.insert(whole.ids.end(), part.ids.begin(), part.ids.end());
}

}  // namespace

void WordNet::check_antonyms() const {
    for (std::size_t i = 0; i < antonyms_.size(); ++i)
        check(antonyms_[i] < senses_.size(), "an antonym is a sense of the table");
    for (std::size_t i = 0; i < heads_.size(); ++i)
        check(heads_[i] < keys_.size() && pos_of(heads_[i]) == Pos::Adjective,
              "a satellite and its head are adjectives of the table");
    check(are_sorted(antonyms_) && are_sorted(heads_), "pairs must be sorted and differ");
}

void WordNet::index_opposite_heads() {
    for (std::size_t i = 0; i < antonyms_.size(); i += 2) {
        const std::uint32_t left = senses_[antonyms_[i]], right = senses_[antonyms_[i + 1]];
        if (pos_of(left) == Pos::Adjective && pos_of(right) == Pos::Adjective)
            opposite_heads_.emplace_back(left, right);
    }
    std::sort(opposite_heads_.begin(), opposite_heads_.end());
    opposite_heads_.erase(std::unique(opposite_heads_.begin(), opposite_heads_.end()), opposite_heads_.end());
}

// Calls visit(place of a sense) for each antonym of a sense.
template <class Visit>
void WordNet::visit_antonyms(std::size_t sense, Visit visit) const {
    for (std::size_t i = first_pair(antonyms_, sense); 2 * i < antonyms_.size() && antonyms_[2 * i] == sense; ++i)
        visit(antonyms_[2 * i + 1]);
}

// Calls visit(synset) for an adjective synset itself and for its heads.
template <class Visit>
void WordNet::visit_heads(std::size_t synset, Visit visit) const {
    if (pos_of(synset) != Pos::Adjective) return;
    visit(static_cast<std::uint32_t>(synset));
    for (std::size_t i = first_pair(heads_, synset); 2 * i < heads_.size() && heads_[2 * i] == synset; ++i)
        visit(heads_[2 * i + 1]);
}

// Calls visit(place of a sense) for all senses of a word and for those of its base forms, each with the
// part of speech that it is the base form for.
template <class Visit>
void WordNet::visit_forms(std::string_view word, Morphy& morphy, Visit visit) const {
    const auto visit_senses = [&](std::string_view form, auto is_wanted) {
        const std::uint32_t number = find(form);
        if (number == StringIndex::kAbsent) return;
        for (std::size_t i = sense_offsets_[number]; i < sense_offsets_[number + 1]; ++i)
            if (is_wanted(pos_of(senses_[i]))) visit(i);
    };
    visit_senses(word, [](Pos) { return true; });
    for (const Pos pos : {Pos::Noun, Pos::Verb, Pos::Adjective, Pos::Adverb})
        if (morphy.changed(word, pos)) visit_senses(morphy.result(), [pos](Pos own) { return own == pos; });
}

std::size_t WordNet::word_of_sense(std::size_t sense) const {
    std::size_t low = 0, high = size();  // the last word whose senses begin at or before this one
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        if (sense_offsets_[middle] <= sense)
            low = middle;
        else
            high = middle;
    }
    return low;
}

Encoded WordNet::antonyms(std::string_view word, Opposition opposition) const {
    Encoded rows{{}, {0}};
    const std::uint32_t number = find(word);
    if (number == StringIndex::kAbsent) return rows;
    for (std::size_t sense = sense_offsets_[number]; sense < sense_offsets_[number + 1]; ++sense) {
        const auto begin = static_cast<std::ptrdiff_t>(rows.ids.size());
        const auto add = [&](std::size_t other) {
            const auto antonym = static_cast<std::int32_t>(word_of_sense(other));
            if (std::find(rows.ids.begin() + begin, rows.ids.end(), antonym) == rows.ids.end())
                rows.ids.push_back(antonym);
        };
        visit_antonyms(sense, add);
        if (opposition == Opposition::Similar)
            visit_heads(senses_[sense], [&](std::uint32_t head) {
                for (std::size_t m = member_offsets_[head]; m < member_offsets_[head + 1]; ++m)
                    for (std::size_t i = sense_offsets_[members_[m]]; i < sense_offsets_[members_[m] + 1]; ++i)
                        if (senses_[i] == head) visit_antonyms(i, add);
            });
        rows.offsets.push_back(static_cast<std::int64_t>(rows.ids.size()));
    }
    return rows;
}

OppositeSets WordNet::opposite_sets(const TextColumn& words, Opposition opposition, std::size_t threads) const {
    const std::vector<Range> ranges = split(words.lines(), threads, kGrain);
    std::vector<OppositeSets> parts(ranges.size());
    const auto heads_from = static_cast<std::uint32_t>(senses_.size());  // heads are numbered after senses
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Encoded &own = parts[index].own, &opposite = parts[index].opposite;
        Morphy morphy(*this);
        for (std::size_t line = range.first; line < range.last; ++line) {
            const std::size_t own_begin = own.ids.size(), opposite_begin = opposite.ids.size();
            const auto add = [&](std::size_t left, std::size_t right) {
                own.ids.push_back(static_cast<std::int32_t>(left));
                opposite.ids.push_back(static_cast<std::int32_t>(right));
            };
            visit_forms(words.line(line), morphy, [&](std::size_t sense) {
                visit_antonyms(sense, [&](std::size_t other) { add(sense, other); });
                if (opposition == Opposition::Direct) return;
                visit_heads(senses_[sense], [&](std::uint32_t head) {
                    const std::pair<std::uint32_t, std::uint32_t> first{head, 0};
                    for (auto at = std::lower_bound(opposite_heads_.begin(), opposite_heads_.end(), first);
                         at != opposite_heads_.end() && at->first == head; ++at)
                        add(heads_from + head, heads_from + at->second);
                });
            });
            sort_from(own.ids, own_begin);
            sort_from(opposite.ids, opposite_begin);
            own.offsets.push_back(static_cast<std::int64_t>(own.ids.size()));
            opposite.offsets.push_back(static_cast<std::int64_t>(opposite.ids.size()));
        }
    });
    OppositeSets whole{{{}, {0}}, {{}, {0}}};
    for (const OppositeSets& part : parts) {
        append(whole.own, part.own);
        append(whole.opposite, part.opposite);
    }
    return whole;
}

}  // namespace paragauge
