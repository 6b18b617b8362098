"""Why MAXSIM links two items: the sentences as words, and the reason for each link in words.

The kernels say what is linked and how strongly; the reasons follow from the lemmas, tags and synonyms
of the words alone, by the definitions in `metric.py` and `soft.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.metrics.maxsim.explanation import Item, Word
from paragauge.metrics.maxsim.words import words_of_lines
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.relations import relation_type
from paragauge.text.lines import Lines

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.metric import MaxSim, MaxSimDep
    from paragauge.metrics.maxsim.soft import MaxSimSoft


@dataclass(frozen=True)
class Side:
    """A sentence: its analysis, all its words, and the words to match with their lemmas."""

    analysis: Analysis
    surface: list[str]
    words: tuple[Word, ...]
    lemmas: list[int]

    @classmethod
    def of(cls, metric: MaxSim, text: str, analysis: Analysis) -> Side:
        """The side of a text with this analysis."""
        surface = metric.analyzer.words(text)
        words = words_of_lines(metric.analyzer, Lines.of([text]), analysis)[0]
        lemmas = analysis.words()[0].tolist()
        return cls(analysis, surface, words, lemmas)

    @property
    def texts(self) -> list[str]:
        """The words to match, as the sentence has them."""
        return [word.text for word in self.words]

    def grams(self, n: int) -> tuple[Item, ...]:
        """The n-grams, from left to right."""
        texts = self.texts
        return tuple(Item(tuple(texts[i : i + n])) for i in range(len(texts) - n + 1))

    def relations(self, choice: str, *, words_only: bool = False) -> tuple[Item, ...]:
        """The relations, in the order of `Analysis.triples`; their words may lack letters.

        With `words_only` those of which both words have a letter or digit, as in `line_arcs`.
        """
        analysis = self.analysis
        if analysis.heads is None or analysis.relations is None:
            return ()
        is_word = analysis.table.alphanumeric[analysis.lemmas.ids].tolist()
        items = []
        for child, (head, label) in enumerate(
            zip(analysis.heads.tolist(), analysis.relations.tolist(), strict=True)
        ):
            kind = relation_type(analysis.labels[label], choice)
            if kind is None or head == 0:
                continue
            if not words_only or (is_word[child] and is_word[head - 1]):
                items.append(Item((self.surface[child], self.surface[head - 1]), kind))
        return tuple(items)

    def synonyms(self, lemma: int, other: int) -> bool:
        """Whether two lemmas are synonyms."""
        return self.analysis.table.synonyms(lemma, other)


def gram_reason(
    metric: MaxSim, mine: Side, theirs: Side, starts: tuple[int, int], n: int, phase: str
) -> str:
    """Why two n-grams match; word by word if the graph matched them."""
    if phase != "graph":
        return "lemmas and tags equal" if phase == "tag" else "lemmas equal"
    pairs = [(starts[0] + k, starts[1] + k) for k in range(n)]
    if n == 1:
        return ", ".join(_LONG[reason] for reason in _word_reasons(metric, mine, theirs, *pairs[0]))
    return ", ".join(
        f"{mine.words[i].text}/{theirs.words[j].text} "
        + "+".join(_word_reasons(metric, mine, theirs, i, j))
        for i, j in pairs
    )


_LONG = {
    "lemma": "lemmas equal",
    "synonym": "synonyms",
    "tag": "tags equal",
    "tag (no synonyms)": "tags equal (the lemma has no synonyms)",
}


def _word_reasons(metric: MaxSim, mine: Side, theirs: Side, i: int, j: int) -> list[str]:
    """What makes S of two words greater than 0."""
    equal = mine.lemmas[i] == theirs.lemmas[j]
    known = mine.synonyms(mine.lemmas[i], theirs.lemmas[j])
    counts = known or (equal and metric.outside == "synonym")
    reasons = [("lemma" if equal else "synonym")] if counts else []
    if mine.words[i].tag == theirs.words[j].tag:
        reasons.append("tag (no synonyms)" if equal and not counts else "tag")
    return reasons


def relation_reason(
    metric: MaxSimDep, mine: Side, children: Sequence[int], parents: Sequence[int]
) -> str:
    """Why two relations match, from the lemmas of both children and of both parents."""
    reasons = ["types equal"]
    for what, (a, b) in (("children", children), ("parents", parents)):
        if a == b and (metric.relations_outside == "synonym" or mine.synonyms(a, b)):
            reasons.append(f"{what} equal")
        elif mine.synonyms(a, b):
            reasons.append(f"{what} synonyms")
    return ", ".join(reasons)


def soft_reason(
    metric: MaxSimSoft,
    mine: Side,
    theirs: Side,
    pair: tuple[int, int],
    similarity: float,
    *,
    differ: bool,
) -> str:
    """Why two words are similar; `differ` says that their parts of speech differ."""
    i, j = pair
    lemma, other = mine.lemmas[i], theirs.lemmas[j]
    apart = abs((i + 0.5) / len(mine.words) - (j + 0.5) / len(theirs.words))
    factor = (metric.category if differ else 1.0) * (1 - metric.distance * apart)
    if lemma == other:
        reason = "lemmas equal"
    elif mine.synonyms(lemma, other) and similarity <= factor * metric.synonym + 1e-9:
        reason = "synonyms"
    else:
        reason = "letters alike"  # also for synonyms whose letters are more similar
    return reason + ", other part of speech" * differ
