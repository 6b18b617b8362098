"""Data shared by the experiments on tuning and search: a model, and sentences with references.

Microsoft video descriptions, by the corpus's own division of videos: the model is trained on its first
part, with one parallel description of each sentence as `paragauge collect export pairs` draws it; the
second part is for development and the third for testing. No video is in two parts. An experiment that
needs another set withholds every third video of the first part from training.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from benchmarks.papers.msvd_human import clusters
from benchmarks.race import DATA
from paragauge.collect.corpus.clusters import Cluster, Sentence
from paragauge.collect.corpus.export_pairs import make_pairs, pick_references
from paragauge.generate.phrase_based import PhraseBased
from paragauge.generate.phrase_settings import PhraseSettings
from paragauge.generate.train import PhraseTraining, train_phrases
from paragauge.text.bitext import Bitext

FOLDER = DATA / "msvd"
SEED = 7
LEAST = 5  # references of a source
SHARES = ("used", "withheld")
# All sentence and phrase pairs: settings of training that Moses has.
MOSES = PhraseTraining(
    min_count=1,
    min_similarity=0,
    significance="off",
    lm_repeats=False,
    lm_discount_fallback=False,
)
MOSES_ORDER = PhraseSettings(distortion=6)


@dataclass(frozen=True)
class Segments:
    """Sources, and the references of each."""

    sources: list[str]
    references: list[list[str]]

    def __len__(self) -> int:
        return len(self.sources)


def videos(part: str) -> dict[str, list[str]]:
    """The descriptions of each video of train, val or test, or of a share of train."""
    if part not in SHARES:
        return clusters(FOLDER / f"{part}.tsv.gz")
    every = enumerate(clusters(FOLDER / "train.tsv.gz").items())
    return dict(item for number, item in every if (number % 3 == 0) == (part == "withheld"))


def train_model(folder: Path, part: str = "train") -> PhraseBased:
    """A phrase-based model with Moses' default settings and weights."""
    if not FOLDER.is_dir():
        raise SystemExit(f"{FOLDER}: no such folder; set PARAGAUGE_DATA to the folder with msvd/")
    training_pairs: list[tuple[str, str]] = []
    for video, texts in videos(part).items():
        cluster = Cluster(video, tuple(Sentence(video, text) for text in texts))
        training_pairs += make_pairs(cluster, 1, SEED)
    bitext = Bitext.of(
        [source for source, _ in training_pairs], [target for _, target in training_pairs]
    )
    return train_phrases(bitext, folder, MOSES, decoding=MOSES_ORDER).generator


def segments(part: str, of_each: int) -> Segments:
    """A number of sentences of each video, drawn at random, with all its other descriptions."""
    rng = random.Random(SEED)
    drawn = Segments([], [])
    for texts in videos(part).values():
        if len(texts) <= LEAST:
            continue
        for own in rng.sample(range(len(texts)), of_each):
            drawn.sources.append(texts[own])
            drawn.references.append(pick_references(texts, own))
    return drawn


def compressions(part: str, of_each: int, low: float, high: float) -> Segments:
    """The longest sentences of each video, with those that are `low` to `high` times as long."""
    chosen = Segments([], [])
    for texts in videos(part).values():
        longest = sorted(set(texts), key=lambda text: (-len(text.split()), text))
        count = 0
        for source in longest:
            words = len(source.split())
            short = [text for text in texts if low <= len(text.split()) / words <= high]
            if len(short) >= LEAST and count < of_each:
                chosen.sources.append(source)
                chosen.references.append(short)
                count += 1
    return chosen
