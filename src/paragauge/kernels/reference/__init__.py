"""The readable twin of every native kernel: the specification.

Each function here has the name, the arguments and the result of the native one, and one test suite
runs both on the same inputs. `threads` is accepted and ignored: results never depend on it.

Text is a buffer of UTF-8 bytes with spans, an int64 array [lines, 2] of (first byte, byte after the
last). A *column* is a triple (values, positions, groups): `groups`, an int64 array [segments + 1] or
None, says that lines groups[i] to groups[i + 1] belong to segment i; None means line i is segment i.
An *id column* holds int32 ids with offsets [lines + 1]; *bags* hold int32 keys, float64 weights and
offsets [bags + 1]. *Texts* are a pair (bytes, offsets [rows + 1]): concatenated texts, as Arrow stores
a column of strings.
"""

from paragauge.kernels.reference.decode.cube import CubeDecoder
from paragauge.kernels.reference.decode.phrase_decoder import PhraseDecoder
from paragauge.kernels.reference.decode.phrase_options import PhraseStore
from paragauge.kernels.reference.grammar.grammar_reader import parse_grammar
from paragauge.kernels.reference.grammar.grammar_writer import format_grammar
from paragauge.kernels.reference.grammar.rules import RuleExtractor
from paragauge.kernels.reference.grammar.sync_grammar import SyncGrammar
from paragauge.kernels.reference.lexicon.wordnet import WordNet, sets_meet
from paragauge.kernels.reference.lm.estimate import NgramEstimator
from paragauge.kernels.reference.lm.files import (
    NgramSorter,
    format_arpa,
    pack_children,
    parse_arpa,
    unpack_children,
)
from paragauge.kernels.reference.lm.model import NgramModel
from paragauge.kernels.reference.lm.prune import entropy_prune
from paragauge.kernels.reference.matching.assignment import assignment, matching_weight
from paragauge.kernels.reference.matching.chrf import chrf_counts
from paragauge.kernels.reference.matching.maxsim import maxsim_ngrams, maxsim_relations
from paragauge.kernels.reference.matching.meteor import meteor_alignments, meteor_links
from paragauge.kernels.reference.matching.ngrams import bag_overlaps, match_ngrams, ngram_bags
from paragauge.kernels.reference.matching.pair_counts import match_pair, pair_novelty
from paragauge.kernels.reference.matching.similarity import similar_ngrams
from paragauge.kernels.reference.matching.soft import soft_words
from paragauge.kernels.reference.matching.ter import ter_counts, ter_edits
from paragauge.kernels.reference.matching.word_changes import word_changes
from paragauge.kernels.reference.phrases.lexical import LexicalTable
from paragauge.kernels.reference.phrases.moses import parse_moses
from paragauge.kernels.reference.phrases.occurrences import (
    PhraseOccurrences,
    count_phrase_pairs,
    significances,
)
from paragauge.kernels.reference.phrases.pharaoh import parse_pharaoh
from paragauge.kernels.reference.phrases.phrases import extract_phrases
from paragauge.kernels.reference.phrases.pivot import PivotTable, expected_ngrams, gram_overlaps
from paragauge.kernels.reference.phrases.symmetrize import symmetrize
from paragauge.kernels.reference.rewrite.brown import BrownClustering
from paragauge.kernels.reference.rewrite.context_train import train_contexts
from paragauge.kernels.reference.rewrite.contexts import (
    ContextTable,
    context_features,
    hash_words,
    sample_positions,
)
from paragauge.kernels.reference.rewrite.cooccurrence import BigramCounter, count_cooccurrences
from paragauge.kernels.reference.rewrite.phrase_matcher import PhraseMatcher
from paragauge.kernels.reference.rewrite.unmatched import unmatched
from paragauge.kernels.reference.statistics.boosted_trees import tree_sums
from paragauge.kernels.reference.statistics.correlate import (
    exchanged_correlations,
    group_correlations,
    resampled_correlations,
    resampled_maxima,
)
from paragauge.kernels.reference.statistics.rbf import rbf_values
from paragauge.kernels.reference.statistics.resample import resample_sums, resample_weight
from paragauge.kernels.reference.syntax.brackets import bracket_spans, read_brackets
from paragauge.kernels.reference.syntax.constituents import ConstituentParser
from paragauge.kernels.reference.syntax.constituents_train import ConstituentTrainer
from paragauge.kernels.reference.syntax.span_labels import label_spans
from paragauge.kernels.reference.syntax.tagger import Tagger, TaggerTrainer
from paragauge.kernels.reference.text.rows import split_rows
from paragauge.kernels.reference.text.tercom import normalize_tercom
from paragauge.kernels.reference.text.text import (
    Vocabulary,
    count_blank,
    count_tabbed,
    encode_segments,
    first_invalid_utf8,
    lower_latin,
    split_fields,
    split_lines,
    tokenize_lines,
    tokens,
    unicode_ranges,
)
from paragauge.kernels.reference.text.token_spans import token_spans
from paragauge.kernels.reference.text.typography import normalize_typography

__all__ = [
    "BigramCounter",
    "BrownClustering",
    "ConstituentParser",
    "ConstituentTrainer",
    "ContextTable",
    "CubeDecoder",
    "LexicalTable",
    "NgramEstimator",
    "NgramModel",
    "NgramSorter",
    "PhraseDecoder",
    "PhraseMatcher",
    "PhraseOccurrences",
    "PhraseStore",
    "PivotTable",
    "RuleExtractor",
    "SyncGrammar",
    "Tagger",
    "TaggerTrainer",
    "Vocabulary",
    "WordNet",
    "assignment",
    "bag_overlaps",
    "bracket_spans",
    "chrf_counts",
    "context_features",
    "count_blank",
    "count_cooccurrences",
    "count_phrase_pairs",
    "count_tabbed",
    "encode_segments",
    "entropy_prune",
    "exchanged_correlations",
    "expected_ngrams",
    "extract_phrases",
    "first_invalid_utf8",
    "format_arpa",
    "format_grammar",
    "gram_overlaps",
    "group_correlations",
    "hash_words",
    "label_spans",
    "lower_latin",
    "match_ngrams",
    "match_pair",
    "matching_weight",
    "maxsim_ngrams",
    "maxsim_relations",
    "meteor_alignments",
    "meteor_links",
    "ngram_bags",
    "normalize_tercom",
    "normalize_typography",
    "pack_children",
    "pair_novelty",
    "parse_arpa",
    "parse_grammar",
    "parse_moses",
    "parse_pharaoh",
    "rbf_values",
    "read_brackets",
    "resample_sums",
    "resample_weight",
    "resampled_correlations",
    "resampled_maxima",
    "sample_positions",
    "sets_meet",
    "significances",
    "similar_ngrams",
    "soft_words",
    "split_fields",
    "split_lines",
    "split_rows",
    "symmetrize",
    "ter_counts",
    "ter_edits",
    "token_spans",
    "tokenize_lines",
    "tokens",
    "train_contexts",
    "tree_sums",
    "unicode_ranges",
    "unmatched",
    "unpack_children",
    "word_changes",
]
