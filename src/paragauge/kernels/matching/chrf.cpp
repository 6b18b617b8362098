#include "matching/chrf.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "matching/common_ngrams.hpp"
#include "text/tokenize.hpp"
#include "text/utf8.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;
constexpr double kSmall = 1e-16;

// Numbers the characters of one segment in order of first appearance.
class CharacterNumbers {
public:
    void reset(std::size_t characters) {
        ascii_.fill(kNew);
        others_ready_ = false;
        most_ = characters;
        size_ = 0;
    }

    // Appends the numbers of a line's characters, with or without white space.
    void encode(std::string_view line, bool whitespace, std::vector<std::int32_t>& numbers) {
        numbers.resize(line.size());
        std::int32_t* out = numbers.data();
        const char* p = line.data();
        const char* const end = p + line.size();
        while (p != end) {
            const auto byte = static_cast<unsigned char>(*p);
            if (byte < 0x80) {
                ++p;
                if (!whitespace && is_ascii_space(byte)) continue;
                if (ascii_[byte] == kNew) ascii_[byte] = size_++;
                *out++ = ascii_[byte];
                continue;
            }
            const CodePoint point = decode(p);
            p += point.size;
            if (whitespace || !is_space(point.value)) *out++ = number_of(point.value);
        }
        numbers.resize(static_cast<std::size_t>(out - numbers.data()));
    }

    std::size_t size() const { return static_cast<std::size_t>(size_); }

private:
    static constexpr std::int32_t kNew = -1;

    std::int32_t number_of(char32_t character) {
        if (!others_ready_) {
            others_.reset(most_);
            numbers_.clear();
            others_ready_ = true;
        }
        const std::uint32_t at = others_.insert(character);
        if (at == numbers_.size()) numbers_.push_back(size_++);
        return numbers_[at];
    }

    std::array<std::int32_t, 128> ascii_;
    KeyTable others_;
    std::vector<std::int32_t> numbers_;  // of others_' characters
    bool others_ready_ = false;
    std::size_t most_ = 0;
    std::int32_t size_ = 0;
};

bool is_ascii_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// Numbers the words of one segment in order of first appearance. A word of several characters loses one
// ASCII punctuation mark: the last character or, if that is none, the first; it becomes a word itself.
class WordNumbers {
public:
    void reset() { table_.reset(); }

    void encode(std::string_view line, const char* limit, std::vector<std::int32_t>& numbers) {
        numbers.clear();
        words_.clear();
        split_words(line, words_);
        for (const std::string_view word : words_) {
            const std::size_t size = word.size();
            if (size == decode(word.data()).size) {
                add(word, limit, numbers);
            } else if (is_ascii_punctuation(word.back())) {
                add(word.substr(0, size - 1), limit, numbers);
                add(word.substr(size - 1), limit, numbers);
            } else if (is_ascii_punctuation(word.front())) {
                add(word.substr(0, 1), limit, numbers);
                add(word.substr(1), limit, numbers);
            } else {
                add(word, limit, numbers);
            }
        }
    }

    std::size_t size() const { return table_.texts().size(); }

private:
    void add(std::string_view word, const char* limit, std::vector<std::int32_t>& numbers) {
        bool fresh = false;
        numbers.push_back(static_cast<std::int32_t>(table_.insert(word, limit, fresh)));
    }

    StringTable table_;
    Tokens words_;
};

// The F-score of a row; the operations and their order are those of the twin.
double f_score(std::span<const std::int64_t> row, const ChrfSettings& settings) {
    const double factor = settings.beta * settings.beta;
    double score = 0.0, precision = 0.0, recall = 0.0;
    std::size_t orders = 0;
    for (std::size_t i = 0; i < row.size(); i += 3) {
        const auto own = static_cast<double>(row[i]), other = static_cast<double>(row[i + 1]);
        const auto common = static_cast<double>(row[i + 2]);
        const double p = own > 0.0 ? common / own : kSmall;
        const double r = other > 0.0 ? common / other : kSmall;
        const double divisor = factor * p + r;
        score += divisor > 0.0 ? (1.0 + factor) * p * r / divisor : kSmall;
        if (own > 0.0 && other > 0.0) {
            precision += p;
            recall += r;
            ++orders;
        }
    }
    if (settings.smooth) return score / static_cast<double>(row.size() / 3);
    if (orders == 0 || precision + recall == 0.0) return 0.0;
    precision /= static_cast<double>(orders);
    recall /= static_cast<double>(orders);
    return (1.0 + factor) * precision * recall / (factor * precision + recall);
}

