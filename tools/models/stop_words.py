"""Reconstruct the stop words that ship (`rewrite/thesauri/stop_words.py`) and print them.

    python tools/models/stop_words.py

The text is the Brown corpus, the State of the Union addresses, and news of the BBC and of ABC (files
`brown`, `state_union`, `bbc` and `abc` in `text`), split into Penn tokens and tagged by the shipped
tagger; case is ignored. Of the 4,000 most frequent tokens, the list keeps those that contain a letter,
are not single letters other than *a* and *i*, and have a closed-class tag more than half of the time;
the forms of *be*, *have*, *do* and *not* are added.

The text and the exact rules behind the list were not recorded. These were chosen because they reproduce
it: of all 31 combinations of the five files in `text`, each with or without punctuation among the 4,000
tokens, this one came closest, with only *o* and *&* in excess, which the rules on letters then remove.
So a perfect match is no independent proof of where the list comes from.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import os
import textwrap
from collections import Counter
from pathlib import Path

from paragauge.syntax.perceptron import PerceptronTagger
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize_lines

DATA = Path(os.environ.get("PARAGAUGE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
NAMES = ("abc", "bbc", "brown", "state_union")
FREQUENT = 4_000
CLOSED = set("DT PDT IN CC PRP PRP$ WDT WP WP$ WRB MD RP EX TO".split())  # noqa: SIM905  # shorter
FORMS = (
    "am are be been being is was were 'm 're 's had has have having 'd 've did do does doing done "
    "not n't"
)


def stop_words(data: Path) -> set[str]:
    """The words, from the files of a folder with benchmark data."""
    tagger = PerceptronTagger.default()
    words: Counter[str] = Counter()
    closed: Counter[str] = Counter()
    for name in NAMES:
        with gzip.open(data / "text" / f"{name}.txt.gz", "rt", encoding="utf-8", newline="\n") as file:
            tokens = tokenize_lines(Lines.of([line.rstrip("\n") for line in file]), "penn")
        tags = tagger.tag_lines(tokens)
        is_closed = [tag in CLOSED for tag in tagger.names]
        texts = [word.lower() for line in tokens if line for word in line.split(" ")]
        words.update(texts)
        closed.update(
            word for word, tag in zip(texts, tags.ids.tolist(), strict=True) if is_closed[tag]
        )
    ranked = sorted(words, key=lambda word: (-words[word], word))[:FREQUENT]
    return set(FORMS.split()) | {
        word
        for word in ranked
        if any(map(str.isalpha, word))
        and (len(word) > 1 or word in "ai")
        and 2 * closed[word] > words[word]
    }


if __name__ == "__main__":
    print(textwrap.fill(" ".join(sorted(stop_words(DATA))), 96, break_on_hyphens=False))
