#include "syntax/constituents_train.hpp"

#include <cmath>
#include <unordered_map>

namespace paragauge {

namespace {

std::size_t span_index(const BinaryNode& node) {
    const auto j = static_cast<std::size_t>(node.end);
    return j * (j - 1) / 2 + static_cast<std::size_t>(node.begin);
}

// All features of one node.
template <class Visit>
void node_keys(const ParserWords& words, const BinaryNode& node, Visit visit) {
    const auto i = static_cast<std::size_t>(node.begin), j = static_cast<std::size_t>(node.end);
    place_features(words, i, kStarts, visit);
    place_features(words, j, kEnds, visit);
    span_features(words, i, j, visit);
    if (j - i == 1) return;
    const auto k = static_cast<std::size_t>(node.split);
    middle_features(words, k, visit);
    left_features(words, i, k, visit);
    right_features(words, k, j, visit);
}

// Position of a node's right child; the left one follows the node.
std::size_t right_child(const BinaryNode& node, std::size_t at) {
    return at + 2 * static_cast<std::size_t>(node.split - node.begin);
}

}  // namespace

ConstituentTrainer::ConstituentTrainer(const TextColumn& lines, std::span<const std::int32_t> word_tags,
                                       std::span<const std::uint8_t> kinds, LabelSet labels,
                                       std::span<const BinaryNode> trees, ConstituentSettings settings)
    : symbols_(labels.labels + kinds.size()),
      labels_(std::move(labels)),
      width_(labels_.width()),
      settings_(settings),
      trees_(trees.begin(), trees.end()),
      random_(settings.seed),
      chart_(*this) {
    WordReader reader;
    std::vector<std::string_view> tokens;
    std::size_t token = 0, node = 0;
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        split_words(lines.line(line), tokens);
        Sentence& sentence = sentences_.emplace_back();
        sentence.words.assign(tokens, word_tags.subspan(token, tokens.size()), kinds, reader);
        sentence.first_node = node;
        token += tokens.size();
        node += sentence.nodes();
        order_.push_back(static_cast<std::uint32_t>(line));
    }
    choose_features();
}

void ConstituentTrainer::choose_features() {
    std::unordered_map<std::uint32_t, std::int64_t> counts;
    for (const Sentence& sentence : sentences_)
        for (const BinaryNode& node : gold(sentence))
            if (node.label != kNoLabel)
                node_keys(sentence.words, node, [&](std::uint32_t key) { ++counts[key]; });
    for (const auto& [key, times] : counts)
        if (times >= settings_.cutoff) keys_.push_back(key);
    std::sort(keys_.begin(), keys_.end());
    table_ = FeatureTable(keys_);
    for (auto* part : {&weights_, &squares_, &totals_})
        part->assign((2 * symbols_ + keys_.size()) * width_, 0.0f);
    forbid(labels_, symbols_, weights_.data());
}

// Calls visit(position of a weight) for all that the node's score is the sum of.
template <class Visit>
void ConstituentTrainer::visit_rows(const ParserWords& words, std::span<const BinaryNode> tree,
                                    std::size_t at, Visit visit) const {
    const BinaryNode& node = tree[at];
    if (node.label == kNoLabel) return;
    const auto label = static_cast<std::size_t>(node.label);
    node_keys(words, node, [&](std::uint32_t key) {
        const std::uint32_t row = table_.find(key);
        if (row != FeatureTable::kAbsent) visit((2 * symbols_ + row) * width_ + label);
    });
    if (node.end - node.begin == 1) return;
    const auto symbol = [&](const BinaryNode& child) {
        return child.label == kNoLabel ? labels_.labels + words.tag(static_cast<std::size_t>(child.begin))
                                       : static_cast<std::size_t>(child.label);
    };
    visit(symbol(tree[at + 1]) * width_ + label);
    visit((symbols_ + symbol(tree[right_child(node, at)])) * width_ + label);
}

bool ConstituentTrainer::learn(const Sentence& sentence) {
    step_ += 1;
    const std::span<const BinaryNode> right = gold(sentence);
    const std::size_t n = sentence.words.size();
    if (n == 0) return false;
    at_.assign(n * (n + 1) / 2, -1);
    for (std::size_t at = 0; at < right.size(); ++at)
        at_[span_index(right[at])] = static_cast<std::int64_t>(at);
    const float cost = settings_.cost;
    const auto extra = [&](std::size_t i, std::size_t j, float* best, float* none) {
        const std::int64_t at = at_[j * (j - 1) / 2 + i];
        const std::int32_t label = at < 0 ? kNoLabel : right[static_cast<std::size_t>(at)].label;
        for (std::size_t a = 0; a < labels_.labels; ++a)
            if (static_cast<std::int32_t>(a) != label) best[a] += cost;
        if (none != nullptr && label != kNoLabel) *none += cost;
    };
    chart_.parse(sentence.words, parsed_, extra);
    if (std::equal(right.begin(), right.end(), parsed_.begin(), parsed_.end())) return false;
    changes_.clear();
    for (std::size_t at = 0; at < right.size(); ++at)
        visit_rows(sentence.words, right, at, [&](std::size_t w) { changes_.emplace_back(w, 1); });
    for (std::size_t at = 0; at < parsed_.size(); ++at)
        visit_rows(sentence.words, parsed_, at, [&](std::size_t w) { changes_.emplace_back(w, -1); });
    std::sort(changes_.begin(), changes_.end());
    for (std::size_t i = 0; i < changes_.size();) {
        const std::size_t w = changes_[i].first;
        int change = 0;
        for (; i < changes_.size() && changes_[i].first == w; ++i) change += changes_[i].second;
        if (change == 0) continue;
        const auto gradient = static_cast<float>(change);
        squares_[w] += gradient * gradient;
        const float by = settings_.rate * gradient / std::sqrt(squares_[w]);
        weights_[w] += by;
        totals_[w] += by * step_;
    }
    return true;
}

std::int64_t ConstituentTrainer::epoch() {
    for (std::size_t i = order_.size(); i > 1; --i) {
        random_ += kGolden;
        const std::uint64_t draw = (mix(random_) >> 32) * i >> 32;
        std::swap(order_[i - 1], order_[draw]);
    }
    std::int64_t wrong = 0;
    for (const std::uint32_t index : order_) wrong += learn(sentences_[index]) ? 1 : 0;
    return wrong;
}

ConstituentWeights ConstituentTrainer::model(float scale, std::int64_t smallest) const {
    ConstituentWeights out;
    for (std::size_t row = 0; row < 2 * symbols_ + keys_.size(); ++row) {
        bool has_weights = false;
        for (std::size_t label = 0; label < labels_.labels; ++label) {
            const std::size_t w = row * width_ + label;
            if (squares_[w] == 0) continue;
            const float mean = weights_[w] - totals_[w] / (step_ + 1);
            const auto rounded = static_cast<std::int64_t>(std::lround(mean * scale));
            const std::int64_t value = std::clamp<std::int64_t>(rounded, -127, 127);
            if (std::abs(value) < smallest) continue;
            has_weights = true;
            out.labels.push_back(static_cast<std::uint8_t>(label));
            out.weights.push_back(static_cast<std::int8_t>(value));
        }
        const bool child = row < 2 * symbols_;
        if (!has_weights && !child) continue;
        out.keys.push_back(child ? 0 : keys_[row - 2 * symbols_]);
        out.offsets.push_back(static_cast<std::int64_t>(out.labels.size()));
    }
    return out;
}

}  // namespace paragauge
