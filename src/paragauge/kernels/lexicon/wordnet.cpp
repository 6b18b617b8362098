#include "lexicon/wordnet.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "base/idle_pool.hpp"
#include "base/parallel.hpp"
#include "lexicon/base_forms.hpp"
#include "lexicon/morphy.hpp"
#include "lexicon/synonyms.hpp"
#include "text/utf8.hpp"

namespace paragauge {

namespace {

constexpr std::string_view kMagic = "PGWNET02";
constexpr std::size_t kFields = 15;
constexpr std::size_t kHeader = 8 + 4 * kFields;
constexpr std::size_t kGrain = 64;

std::size_t place(Pos pos) { return static_cast<std::size_t>(pos); }

}  // namespace

void StringIndex::reserve(std::size_t strings) {
    std::size_t slots = 16;
    while (slots < 2 * strings) slots *= 2;
    slots_.assign(slots, Slot{});
    mask_ = slots - 1;
}

void StringIndex::add(std::string_view text, std::uint32_t number) {
    const std::uint64_t hash = hash_of(text);
    std::size_t at = hash & mask_;
    while (slots_[at].number != kAbsent) at = (at + 1) & mask_;
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32), number};
}

struct WordNet::FormCaches {
    IdlePool<BaseForms> pool;
};

WordNet::~WordNet() = default;

WordNet::WordNet(std::string_view table) : form_caches_(std::make_unique<FormCaches>()) {
    open_sections(table);
    check_strings(words_, words_.offsets.size() - 1);
    check_strings(exceptions_, exceptions_.offsets.size() - 1);
    check(first_invalid_utf8(title_) == std::string_view::npos, "text must be UTF-8");
    check_senses();
    check_antonyms();
    index_words();
    index_exceptions();
    index_synsets();
    index_opposite_heads();
}

void WordNet::check(bool condition, const char* message) const {
    if (!condition) throw std::invalid_argument(std::string("no WordNet table: ") + message);
}

void WordNet::open_sections(std::string_view table) {
    check(table.size() >= kHeader && table.starts_with(kMagic), "it starts differently");
    const Numbers fields(table.data() + kMagic.size(), kFields);
    const std::size_t words = fields[0], senses = fields[5];
    for (std::size_t pos = 0; pos < kPoses; ++pos) {
        first_synset_[pos + 1] = first_synset_[pos] + fields[1 + pos];
        first_exception_[pos + 1] = first_exception_[pos] + fields[6 + pos];
    }
    const std::size_t antonyms = fields[10], heads = fields[11];
    const std::size_t text_sizes[] = {fields[12], fields[13], fields[14]};
    // 32-bit counts cannot overflow 64-bit sums.
    const std::size_t numbers =
        first_synset_.back() + 2 * (words + 1) + senses + 2 * (antonyms + heads + first_exception_.back()) + 1;
    check(table.size() == kHeader + 4 * numbers + text_sizes[0] + text_sizes[1] + text_sizes[2],
          "its size does not agree with its header");
    const char* at = table.data() + kHeader;
    const auto next_numbers = [&at](std::size_t size) {
        const Numbers section(at, size);
        at += 4 * size;
        return section;
    };
    const auto next_text = [&at](std::size_t size) {
        const std::string_view section(at, size);
        at += size;
        return section;
    };
    keys_ = next_numbers(first_synset_.back());
    words_.offsets = next_numbers(words + 1);
    sense_offsets_ = next_numbers(words + 1);
    senses_ = next_numbers(senses);
    antonyms_ = next_numbers(2 * antonyms);
    heads_ = next_numbers(2 * heads);
    exceptions_.offsets = next_numbers(2 * first_exception_.back() + 1);
    words_.text = next_text(text_sizes[0]);
    exceptions_.text = next_text(text_sizes[1]);
    title_ = next_text(text_sizes[2]);
    const auto check_offsets = [this](const Numbers& offsets, std::size_t size) {
        bool good = offsets[0] == 0 && offsets[offsets.size() - 1] == size;
        for (std::size_t i = 1; good && i < offsets.size(); ++i) good = offsets[i - 1] <= offsets[i];
        check(good, "offsets must not decrease and must cover their section");
    };
    check_offsets(words_.offsets, words_.text.size());
    check_offsets(sense_offsets_, senses);
    check_offsets(exceptions_.offsets, exceptions_.text.size());
}

