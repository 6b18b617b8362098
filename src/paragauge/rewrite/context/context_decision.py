"""When context classifiers accept a word: a threshold and a comparison with the replaced word, by name.

A word w is accepted in place of r (see `context_model.py`) if

    s(w) - relative * s(r) + prior * ln(n(w) / n(r)) - threshold >= 0

| name | threshold | relative | prior | what it is |
|------|-----------|----------|-------|------------|
| `paper` | 0 | 0 | 0 | the classifier says yes (Kauchak and Barzilay 2006) |
| `calibrated` | -0.8 | 0.25 | 0 | refuses a fifth to a quarter of real proposals; the default |
| `relative` | 0 | 1 | 0 | w fits better than r |
| `odds` | 0 | 1 | 1 | w is more probable than r in this context |
| `swords` | -3.5 | 0.5 | 0.5 | refuses a fifth of the good substitutes in Swords; the former default |

`calibrated` is chosen on output of real systems (`benchmarks/papers/rewrite_decisions.py`). Systems use
frequent words, so that the prior of `swords`, which was tuned on all synonyms that WordNet has, lets
nearly all of them pass: verbs such as *have*, *take* and *make* first of all, which are often wrong. Of
280 proposals that were judged, the classifiers tell good from bad best without the prior and with a
quarter of the replaced word's score; the threshold refuses about as many as the paper's filter. With
as little text as the built-in model has, `paper` refuses more than half, and half of the good ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from paragauge.errors import SettingError, unknown_name

LARGEST = 1000
CALIBRATED = "calibrated"


@dataclass(frozen=True)
class Decision:
    """When a word is accepted (see the module docstring).

    >>> Decision.named("paper")
    Decision(threshold=0, relative=0, prior=0)
    >>> Decision(threshold=float("nan"))
    Traceback (most recent call last):
    paragauge.errors.SettingError: threshold: expected a number from -1,000 to 1,000, found nan
    """

    threshold: float = -0.8
    relative: float = 0.25
    prior: float = 0

    def __post_init__(self) -> None:
        for name in ("threshold", "relative", "prior"):
            value = getattr(self, name)
            least = -LARGEST if name == "threshold" else 0
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not least <= value <= LARGEST:
                raise SettingError(
                    f"{name}: expected a number from {least:,} to {LARGEST:,}, found {value!r}"
                )

    @classmethod
    def named(cls, name: str) -> Decision:
        """One of `DECISIONS`.

        >>> Decision.named("papr")
        Traceback (most recent call last):
        paragauge.errors.SettingError: unknown decision 'papr'; did you mean 'paper'? known: ...
        """
        if name not in DECISIONS:
            raise unknown_name("decision", name, tuple(DECISIONS))
        return DECISIONS[name]


DECISIONS = MappingProxyType(
    {
        "paper": Decision(0, 0, 0),
        CALIBRATED: Decision(),
        "relative": Decision(0, 1, 0),
        "odds": Decision(0, 1, 1),
        "swords": Decision(-3.5, 0.5, 0.5),
    }
)
