#include "syntax/span_labels.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 256;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

SpanLabeler::SpanLabeler(const TreeColumn* trees, const LabelSettings& settings)
    : trees_(trees), settings_(settings) {
    number_of(std::string(settings.fallback));
    if (trees == nullptr) return;
    for (std::size_t i = 0; i < trees->labels.size(); ++i) {
        const std::string_view text = trees->labels.row(i);
        of_tree_label_.push_back(number_of(text == "," ? "COMMA" : std::string(text)));
    }
}

std::uint32_t SpanLabeler::number_of(std::string text) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(std::move(text));
    numbers_.emplace(texts_.back(), number);
    return number;
}

std::uint32_t SpanLabeler::joined(char between, std::uint32_t left, std::uint32_t right) {
    const std::uint64_t key =
        std::uint64_t{static_cast<unsigned char>(between)} << 56 ^ std::uint64_t{left} << 28 ^ right;
    const auto known = joined_.find(key);
    // Keys of labels with numbers beyond 28 bits may collide: those are recomputed each time.
    const bool exact = (left | right) < 1U << 28;
    if (exact && known != joined_.end()) return known->second;
    const std::uint32_t number = number_of(texts_[left] + between + texts_[right]);
    if (exact) joined_.emplace(key, number);
    return number;
}

void SpanLabeler::read(std::size_t sentence, std::int32_t length, std::int32_t widest) {
    if (trees_ == nullptr) return;
    const auto first = static_cast<std::size_t>(trees_->offsets[sentence]);
    const auto last = static_cast<std::size_t>(trees_->offsets[sentence + 1]);
    nodes_.clear();
    for (std::size_t i = first; i < last; ++i) {
        const Node node{trees_->begin[i], trees_->end[i], of_tree_label_[at(trees_->label[i])]};
        if (node.begin == node.end) continue;
        // The nodes of a unary chain are adjacent, from the top down.
        if (nodes_.empty() || nodes_.back().begin != node.begin || nodes_.back().end != node.end)
            nodes_.push_back(node);
        else if (settings_.unary == Unary::kBottom)
            nodes_.back().label = node.label;
        else if (settings_.unary == Unary::kAll)
            nodes_.back().label = joined(':', nodes_.back().label, node.label);
    }
    index(length);
    widest_ = std::min(widest, length);
    known_.assign(at(length) * (at(widest_) + 1), kNone);
}

void SpanLabeler::index(std::int32_t length) {
    first_.assign(at(length) + 2, 0);
    last_.assign(at(length) + 3, 0);
    for (const Node& node : nodes_) {
        ++first_[at(node.begin) + 1];
        ++last_[at(node.end) + 2];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    for (std::size_t i = 1; i < last_.size(); ++i) last_[i] += last_[i - 1];
    ends_.resize(nodes_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) ends_[last_[at(nodes_[i].end) + 1]++] = i;
}

std::uint32_t SpanLabeler::label(std::int32_t begin, std::int32_t end) {
    if (trees_ == nullptr) return kFallback;
    if (end - begin > widest_) return find_label(begin, end);
    std::uint32_t& known = known_[at(begin) * (at(widest_) + 1) + at(end - begin)];
    if (known == kNone) known = find_label(begin, end);
    return known;
}

std::uint32_t SpanLabeler::find_label(std::int32_t begin, std::int32_t end) {
    std::uint32_t label = kNone;
    if (settings_.constituents) label = constituent(begin, end);
    if (label == kNone && settings_.concatenated) label = concatenation(begin, end);
    if (label == kNone && settings_.slashed) label = forward_slash(begin, end);
    if (label == kNone && settings_.slashed) label = backward_slash(begin, end);
    if (label == kNone && settings_.doubled) label = double_concatenation(begin, end);
    return label == kNone ? kFallback : label;
}

std::uint32_t SpanLabeler::constituent(std::int32_t begin, std::int32_t end) const {
    const auto first = nodes_.begin() + first_[at(begin)], last = nodes_.begin() + first_[at(begin) + 1];
    const auto node =
        std::partition_point(first, last, [end](const Node& each) { return each.end > end; });
    return node != last && node->end == end ? node->label : kNone;
}

std::uint32_t SpanLabeler::concatenation(std::int32_t begin, std::int32_t end) {
    for (std::uint32_t i = first_[at(begin) + 1]; i-- > first_[at(begin)];) {
        if (nodes_[i].end >= end) break;
        const std::uint32_t right = constituent(nodes_[i].end, end);
        if (right != kNone) return joined('+', nodes_[i].label, right);
    }
    return kNone;
}

std::uint32_t SpanLabeler::forward_slash(std::int32_t begin, std::int32_t end) {
    for (std::uint32_t i = first_[at(begin) + 1]; i-- > first_[at(begin)];) {
        if (nodes_[i].end <= end) continue;
        const std::uint32_t missing = constituent(end, nodes_[i].end);
        if (missing != kNone) return joined('/', nodes_[i].label, missing);
    }
    return kNone;
}

std::uint32_t SpanLabeler::backward_slash(std::int32_t begin, std::int32_t end) {
    for (std::uint32_t i = last_[at(end) + 1]; i-- > last_[at(end)];) {
        const Node& whole = nodes_[ends_[i]];
        if (whole.begin >= begin) continue;
        const std::uint32_t missing = constituent(whole.begin, begin);
        if (missing != kNone) return joined('\\', whole.label, missing);
    }
    return kNone;
}

std::uint32_t SpanLabeler::double_concatenation(std::int32_t begin, std::int32_t end) {
    for (std::uint32_t i = first_[at(begin) + 1]; i-- > first_[at(begin)];) {
        const std::int32_t middle = nodes_[i].end;
        if (middle >= end) break;
        for (std::uint32_t j = first_[at(middle) + 1]; j-- > first_[at(middle)];) {
            if (nodes_[j].end >= end) break;
            const std::uint32_t right = constituent(nodes_[j].end, end);
            if (right != kNone)
                return joined('+', joined('+', nodes_[i].label, nodes_[j].label), right);
        }
    }
    return kNone;
}

Joined label_spans(const TreeColumn& trees, std::span<const std::int64_t> lengths,
                   std::span<const std::int64_t> spans, const LabelSettings& settings,
                   std::size_t threads) {
    const std::vector<Range> ranges = split(spans.size() / 3, threads, kGrain);
    std::vector<Joined> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t part, Range range) {
        SpanLabeler labeler(&trees, settings);
        std::int64_t here = -1;
        for (std::size_t i = range.first; i < range.last; ++i) {
            const std::int64_t sentence = spans[3 * i];
            if (sentence != here) {
                const auto number = static_cast<std::size_t>(sentence);
                labeler.read(number, static_cast<std::int32_t>(lengths[number]), 0);
                here = sentence;
            }
            parts[part].text.append(labeler.text(
                labeler.label(static_cast<std::int32_t>(spans[3 * i + 1]),
                               static_cast<std::int32_t>(spans[3 * i + 2]))));
            parts[part].offsets.push_back(static_cast<std::int64_t>(parts[part].text.size()));
        }
    });
    return one_after_another(parts);
}

}  // namespace paragauge
