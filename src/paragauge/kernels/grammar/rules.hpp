// Rules of synchronous grammars out of word-aligned sentence pairs (Chiang 2007; Zollmann and Venugopal
// 2006), as in Thrax. reference/grammar/rules.py defines the rules, their order and the chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/columns.hpp"
#include "phrases/bitext.hpp"
#include "syntax/span_labels.hpp"

namespace paragauge {

inline constexpr std::size_t kMostNonterminals = 8;
inline constexpr std::size_t kRuleLanes = 16;  // parts of a batch that are worked on independently

// Which rules may have labels of spans that no tree names.
enum class Fallback { kAll, kLexical, kNone };

struct RuleLimits {
    std::int32_t source_phrase, target_phrase;    // words of phrase pairs and gaps
    std::int32_t span;                            // source words under a rule
    std::int32_t nonterminals;
    std::int32_t source_symbols, target_symbols;  // of rules with non-terminals
    std::int32_t source_words, target_words;      // of rules with non-terminals
    std::int32_t lexical_source, lexical_target;  // words of rules without
    std::int32_t min_words, min_links;
    bool adjacent, loose, abstract, full_sentence, identity, one_word, alignment;
    Fallback fallback;
};

// A batch of sentence pairs; words of both sides have the same numbers.
struct RuleBatch {
    TextRows words;
    IdColumn source, target;
    LinkColumn links;
    const TreeColumn* trees;  // null: all spans have the fallback's label, as a regular label
    bool target_is_parsed;
    LabelSettings labels;
    RuleLimits limits;

    std::size_t pairs() const { return links.offsets.size() - 1; }
};

struct RuleColumns {
    Joined lhs, labels, source, target, alignment;
    std::vector<std::int32_t> source_words, target_words;
    std::vector<std::int64_t> counts;
};

class RuleLane;
struct TokenText;

// Returns the rules of a batch in chunks of at most `max_rows` rows. Contract: ids are numbers of words,
// links lie within their sentences and are sorted, trees have the lengths of their sentences, the spans
// of the batch live as long as the extractor, and there are fewer than 2^32 tokens.
class RuleExtractor {
public:
    RuleExtractor(const RuleBatch& batch, std::size_t max_rows);
    ~RuleExtractor();
    RuleExtractor(const RuleExtractor&) = delete;
    RuleExtractor& operator=(const RuleExtractor&) = delete;

    bool done() const;
    RuleColumns next(std::size_t threads);

private:
    const RuleBatch batch_;
    std::unique_ptr<TokenText> source_, target_;
    std::vector<std::unique_ptr<RuleLane>> lanes_;
};

}  // namespace paragauge
