"""A filter that judges substitutions by an encoder's vectors of words in context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.rewrite.encoder.encoder_filter import EncoderFilter
    from paragauge.rewrite.encoder.substitution_features import FEATURES, measure_substitutions
    from paragauge.rewrite.encoder.substitution_model import SubstitutionModel
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = ["FEATURES", "EncoderFilter", "SubstitutionModel", "measure_substitutions"]
