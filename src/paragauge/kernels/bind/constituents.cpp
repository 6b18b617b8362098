// Bindings of the constituency parser and of its training.

#include <algorithm>

#include "bind/binding.hpp"
#include "syntax/constituents.hpp"
#include "syntax/constituents_train.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kMost = 255;  // labels, and tags

using Nodes = nb::ndarray<const std::int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

LabelSet label_set(const Array<std::int32_t>& bar_of, const Array<std::int32_t>& lowest) {
    const std::size_t labels = bar_of.shape(0);
    require(labels >= 1 && labels <= kMost && lowest.shape(0) == labels, "expected 1 to 255 labels");
    LabelSet set{labels, {}, {}};
    set.bar_of.assign(bar_of.data(), bar_of.data() + labels);
    set.lowest.assign(lowest.data(), lowest.data() + labels);
    bool complete = false;
    for (const std::int32_t bar : set.bar_of) complete = complete || bar < 0;
    require(complete, "expected a label that is no bar");
    return set;
}

std::vector<std::int64_t> token_offsets(const TextColumn& lines, std::span<const std::int32_t> tags,
                                        std::size_t count) {
    std::vector<std::int64_t> offsets{0};
    std::vector<std::string_view> words;
    for (std::size_t line = 0; line < lines.lines(); ++line) {
        split_words(lines.line(line), words);
        offsets.push_back(offsets.back() + static_cast<std::int64_t>(words.size()));
    }
    require(static_cast<std::size_t>(offsets.back()) == tags.size(), "expected one tag for each token");
    for (const std::int32_t tag : tags)
        require(tag >= 0 && static_cast<std::size_t>(tag) < count, "a tag has no name");
    return offsets;
}

// Whether nodes are those of a binary tree, in order, with bars only where they may be.
bool is_tree(std::span<const BinaryNode> tree, std::int32_t words, const LabelSet& labels) {
    struct Place {
        std::int32_t i, j;
        bool left;
        std::int32_t lowest;
    };
    std::vector<Place> waiting;
    if (words > 0) waiting.push_back({0, words, false, -1});
    for (const BinaryNode& node : tree) {
        if (waiting.empty()) return false;
        const auto [i, j, left, lowest] = waiting.back();
        waiting.pop_back();
        if (node.begin != i || node.end != j || node.label < kNoLabel) return false;
        if (node.label >= static_cast<std::int32_t>(labels.labels)) return false;
        const auto label = static_cast<std::size_t>(node.label);
        if (node.label != kNoLabel && labels.is_bar(label) &&
            !(left && labels.bar_of[label] == lowest && j - i > 1))
            return false;
        if (j - i == 1) {
            if (node.split != i) return false;
            continue;
        }
        if (node.label == kNoLabel || node.split <= i || node.split >= j) return false;
        waiting.push_back({node.split, j, false, labels.lowest[label]});
        waiting.push_back({i, node.split, true, labels.lowest[label]});
    }
    return waiting.empty();
}

void check_trees(std::span<const BinaryNode> nodes, std::span<const std::int64_t> offsets,
                 const LabelSet& labels) {
    std::size_t at = 0;
    const auto size = [](std::int64_t words) {
        return static_cast<std::size_t>(words == 0 ? 0 : 2 * words - 1);
    };
    for (std::size_t i = 1; i < offsets.size(); ++i) at += size(offsets[i] - offsets[i - 1]);
    require(at == nodes.size(), "expected 2n - 1 nodes for n words");
    at = 0;
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        const std::int64_t words = offsets[i] - offsets[i - 1];
        require(is_tree(nodes.subspan(at, size(words)), static_cast<std::int32_t>(words), labels),
                "expected binary trees over the words");
        at += size(words);
    }
}

nb::object give_nodes(const std::vector<BinaryNode>& nodes) {
    std::vector<std::int32_t> flat;
    flat.reserve(4 * nodes.size());
    for (const BinaryNode& node : nodes)
        for (const std::int32_t value : {node.label, node.begin, node.split, node.end})
            flat.push_back(value);
    return give(std::move(flat), 4);
}

