// Bindings of language models: estimation, files, queries, pruning.

#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <system_error>

#include "bind/binding.hpp"
#include "lm/arpa.hpp"
#include "lm/codec.hpp"
#include "lm/estimate.hpp"
#include "lm/model.hpp"
#include "lm/prune.hpp"

namespace paragauge {

namespace {

// An error of the system with files in `folder`, such as a full disk, is Python's OSError.
template <class Body>
auto with_files(const std::string& folder, Body body) {
    std::optional<std::system_error> failure;
    try {
        nb::gil_scoped_release release;
        return body();
    } catch (const std::system_error& error) {
        failure = error;
    }
    const int code = failure->code().value();
    const nb::object reason = nb::make_tuple(code, std::generic_category().message(code), folder);
    PyErr_SetObject(PyExc_OSError, reason.ptr());
    throw nb::python_error();
}

// Rejects calls that are not in the kernel's order.
class GuardedEstimator {
public:
    GuardedEstimator(std::size_t order, std::size_t memory, std::string folder, std::size_t threads)
        : folder_(std::move(folder)), kernel_(make_estimator(order, memory, folder_, threads)) {}

    void add(const Array<std::int32_t>& ids, const Array<std::int64_t>& offsets) {
        require(!adjusted_, "sentences must be added before adjust");
        const auto words = view(ids);
        check_increasing(view(offsets), words.size(),
                         "offsets must not decrease and must stay within the ids");
        for (const std::int32_t word : words)
            require(word >= static_cast<std::int32_t>(kFirstWord), "words have numbers from 3 on");
        with_files(folder_, [&] { kernel_->add(words, view(offsets)); });
    }

    void adjust(const std::vector<std::uint32_t>& prune, const std::optional<std::vector<double>>& fallback) {
        require(!adjusted_, "adjust may be called once");
        require(prune.size() == kernel_->order() && prune[0] == 0, "expected a number to prune per order");
        for (std::size_t i = 1; i < prune.size(); ++i)
            require(prune[i - 1] <= prune[i], "numbers to prune must not decrease");
        EstimateSettings settings{prune, fallback.has_value(), {}};
        if (fallback) {
            require(fallback->size() == 3, "expected three discounts to fall back to");
            for (std::size_t j = 1; j <= 3; ++j) {
                const double discount = (*fallback)[j - 1];
                require(discount >= 0 && discount <= static_cast<double>(j),
                        "a discount is from 0 to its count");
                settings.fallback_discounts[j] = discount;
            }
        }
        adjusted_ = true;
        with_files(folder_, [&] { kernel_->adjust(settings); });
        estimated_ = true;
    }

    void smooth() {
        require(estimated_ && smoothed_ < kernel_->order(), "smooth is called once per order, after adjust");
        ++smoothed_;
        with_files(folder_, [&] { kernel_->smooth(); });
    }

    nb::object read(std::size_t order, std::size_t limit) {
        require(smoothed_ == kernel_->order(), "every order must be smoothed before one is read");
        require(order >= 1 && order <= kernel_->order(), "order must be one of the model's");
        NgramBatch batch = with_files(folder_, [&] { return kernel_->read(order, limit); });
        return nb::make_tuple(give(std::move(batch.words), order), give(std::move(batch.parents)),
                              give(std::move(batch.probabilities)), give(std::move(batch.backoffs)));
    }

