#include "syntax/tagger_train.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/hashing.hpp"
#include "syntax/tagger_features.hpp"

namespace paragauge {

namespace {

// A word is in the lexicon if it occurs this often, with the tags that make up this share of it.
constexpr std::int64_t kCommon = 3;
constexpr std::int64_t kShare = 20;

constexpr std::int64_t kLargest = 127;

// |value| * 127 / largest, rounded, a half away from zero.
std::int8_t quantized(std::int64_t value, std::int64_t largest) {
    const std::int64_t size = (2 * kLargest * std::abs(value) + largest) / (2 * largest);
    return static_cast<std::int8_t>(value < 0 ? -size : size);
}

}  // namespace

TaggerTrainer::TaggerTrainer(const TextColumn& lines, std::span<const std::int32_t> tags,
                             std::vector<std::string> names, TrainingSettings settings)
    : names_(std::move(names)),
      settings_(settings),
      tags_(tags.begin(), tags.end()),
      random_(settings.seed) {
    read(lines);
    make_lexicon();
    choose_features();
}

void TaggerTrainer::read(const TextColumn& lines) {
    StringTable table;
    table.reset();
    WordReader reader;
    std::vector<std::string_view> tokens;
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        split_words(lines.line(line), tokens);
        const std::size_t first = words_.size();
        for (const std::string_view token : tokens) {
            bool fresh = false;
            words_.push_back(table.insert(token, token.data() + token.size(), fresh));
            if (fresh) reader.read(token, forms_.emplace_back());
        }
        order_.push_back(static_cast<std::uint32_t>(sentences_.size()));
        sentences_.push_back({first, words_.size()});
    }
}

void TaggerTrainer::make_lexicon() {
    std::map<std::uint32_t, Row<std::int64_t>> counts;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const WordForm& form = forms_[words_[i]];
        for (const std::uint32_t key : {form.form_key, form.lower_key})
            ++counts[key][static_cast<std::size_t>(tags_[i])];
    }
    std::vector<std::pair<std::uint32_t, std::uint64_t>> entries;
    for (const auto& [key, row] : counts) {
        std::int64_t total = 0;
        for (const std::int64_t count : row) total += count;
        if (total < kCommon) continue;
        std::uint64_t bits = 0;
        for (std::size_t tag = 0; tag < names_.size(); ++tag)
            if (row[tag] > 0 && kShare * row[tag] >= total) bits |= std::uint64_t{1} << tag;
        entries.emplace_back(key, bits);
    }
    lexicon_ = TagLexicon(std::move(entries));
    for (WordForm& form : forms_) WordReader::classify(lexicon_, form);
}

const WordForm& TaggerTrainer::word(const Sentence& sentence, std::size_t position,
                                    std::int64_t shift) const {
    const std::int64_t at = static_cast<std::int64_t>(position) + shift;
    if (at < static_cast<std::int64_t>(sentence.first)) return start_;
    if (at >= static_cast<std::int64_t>(sentence.last)) return end_;
    return forms_[words_[static_cast<std::size_t>(at)]];
}

// All features that do not depend on tags.
template <class Visit>
void TaggerTrainer::static_keys(const Sentence& sentence, std::size_t position, Visit visit) const {
    const WordForm& before = word(sentence, position, -1);
    const WordForm& own = word(sentence, position, 0);
    const WordForm& after = word(sentence, position, 1);
    const WordForm& after2 = word(sentence, position, 2);
    for (const std::uint32_t key : own_keys(own)) visit(key);
    for (const std::uint32_t key : before_keys(before)) visit(key);
    for (const std::uint32_t key : after_keys(after)) visit(key);
    visit(before2_key(word(sentence, position, -2)));
    for (const std::uint32_t key : after2_keys(after2)) visit(key);
    if (position == sentence.first) visit(first_key(own));
    for (const std::uint32_t key : joint_keys(before, own, after, after2)) visit(key);
}

