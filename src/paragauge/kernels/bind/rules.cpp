// Bindings of span labels and of rule extraction.

#include <limits>
#include <memory>
#include <mutex>

#include "bind/bitext.hpp"
#include "grammar/rules.hpp"
#include "syntax/span_labels.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kLimits = 20;
constexpr std::int64_t kLargest = std::int64_t{1} << 30;
constexpr std::int64_t kLongestRulePhrase = 255;

// Trees come from Python as (texts of labels, labels, begins, ends, offsets of sentences).
TreeColumn tree_column(nb::handle object, std::span<const std::int64_t> lengths) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 5, "trees are a tuple of five");
    const TreeColumn trees{text_rows(parts[0]), view(exact<Array<std::int32_t>>(parts[1])),
                           view(exact<Array<std::int32_t>>(parts[2])),
                           view(exact<Array<std::int32_t>>(parts[3])),
                           view(exact<Array<std::int64_t>>(parts[4]))};
    require(trees.label.size() == trees.begin.size() && trees.label.size() == trees.end.size(),
            "a node has a label, a begin and an end");
    check_increasing(trees.offsets, trees.label.size(),
                     "offsets must not decrease and must stay within the nodes");
    require(trees.offsets.size() == lengths.size() + 1, "every sentence must have a tree");
    const auto labels = static_cast<std::int64_t>(trees.labels.size());
    std::vector<std::int32_t> open;
    for (std::size_t number = 0; number < lengths.size(); ++number) {
        open.assign(1, static_cast<std::int32_t>(lengths[number]));
        std::int32_t before = 0;
        const auto last = static_cast<std::size_t>(trees.offsets[number + 1]);
        for (auto i = static_cast<std::size_t>(trees.offsets[number]); i < last; ++i) {
            const std::int32_t begin = trees.begin[i], end = trees.end[i];
            require(0 <= trees.label[i] && trees.label[i] < labels, "labels must be numbers of labels");
            require(before <= begin && begin <= end, "nodes must stand in the order of their words");
            while (open.size() > 1 && open.back() <= begin && open.back() < end) open.pop_back();
            require(end <= open.back(), "nodes must nest, and stay within their sentences");
            open.push_back(end);
            before = begin;
        }
    }
    return trees;
}

// Settings of labels come as (constituents, concatenated, slashed, doubled, unary, fallback).
LabelSettings label_settings(nb::handle object) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 6, "settings of labels are a tuple of six");
    const auto unary = nb::cast<std::string_view>(parts[4]);
    require(unary == "bottom" || unary == "top" || unary == "all", "unary must be bottom, top or all");
    return {nb::cast<bool>(parts[0]),
            nb::cast<bool>(parts[1]),
            nb::cast<bool>(parts[2]),
            nb::cast<bool>(parts[3]),
            unary == "bottom" ? Unary::kBottom : unary == "top" ? Unary::kTop : Unary::kAll,
            nb::cast<std::string_view>(parts[5])};
}

RuleLimits rule_limits(nb::handle object) {
    const auto values = view(exact<Array<std::int64_t>>(object));
    require(values.size() == kLimits, "limits are 20 numbers");
    for (const std::int64_t value : values)
        require(0 <= value && value <= kLargest, "limits must be from 0 to 2^30");
    std::int32_t n[kLimits];
    for (std::size_t i = 0; i < kLimits; ++i) n[i] = static_cast<std::int32_t>(values[i]);
    for (std::size_t i = 0; i < 2; ++i)
        require(1 <= n[i] && n[i] <= kLongestRulePhrase, "phrases must have from 1 to 255 words");
    require(n[3] <= static_cast<std::int32_t>(kMostNonterminals), "at most 8 non-terminals");
    require(n[19] <= 2, "fallback must be 0, 1 or 2");
    return {n[0],  n[1],  n[2],  n[3],  n[4],  n[5],  n[6],
            n[7],  n[8],  n[9],  n[10], n[11], n[12] != 0, n[13] != 0,
            n[14] != 0, n[15] != 0, n[16] != 0, n[17] != 0, n[18] != 0, static_cast<Fallback>(n[19])};
}

std::vector<std::int64_t> lengths_of(const IdColumn& side) {
    std::vector<std::int64_t> lengths;
    for (std::size_t i = 0; i + 1 < side.offsets.size(); ++i)
        lengths.push_back(side.offsets[i + 1] - side.offsets[i]);
    return lengths;
}

