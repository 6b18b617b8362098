"""Shared parts of fitting metrics to human ratings: pairing with ratings, and files.

A fitted metric is saved as JSON: its name, its settings, and how well it fitted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from paragauge.errors import FileFormatError, InputError
from paragauge.metrics.base import Metric
from paragauge.text.batch import Batch
from paragauge.text.files import atomic, os_error

M = TypeVar("M", bound=Metric)


Ratings = Mapping[tuple[str, int], float]


def batch_ratings(ratings: Ratings, batch: Batch, system: str) -> list[float]:
    """The rating of each segment of a system, NaN where there is none; segments count from 0."""
    numbers = range(batch.first, batch.first + len(batch))
    return [ratings.get((system, number), math.nan) for number in numbers]


def check_rated(ratings: Ratings, sizes: Mapping[str, int]) -> None:
    """Refuse ratings of segments that the systems, of these sizes, do not have.

    >>> check_rated({("mine", 7): 4.0}, {"mine": 5})
    Traceback (most recent call last):
    paragauge.errors.InputError: ratings: expected segments of the corpus, got segment 8 of 'mine', ...
    """
    beyond = [(system, number) for system, number in ratings if number >= sizes.get(system, 0)]
    if beyond:
        system, number = min(beyond)
        raise InputError(
            f"ratings: expected segments of the corpus, got segment {number + 1} of '{system}', which "
            "it does not have"
        )


def save_fit(path: str | Path, metric: Metric, facts: Mapping[str, Any]) -> None:
    """Write a fitted metric, from which `load_fit` and the command line read it."""
    content = {
        "metric": metric.name.lower(),
        "settings": metric.settings(),
        "fit": dict(facts),
        "signature": metric.signature,
    }
    with atomic(path) as out:
        out.write(json.dumps(content, indent=2) + "\n")


def load_fit(path: str | Path, kind: type[M]) -> M:
    """The metric of this kind that `save_fit` wrote."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        found = content["metric"]
        if found == kind.name.lower():
            return kind(**content["settings"])
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileFormatError(
            path, None, f"expected a fit saved by paragauge ({error}); fit again"
        ) from None
    raise FileFormatError(
        path, None, f"expected a fit of {kind.name.lower()}, found one of {found}; give another file"
    )