void make_parser(ConstituentParser* self, const Array<std::int32_t>& bar_of,
                 const Array<std::int32_t>& lowest, const Array<std::uint8_t>& kinds,
                 const Array<std::uint32_t>& keys,
                 const Array<std::int64_t>& offsets, const Array<std::uint8_t>& columns,
                 const Array<std::int8_t>& weights) {
    LabelSet labels = label_set(bar_of, lowest);
    const std::size_t tags = kinds.shape(0);
    require(tags >= 1 && tags <= kMost, "expected 1 to 255 tags");
    require(offsets.shape(0) == keys.shape(0) + 1, "expected one offset more than features");
    check_increasing(view(offsets), weights.shape(0),
                     "offsets must not decrease and must stay within the weights");
    require(columns.shape(0) == weights.shape(0), "expected a label for each weight");
    require(keys.shape(0) >= 2 * (labels.labels + tags), "expected rows for all labels and tags");
    for (const std::uint8_t label : view(columns)) require(label < labels.labels, "a weight has no label");
    const auto features = view(keys).subspan(2 * (labels.labels + tags));
    std::vector<std::uint32_t> sorted(features.begin(), features.end());
    std::sort(sorted.begin(), sorted.end());
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
            "expected each feature once");
    nb::gil_scoped_release release;
    new (self) ConstituentParser(std::move(labels), view(kinds), view(keys), view(offsets), view(columns),
                                 view(weights));
}

nb::object py_parse(const ConstituentParser& parser, const Array<std::uint8_t>& buffer, const Spans& spans,
                    const Array<std::int32_t>& tags, std::size_t threads) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    std::vector<BinaryNode> nodes;
    {
        nb::gil_scoped_release release;
        const std::vector<std::int64_t> offsets = token_offsets(lines, view(tags), parser.tags());
        nodes = parser.parse(lines, view(tags), offsets, threads);
    }
    return give_nodes(nodes);
}

void make_trainer(ConstituentTrainer* self, const Array<std::uint8_t>& buffer, const Spans& spans,
                  const Array<std::int32_t>& word_tags, const Array<std::uint8_t>& kinds,
                  const Array<std::int32_t>& bar_of, const Array<std::int32_t>& lowest,
                  const Nodes& trees, std::int64_t cutoff, double rate, double cost, std::uint64_t seed) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    LabelSet labels = label_set(bar_of, lowest);
    require(kinds.shape(0) >= 1 && kinds.shape(0) <= kMost, "expected 1 to 255 tags");
    require(cutoff >= 1 && rate > 0 && cost >= 0, "expected cutoff >= 1, rate > 0 and cost >= 0");
    nb::gil_scoped_release release;
    const std::vector<std::int64_t> offsets = token_offsets(lines, view(word_tags), kinds.shape(0));
    std::vector<BinaryNode> nodes;
    for (std::size_t i = 0; i < trees.shape(0); ++i) {
        const std::int32_t* row = trees.data() + 4 * i;
        nodes.push_back({row[0], row[1], row[2], row[3]});
    }
    check_trees(nodes, offsets, labels);
    new (self) ConstituentTrainer(lines, view(word_tags), view(kinds), std::move(labels), nodes,
                                  {cutoff, static_cast<float>(rate), static_cast<float>(cost), seed});
}

nb::object py_model(const ConstituentTrainer& trainer, double scale, std::int64_t smallest) {
    ConstituentWeights model;
    {
        nb::gil_scoped_release release;
        model = trainer.model(static_cast<float>(scale), smallest);
    }
    return nb::make_tuple(give(std::move(model.keys)), give(std::move(model.offsets)),
                          give(std::move(model.labels)), give(std::move(model.weights)));
}

}  // namespace

void bind_constituents(nb::module_& m) {
    nb::class_<ConstituentParser>(m, "ConstituentParser")
        .def("__init__", &make_parser, nb::arg("bar_of"), nb::arg("lowest"), nb::arg("kinds"),
             nb::arg("keys"), nb::arg("offsets"), nb::arg("columns"), nb::arg("weights"))
        .def("parse", &py_parse, nb::arg("buffer"), nb::arg("spans"), nb::arg("tags"), nb::arg("threads"));
    nb::class_<ConstituentTrainer>(m, "ConstituentTrainer")
        .def("__init__", &make_trainer, nb::arg("buffer"), nb::arg("spans"), nb::arg("word_tags"),
             nb::arg("kinds"), nb::arg("bar_of"), nb::arg("lowest"), nb::arg("trees"), nb::arg("cutoff"),
             nb::arg("rate"), nb::arg("cost"), nb::arg("seed"))
        .def("epoch", &ConstituentTrainer::epoch, nb::call_guard<nb::gil_scoped_release>())
        .def("model", &py_model, nb::arg("scale"), nb::arg("smallest"));
}

}  // namespace paragauge