    std::vector<std::int64_t> counts() const { return kernel_->counts(); }
    nb::object discounts() const {
        nb::list all;
        for (const Discounts& each : kernel_->discounts())
            all.append(nb::make_tuple(each[1], each[2], each[3]));
        return all;
    }
    std::size_t spilled() const { return kernel_->spilled(); }

private:
    std::string folder_;
    std::unique_ptr<NgramEstimator> kernel_;
    bool adjusted_ = false, estimated_ = false;
    std::size_t smoothed_ = 0;
};

std::vector<NgramLevel> levels_of(const nb::list& list) {
    std::vector<NgramLevel> levels;
    for (const nb::handle item : list) {
        const nb::tuple parts = nb::cast<nb::tuple>(item);
        require(parts.size() == 4, "a level is a tuple of four");
        const NgramLevel level{
            view(exact<Array<std::int32_t>>(parts[0])), view(exact<Array<std::int32_t>>(parts[1])),
            view(exact<Array<float>>(parts[2])), view(exact<Array<float>>(parts[3]))};
        require(level.parents.size() == level.size() && level.probabilities.size() == level.size() &&
                    level.backoffs.size() == level.size(),
                "the arrays of a level must have one length");
        levels.push_back(level);
    }
    return levels;
}

nb::object py_sentences(const NgramModel& model, const Array<std::int32_t>& ids,
                        const Array<std::int64_t>& offsets, std::size_t threads) {
    check_increasing(view(offsets), ids.shape(0), "offsets must not decrease and must stay within the ids");
    SentenceScores scores;
    {
        nb::gil_scoped_release release;
        scores = model.sentences(view(ids), view(offsets), threads);
    }
    return nb::make_tuple(give(std::move(scores.log10)), give(std::move(scores.known)),
                          give(std::move(scores.unknown)));
}

nb::object py_tokens(const NgramModel& model, const Array<std::int32_t>& ids,
                     const Array<std::int64_t>& offsets, std::size_t threads) {
    check_increasing(view(offsets), ids.shape(0), "offsets must not decrease and must stay within the ids");
    TokenScores scores;
    {
        nb::gil_scoped_release release;
        scores = model.tokens(view(ids), view(offsets), threads);
    }
    return nb::make_tuple(give(std::move(scores.log10)), give(std::move(scores.matched)),
                          give(std::move(scores.offsets)));
}

nb::object py_step(const NgramModel& model, std::size_t state, std::size_t word) {
    require(state < model.states(), "no such state");
    require(word < model.words(), "no such word");
    auto node = static_cast<Node>(state);
    const NgramModel::Step scored = model.step(node, static_cast<std::uint32_t>(word));
    return nb::make_tuple(scored.log10, node);
}

nb::object py_sorter_add(NgramSorter& sorter, const Array<std::int32_t>& words) {
    require(sorter.order() < kMostOrder, "there are at most 6 orders");
    require(words.shape(0) % (sorter.order() + 1) == 0, "expected as many words as the order for each");
    for (const std::int32_t word : view(words)) require(word >= 0, "words have numbers from 0 on");
    NgramSorter::Sorted sorted;
    {
        nb::gil_scoped_release release;
        sorted = sorter.add(view(words));
    }
    const char* const names[] = {"", "context", "twice"};
    return nb::make_tuple(give(std::move(sorted.positions)), give(std::move(sorted.parents)),
                          names[static_cast<int>(sorted.fault)], sorted.at);
}

nb::object py_parse_arpa(const Array<std::uint8_t>& buffer, const Spans& spans, std::size_t order,
                         Vocabulary& vocabulary) {
    const TextColumn lines = text_column(buffer, spans, nb::none());
    require(order >= 1 && order <= kMostOrder, "order must be from 1 to 6");
    ArpaNgrams ngrams;
    {
        nb::gil_scoped_release release;
        ngrams = parse_arpa(lines, order, vocabulary);
    }
    const char* const names[] = {"", "fields", "number", "probability", "word", "twice"};
    return nb::make_tuple(give(std::move(ngrams.words)), give(std::move(ngrams.probabilities)),
                          give(std::move(ngrams.backoffs)), names[static_cast<int>(ngrams.fault)], ngrams.at);
}

nb::bytes py_format_arpa(const Array<std::int32_t>& words, std::size_t order,
                         const Array<float>& probabilities, const Array<float>& backoffs, bool highest,
                         const Vocabulary& vocabulary, std::size_t threads) {
    require(order >= 1 && words.shape(0) == order * probabilities.shape(0) &&
                backoffs.shape(0) == probabilities.shape(0),
            "the arrays must have one length");
    for (const std::int32_t word : view(words))
        require(word >= 0 && static_cast<std::size_t>(word) < vocabulary.size(), "no such word");
    std::vector<std::string> parts;
    {
        nb::gil_scoped_release release;
        parts = format_arpa(view(words), order, view(probabilities), view(backoffs), highest, vocabulary,
                            threads);
    }
    std::size_t size = 0;
    for (const std::string& part : parts) size += part.size();
    nb::object text = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!text.is_valid()) throw nb::python_error();
    char* at = PyBytes_AsString(text.ptr());
    for (const std::string& part : parts) at = std::copy(part.begin(), part.end(), at);
    return nb::borrow<nb::bytes>(text);
}

nb::bytes py_pack(const Array<std::int32_t>& parents, const Array<std::int32_t>& words,
                  std::size_t contexts) {
    require(parents.shape(0) == words.shape(0), "the arrays must have one length");
    const auto up = view(parents), down = view(words);
    for (std::size_t i = 0; i < up.size(); ++i) {
        require(up[i] >= 0 && static_cast<std::size_t>(up[i]) < contexts && down[i] >= 0,
                "parents and words must be known");
        if (i > 0)
            require(up[i - 1] < up[i] || (up[i - 1] == up[i] && down[i - 1] < down[i]),
                    "children must be sorted");
    }
    std::string packed;
    {
        nb::gil_scoped_release release;
        packed = pack_children(up, down, contexts);
    }
    return nb::bytes(packed.data(), packed.size());
}

nb::object py_unpack(const nb::bytes& packed, std::size_t contexts, std::size_t size, std::size_t words) {
    require(size <= kMostNodes && contexts <= kMostNodes && words <= kMostNodes, "too many n-grams");
    Children children;
    const std::string_view bytes(packed.c_str(), packed.size());
    {
        nb::gil_scoped_release release;
        children = unpack_children(bytes, contexts, size, words);
    }
    return nb::make_tuple(give(std::move(children.parents)), give(std::move(children.words)));
}

nb::object py_entropy_prune(const nb::list& list, double threshold, std::size_t threads) {
    const std::vector<NgramLevel> levels = levels_of(list);
    Pruned pruned;
    {
        nb::gil_scoped_release release;
        pruned = entropy_prune(levels, threshold, threads);
    }
    nb::list result;
    for (std::size_t k = 0; k < levels.size(); ++k)
        result.append(nb::make_tuple(give(std::move(pruned.kept[k])), give(std::move(pruned.backoffs[k]))));
    return result;
}

}  // namespace

