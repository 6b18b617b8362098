"""The model of the learned adequacy: four ensembles of boosted trees, in a folder.

Each reads the same features of a candidate and its source (`adequacy_features.py`, and with an
encoder `context_changes.py`):

    rating        how well people would say that the meaning is kept, from 0 to 1
    similarity    how similar people would say that the two meanings are, from 0 to 1
    change        the probability that the meaning was changed: another name, swapped roles, ...
    reversal      the probability that it was reversed, by a negation or an opposite

    adequacy = (share * rating + (1 - share) * similarity) * (1 - change^power) * (1 - cost * reversal)

from 0 to 1. Ratings of meaning alone cannot teach that one word may change it: systems that people
rated seldom do that, and word for word such a sentence is nearly the same. The two probabilities
are fitted to sentences whose meaning was changed on purpose, and to others that say the same in
other words; the power makes only a change that is likely count. `tools/models/train_adequacy.py`
fits all four.

    model.json                    format, version, share, power and cost, fingerprints of the others
    rating.bin, similarity.bin, change.bin, reversal.bin
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.kernels.layout import Floats
from paragauge.metrics.model_description import read_description
from paragauge.metrics.regression.boosted_trees import BoostedTrees
from paragauge.text.atomic_folders import atomic_folder
from paragauge.text.files import atomic
from paragauge.text.saving.sealed_json import seal_json

FORMAT = "paragauge adequacy model"
VERSION = 1
DESCRIPTION = "model.json"
ENSEMBLES = ("rating", "similarity", "change", "reversal")
REMEDY = "make it with tools/models/train_adequacy.py"
NUMBERS = ("share", "power", "cost")
FOLDER = Path(__file__).parents[3] / "models" / "adequacy"
Kind = Literal["words", "context"]


@dataclass(frozen=True, eq=False)
class AdequacyModel:
    """Four ensembles over the same features, and how they are combined; see the module."""

    rating: BoostedTrees
    similarity: BoostedTrees
    change: BoostedTrees
    reversal: BoostedTrees
    share: float
    power: float
    cost: float

    @classmethod
    def default(cls, kind: Kind = "words") -> AdequacyModel:
        """The English model that comes with the package, for words or for words in context.

        >>> AdequacyModel.default() is AdequacyModel.default()
        True
        """
        return _load_shipped(kind)

    @property
    def names(self) -> tuple[str, ...]:
        """The features that all ensembles read."""
        return self.rating.names

    def components(self, rows: Floats, threads: int = 1) -> Floats:
        """What each of `ENSEMBLES` predicts for features [n, names]: [n, 4]."""
        ensembles = (self.rating, self.similarity, self.change, self.reversal)
        return np.column_stack([trees.predict(rows, threads) for trees in ensembles])

    def combine(self, components: Floats) -> Floats:
        """The adequacy, from 0 to 1, of rows of components [n, 4]."""
        rating, similarity, change, reversal = components.T
        kept = np.clip(self.share * rating + (1 - self.share) * similarity, 0.0, 1.0)
        return np.asarray(kept * (1 - change**self.power) * (1 - self.cost * reversal))

    def predict(self, rows: Floats, threads: int = 1) -> Floats:
        """The adequacy, from 0 to 1, of pairs with these features [n, names]."""
        return self.combine(self.components(rows, threads))

    @functools.cached_property
    def name(self) -> str:
        """The first digits of a SHA-256 of everything."""
        content = [getattr(self, ensemble).fingerprint for ensemble in ENSEMBLES]
        content += [repr(getattr(self, number)) for number in NUMBERS]
        return hashlib.sha256(" ".join(content).encode()).hexdigest()[:8]

    def save(self, folder: Path) -> None:
        """Write the folder; a model there is replaced in one step."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            **{number: getattr(self, number) for number in NUMBERS},
            "fingerprints": {name: getattr(self, name).fingerprint for name in ENSEMBLES},
        }
        parts = [f"{ensemble}.bin" for ensemble in ENSEMBLES]
        with atomic_folder(folder, "adequacy model", DESCRIPTION, parts) as target:
            for ensemble, part in zip(ENSEMBLES, parts, strict=True):
                getattr(self, ensemble).save(target / part)
            with atomic(target / DESCRIPTION) as out:
                out.write(seal_json(content))

    @classmethod
    def load(cls, folder: Path) -> AdequacyModel:
        """The model in a folder; one that is incomplete, mixed up or of another version is an error.

        >>> AdequacyModel.load(Path("no/such/folder"))
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: no/such/folder/model.json: no such file; check the path
        """
        path = folder / DESCRIPTION
        (share, power, cost), recorded = read_description(
            path, (FORMAT, VERSION), "an adequacy model", _parse_description, REMEDY
        )
        trees = {name: BoostedTrees.load(folder / f"{name}.bin") for name in ENSEMBLES}
        for name, ensemble in trees.items():
            if ensemble.fingerprint != recorded[name] or ensemble.names != trees["rating"].names:
                raise FileFormatError(
                    path,
                    None,
                    f"expected {name}.bin to be {recorded[name]}, found {ensemble.fingerprint}: "
                    f"files of two models; {REMEDY}",
                )
        return cls(**trees, share=share, power=power, cost=cost)


@functools.cache
def _load_shipped(kind: Kind) -> AdequacyModel:
    return AdequacyModel.load(FOLDER / kind)


def _parse_description(content: Any) -> tuple[tuple[float, ...], dict[str, str]]:
    """The numbers, and the fingerprints of the ensembles."""
    share, power, cost = (float(content[number]) for number in NUMBERS)
    if not (0 <= share <= 1 and 0 < power < 1000 and 0 <= cost <= 1):
        raise ValueError("numbers out of range")
    return (share, power, cost), {name: content["fingerprints"][name] for name in ENSEMBLES}
