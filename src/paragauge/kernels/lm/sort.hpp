// Sorting of more records than memory holds: blocks are sorted on threads and written as runs, and the
// runs are merged. Records are compared by their first K numbers, from left to right; for another
// order, write the numbers in that order. The reader must join equal keys (their order is not defined),
// except that a counter adds them up in each block to keep the runs short.
//
// The result depends neither on the number of threads nor on the limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/parallel.hpp"
#include "lm/spool.hpp"

namespace paragauge {

template <std::size_t K, std::size_t W>
int compare_keys(const Record<W>& left, const Record<W>& right, std::size_t from = 0) {
    for (std::size_t i = from; i < K; ++i)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

// Adds the counts, in number K, of two records with one key.
template <std::size_t K, std::size_t W>
void add_count(Record<W>& record, const Record<W>& other) {
    const std::uint64_t sum = std::uint64_t{record[K]} + other[K];
    if (sum >> 31 != 0) throw std::overflow_error("an n-gram occurs more than 2,147,483,647 times");
    record[K] = static_cast<std::uint32_t>(sum);
}

// Sorts `count` records of `width` numbers each by their first `keys` numbers, in one thread. It serves
// records of any width, so it is compiled once; large blocks are sorted by `sort_records`.
void sort_few(std::uint32_t* numbers, std::size_t count, std::size_t width, std::size_t keys);

// One pass by the first number puts records into small buckets, which are sorted separately.
template <std::size_t K, std::size_t W>
void sort_records(std::vector<Record<W>>& records, std::size_t threads) {
    constexpr std::size_t kSmall = 4096;
    std::uint32_t largest = 0;
    for (const Record<W>& record : records) largest = std::max(largest, record[0]);
    if (records.size() < kSmall || largest / 4 > records.size()) {
        sort_few(records.empty() ? nullptr : records.data()->data(), records.size(), W, K);
        return;
    }
    std::vector<std::size_t> starts(std::size_t{largest} + 2, 0);
    for (const Record<W>& record : records) ++starts[record[0] + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    std::vector<Record<W>> placed(records.size());
    {
        std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
        for (const Record<W>& record : records) placed[next[record[0]]++] = record;
    }
    records.swap(placed);
    std::vector<Record<W>>().swap(placed);
    // Each thread gets whole buckets, with about the same number of records.
    const std::vector<Range> shares = split(records.size(), threads, kSmall);
    const auto bucket_at = [&](std::size_t position) {
        return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), position) -
                                        starts.begin());
    };
    run_parallel(shares, [&](std::size_t, Range share) {
        const std::size_t stop = std::min(bucket_at(share.last), starts.size() - 1);
        for (std::size_t b = bucket_at(share.first); b < stop; ++b)
            std::sort(records.begin() + static_cast<std::ptrdiff_t>(starts[b]),
                      records.begin() + static_cast<std::ptrdiff_t>(starts[b + 1]),
                      [](const Record<W>& x, const Record<W>& y) { return compare_keys<K>(x, y, 1) < 0; });
    });
}

// All records of several runs in order.
template <std::size_t K, std::size_t W>
class Merge {
public:
    Merge() = default;
    explicit Merge(std::vector<Reader<W>> runs) : runs_(std::move(runs)) {
        for (std::size_t i = 0; i < runs_.size(); ++i)
            if (runs_[i].get() != nullptr) heap_.push_back(i);
        std::make_heap(heap_.begin(), heap_.end(), later());
    }

    const Record<W>* get() const { return heap_.empty() ? nullptr : runs_[heap_.front()].get(); }
    void next() {
        if (heap_.size() > 1) std::pop_heap(heap_.begin(), heap_.end(), later());
        Reader<W>& run = runs_[heap_.back()];
        run.next();
        if (run.get() == nullptr)
            heap_.pop_back();
        else if (heap_.size() > 1)
            std::push_heap(heap_.begin(), heap_.end(), later());
    }

private:
    auto later() const {
        return [this](std::size_t a, std::size_t b) {
            const int order = compare_keys<K>(*runs_[a].get(), *runs_[b].get());
            return order != 0 ? order > 0 : a > b;
        };
    }

    std::vector<Reader<W>> runs_;
    std::vector<std::size_t> heap_;
};

// Whether records with one key are added up in each block.
enum class Equal { keep, add };

template <std::size_t K, std::size_t W>
class Sorter {
public:
    // At most `bytes` are used for records, the copy that sorting makes included.
    Sorter(SpillFolder& folder, std::size_t bytes, std::size_t threads, Equal equal = Equal::keep)
        : folder_(&folder),
          limit_(std::max<std::size_t>(16, bytes / (2 * sizeof(Record<W>)))),
          threads_(threads),
          equal_(equal) {}

    void push(const Record<W>& record) {
        if (records_.size() == limit_) spill();
        records_.push_back(record);
    }

    // The records in order; the sorter is empty afterwards.
    Merge<K, W> sorted() {
        if (!runs_.empty()) spill();
        while (runs_.size() > kFan) merge_some();
        std::vector<Reader<W>> readers;
        if (runs_.empty()) {
            arrange();
            auto whole = std::make_shared<std::vector<Record<W>>>(std::move(records_));
            records_ = {};
            readers.emplace_back(std::move(whole), nullptr, 0);
        }
        for (std::shared_ptr<SpillFile>& run : runs_) readers.push_back(read(std::move(run)));
        runs_.clear();
        return Merge<K, W>(std::move(readers));
    }

private:
    static constexpr std::size_t kFan = 64;
    static constexpr std::size_t kBlock = 4096;

    Reader<W> read(std::shared_ptr<SpillFile> run) const {
        return {nullptr, std::move(run), std::clamp<std::size_t>(limit_ / kFan, 16, kBlock)};
    }

    void arrange() {
        sort_records<K>(records_, threads_);
        if (equal_ == Equal::keep) return;
        std::size_t size = 0;
        for (const Record<W>& record : records_)
            if (size > 0 && compare_keys<K>(records_[size - 1], record) == 0)
                add_count<K>(records_[size - 1], record);
            else
                records_[size++] = record;
        records_.resize(size);
    }

    void spill() {
        arrange();
        auto run = std::make_shared<SpillFile>(folder_->fresh());
        run->write(records_.data(), records_.size() * sizeof(Record<W>));
        run->seal();
        runs_.push_back(std::move(run));
        records_.clear();
    }

    // The first kFan runs become one, so that a tiny limit does not open thousands of files.
    void merge_some() {
        std::vector<Reader<W>> readers;
        for (std::size_t i = 0; i < kFan; ++i) readers.push_back(read(std::move(runs_[i])));
        Merge<K, W> merged(std::move(readers));
        auto run = std::make_shared<SpillFile>(folder_->fresh());
        std::vector<Record<W>> block;
        for (; merged.get() != nullptr; merged.next()) {
            block.push_back(*merged.get());
            if (block.size() < kBlock) continue;
            run->write(block.data(), block.size() * sizeof(Record<W>));
            block.clear();
        }
        run->write(block.data(), block.size() * sizeof(Record<W>));
        run->seal();
        runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(kFan));
        runs_.push_back(std::move(run));
    }

    SpillFolder* folder_;
    std::size_t limit_;
    std::size_t threads_;
    Equal equal_;
    std::vector<Record<W>> records_;
    std::vector<std::shared_ptr<SpillFile>> runs_;
};

}  // namespace paragauge
