// Base forms of words as WordNet's own library finds them (morphstr and morphword of WordNet 3.0,
// Fellbaum 1998): exception lists first, then the detachment of endings, then the word itself.
#pragma once

#include <string>
#include <string_view>

#include "lexicon/wordnet.hpp"

namespace paragauge {

// Holds the scratch space of one thread.
class Morphy {
public:
    explicit Morphy(const WordNet& net) : net_(net) {}

    // Whether `word` (in lower case) has a base form; result() is it until the next call.
    bool base(std::string_view word, Pos pos);
    // The same, but only a form that differs from the word, which is all that morphstr gives.
    bool changed(std::string_view word, Pos pos);
    std::string_view result() const { return result_; }

private:
    bool is_defined(std::string_view word, Pos pos);
    bool detach(std::string_view word, Pos pos);
    bool base_of_parts(std::string_view word, Pos pos);
    bool base_before_preposition(std::string_view word);
    bool try_verb(std::string_view verb, std::string_view rest, std::string_view other);
    bool give(std::string_view text) {
        result_ = text;
        return true;
    }

    const WordNet& net_;
    std::string result_, piece_, variant_, joined_;
};

}  // namespace paragauge
