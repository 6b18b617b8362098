"""Features of phrase-based models, their default weights, and the settings of decoding.

Names, order, signs and default weights of the features are those of Moses (Koehn et al. 2007):

| feature | value |
|---|---|
| `Distortion0` | minus the number of words jumped over between consecutive phrases |
| `LM0` | ln of the language model's probability, including `</s>` |
| `WordPenalty0` | minus the number of words |
| `PhrasePenalty0` | the number of phrases |
| `TranslationModel0_1` to `_4` | ln of p(source\\|target), of its lexical weight, of p(target\\|source), of its lexical weight; at least -100 |
| `UnknownWordPenalty0` | -100 for each word that is not in the table, which stays unchanged |
| `CopyPenalty0` | minus the number of words in unchanged phrases; 0 unless `copy` is `penalize` |

The last one is not in Moses.
"""  # noqa: E501  # a table

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.text.former_spellings import current_spelling

FEATURES = (
    "Distortion0",
    "LM0",
    "WordPenalty0",
    "PhrasePenalty0",
    "TranslationModel0_1",
    "TranslationModel0_2",
    "TranslationModel0_3",
    "TranslationModel0_4",
    "UnknownWordPenalty0",
    "CopyPenalty0",
)
SCORES = ("p_source", "lex_source", "p_target", "lex_target")  # columns of the table, in that order
LEAST = -100.0  # ln of a probability, as in Moses
Copy = Literal["allow", "penalize", "differ", "forbid"]
COPY = get_args(Copy)
MOST_WORDS = 256
MOST_STACK = 1 << 20


def default_weights() -> Floats:
    """Moses' weights; a copied word costs 1 if copies are counted.

    >>> dict(zip(FEATURES, default_weights().tolist()))["LM0"]
    0.5
    """
    return np.array([0.3, 0.5, -1.0, 0.2, 0.2, 0.2, 0.2, 0.2, 1.0, 1.0])


@dataclass(frozen=True)
class PhraseSettings:
    """How a phrase-based paraphraser decodes.

    `stack`: hypotheses per stack. `beam`: a hypothesis with less than this share of the probability of
    the best one in its stack is dropped; 0 drops none. `distortion`: how many words may be jumped over:
    0 keeps the order of the phrases, Moses' default is 6, None is any number. `table_limit`: how many
    targets of a source phrase are tried, the best ones with the language model on the phrase alone.
    `longest`: the most words in a sentence, up to 256.

    `copy` says how phrases and sentences that do not change are treated:

    - `allow`: like any others.
    - `penalize`: `CopyPenalty0` counts the words in unchanged phrases.
    - `differ`: the input sentence is left out of its list if there is another one.
    - `forbid`: as `differ`, and a phrase pair with equal sides is used only if the source phrase has no
      other target. A word with any other target is then changed, unless a longer phrase keeps it.

    An unknown word always stays unchanged.

    >>> PhraseSettings(stack=0)
    Traceback (most recent call last):
    paragauge.errors.SettingError: stack: expected a whole number from 1 to 1,048,576, found 0
    """

    stack: int = 100
    beam: float = 1e-5
    distortion: int | None = 0
    table_limit: int = 20
    longest: int = 200
    copy: Copy = "allow"

    def __post_init__(self) -> None:
        check_whole("stack", self.stack, 1, MOST_STACK)
        check_whole("table_limit", self.table_limit, 1, MOST_STACK)
        check_whole("longest", self.longest, 1, MOST_WORDS)
        if self.distortion is not None:
            check_whole("distortion", self.distortion, 0, MOST_STACK)
        if type(self.beam) not in (int, float) or not 0 <= self.beam <= 1:
            raise SettingError(f"beam: expected a number from 0 to 1, found {self.beam!r}")
        if self.copy not in COPY:
            raise unknown_name("treatment of copies", str(self.copy), COPY)

    @property
    def log_beam(self) -> float:
        """ln of the beam.

        >>> PhraseSettings(beam=0).log_beam
        -inf
        """
        return math.log(self.beam) if self.beam > 0 else -math.inf

    def record(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> PhraseSettings:
        """The settings in a record; an unknown name is an error.

        >>> PhraseSettings.from_record({"stak": 5})
        Traceback (most recent call last):
        paragauge.errors.SettingError: unknown setting 'stak'; did you mean 'stack'? known: ...
        """
        known = [setting.name for setting in dataclasses.fields(cls)]
        for name in record:
            if name not in known:
                raise unknown_name("setting", str(name), known)
        copy = record.get("copy", cls.copy)
        return cls(**{**record, "copy": current_spelling(copy) if isinstance(copy, str) else copy})


def check_whole(name: str, value: int, low: int, high: int) -> None:
    """Reject a setting that is not a whole number from `low` to `high`.

    >>> check_whole("stack", 7, 1, 10)
    """
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SettingError(f"{name}: expected a whole number from {low} to {high:,}, found {value!r}")