void TaggerTrainer::choose_features() {
    std::unordered_map<std::uint32_t, std::int64_t> counts;
    const auto count = [&](std::uint32_t key) { ++counts[key]; };
    for (const Sentence& sentence : sentences_) {
        std::uint64_t tag = kNoTag, tag2 = kNoTag;
        for (std::size_t i = sentence.first; i < sentence.last; ++i) {
            static_keys(sentence, i, count);
            for (const std::uint32_t key :
                 tag_keys(tag, tag2, word(sentence, i, 0), word(sentence, i, 1)))
                count(key);
            tag2 = tag;
            tag = static_cast<std::uint64_t>(tags_[i]);
        }
    }
    for (const auto& [key, times] : counts)
        if (times >= settings_.cutoff) keys_.push_back(key);
    std::sort(keys_.begin(), keys_.end());
    table_.reset(keys_.size());
    for (const std::uint32_t key : keys_) table_.insert(key);
    weights_.resize(keys_.size());
    totals_.resize(keys_.size());
    static_offsets_.push_back(0);
    for (const Sentence& sentence : sentences_)
        for (std::size_t i = sentence.first; i < sentence.last; ++i) {
            static_keys(sentence, i, [&](std::uint32_t key) {
                if (const std::uint32_t row = row_of(key); row != kNone) static_rows_.push_back(row);
            });
            static_offsets_.push_back(static_rows_.size());
        }
}

std::uint32_t TaggerTrainer::row_of(std::uint32_t key) const {
    static_assert(kNone == KeyTable::kAbsent);
    return table_.find(key);
}

std::int64_t TaggerTrainer::learn(const Sentence& sentence) {
    std::int64_t updates = 0;
    std::uint64_t tag = kNoTag, tag2 = kNoTag;
    std::vector<std::uint32_t> rows;
    for (std::size_t i = sentence.first; i < sentence.last; ++i) {
        ++step_;
        rows.assign(static_rows_.begin() + static_cast<std::ptrdiff_t>(static_offsets_[i]),
                    static_rows_.begin() + static_cast<std::ptrdiff_t>(static_offsets_[i + 1]));
        for (const std::uint32_t key :
             tag_keys(tag, tag2, word(sentence, i, 0), word(sentence, i, 1)))
            if (const std::uint32_t row = row_of(key); row != kNone) rows.push_back(row);
        Row<std::int32_t> scores{};
        for (const std::uint32_t row : rows)
            for (std::size_t t = 0; t < scores.size(); ++t) scores[t] += weights_[row][t];
        const auto right = static_cast<std::size_t>(tags_[i]);
        const std::size_t none = names_.size();
        std::size_t best = 0, rival = none;
        for (std::size_t t = 0; t < names_.size(); ++t) {
            if (scores[t] > scores[best]) best = t;
            if (t != right && (rival == none || scores[t] > scores[rival])) rival = t;
        }
        if (rival != none && scores[right] - scores[rival] <= settings_.margin) {
            ++updates;
            for (const std::uint32_t row : rows) {
                weights_[row][right] += 1;
                totals_[row][right] += step_;
                weights_[row][rival] -= 1;
                totals_[row][rival] -= step_;
            }
        }
        tag2 = tag;
        tag = best;
    }
    return updates;
}

std::int64_t TaggerTrainer::epoch() {
    for (std::size_t i = order_.size(); i > 1; --i) {
        random_ += kGolden;
        const std::uint64_t draw = (mix(random_) >> 32) * i >> 32;
        std::swap(order_[i - 1], order_[draw]);
    }
    std::int64_t updates = 0;
    for (const std::uint32_t index : order_) updates += learn(sentences_[index]);
    return updates;
}

std::string TaggerTrainer::model() const {
    // The mean weight over all steps, times the number of steps: a whole number.
    const auto mean = [&](std::size_t row, std::size_t tag) {
        return weights_[row][tag] * step_ - totals_[row][tag];
    };
    std::int64_t largest = 1;
    for (std::size_t row = 0; row < keys_.size(); ++row)
        for (std::size_t tag = 0; tag < names_.size(); ++tag)
            largest = std::max(largest, std::abs(mean(row, tag)));
    std::vector<FeatureWeights> features;
    for (std::size_t row = 0; row < keys_.size(); ++row) {
        FeatureWeights feature{keys_[row], {}};
        for (std::size_t tag = 0; tag < names_.size(); ++tag)
            if (const std::int8_t weight = quantized(mean(row, tag), largest); weight != 0)
                feature.weights.emplace_back(static_cast<std::uint8_t>(tag), weight);
        if (!feature.weights.empty()) features.push_back(std::move(feature));
    }
    return write_model(names_, lexicon_, features);
}

}  // namespace paragauge