IdColumn sentence_column(nb::handle object, std::int64_t words) {
    const nb::tuple parts = nb::cast<nb::tuple>(object);
    require(parts.size() == 2, "a side is a tuple of two");
    const IdColumn side = id_column(parts[0], parts[1], nb::none());
    for (const std::int32_t id : side.ids) require(0 <= id && id < words, "ids must be numbers of words");
    require(side.ids.size() < std::numeric_limits<std::uint32_t>::max(), "too many tokens in one batch");
    return side;
}

// Keeps Python's arrays alive while the kernel reads them.
class PyRuleExtractor {
public:
    PyRuleExtractor(nb::handle words, nb::handle source, nb::handle target, nb::handle links,
                    nb::handle trees, bool target_is_parsed, nb::handle labels, nb::handle limits,
                    std::size_t max_rows)
        : kept_(nb::make_tuple(words, source, target, links, trees, labels)) {
        require(max_rows >= 1, "max_rows must be at least 1");
        const TextRows texts = text_rows(words);
        const auto known = static_cast<std::int64_t>(texts.size());
        const IdColumn left = sentence_column(source, known), right = sentence_column(target, known);
        const LinkColumn between = link_column(links, left, right);
        if (!trees.is_none()) trees_ = tree_column(trees, lengths_of(target_is_parsed ? right : left));
        const RuleBatch batch{texts, left, right, between, trees.is_none() ? nullptr : &trees_,
                              target_is_parsed, label_settings(labels), rule_limits(limits)};
        nb::gil_scoped_release release;
        extractor_ = std::make_unique<RuleExtractor>(batch, max_rows);
    }

    nb::object next(std::size_t threads) {
        RuleColumns rows;
        {
            nb::gil_scoped_release release;
            const std::scoped_lock lock(mutex_);
            if (extractor_->done()) rows.counts.push_back(0);
            else rows = extractor_->next(threads);
        }
        if (rows.lhs.offsets.empty()) return nb::none();
        return nb::make_tuple(give_rows(std::move(rows.lhs)), give_rows(std::move(rows.labels)),
                              give_rows(std::move(rows.source)), give_rows(std::move(rows.target)),
                              give(std::move(rows.source_words)), give(std::move(rows.target_words)),
                              give(std::move(rows.counts)), give_rows(std::move(rows.alignment)));
    }

private:
    const nb::tuple kept_;
    TreeColumn trees_;
    std::unique_ptr<RuleExtractor> extractor_;
    std::mutex mutex_;
};

nb::object py_label_spans(nb::handle trees, const Array<std::int64_t>& lengths,
                          const nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig,
                                            nb::device::cpu>& spans,
                          nb::handle labels, std::size_t threads) {
    for (const std::int64_t length : view(lengths))
        require(0 <= length && length <= kLargest, "lengths must be from 0 to 2^30");
    const TreeColumn column = tree_column(trees, view(lengths));
    const LabelSettings settings = label_settings(labels);
    const std::span<const std::int64_t> flat(spans.data(), spans.shape(0) * 3);
    const auto sentences = static_cast<std::int64_t>(lengths.shape(0));
    for (std::size_t i = 0; i < flat.size(); i += 3) {
        require(0 <= flat[i] && flat[i] < sentences, "spans must be in a sentence");
        require(0 <= flat[i + 1] && flat[i + 1] < flat[i + 2] &&
                    flat[i + 2] <= lengths.data()[flat[i]],
                "spans must have words, within their sentences");
    }
    Joined texts;
    {
        nb::gil_scoped_release release;
        texts = label_spans(column, view(lengths), flat, settings, threads);
    }
    return give_rows(std::move(texts));
}

}  // namespace

void bind_rules(nb::module_& m) {
    m.def("label_spans", &py_label_spans, nb::arg("trees"), nb::arg("lengths"), nb::arg("spans"),
          nb::arg("labels"), nb::arg("threads"));
    nb::class_<PyRuleExtractor>(m, "RuleExtractor")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, bool, nb::handle,
                      nb::handle, std::size_t>(),
             nb::arg("words"), nb::arg("source"), nb::arg("target"), nb::arg("links"),
             nb::arg("trees").none(), nb::arg("target_is_parsed"), nb::arg("labels"), nb::arg("limits"),
             nb::arg("max_rows"))
        .def("next", &PyRuleExtractor::next, nb::arg("threads"));
}

}  // namespace paragauge
