#include "matching/word_changes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr double kNoNumber = -1.0;  // while none is being read
constexpr std::size_t kReach = 3;  // words before, for prepositions and auxiliary verbs

struct Sentence {
    std::vector<WordType> words;
    std::vector<double> weights;
    std::vector<double> numbers;  // sorted

    std::size_t size() const { return words.size(); }
    std::int64_t count(std::int32_t flag) const {
        return std::count_if(words.begin(), words.end(),
                             [flag](const WordType& word) { return (word.flags & flag) != 0; });
    }
};

struct Difference {
    std::int64_t left = 0, right = 0, common = 0;
};

// What one sorted bag has more than the other.
template <class T>
Difference compare_bags(const std::vector<T>& a, const std::vector<T>& b) {
    Difference result;
    auto i = a.begin(), j = b.begin();
    while (i != a.end() && j != b.end()) {
        if (*i == *j) ++result.common, ++i, ++j;
        else if (*i < *j) ++result.left, ++i;
        else ++result.right, ++j;
    }
    result.left += a.end() - i;
    result.right += b.end() - j;
    return result;
}

class ChangeMeter {
public:
    ChangeMeter(const IdColumn& lines, const WordTypes& types, const LemmaFacts& lemmas,
                const CharacterNgrams& grams)
        : lines_(lines), types_(types), aligner_(lemmas, grams) {}

    void measure(std::size_t line, std::size_t other_line, double* row) {
        read(line, ours_);
        read(other_line, others_);
        aligner_.align(ours_.words, others_.words);
        collect_pairs();
        at_ = row;
        put_shares();
        put_loose();
        put_slots();
        put_polarity();
        put_classes();
        put_order();
        put_roles();
        put_lengths();
    }

    const std::vector<WordLink>& links() const { return aligner_.links; }

private:
    struct Pair {
        std::size_t i, j;
    };

    template <class T>
    void put(T value) {
        *at_++ = static_cast<double>(value);
    }

    void put_sides(std::int64_t candidate, std::int64_t source) {
        put(candidate), put(source), put(std::min(candidate, source));
    }

    void read(std::size_t line, Sentence& sentence) {
        sentence.words.clear();
        sentence.weights.clear();
        sentence.numbers.clear();
        double now = kNoNumber;
        for (const std::int32_t id : lines_.line(line)) {
            const auto type = static_cast<std::size_t>(id);
            sentence.words.push_back(types_.types[type]);
            sentence.weights.push_back(types_.weights[type]);
            const auto last = static_cast<std::size_t>(types_.part_offsets[type + 1]);
            for (auto k = static_cast<std::size_t>(types_.part_offsets[type]); k < last; ++k)
                read_number(types_.part_kinds[k], types_.part_values[k], now, sentence.numbers);
        }
        if (now >= 0.0) sentence.numbers.push_back(now);
        std::sort(sentence.numbers.begin(), sentence.numbers.end());
    }

    static void read_number(std::int32_t kind, double value, double& now,
                            std::vector<double>& numbers) {
        if (kind == kDigits || kind == kNumberWord) {
            if (kind == kNumberWord &&
                ((now >= 20.0 && std::fmod(now, 10.0) == 0.0 && value < 10.0) ||
                 (now >= 100.0 && std::fmod(now, 100.0) == 0.0 && value < 100.0))) {
                now += value;
                return;
            }
            if (now >= 0.0) numbers.push_back(now);
            now = value;
        } else if (kind == kScale) {
            now = (now > 0.0 ? now : 1.0) * value;
        } else if (kind != kAnd) {
            if (now >= 0.0) numbers.push_back(now);
            now = kNoNumber;
            if (kind == kSingleNumber) numbers.push_back(value);
        }
    }