void WordNet::check_strings(const Strings& strings, std::size_t count) const {
    check(first_invalid_utf8(strings.text) == std::string_view::npos, "text must be UTF-8");
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view word = strings[i];
        check(!word.empty() && word.find(' ') == word.npos, "a word must not be empty or contain spaces");
        check((static_cast<unsigned char>(word[0]) & 0xC0) != 0x80, "text must be UTF-8");
    }
}

Pos WordNet::pos_of(std::size_t synset) const {
    std::size_t pos = 0;
    while (synset >= first_synset_[pos + 1]) ++pos;
    return static_cast<Pos>(pos);
}

void WordNet::check_senses() const {
    for (std::size_t word = 0; word + 1 < sense_offsets_.size(); ++word) {
        Pos before = Pos::Noun;
        for (std::size_t i = sense_offsets_[word]; i < sense_offsets_[word + 1]; ++i) {
            check(senses_[i] < keys_.size(), "a sense is a synset of the table");
            const Pos pos = pos_of(senses_[i]);
            check(before <= pos, "senses must be in the order of the parts of speech");
            before = pos;
        }
    }
}

void WordNet::index_words() {
    const std::size_t words = words_.offsets.size() - 1;
    masks_.assign(words, 0);
    index_.reserve(words);
    for (std::size_t i = 0; i < words; ++i) {
        check(i == 0 || words_[i - 1] < words_[i], "words must be sorted and differ");
        index_.add(words_[i], static_cast<std::uint32_t>(i));
        for (std::size_t s = sense_offsets_[i]; s < sense_offsets_[i + 1]; ++s)
            masks_[i] = static_cast<std::uint8_t>(masks_[i] | 1U << place(pos_of(senses_[s])));
    }
}

void WordNet::index_exceptions() {
    for (std::size_t pos = 0; pos < kPoses; ++pos) {
        const std::size_t first = first_exception_[pos], last = first_exception_[pos + 1];
        exception_index_[pos].reserve(last - first);
        for (std::size_t i = first; i < last; ++i) {
            check(i == first || exceptions_[2 * i - 2] < exceptions_[2 * i], "words must be sorted and differ");
            exception_index_[pos].add(exceptions_[2 * i], static_cast<std::uint32_t>(i));
        }
    }
}

void WordNet::index_synsets() {
    member_offsets_.assign(keys_.size() + 1, 0);
    for (std::size_t i = 0; i < senses_.size(); ++i) ++member_offsets_[senses_[i] + 1];
    std::partial_sum(member_offsets_.begin(), member_offsets_.end(), member_offsets_.begin());
    members_.resize(senses_.size());
    std::vector<std::uint32_t> next(member_offsets_.begin(), member_offsets_.end() - 1);
    for (std::size_t word = 0; word < size(); ++word)
        for (std::size_t i = sense_offsets_[word]; i < sense_offsets_[word + 1]; ++i)
            members_[next[senses_[i]]++] = static_cast<std::uint32_t>(word);
}

std::vector<std::string_view> WordNet::exceptions(Pos pos) const {
    std::vector<std::string_view> forms;
    for (std::size_t i = 2 * first_exception_[place(pos)]; i < 2 * first_exception_[place(pos) + 1]; ++i)
        forms.push_back(exceptions_[i]);
    return forms;
}

std::string_view WordNet::exception(std::string_view form, Pos pos) const {
    const std::uint32_t entry = exception_index_[place(pos)].find(
        form, [&](std::uint32_t i) { return exceptions_[2 * std::size_t{i}] == form; });
    return entry == StringIndex::kAbsent ? std::string_view() : exceptions_[2 * std::size_t{entry} + 1];
}

std::vector<std::int32_t> WordNet::senses(std::string_view word) const {
    std::vector<std::int32_t> senses;
    const std::uint32_t number = find(word);
    if (number == StringIndex::kAbsent) return senses;
    for (std::size_t i = sense_offsets_[number]; i < sense_offsets_[number + 1]; ++i)
        senses.push_back(static_cast<std::int32_t>(senses_[i]));
    return senses;
}

