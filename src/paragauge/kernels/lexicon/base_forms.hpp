// Base forms of the words of a text, each looked for once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"
#include "lexicon/morphy.hpp"

namespace paragauge {

// Holds the words of one thread, up to a number of them.
class BaseForms {
public:
    explicit BaseForms(const WordNet& net) : morphy_(net) { forget(); }

    // The base form of a word as a part of speech (plus 1; 0 for none), or the word itself. It stays until
    // the next call. For `limit` see short_key.
    std::string_view of(std::string_view word, std::uint8_t code, const char* limit) {
        if (code == 0) return word;
        Words& words = words_[code - 1U];
        if (words.forms.size() == kRemembered) forget();
        bool fresh = false;
        const std::uint32_t id = words.table.insert(word, limit, fresh);
        if (fresh) {
            words.table.repoint(id, words.texts.emplace_back(word));
            words.forms.emplace_back(find(word, code));
        }
        return words.forms[id];
    }

private:
    static constexpr std::size_t kRemembered = 1 << 14;

    struct Words {
        StringTable table;
        std::deque<std::string> texts;
        std::vector<std::string> forms;
    };

    void forget() {
        for (Words& words : words_) {
            words.table.reset();
            words.texts.clear();
            words.forms.clear();
        }
    }

    std::string_view find(std::string_view word, std::uint8_t code) {
        const bool any = code == kAnyPos;
        const unsigned first = any ? 0 : code - 1U, last = any ? kPoses : code;
        for (unsigned pos = first; pos < last; ++pos)
            if (morphy_.changed(word, static_cast<Pos>(pos))) return morphy_.result();
        return word;
    }

    Morphy morphy_;
    std::array<Words, kAnyPos> words_;  // by code
};

}  // namespace paragauge
