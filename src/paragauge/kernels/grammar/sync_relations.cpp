#include "grammar/sync_relations.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "grammar/sync_splits.hpp"

namespace paragauge {

void SyncRelations::number_words(SyncChart::Words target) {
    for (const std::int32_t word : target_) place_[static_cast<std::size_t>(word)] = 0;
    target_ = target;
    words_ = relation_words(target.size());
    positions_.assign(words_, 0);
    for (std::size_t at = 0; at < target.size(); ++at) {
        std::uint32_t& place = place_[static_cast<std::size_t>(target[at])];
        if (place == 0) {
            place = static_cast<std::uint32_t>(positions_.size() / words_);
            positions_.resize(positions_.size() + words_, 0);
        }
        bits::put(std::span(positions_).subspan(place * words_, words_), at);
    }
}

void SyncRelations::parse(const SyncChart& chart, SyncChart::Words target, const SyncSettings& settings,
                          SyncBudget& budget) {
    chart_ = &chart;
    number_words(target);
    relations_.assign(chart.all().size() * rows() * words_, 0);
    starts_.assign(chart.all().size() * words_, 0);
    row_.resize(2 * words_);
    usable_.clear();
    if (++stamp_ == 0) {
        std::fill(memo_.begin(), memo_.end(), Memo{});
        stamp_ = 1;
    }
    chart.each_cell([&](std::size_t at) { fill(chart, at, settings, budget); });
}

std::span<const std::uint32_t> SyncRelations::usable(std::uint32_t trie_node) {
    Memo& memo = memo_[trie_node];
    if (memo.stamp != stamp_) {
        memo = {stamp_, static_cast<std::uint32_t>(usable_.size()), 0};
        for (const std::uint32_t rule : grammar_.rules(trie_node)) {
            const SyncGrammar::Symbols side = grammar_.target(rule);
            if (std::all_of(side.begin(), side.end(), [this](SyncGrammar::Symbol symbol) {
                    return symbol < 0 || place_[static_cast<std::size_t>(symbol)] != 0;
                }))
                usable_.push_back(rule);
        }
        memo.last = static_cast<std::uint32_t>(usable_.size());
    }
    return std::span(usable_).subspan(memo.first, memo.last - memo.first);
}

void SyncRelations::fill(const SyncChart& chart, std::size_t at, const SyncSettings& settings,
                         SyncBudget& budget) {
    const SyncChart::Numbers nodes = chart.nodes(at);
    if (nodes.first == nodes.last) return;
    const std::size_t first = chart.first(at), last = chart.last(at);
    std::array<std::uint32_t, SyncGrammar::kMostNonterminals> children;
    unary_.clear();
    for (const std::uint32_t dot : chart.dots(at)) {
        const std::span<const std::uint32_t> rules = usable(dot);
        if (rules.empty()) continue;
        const SyncGrammar::Symbols side = grammar_.source(rules.front());
        if (is_unary(side)) {
            unary_.push_back(dot);
            continue;
        }
        outputs_.clear();
        for (const std::uint32_t rule : rules) outputs_.push_back(chart.find(at, grammar_.lhs(rule)));
        each_split(chart, side, 0, first, last, children.data(),
                   [this](std::uint32_t node) { return alive(node); },
                   [&] {
                       budget.item(rules.size());
                       for (std::size_t i = 0; i < rules.size(); ++i)
                           compose(grammar_.target(rules[i]), children.data(), outputs_[i]);
                   });
    }
    if (last - first == 1) {
        const auto word = static_cast<std::size_t>(chart.source()[first]);
        if (settings.pass[word] != 0 && place_[word] != 0)
            for (const std::int32_t label : settings.pass_labels) {
                const std::size_t node = chart.find(at, label);
                budget.item();
                bits::each(std::span(positions_).subspan(place_[word] * words_, words_), [&](std::size_t from) {
                    bits::put(std::span(relations_).subspan((node * rows() + from) * words_, words_), from + 1);
                    return true;
                });
            }
    }
    note_starts(nodes);
    if (!unary_.empty()) unary(chart, at, budget);
}

// Applies rules whose source side is one label until none of them adds a span.
void SyncRelations::unary(const SyncChart& chart, std::size_t at, SyncBudget& budget) {
    const auto each = [&](const auto& body) {
        for (const std::uint32_t dot : unary_) {
            const std::span<const std::uint32_t> rules = usable(dot);
            const std::uint32_t child = chart.find(at, -1 - grammar_.source(rules.front())[0]);
            if (child == SyncChart::kNone || !alive(child)) continue;
            for (const std::uint32_t rule : rules) body(rule, child);
        }
    };
    for (bool grown = true; grown;) {
        grown = false;
        each([&](std::uint32_t rule, std::uint32_t child) {
            const std::uint32_t node = chart.find(at, grammar_.lhs(rule));
            if (!compose(grammar_.target(rule), &child, node)) return;
            grown = true;
            note_starts({node, node + 1});
        });
    }
    each([&](std::uint32_t, std::uint32_t) { budget.item(); });
}

void SyncRelations::note_starts(SyncChart::Numbers nodes) {
    for (std::size_t node = nodes.first; node < nodes.last; ++node)
        for (std::size_t from = 0; from < rows(); ++from)
            if (!bits::empty(row(node, from)))
                bits::put(std::span(starts_).subspan(node * words_, words_), from);
}

// Adds the product of a target side's relations to that of a node; true if it grew.
bool SyncRelations::compose(SyncGrammar::Symbols side, const std::uint32_t* children, std::size_t node) {
    steps_.clear();
    for (const SyncGrammar::Symbol symbol : side) {
        if (symbol >= 0) {
            steps_.push_back({nullptr, &positions_[place_[static_cast<std::size_t>(symbol)] * words_]});
        } else {
            const std::size_t child = children[-1 - symbol];
            steps_.push_back({&relations_[child * rows() * words_], &starts_[child * words_]});
        }
    }
    Word* out = &relations_[node * rows() * words_];
    return words_ == 1 ? compose_narrow(out) : compose_wide(out);
}

bool SyncRelations::compose_narrow(Word* out) const {
    Word grown = 0;
    const auto put = [&](std::size_t from, Word ends) {
        grown |= ends & ~out[from];
        out[from] |= ends;
    };
    if (steps_.empty()) {
        for (std::size_t from = 0; from < rows(); ++from) put(from, Word{1} << from);
        return grown != 0;
    }
    const Step first = steps_.front();
    for (Word left = *first.positions; left != 0; left &= left - 1) {
        const auto from = static_cast<std::size_t>(std::countr_zero(left));
        Word ends = first.relation == nullptr ? Word{2} << from : first.relation[from];
        for (std::size_t i = 1; i < steps_.size() && ends != 0; ++i) {
            const Step& step = steps_[i];
            ends &= *step.positions;
            if (step.relation == nullptr) {
                ends <<= 1;
                continue;
            }
            Word next = 0;
            for (; ends != 0; ends &= ends - 1) next |= step.relation[std::countr_zero(ends)];
            ends = next;
        }
        put(from, ends);
    }
    return grown != 0;
}

bool SyncRelations::compose_wide(Word* out) {
    Word grown = 0;
    Word *ends = row_.data(), *next = row_.data() + words_;
    for (std::size_t from = 0; from < rows(); ++from) {
        std::fill(ends, ends + words_, Word{0});
        bits::put({ends, words_}, from);
        for (const Step& step : steps_) {
            std::fill(next, next + words_, Word{0});
            for (std::size_t i = 0; i < words_; ++i) {
                for (Word left = ends[i] & step.positions[i]; left != 0; left &= left - 1) {
                    const std::size_t at = 64 * i + static_cast<std::size_t>(std::countr_zero(left));
                    if (step.relation == nullptr) {
                        bits::put({next, words_}, at + 1);
                        continue;
                    }
                    for (std::size_t k = 0; k < words_; ++k) next[k] |= step.relation[at * words_ + k];
                }
            }
            std::swap(ends, next);
            if (bits::empty({ends, words_})) break;
        }
        for (std::size_t i = 0; i < words_; ++i) {
            grown |= ends[i] & ~out[from * words_ + i];
            out[from * words_ + i] |= ends[i];
        }
    }
    return grown != 0;
}

bool SyncRelations::covered(const SyncSettings& settings) const {
    const std::size_t size = chart_->size(), end = target_.size();
    const auto top = [&](std::size_t node) {
        return settings.starts[static_cast<std::size_t>(chart_->all()[node].label)] != 0;
    };
    if (!settings.glue) {
        const SyncChart::Numbers here = chart_->nodes(chart_->cell(0, size));
        for (std::size_t node = here.first; node < here.last; ++node)
            if (top(node) && bits::has(row(node, 0), end)) return true;
        return false;
    }
    // The ends of target prefixes that nodes in a row give for each source prefix.
    std::vector<Word> ends((size + 1) * words_, 0);
    ends[0] = 1;
    for (std::size_t last = 1; last <= size; ++last)
        for (std::size_t first = last; first-- > 0 && last - first <= chart_->width();) {
            const bits::ConstBits before(ends.data() + first * words_, words_);
            const SyncChart::Numbers here = chart_->nodes(chart_->cell(first, last));
            for (std::size_t node = here.first; node < here.last; ++node)
                if (top(node))
                    bits::each(before, [&](std::size_t at) {
                        for (std::size_t i = 0; i < words_; ++i) ends[last * words_ + i] |= row(node, at)[i];
                        return true;
                    });
        }
    return bits::has(std::span(ends).subspan(size * words_, words_), end);
}

}  // namespace paragauge
