"""Paraphrasers trained on 1, 5, 10 and all parallel descriptions of videos: Chen and Dolan (2011).

Section 5.1: English-to-English phrase-based systems with the default settings of Moses. "As more
training pairs are used, the model produces more varied sentences (PINC) but preserves the meaning less
well (BLEU)" (figure 3); table 2 has examples of the output of the first and the last system. Here the
systems are ours, with Moses' default settings and weights, trained on pairs made as `paragauge collect
export pairs` makes them; BLEU has all descriptions of the video as references, the source among them.
Of the points in figure 3, whose values the paper does not print, only the order is compared.

The settings are the defaults of `paragauge generate train phrase`. Those that Moses does not have
(sentence pairs and phrase pairs that an encoder finds unlike are left out, and phrase pairs that occur
once or not more often than by chance; phrases keep their order) can be changed: `--unfiltered` has the
former defaults for msvd, which keep all sentence pairs and all phrase pairs that occur twice, and
reorder as Moses does. With `--min-count 1` as well the first system
makes the most mistakes and has less BLEU than the next, and with a language model of each different
sentence once (`--lm-distinct`) more data makes the later systems better instead of bolder.

`--any-details` keeps phrase pairs that differ in details (`filters/phrase_details.py`).

    python -m benchmarks.papers.msvd_systems [--any-details | --unfiltered] [--min-count 1]
        [--lm-distinct]

Training and decoding take some minutes; the models go to build/bench/msvd_systems.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmarks.data.generation_data import MOSES_ORDER
from benchmarks.data.msvd_data import Videos, read_videos
from benchmarks.papers.msvd_human import PAPER, batches
from benchmarks.race import RESULTS
from paragauge import BLEU, PINC
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import PhraseSettings
from paragauge.generate.train import PhraseTraining, train_phrases
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import ScoreSheet, score_batches
from paragauge.report.drawing.plots import plane_plot
from paragauge.report.drawing.save import save_plot
from paragauge.text.batch import Batch
from paragauge.text.bitext import Bitext

PARALLEL = {"1": 1, "5": 5, "10": 10, "all": None}
MODELS = RESULTS / "msvd_systems"
METRICS: dict[str, Metric] = {"bleu": BLEU(), "pinc": PINC()}
# The original sentences of table 2.
TABLE_2 = (
    "a bunny is cleaning its paw",
    "a man fires a revolver",
    "a big turtle is walking",
    "a guy is doing a flip over a park bench",
    "milk is being poured into a mixer",
    "children are practicing baseball",
    "a boy is doing karate",
    "a woman is browning pork in a pan",
    "a player scores in a basketball game",
)
EXAMPLES = 6


def system(
    videos: Videos, name: str, settings: PhraseTraining, decoding: PhraseSettings
) -> PhraseBased:
    """One paraphraser, trained."""
    start = time.perf_counter()
    sources, targets = videos.pairs(PARALLEL[name])
    bitext = Bitext.of(sources, targets, empty="skip")
    trained = train_phrases(bitext, MODELS / name, settings, decoding=decoding)
    pairs, phrases = trained.facts["sentence_pairs"], trained.facts["phrase_pairs"]
    seconds = time.perf_counter() - start
    print(f"trained on {name}: {pairs:,} pairs, {phrases:,} phrase pairs, {seconds:.0f} s", flush=True)
    return trained.generator


def show_scores(sheet: ScoreSheet, human: ScoreSheet, names: Sequence[str]) -> list[dict[str, object]]:
    """Figure 3 as a table, with the scores of people."""
    print("\n| parallel sentences | BLEU | PINC |\n|---|---:|---:|")
    rows: list[dict[str, object]] = []
    for name in names:
        bleu, pinc = sheet[name, "bleu"], sheet[name, "pinc"]
        print(
            f"| {name} | {bleu.value:.2f} [{bleu.low:.2f}, {bleu.high:.2f}] "
            f"| {pinc.value:.2f} [{pinc.low:.2f}, {pinc.high:.2f}] |"
        )
        rows.append(
            {
                "system": name,
                "bleu": [bleu.value, bleu.low, bleu.high],
                "pinc": [pinc.value, pinc.low, pinc.high],
            }
        )
    bleu, pinc = human["human", "bleu"], human["human", "pinc"]
    print(
        f"| people | {bleu.value:.2f} [{bleu.low:.2f}, {bleu.high:.2f}] "
        f"| {pinc.value:.2f} [{pinc.low:.2f}, {pinc.high:.2f}] |"
    )
    print(f"| people, in the paper | {PAPER['bleu']} | {PAPER['pinc']} |")
    rows.append(
        {
            "system": "people",
            "bleu": [bleu.value, bleu.low, bleu.high],
            "pinc": [pinc.value, pinc.low, pinc.high],
        }
    )
    return rows


def show_examples(systems: Mapping[str, PhraseBased], sources: Sequence[str]) -> list[list[str]]:
    """Table 2: the output of the first and the last system."""
    outputs = [systems[name].nbest(list(sources)).best() for name in ("1", "all")]
    print("\n| original sentence | trained on 1 parallel sentence | on all |\n|---|---|---|")
    rows = [list(row) for row in zip(sources, *outputs, strict=True)]
    for row in rows:
        print(f"| {' | '.join(row)} |")
    return rows


def monotone(sheet: ScoreSheet, names: Sequence[str]) -> bool:
    """Whether PINC rises and BLEU falls from each system to the next."""
    bleu = [sheet[name, "bleu"].value for name in names]
    pinc = [sheet[name, "pinc"].value for name in names]
    falls = all(a > b for a, b in itertools.pairwise(bleu))
    return falls and all(a < b for a, b in itertools.pairwise(pinc))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--min-count", type=int, default=2, help="of phrase pairs; default 2")
    parser.add_argument("--lm-distinct", action="store_true", help="each different sentence once")
    parser.add_argument("--unfiltered", action="store_true", help="all sentence and phrase pairs")
    parser.add_argument("--any-details", action="store_true", help="phrase pairs of any details")
    options = parser.parse_args()
    settings = PhraseTraining(min_count=options.min_count, lm_repeats=not options.lm_distinct)
    decoding = MOSES_ORDER if options.unfiltered else PhraseSettings()
    if options.any_details:
        settings = replace(settings, keep_details=False)
    if options.unfiltered:
        settings = replace(settings, min_similarity=0, significance="off")
    videos = read_videos()
    sources, references = videos.segments()
    count = sum(len(cluster.sentences) for cluster in videos.train)
    print(f"{count:,} sentences for training (paper: 28,785), {len(sources):,} for testing (3,367)")
    shutil.rmtree(MODELS, ignore_errors=True)
    MODELS.mkdir(parents=True)
    systems = {name: system(videos, name, settings, decoding) for name in PARALLEL}
    start = time.perf_counter()
    outputs = {name: generator.nbest(sources).best() for name, generator in systems.items()}
    speed = len(outputs) * len(sources) / (time.perf_counter() - start)
    names = list(systems)
    sheet = score_batches([Batch.of(outputs, sources=sources, references=references)], METRICS)
    # A description cannot be among its own references: for people the source is left out.
    human = score_batches(batches([cluster.texts for cluster in videos.test]), METRICS)
    rows = show_scores(sheet, human, names)
    trade = monotone(sheet, names)
    print(
        f"\nmore parallel sentences: PINC rises and BLEU falls at each step: {'yes' if trade else 'NO'}"
    )
    print(f"{speed:,.0f} sentences a second on all threads")
    table_2 = show_examples(systems, TABLE_2)
    changed = [
        i for i, text in enumerate(sources) if len({text, *(outputs[n][i] for n in ("1", "all"))}) == 3
    ]
    step = max(1, len(changed) // EXAMPLES)
    more = show_examples(systems, [sources[i] for i in changed[::step][:EXAMPLES]])
    usual = settings == PhraseTraining()
    flags = (options.lm_distinct, options.unfiltered, options.any_details)
    changed_settings = (options.min_count, *map(int, flags))
    title = "_".join(["msvd_systems", *([] if usual else map(str, changed_settings))])
    plot = plane_plot(
        [f"{name} parallel" for name in names],
        [sheet[name, "pinc"].value for name in names],
        [sheet[name, "bleu"].value for name in names],
        titles=("PINC: wording changed →", "BLEU: meaning kept →"),
        replicates=[(sheet.resampled[name, "pinc"], sheet.resampled[name, "bleu"]) for name in names],
    )
    save_plot(plot, RESULTS / f"{title}.svg")
    results = {
        "rows": rows,
        "monotone": trade,
        "table_2": table_2,
        "examples": more,
        "train": count,
        "test": len(sources),
    }
    (RESULTS / f"{title}.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if usual and not trade:
        raise SystemExit("the trade-off of the paper was not found")


if __name__ == "__main__":
    main()
