"""Paraphrasers: phrase-based and grammar-based, tuned to a metric or driven by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.generate.compression_pairs import (
        CompressionSet,
        choose_compressions,
        write_pairs,
    )
    from paragauge.generate.first_weights import default_weights, recognize_resource
    from paragauge.generate.generator import Generator, Substitution, Substitutions
    from paragauge.generate.hypothesis_pool import HypothesisPool, PoolRow
    from paragauge.generate.judging_campaign import judging_items, write_judging
    from paragauge.generate.long_lines import FittingLines, take_fitting_lines
    from paragauge.generate.metric_search import SearchResult, SearchSettings, apply_form, search
    from paragauge.generate.model_folder import Description, read_description
    from paragauge.generate.model_loader import open_generator
    from paragauge.generate.nbest import Hypothesis, NBest
    from paragauge.generate.nbest_files import nbest_format, nbest_lines
    from paragauge.generate.objective import Objective, parse_objective
    from paragauge.generate.search_tuning import SearchRound, SearchTuning, tune_search
    from paragauge.generate.surface_text import surface_texts
    from paragauge.generate.tuning import Iteration, TuneSettings, TuningResult, tune
    from paragauge.generate.weights import write_weights
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "CompressionSet",
    "Description",
    "FittingLines",
    "Generator",
    "Hypothesis",
    "HypothesisPool",
    "Iteration",
    "NBest",
    "Objective",
    "PoolRow",
    "SearchResult",
    "SearchRound",
    "SearchSettings",
    "SearchTuning",
    "Substitution",
    "Substitutions",
    "TuneSettings",
    "TuningResult",
    "apply_form",
    "choose_compressions",
    "default_weights",
    "judging_items",
    "nbest_format",
    "nbest_lines",
    "open_generator",
    "parse_objective",
    "read_description",
    "recognize_resource",
    "search",
    "surface_texts",
    "take_fitting_lines",
    "tune",
    "tune_search",
    "write_judging",
    "write_pairs",
    "write_weights",
]
