"""Do paraphrases read well? Sixty outputs of a paraphraser with default settings, read and labeled.

    python -m benchmarks.papers.paraphrase_reading [--sentences]

The model is trained on video descriptions with 5 parallel sentences each, as in
`benchmarks.papers.msvd_systems`, but aligned by systran-align, which gives the same links each time.
200 sentences about videos that it was not trained on are drawn with a fixed seed and paraphrased; of
these, 60 are drawn to be read. The labels are in `paraphrase_reading.tsv`, by number, with a digest of
the output that was read: `good`, `changed` (correct English, but a person, an action or a thing is
exchanged or added) or `broken` (bad English, or absurd); a note says why. Mistakes of the source that
are copied do not count. An output that was not labeled is named. With `--sentences` all are printed, to
be read again. BLEU has all descriptions of the video as references, the source too.

The rules for persons and details (`generate/filters/`) were written after outputs for these
sentences, and then for 60 others, had been read. So outputs are read for 60 more, which are drawn after
these and had not been read when the rules were written; their numbers go on from 200.

The former settings (all sentence pairs, all phrase pairs that occur twice, reordering as in Moses) copy
less, so BLEU is compared at the same PINC: both models decode with several weights for copied words,
and the former model's BLEU is interpolated between its neighbors.

Then `pem-context+model` chooses from the model's 100 best paraphrases. Its weights are tuned to iBLEU
on sentences about the videos of the test part that none of the 200 is about; references are the other
descriptions. What it chooses for the 60 is read too.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest

from benchmarks.data.generation_data import MOSES_ORDER
from benchmarks.data.msvd_data import Videos, read_videos
from benchmarks.race import RESULTS
from paragauge import BLEU, PINC, compare, metric
from paragauge.generate.metric_search import SearchSettings, search
from paragauge.generate.objective import Objective, parse_objective
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import FEATURES, PhraseSettings
from paragauge.generate.search_tuning import tune_search
from paragauge.generate.train import PhraseTraining, TrainedGenerator, train_phrases
from paragauge.text.bitext import Bitext

LABELS = Path(__file__).with_suffix(".tsv")
KINDS = ("good", "changed", "broken")
PARALLEL, DRAWN, READ, SEED, FRESH_SEED = 5, 200, 60, 7, 8
DEVELOPMENT = 100  # sentences to tune the objective on
COPY_WEIGHTS = (-3.0, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
OBJECTIVE = "pem-context+model"
SETTINGS = SearchSettings(nbest=100, budget=100)


@dataclass(frozen=True)
class Drawn:
    """Sentences with their references, the source among them."""

    sources: list[str]
    references: list[list[str]]

    def others(self) -> list[list[str]]:
        """The references without the source."""
        return [
            [text for text in texts if text != source]
            for source, texts in zip(self.sources, self.references, strict=True)
        ]


def draw(videos: Videos) -> tuple[Drawn, Drawn, list[int], Drawn]:
    """The sentences to paraphrase, those to tune on, which of the former are read, and fresh ones."""
    sources, references = videos.segments()
    rng = random.Random(SEED)
    drawn = rng.sample(range(len(sources)), DRAWN)
    to_read = sorted(rng.sample(range(DRAWN), READ))
    seen = {tuple(references[number]) for number in drawn}
    rest = [number for number, texts in enumerate(references) if tuple(texts) not in seen]
    rest = [number for number in rest if len(set(references[number])) > 1]
    development = rng.sample(rest, DEVELOPMENT)

    known = {sources[number] for number in (*drawn, *development)}
    others = [number for number in range(len(sources)) if sources[number] not in known]
    fresh = random.Random(FRESH_SEED).sample(others, 2 * READ)[READ:]

    def take(numbers: list[int]) -> Drawn:
        return Drawn([sources[n] for n in numbers], [references[n] for n in numbers])

    return take(drawn), take(development), to_read, take(fresh)


def digest(text: str) -> str:
    """A short name for an output."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def train(videos: Videos, name: str, decoding: PhraseSettings, **changes: Any) -> TrainedGenerator:
    """A model with default settings but for these."""
    left, right = videos.pairs(PARALLEL)
    bitext = Bitext.of(left, right, empty="skip")
    settings = PhraseTraining(aligner="systran", **changes)
    return train_phrases(bitext, RESULTS / name, settings, decoding=decoding)


def scores(outputs: list[str], data: Drawn) -> tuple[float, float]:
    """BLEU and PINC."""
    bleu = BLEU().score(outputs, references=data.references).value
    return bleu, PINC().score(outputs, sources=data.sources).value


def curve(model: PhraseBased, data: Drawn) -> list[tuple[float, float]]:
    """PINC and BLEU with each weight of copied words, by PINC."""
    points = []
    counting = model.with_settings(replace(model.settings, copy="penalize"))
    for weight in COPY_WEIGHTS:
        weights = counting.weights
        weights[FEATURES.index("CopyPenalty0")] = weight
        bleu, pinc = scores(counting.with_weights(weights).nbest(data.sources).best(), data)
        points.append((pinc, bleu))
    return sorted(points)


