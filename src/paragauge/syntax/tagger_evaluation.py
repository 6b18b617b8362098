"""Evaluate a tagger on tagged sentences: accuracy, known and unknown words, confusions."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from paragauge.errors import InputError
from paragauge.syntax.perceptron import PerceptronTagger, join_words
from paragauge.syntax.sentence import Sentence


@dataclass(frozen=True)
class TaggerTest:
    """Counts of words; `confusions` are (right tag, tag given, times), the most frequent first.

    A known word was common in training. `seconds` is what tagging took on one thread.
    """

    tagger: str
    sentences: int
    words: int
    correct: int
    known: int
    known_correct: int
    confusions: tuple[tuple[str, str, int], ...]
    seconds: float

    @property
    def accuracy(self) -> float:
        """Share of words with the right tag."""
        return self.correct / self.words

    @property
    def known_accuracy(self) -> float | None:
        """The same among known words, None if there are none."""
        return self.known_correct / self.known if self.known else None

    @property
    def unknown_accuracy(self) -> float | None:
        """The same among unknown words, None if there are none."""
        unknown = self.words - self.known
        return (self.correct - self.known_correct) / unknown if unknown else None


def measure_tagger(tagger: PerceptronTagger, sentences: Iterable[Sentence]) -> TaggerTest:
    """Tag the sentences' words, on one thread, and compare with their tags.

    >>> sentence = Sentence(("She", "left"), ("PRP", "JJ"))
    >>> measured = measure_tagger(PerceptronTagger.default(), [sentence])
    >>> measured.accuracy, measured.confusions
    (0.5, (('JJ', 'VBD', 1),))
    """
    corpus = list(sentences)
    right = [tag for sentence in corpus for tag in sentence.tags]
    if not right:
        raise InputError("expected tagged sentences to test on, found no words")
    lines = join_words([sentence.words for sentence in corpus])
    start = time.perf_counter()
    tags = tagger.tag_lines(lines, threads=1)
    seconds = time.perf_counter() - start
    assigned = [tagger.names[i] for i in tags.ids.tolist()]
    known = tagger.known(lines).ids.tolist()
    equal = [a == b for a, b in zip(right, assigned, strict=True)]
    wrong = Counter((a, b) for a, b in zip(right, assigned, strict=True) if a != b)
    return TaggerTest(
        tagger.name,
        len(corpus),
        len(right),
        sum(equal),
        sum(known),
        sum(a and bool(b) for a, b in zip(equal, known, strict=True)),
        tuple((*pair, n) for pair, n in sorted(wrong.items(), key=lambda item: (-item[1], item[0]))),
        seconds,
    )
