#include "constituents.hpp"

#include "parallel.hpp"

namespace paragauge {

ConstituentParser::ConstituentParser(LabelSet labels, std::size_t tags,
                                     std::span<const std::uint32_t> keys,
                                     std::span<const std::int64_t> offsets,
                                     std::span<const std::uint8_t> columns,
                                     std::span<const std::int8_t> weights)
    : labels_(std::move(labels)), symbols_(labels_.labels + tags), width_(labels_.width()) {
    const std::size_t children = 2 * symbols_, features = keys.size() - children;
    children_.assign(children * width_, 0);
    rows_.assign(features * width_, 0);
    std::size_t size = 64;
    while (size < 2 * features) size *= 2;
    slots_.resize(size);
    mask_ = size - 1;
    for (std::size_t row = 0; row < keys.size(); ++row) {
        for (auto at = static_cast<std::size_t>(offsets[row]); at < static_cast<std::size_t>(offsets[row + 1]); ++at) {
            if (row < children)
                children_[row * width_ + columns[at]] = weights[at];
            else
                rows_[(row - children) * width_ + columns[at]] = weights[at];
        }
        if (row < children) continue;
        std::size_t slot = keys[row] & mask_;
        while (slots_[slot].row != 0) slot = (slot + 1) & mask_;
        slots_[slot] = {keys[row], static_cast<std::uint32_t>(row - children + 1)};
    }
    for (std::size_t parent = 0; parent < labels_.labels; ++parent)
        for (std::size_t child = 0; child < labels_.labels; ++child) {
            if (!labels_.may_be_left(child, parent)) children_[child * width_ + parent] = kNever<Sum>;
            if (labels_.is_bar(child)) children_[(symbols_ + child) * width_ + parent] = kNever<Sum>;
        }
}

std::vector<BinaryNode> ConstituentParser::parse(const TextColumn& lines,
                                                 std::span<const std::int32_t> tags,
                                                 std::span<const std::int64_t> offsets,
                                                 std::size_t threads) const {
    const std::vector<Range> ranges = split(lines.lines(), threads, 8);
    std::vector<std::vector<BinaryNode>> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) {
        Chart<ConstituentParser> chart(*this);
        WordReader reader;
        ParserWords words;
        std::vector<std::string_view> tokens;
        std::vector<BinaryNode> tree;
        for (std::size_t line = range.first; line < range.last; ++line) {
            split_words(lines.line(line), tokens);
            words.assign(tokens, tags.subspan(static_cast<std::size_t>(offsets[line]), tokens.size()),
                         reader);
            chart.parse(words, tree, [](std::size_t, std::size_t, Sum*, Sum*) {});
            parts[index].insert(parts[index].end(), tree.begin(), tree.end());
        }
    });
    std::vector<BinaryNode> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace paragauge
