"""PEM in context: PEM whose adequacy compares words by the vectors that an encoder gives them.

    PEM in context = regression(adequacy in context, fluency, dissimilarity)

The parts, the target of the regression and the scale are those of PEM (`metric.py`); the first part
sees more (`adequacy.py`). The encoder takes nearly all of the time. The statistics are those of PEM.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from paragauge.encode.encoder_by_name import SHIPPED as SHIPPED_ENCODER
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.pem.adequacy.adequacy_context import AdequacyContext
from paragauge.metrics.pem.learned_parts import measure_parts, open_regression
from paragauge.metrics.pem.metric import PredictedRating
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.metrics.settings import setting
from paragauge.text.batch import Batch


@dataclass(frozen=True)
class PEMContext(PredictedRating):
    """The rating that people would give a paraphrase, from 0 to 100, with words seen in context.

    >>> sources = ["Children love playing in the snow."] * 2
    >>> good, changed = PEMContext().segments(
    ...     ["Kids enjoy being out in the snow.", "Children hate playing in the snow."], sources=sources
    ... )
    >>> bool(good > changed)
    True
    """

    name: ClassVar[str] = "PEM-context"
    summary: ClassVar[str] = "PEM with words compared in their contexts (no references)"

    encoder: str = setting(
        SHIPPED_ENCODER,
        help="an encoder's folder or name; the model was fitted to english, which ships",
    )

    @property
    def feature_set(self) -> str:
        """The parts with the adequacy in context."""
        return "context"

    @property
    def own_adequacy(self) -> AdequacyContext:
        """The first part."""
        return AdequacyContext(encoder=self.encoder, normalize=self.normalize)

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """All layers."""
        return self.own_adequacy.encoder_layers

    @property
    def regression(self) -> RBFRegression:
        """The regression of the learned parts with the adequacy in context."""
        return open_regression("context")

    def batch_features(self, batch: Batch, system: str) -> tuple[Floats, Ints | None]:
        """The parts of each source line, and the lines of each segment as in `LineGroups`."""
        return measure_parts(self.own_adequacy, batch, system)

    def extra_signature(self) -> dict[str, str]:
        """Fingerprints of everything that decides the score."""
        return self.learned_signature(self.own_adequacy)
