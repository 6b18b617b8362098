#include "syntax/tagger_words.hpp"

#include <algorithm>

namespace paragauge {

namespace {

constexpr std::string_view kOpening = "``";
constexpr std::string_view kClosing = "''";
constexpr std::string_view kApostrophe = "\xE2\x80\x99";

constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"-LRB-", "("},           {"-RRB-", ")"},           {"-LSB-", "["},
    {"-RSB-", "]"},           {"-LCB-", "{"},           {"-RCB-", "}"},
    {"\xE2\x80\x9C", kOpening}, {"\xE2\x80\x9D", kClosing}, {"\xE2\x80\x98", "`"},
};

bool is_upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(unsigned char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

std::string_view spelling(std::string_view token) {
    if (token.front() == '-' || token.front() == '\xE2')
        for (const auto& [written, meant] : kSpellings)
            if (token == written) return meant;
    return token;
}

// Letters as X, x and u, digits as 0, all else as it is; of equal characters in a row, two stay.
void write_shape(std::string_view form, std::string& shape) {
    shape.clear();
    for (std::size_t i = 0; i < form.size(); ++i) {
        const auto c = static_cast<unsigned char>(form[i]);
        char kind = form[i];
        if (c >= 0x80 && c < 0xC0) continue;  // inside a character
        if (is_upper(c)) kind = 'X';
        if (is_lower(c)) kind = 'x';
        if (c >= 0xC0) {
            const unsigned next = i + 1 < form.size() ? static_cast<unsigned char>(form[i + 1]) : 0;
            const bool latin_capital = c == 0xC3 && next >= 0x80 && next <= 0x9E && next != 0x97;
            kind = latin_capital ? 'X' : c < 0xE0 ? 'x' : 'u';
        }
        const std::size_t size = shape.size();
        if (size < 2 || shape[size - 1] != kind || shape[size - 2] != kind) shape.push_back(kind);
    }
}

}  // namespace

std::uint64_t hash_text(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return mix(hash);
}

std::uint64_t TagLexicon::tags(std::uint32_t key) const {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), key,
                                     [](const auto& entry, std::uint32_t k) { return entry.first < k; });
    return at != entries_.end() && at->first == key ? at->second : 0;
}

void WordReader::read(std::string_view token, WordForm& word) {
    const std::string_view text = spelling(token);
    form_.clear();
    word.flags = is_upper(static_cast<unsigned char>(text.front())) ? 1 : 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == 0xE2 && text.substr(i, kApostrophe.size()) == kApostrophe) {
            form_.push_back('\'');
            i += kApostrophe.size() - 1;
            continue;
        }
        form_.push_back(is_digit(c) ? '0' : text[i]);
        word.flags |= is_upper(c) ? 2U : is_lower(c) ? 4U : is_digit(c) ? 8U : c == '-' ? 16U : 0U;
    }
    lower_ = form_;
    for (char& c : lower_)
        if (is_upper(static_cast<unsigned char>(c))) c = static_cast<char>(c + ('a' - 'A'));
    write_shape(form_, shape_);
    word.form = hash_text(form_);
    word.lower = hash_text(lower_);
    word.shape = hash_text(shape_);
    const std::string_view lower = lower_;
    for (std::size_t n = 1; n <= kSuffixes; ++n)
        word.suffix[n - 1] = hash_text(lower.substr(lower.size() - std::min(n, lower.size())));
    for (std::size_t n = 1; n <= kPrefixes; ++n) word.prefix[n - 1] = hash_text(lower.substr(0, n));
    word.form_key = feature_key(0, word.form);
    word.lower_key = feature_key(1, word.lower);
}

void WordReader::classify(const TagLexicon& lexicon, WordForm& word) {
    const std::uint64_t tags = lexicon.tags(word.form_key);
    word.known = tags != 0;
    word.form_class = word.known ? mix(tags) : combine(word.suffix[1], word.shape);
    const std::uint64_t lower_tags = lexicon.tags(word.lower_key);
    word.lower_class = lower_tags != 0 ? mix(lower_tags) : combine(word.suffix[1], 7);
}

WordForm boundary(std::uint64_t side) {
    WordForm word{};
    word.form = word.lower = word.shape = word.flags = side;
    word.suffix.fill(side);
    word.prefix.fill(side);
    word.form_class = word.lower_class = side;
    return word;
}

void split_words(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    bool open = false;
    for (std::size_t start = 0; start < line.size();) {
        const std::size_t stop = std::min(line.find(' ', start), line.size());
        std::string_view word = line.substr(start, stop - start);
        start = stop + 1;
        if (word.empty()) continue;
        if (word == "\"") {
            word = open ? kClosing : kOpening;
            open = !open;
        }
        words.push_back(word);
    }
}

}  // namespace paragauge
