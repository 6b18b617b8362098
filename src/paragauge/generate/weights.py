"""Weights of a model's features in a text file: `feature<TAB>weight`, one per line.

Empty lines and lines that start with `#` are ignored. Every feature of the model has one line, and
there are no others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError, InputError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.text.files import atomic, display_name
from paragauge.text.line_reader import LineReader

MOST = 1 << 16  # lines
MOST_BYTES = 1 << 22
LARGEST = 1e6  # of weights, so that scores stay finite


def read_weights(path: str | Path, features: Sequence[str]) -> Floats:
    r"""Read the weights in a file, in the order of `features`, float64.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "weights.tsv")
    ...     _ = file.write_text("WordPenalty\t-1\nLM\t0.5\n")
    ...     read_weights(file, ["LM", "WordPenalty"]).tolist()
    [0.5, -1.0]
    """
    name = display_name(path)
    values: dict[str, float] = {}
    with LineReader(path) as reader:
        lines = reader.read(MOST, MOST_BYTES)
        if len(reader.read(1)):
            raise FileFormatError(name, None, f"expected {len(features)} weights, found a longer file")
    for number, line in enumerate(lines, 1):
        feature, tab, text = line.partition("\t")
        if not line.strip() or (line.startswith("#") and not tab):
            continue
        try:
            value = float(text) if tab else math.nan
        except ValueError:
            value = math.nan
        if not abs(value) <= LARGEST:
            raise FileFormatError(
                name,
                number,
                f"expected a feature, a tab and a number from {-LARGEST:g} to {LARGEST:g}, found "
                f"{line[:40]!r}",
            )
        if feature not in features:
            raise FileFormatError(name, number, str(unknown_name("feature", feature[:40], features)))
        if feature in values:
            raise FileFormatError(name, number, f"{feature} already has a weight; leave one out")
        values[feature] = value
    missing = [feature for feature in features if feature not in values]
    if missing:
        raise FileFormatError(
            name, None, f"expected a weight for each feature, found none for {', '.join(missing)}"
        )
    return np.array([values[feature] for feature in features], np.float64)


def check_weights(features: Sequence[str], weights: Any) -> Floats:
    """Check that weights are numbers of limited size, one for each feature; return a copy.

    >>> check_weights(["LM"], [1e9])
    Traceback (most recent call last):
    paragauge.errors.InputError: expected 1 weights from -1e+06 to 1e+06, for LM; found [1000000000.0]
    """
    try:
        values = np.array(weights, np.float64)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.shape != (len(features),) or not bool((np.abs(values) <= LARGEST).all()):
        raise InputError(
            f"expected {len(features)} weights from {-LARGEST:g} to {LARGEST:g}, for "
            f"{', '.join(features)}; found {str(weights)[:60]}"
        )
    return values


def write_weights(path: str | Path, features: Sequence[str], weights: Floats) -> None:
    r"""Write weights so that reading them back gives the same numbers.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "weights.tsv")
    ...     write_weights(file, ["LM", "WordPenalty"], np.array([0.5, -1.0]))
    ...     file.read_text()
    'LM\t0.5\nWordPenalty\t-1.0\n'
    """
    with atomic(path) as out:
        for feature, weight in zip(features, np.asarray(weights, np.float64).tolist(), strict=True):
            out.write(f"{feature}\t{weight!r}\n")
