// Phrase-based decoding of many sentences. reference/decode/phrase_decoder.py defines the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "decode/phrase_nbest.hpp"

namespace paragauge {

struct PhraseLists {
    Joined texts;
    std::vector<std::int64_t> offsets;  // of sentences, into the texts
    std::vector<double> features;       // kPhraseFeatures per text
    std::vector<double> scores;
};

struct PhraseOptionRows {
    std::vector<std::int64_t> spans;  // start and end
    Joined texts;
    std::vector<double> features;  // kPhraseFeatures per option, the language model's on it alone
    std::vector<double> scores;
};

class PhraseDecoder {
public:
    explicit PhraseDecoder(const PhraseModel& model) : model_(model) {}

    // Contract: at most kLongestSentence words a line.
    PhraseLists decode(const TextColumn& lines, std::size_t size, std::size_t threads);
    // The options of one sentence, up to `limit` for each span.
    PhraseOptionRows options(std::string_view line, std::size_t limit);

private:
    void prepare(const TextColumn& lines, std::size_t threads);

    PhraseModel model_;
    std::mutex mutex_;
    PhraseShortlists lists_;
};

}  // namespace paragauge
