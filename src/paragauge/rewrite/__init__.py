"""Reference rewriting: references reworded toward a system's words where context allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use, make_callable

if TYPE_CHECKING:
    from paragauge.rewrite.candidates import Candidates, References
    from paragauge.rewrite.context.context_decision import DECISIONS, Decision
    from paragauge.rewrite.context.context_explain import ContextExplanation, ContextReason
    from paragauge.rewrite.context.context_file import Classifiers
    from paragauge.rewrite.context.context_model import ContextModel
    from paragauge.rewrite.context.context_train import ContextSettings, train_context, train_numbered
    from paragauge.rewrite.context.contexts import ContextShape
    from paragauge.rewrite.evaluation.reference_differences import (
        ReferenceDifferences,
        differences,
    )
    from paragauge.rewrite.evaluation.substitution_sample import SubstitutionSample, sample
    from paragauge.rewrite.explanation import (
        ExplainedProposal,
        ExplainingFilter,
        PhraseExplainingFilter,
        RewriteExplanation,
        explain,
    )
    from paragauge.rewrite.lm_filter import LanguageModelFilter
    from paragauge.rewrite.numbered_text import NumberedText
    from paragauge.rewrite.random_filter import RandomFilter
    from paragauge.rewrite.rewrite_method import RewriteMethod, rewrite
    from paragauge.rewrite.rewriter import Proposal, Rewriter, Rewriting
    from paragauge.rewrite.rewritten_metric import RewrittenMetric
    from paragauge.rewrite.rewritten_metric_spec import metric, metrics_by_label
    from paragauge.rewrite.score_sum import Reason, Reasons, ScoreSum, SumLine
    from paragauge.rewrite.substitution_filters import ContextFilter, PhraseFilter
    from paragauge.rewrite.thesauri.brown import BrownClusters
    from paragauge.rewrite.thesauri.frequent_words import FrequentWords
    from paragauge.rewrite.thesauri.inflection import Inflection
    from paragauge.rewrite.thesauri.lsa import (
        LSA,
        LSASettings,
        feature_columns,
        find_neighbors,
        weight_counts,
        word_vectors,
    )
    from paragauge.rewrite.thesauri.thesaurus import Tags, Thesaurus
    from paragauge.rewrite.thesauri.wordnet_thesaurus import WordNetThesaurus
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "DECISIONS",
    "LSA",
    "BrownClusters",
    "Candidates",
    "Classifiers",
    "ContextExplanation",
    "ContextFilter",
    "ContextModel",
    "ContextReason",
    "ContextSettings",
    "ContextShape",
    "Decision",
    "ExplainedProposal",
    "ExplainingFilter",
    "FrequentWords",
    "Inflection",
    "LSASettings",
    "LanguageModelFilter",
    "NumberedText",
    "PhraseExplainingFilter",
    "PhraseFilter",
    "Proposal",
    "RandomFilter",
    "Reason",
    "Reasons",
    "ReferenceDifferences",
    "References",
    "RewriteExplanation",
    "RewriteMethod",
    "Rewriter",
    "Rewriting",
    "RewrittenMetric",
    "ScoreSum",
    "SubstitutionSample",
    "SumLine",
    "Tags",
    "Thesaurus",
    "WordNetThesaurus",
    "differences",
    "explain",
    "feature_columns",
    "find_neighbors",
    "metric",
    "metrics_by_label",
    "rewrite",
    "sample",
    "train_context",
    "train_numbered",
    "weight_counts",
    "word_vectors",
]

make_callable(__name__)
