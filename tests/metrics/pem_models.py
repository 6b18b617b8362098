"""A PEM model that is small enough to check by hand: two pivots, a language model, two regressions.

The pivots know a few phrases about a meeting that is put off. The regressions have three support
vectors each: a good paraphrase, a bad one and a copy. `tests/conftest.py` gives the model
(`pem_model`) and a folder with it (`pem_folder`).
"""

from __future__ import annotations

import numpy as np

from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.features import EXTENDED, PAPER, Resources
from paragauge.metrics.pem.model import PEMModel
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.phrases.pivot_network import NetworkSettings, Pivot
from paragauge.text.lines import Lines

SOURCE = "The meeting was put off until Monday."
GOOD = "They postponed the meeting to Monday."
BAD = "Monday off the dog until was."

FRENCH = {
    "the meeting": {"la réunion": 8, "la rencontre": 2},
    "the": {"le": 20, "la": 20, "les": 10},
    "meeting": {"réunion": 6, "rencontre": 4},
    "was put off": {"a été reportée": 6, "a été repoussée": 2},
    "was": {"était": 9, "a été": 6},
    "they": {"ils": 9, "elles": 3},
    "they postponed": {"ils ont reporté": 4},
    "postponed": {"reporté": 3, "reportée": 3, "a été reportée": 2},
    "until monday": {"jusqu'à lundi": 2, "à lundi": 2},
    "until": {"jusqu'à": 9},
    "to": {"à": 12, "de": 4, "pour": 2},
    "to monday": {"à lundi": 3},
    "monday": {"lundi": 9},
    "the dog": {"le chien": 5},
    "dog": {"chien": 5},
    "off": {"de": 2, "hors": 1, "éteint": 1},
    ".": {".": 40},
}
CHINESE = {
    "the meeting": {"会议": 9, "会面": 1},
    "meeting": {"会议": 6, "会面": 2},
    "was put off until": {"推迟 到": 3},
    "postponed": {"推迟": 7, "延期": 1},
    "to": {"到": 6, "给": 3},
    "until": {"直到": 5, "到": 3},
    "they": {"他们": 9},
    "monday": {"星期一": 5, "周一": 5},
    "was": {"是": 5, "被": 2},
    "dog": {"狗": 5},
    ".": {"。": 40},
}
ENGLISH = [
    "The meeting was put off until Monday.",
    "The meeting was put off.",
    "The meeting was long.",
    "They put off the meeting.",
    "They postponed the meeting.",
    "They postponed it to Monday.",
    "They went to the meeting on Monday.",
    "The dog was put out.",
    "The dog barked until Monday.",
    "The dog slept.",
]
PROTOTYPES = {
    # pivot_f1, fluency and target_f1 in standard deviations from the mean, and the coefficient
    "good": ((1.0, 1.0, -1.0), 1.2),
    "bad": ((-1.5, -1.5, -0.5), -1.6),
    "copy": ((1.5, 0.5, 2.0), 0.3),
}


def small_model() -> PEMModel:
    """The model; ratings are from 1 to 5."""
    form = TextForm("13a", "lower")
    english = Lines.of([line.lower().replace(".", " .") for line in ENGLISH])
    sides = english, Lines.of(["la réunion ."] * len(ENGLISH))
    pivots = [Pivot.of(FRENCH, "fra", sentences=sides), Pivot.of(CHINESE, "zho")]
    model = LanguageModel.train(ENGLISH, order=3, form=form, discount_fallback=(0.5, 1.0, 1.5))
    return PEMModel(
        resources=Resources(form, pivots, model, NetworkSettings(renormalize=False)),
        regressions={"paper": _regression(PAPER), "extended": _regression(EXTENDED)},
        scale=(1.0, 5.0),
        about={"data": "made by hand for tests"},
    )


def _regression(names: tuple[str, ...]) -> RBFRegression:
    """Three support vectors; what they say of other features is that of pivot or of wording."""
    usual = {"fluency": (-3.0, 1.0), "length": (2.5, 0.5), "length_ratio": (0.0, 0.25)}
    places = [
        1 if name in usual else 2 if name.startswith(("target", "letters", "copy")) else 0
        for name in names
    ]
    vectors = np.array([[vector[place] for place in places] for vector, _ in PROTOTYPES.values()])
    mean, scale = zip(*(usual.get(name, (0.5, 0.25)) for name in names), strict=True)
    return RBFRegression(
        names=names,
        mean=np.array(mean),
        scale=np.array(scale),
        gamma=0.5 / len(names),
        intercept=3.0,
        vectors=vectors,
        coefficients=np.array([coefficient for _, coefficient in PROTOTYPES.values()]),
    )
