#include "phrases/moses.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/decimal.hpp"
#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 512;
constexpr std::size_t kFields = 5;  // source, target, scores, alignment, counts
constexpr double kMostExact = 9007199254740992.0;

bool is_digit(char c) { return '0' <= c && c <= '9'; }

// A decimal number from 0 on, as programs print it: no sign, no words.
bool read_number(std::string_view text, double& value) {
    if (text.empty() || !(is_digit(text.front()) || (text.size() > 1 && text.front() == '.' && is_digit(text[1]))))
        return false;
    const char* const stop = text.data() + text.size();
    const auto [end, error] = read_decimal(text.data(), stop, value);
    if (end != stop) return false;
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
    return std::isfinite(value);
}

bool read_position(std::string_view text, std::size_t limit) {
    std::size_t position = 0;
    if (text.empty() || !is_digit(text.front())) return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
    return error == std::errc{} && end == text.data() + text.size() && position < limit;
}

bool read_link(std::string_view text, std::size_t sources, std::size_t targets) {
    const std::size_t hyphen = text.find('-');
    return hyphen != text.npos && read_position(text.substr(0, hyphen), sources) &&
           read_position(text.substr(hyphen + 1), targets);
}

class Parser {
public:
    explicit Parser(MosesRows& rows) : rows_(rows) {}

    bool line(std::string_view text) {
        const std::size_t fields = split(text);
        if (fields < 3 || words_[0].empty() || words_[1].empty() || words_[2].size() < 4) return false;
        std::array<double, 4> scores{};
        for (std::size_t i = 0; i < words_[2].size(); ++i) {
            double score = 0;
            if (!read_number(words_[2][i], score)) return false;
            if (i < scores.size()) scores[i] = score;
        }
        for (const std::string_view link : words_[3])
            if (!read_link(link, words_[0].size(), words_[1].size())) return false;
        std::array<std::int64_t, 3> counts{-1, -1, -1};
        if (!words_[4].empty() && words_[4].size() != counts.size()) return false;
        for (std::size_t i = 0; i < words_[4].size(); ++i) {
            double count = 0;
            if (!read_number(words_[4][i], count) || count > kMostExact || count != std::floor(count))
                return false;
            counts[i] = static_cast<std::int64_t>(count);
        }
        add(rows_.source, words_[0]);
        add(rows_.target, words_[1]);
        add(rows_.alignment, words_[3]);
        rows_.scores.insert(rows_.scores.end(), scores.begin(), scores.end());
        rows_.counts.insert(rows_.counts.end(), counts.begin(), counts.end());
        return true;
    }

private:
    // Words of the first fields; gives the number of all fields.
    std::size_t split(std::string_view text) {
        for (auto& words : words_) words.clear();
        std::size_t field = 0;
        while (!text.empty()) {
            const std::size_t space = std::min(text.find(' '), text.size());
            const std::string_view word = text.substr(0, space);
            if (word == "|||")
                ++field;
            else if (!word.empty() && field < kFields)
                words_[field].push_back(word);
            text.remove_prefix(std::min(space + 1, text.size()));
        }
        return field + 1;
    }

    static void add(Joined& column, const std::vector<std::string_view>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (i > 0) column.text.push_back(' ');
            column.text.append(words[i]);
        }
        column.offsets.push_back(static_cast<std::int64_t>(column.text.size()));
    }

    MosesRows& rows_;
    std::array<std::vector<std::string_view>, kFields> words_;
};

Joined whole(std::vector<MosesRows>& parts, Joined MosesRows::* column) {
    std::vector<Joined> pieces;
    pieces.reserve(parts.size());
    for (MosesRows& part : parts) pieces.push_back(std::move(part.*column));
    return one_after_another(pieces);
}

template <class T>
std::vector<T> whole(const std::vector<MosesRows>& parts, std::vector<T> MosesRows::* column) {
    std::vector<T> all;
    for (const MosesRows& part : parts)
        all.insert(all.end(), (part.*column).begin(), (part.*column).end());
    return all;
}

}  // namespace

MosesRows parse_moses(const TextColumn& lines, std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<MosesRows> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Parser parser(parts[index]);
        for (std::size_t i = range.first; i < range.last; ++i)
            if (!parser.line(lines.line(i))) parts[index].bad.push_back(static_cast<std::int64_t>(i));
    });
    return {whole(parts, &MosesRows::source), whole(parts, &MosesRows::target),
            whole(parts, &MosesRows::alignment), whole(parts, &MosesRows::scores),
            whole(parts, &MosesRows::counts), whole(parts, &MosesRows::bad)};
}

}  // namespace paragauge
