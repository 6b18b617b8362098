"""Race: METEOR of every segment, against NLTK's.

NLTK gets tokenized text. It reads WordNet from Princeton's files, those of Debian's package
wordnet-base; without them there is no race. The two do not compute the same thing: NLTK takes the
last free word that matches instead of looking for the fewest crossings, and passes stems to WordNet. So
they are first compared where nothing is ambiguous: sentences without a repeated word, without stems
and synonyms.

    python -m benchmarks.races.meteor [pairs]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from nltk.translate.meteor_score import single_meteor_score

from benchmarks.data.corpus import pairs
from benchmarks.data.nltk_wordnet import FILES, available, nltk_reader
from benchmarks.race import race, report, require_equal
from paragauge import METEOR, tokenize


class Nothing:
    """A stemmer and a WordNet that know nothing, for NLTK."""

    def stem(self, word: str) -> str:
        """The word itself."""
        return word

    def synsets(self, word: str) -> list[object]:  # noqa: ARG002  # NLTK's interface
        """None."""
        return []


def check(candidates: list[str], references: list[str]) -> None:
    """Equal scores where nothing is ambiguous."""
    metric, nothing, compared = METEOR(stages="exact"), Nothing(), 0
    ours = metric.segments(candidates, references=references)
    tokens = [tokenize(texts, case="lower") for texts in (candidates, references)]

    for value, candidate, reference in zip(ours, *tokens, strict=True):
        if len(set(candidate)) == len(candidate) and len(set(reference)) == len(reference):
            theirs = single_meteor_score(reference, candidate, stemmer=nothing, wordnet=nothing)
            require_equal("METEOR", float(value), 100 * theirs, 1e-9)
            compared += 1
    print(f"Equal: {compared:,} pairs without repeated words.\n")


def main(count: int) -> None:
    if not available(FILES):
        print(f"No race: it needs NLTK (pip install nltk) and Princeton's files in {FILES}.")
        return
    candidates, references = map(list, zip(*pairs(count), strict=True))
    check(candidates, references)
    left, right = tokenize(candidates), tokenize(references)
    metric = METEOR()
    with tempfile.TemporaryDirectory() as folder:
        reader = nltk_reader(FILES, Path(folder))
        results = [
            race(
                f"METEOR, threads {threads}",
                "NLTK",
                count,
                theirs=lambda: [
                    single_meteor_score(reference, candidate, wordnet=reader)
                    for candidate, reference in zip(left, right, strict=True)
                ],
                ours=lambda threads=threads: metric.segments(
                    candidates, references=references, threads=threads
                ),
            )
            for threads in (1, 2)
        ]
    report("meteor", results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
