// The first pass of synchronous parsing (Dyer 2010): the source sentence into a forest of nodes
// (label, first word, word after the last), and the rules' source sides that are found over each span.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/sync_grammar.hpp"

namespace paragauge {

struct SyncSettings {
    std::size_t span = 0;                // most words under a node; 0: no limit
    bool glue = true;                    // a sentence may be a sequence of nodes
    std::span<const std::uint8_t> starts;  // by label: may stand at the top
    std::span<const std::int32_t> pass_labels;  // labels of copied words, ascending
    std::span<const std::uint8_t> pass;  // by word: it may be copied
    std::size_t max_items = 0;           // 0: no limit
    std::size_t max_memory = 0;          // bytes, by the formula of the twin; 0: no limit
    double seconds = 0;                  // 0: no limit
};

enum class SyncStatus : std::uint8_t { covered, unreachable, no_source_parse, out_of_time, out_of_memory };

// Stops the parse of one pair when it exceeds a limit.
class SyncBudget {
public:
    explicit SyncBudget(const SyncSettings& settings);

    struct Exceeded {
        SyncStatus status;
    };
    void item(std::size_t count = 1) {
        items_ += count;
        if (settings_.max_items > 0 && items_ > settings_.max_items) throw Exceeded{SyncStatus::out_of_time};
        tick(count);
    }
    // Counts work that takes time but makes no item.
    void tick(std::size_t count = 1) {
        if ((ticks_ += count) >= kTick) look_at_clock();
    }
    void memory(std::size_t bytes) {
        memory_ += bytes;
        if (settings_.max_memory > 0 && memory_ > settings_.max_memory)
            throw Exceeded{SyncStatus::out_of_memory};
    }
    std::size_t items() const { return items_; }

private:
    static constexpr std::size_t kTick = 4096;
    void look_at_clock();

    const SyncSettings& settings_;
    std::chrono::steady_clock::time_point start_;
    std::size_t items_ = 0, memory_ = 0, ticks_ = 0;
};

// The bytes counted for a pair: per span, per source side found, per node; a node also has a
// relation of the target's positions.
inline constexpr std::size_t kSpanBytes = 16, kDotBytes = 8, kNodeBytes = 24;
inline std::size_t relation_words(std::size_t target) { return (target + 1 + 63) / 64; }
inline std::size_t relation_bytes(std::size_t target) { return 8 * (target + 1) * relation_words(target); }

class SyncChart {
public:
    explicit SyncChart(const SyncGrammar& grammar)
        : grammar_(grammar), seen_(grammar.nodes(), 0), node_of_(grammar.labels(), kNone) {}

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    using Words = std::span<const std::int32_t>;
    struct Node {
        std::int32_t label;
        std::uint32_t cell;
    };

    // Spans of a sentence of this length that may have nodes.
    static std::size_t cells(std::size_t length, std::size_t span) {
        return length * width(length, span);
    }
    void parse(Words source, const SyncSettings& settings, std::size_t node_bytes, SyncBudget& budget);

    // Whether the nodes cover the whole sentence.
    bool complete(const SyncSettings& settings) const;

    Words source() const { return source_; }
    std::size_t size() const { return source_.size(); }
    std::size_t width() const { return width_; }
    std::size_t cell(std::size_t first, std::size_t last) const {
        return first * width_ + (last - first - 1);
    }
    std::size_t first(std::size_t at) const { return at / width_; }
    std::size_t last(std::size_t at) const { return at / width_ + at % width_ + 1; }
    std::span<const Node> all() const { return nodes_; }
    // Numbers of the nodes over a span are contiguous, sorted by label.
    struct Numbers {
        std::uint32_t first, last;
    };
    Numbers nodes(std::size_t at) const { return {cells_[at].nodes, cells_[at].nodes_end}; }
    std::span<const std::uint32_t> dots(std::size_t at) const {
        return std::span(dots_).subspan(cells_[at].dots, cells_[at].dots_end - cells_[at].dots);
    }
    // The node with this label over a span, or kNone.
    std::uint32_t find(std::size_t at, std::int32_t label) const;

    // Calls body(cell) for every span, the shorter ones inside it first.
    template <class Body>
    void each_cell(Body body) const {
        for (std::size_t last = 1; last <= size(); ++last)
            for (std::size_t first = last; first-- > 0 && last - first <= width_;) body(cell(first, last));
    }

private:
    struct Cell {
        std::uint32_t nodes = 0, nodes_end = 0, dots = 0, dots_end = 0;
    };
    static std::size_t width(std::size_t length, std::size_t span) {
        return span == 0 || span > length ? length : span;
    }
    void fill(std::size_t first, std::size_t last, const SyncSettings& settings, std::size_t node_bytes,
              SyncBudget& budget);
    void advance(std::size_t first, std::size_t middle, std::size_t last, SyncBudget& budget);
    // Adds a beginning of source sides over [first, last) if a rule ends there or it can go on.
    void add_dot(std::uint32_t node, std::size_t first, std::size_t last, SyncBudget& budget);
    void add_node(std::int32_t label, std::size_t at, std::size_t node_bytes, SyncBudget& budget);

    const SyncGrammar& grammar_;
    Words source_;
    std::size_t width_ = 0;
    std::vector<Cell> cells_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> dots_;     // nodes of the trie, those of one cell in a row
    std::vector<std::uint32_t> seen_;     // by node of the trie: the stamp of the last cell it was added to
    std::vector<std::uint32_t> node_of_;  // by label: its node in the cell that is being filled
    std::uint32_t stamp_ = 0;
};

}  // namespace paragauge
