"""When should context classifiers accept a word? Decisions on output of real systems, and on Swords.

    python -m benchmarks.papers.rewrite_decisions [--model FILE]

WordNet's proposals for references toward the outputs of newstest2015 and newstest2016 (`wmt_da`) and of
all systems of newstest2012 (`wmt12`). Printed are

- the share of proposals that each decision of `context_decision.py` refuses, of those whose word has a
  classifier. The paper's filter refuses about a quarter of all;
- what people would say: `data/substitution_judgments.tsv` has 280 proposals, drawn at random from those
  with a classifier, one for each reference, forms of one lemma left out. One reader, who did not see
  the scores, judged whether the substitute is right in meaning and grammar in the reference (section
  4.3 of the paper). Intervals of gains are bootstraps over proposals, those of shares
  Wilson's. Words without a classifier do not count;
- other weights of the replaced word's score and of the prior: the area under the ROC curve on the
  judgments, the threshold that refuses a quarter on newstest2015 and wmt12, and what it does on
  newstest2016, which did not choose the threshold (the weights were first compared on all judgments);
- Swords' dev set (`swords.py`): the same decisions, and their weights with thresholds tuned by folds
  over targets. There, every synonym that WordNet has is proposed, and most are rare words; systems use
  frequent ones. Words without a classifier count as refused.

The judgments name lines and tokens and hold no sentences. Those whose proposal the thesaurus no longer
makes still count. The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.data.swords_data import read_swords
from benchmarks.data.wmt_da import pairs
from benchmarks.papers.rewrite import PAIRS, read_pair
from benchmarks.papers.swords import HEADER, Judge, Scores, print_lines
from benchmarks.race import DATA, RESULTS
from paragauge.rewrite.context.context_decision import DECISIONS, Decision
from paragauge.rewrite.context.context_model import ENGLISH, ContextModel
from paragauge.rewrite.rewriter import Rewriter
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize

JUDGMENTS = Path(__file__).parents[1] / "data" / "substitution_judgments.tsv"
TUNING = ("newstest2015", "wmt12")  # the sets that thresholds are chosen on
TEST = "newstest2016"
QUARTER = 0.25
WEIGHTS = (0.0, 0.25, 0.5, 1.0)
SAMPLES = 2000
Z = 1.959964  # of a 95 % interval
Flags = NDArray[np.bool_]


def read_sets() -> dict[str, tuple[list[str], list[str]]]:
    """References and outputs of each set; those of wmt12 are of all systems of all language pairs."""
    sets: dict[str, tuple[list[str], list[str]]] = {}
    for year in (2015, 2016):
        texts = pairs(year)
        sets[f"newstest{year}"] = [text[1] for text in texts], [text[0] for text in texts]
    references: list[str] = []
    outputs: list[str] = []
    for pair in PAIRS:
        test = read_pair(pair)
        for output in test.systems.values():
            references += test.references
            outputs += output
    sets["wmt12"] = references, outputs
    return sets


def decide(model: ContextModel, decision: Decision) -> ContextModel:
    """The model with another decision."""
    c = model
    return ContextModel(c.words, c.classifiers, c.shape, c.occurrences, decision=decision)


@dataclass(frozen=True)
class Judged:
    """The judged proposals; `part` is the set of each."""

    tokens: Lines
    position: NDArray[np.int64]
    words: Lines
    part: NDArray[np.str_]
    good: Flags

    @classmethod
    def read(cls, sets: Mapping[str, tuple[list[str], list[str]]]) -> Judged:
        """The judgments, with the sentences that they name."""
        with JUDGMENTS.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        lines = tokenize([sets[row["set"]][0][int(row["line"]) - 1] for row in rows], "penn")
        tokens = [[token.lower() for token in line] for line in lines]
        for row, line in zip(rows, tokens, strict=True):
            if line[int(row["token"]) - 1] != row["old"]:
                raise SystemExit(f"{JUDGMENTS.name}: {row} is not what the data has")
        return cls(
            Lines.of([" ".join(line) for line in tokens]),
            np.array([int(row["token"]) - 1 for row in rows], np.int64),
            Lines.of([row["new"] for row in rows]),
            np.array([row["set"] for row in rows]),
            np.array([row["acceptable"] == "1" for row in rows]),
        )

    def scores(self, model: ContextModel) -> Scores:
        """The model's score of each proposal."""
        rows = np.arange(len(self.position))
        return model.scores(self.tokens, rows, self.position, self.words, rows)

    def row(self, name: str, scores: Scores, chosen: Flags) -> str:
        """Accuracy of what is accepted, its gain, and false refusals, among the chosen proposals."""
        known = chosen & ~np.isnan(scores)
        good, accepted = self.good[known], scores[known] >= 0
        draws = np.random.default_rng(7).choice(len(good), (SAMPLES, len(good)))
        gains = [good[d][accepted[d]].mean() - good[d].mean() for d in draws]
        low, high = np.quantile(gains, [0.025, 0.975])
        gain = good[accepted].mean() - good.mean()
        shares = (~accepted, good[accepted], (~accepted)[good], (~accepted)[~good])
        refused, accuracy, of_good, of_bad = map(share, shares)
        return (
            f"| {name} | {len(good)} | {refused} | {accuracy} | "
            f"{100 * gain:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}] | {of_good} | {of_bad} |"
        )


