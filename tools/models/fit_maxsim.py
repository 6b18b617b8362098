"""Fit the models of MAXSIM-soft and MAXSIM-context that come with the package.

    python tools/models/fit_maxsim.py [english] [english-relations] [context]

They are fitted to the direct assessments of newstest2015 and newstest2016 into English; without names,
all of them. `english-relations` uses dependency relations from spaCy's small English pipeline, which
must be installed, `context` the encoder that ships.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path
from typing import Any

from paragauge.metrics.maxsim.context import MaxSimContext
from paragauge.metrics.maxsim.soft import MaxSimSoft

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PARAGAUGE_DATA", ROOT.parent / "shared" / "data"))
TARGET = ROOT / "src" / "paragauge" / "models" / "maxsim"
MODELS: dict[str, tuple[type[MaxSimSoft] | type[MaxSimContext], dict[str, Any]]] = {
    "english": (MaxSimSoft, {}),
    "english-relations": (MaxSimSoft, {"parser": "spacy"}),
    "context": (MaxSimContext, {}),
}


def main(names: list[str]) -> None:
    ratings: list[float] = []
    candidates: list[str] = []
    references: list[str] = []
    groups: list[str] = []
    for year in ("newstest2015", "newstest2016"):
        lines = read_lines(DATA / "wmt_da" / f"{year}.tsv.gz")
        for pair, _, candidate, reference, human in lines:
            ratings.append(float(human))
            candidates.append(candidate)
            references.append(reference)
            groups.append(f"{year} {pair}")
    for name in names or list(MODELS):
        kind, settings = MODELS[name]
        fitted = kind.fit(ratings, candidates, references=references, groups=groups, **settings)
        fitted.save(TARGET / f"{name}.json")
        print(
            f"{name}: Pearson {fitted.held_out:.3f} [{fitted.low:.3f}, {fitted.high:.3f}] held out, "
            f"{fitted.pearson:.3f} on its own {fitted.ratings:,} ratings in {fitted.groups} groups"
        )


def read_lines(path: Path) -> list[list[str]]:
    """The rows of a table without quotes, after its heading."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]


if __name__ == "__main__":
    main(sys.argv[1:])
