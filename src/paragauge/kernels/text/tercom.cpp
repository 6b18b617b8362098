#include "text/tercom.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "text/tokenize.hpp"
#include "text/utf8.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_mark(char c) { return c == '.' || c == ','; }

bool is_split_off(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
           (c >= ':' && c <= '@') || c == '/';
}

bool is_removed(char c) { return std::string_view(".,?:;!\"()").find(c) != std::string_view::npos; }

bool is_between(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

bool is_asian_punctuation(char32_t c) {
    const bool full_width = c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A || c == 0xFF1B ||
                            c == 0xFF01 || c == 0xFF02 || c == 0xFF08 || c == 0xFF09;
    return full_width || c == 0x3001 || c == 0x3002 || is_between(c, 0x3008, 0x3011) ||
           is_between(c, 0x3014, 0x301F) || is_between(c, 0xFF61, 0xFF65) || c == 0x30FB;
}

// Ideographs, radicals, strokes and what sacreBLEU splits besides; kana stay together.
bool is_asian(char32_t c) {
    return is_between(c, 0x4E00, 0x9FFF) || is_between(c, 0x3400, 0x4DBF) || is_between(c, 0x31C0, 0x31EF) ||
           is_between(c, 0x2E80, 0x2EFF) || is_between(c, 0x3300, 0x33FF) || is_between(c, 0xF900, 0xFAFF) ||
           is_between(c, 0xFE30, 0xFE4F) || is_between(c, 0x3200, 0x3F22) || is_asian_punctuation(c);
}

// Rewrites a line rule by rule. The rules look at ASCII characters only, so they may look at bytes.
class Rewriter {
public:
    std::string_view rewrite(std::string_view line, const TercomSettings& settings) {
        text_.assign(strip(line, false));
        if (text_.empty()) return text_;
        if (settings.normalized) normalize(settings.asian);
        if (settings.no_punct) remove_punctuation(settings.asian);
        return text_;
    }

private:
    void normalize(bool asian) {
        replace("\n-", "");
        replace("\n", " ");
        replace("&quot;", "\"");
        replace("&amp;", "&");
        replace("&lt;", "<");
        replace("&gt;", ">");
        text_.insert(0, 1, ' ');
        text_.push_back(' ');
        isolate();
        replace("'s ", " 's ");
        // A full stop or comma is split off unless a digit stands before it, then unless one stands after.
        rewrite_pairs([](char a, char b) { return !is_digit(a) && is_mark(b); },
                      [this](char a, char b) { append({a, ' ', b, ' '}); });
        rewrite_pairs([](char a, char b) { return is_mark(a) && !is_digit(b); },
                      [this](char a, char b) { append({' ', a, ' ', b}); });
        rewrite_pairs([](char a, char b) { return is_digit(a) && b == '-'; },
                      [this](char a, char b) { append({a, ' ', b, ' '}); });
        if (!asian) return;
        rewrite_characters([this](std::string_view character, char32_t value) {
            if (!is_asian(value)) return out_.append(character), void();
            out_.push_back(' ');
            out_.append(character);
            out_.push_back(' ');
        });
    }

    void remove_punctuation(bool asian) {
        rewrite_characters([this, asian](std::string_view character, char32_t value) {
            const bool removed = value < 0x80 ? is_removed(character.front()) : asian && is_asian_punctuation(value);
            if (!removed) out_.append(character);
        });
    }

    void replace(std::string_view what, std::string_view by) {
        std::size_t at = text_.find(what);
        if (at == std::string::npos) return;
        out_.clear();
        std::size_t done = 0;
        for (; at != std::string::npos; at = text_.find(what, done)) {
            out_.append(text_, done, at - done);
            out_.append(by);
            done = at + what.size();
        }
        out_.append(text_, done);
        text_.swap(out_);
    }

    void isolate() {
        out_.clear();
        for (const char c : text_)
            if (is_split_off(c)) append({' ', c, ' '});
            else out_.push_back(c);
        text_.swap(out_);
    }

    // Rewrites pairs of neighbors from left to right; no character belongs to two pairs.
    template <class Test, class Write>
    void rewrite_pairs(Test test, Write write) {
        out_.clear();
        std::size_t i = 0;
        while (i < text_.size()) {
            if (i + 1 < text_.size() && test(text_[i], text_[i + 1])) {
                write(text_[i], text_[i + 1]);
                i += 2;
            } else {
                out_.push_back(text_[i++]);
            }
        }
        text_.swap(out_);
    }

    template <class Write>
    void rewrite_characters(Write write) {
        out_.clear();
        for (std::size_t at = 0; at < text_.size();) {
            const CodePoint point = decode(text_.data() + at);
            write(std::string_view(text_).substr(at, point.size), point.value);
            at += point.size;
        }
        text_.swap(out_);
    }

    void append(std::initializer_list<char> characters) { out_.append(characters); }

    std::string text_, out_;
};

}  // namespace

Joined normalize_tercom(const TextColumn& lines, const TercomSettings& settings) {
    const std::vector<Range> ranges = split(lines.lines(), settings.threads, kGrain);
    std::vector<Joined> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Joined& part = parts[index];
        Rewriter rewriter;
        Tokens words;
        for (std::size_t line = range.first; line < range.last; ++line) {
            words.clear();
            split_words(rewriter.rewrite(lines.line(line), settings), words);
            for (const std::string_view& word : words) {
                if (&word != words.begin()) part.text.push_back(' ');
                part.text.append(word);
            }
            part.offsets.push_back(static_cast<std::int64_t>(part.text.size()));
        }
    });
    return one_after_another(parts);
}

}  // namespace paragauge
