// Bindings of decoding with synchronous grammars.

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "bind/binding.hpp"
#include "decode/cube_decoder.hpp"

namespace paragauge {

namespace {

using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

class CubeDecoder {
public:
    CubeDecoder(const SyncGrammar& grammar, const NgramModel& lm, nb::handle words,
                const Array<std::int32_t>& lm_ids, const Rows& features) {
        const TextRows texts = text_rows(words);
        require(texts.size() == grammar.words() && lm_ids.shape(0) == texts.size(),
                "every word of the grammar must have a text and a number");
        require(grammar.finished(), "the grammar must be finished");
        require(features.shape(0) == grammar.size() + CubeModel::kExtraRows,
                "every rule must have features, and three rows after them");
        const std::span values(features.data(), features.shape(0) * features.shape(1));
        require(std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }),
                "features must be finite");
        nb::gil_scoped_release release;
        model_ = std::make_unique<CubeModel>(grammar, lm, texts, view(lm_ids),
                                             std::vector<float>(values.begin(), values.end()),
                                             features.shape(1), 0);
    }

    nb::object decode(nb::handle words, const Array<std::int32_t>& grammar_ids,
                      const Array<std::int32_t>& lm_ids, nb::handle lines, const Array<double>& weights,
                      const nb::tuple& settings, std::size_t size, std::size_t threads) const {
        const CubeWords own{text_rows(words), view(grammar_ids), view(lm_ids)};
        require(own.grammar_ids.size() == own.texts.size() && own.lm_ids.size() == own.texts.size(),
                "every word of the sentences must have both numbers");
        const IdColumn sentences = checked(own.grammar_ids, lines, weights);
        require(settings.size() == 5, "settings are a tuple of five");
        const CubeSettings chosen{nb::cast<std::size_t>(settings[0]), nb::cast<std::size_t>(settings[1]),
                                  nb::cast<std::size_t>(settings[2]), nb::cast<std::int32_t>(settings[3]),
                                  nb::cast<bool>(settings[4])};
        require(0 <= chosen.pass_label &&
                    static_cast<std::size_t>(chosen.pass_label) <
                        std::max<std::size_t>(1, model_->grammar().labels()),
                "the label of words that pass must be a label");
        CubeResults results;
        {
            nb::gil_scoped_release release;
            results = cube_decode(*model_, own, sentences, view(weights), chosen, size, threads);
        }
        return nb::make_tuple(give_rows(std::move(results.texts)), give(std::move(results.offsets)),
                              give(std::move(results.features), model_->columns() + 1),
                              give(std::move(results.scores)));
    }

    nb::object phrases(const Array<std::int32_t>& grammar_ids, nb::handle line,
                       const Array<double>& weights, std::size_t limit) const {
        const IdColumn sentences = checked(view(grammar_ids), line, weights);
        require(sentences.lines() == 1, "expected one sentence");
        std::vector<std::int32_t> words;
        for (std::int64_t i = sentences.offsets[0]; i < sentences.offsets[1]; ++i)
            words.push_back(view(grammar_ids)[static_cast<std::size_t>(
                sentences.ids[static_cast<std::size_t>(i)])]);
        CubePhrases phrases;
        {
            nb::gil_scoped_release release;
            phrases = cube_phrases(*model_, words, view(weights), limit);
        }
        return nb::make_tuple(give(std::move(phrases.first)), give(std::move(phrases.last)),
                              give(std::move(phrases.rules)), give(std::move(phrases.scores)));
    }

private:
    IdColumn checked(std::span<const std::int32_t> grammar_ids, nb::handle lines,
                     const Array<double>& weights) const {
        require(model_->unchanged(), "the grammar must not change");
        const auto words = static_cast<std::int64_t>(model_->words());
        require(std::all_of(grammar_ids.begin(), grammar_ids.end(),
                            [words](std::int32_t id) { return -1 <= id && id < words; }),
                "numbers of the grammar's words go from -1 to their count");
        const nb::tuple parts = nb::cast<nb::tuple>(lines);
        require(parts.size() == 2, "sentences are a tuple of two");
        const IdColumn sentences = id_column(parts[0], parts[1], nb::none());
        check_ids(sentences, grammar_ids.size());
        const auto values = view(weights);
        require(values.size() == model_->columns() + 1 &&
                    std::all_of(values.begin(), values.end(), [](double w) { return std::isfinite(w); }),
                "every feature must have a finite weight");
        return sentences;
    }

    std::unique_ptr<CubeModel> model_;
};

}  // namespace

void bind_cube(nb::module_& m) {
    nb::class_<CubeDecoder>(m, "CubeDecoder")
        .def(nb::init<const SyncGrammar&, const NgramModel&, nb::handle, const Array<std::int32_t>&,
                      const Rows&>(),
             nb::arg("grammar"), nb::arg("model"), nb::arg("words"), nb::arg("lm_ids"),
             nb::arg("features"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("decode", &CubeDecoder::decode, nb::arg("words"), nb::arg("grammar_ids"), nb::arg("lm_ids"),
             nb::arg("lines"), nb::arg("weights"), nb::arg("settings"), nb::arg("size"),
             nb::arg("threads"))
        .def("phrases", &CubeDecoder::phrases, nb::arg("grammar_ids"), nb::arg("line"),
             nb::arg("weights"), nb::arg("limit"));
}

}  // namespace paragauge
