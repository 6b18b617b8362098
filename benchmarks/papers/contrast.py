"""Every metric on the English contrast set: how often good paraphrases win against each kind of change.

The tables of the guide "Test a metric with contrasts": good paraphrases against all other kinds, and
near-copies against them. Metrics that need references get the source.

    python -m benchmarks.papers.contrast

Results go to build/bench/contrast.json; `tools/docs/contrast_numbers.py` writes them into the guide.
The set comes with the package, so no other data is needed.
"""

from __future__ import annotations

import json
import tempfile

from benchmarks.race import RESULTS
from paragauge import contrast, metric
from paragauge.encode.encoder_by_name import keep_vectors
from paragauge.meta.contrast.contrast_set import GOOD_KINDS

SPECS = (
    "bleu",
    "chrf:word_order=2",
    "meteor",
    "maxsim",
    "maxsim-soft",
    "maxsim-context",
    "cosine",
    "bertscore",
    "parascore",
    "bert-ibleu",
    "adequacy",
    "adequacy-context",
    "pem",
    "pem-context",
    "pem:features=extended",
    "pinc",
    "bleu-pinc:adequacy=bertscore:mean=harmonic",
)


Table = dict[str, dict[str, list[float | None]]]


def measure(good: tuple[str, ...]) -> Table:
    """Wins with their interval by metric and kind; `good` are the kinds that ought to win."""
    sheet = contrast({spec: metric(spec) for spec in SPECS}, good=good)
    return {
        one.metric: {
            row.kind: [row.wins.value, row.wins.low, row.wins.high]
            for row in one.kinds
            if row.wins is not None
        }
        for one in sheet.metrics
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as vectors:  # several metrics read the same ones
        keep_vectors(vectors)
        tables = {"good": measure(GOOD_KINDS), "near-copy": measure(("near-copy",))}
        keep_vectors(None)
    for name, table in tables.items():
        kinds = list(table[SPECS[0]])
        print(f"| {name} | {' | '.join(kinds)} |\n|---|" + "---:|" * len(kinds))
        for spec, cells in table.items():
            print(f"| {spec} | {' | '.join(f'{cells[kind][0]:.2f}' for kind in kinds)} |")
        print()
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "contrast.json").write_text(json.dumps(tables, indent=2) + "\n")


if __name__ == "__main__":
    main()
