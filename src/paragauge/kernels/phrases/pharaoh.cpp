#include "phrases/pharaoh.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 1024;

struct Link {
    std::int32_t source;
    std::int32_t target;
    std::uint8_t possible;

    auto key() const { return std::pair(source, target); }
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Reads digits only: neither a sign nor more than 31 bits.
const char* read_position(const char* p, const char* stop, std::int32_t& value) {
    if (p == stop || *p < '0' || *p > '9') return nullptr;
    const auto [end, error] = std::from_chars(p, stop, value);
    return error == std::errc() ? end : nullptr;
}

// Whether [p, stop) is a link.
bool read_link(const char* p, const char* stop, Link& link) {
    p = read_position(p, stop, link.source);
    if (p == nullptr || p == stop) return false;
    if (*p != '-' && *p != '?' && *p != 'p') return false;
    link.possible = *p != '-';
    return read_position(p + 1, stop, link.target) == stop;
}

void parse_lines(const TextColumn& lines, Range range, PharaohLinks& result) {
    std::vector<Link> links;
    for (std::size_t line = range.first; line < range.last; ++line) {
        links.clear();
        const char* p = lines.data + lines.spans[2 * line];
        const char* const stop = lines.data + lines.spans[2 * line + 1];
        while (true) {
            while (p != stop && is_blank(*p)) ++p;
            if (p == stop) break;
            const char* end = p;
            while (end != stop && !is_blank(*end)) ++end;
            Link link{};
            if (!read_link(p, end, link)) {
                result.bad = {static_cast<std::int64_t>(line), p - lines.data, end - lines.data};
                return;
            }
            links.push_back(link);
            p = end;
        }
        // A sure link sorts before the same link marked as possible, which is then dropped.
        std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
            return a.key() != b.key() ? a.key() < b.key() : a.possible < b.possible;
        });
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (i > 0 && links[i].key() == links[i - 1].key()) continue;
            result.source.push_back(links[i].source);
            result.target.push_back(links[i].target);
            result.possible.push_back(links[i].possible);
        }
        result.offsets.push_back(static_cast<std::int64_t>(result.source.size()));
    }
}

}  // namespace

PharaohLinks parse_pharaoh(const TextColumn& lines, std::size_t threads) {
    const std::vector<Range> ranges = split(lines.lines(), threads, kGrain);
    std::vector<PharaohLinks> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t index, Range range) { parse_lines(lines, range, parts[index]); });
    PharaohLinks result;
    result.offsets.push_back(0);
    for (const PharaohLinks& part : parts) {
        const auto before = static_cast<std::int64_t>(result.source.size());
        result.source.insert(result.source.end(), part.source.begin(), part.source.end());
        result.target.insert(result.target.end(), part.target.begin(), part.target.end());
        result.possible.insert(result.possible.end(), part.possible.begin(), part.possible.end());
        for (const std::int64_t offset : part.offsets) result.offsets.push_back(before + offset);
        if (!part.bad.empty()) {
            result.bad = part.bad;
            break;
        }
    }
    return result;
}

}  // namespace paragauge
