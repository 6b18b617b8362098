// Records of fixed width that outgrow memory: a spool keeps them in the order in which they arrive, first in
// memory and, beyond its limit, in a file of a temporary folder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace paragauge {

template <std::size_t W>
using Record = std::array<std::uint32_t, W>;

// Names for temporary files. The caller owns the folder and removes it with all that is in it.
class SpillFolder {
public:
    explicit SpillFolder(std::string path) : path_(std::move(path)) {}
    std::string fresh() { return path_ + "/spill" + std::to_string(next_++); }
    std::size_t files() const { return next_; }

private:
    std::string path_;
    std::size_t next_ = 0;
};

// A file of records, removed after its last use.
class SpillFile {
public:
    explicit SpillFile(std::string path);
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    void write(const void* data, std::size_t bytes);
    // Call after the last write. The file is opened again for reading, as many may wait for that.
    void seal();
    std::size_t read(std::size_t at, void* data, std::size_t bytes);

private:
    void open(const char* mode);
    [[noreturn]] void fail() const;

    std::string path_;
    std::FILE* file_ = nullptr;
};

// The records of a vector, then those of a file, one at a time.
template <std::size_t W>
class Reader {
public:
    Reader() = default;
    Reader(std::shared_ptr<const std::vector<Record<W>>> memory, std::shared_ptr<SpillFile> file,
           std::size_t buffered)
        : memory_(std::move(memory)), file_(std::move(file)), buffered_(buffered) {
        fill();
    }

    const Record<W>* get() const { return at_ == end_ ? nullptr : at_; }
    void next() {
        if (++at_ == end_) fill();
    }

private:
    void fill() {
        at_ = end_ = nullptr;
        if (memory_ != nullptr && !memory_done_ && !memory_->empty()) {
            memory_done_ = true;
            at_ = memory_->data();
            end_ = at_ + memory_->size();
        } else if (file_ != nullptr) {
            buffer_.resize(buffered_);
            const std::size_t size = file_->read(position_, buffer_.data(), buffered_ * sizeof(Record<W>));
            position_ += size;
            at_ = buffer_.data();
            end_ = at_ + size / sizeof(Record<W>);
        }
    }

    std::shared_ptr<const std::vector<Record<W>>> memory_;
    std::shared_ptr<SpillFile> file_;
    std::vector<Record<W>> buffer_;
    const Record<W>* at_ = nullptr;
    const Record<W>* end_ = nullptr;
    std::size_t buffered_ = 0;
    std::size_t position_ = 0;
    bool memory_done_ = false;
};

template <std::size_t W>
class Spool {
public:
    // At most `limit` records stay in memory.
    Spool(SpillFolder& folder, std::size_t limit)
        : folder_(&folder), limit_(limit), records_(std::make_shared<std::vector<Record<W>>>()) {}

    void push(const Record<W>& record) {
        ++size_;
        if (size_ <= limit_) {
            records_->push_back(record);
            return;
        }
        if (file_ == nullptr) file_ = std::make_shared<SpillFile>(folder_->fresh());
        tail_.push_back(record);
        if (tail_.size() == kTail) flush();
    }
    // Call after the last push.
    void seal() {
        if (file_ == nullptr) return;
        flush();
        file_->seal();
    }
    std::size_t size() const { return size_; }
    Reader<W> reader() const { return {records_, file_, kTail}; }
    void clear() {
        records_ = std::make_shared<std::vector<Record<W>>>();
        file_ = nullptr;
        size_ = 0;
    }

private:
    static constexpr std::size_t kTail = 4096;

    void flush() {
        file_->write(tail_.data(), tail_.size() * sizeof(Record<W>));
        tail_.clear();
    }

    SpillFolder* folder_;
    std::size_t limit_;
    std::size_t size_ = 0;
    std::shared_ptr<std::vector<Record<W>>> records_;
    std::vector<Record<W>> tail_;
    std::shared_ptr<SpillFile> file_;
};

}  // namespace paragauge
