#include "decode/phrase_options.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

namespace paragauge {

double PhraseModel::log_weight() const { return weights[kLanguageModel] * std::numbers::ln10; }

double PhraseModel::fixed_score(std::uint32_t row, std::size_t words, bool copy, std::size_t source) const {
    double score = weights[kWordPenalty] * -static_cast<double>(words) + weights[kPhrasePenalty];
    if (row == kPassThrough) return score + weights[kUnknownPenalty] * kUnknownCost;
    const auto values = store->scores(row);
    for (std::size_t i = 0; i < kPhraseScores; ++i)
        score += weights[kTranslation + i] * static_cast<double>(values[i]);
    if (copy && settings.count_copies) score += weights[kCopyPenalty] * -static_cast<double>(source);
    return score;
}

PhraseValues PhraseModel::features(const PhraseOption& option) const {
    PhraseValues values{};
    values[kWordPenalty] = -static_cast<double>(option.size);
    values[kPhrasePenalty] = 1;
    if (option.row == kPassThrough) {
        values[kUnknownPenalty] = kUnknownCost;
        return values;
    }
    const auto scores = store->scores(option.row);
    for (std::size_t i = 0; i < kPhraseScores; ++i)
        values[kTranslation + i] = static_cast<double>(scores[i]);
    if (option.copy && settings.count_copies)
        values[kCopyPenalty] = -static_cast<double>(option.end - option.start);
    return values;
}

void PhraseSentence::read(const PhraseStore& store, std::string_view line) {
    texts.clear();
    words.clear();
    for_each_word(line, [&](std::string_view word) {
        texts.push_back(word);
        words.push_back(store.find(word));
    });
}

std::vector<std::uint32_t> shortlist(const PhraseModel& model, Node node,
                                     std::span<const std::uint32_t> source, std::size_t limit) {
    const PhraseStore& store = *model.store;
    struct Scored {
        double score;
        std::uint32_t row;
    };
    std::vector<Scored> scored;
    const std::uint32_t first = store.first_row(node), last = store.last_row(node);
    scored.reserve(last - first);
    for (std::uint32_t row = first; row < last; ++row) {
        const auto words = store.target(row);
        const bool copy = std::equal(words.begin(), words.end(), source.begin(), source.end());
        if (copy && model.settings.drop_copies && last - first > 1) continue;
        // From the right, as PhraseOptions adds: equal sums are equal bit for bit.
        std::array<double, 16> few;
        std::vector<double> long_steps;
        std::span<double> steps(few.data(), words.size());
        if (words.size() > few.size()) {
            long_steps.resize(words.size());
            steps = long_steps;
        }
        Node state = kRoot;
        for (std::size_t i = 0; i < words.size(); ++i)
            steps[i] = model.model->step(state, store.model_word(words[i])).log10;
        double log10 = 0;
        for (std::size_t i = words.size(); i-- > 0;) log10 = steps[i] + log10;
        const double fixed = model.fixed_score(row, words.size(), copy, source.size());
        scored.push_back({fixed + model.log_weight() * log10, row});
    }
    const auto better = [](const Scored& a, const Scored& b) {
        return a.score != b.score ? a.score > b.score : a.row < b.row;
    };
    const std::size_t size = std::min(limit, scored.size());
    std::partial_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(size), scored.end(), better);
    std::vector<std::uint32_t> rows(size);
    for (std::size_t i = 0; i < size; ++i) rows[i] = scored[i].row;
    return rows;
}

void PhraseOptions::put(const PhraseModel& model, const PhraseSentence& sentence, std::size_t start,
                        std::size_t end, std::uint32_t row) {
    const PhraseStore& store = *model.store;
    const NgramModel& lm = *model.model;
    const auto first = static_cast<std::uint32_t>(words_.size());
    bool copy = false;
    if (row == kPassThrough) {
        words_.push_back(store.model_word(sentence.texts[start]));
    } else {
        const auto words = store.target(row);
        const auto source = sentence.words.begin() + static_cast<std::ptrdiff_t>(start);
        copy = std::equal(words.begin(), words.end(), source,
                          source + static_cast<std::ptrdiff_t>(end - start));
        for (const std::uint32_t word : words) words_.push_back(store.model_word(word));
    }
    const std::size_t size = words_.size() - first;
    states_.resize(words_.size());
    // Tails have one item more per option than words have: that of option i starts at first + i.
    const std::size_t tail = first + options_.size();
    tails_.resize(tail + size + 1);
    Node state = kRoot;
    for (std::size_t i = 0; i < size; ++i) {
        tails_[tail + i] = lm.step(state, words_[first + i]).log10;
        states_[first + i] = state;
    }
    tails_[tail + size] = 0;
    for (std::size_t i = size; i-- > 0;) tails_[tail + i] += tails_[tail + i + 1];
    const double fixed = model.fixed_score(row, size, copy, end - start);
    const double weight = model.log_weight();
    mosts_.resize(tails_.size());
    const std::size_t open = std::min(size, lm.order() - 1);
    for (std::size_t i = size + 1; i-- > open;) mosts_[tail + i] = tails_[tail + i];
    for (std::size_t i = open; i-- > 0;) mosts_[tail + i] = lm.most(words_[first + i]) + mosts_[tail + i + 1];
    const double bound = weight >= 0 ? fixed + weight * mosts_[tail] : std::numeric_limits<double>::infinity();
    options_.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end), row, first,
                        static_cast<std::uint32_t>(size), 0, copy, fixed, fixed + weight * tails_[tail], bound});
}

