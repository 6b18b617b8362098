#include "grammar/sync_grammar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <ranges>
#include <stdexcept>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::size_t kGrain = 4096;
constexpr std::size_t kWord = 0;                                       // index_of a word
constexpr std::size_t kTooLarge = SyncGrammar::kMostNonterminals + 1;  // larger than any valid index

// The next of the parts that one space separates; false at the end.
bool take(std::string_view& text, std::string_view& part) {
    if (text.data() == nullptr) return false;
    const std::size_t space = text.find(' ');
    part = text.substr(0, space);
    text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
    return true;
}

std::string_view parts_of(std::string_view text) { return text.empty() ? std::string_view{} : text; }

// The number inside `[12]`; kWord if the symbol is a word.
std::size_t index_of(std::string_view symbol) {
    if (symbol.size() < 3 || symbol.front() != '[' || symbol.back() != ']') return kWord;
    std::size_t number = 0;
    for (const char digit : symbol.substr(1, symbol.size() - 2)) {
        if (digit < '0' || digit > '9') return kWord;
        number = std::min(10 * number + static_cast<std::size_t>(digit - '0'), kTooLarge);
    }
    return number == 0 ? kTooLarge : number;
}

}  // namespace

// The rules that one thread reads from some rows; their labels are not numbered yet.
struct SyncGrammar::Part {
    std::vector<std::size_t> rows;
    std::vector<std::uint8_t> source_only;
    std::vector<Symbol> source, target;
    std::vector<std::size_t> source_ends, target_ends;
    std::vector<std::uint8_t> known;
    std::size_t bad = std::numeric_limits<std::size_t>::max();
};

SyncGrammar::SyncGrammar(const TextRows& words, std::span<const std::uint8_t> sides)
    : text_(words.text), sides_(sides.begin(), sides.end()), known_(sides.size(), 0) {
    words_.reset();
    const TextRows own{text_, words.offsets};
    for (std::size_t i = 0; i < own.size(); ++i) {
        bool fresh = false;
        words_.insert(own.row(i), text_.data() + text_.size(), fresh);
        if (!fresh) throw std::invalid_argument("words must differ");
    }
    finish();
}

void SyncGrammar::read(const RuleRows& rows, std::size_t first, std::size_t last, Part& part) const {
    part.known.assign(known_.size(), 0);
    for (std::size_t row = first; row < last; ++row) {
        const std::size_t source_start = part.source.size(), target_start = part.target.size();
        bool source_known = true, reachable = true;
        bool good = !rows.lhs.row(row).empty() && !rows.source.row(row).empty() &&
                    std::isfinite(rows.costs[row]);
        std::string_view symbol;
        std::size_t indices = 0;
        for (std::string_view rest = parts_of(rows.source.row(row)); good && take(rest, symbol);) {
            const std::size_t index = index_of(symbol);
            if (index != kWord) {
                good = index == ++indices && index <= kMostNonterminals;
                part.source.push_back(-1);
                continue;
            }
            good = !symbol.empty();
            const std::uint32_t word = words_.find(symbol);
            const bool here = word != KeyTable::kAbsent;
            if (here) part.known[word] = 1;
            source_known = source_known && here && (sides_[word] & kSourceSide) != 0;
            part.source.push_back(static_cast<Symbol>(word));
        }
        std::uint64_t used_indices = 0;
        std::size_t others = 0;
        for (std::string_view rest = parts_of(rows.target.row(row)); good && take(rest, symbol);) {
            const std::size_t index = index_of(symbol);
            if (index != kWord) {
                good = index <= indices && (used_indices >> index & 1) == 0;
                used_indices |= std::uint64_t{1} << index;
                ++others;
                part.target.push_back(-static_cast<Symbol>(index));
                continue;
            }
            good = !symbol.empty();
            const std::uint32_t word = words_.find(symbol);
            reachable = reachable && word != KeyTable::kAbsent && (sides_[word] & kTargetSide) != 0;
            part.target.push_back(static_cast<Symbol>(word));
        }
        std::size_t named = 0;
        for (std::string_view rest = parts_of(rows.labels.row(row)); good && take(rest, symbol); ++named)
            good = !symbol.empty();
        if (!good || others != indices || named != indices) {
            part.bad = row;
            return;
        }
        if (!source_known) {
            part.source.resize(source_start);
            part.target.resize(target_start);
            continue;
        }
        if (!reachable) part.target.resize(target_start);
        part.rows.push_back(row);
        part.source_only.push_back(reachable ? 0 : 1);
        part.source_ends.push_back(part.source.size());
        part.target_ends.push_back(part.target.size());
    }
}

void SyncGrammar::keep(const RuleRows& rows, const Part& part) {
    std::size_t source_start = 0, target_start = 0;
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
        const std::size_t row = part.rows[i], before = source_.size();
        const std::int32_t head = labels_.add(rows.lhs.row(row));
        std::string_view rest = parts_of(rows.labels.row(row)), name;
        for (; source_start < part.source_ends[i]; ++source_start) {
            const Symbol symbol = part.source[source_start];
            source_.push_back(symbol < 0 && take(rest, name) ? -1 - labels_.add(name) : symbol);
        }
        if (part.source_only[i] != 0 && !lhs_.empty() && lhs_.back() == head &&
            std::ranges::equal(source(lhs_.size() - 1), std::span(source_).subspan(before))) {
            source_.resize(before);  // same source side as the rule before it
            continue;
        }
        for (; target_start < part.target_ends[i]; ++target_start)
            target_.push_back(part.target[target_start]);
        lhs_.push_back(head);
        source_only_.push_back(part.source_only[i]);
        costs_.push_back(rows.costs[row]);
        source_offsets_.push_back(source_.size());
        target_offsets_.push_back(target_.size());
    }
    for (std::size_t word = 0; word < known_.size(); ++word) known_[word] |= part.known[word];
}

