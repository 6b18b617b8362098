#include "syntax/tagger.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/vectors.hpp"
#include "syntax/tagger_features.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;
constexpr std::size_t kColumns = 64;
// Words that a thread caches: text repeats its words, so most need not be read again.
constexpr std::size_t kRemembered = 1 << 14;

// 128 weights of -128 to 127 cannot leave 16 bits, and there are fewer than 50 features.
struct alignas(64) Sums {
    std::array<std::int16_t, kColumns> values{};
};

// One for the second word before, two for the second after, seven joint ones, seven of tags, one at
// the start of a sentence.
constexpr std::size_t kRows = 18;

PARAGAUGE_VECTORS
std::int16_t add_up(const Sums* const* sums, const WeightRow* const* rows, std::size_t row_count,
                    std::int16_t* total) {
    for (std::size_t t = 0; t < kColumns; ++t)
        total[t] = static_cast<std::int16_t>(sums[0]->values[t] + sums[1]->values[t] +
                                             sums[2]->values[t] + sums[3]->values[t]);
    for (std::size_t r = 0; r < row_count; ++r) {
        const std::int8_t* weights = rows[r]->weights.data();
        for (std::size_t t = 0; t < kColumns; ++t)
            total[t] = static_cast<std::int16_t>(total[t] + weights[t]);
    }
    std::int16_t best = total[0];
    for (std::size_t t = 1; t < kColumns; ++t) best = std::max(best, total[t]);
    return best;
}

// A word with everything that depends on it alone.
struct Word {
    WordForm form;
    Sums own;
    Sums before;  // its part in the next word's scores
    Sums after;   // its part in the previous word's scores
    const WeightRow* before2;
    std::array<const WeightRow*, 2> after2;
};

class Decoder {
public:
    explicit Decoder(const TaggerModel& model)
        : model_(model), start_(make_word(boundary(1))), end_(make_word(boundary(2))) {
        table_.reset();
        words_.reserve(kRemembered);
        for (std::size_t t = model.names().size(); t < kColumns; ++t)
            unused_.values[t] = std::numeric_limits<std::int16_t>::min() / 2;
    }

    // Writes one tag for each of `tokens`.
    void tag(const std::vector<std::string_view>& tokens, std::int32_t* out) {
        // Words i - 2 to i + 2. Nothing else points into the cache, so it can be cleared at any time.
        std::array<const Word*, 5> window{};
        std::uint64_t tag = kNoTag, tag2 = kNoTag;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i == 0 || words_.size() >= kRemembered) {
                forget_if_full();
                for (std::size_t k = 0; k < window.size(); ++k) window[k] = at(tokens, i + k);
            } else {
                std::copy(window.begin() + 1, window.end(), window.begin());
                window[4] = at(tokens, i + 4);
            }
            const auto [before2, before, word, after, after2] = window;
            const std::array<const Sums*, 4> sums{&unused_, &word->own, &before->before, &after->after};
            std::array<const WeightRow*, kRows> rows;
            std::size_t count = 0;
            rows[count++] = before2->before2;
            for (const WeightRow* row : after2->after2) rows[count++] = row;
            for (const std::uint32_t key :
                 joint_keys(before->form, word->form, after->form, after2->form))
                rows[count++] = &model_.row(key);
            for (const std::uint32_t key : tag_keys(tag, tag2, word->form, after->form))
                rows[count++] = &model_.row(key);
            if (i == 0) rows[count++] = &model_.row(first_key(word->form));
            alignas(64) std::array<std::int16_t, kColumns> total;
            const std::int16_t best = add_up(sums.data(), rows.data(), count, total.data());
            tag2 = tag;
            tag = static_cast<std::uint64_t>(std::find(total.begin(), total.end(), best) - total.begin());
            out[i] = static_cast<std::int32_t>(tag);
        }
    }

private:
    // The word two places before `shifted`, so that places before the first are not negative.
    const Word* at(const std::vector<std::string_view>& tokens, std::size_t shifted) {
        if (shifted < 2) return &start_;
        if (shifted - 2 >= tokens.size()) return &end_;
        const std::string_view token = tokens[shifted - 2];
        bool fresh = false;
        const std::uint32_t id = table_.insert(token, token.data() + token.size(), fresh);
        if (fresh) {
            WordForm form{};
            reader_.read(token, form);
            WordReader::classify(model_.lexicon(), form);
            words_.push_back(make_word(form));
        }
        return &words_[id];
    }

    void forget_if_full() {
        // Room for the five of a window: the vector never moves while they are pointed to.
        if (words_.size() + 5 <= kRemembered) return;
        table_.reset();
        words_.clear();
    }

    template <std::size_t N>
    void add(const std::array<std::uint32_t, N>& keys, Sums& sums) const {
        for (const std::uint32_t key : keys) {
            const WeightRow& row = model_.row(key);
            for (std::size_t t = 0; t < kColumns; ++t)
                sums.values[t] = static_cast<std::int16_t>(sums.values[t] + row.weights[t]);
        }
    }

    Word make_word(const WordForm& form) const {
        Word word{form, {}, {}, {}, &model_.row(before2_key(form)), {}};
        add(own_keys(form), word.own);
        add(before_keys(form), word.before);
        add(after_keys(form), word.after);
        const auto keys = after2_keys(form);
        for (std::size_t i = 0; i < keys.size(); ++i) word.after2[i] = &model_.row(keys[i]);
        return word;
    }

    const TaggerModel& model_;
    WordReader reader_;
    StringTable table_;
    std::vector<Word> words_;
    Word start_;
    Word end_;
    Sums unused_;
};

}  // namespace

Encoded Tagger::tag(const TextColumn& lines, std::size_t threads) const {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Encoded> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Encoded& part = parts[index];
        Decoder decoder(model_);
        std::vector<std::string_view> tokens;
        for (std::size_t line = range.first; line < range.last; ++line) {
            split_words(lines.line(line), tokens);
            const std::size_t base = part.ids.size();
            part.ids.resize(base + tokens.size());
            decoder.tag(tokens, part.ids.data() + base);
            part.offsets.push_back(static_cast<std::int64_t>(part.ids.size()));
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

std::vector<std::uint8_t> Tagger::known(const TextColumn& lines) const {
    std::vector<std::uint8_t> result;
    std::vector<std::string_view> tokens;
    WordReader reader;
    WordForm form{};
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        split_words(lines.line(line), tokens);
        for (const std::string_view token : tokens) {
            reader.read(token, form);
            WordReader::classify(model_.lexicon(), form);
            result.push_back(form.known ? 1 : 0);
        }
    }
    return result;
}

}  // namespace paragauge
