// Penn tags of tokenized lines, from left to right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tagger_model.hpp"
#include "text/encode.hpp"

namespace paragauge {

class Tagger {
public:
    explicit Tagger(std::string_view file);
    ~Tagger();

    const std::vector<std::string>& names() const { return model_.names(); }

    // A tag for every token; tokens of a line are separated by spaces.
    Encoded tag(const TextColumn& lines, std::size_t threads) const;

    // 1 for every token that is in the model's lexicon, 0 for others.
    std::vector<std::uint8_t> known(const TextColumn& lines) const;

private:
    struct Decoders;

    TaggerModel model_;
    std::unique_ptr<Decoders> decoders_;  // with the words they have read, for the next call
};

}  // namespace paragauge
