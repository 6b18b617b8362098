"""How many accepted substitutions are bad English or change the meaning? Read and labeled by hand.

    python -m benchmarks.papers.rewrite_reading [--sentences]

References of newstest2016 (../shared/data/wmt_da, or where PARAGAUGE_DATA points) are rewritten toward
the outputs by the recommended method. Of the accepted substitutions, each once per reference, 100 are
drawn with a fixed seed. The labels are in `rewrite_reading.tsv`, by the numbers of the segment and of
the token, without the sentences: `good`, or `bad` if the sentence is no longer correct English or no
longer means the same; a note says why. A substitution that was not labeled is named. With `--sentences`
each is printed in its sentence, to be read again.

The last line says what the shipped language model, at its own threshold, would refuse of the labeled
ones (`encoder+lm`).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

from benchmarks.race import DATA, RESULTS
from paragauge.rewrite.rewrite_method import RECOMMENDED, RewriteMethod
from paragauge.rewrite.rewriter import VERDICTS, Rewriting

LABELS = Path(__file__).with_suffix(".tsv")
DRAWN, SEED = 100, 7
Key = tuple[int, int, str]  # segment and token, counted from 1, and the new word


def read_pairs() -> tuple[list[str], list[str]]:
    """References and outputs."""
    with gzip.open(DATA / "wmt_da" / "newstest2016.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][1:]
    return [row[3] for row in rows], [row[2] for row in rows]


def draw(rewriting: Rewriting) -> dict[Key, str]:
    """Accepted substitutions in their sentences, each once per reference."""
    distinct: dict[tuple[str, int, str], tuple[Key, str]] = {}
    tokens = rewriting.original.tokens
    for proposal in rewriting:
        if proposal.verdict == "accepted":
            line = tokens[proposal.segment]
            words = line.split(" ")
            words[proposal.first] = f"[{words[proposal.first]} -> {proposal.new}]"
            key = proposal.segment + 1, proposal.first + 1, proposal.new
            distinct.setdefault((line, proposal.first, proposal.new), (key, " ".join(words)))
    chosen = np.random.default_rng(SEED).permutation(len(distinct))[:DRAWN]
    rows = list(distinct.values())
    return dict(rows[i] for i in sorted(chosen.tolist()))


def refused_by_language_model(labels: Mapping[Key, str]) -> set[Key]:
    """The labeled substitutions that `lm` refuses or does not know."""
    segments = sorted({segment for segment, _, _ in labels})
    references, outputs = read_pairs()
    rewriting = (
        RewriteMethod("lm")
        .rewriter()
        .run(
            [references[number - 1] for number in segments],
            [outputs[number - 1] for number in segments],
        )
    )
    keys = {
        (segments[proposal.segment], proposal.first + 1, proposal.new): proposal.verdict
        for proposal in rewriting
    }
    return {key for key in labels if keys.get(key) in ("refused", "unknown")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--method", default=RECOMMENDED)
    parser.add_argument("--sentences", action="store_true", help="print what was drawn")
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    rewriting = RewriteMethod(options.method).rewriter().run(*read_pairs())
    counts = {verdict: rewriting.count(verdict) for verdict in VERDICTS}
    print(f"{options.method}: {len(rewriting):,} proposals, {counts}")
    refused = (counts["refused"] + counts["unknown"]) / len(rewriting)
    print(f"refused: {100 * refused:.1f} %")
    sample = draw(rewriting)
    if options.sentences:
        for (segment, token, _), sentence in sample.items():
            print(f"{segment}\t{token}\t{sentence}")
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    labels = {(int(row["segment"]), int(row["token"]), row["new"]): row["label"] for row in rows}
    known = [labels[key] for key in sample if key in labels]
    for segment, token, new in sample:
        if (segment, token, new) not in labels:
            print(f"not labeled: segment {segment}, token {token}, {new}")
    bad = known.count("bad")
    share = ""
    if known:
        low, high = binomtest(bad, len(known)).proportion_ci(method="wilson")
        share = f", {100 * bad / len(known):.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
    print(f"labeled {len(known)} of {len(sample)} drawn: {bad} bad{share}")
    worse = refused_by_language_model(labels)
    for label in ("good", "bad"):
        own = [key for key in sample if labels.get(key) == label]
        print(f"+lm refuses {len(worse & set(own))} of {len(own)} {label} ones")
    record = {"method": options.method, "counts": counts, "labeled": len(known), "bad": bad}
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "rewrite_reading.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
