// The ways to translate the parts of a sentence, and bounds on the score of the rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode/phrase_store.hpp"
#include "lm/model.hpp"

namespace paragauge {

enum PhraseFeature : std::size_t {
    kDistortion,
    kLanguageModel,
    kWordPenalty,
    kPhrasePenalty,
    kTranslation,  // the first of kPhraseScores
    kUnknownPenalty = kTranslation + kPhraseScores,
    kCopyPenalty,
    kPhraseFeatures
};
constexpr double kUnknownCost = -100;  // as in Moses

using PhraseValues = std::array<double, kPhraseFeatures>;

struct PhraseSettings {
    std::size_t stack;          // hypotheses of a stack
    double beam;                // ln of the share of the best one's probability; -inf for none
    std::int64_t distortion;    // words that may be jumped over; -1 for any number
    std::size_t limit;          // targets of a source phrase
    bool count_copies;          // whether kCopyPenalty is counted
    bool drop_copies;           // no phrase stays unchanged if it has another target
    bool drop_same_sentence;    // no sentence stays unchanged if there is another translation
};

constexpr std::uint32_t kPassThrough = 0xFFFFFFFF;  // the row of a word that is not in the table

// One way to translate the words `start` to `end`.
struct PhraseOption {
    std::uint32_t start, end;
    std::uint32_t row;
    std::uint32_t first, size;  // its words in PhraseOptions::words, states and tails
    std::uint32_t opening;      // the number of its first word among those of all options
    bool copy;
    double fixed;     // its weighted features without language model and distortion
    double isolated;  // `fixed`, with the language model's score of the phrase alone
    double bound;     // an upper bound of the score in any context
};

// A table and a model under some weights.
struct PhraseModel {
    const PhraseStore* store;
    const NgramModel* model;
    PhraseValues weights;
    PhraseSettings settings;

    double log_weight() const;  // of the language model's log10
    double fixed_score(std::uint32_t row, std::size_t words, bool copy, std::size_t source) const;
    PhraseValues features(const PhraseOption& option) const;  // without language model and distortion
};

// The best rows of source phrases that have many.
using PhraseShortlists = std::unordered_map<Node, std::vector<std::uint32_t>>;
constexpr std::uint32_t kManyRows = 64;
std::vector<std::uint32_t> shortlist(const PhraseModel& model, Node node,
                                     std::span<const std::uint32_t> source, std::size_t limit);

struct PhraseSentence {
    std::vector<std::string_view> texts;
    std::vector<std::uint32_t> words;  // KeyTable::kAbsent for a word that is not in the table

    void read(const PhraseStore& store, std::string_view line);
    std::size_t size() const { return words.size(); }
};

// A cache of steps of a language model: most steps are taken many times.
class StepCache {
public:
    // As NgramModel::step; one cache serves one model.
    double step(const NgramModel& model, Node& state, std::uint32_t word) {
        const std::uint64_t key = std::uint64_t{state} << 32 | word;
        Slot& slot = slots_[mix(key) % kSlots];
        if (slot.key != key) {
            slot.key = key;
            slot.log10 = model.step(state, word).log10;
            slot.state = state;
        }
        state = slot.state;
        return slot.log10;
    }

    // Steps from one state to the first words of options, of which there are `openings` different ones.
    void start(std::size_t openings) {
        if (firsts_.size() < openings) firsts_.resize(openings);
        ++stamp_;
    }
    // As `step`, always from the same state after `start`.
    double first(const NgramModel& model, Node& state, std::uint32_t word, std::uint32_t opening) {
        First& first = firsts_[opening];
        if (first.stamp != stamp_) {
            first.log10 = step(model, state, word);
            first.state = state;
            first.stamp = stamp_;
        }
        state = first.state;
        return first.log10;
    }

private:
    static constexpr std::size_t kSlots = 1 << 13;  // they fit in a core's own cache
    struct Slot {
        std::uint64_t key = ~std::uint64_t{0};  // not a word of any model
        double log10 = 0;
        Node state = kRoot;
    };
    struct First {
        double log10 = 0;
        Node state = kRoot;
        std::uint64_t stamp = 0;
    };
    std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
    std::vector<First> firsts_;
    std::uint64_t stamp_ = 0;
};

class PhraseOptions {
public:
    // `lists` has those of all source phrases of the sentence, made with `limit` or more, or is null.
    void fill(const PhraseModel& model, const PhraseSentence& sentence, std::size_t limit,
              const PhraseShortlists* lists);

    // Sorted by start, end, descending isolated score, row.
    const std::vector<PhraseOption>& all() const { return options_; }
    std::size_t longest() const { return longest_; }  // words of the longest span with an option
    std::size_t openings() const { return openings_.size(); }  // different first words
    std::span<const std::uint32_t> of(std::size_t start, std::size_t end) const {  // by descending bound
        const std::size_t at = start * longest_ + (end - start - 1);
        return {by_bound_.data() + first_[at], first_[at + 1] - first_[at]};
    }
    // The best isolated scores that cover the words `start` to `end`.
    double future(std::size_t start, std::size_t end) const { return future_[start * (size_ + 1) + end]; }
    // log10 of the option's words after `state`, which becomes the state after them; or -inf as soon
    // as it is known to be below `least`. The cache was started for this state.
    double extend(const NgramModel& model, StepCache& cache, const PhraseOption& option, double least,
                  Node& state) const;

private:
    void put(const PhraseModel& model, const PhraseSentence& sentence, std::size_t start, std::size_t end,
             std::uint32_t row);
    void fill_span(const PhraseModel& model, const PhraseSentence& sentence, std::size_t start,
                   std::size_t end, Node node, std::size_t limit, const PhraseShortlists* lists);
    void fill_future();

    std::size_t size_ = 0, longest_ = 0;
    std::vector<PhraseOption> options_;
    std::vector<std::uint32_t> by_bound_, first_;
    KeyTable openings_;
    std::vector<double> future_;
    // Per word of an option: its number in the model, the state after it if the phrase stands alone, the
    // log10 of it and those after it, so, and in the best context; tails and mosts have one more, 0.
    std::vector<std::uint32_t> words_;
    std::vector<Node> states_;
    std::vector<double> tails_, mosts_;
};

}  // namespace paragauge
