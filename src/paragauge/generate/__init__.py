"""Paraphrasers: phrase-based, grammar-based, tuned to a metric, and driven by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.generate.long_lines import Fitting, fitting
    from paragauge.generate.model_folder import Description, read_description
    from paragauge.generate.model_loader import open_generator
    from paragauge.generate.nbest import Hypothesis, NBest
    from paragauge.generate.nbest_files import nbest_format, nbest_lines
    from paragauge.generate.objective import Objective, parse_objective
    from paragauge.generate.pool import Pool, Row
    from paragauge.generate.protocol import Generator, Substitution, Substitutions
    from paragauge.generate.search import Searched, SearchSettings, formed
    from paragauge.generate.tune import Iteration, Tuned, TuneSettings
    from paragauge.generate.weights import write_weights
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Description",
    "Fitting",
    "Generator",
    "Hypothesis",
    "Iteration",
    "NBest",
    "Objective",
    "Pool",
    "Row",
    "SearchSettings",
    "Searched",
    "Substitution",
    "Substitutions",
    "TuneSettings",
    "Tuned",
    "fitting",
    "formed",
    "nbest_format",
    "nbest_lines",
    "open_generator",
    "parse_objective",
    "read_description",
    "write_weights",
]
