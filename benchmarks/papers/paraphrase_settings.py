"""Settings of the phrase-based paraphraser, one changed at a time, on development sentences.

    python -m benchmarks.papers.paraphrase_settings [SETTING ...]

The defaults of `paragauge generate train phrase` were chosen on these sentences, except for the rule
about persons, which was added when outputs for the test part had been read (`paraphrase_reading.py`).
150 videos of the training part are withheld, the model is trained on the others with 5 parallel
sentences each, and 300 descriptions of the withheld ones are paraphrased. BLEU has all descriptions as
references, the source too, so a copy has 100: look at BLEU and PINC together. "Adequacy" is
`adequacy-context`.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path

from benchmarks.data.msvd_data import Videos, read_videos
from benchmarks.race import RESULTS
from paragauge import BLEU, PINC, metric
from paragauge.generate.phrase_settings import PhraseSettings
from paragauge.generate.train import PhraseTraining, train_phrases
from paragauge.text.bitext import Bitext

DEFAULT = PhraseTraining(aligner="systran")
TRIED: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "defaults": ({}, {}),
    "distortion 2": ({}, {"distortion": 2}),
    "distortion 6": ({}, {"distortion": 6}),
    "all phrase pairs": (
        {"min_phrase_similarity": 0, "keep_persons": False, "keep_details": False},
        {},
    ),
    "phrase similarity 50": ({"min_phrase_similarity": 50}, {}),
    "phrase similarity 70": ({"min_phrase_similarity": 70}, {}),
    "any persons": ({"keep_persons": False}, {}),
    "any details": ({"keep_details": False}, {}),
    "similarity 80": ({"min_similarity": 80}, {}),
    "min count 3": ({"min_count": 3}, {}),
    "language model of order 5": ({"lm_order": 5}, {}),
}
WITHHELD, DRAWN, SEED = 150, 300, 11


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("settings", nargs="*", metavar="SETTING", help=f"of: {', '.join(TRIED)}")
    names = parser.parse_args().settings or list(TRIED)
    if unknown := [name for name in names if name not in TRIED]:
        raise SystemExit(f"unknown setting '{unknown[0]}'; known: {', '.join(TRIED)}")
    clusters = read_videos().train
    rng = random.Random(SEED)
    withheld = set(rng.sample(range(len(clusters)), WITHHELD))
    videos = Videos(
        [cluster for number, cluster in enumerate(clusters) if number not in withheld],
        [cluster for number, cluster in enumerate(clusters) if number in withheld],
    )
    all_sources, all_references = videos.segments()
    drawn = rng.sample(range(len(all_sources)), DRAWN)
    sources = [all_sources[number] for number in drawn]
    references = [all_references[number] for number in drawn]
    bitext = Bitext.of(*videos.pairs(5), empty="skip")
    adequacy = metric("adequacy-context")
    print("| settings | phrase pairs | BLEU | PINC | adequacy | unchanged |")
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    rows = []
    for name in names:
        training, decoding = TRIED[name]
        with tempfile.TemporaryDirectory() as folder:
            trained = train_phrases(
                bitext,
                Path(folder, "model"),
                DEFAULT,
                decoding=PhraseSettings.from_record(decoding),
                **training,
            )
            outputs = trained.generator.nbest(sources).best()
        row = {
            "settings": name,
            "phrase_pairs": trained.facts["phrase_pairs"],
            "bleu": BLEU().score(outputs, references=references).value,
            "pinc": PINC().score(outputs, sources=sources).value,
            "adequacy": adequacy.score(outputs, sources=sources).value,
            "unchanged": sum(one == other for one, other in zip(sources, outputs, strict=True)),
        }
        print(
            f"| {name} | {row['phrase_pairs']:,} | {row['bleu']:.2f} | {row['pinc']:.2f} | "
            f"{row['adequacy']:.2f} | {row['unchanged']} |",
            flush=True,
        )
        rows.append(row)
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "paraphrase_settings.json").write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