    // Links between words of about the same meaning; then those of them between content words.
    void collect_pairs() {
        every_.clear();
        content_.clear();
        for (std::size_t i = 0; i < ours_.size(); ++i) {
            const WordLink& link = aligner_.links[i];
            if (!link.is_same()) continue;
            const Pair pair{i, static_cast<std::size_t>(link.partner)};
            every_.push_back(pair);
            if (ours_.words[i].is_content() && others_.words[pair.j].is_content())
                content_.push_back(pair);
        }
    }

    struct Shares {
        double content = 1.0, lemma = 1.0, words = 0.0;
    };

    static Shares shares(const Sentence& sentence, const std::vector<WordLink>& links) {
        double total = 0.0, shared = 0.0, equal = 0.0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            const double weight = sentence.weights[i];
            total += weight;
            if (!links[i].is_same()) continue;
            ++count;
            shared += weight * links[i].similarity;
            if (links[i].kind <= kSameLemma) equal += weight;
        }
        Shares result;
        if (total != 0.0) result.content = shared / total, result.lemma = equal / total;
        if (sentence.size() > 0)
            result.words = static_cast<double>(count) / static_cast<double>(sentence.size());
        return result;
    }

    void put_shares() {
        const Shares precision = shares(ours_, aligner_.links);
        const Shares recall = shares(others_, aligner_.reverse);
        const double p = precision.content, r = recall.content, both = p + r;
        put(p), put(r), put(precision.lemma), put(recall.lemma);
        put(both != 0.0 ? 2.0 * p * r / both : 0.0);
        put(std::min(p, r));
        put(precision.words), put(recall.words);
    }

    struct Loose {
        std::int64_t categories[kOther + 1] = {};
        std::int64_t content = 0;
        double weight = 0.0, heaviest = 0.0;
    };

    static Loose find_loose(const Sentence& sentence, const std::vector<WordLink>& links) {
        Loose loose;
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            if (!links[i].is_loose()) continue;
            ++loose.categories[sentence.words[i].category];
            loose.content += sentence.words[i].is_content();
            loose.weight += sentence.weights[i];
            loose.heaviest = std::max(loose.heaviest, sentence.weights[i]);
        }
        return loose;
    }

    void put_loose() {
        const Loose mine = find_loose(ours_, aligner_.links);
        const Loose theirs = find_loose(others_, aligner_.reverse);
        for (const std::int32_t category : {kName, kNoun, kVerb, kAdjective, kAdverb})
            put_sides(mine.categories[category], theirs.categories[category]);
        put(mine.weight), put(theirs.weight);
        put_sides(mine.content, theirs.content);
        put(mine.heaviest), put(theirs.heaviest);
    }

    void put_slots() {
        std::int64_t categories[kOther + 1] = {}, function = 0, slots = 0;
        for (std::size_t i = 0; i < ours_.size(); ++i) {
            const WordLink& link = aligner_.links[i];
            if (link.kind != kSlot) continue;
            const WordType& a = ours_.words[i];
            const WordType& b = others_.words[static_cast<std::size_t>(link.partner)];
            ++slots;
            function += !(a.is_content() && b.is_content());
            if (a.category == b.category) ++categories[a.category];
        }
        for (const std::int32_t category : {kName, kNoun, kVerb, kAdjective}) put(categories[category]);
        put(function), put(slots);
    }

    std::int64_t count_links(WordLinkKind kind) const {
        return std::count_if(aligner_.links.begin(), aligner_.links.end(),
                             [kind](const WordLink& link) { return link.kind == kind; });
    }

    void put_polarity() {
        const std::int64_t mine = ours_.count(kNegation), theirs = others_.count(kNegation);
        const std::int64_t opposites = count_links(kOpposite);
        const std::int64_t difference = std::abs(mine - theirs);
        put(difference), put((mine > 0) != (theirs > 0)), put(mine > theirs), put(theirs > mine);
        put(std::abs(ours_.count(kWeakNegation) - others_.count(kWeakNegation)));
        put(opposites), put((difference + opposites) % 2), put(mine + theirs > 0);
    }

    Difference compare_classes(std::int32_t WordType::*field) {
        for (auto [sentence, bag] : {std::pair{&ours_, &bag_}, std::pair{&others_, &other_bag_}}) {
            bag->clear();
            for (const WordType& word : sentence->words)
                if (word.*field >= 0) bag->push_back(word.*field);
            std::sort(bag->begin(), bag->end());
        }
        return compare_bags(bag_, other_bag_);
    }

    void put_classes() {
        const Difference numbers = compare_bags(ours_.numbers, others_.numbers);
        put_sides(numbers.left, numbers.right);
        put(numbers.common);
        for (const auto field : {&WordType::unit, &WordType::quantifier, &WordType::pronoun}) {
            const Difference difference = compare_classes(field);
            put_sides(difference.left, difference.right);
        }
        const Difference modals = compare_classes(&WordType::modal);
        put(modals.left), put(modals.right);
        const std::int64_t past = ours_.count(kPast), other_past = others_.count(kPast);
        put(past - other_past);
        put(ours_.count(kPresent) - others_.count(kPresent));
        put((past > 0) != (other_past > 0));
    }

    static std::int64_t count_descents(const std::vector<Pair>& pairs) {
        std::int64_t descents = 0;
        for (std::size_t k = 1; k < pairs.size(); ++k) descents += pairs[k - 1].j > pairs[k].j;
        return descents;
    }

    void put_order() {
        const std::size_t count = content_.size();
        std::int64_t inversions = 0;
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = a + 1; b < count; ++b) inversions += content_[a].j > content_[b].j;
        std::int64_t chunks = 0;
        for (std::size_t k = 0; k < every_.size(); ++k)
            chunks += k == 0 || every_[k - 1].i + 1 != every_[k].i || every_[k - 1].j + 1 != every_[k].j;
        std::int64_t before_differs = 0, after_differs = 0, both_differ = 0, preposition_differs = 0;
        for (const auto [i, j] : content_) {
            const bool before = aligner_.linked_before(i, j), after = aligner_.linked_after(i, j);
            before_differs += !before;
            after_differs += !after;
            both_differ += !before && !after;
            const std::int32_t category = ours_.words[i].category;
            if (category == kName || category == kNoun || category == kNumber)
                preposition_differs += governor(ours_, i) != governor(others_, j);
        }
        const auto total = static_cast<double>(count);
        const double pairs = total * (total - 1.0) / 2.0, linked = std::max(total, 1.0);
        put(inversions);
        put(count > 1 ? static_cast<double>(inversions) / pairs : 0.0);
        put(count_descents(content_));
        put(chunks);
        put(every_.empty() ? 1.0 : static_cast<double>(chunks) / static_cast<double>(every_.size()));
        put(count_descents(every_));
        put(static_cast<double>(before_differs) / linked);
        put(static_cast<double>(after_differs) / linked);
        put(static_cast<double>(both_differ) / linked);
        put(both_differ), put(preposition_differs);
    }

    // The lemma of the preposition just before a word; -2 if a verb comes first, -1 if neither does.
    static std::int32_t governor(const Sentence& sentence, std::size_t place) {
        const std::size_t first = place > kReach ? place - kReach : 0;
        for (std::size_t k = place; k-- > first;) {
            const WordType& word = sentence.words[k];
            if (word.category == kPreposition) return word.lemma;
            if (word.category == kVerb || word.category == kModal) return -2;
        }
        return -1;
    }

    void put_roles() {
        nouns_.clear();
        verbs_.clear();
        for (const Pair pair : content_) {
            const std::int32_t category = ours_.words[pair.i].category;
            if (category == kName || category == kNoun) nouns_.push_back(pair);
            if (category == kVerb && others_.words[pair.j].category == kVerb) verbs_.push_back(pair);
        }
        std::int64_t swaps = 0, inversions = 0;
        for (std::size_t a = 0; a < nouns_.size(); ++a)
            for (std::size_t b = a + 1; b < nouns_.size(); ++b) {
                if (nouns_[a].j <= nouns_[b].j) continue;
                ++inversions;
                swaps += std::any_of(verbs_.begin(), verbs_.end(), [&](const Pair& verb) {
                    return nouns_[a].i < verb.i && verb.i < nouns_[b].i && nouns_[b].j < verb.j &&
                           verb.j < nouns_[a].j;
                });
            }
        const std::int64_t by = std::abs(ours_.count(kBy) - others_.count(kBy));
        const std::int64_t passive = std::abs(count_passives(ours_) - count_passives(others_));
        put(swaps), put(by), put(passive), put(by != 0 || passive != 0 ? 0 : swaps), put(inversions);
    }

    // Participles after a form of "be".
    static std::int64_t count_passives(const Sentence& sentence) {
        std::int64_t passives = 0;
        for (std::size_t place = 0; place < sentence.size(); ++place) {
            if ((sentence.words[place].flags & kParticiple) == 0) continue;
            const std::size_t first = place > kReach ? place - kReach : 0;
            for (std::size_t k = first; k < place; ++k)
                if ((sentence.words[k].flags & kBe) != 0) {
                    ++passives;
                    break;
                }
        }
        return passives;
    }

    static std::int64_t count_content(const Sentence& sentence) {
        return std::count_if(sentence.words.begin(), sentence.words.end(),
                             [](const WordType& word) { return word.is_content(); });
    }

    void put_lengths() {
        const auto size = static_cast<double>(ours_.size());
        const auto other_size = static_cast<double>(others_.size());
        put(size), put(other_size), put(size - other_size);
        put(std::log((size + 1.0) / (other_size + 1.0)));
        const Difference lemmas = compare_classes(&WordType::lemma);
        put(lemmas.left + lemmas.right == 0);
        put(count_content(ours_)), put(count_content(others_));
        put(count_links(kSynonym)), put(count_links(kSameStem)), put(count_links(kSimilarLetters));
        const std::int32_t last = ours_.words.empty() ? kOther : ours_.words.back().category;
        put(last == kPreposition || last == kDeterminer || last == kModal);
        put(ours_.count(kCapitalized) - others_.count(kCapitalized));
    }

    const IdColumn& lines_;
    const WordTypes& types_;
    WordAligner aligner_;
    Sentence ours_, others_;
    std::vector<Pair> every_, content_, nouns_, verbs_;
    std::vector<std::int32_t> bag_, other_bag_;
    double* at_ = nullptr;
};

}  // namespace