void PhraseOptions::fill_span(const PhraseModel& model, const PhraseSentence& sentence, std::size_t start,
                              std::size_t end, Node node, std::size_t limit,
                              const PhraseShortlists* lists) {
    const PhraseStore& store = *model.store;
    if (node == kRoot || store.first_row(node) == store.last_row(node)) {
        if (end - start == 1) put(model, sentence, start, end, kPassThrough);
        return;
    }
    if (lists != nullptr && store.last_row(node) - store.first_row(node) > kManyRows) {
        const std::vector<std::uint32_t>& rows = lists->at(node);
        for (std::size_t i = 0; i < std::min(limit, rows.size()); ++i) put(model, sentence, start, end, rows[i]);
        return;
    }
    const std::span<const std::uint32_t> source(sentence.words.data() + start, end - start);
    for (const std::uint32_t row : shortlist(model, node, source, limit))
        put(model, sentence, start, end, row);
}

void PhraseOptions::fill(const PhraseModel& model, const PhraseSentence& sentence, std::size_t limit,
                         const PhraseShortlists* lists) {
    size_ = sentence.size();
    longest_ = std::max<std::size_t>(1, std::min(model.store->longest(), size_));
    options_.clear();
    words_.clear();
    states_.clear();
    tails_.clear();
    mosts_.clear();
    first_.clear();
    for (std::size_t start = 0; start < size_; ++start) {
        Node node = kRoot;
        bool here = true;
        for (std::size_t length = 1; length <= longest_; ++length) {
            first_.push_back(static_cast<std::uint32_t>(options_.size()));
            if (start + length > size_) continue;
            const std::uint32_t word = sentence.words[start + length - 1];
            node = here && word != KeyTable::kAbsent ? model.store->step(node, word) : kRoot;
            here = node != kRoot;
            fill_span(model, sentence, start, start + length, node, limit, lists);
        }
    }
    first_.push_back(static_cast<std::uint32_t>(options_.size()));
    openings_.reset(options_.size());
    for (PhraseOption& option : options_) option.opening = openings_.insert(words_[option.first]);
    by_bound_.resize(options_.size());
    std::iota(by_bound_.begin(), by_bound_.end(), 0U);
    for (std::size_t i = 0; i + 1 < first_.size(); ++i)
        std::sort(by_bound_.begin() + first_[i], by_bound_.begin() + first_[i + 1],
                  [&](std::uint32_t a, std::uint32_t b) {
                      return options_[a].bound != options_[b].bound ? options_[a].bound > options_[b].bound
                                                                    : a < b;
                  });
    fill_future();
}

void PhraseOptions::fill_future() {
    const std::size_t columns = size_ + 1;
    future_.assign(columns * columns, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < columns; ++i) future_[i * columns + i] = 0;
    for (const PhraseOption& option : options_) {
        double& best = future_[option.start * columns + option.end];
        best = std::max(best, option.isolated);
    }
    for (std::size_t length = 2; length <= size_; ++length)
        for (std::size_t start = 0; start + length <= size_; ++start) {
            double& best = future_[start * columns + start + length];
            for (std::size_t middle = start + 1; middle < start + length; ++middle)
                best = std::max(best, future_[start * columns + middle] +
                                          future_[middle * columns + start + length]);
        }
}

double PhraseOptions::extend(const NgramModel& model, StepCache& cache, const PhraseOption& option,
                             double least, Node& state) const {
    const auto number = static_cast<std::size_t>(&option - options_.data());
    const double* const tails = tails_.data() + option.first + number;
    const double* const mosts = mosts_.data() + option.first + number;
    Node alone = kRoot;
    double log10 = 0;
    std::size_t i = 0;
    for (; i < option.size && state != alone; ++i) {
        const std::uint32_t word = words_[option.first + i];
        log10 += i == 0 ? cache.first(model, state, word, option.opening) : cache.step(model, state, word);
        if (log10 + mosts[i + 1] < least) return -std::numeric_limits<double>::infinity();
        alone = states_[option.first + i];
    }
    // From here on the words before the phrase have no effect.
    if (i < option.size) state = states_[option.first + option.size - 1];
    return log10 + tails[i];
}

}  // namespace paragauge