def compare_curves(new: PhraseBased, former: PhraseBased, data: Drawn) -> list[dict[str, float]]:
    """BLEU of both models where PINC is that of the new one."""
    known = curve(former, data)
    rows = []
    print("\n| PINC | BLEU | BLEU with former settings | difference |\n|---:|---:|---:|---:|")
    for pinc, bleu in curve(new, data):
        if not known[0][0] <= pinc <= known[-1][0]:
            continue
        before = float(np.interp(pinc, *zip(*known, strict=True)))
        print(f"| {pinc:.2f} | {bleu:.2f} | {before:.2f} | {bleu - before:+.2f} |")
        rows.append({"pinc": pinc, "bleu": bleu, "former": before})
    return rows


def read_labels() -> dict[tuple[int, str], str]:
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {(int(row["number"]), row["output"]): row["label"] for row in rows}


def show_labels(
    outputs: list[str], data: Drawn, to_read: list[int], *, show_all: bool, first: int = 0
) -> dict[str, int]:
    """The shares of the labels, and what has none; numbers in the labels begin at `first`."""
    labels = read_labels()
    counts = dict.fromkeys((*KINDS, "unchanged"), 0)
    for number in to_read:
        output, source = outputs[number], data.sources[number]
        label = labels.get((number + first, digest(output)))
        if label is None:
            print(f"not labeled: {number + first} {digest(output)}")
        else:
            counts[label] += 1
            counts["unchanged"] += output == source
        if show_all:
            print(f"{number + first}\t{digest(output)}\t{source}\t{output}\t{label or ''}")
    known = sum(counts[kind] for kind in KINDS)
    for kind in KINDS if known else ():
        low, high = binomtest(counts[kind], known).proportion_ci(method="wilson")
        share = f"{100 * counts[kind] / known:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
        print(f"{kind}: {counts[kind]} of {known} read, {share}")
    print(f"unchanged: {counts['unchanged']} of {known}, which are good")
    return counts


def tuned_objective(model: PhraseBased, development: Drawn) -> Objective:
    """The objective with weights chosen on the development sentences."""
    tuned = tune_search(
        model,
        development.sources,
        parse_objective(OBJECTIVE),
        metric("ibleu"),
        references=development.others(),
        settings=SETTINGS,
    )
    first, best = tuned.history[0].score, tuned.history[tuned.best].score
    print(f"\n{tuned.objective.label}: iBLEU {first:.2f} to {best:.2f} on {DEVELOPMENT} sentences")
    return tuned.objective


def compare_search(plain: list[str], searched: list[str], data: Drawn) -> list[dict[str, float]]:
    """Both outputs by four metrics, with paired bootstrap; the source is no reference here."""
    found = compare(
        {"model": plain, "search": searched},
        [metric(name) for name in ("pem-context", "bertscore", "bleu", "pinc")],
        sources=data.sources,
        references=data.others(),
        baseline="model",
        randomization=0,
    )
    print("\n| metric | model | search | difference | p |\n|---|---:|---:|---:|---:|")
    rows = []
    for row in found.differences:
        print(
            f"| {row.metric} | {row.baseline_value:.2f} | {row.value:.2f} | "
            f"{row.difference:+.2f} [{row.low:+.2f}, {row.high:+.2f}] | {row.p_bootstrap:.3f} |"
        )
        rows.append({"metric": row.metric, "model": row.baseline_value, "search": row.value})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--sentences", action="store_true", help="print what was drawn")
    options = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    videos = read_videos()
    data, development, to_read, fresh = draw(videos)
    trained = train(videos, "paraphrase_reading", PhraseSettings())
    facts, model = trained.facts, trained.generator
    print(
        f"{facts['sentence_pairs']:,} sentence pairs, {facts['dissimilar']:,} left out; "
        f"{facts['phrase_pairs']:,} phrase pairs, {facts['dissimilar_phrases']:,} left out"
    )
    outputs = model.nbest(data.sources).best()
    bleu, pinc = scores(outputs, data)
    copies = sum(one == other for one, other in zip(data.sources, outputs, strict=True))
    print(f"{DRAWN} sentences: BLEU {bleu:.2f}, PINC {pinc:.2f}, {copies} unchanged")
    counts = show_labels(outputs, data, to_read, show_all=options.sentences)
    print(f"\n{READ} fresh sentences:")
    unread = model.nbest(fresh.sources).best()
    everything = list(range(READ))
    fresh_counts = show_labels(unread, fresh, everything, show_all=options.sentences, first=DRAWN)
    former = train(videos, "former", MOSES_ORDER, min_similarity=0, significance="off").generator
    curves = compare_curves(model, former, data)
    objective = tuned_objective(model, development)
    searched = search(model, data.sources, objective, settings=SETTINGS)
    compared = compare_search(outputs, searched.texts, data)
    means = searched.start_terms.mean(axis=0), searched.end_terms.mean(axis=0)
    for name, before, after in zip(searched.terms, *means, strict=True):
        print(f"{name}: {before:.2f} to {after:.2f}")
    found = show_labels(searched.texts, data, to_read, show_all=options.sentences)
    print(f"\n{READ} fresh sentences, with search:")
    texts = search(model, fresh.sources, objective, settings=SETTINGS).texts
    fresh_found = show_labels(texts, fresh, everything, show_all=options.sentences, first=DRAWN)
    record = {
        "bleu": bleu,
        "pinc": pinc,
        "copies": copies,
        "labels": counts,
        "curves": curves,
        "objective": objective.label,
        "compared": compared,
        "search_labels": found,
        "fresh_labels": fresh_counts,
        "fresh_search_labels": fresh_found,
    }
    (RESULTS / "paraphrase_reading.json").write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
