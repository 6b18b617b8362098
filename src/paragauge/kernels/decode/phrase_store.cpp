#include "decode/phrase_store.hpp"

#include <algorithm>
#include <stdexcept>

#include "lm/estimate.hpp"

namespace paragauge {

std::uint32_t PhraseStore::model_word(std::string_view word) const {
    const std::int32_t number = vocabulary_->find(word);
    return number < static_cast<std::int32_t>(kFirstWord) ? kUnknownWord : static_cast<std::uint32_t>(number);
}

std::uint32_t PhraseStore::number(std::string_view word, const char* limit) {
    bool fresh = false;
    const std::uint32_t id = words_.insert(word, limit, fresh);
    if (fresh) {
        texts_.emplace_back(word);
        words_.repoint(id, texts_.back());
        model_words_.push_back(model_word(word));
    }
    return id;
}

void PhraseStore::put_words(std::string_view phrase, const char* limit, std::vector<std::uint32_t>& to) {
    const std::size_t before = to.size();
    for_each_word(phrase, [&](std::string_view word) { to.push_back(number(word, limit)); });
    if (to.size() == before) throw std::invalid_argument("a phrase must have a word");
}

void PhraseStore::open_source(std::span<const std::uint32_t> source) {
    open_ = kRoot;
    for (const std::uint32_t word : source) {
        Node next = step(open_, word);
        if (next == kRoot) {
            next = static_cast<Node>(first_row_.size());
            trie_.reserve(next);
            trie_.insert(open_, word, next, 0);
            first_row_.push_back(0);
            last_row_.push_back(0);
        }
        open_ = next;
    }
    if (first_row_[open_] < last_row_[open_])
        throw std::invalid_argument("the rows of a source must stand together");
    first_row_[open_] = last_row_[open_] = static_cast<std::uint32_t>(rows());
    longest_ = std::max(longest_, source.size());
    ++sources_;
}

void PhraseStore::add(const TextRows& sources, const TextRows& targets, std::span<const float> scores) {
    std::vector<std::uint32_t> source;
    const char* source_limit = sources.text.data() + sources.text.size();
    const char* target_limit = targets.text.data() + targets.text.size();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (open_ == kRoot || sources.row(i) != last_source_) {
            source.clear();
            put_words(sources.row(i), source_limit, source);
            open_source(source);
            last_source_ = sources.row(i);
        }
        put_words(targets.row(i), target_limit, targets_);
        if (targets_.size() >= 0xFFFFFFFF || first_row_.size() >= kMostNodes)
            throw std::invalid_argument("there are too many words in the table");
        first_word_.push_back(static_cast<std::uint32_t>(targets_.size()));
        scores_.insert(scores_.end(), scores.begin() + static_cast<std::ptrdiff_t>(kPhraseScores * i),
                       scores.begin() + static_cast<std::ptrdiff_t>(kPhraseScores * (i + 1)));
        ++last_row_[open_];
    }
}

}  // namespace paragauge