def share(flags: Flags) -> str:
    """The share that is true, in percent, with Wilson's 95 % interval."""
    size, mean = len(flags), float(flags.mean())
    shrink = 1 + Z * Z / size
    middle = (mean + Z * Z / (2 * size)) / shrink
    half = Z * math.sqrt(mean * (1 - mean) / size + Z * Z / (4 * size * size)) / shrink
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * mean:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def area(scores: Scores, good: Flags) -> float:
    """The area under the ROC curve: how often an acceptable proposal scores above another."""
    known = ~np.isnan(scores)
    above, below = scores[known & good][:, None], scores[known & ~good]
    return float((above > below).mean() + (above == below).mean() / 2)


def refusals(model: ContextModel, sets: Mapping[str, tuple[list[str], list[str]]]) -> Iterator[str]:
    """The share that each decision refuses in each set."""
    names = list(sets)
    yield f"| decision | {' | '.join(names)} |"
    yield f"|---|{'---:|' * len(names)}"
    prepared = {name: Rewriter().prepare(texts[0]) for name, texts in sets.items()}
    unknown, proposals = [], []
    for number, (name, decision) in enumerate(DECISIONS.items()):
        rewriter = Rewriter(filters=(decide(model, decision),))
        cells = []
        for part, ready in prepared.items():
            scores = rewriter.run(ready, sets[part][1]).scores[:, 0]
            known = ~np.isnan(scores)
            cells.append(f"{100 * (scores[known] < 0).mean():.1f}")
            if number == 0:
                proposals.append(f"{len(scores):,}")
                unknown.append(f"{100 * (~known).mean():.1f}")
        yield f"| {name}, refused % | {' | '.join(cells)} |"
    yield f"| no classifier % | {' | '.join(unknown)} |"
    yield f"| proposals | {' | '.join(proposals)} |"


def judged_rows(model: ContextModel, judged: Judged) -> Iterator[str]:
    """Each decision on the judgments."""
    head = ("judged", "refused %", "accuracy %", "gain [95 %]", "good refused %", "bad refused %")
    yield f"| decision | {' | '.join(head)} |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for title, chosen in (("all", judged.part != ""), (TEST, judged.part == TEST)):
        for name, decision in DECISIONS.items():
            yield judged.row(f"{name}, {title}", judged.scores(decide(model, decision)), chosen)


def weights(
    model: ContextModel, judged: Judged, sets: Mapping[str, tuple[list[str], list[str]]]
) -> Iterator[str]:
    """The weights of the replaced word's score and of the prior."""
    tuning, test = np.isin(judged.part, TUNING), judged.part == TEST
    yield (
        f"| relative | prior | area, {' and '.join(TUNING)} | area, {TEST} | threshold of a quarter "
        f"| {TEST}: refused % |"
    )
    yield f"|{'---:|' * 6}"
    prepared = {name: Rewriter().prepare(texts[0]) for name, texts in sets.items()}
    for relative in WEIGHTS:
        for prior in WEIGHTS:
            own = decide(model, Decision(0, relative, prior))
            scores, rewriter = judged.scores(own), Rewriter(filters=(own,))
            by_set = {
                name: rewriter.run(ready, sets[name][1]).scores[:, 0]
                for name, ready in prepared.items()
            }
            # Each tuning set counts as much as the other, although wmt12 has many systems.
            quantiles = [np.nanquantile(by_set[name], QUARTER) for name in TUNING]
            threshold = float(np.mean(quantiles))
            refused = np.nanmean(by_set[TEST][~np.isnan(by_set[TEST])] < threshold)
            yield (
                f"| {relative:g} | {prior:g} | {area(scores[tuning], judged.good[tuning]):.3f} | "
                f"{area(scores[test], judged.good[test]):.3f} | {threshold:.2f} | {100 * refused:.1f} |"
            )


def swords_rows(model: ContextModel) -> Iterator[str]:
    """The same decisions on Swords."""
    judge = Judge(read_swords(DATA / "swords" / "dev.json.gz"))
    yield f"| decision | {HEADER}"
    yield "|---|---:|---:|---:|---:|"
    yield judge.row("none", np.ones(len(judge.good), np.bool_))
    for name, decision in DECISIONS.items():
        scores = judge.scores(model, decision)
        yield judge.row(name, np.nan_to_num(scores, nan=-1) >= 0)
        yield judge.tuned_row(f"{name}, threshold by folds", scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--model", default=str(ENGLISH), help="context classifiers; default: built in")
    model = ContextModel.open(parser.parse_args().model)
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    sets = read_sets()
    judged = Judged.read(sets)
    record = {
        "refusals": print_lines(f"Refused of known words, {model.name}", refusals(model, sets)),
        "judged": print_lines(
            f"{len(judged.good)} judged proposals, {100 * judged.good.mean():.1f} % acceptable",
            judged_rows(model, judged),
        ),
        "weights": print_lines("Weights", weights(model, judged, sets)),
        "swords": print_lines("Swords, dev", swords_rows(model)),
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "rewrite_decisions.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