void WordNet::append_set(std::string_view word, Relation relation, Morphy& morphy,
                         std::vector<std::int32_t>& ids) const {
    const auto begin = static_cast<std::ptrdiff_t>(ids.size());
    if (const std::uint32_t number = find(word); number != StringIndex::kAbsent)
        for (std::size_t i = sense_offsets_[number]; i < sense_offsets_[number + 1]; ++i) {
            const std::uint32_t synset = senses_[i];
            if (relation != Relation::Shared) {
                ids.push_back(static_cast<std::int32_t>(synset));
                continue;
            }
            for (std::size_t m = member_offsets_[synset]; m < member_offsets_[synset + 1]; ++m)
                ids.push_back(static_cast<std::int32_t>(members_[m]));
        }
    if (relation == Relation::Forms)
        for (const Pos pos : {Pos::Noun, Pos::Verb, Pos::Adjective, Pos::Adverb})
            if (morphy.base(word, pos)) append_base(morphy.result(), pos, ids);
    std::sort(ids.begin() + begin, ids.end());
    ids.erase(std::unique(ids.begin() + begin, ids.end()), ids.end());
}

// The synsets of `base` with this part of speech.
void WordNet::append_base(std::string_view base, Pos pos, std::vector<std::int32_t>& ids) const {
    const std::uint32_t number = find(base);
    if (number == StringIndex::kAbsent) return;
    for (std::size_t i = sense_offsets_[number]; i < sense_offsets_[number + 1]; ++i)
        if (pos_of(senses_[i]) == pos) ids.push_back(static_cast<std::int32_t>(senses_[i]));
}

std::vector<std::int32_t> WordNet::synonyms(std::string_view word) const {
    std::vector<std::int32_t> members;
    Morphy morphy(*this);
    append_set(word, Relation::Shared, morphy, members);
    return members;
}

Encoded WordNet::related_sets(const TextColumn& words, Relation relation, std::size_t threads) const {
    const std::vector<Range> ranges = split(words.lines(), threads, kGrain);
    std::vector<Encoded> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Morphy morphy(*this);
        for (std::size_t line = range.first; line < range.last; ++line) {
            append_set(words.line(line), relation, morphy, parts[index].ids);
            parts[index].offsets.push_back(static_cast<std::int64_t>(parts[index].ids.size()));
        }
    });
    Encoded whole{{}, {0}};
    for (const Encoded& part : parts) {
        const auto base = static_cast<std::int64_t>(whole.ids.size());
        for (const std::int64_t end : part.offsets) whole.offsets.push_back(base + end);
        whole.ids.insert(whole.ids.end(), part.ids.begin(), part.ids.end());
    }
    return whole;
}

std::size_t count_tokens(std::string_view line) {
    return line.empty() ? 0 : static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) + 1;
}

namespace {

}  // namespace

Joined WordNet::lemmatize(const TextColumn& lines, std::span<const std::uint8_t> poses,
                          std::size_t threads) const {
    std::vector<std::size_t> first(lines.lines() + 1, 0);
    for (std::size_t i = 0; i < lines.lines(); ++i) first[i + 1] = first[i] + count_tokens(lines.line(i));
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Joined> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Joined& part = parts[index];
        std::unique_ptr<BaseForms> forms = form_caches_->pool.take(*this);
        std::size_t bytes = 0;
        for (std::size_t i = range.first; i < range.last; ++i) bytes += lines.line(i).size();
        part.text.reserve(bytes);
        for (std::size_t i = range.first; i < range.last; ++i) {
            const std::string_view line = lines.line(i);
            std::size_t start = 0;
            for (std::size_t token = first[i]; token < first[i + 1]; ++token) {
                const std::size_t stop = std::min(line.find(' ', start), line.size());
                const std::string_view word = line.substr(start, stop - start);
                start = stop + 1;
                if (token > first[i]) part.text.push_back(' ');
                part.text.append(forms->of(word, poses[token], lines.data + lines.size));
            }
            part.offsets.push_back(static_cast<std::int64_t>(part.text.size()));
        }
        form_caches_->pool.give_back(std::move(forms));
    });
    return one_after_another(parts);
}

std::vector<std::uint8_t> sets_meet(std::span<const std::int32_t> ids,
                                    std::span<const std::int64_t> offsets,
                                    std::span<const std::int64_t> left,
                                    std::span<const std::int64_t> right, std::size_t threads) {
    std::vector<std::uint8_t> meets(left.size(), 0);
    const LemmaSets sets{ids, offsets};
    run_parallel(split(left.size(), threads, 4096), [&](std::size_t, Range range) {
        for (std::size_t i = range.first; i < range.last; ++i)
            meets[i] = left[i] == right[i] || meet(sets.of(left[i]), sets.of(right[i]));
    });
    return meets;
}

}  // namespace paragauge
