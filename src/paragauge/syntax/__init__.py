"""Penn tags and dependencies: protocols, the shipped tagger, adapters and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.syntax.analysis import Analysis
    from paragauge.syntax.analysis_settings import AnalysisSettings
    from paragauge.syntax.analyzed_files import AnalyzedFiles
    from paragauge.syntax.analyzer import Analyzer, tool_names
    from paragauge.syntax.binarize import Labels
    from paragauge.syntax.conllu import (
        ConlluSentence,
        conllu_block,
        read_conllu,
        surface_forms,
        write_conllu,
    )
    from paragauge.syntax.constituents import ChartParser
    from paragauge.syntax.constituents_train import ParserSettings, jackknife_tags, train_parser
    from paragauge.syntax.parser_adapters import BeneparParser, StanzaParser
    from paragauge.syntax.parseval import ParserTest, Parseval, f1_of, measure_parser
    from paragauge.syntax.perceptron import PerceptronTagger, join_words
    from paragauge.syntax.protocols import ConstituencyParser, DependencyParser, Tagger
    from paragauge.syntax.relations import relation_type
    from paragauge.syntax.sentence import Sentence
    from paragauge.syntax.spacy_pipeline import SpacyPipeline
    from paragauge.syntax.tagger_evaluation import TaggerTest, measure_tagger
    from paragauge.syntax.tree_files import read_trees, tree_batches
    from paragauge.syntax.treebank import read_treebank
    from paragauge.syntax.trees import Trees, read_lines
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Analysis",
    "AnalysisSettings",
    "AnalyzedFiles",
    "Analyzer",
    "BeneparParser",
    "ChartParser",
    "ConlluSentence",
    "ConstituencyParser",
    "DependencyParser",
    "Labels",
    "ParserSettings",
    "ParserTest",
    "Parseval",
    "PerceptronTagger",
    "Sentence",
    "SpacyPipeline",
    "StanzaParser",
    "Tagger",
    "TaggerTest",
    "Trees",
    "conllu_block",
    "f1_of",
    "jackknife_tags",
    "join_words",
    "measure_parser",
    "measure_tagger",
    "read_conllu",
    "read_lines",
    "read_treebank",
    "read_trees",
    "relation_type",
    "surface_forms",
    "tool_names",
    "train_parser",
    "tree_batches",
    "write_conllu",
]
