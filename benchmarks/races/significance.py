"""Race: paired significance of two systems against sacreBLEU's paired bootstrap and randomization.

Both sides read lists of strings and give the same BLEU scores. The tests use different random
draws, so p-values agree as estimates do, not digit by digit.

    python -m benchmarks.races.significance [segments]
"""

from __future__ import annotations

import sys
from functools import partial

from sacrebleu.metrics import BLEU as SacreBLEU  # noqa: N811
from sacrebleu.significance import PairedTest

from benchmarks.data.corpus import pairs
from benchmarks.race import race, report, require_equal
from paragauge import BLEU, Comparison, compare


def with_sacrebleu(
    systems: dict[str, list[str]], references: list[str], kind: str, trials: int
) -> list[float]:
    metric = {"BLEU": SacreBLEU(references=[references])}
    test = PairedTest(list(systems.items()), metric, None, test_type=kind, n_samples=trials)
    _, scores = test()
    return [result.score for result in scores["BLEU"]]


def with_paragauge(
    systems: dict[str, list[str]], references: list[str], kind: str, trials: int
) -> Comparison:
    numbers = {"bootstrap": 0, "randomization": 0} | {
        "bootstrap" if kind == "bs" else "randomization": trials
    }
    return compare(systems, [BLEU()], references=references, **numbers)


def main(count: int) -> None:
    candidates, references = map(list, zip(*pairs(count), strict=True))
    systems = {"baseline": candidates, "system": [second for _, second in pairs(count, seed=8)]}
    results = []
    for kind, trials, title in (
        ("bs", 1000, "paired bootstrap"),
        ("ar", 10000, "approximate randomization"),
    ):
        theirs = with_sacrebleu(systems, references, kind, trials)
        ours = with_paragauge(systems, references, kind, trials)
        for score, expected in zip(ours.sheet.scores, theirs, strict=True):
            require_equal(f"BLEU of {score.system}", score.value, expected, 1e-9)
        call = (systems, references, kind, trials)
        results.append(
            race(
                f"{title}, 2 systems x {count:,} segments, {trials:,} trials",
                "sacreBLEU",
                2 * count,
                theirs=partial(with_sacrebleu, *call),
                ours=partial(with_paragauge, *call),
            )
        )
    report("significance", results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
