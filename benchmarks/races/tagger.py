"""The shipped tagger on treebanks it was not trained on, and spaCy's small pipeline if installed.

Share of words with the right Penn tag, with gold tokens, as they are and in one case only; and words
per second on one thread, the median of several runs over all of ewt-test.

    python -m benchmarks.races.tagger

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from benchmarks.race import DATA, RESULTS, median_time
from paragauge.errors import MissingExtraError, SettingError
from paragauge.syntax.perceptron import ENGLISH, PerceptronTagger, join_words
from paragauge.syntax.protocols import Tagger
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.spacy_pipeline import SpacyPipeline
from paragauge.syntax.tagger_evaluation import measure_tagger
from paragauge.syntax.treebank import read_treebank

FILES = {
    "ewt-dev": "ewt-dev.conllu.gz",
    "ewt-test": "ewt-test.conllu.gz",
    "gum-dev": "gum-dev.trees.tsv.gz",
    "gum-test": "gum-test.trees.tsv.gz",
}
CASES: dict[str, Callable[[str], str]] = {"capitals": str.upper, "small letters": str.lower}
WANTED_ACCURACY = 0.94
WANTED_SPEED = 300_000


def in_case(sentences: Iterable[Sentence], change: Callable[[str], str]) -> list[Sentence]:
    return [Sentence(tuple(map(change, sentence.words)), sentence.tags) for sentence in sentences]


def share(tagger: Tagger, sentences: list[Sentence]) -> float:
    tagged = tagger.tag([sentence.words for sentence in sentences])
    pairs = [
        (a, b)
        for sentence, tags in zip(sentences, tagged, strict=True)
        for a, b in zip(sentence.tags, tags, strict=True)
    ]
    return sum(a == b for a, b in pairs) / len(pairs)


def main() -> None:
    if not DATA.is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    english = PerceptronTagger.default()
    corpora = {name: list(read_treebank(DATA / "treebanks" / file)) for name, file in FILES.items()}
    for case, change in CASES.items():
        corpora[f"ewt-test, {case}"] = in_case(corpora["ewt-test"], change)
    try:
        peer: SpacyPipeline | None = SpacyPipeline.load()
    except (MissingExtraError, SettingError) as error:
        peer = None
        print(f"Without spaCy: {error}\n")
    records = []
    print(f"| data | words | {english.name} | known | unknown | {peer.name if peer else 'spaCy'} |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, sentences in corpora.items():
        quality = measure_tagger(english, sentences)
        theirs = share(peer, sentences) if peer else None
        records.append(
            {
                "data": name,
                "words": quality.words,
                "accuracy": quality.accuracy,
                "known": quality.known_accuracy,
                "unknown": quality.unknown_accuracy,
                "spacy": theirs,
            }
        )
        ours = (quality.accuracy, quality.known_accuracy, quality.unknown_accuracy, theirs)
        cells = " | ".join("-" if value is None else f"{100 * value:.2f}" for value in ours)
        print(f"| {name} | {quality.words:,} | {cells} |")
        if name == "ewt-test" and quality.accuracy < WANTED_ACCURACY:
            raise SystemExit(f"expected {WANTED_ACCURACY:.1%} on {name}, found {quality.accuracy:.2%}")
    sentences = corpora["ewt-test"]
    words = sum(map(len, sentences))
    lines = join_words([sentence.words for sentence in sentences])
    speed = words / median_time(lambda: english.tag_lines(lines, threads=1), 9)
    print(f"\nOne thread, ewt-test: {speed:,.0f} words/s", end="")
    print(f" ({1e6 * 25 / speed:.1f} microseconds for 25 words); wanted {WANTED_SPEED:,}.")
    rates = {"paragauge": speed}
    if peer is not None:
        texts = [sentence.words for sentence in sentences]
        rates["spacy"] = words / median_time(lambda: peer.tag(texts), 1)
        print(f"spaCy: {rates['spacy']:,.0f} words/s.")
    loading = median_time(lambda: PerceptronTagger.load(ENGLISH), 5)
    print(f"Model: {ENGLISH.stat().st_size / 1e6:.2f} MB, loaded in {1000 * loading:.0f} ms.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {"tagger": english.name, "accuracy": records, "words_per_second": rates}
    (RESULTS / "tagger.json").write_text(json.dumps(record, indent=2) + "\n")
    print("\nJSON: build/bench/tagger.json")


if __name__ == "__main__":
    main()
