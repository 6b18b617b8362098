#include "syntax/tagger_model.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace paragauge {

namespace {

constexpr std::string_view kMagic = "PGTAGGR1";

class Input {
public:
    explicit Input(std::string_view bytes) : rest_(bytes) {}

    std::string_view take(std::size_t size) {
        expect(size <= rest_.size());
        const std::string_view bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return bytes;
    }

    template <class T>
    T number() {
        T value = 0;
        const std::string_view bytes = take(sizeof(T));
        for (std::size_t i = 0; i < sizeof(T); ++i)
            value = static_cast<T>(value | static_cast<T>(static_cast<unsigned char>(bytes[i])) << (8 * i));
        return value;
    }

    // A number of items of at least `size` bytes each: more than are left is an error.
    std::size_t count(std::size_t size) {
        const std::size_t items = number<std::uint32_t>();
        expect(items <= rest_.size() / size);
        return items;
    }

    bool at_end() const { return rest_.empty(); }

    static void expect(bool condition) {
        if (!condition) throw std::invalid_argument("not a tagger's model, or a damaged one");
    }

private:
    std::string_view rest_;
};

template <class T>
void append(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * i))));
}

}  // namespace

TaggerModel::TaggerModel(std::string_view file) {
    Input input(file);
    Input::expect(input.take(kMagic.size()) == kMagic);
    const std::size_t tags = input.count(1);
    Input::expect(tags >= 1 && tags <= kMostTags);
    for (std::size_t i = 0; i < tags; ++i) {
        names_.emplace_back(input.take(input.number<std::uint8_t>()));
        Input::expect(!names_.back().empty());
        for (const char c : names_.back()) Input::expect(c > ' ' && c < 127);
    }
    std::vector<std::pair<std::uint32_t, std::uint64_t>> entries(input.count(12));
    for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i].first = input.number<std::uint32_t>();
        entries[i].second = input.number<std::uint64_t>();
        Input::expect(i == 0 || entries[i - 1].first < entries[i].first);
        Input::expect(entries[i].second != 0 && entries[i].second >> tags == 0);
    }
    lexicon_ = TagLexicon(std::move(entries));
    const std::size_t features = input.count(5);
    std::size_t size = 64;
    while (size < 2 * features) size *= 2;
    slots_.resize(size);
    mask_ = size - 1;
    rows_.resize(features + 1);
    // Eight bits or more for each feature.
    const unsigned present_bits = std::clamp(static_cast<unsigned>(std::bit_width(features)) + 3, 6U, 32U);
    present_shift_ = 32 - present_bits;
    present_.resize((std::size_t{1} << present_bits) / 64);
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < features; ++i) {
        const auto key = input.number<std::uint32_t>();
        Input::expect(i == 0 || last < key);
        last = key;
        std::size_t at = key & mask_;
        while (slots_[at].row != 0) at = (at + 1) & mask_;
        slots_[at] = {key, static_cast<std::uint32_t>(i + 1)};
        const std::uint32_t bit = key >> present_shift_;
        present_[bit / 64] |= std::uint64_t{1} << (bit % 64);
        const std::size_t weights = input.number<std::uint8_t>();
        std::size_t next = 0;
        for (std::size_t n = 0; n < weights; ++n) {
            const std::size_t tag = input.number<std::uint8_t>();
            Input::expect(tag >= next && tag < tags);
            next = tag + 1;
            const auto weight = static_cast<std::int8_t>(input.number<std::uint8_t>());
            rows_[i + 1].weights[tag] = weight;
        }
    }
    Input::expect(input.at_end());
}

std::string write_model(const std::vector<std::string>& names, const TagLexicon& lexicon,
                        const std::vector<FeatureWeights>& features) {
    std::string out(kMagic);
    append(out, static_cast<std::uint32_t>(names.size()));
    for (const std::string& name : names) {
        append(out, static_cast<std::uint8_t>(name.size()));
        out += name;
    }
    append(out, static_cast<std::uint32_t>(lexicon.entries().size()));
    for (const auto& [key, tags] : lexicon.entries()) {
        append(out, key);
        append(out, tags);
    }
    append(out, static_cast<std::uint32_t>(features.size()));
    for (const FeatureWeights& feature : features) {
        append(out, feature.key);
        append(out, static_cast<std::uint8_t>(feature.weights.size()));
        for (const auto& [tag, weight] : feature.weights) {
            append(out, tag);
            append(out, static_cast<std::uint8_t>(weight));
        }
    }
    return out;
}

}  // namespace paragauge
