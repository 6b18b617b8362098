#include "syntax/tagger.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <string>
#include <utility>

#include "base/hashing.hpp"
#include "base/idle_pool.hpp"
#include "base/parallel.hpp"
#include "base/vectors.hpp"
#include "syntax/tagger_features.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;
constexpr std::size_t kColumns = 64;
// Words that a thread caches: text repeats its words, so most need not be read again.
constexpr std::size_t kRemembered = 1 << 15;

// Words of a line that are looked up before any of them is tagged.
constexpr std::size_t kChunk = 256;
// The words before and after one that its features look at.
constexpr std::size_t kBefore = 2, kAfter = 2;

// 128 weights of -128 to 127 cannot leave 16 bits, and there are fewer than 50 features.
struct alignas(64) Sums {
    std::array<std::int16_t, kColumns> values{};
};

// Joint features, one at the start of a sentence, one of the second word before, two of the second after.
constexpr std::size_t kRows = 11;
constexpr std::size_t kTagRows = 7;

// The sums are not local arrays: compilers would interleave rows, and no longer use vectors.
PARAGAUGE_VECTORS
void add_rows(const WeightRow* const* rows, std::size_t row_count, std::int16_t* total) {
    for (std::size_t r = 0; r < row_count; ++r) {
        const std::int8_t* const weights = rows[r]->weights.data();
        for (std::size_t t = 0; t < kColumns; ++t) total[t] = static_cast<std::int16_t>(total[t] + weights[t]);
    }
}

PARAGAUGE_VECTORS
void add_up(const Sums* const* sums, std::int16_t* total) {
    for (std::size_t t = 0; t < kColumns; ++t)
        total[t] = static_cast<std::int16_t>(sums[0]->values[t] + sums[1]->values[t] + sums[2]->values[t]);
}

// The tag with the largest sum, the first of several.
PARAGAUGE_VECTORS
std::uint64_t best_tag(const std::int16_t* sums) {
    constexpr auto kLast = static_cast<std::int32_t>(kColumns - 1);
    std::int32_t best = std::numeric_limits<std::int32_t>::min();
    for (std::int32_t t = 0; t <= kLast; ++t) best = std::max(best, sums[t] * (kLast + 1) + kLast - t);
    return static_cast<std::uint64_t>(kLast - (best & kLast));
}

// A word with everything that depends on it alone.
struct Word {
    WordContext form;
    const WeightRow* before2;
    std::array<const WeightRow*, 2> after2;
    std::uint64_t usual_tag;  // the last it had; before the first, what it would have alone
    Sums own;
    Sums before;  // its part in the next word's scores
    Sums after;   // its part in the previous word's scores
};

// Tags a line in passes, so that the memory one pass asks for arrives before the next needs it. Features of
// the tags before a word are read for the tags that those words last had; where a word has another one now,
// which is rare, the last pass reads them again.
class Decoder {
public:
    explicit Decoder(const TaggerModel& model)
        : model_(model), start_(make_word(boundary(1))), end_(make_word(boundary(2))) {
        table_.reset();
        words_.reserve(kRemembered);
    }

    // Writes one tag for each of `tokens`; those within `text` are read faster.
    void tag(std::string_view text, const std::vector<std::string_view>& tokens, std::int32_t* out) {
        text_ = text;
        TagPair before{kNoTag, kNoTag};
        for (std::size_t first = 0; first < tokens.size(); first += kChunk) {
            const std::size_t count = std::min(kChunk, tokens.size() - first);
            look_up(tokens, first, count);
            expect_tags(count, before);
            for (std::size_t i = 0; i < count; ++i) find_keys(i, first + i == 0);
            for (std::size_t i = 0; i < count; ++i) find_rows(i);
            for (std::size_t i = 0; i < count; ++i) sum_up(i);
            for (std::size_t i = 0; i < count; ++i) {
                Position& here = positions_[i];
                if (before != here.expected) correct(here, i, before);
                window_[i + kBefore]->usual_tag = here.tag;
                out[first + i] = static_cast<std::int32_t>(here.tag);
                before = {here.tag, before.first};
            }
        }
    }

private:
    using TagPair = std::pair<std::uint64_t, std::uint64_t>;  // of the word before, and of the one before it

