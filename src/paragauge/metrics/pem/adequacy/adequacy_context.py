"""Adequacy in context: adequacy that also compares words by the vectors an encoder gives them.

The features of adequacy (`adequacy.py`), and those of `context_changes.py`; the model is fitted in the
same way, to both. The encoder takes nearly all of the time. The statistics are those of adequacy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.encode.encoder_by_name import SHIPPED as SHIPPED_ENCODER
from paragauge.encode.encoder_by_name import open_encoder
from paragauge.kernels.layout import Floats
from paragauge.metrics.context.pair_vectors import open_with_layers
from paragauge.metrics.pem.adequacy.adequacy import Adequacy
from paragauge.metrics.pem.adequacy.adequacy_features import compared_lines, measure_pairs
from paragauge.metrics.pem.adequacy.adequacy_model import Kind
from paragauge.metrics.pem.adequacy.context_changes import LAYERS, measure_context
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.metrics.settings import setting
from paragauge.text.batch import Batch


@dataclass(frozen=True)
class AdequacyContext(Adequacy):
    """How much of the meaning is kept, from 0 to 100, with words compared in their contexts.

    >>> sources = ["The bank raised its rates."] * 2
    >>> kept, changed = AdequacyContext().segments(
    ...     ["The bank increased its rates.", "The bank lowered its rates."], sources=sources
    ... )
    >>> bool(kept > changed)
    True
    """

    name: ClassVar[str] = "Adequacy-context"
    summary: ClassVar[str] = "meaning kept, as adequacy, with words compared in their contexts"
    kind: ClassVar[Kind] = "context"

    encoder: str = setting(
        SHIPPED_ENCODER,
        help="an encoder's folder or name; the model was fitted to english, which ships",
    )

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """All layers."""
        return {self.encoder: frozenset(LAYERS)}

    def line_features(self, batch: Batch, system: str) -> Floats:
        """The features of words, and those of words in context, [source lines, names]."""
        weights = WordWeights.default()
        encoder = open_with_layers(f"{self.name} encoder", self.encoder, LAYERS)
        # The model that ships was fitted to texts as they are written.
        lines = compared_lines(batch, system)
        words = measure_pairs(*lines, weights, batch.threads, batch.first)
        return np.hstack([words, measure_context(*lines, weights, encoder, batch.threads)])

    def extra_signature(self) -> dict[str, str]:
        """Fingerprints of what computes the value, the encoder's among them."""
        return {**super().extra_signature(), "fingerprint": open_encoder(self.encoder).fingerprint}
