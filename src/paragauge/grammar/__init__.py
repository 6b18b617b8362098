"""Synchronous grammars: rules, extraction, files, pruning, overlap and parsing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.grammar.convert import read_grammar
    from paragauge.grammar.derivation import (
        Derivation,
        DerivationNode,
        ReachedSpan,
        explain_status,
        rule_symbols,
    )
    from paragauge.grammar.evaluation.data_sizes import (
        DataSizes,
        GrammarSize,
        TextSize,
        data_sizes,
    )
    from paragauge.grammar.evaluation.evaluate import (
        GrammarEvaluation,
        PlannedStage,
        evaluate_grammar,
        plan_evaluation,
    )
    from paragauge.grammar.evaluation.held_out_split import (
        HeldOutSplit,
        split_translations,
        write_split,
    )
    from paragauge.grammar.evaluation.parallel_text import ParallelFiles
    from paragauge.grammar.evaluation.rule_examples import RuleExample
    from paragauge.grammar.evaluation.settings import GrammarEvaluationSettings
    from paragauge.grammar.extract import extract_grammar
    from paragauge.grammar.extract_files import TreeFile, attach_trees, read_pair_batches
    from paragauge.grammar.features import features_query
    from paragauge.grammar.grammar_folder import Grammar, GrammarWriter, RuleRow
    from paragauge.grammar.grammar_forms import open_grammar
    from paragauge.grammar.grammar_reader import GrammarReader
    from paragauge.grammar.grammar_writer import conversion_losses, write_grammar
    from paragauge.grammar.labels import Labels, tree_columns
    from paragauge.grammar.overlap_curves import CurvePoint, OverlapCurve, overlap_curve
    from paragauge.grammar.pair_coverage import Coverage, coverage
    from paragauge.grammar.pair_rows import (
        EncodedPairs,
        PairRows,
        WrittenPairs,
        encode_trees,
        pair_schema,
        write_pair_rows,
    )
    from paragauge.grammar.parametric import (
        ParametricSettings,
        PhraseAlignment,
        ResourceScore,
        gold_pairs,
        phrase_alignment,
        score_resource,
    )
    from paragauge.grammar.parametric_sheet import ParametricSheet
    from paragauge.grammar.parse_settings import ParseSettings
    from paragauge.grammar.pruning import Pruning, prune
    from paragauge.grammar.rule import Rule
    from paragauge.grammar.rule_mapper import RuleMapper, WordMapper, rule_schema
    from paragauge.grammar.rule_overlap import Overlap, OverlapRow, overlap
    from paragauge.grammar.rule_rows import RuleRows
    from paragauge.grammar.rule_settings import RuleSettings
    from paragauge.grammar.sentence_pairs import SentencePairs, read_pairs, read_translations
    from paragauge.grammar.sync_parser import ParseResult, SyncParser
    from paragauge.grammar.syntactic_pivot import pivot_rules
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Coverage",
    "CurvePoint",
    "DataSizes",
    "Derivation",
    "DerivationNode",
    "EncodedPairs",
    "Grammar",
    "GrammarEvaluation",
    "GrammarEvaluationSettings",
    "GrammarReader",
    "GrammarSize",
    "GrammarWriter",
    "HeldOutSplit",
    "Labels",
    "Overlap",
    "OverlapCurve",
    "OverlapRow",
    "PairRows",
    "ParallelFiles",
    "ParametricSettings",
    "ParametricSheet",
    "ParseResult",
    "ParseSettings",
    "PhraseAlignment",
    "PlannedStage",
    "Pruning",
    "ReachedSpan",
    "ResourceScore",
    "Rule",
    "RuleExample",
    "RuleMapper",
    "RuleRow",
    "RuleRows",
    "RuleSettings",
    "SentencePairs",
    "SyncParser",
    "TextSize",
    "TreeFile",
    "WordMapper",
    "WrittenPairs",
    "attach_trees",
    "conversion_losses",
    "coverage",
    "data_sizes",
    "encode_trees",
    "evaluate_grammar",
    "explain_status",
    "extract_grammar",
    "features_query",
    "gold_pairs",
    "open_grammar",
    "overlap",
    "overlap_curve",
    "pair_schema",
    "phrase_alignment",
    "pivot_rules",
    "plan_evaluation",
    "prune",
    "read_grammar",
    "read_pair_batches",
    "read_pairs",
    "read_translations",
    "rule_schema",
    "rule_symbols",
    "score_resource",
    "split_translations",
    "tree_columns",
    "write_grammar",
    "write_pair_rows",
    "write_split",
]
