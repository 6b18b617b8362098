"""Evaluation of rewriting: samples of substitutions for judges, and how references differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.rewrite.evaluation.reference_differences import (
        ReferenceDifferences,
        differences,
    )
    from paragauge.rewrite.evaluation.sample_files import (
        SampleKey,
        read_key,
        write_campaign,
        write_items,
        write_key,
    )
    from paragauge.rewrite.evaluation.substitution_sample import (
        SampledSubstitution,
        SubstitutionSample,
        sample,
    )
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "ReferenceDifferences",
    "SampleKey",
    "SampledSubstitution",
    "SubstitutionSample",
    "differences",
    "read_key",
    "sample",
    "write_campaign",
    "write_items",
    "write_key",
]