void bind_lm(nb::module_& m) {
    nb::class_<GuardedEstimator>(m, "NgramEstimator")
        .def(nb::init<std::size_t, std::size_t, std::string, std::size_t>(), nb::arg("order"),
             nb::arg("memory"), nb::arg("folder"), nb::arg("threads"))
        .def("add", &GuardedEstimator::add, nb::arg("ids"), nb::arg("offsets"))
        .def("adjust", &GuardedEstimator::adjust, nb::arg("prune"), nb::arg("fallback").none())
        .def("smooth", &GuardedEstimator::smooth)
        .def("read", &GuardedEstimator::read, nb::arg("order"), nb::arg("limit"))
        .def_prop_ro("counts", &GuardedEstimator::counts)
        .def_prop_ro("discounts", &GuardedEstimator::discounts)
        .def_prop_ro("spilled", &GuardedEstimator::spilled);
    nb::class_<NgramModel>(m, "NgramModel")
        .def(
            "__init__",
            [](NgramModel* self, const nb::list& levels, std::size_t threads) {
                const std::vector<NgramLevel> spans = levels_of(levels);
                nb::gil_scoped_release release;
                new (self) NgramModel(spans, threads);
            },
            nb::arg("levels"), nb::arg("threads"))
        .def_prop_ro("begin", &NgramModel::begin)
        .def("sentences", &py_sentences, nb::arg("ids"), nb::arg("offsets"), nb::arg("threads"))
        .def("tokens", &py_tokens, nb::arg("ids"), nb::arg("offsets"), nb::arg("threads"))
        .def("step", &py_step, nb::arg("state"), nb::arg("word"));
    nb::class_<NgramSorter>(m, "NgramSorter")
        .def(nb::init<>())
        .def("add", &py_sorter_add, nb::arg("words"));
    m.def("parse_arpa", &py_parse_arpa, nb::arg("buffer"), nb::arg("spans"), nb::arg("order"),
          nb::arg("vocabulary"));
    m.def("format_arpa", &py_format_arpa, nb::arg("words"), nb::arg("order"), nb::arg("probabilities"),
          nb::arg("backoffs"), nb::arg("highest"), nb::arg("vocabulary"), nb::arg("threads"));
    m.def("pack_children", &py_pack, nb::arg("parents"), nb::arg("words"), nb::arg("contexts"));
    m.def("unpack_children", &py_unpack, nb::arg("packed"), nb::arg("contexts"), nb::arg("size"),
          nb::arg("words"));
    m.def("entropy_prune", &py_entropy_prune, nb::arg("levels"), nb::arg("threshold"), nb::arg("threads"));
}

}  // namespace paragauge