// Lines of one kind of symbol, characters or words, as numbers: the candidate's and its references'.
struct Symbols {
    std::vector<std::int32_t> own;
    std::vector<std::vector<std::int32_t>> others;
};

// One thread's work on one segment at a time.
class SegmentCounter {
public:
    explicit SegmentCounter(const ChrfSettings& settings)
        : settings_(settings),
          characters_in_common_(settings.char_order),
          words_in_common_(std::max<std::size_t>(settings.word_order, 1)),
          row_(3 * (settings.char_order + settings.word_order)),
          common_(settings.char_order + settings.word_order) {}

    void count(const TextColumn& candidates, const TextColumn& references, std::size_t segment, std::int64_t* best) {
        const std::size_t first = references.first_line(segment), last = references.first_line(segment + 1);
        encode(candidates, references, segment, first, last);
        double best_score = -1.0;
        for (std::size_t line = first; line < last; ++line) {
            match(line - first);
            const double score = last - first == 1 ? 0.0 : f_score(row_, settings_);
            if (score <= best_score) continue;
            best_score = score;
            std::copy(row_.begin(), row_.end(), best);
        }
    }

private:
    // All lines are numbered before any is matched: the matchers need to know how many symbols there are.
    void encode(const TextColumn& candidates, const TextColumn& references, std::size_t segment, std::size_t first,
                std::size_t last) {
        for (Symbols* symbols : {&characters_, &words_})
            if (symbols->others.size() < last - first) symbols->others.resize(last - first);
        std::size_t bytes = candidates.line(segment).size();
        for (std::size_t line = first; line < last; ++line) bytes += references.line(line).size();
        character_numbers_.reset(bytes);
        character_numbers_.encode(candidates.line(segment), settings_.whitespace, characters_.own);
        for (std::size_t line = first; line < last; ++line)
            character_numbers_.encode(references.line(line), settings_.whitespace, characters_.others[line - first]);
        characters_in_common_.start(characters_.own, character_numbers_.size());
        if (settings_.word_order == 0) return;
        word_numbers_.reset();
        word_numbers_.encode(candidates.line(segment), candidates.data + candidates.size, words_.own);
        for (std::size_t line = first; line < last; ++line)
            word_numbers_.encode(references.line(line), references.data + references.size, words_.others[line - first]);
        words_in_common_.start(words_.own, word_numbers_.size());
    }

    void match(std::size_t reference) {
        characters_in_common_.match(characters_.others[reference], common_.data());
        fill_row(0, settings_.char_order, characters_.own.size(), characters_.others[reference].size());
        if (settings_.word_order == 0) return;
        words_in_common_.match(words_.others[reference], common_.data() + settings_.char_order);
        fill_row(settings_.char_order, settings_.word_order, words_.own.size(), words_.others[reference].size());
    }

    void fill_row(std::size_t first, std::size_t orders, std::size_t own, std::size_t other) {
        for (std::size_t n = 0; n < orders; ++n) {
            const std::size_t theirs = other > n ? other - n : 0;
            std::int64_t* const cell = row_.data() + 3 * (first + n);
            cell[0] = static_cast<std::int64_t>(theirs > 0 && own > n ? own - n : 0);
            cell[1] = static_cast<std::int64_t>(theirs);
            cell[2] = common_[first + n];
        }
    }

    const ChrfSettings& settings_;
    CharacterNumbers character_numbers_;
    WordNumbers word_numbers_;
    CommonNgrams characters_in_common_, words_in_common_;
    Symbols characters_, words_;
    std::vector<std::int64_t> row_, common_;
};

}  // namespace

std::vector<std::int64_t> chrf_counts(const TextColumn& candidates, const TextColumn& references,
                                      const ChrfSettings& settings) {
    const std::size_t segments = candidates.segments();
    const std::size_t width = 3 * (settings.char_order + settings.word_order);
    std::vector<std::int64_t> rows(segments * width);
    run_parallel(split(segments, settings.threads, kGrain), [&](std::size_t, Range range) {
        SegmentCounter counter(settings);
        for (std::size_t segment = range.first; segment < range.last; ++segment)
            counter.count(candidates, references, segment, rows.data() + segment * width);
    });
    return rows;
}

}  // namespace paragauge