WordChanges word_changes(const IdColumn& lines, std::span<const std::int64_t> left,
                         std::span<const std::int64_t> right, const WordTypes& types,
                         const LemmaFacts& lemmas, bool links, std::size_t threads) {
    std::vector<char> used(lemmas.texts.lines(), 0);
    for (const WordType& type : types.types) used[static_cast<std::size_t>(type.lemma)] = 1;
    const CharacterNgrams grams(lemmas.texts, used);
    WordChanges result;
    result.rows.resize(left.size() * kChangeFeatures);
    if (links) result.offsets.assign(left.size() + 1, 0);
    const auto ranges = split(left.size(), threads, 64);
    std::vector<std::vector<std::int32_t>> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        ChangeMeter meter(lines, types, lemmas, grams);
        for (std::size_t pair = range.first; pair < range.last; ++pair) {
            meter.measure(static_cast<std::size_t>(left[pair]), static_cast<std::size_t>(right[pair]),
                          result.rows.data() + pair * kChangeFeatures);
            if (!links) continue;
            std::int32_t position = 0;
            for (const WordLink& link : meter.links()) {
                if (link.kind != kUnlinked) {
                    parts[index].insert(parts[index].end(), {position, link.partner, link.kind});
                    ++result.offsets[pair + 1];
                }
                ++position;
            }
        }
    });
    for (std::size_t i = 1; i < result.offsets.size(); ++i) result.offsets[i] += result.offsets[i - 1];
    for (const auto& part : parts) result.links.insert(result.links.end(), part.begin(), part.end());
    return result;
}

}  // namespace paragauge
