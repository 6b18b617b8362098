#include "lm/estimate.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "lm/levels.hpp"
#include "lm/smoothing.hpp"

namespace paragauge {

namespace {

template <std::size_t N>
class Estimator final : public NgramEstimator {
public:
    Estimator(std::size_t memory, std::string folder, std::size_t threads)
        : folder_(std::move(folder)),
          share_(memory, N),
          threads_(threads),
          counter_(folder_, share_.counter, threads, Equal::add),
          levels_(make_levels(std::make_index_sequence<N>())) {}

    std::size_t order() const override { return N; }
    std::size_t spilled() const override { return folder_.files(); }

    void add(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) override {
        for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
            // In the counter the last word comes first; sentences start with as many <s> as fit.
            Record<N + 1> window;
            window.fill(kBegin);
            window[N] = 1;
            const auto push = [&](std::uint32_t word) {
                std::copy_backward(window.begin(), window.begin() + (N - 1), window.begin() + N);
                window[0] = word;
                counter_.push(window);
            };
            for (std::int64_t i = offsets[line]; i < offsets[line + 1]; ++i)
                push(static_cast<std::uint32_t>(ids[static_cast<std::size_t>(i)]));
            push(kEnd);
        }
    }

    void adjust(const EstimateSettings& settings) override {
        prune_ = settings.prune;
        keep<1>(Record<2>{kUnknownWord, 0}, false);
        keep<1>(Record<2>{kBegin, 0}, false);
        auto full = counter_.sorted();
        Record<N + 1> current{};
        std::array<std::uint64_t, N + 1> adjusted{}, actual{};
        std::size_t open = 0;  // orders below N whose current n-gram is not complete yet
        while (full.get() != nullptr) {
            Record<N + 1> fresh = *full.get();
            for (full.next(); full.get() != nullptr && compare_keys<N>(fresh, *full.get()) == 0; full.next())
                add_count<N>(fresh, *full.get());
            std::size_t same = 0;
            while (same < open && fresh[same] == current[same]) ++same;
            for (; open > same; --open) close(current, open, adjusted[open], actual[open]);
            current = fresh;
            const std::uint64_t count = fresh[N];
            for (std::size_t k = 1; k <= same; ++k) actual[k] += count;
            if (same > 0) ++adjusted[same];
            bool whole = true;
            while (whole && open + 1 < N) {
                ++open;
                actual[open] = count;
                // Nothing precedes <s>, so n-grams that start with it keep their counts.
                whole = fresh[open - 1] != kBegin;
                adjusted[open] = whole ? 1 : count;
            }
            if (whole) close(current, N, count, count);
        }
        for (; open > 0; --open) close(current, open, adjusted[open], actual[open]);
        each_level([&](auto& level, std::size_t k) {
            level.discounts = estimate_discounts(level.frequencies, k, settings);
        });
    }

    void smooth() override {
        ++smoothed_;
        each_order([&]<std::size_t K>() {
            if (smoothed_ != K) return;
            if constexpr (K == 1)
                smooth_unigrams(level<1>());
            else
                smooth_order(level<K>(), level<K - 1>(), folder_, share_.smoothing, threads_);
        });
    }

    NgramBatch read(std::size_t order, std::size_t limit) override {
        NgramBatch batch;
        each_order([&]<std::size_t K>() {
            if (order != K) return;
            if constexpr (K == 1)
                read_order(level<1>(), static_cast<Level<1>*>(nullptr), limit, batch);
            else
                read_order(level<K>(), &level<K - 1>(), limit, batch);
        });
        return batch;
    }

    std::vector<std::int64_t> counts() const override {
        return {kept_.begin(), kept_.end()};
    }

    std::vector<Discounts> discounts() const override {
        return std::apply([](const auto&... level) { return std::vector<Discounts>{level.discounts...}; },
                          levels_);
    }

private:
    template <std::size_t... I>
    typename LevelsOf<N>::type make_levels(std::index_sequence<I...>) {
        return {Level<I + 1>(folder_, share_, threads_)...};
    }

    template <class Body>
    void each_order(Body body) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (body.template operator()<I + 1>(), ...);
        }(std::make_index_sequence<N>());
    }

    template <class Body>
    void each_level(Body body) {
        each_order([&]<std::size_t K>() { body(level<K>(), K); });
    }

    template <std::size_t K>
    Level<K>& level() {
        return std::get<K - 1>(levels_);
    }

    template <std::size_t K>
    void keep(const Record<K + 1>& record, bool pruned) {
        Record<K + 1> marked = record;
        if (record[K] < 5) ++level<K>().frequencies[record[K]];
        if (pruned)
            marked[K] |= kPruned;
        else
            ++kept_[K - 1];
        level<K>().counts.push(marked);
    }

    // The first `k` numbers of `current`, from right to left, are an n-gram with its final count.
    void close(const Record<N + 1>& current, std::size_t k, std::uint64_t adjusted, std::uint64_t actual) {
        if (adjusted >> 31 != 0) throw std::overflow_error("an n-gram occurs more than 2,147,483,647 times");
        each_order([&]<std::size_t K>() {
            if (k != K) return;
            Record<K + 1> record;
            std::reverse_copy(current.begin(), current.begin() + K, record.begin());
            record[K] = static_cast<std::uint32_t>(adjusted);
            keep<K>(record, K > 1 && actual <= prune_[K - 1]);
        });
    }

    SpillFolder folder_;
    Share share_;
    std::size_t threads_;
    Sorter<N, N + 1> counter_;
    typename LevelsOf<N>::type levels_;
    std::vector<std::uint32_t> prune_;
    std::array<std::int64_t, N> kept_{};
    std::size_t smoothed_ = 0;
};

template <std::size_t N>
std::unique_ptr<NgramEstimator> make(std::size_t memory, std::string&& folder, std::size_t threads) {
    return std::make_unique<Estimator<N>>(memory, std::move(folder), threads);
}

}  // namespace

std::unique_ptr<NgramEstimator> make_estimator(std::size_t order, std::size_t memory, std::string folder,
                                               std::size_t threads) {
    switch (order) {
        case 1: return make<1>(memory, std::move(folder), threads);
        case 2: return make<2>(memory, std::move(folder), threads);
        case 3: return make<3>(memory, std::move(folder), threads);
        case 4: return make<4>(memory, std::move(folder), threads);
        case 5: return make<5>(memory, std::move(folder), threads);
        case 6: return make<6>(memory, std::move(folder), threads);
        default: throw std::invalid_argument("order must be from 1 to 6");
    }
}

}  // namespace paragauge
