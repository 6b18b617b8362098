#include "lm/spool.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace paragauge {

SpillFile::SpillFile(std::string path) : path_(std::move(path)) { open("wb"); }

SpillFile::~SpillFile() {
    if (file_ != nullptr) std::fclose(file_);
    std::remove(path_.c_str());
}

void SpillFile::write(const void* data, std::size_t bytes) {
    if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail();
}

void SpillFile::seal() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
}

std::size_t SpillFile::read(std::size_t at, void* data, std::size_t bytes) {
    if (file_ == nullptr) open("rb");
    if (std::fseek(file_, static_cast<long>(at), SEEK_SET) != 0) fail();
    const std::size_t size = std::fread(data, 1, bytes, file_);
    if (size < bytes && std::ferror(file_)) fail();
    return size;
}

void SpillFile::open(const char* mode) {
    file_ = std::fopen(path_.c_str(), mode);
    if (file_ == nullptr) fail();
}

void SpillFile::fail() const { throw std::system_error(errno, std::generic_category(), path_); }

}  // namespace paragauge
