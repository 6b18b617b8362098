"""Do paraphrases read well? Sixty outputs of a paraphraser with default settings, read and labeled.

    python -m benchmarks.papers.paraphrase_reading [--sentences]

The model is trained on video descriptions with 5 parallel sentences each, as in
`benchmarks.papers.msvd_systems`, but aligned by systran-align, which gives the same links each time.
200 sentences about videos that it was not trained on are drawn with a fixed seed and paraphrased; of
these, 60 are drawn to be read. The labels are in `paraphrase_reading.tsv`, by number, with a digest of
the output that was read: `good`, `changed` (correct English, but a person, an action or a thing is
exchanged or added) or `broken` (bad English, or absurd); a note says why. Mistakes of the source that
are copied do not count. An output that was not labeled is named. With `--sentences` all 60 are printed,
to be read again. BLEU has all descriptions of the video as references, the source too.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
from pathlib import Path

from scipy.stats import binomtest

from benchmarks.data.msvd_data import read_videos
from benchmarks.race import RESULTS
from paragauge import BLEU, PINC
from paragauge.generate.train import PhraseTraining, train_phrases
from paragauge.text.bitext import Bitext

LABELS = Path(__file__).with_suffix(".tsv")
KINDS = ("good", "changed", "broken")
PARALLEL, DRAWN, READ, SEED = 5, 200, 60, 7


def digest(text: str) -> str:
    """A short name for an output."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sentences", action="store_true", help="print what was drawn")
    options = parser.parse_args()
    videos = read_videos()
    all_sources, all_references = videos.segments()
    rng = random.Random(SEED)
    drawn = rng.sample(range(len(all_sources)), DRAWN)
    to_read = sorted(rng.sample(range(DRAWN), READ))
    sources = [all_sources[number] for number in drawn]
    references = [all_references[number] for number in drawn]
    left, right = videos.pairs(PARALLEL)
    trained = train_phrases(
        Bitext.of(left, right, empty="skip"),
        RESULTS / "paraphrase_reading",
        PhraseTraining(aligner="systran"),
    )
    facts = trained.facts
    print(
        f"{facts['sentence_pairs']:,} sentence pairs, {facts['dissimilar']:,} left out; "
        f"{facts['phrase_pairs']:,} phrase pairs"
    )
    outputs = trained.generator.nbest(sources).best()
    bleu = BLEU().score(outputs, references=references).value
    pinc = PINC().score(outputs, sources=sources).value
    copies = sum(one == other for one, other in zip(sources, outputs, strict=True))
    print(f"{DRAWN} sentences: BLEU {bleu:.2f}, PINC {pinc:.2f}, {copies} unchanged")
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    labels = {(int(row["number"]), row["output"]): row["label"] for row in rows}
    counts = dict.fromkeys(KINDS, 0)
    for number in to_read:
        output = outputs[number]
        label = labels.get((number, digest(output)))
        if label is None:
            print(f"not labeled: {number} {digest(output)}")
        else:
            counts[label] += 1
        if options.sentences:
            print(f"{number}\t{digest(output)}\t{sources[number]}\t{output}\t{label or ''}")
    known = sum(counts.values())
    for kind in KINDS if known else ():
        low, high = binomtest(counts[kind], known).proportion_ci(method="wilson")
        share = f"{100 * counts[kind] / known:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
        print(f"{kind}: {counts[kind]} of {known} read, {share}")
    record = {"bleu": bleu, "pinc": pinc, "copies": copies, "labels": counts, "read": known}
    (RESULTS / "paraphrase_reading.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
