"""Makes a test set in the layout of mt-metrics-eval: two language pairs with all kinds of files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "house",
    "tree",
    "sees",
    "finds",
    "old",
    "new",
    "big",
    "small",
    "in",
    "on",
    "under",
]
PAIRS = {"de-en": ("refA", 9, 30), "en-zh": ("refB", 7, 24)}


def make_test_set(root: Path, seed: int = 3) -> Path:
    """Sources, references, outputs, DA and MQM, and the scores of three metrics, one for systems only.

    The last system has no MQM, some segments have none, and one output is the reference.
    """
    random = np.random.default_rng(seed)
    for pair, (reference, systems, size) in PAIRS.items():
        names = [f"sys-{number}.{pair[:2]}" for number in range(systems)]
        texts = {name: _texts(random, size) for name in [*names, "src", reference]}
        _write(root / "sources" / f"{pair}.txt", texts["src"])
        documents = [f"news doc{number // 5}" for number in range(size)]
        _write(root / "documents" / f"{pair}.docs", documents)
        _write(root / "references" / f"{pair}.{reference}.txt", texts[reference])
        for name in [*names, reference]:
            _write(root / "system-outputs" / pair / f"{name}.txt", texts[name])
        quality = random.normal(0, 1, systems)[:, None] + random.normal(0, 1, (systems, size))
        da = np.round(60 + 15 * quality, 2)
        mqm = np.minimum(0, np.round(2 * quality + random.normal(0, 1, quality.shape)) - 1)
        human = root / "human-scores"
        da_lines = _lines(names, da, lambda row, column: (row + column) % 11 == 0)
        _write(human / f"{pair}.da-raw.seg.score", da_lines)
        _write(human / f"{pair}.mqm.seg.score", _lines(names[:-1], mqm[:-1]))
        means = mqm[:-1].mean(axis=1) + random.normal(0, 0.1, systems - 1)
        _write(human / f"{pair}.mqm.sys.score", _lines(names[:-1], means[:, None]))
        _write(human / f"{pair}.mqm.doc.score", ["ignored 1"])
        scores = root / "metric-scores" / pair
        for metric, noise in ((f"near-{reference}", 0.5), ("rough-src", 2.0)):
            values = np.round(quality + random.normal(0, noise, quality.shape), 1)
            _write(scores / f"{metric}.seg.score", _lines(names, values))
        whole = quality.mean(axis=1) + random.normal(0, 0.3, systems)
        for metric in (f"near-{reference}", f"WHOLE-{reference}"):
            _write(scores / f"{metric}.sys.score", _lines(names, whole[:, None]))
    return root


def _texts(random: np.random.Generator, size: int) -> list[str]:
    return [" ".join(random.choice(WORDS, int(random.integers(4, 9)))) for _ in range(size)]


def _lines(names, values, is_missing=lambda row, column: False) -> list[str]:
    return [
        f"{name}\t{'None' if is_missing(row, column) else repr(float(value))}"
        for row, name in enumerate(names)
        for column, value in enumerate(values[row])
    ]


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