    struct Position {
        TagPair expected;
        std::uint64_t tag;
        std::array<std::uint32_t, 8> keys;
        std::array<std::uint32_t, kTagRows> tag_keys;
        std::size_t size, tag_size;  // of keys and tag_keys
        std::array<const WeightRow*, kRows> rows;
        std::array<const WeightRow*, kTagRows> tag_rows;
        Sums sums;  // without those of tags
    };

    // The tags that words usually have become those expected before the words after them.
    void expect_tags(std::size_t count, TagPair before) {
        for (std::size_t i = 0; i < count; ++i) {
            positions_[i].expected = before;
            before = {window_[i + kBefore]->usual_tag, before.first};
        }
    }

    std::array<std::uint32_t, kTagRows> tag_keys_of(std::size_t i, TagPair before) const {
        return tag_keys(before.first, before.second, window_[i + kBefore]->form, window_[i + kBefore + 1]->form);
    }

    void find_keys(std::size_t i, bool at_start) {
        Word* const* const window = window_.data() + i;
        const auto keys = joint_keys(window[1]->form, window[2]->form, window[3]->form, window[4]->form);
        Position& here = positions_[i];
        here.size = keep_present(keys, here.keys.data());
        if (at_start) here.keys[here.size++] = first_key(window[2]->form);
        here.tag_size = keep_present(tag_keys_of(i, here.expected), here.tag_keys.data());
        for (std::size_t k = 0; k < here.size; ++k) model_.prefetch(here.keys[k]);
        for (std::size_t k = 0; k < here.tag_size; ++k) model_.prefetch(here.tag_keys[k]);
    }

    void find_rows(std::size_t i) {
        Position& here = positions_[i];
        here.rows[0] = window_[i]->before2;
        here.rows[1] = window_[i + kBefore + kAfter]->after2[0];
        here.rows[2] = window_[i + kBefore + kAfter]->after2[1];
        for (std::size_t k = 0; k < here.size; ++k) here.rows[k + 3] = &model_.row(here.keys[k]);
        here.size += 3;
        for (std::size_t k = 0; k < here.tag_size; ++k) here.tag_rows[k] = &model_.row(here.tag_keys[k]);
        for (std::size_t k = 0; k < here.size; ++k) __builtin_prefetch(here.rows[k]);
        for (std::size_t k = 0; k < here.tag_size; ++k) __builtin_prefetch(here.tag_rows[k]);
    }

    void sum_up(std::size_t i) {
        Position& here = positions_[i];
        const std::array<const Sums*, 3> sums{&window_[i + kBefore]->own, &window_[i + kBefore - 1]->before,
                                              &window_[i + kBefore + 1]->after};
        add_up(sums.data(), here.sums.values.data());
        add_rows(here.rows.data(), here.size, here.sums.values.data());
        choose(here);
    }

    // Reads the features of the tags that the words before do have.
    void correct(Position& here, std::size_t i, TagPair before) {
        here.tag_size = keep_present(tag_keys_of(i, before), here.tag_keys.data());
        for (std::size_t k = 0; k < here.tag_size; ++k) here.tag_rows[k] = &model_.row(here.tag_keys[k]);
        choose(here);
    }

    void choose(Position& here) {
        total_ = here.sums;
        add_rows(here.tag_rows.data(), here.tag_size, total_.values.data());
        here.tag = best_tag(total_.values.data());
    }

    // Copies the keys that the model may have; how many they are.
    template <std::size_t N>
    std::size_t keep_present(const std::array<std::uint32_t, N>& keys, std::uint32_t* present) const {
        std::size_t size = 0;
        for (const std::uint32_t key : keys) {
            present[size] = key;
            size += model_.may_have(key);
        }
        return size;
    }

