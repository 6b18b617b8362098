"""Rewriting with phrase rules: the effect of the least probability and of the length of phrases.

    python -m benchmarks.papers.rewrite_phrases [--models FOLDER] [--documents 10]

Data and protocol are those of `rewrite.py` (Kauchak and Barzilay 2006, section 4), the rules those of
`rewrite_models.py`. Phrases of at most one word are single words that the same grammar relates, so that
the difference from longer ones is what phrases add. Direct assessments of segments (wmt_da) use the
same settings, mean over language pairs.

`random` is a control: pairs of unmatched words drawn at random, about as many as the rules make at the
default and at the lowest least probability.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.data.rewrite_models import model_paths
from benchmarks.papers.rewrite import (
    PAIRS,
    PLAIN,
    Floats,
    Method,
    correlations,
    direct_assessment,
    measure,
    read_pair,
    table,
    triangles,
)
from benchmarks.race import DATA, RESULTS
from paragauge import BLEU
from paragauge.kernels.layout import Ints
from paragauge.metrics.base import Metric
from paragauge.rewrite.phrases import PhraseRules
from paragauge.rewrite.rewriter import Rewriter
from paragauge.rewrite.rewritten_metric import RewrittenMetric
from paragauge.text.lines import Lines

LEAST = (0.3, 0.1, 0.05, 0.02)
LENGTHS = (5, 1)
BOTH = "wordnet"
RANDOM = (0.0056, 0.0215)  # shares of all unmatched pairs of words


@dataclass(frozen=True)
class RandomPairs:
    """A control: a thesaurus that relates this share of all pairs of words."""

    share: float
    needs_tags: bool = False

    @property
    def name(self) -> str:
        """The share."""
        return f"random-{self.share:g}"

    def substitutable(
        self, words: Lines, left: Ints, right: Ints, tags: Sequence[str] | None, threads: int = 0
    ) -> NDArray[np.bool_]:
        """Whether a number below the share is drawn; equal pairs draw the same number."""
        del tags, threads
        hashes = np.array([zlib.crc32(word.encode()) for word in words], np.uint64)
        mixed = (hashes[left] * np.uint64(0x9E3779B97F4A7C15)) ^ (
            hashes[right] * np.uint64(0xD6E8FEB86659FD93)
        )
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        return np.asarray((mixed >> np.uint64(32)) < self.share * 2**32)


def settings(grammar: Path) -> dict[str, Metric]:
    """BLEU as it is, with synonyms, and with rules of each setting, alone and with synonyms."""
    metrics: dict[str, Metric] = {PLAIN: BLEU(), BOTH: RewrittenMetric(BLEU(), Rewriter())}
    for share in RANDOM:
        metrics[f"random, {share:g} of all pairs"] = RewrittenMetric(
            BLEU(), Rewriter(RandomPairs(share))
        )
    for least in LEAST:
        for longest in LENGTHS:
            rules = PhraseRules.of(grammar, least=least, longest=longest)
            name = f"p >= {least:g}, {longest} words" if longest > 1 else f"p >= {least:g}, 1 word"
            print(f"{name}: {len(rules):,} rules", flush=True)
            metrics[name] = RewrittenMetric(BLEU(), Rewriter(None, phrases=rules))
            metrics[f"{BOTH}, {name}"] = RewrittenMetric(BLEU(), Rewriter(phrases=rules))
    return metrics


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--models", help="where the trained models are kept")
    parser.add_argument("--documents", type=int, default=10)
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    tests = {pair: read_pair(pair) for pair in PAIRS}
    with tempfile.TemporaryDirectory() as scratch:
        grammar = model_paths(Path(options.models or scratch), ["phrases"])["phrases"]
        metrics = settings(grammar)
    values: dict[str, dict[str, Floats]] = {pair: {} for pair in tests}
    facts: dict[str, list[str]] = {}
    methods: dict[str, Method] = {}
    for name, metric in metrics.items():
        methods[name], own = measure(tests, Method(name, [metric]))
        scores = []
        for pair, stats in own.items():
            values[pair][name] = stats
            scores.append(BLEU().corpus_values(stats.sum(axis=2)).mean())
        facts[name] = [f"{methods[name].replaced:,.0f}", f"{np.mean(scores):.2f}"]
    results = {
        pair: correlations(tests[pair], methods, values[pair], options.documents, "document")
        for pair in tests
    }
    means = {name: np.mean([results[pair][name] for pair in tests], axis=0) for name in metrics}
    rows = [
        [
            name,
            f"{means[name].mean():.4f}",
            *("" if name == base else triangles(means[base], means[name]) for base in (PLAIN, BOTH)),
            *facts[name],
        ]
        for name in metrics
    ]
    head = ["references", "Pearson", "BLEU against it (p)", "wordnet against it (p)"]
    head += ["substitutions in 3,003 segments", "BLEU"]
    record = {"settings": table("Rules between phrases (document)", head, rows)}
    record["direct"] = direct_assessment(methods, options.documents)
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "rewrite_phrases.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