std::size_t SyncGrammar::add(const RuleRows& rows, std::size_t threads) {
    const std::size_t size = rows.lhs.size();
    const std::vector<Range> ranges = split(size, threads, kGrain);
    std::vector<Part> parts(ranges.size());
    run_parallel(ranges, [&](std::size_t i, Range range) { read(rows, range.first, range.last, parts[i]); });
    for (const Part& part : parts)
        if (part.bad < size) return part.bad;
    for (const Part& part : parts) keep(rows, part);
    if (lhs_.size() >= std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("too many rules");
    return size;
}

std::vector<std::uint8_t> SyncGrammar::inner() const {
    std::vector<std::uint8_t> flags(labels_.size(), 0);
    for (const Symbol symbol : source_)
        if (symbol < 0) flags[static_cast<std::size_t>(-1 - symbol)] = 1;
    return flags;
}

void SyncGrammar::finish() {
    finished_ = lhs_.size();
    rules_.resize(lhs_.size());
    std::iota(rules_.begin(), rules_.end(), 0U);
    std::sort(rules_.begin(), rules_.end(), [this](std::uint32_t a, std::uint32_t b) {
        const Symbols left = source(a), right = source(b);
        const auto order =
            std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(), right.end());
        return order == 0 ? a < b : order < 0;
    });
    // Nodes in depth-first order: the path of a rule shares a prefix with that of the rule before it.
    std::vector<std::uint32_t> parents{0}, path{0};
    std::vector<Symbol> symbols{0};
    first_rule_.assign(1, 0);
    Symbols before;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const Symbols side = source(rules_[i]);
        const auto common = std::mismatch(side.begin(), side.end(), before.begin(), before.end()).first;
        path.resize(static_cast<std::size_t>(common - side.begin()) + 1);
        for (auto at = common; at != side.end(); ++at) {
            first_rule_.push_back(static_cast<std::uint32_t>(i));
            parents.push_back(path.back());
            symbols.push_back(*at);
            path.push_back(static_cast<std::uint32_t>(parents.size() - 1));
        }
        before = side;
    }
    first_rule_.push_back(static_cast<std::uint32_t>(rules_.size()));
    take_heads();
    const std::size_t count = parents.size();
    first_child_.assign(count + 1, 0);
    for (std::size_t node = 1; node < count; ++node) ++first_child_[parents[node] + 1];
    std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
    first_word_.assign(first_child_.begin(), first_child_.end() - 1);
    child_symbols_.resize(count - 1);
    child_nodes_.resize(count - 1);
    std::vector<std::uint32_t> next(first_word_);
    root_words_.assign(words(), 0);
    for (std::size_t node = 1; node < count; ++node) {
        const std::uint32_t at = next[parents[node]]++;
        child_symbols_[at] = symbols[node];
        child_nodes_[at] = static_cast<std::uint32_t>(node);
        if (symbols[node] < 0) ++first_word_[parents[node]];
        else if (parents[node] == 0)
            root_words_[static_cast<std::size_t>(symbols[node])] = static_cast<std::uint32_t>(node);
    }
}

// Collects the different left sides of each node's rules, then drops rules for the source only.
void SyncGrammar::take_heads() {
    heads_.clear();
    first_head_.assign(1, 0);
    std::uint32_t size = 0;
    for (std::size_t node = 0; node + 1 < first_rule_.size(); ++node) {
        const auto begin = static_cast<std::ptrdiff_t>(heads_.size());
        const std::uint32_t first = first_rule_[node], last = first_rule_[node + 1];
        first_rule_[node] = size;
        for (std::uint32_t i = first; i < last; ++i) {
            heads_.push_back(lhs_[rules_[i]]);
            if (source_only_[rules_[i]] == 0) rules_[size++] = rules_[i];
        }
        std::sort(heads_.begin() + begin, heads_.end());
        heads_.erase(std::unique(heads_.begin() + begin, heads_.end()), heads_.end());
        first_head_.push_back(static_cast<std::uint32_t>(heads_.size()));
    }
    first_rule_.back() = size;
    rules_.resize(size);
}

std::uint32_t SyncGrammar::child(std::uint32_t node, Symbol symbol) const {
    if (node == 0 && symbol >= 0) return root_words_[static_cast<std::size_t>(symbol)];
    const std::uint32_t first = symbol < 0 ? first_child_[node] : first_word_[node];
    const std::uint32_t last = symbol < 0 ? first_word_[node] : first_child_[node + 1];
    const auto begin = child_symbols_.begin() + first, end = child_symbols_.begin() + last;
    const auto child = std::lower_bound(begin, end, symbol);
    if (child == end || *child != symbol) return 0;
    return child_nodes_[static_cast<std::size_t>(child - child_symbols_.begin())];
}

}  // namespace paragauge