    // window_[i + kBefore] becomes word first + i, with the words before the first and after the last.
    void look_up(const std::vector<std::string_view>& tokens, std::size_t first, std::size_t count) {
        // The vector never moves while its words are pointed to.
        if (words_.size() + count + kBefore + kAfter > kRemembered) {
            table_.reset();
            words_.clear();
            texts_.clear();
        }
        for (std::size_t k = 0; k < count + kBefore + kAfter; ++k) {
            const std::size_t shifted = first + k;
            window_[k] = shifted < kBefore                   ? &start_
                         : shifted - kBefore < tokens.size() ? &word_of(tokens[shifted - kBefore])
                                                             : &end_;
        }
    }

    Word& word_of(std::string_view token) {
        const bool inside = text_.data() <= token.data() && token.data() < text_.data() + text_.size();
        const char* const limit = inside ? text_.data() + text_.size() : token.data() + token.size();
        bool fresh = false;
        const std::uint32_t id = table_.insert(token, limit, fresh);
        if (!fresh) {
            const auto* const memory = reinterpret_cast<const char*>(&words_[id]);
            for (std::size_t at = 0; at < sizeof(Word); at += 64) __builtin_prefetch(memory + at);
        } else {
            table_.repoint(id, texts_.emplace_back(token));
            WordForm form{};
            reader_.read(token, form);
            WordReader::classify(model_.lexicon(), form);
            words_.push_back(make_word(form));
        }
        return words_[id];
    }

    template <std::size_t N>
    void add(const std::array<std::uint32_t, N>& keys, Sums& sums) const {
        std::array<std::uint32_t, N> present;
        std::array<const WeightRow*, N> rows;
        const std::size_t size = keep_present(keys, present.data());
        for (std::size_t k = 0; k < size; ++k) model_.prefetch(present[k]);
        for (std::size_t k = 0; k < size; ++k) {
            rows[k] = &model_.row(present[k]);
            __builtin_prefetch(rows[k]);
        }
        add_rows(rows.data(), size, sums.values.data());
    }

    Word make_word(const WordForm& form) const {
        Word word{form, &model_.row(before2_key(form)), {}, 0, {}, {}, {}};
        for (std::size_t t = model_.names().size(); t < kColumns; ++t)
            word.own.values[t] = std::numeric_limits<std::int16_t>::min() / 2;  // columns without a tag
        add(own_keys(form), word.own);
        add(before_keys(form), word.before);
        add(after_keys(form), word.after);
        const auto keys = after2_keys(form);
        for (std::size_t i = 0; i < keys.size(); ++i) word.after2[i] = &model_.row(keys[i]);
        word.usual_tag = best_tag(word.own.values.data());
        return word;
    }

    const TaggerModel& model_;
    std::string_view text_;
    WordReader reader_;
    StringTable table_;
    std::deque<std::string> texts_;
    std::vector<Word> words_;
    Word start_;
    Word end_;
    Sums total_;
    std::array<Word*, kChunk + kBefore + kAfter> window_;
    std::array<Position, kChunk> positions_;
};

}  // namespace

struct Tagger::Decoders {
    IdlePool<Decoder> pool;
};

Tagger::Tagger(std::string_view file) : model_(file), decoders_(std::make_unique<Decoders>()) {}
Tagger::~Tagger() = default;

Encoded Tagger::tag(const TextColumn& lines, std::size_t threads) const {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<Encoded> parts(ranges.size());
    const std::string_view text(lines.data, lines.size);
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Encoded& part = parts[index];
        std::unique_ptr<Decoder> decoder = decoders_->pool.take(model_);
        std::vector<std::string_view> tokens;
        for (std::size_t line = range.first; line < range.last; ++line) {
            split_words(lines.line(line), tokens);
            const std::size_t base = part.ids.size();
            part.ids.resize(base + tokens.size());
            decoder->tag(text, tokens, part.ids.data() + base);
            part.offsets.push_back(static_cast<std::int64_t>(part.ids.size()));
        }
        decoders_->pool.give_back(std::move(decoder));
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
