"""Does overlap mean quality? Rules of PPDB that are in grammars of hand-aligned text, and human scores.

The rules are a sample of PPDB with five human scores each, 1 to 5 (Pavlick et al. 2015). Gold rules are
from the Edinburgh corpus and from references of machine translation, both aligned by hand, in both
directions, because a paraphrase holds both ways. If overlap means quality, rules that are found have
higher scores than those that are not. Intervals are a bootstrap over rules.

    python -m benchmarks.papers.ppdb_human

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.data.paraphrase_corpora import edinburgh, read_hand_aligned
from benchmarks.race import DATA, RESULTS
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.rule_settings import RuleSettings

GOOD = 3.0  # the middle of the scale
DRAWS = 1000
SETTINGS = RuleSettings.named("paradigm-figure", fallback="lexical")


def sample() -> tuple[np.ndarray, list[tuple[str, str, str]]]:
    """Human scores, and left side, source and target of each rule."""
    scores, rules = [], []
    with gzip.open(DATA / "ppdb_human" / "ppdb-sample.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            score, label, source, target, _ = line.rstrip("\n").split("\t")
            scores.append(float(score))
            rules.append((label[1:-1], source, target))
    return np.array(scores), rules


def gold() -> set[tuple[str, str, str]]:
    """Rules of words of both corpora, in both directions."""
    rules = set()
    with tempfile.TemporaryDirectory() as folder:
        for corpus in (edinburgh(), read_hand_aligned("mtref", "dev")):
            batches = corpus.batches(trees=True)
            grammar = extract_grammar(batches, Path(folder) / corpus.name, SETTINGS, features=())
            for batch in grammar.batches(("lhs", "labels", "source", "target")):
                for row in batch.to_pylist():
                    if not row["labels"]:
                        rules.add((row["lhs"], row["source"], row["target"]))
                        rules.add((row["lhs"], row["target"], row["source"]))
    return rules


def main() -> None:
    if not (DATA / "ppdb_human").is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    scores, rules = sample()
    known = gold()
    pairs = {(source, target) for _, source, target in known}
    strict = np.array([rule in known for rule in rules])
    loose = np.array([rule[1:] in pairs for rule in rules])
    lines = [
        f"{len(rules):,} rules of PPDB, {len(known):,} gold rules of words.",
        "",
        "| PPDB rules | number | mean human score | 3 or better |",
        "|---|---:|---:|---:|",
    ]
    results: dict[str, dict[str, float]] = {}
    for name, chosen in (
        ("in the gold grammars, labels equal (strict)", strict),
        ("in the gold grammars (non-strict)", loose),
        ("not there", ~loose),
    ):
        own = scores[chosen]
        results[name] = {
            "rules": len(own),
            "mean": float(own.mean()),
            "good": float((own >= GOOD).mean()),
        }
        row = results[name]
        lines.append(f"| {name} | {len(own):,} | {row['mean']:.2f} | {100 * row['good']:.1f}% |")
    low, high = difference(scores[loose], scores[~loose])
    lines += ["", f"Rules that are there score higher by {low:.2f} to {high:.2f} (95% interval)."]
    print("\n".join(lines))
    record = {"rows": results, "difference": [low, high], "printed": lines}
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "ppdb_human.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    if low <= 0:
        raise SystemExit("expected rules that are there to score higher")


def difference(left: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """The 95% interval of the difference of means."""
    random = np.random.default_rng(7)
    drawn = [
        random.choice(left, len(left)).mean() - random.choice(right, len(right)).mean()
        for _ in range(DRAWS)
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main()
