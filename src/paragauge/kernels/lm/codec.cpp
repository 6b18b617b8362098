#include "lm/codec.hpp"

#include <bit>
#include <stdexcept>

namespace paragauge {

namespace {

class BitWriter {
public:
    void bits(std::uint64_t value, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            if (used_ == 0) bytes_.push_back('\0');
            if (value >> i & 1) bytes_.back() = static_cast<char>(bytes_.back() | (1 << used_));
            used_ = (used_ + 1) % 8;
        }
    }
    void gamma(std::uint64_t value) {
        const unsigned width = static_cast<unsigned>(std::bit_width(value)) - 1;
        bits(0, width);
        bits(1, 1);
        bits(value, width);
    }
    void delta(std::uint64_t value) {
        const unsigned width = static_cast<unsigned>(std::bit_width(value)) - 1;
        gamma(width + 1);
        bits(value, width);
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
    unsigned used_ = 0;
};

[[noreturn]] void damaged() { throw std::invalid_argument("the packed n-grams are damaged"); }

class BitReader {
public:
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t bits(unsigned count) {
        if (count > 32) damaged();
        fill();
        if (count > ready_) damaged();
        const std::uint64_t value = word_ & ((std::uint64_t{1} << count) - 1);
        word_ >>= count;
        ready_ -= count;
        return value;
    }
    std::uint64_t gamma() {
        fill();
        const unsigned width = word_ == 0 ? 64 : static_cast<unsigned>(std::countr_zero(word_));
        if (width > 31) damaged();
        bits(width + 1);
        return std::uint64_t{1} << width | bits(width);
    }
    std::uint64_t delta() {
        const std::uint64_t width = gamma() - 1;
        if (width > 31) damaged();
        return std::uint64_t{1} << width | bits(static_cast<unsigned>(width));
    }
    // Whether only the zeros that fill the last byte are left.
    bool done() {
        fill();
        return at_ == bytes_.size() && ready_ < 8 && word_ == 0;
    }

private:
    void fill() {
        while (ready_ <= 56 && at_ < bytes_.size()) {
            word_ |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << ready_;
            ready_ += 8;
        }
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t word_ = 0;
    unsigned ready_ = 0;
};

}  // namespace

std::string pack_children(std::span<const std::int32_t> parents, std::span<const std::int32_t> words,
                          std::size_t contexts) {
    BitWriter out;
    std::size_t at = 0;
    for (std::size_t context = 0; context < contexts; ++context) {
        std::size_t stop = at;
        while (stop < parents.size() && static_cast<std::size_t>(parents[stop]) == context) ++stop;
        out.gamma(stop - at + 1);
        for (std::int32_t before = -1; at < stop; before = words[at++])
            out.delta(static_cast<std::uint64_t>(words[at] - before));
    }
    return out.take();
}

Children unpack_children(std::string_view packed, std::size_t contexts, std::size_t size,
                         std::size_t words) {
    // A child takes at least one bit: a damaged size must not allocate huge memory.
    if (size > 8 * packed.size() || contexts > 8 * packed.size()) damaged();
    BitReader in(packed);
    Children children;
    children.parents.reserve(size);
    children.words.reserve(size);
    for (std::size_t context = 0; context < contexts; ++context) {
        const std::uint64_t count = in.gamma() - 1;
        if (count > size - children.words.size()) damaged();
        std::uint64_t next = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            next += in.delta();
            if (next > words) damaged();
            children.parents.push_back(static_cast<std::int32_t>(context));
            children.words.push_back(static_cast<std::int32_t>(next - 1));
        }
    }
    if (children.words.size() != size || !in.done()) damaged();
    return children;
}

}  // namespace paragauge
