"""Controls: tasks and candidates whose right judgment is known beforehand.

Made here:

- `degraded`: a sentence with a third of its words dropped or exchanged, which must be judged below
  the sentence itself (the negative control of Weese et al. 2014, section 6: "words deleted at random");
- `artificial`: the three artificial paraphrases of Liu et al. (2010, section 5.1), a copy, another
  sentence of the domain, and unigrams, with their predetermined judgments (`metrics.controls`)
  mapped to the campaign's scales.

An item is a control if its `control` says so; a candidate if it says so itself, inside any item. Neither
leaves the store with an export: `is_control` is the one place that decides. How answers to controls are
marked is in `control_rules`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from paragauge.errors import SettingError
from paragauge.metrics.controls import CRITERIA, JUDGMENTS, PAPER_KINDS, PAPER_SCALE, control_systems

SHARE = 1 / 3
# What campaigns call the paper's criteria; Chen and Dolan (2011, section 5.1) say semantic.
SAME_CRITERION = {"semantic": "adequacy", "meaning": "adequacy", "grammar": "fluency"}


def is_control(thing: Any) -> bool:
    """Whether an item, submission or candidate is a control, which no export may have.

    >>> is_control({"text": "a", "control": "degraded"}), is_control({"text": "a"})
    (True, False)
    """
    found = thing.get("control") if isinstance(thing, Mapping) else thing.control
    return found is not None and found is not False and found != ""


def degraded(text: str, *, seed: int, share: float = SHARE) -> str:
    """A text with `share` of its words dropped or moved, at least one; always another text.

    Words are what blanks separate; a text without blanks loses or moves characters. A text of one word
    is doubled, since nothing else of it can be dropped or exchanged.

    >>> degraded("a woman is slicing some ripe tomatoes", seed=7)
    'a woman tomatoes is slicing ripe'
    >>> degraded("dog", seed=7)
    'dog dog'
    """
    if not 0 < share <= 1:
        raise SettingError(f"share: expected more than 0 and at most 1, got {share!r}")
    parts, blank = text.split(), " "
    if len(parts) == 1 and len(text.strip()) > 3 and not text.isascii():
        parts, blank = list(text.strip()), ""
    if len(parts) < 2:
        return " ".join(parts * 2)
    random = np.random.default_rng(seed)
    count = max(1, round(share * len(parts)))
    found = list(parts)
    for _ in range(count):
        place = int(random.integers(len(found)))
        word = found.pop(place)
        if len(found) < 2 or random.random() < 0.5:
            continue
        found.insert(int(random.integers(len(found) + 1)), word)
    # Moves may undo each other, or exchange equal words.
    if blank.join(found) == blank.join(parts) or not found:
        found = parts[1:]
    return blank.join(found)


def artificial(
    source: str,
    domain: Sequence[str],
    scales: Mapping[str, tuple[int, int]],
    *,
    kinds: Sequence[str] = PAPER_KINDS,
    seed: int = 7,
) -> list[dict[str, Any]]:
    """Candidates for the source with what judges must say, by criterion, on the campaign's scales.

    `scales` are the lowest and highest value of each criterion; criteria that the paper has no
    judgment for expect nothing.

    >>> made = artificial("a b", ["a b", "c d"], {"adequacy": (1, 5), "overall": (1, 4)})
    >>> made[1]["system"], made[1]["text"], made[1]["control"], made[1]["expected"]
    ('random', 'c d', 'gold', {'adequacy': 1, 'overall': 1})
    """
    texts = control_systems([source], kinds, domain=domain, seed=seed, length="source")
    return [
        {
            "system": kind,
            "text": texts[kind][0],
            "control": "gold",
            "expected": {
                name: _scaled(judgment, *scales[name])
                for name in scales
                if (judgment := _judgment(kind, name)) is not None
            },
        }
        for kind in kinds
    ]


def _judgment(kind: str, criterion: str) -> int | None:
    name = criterion.casefold()
    name = SAME_CRITERION.get(name, name)
    return JUDGMENTS[kind][CRITERIA.index(name)] if name in CRITERIA else None


def _scaled(value: float, low: int, high: int) -> int:
    first, last = PAPER_SCALE
    return round(low + (value - first) * (high - low) / (last - first))
