"""Explain a chrF score: the runs of characters, and of words for chrF++, that both texts have.

For each length the precision and the recall; their means over the lengths that both texts have give

    chrF = (1 + beta^2) P R / (beta^2 P + R)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.chrf import ChrF
from paragauge.metrics.maxsim.explain import check_sentences
from paragauge.metrics.surface.ngram_counts import GramComparison, Level, Totals, count_ngrams
from paragauge.metrics.surface.ngram_explanation import Factor, NgramExplanation
from paragauge.metrics.wording.marked_words import MarkedText, MarkedWord
from paragauge.metrics.wording.plain_sentences import TwoSentences, describe_overlap, of_hundred

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# A word that is not in the other text is similar if so many of its characters are in shared runs.
RUN, SIMILAR = 3, 0.5


def explain_characters(metric: ChrF, candidate: str, reference: str) -> NgramExplanation:
    """The explanation of a candidate with one reference.

    >>> explanation = explain_characters(ChrF(), "a cat", "a cat sat")
    >>> round(explanation.value, 1), explanation.parts[0].orders[2].listed("missing")
    (48.6, [('ats', 1), ('tsa', 1), ('sat', 1)])
    """
    check_sentences(candidate=candidate, reference=reference)
    mine, theirs = (text.lower() if metric.case == "lower" else text for text in (candidate, reference))
    letters = [text if metric.whitespace else "".join(text.split()) for text in (mine, theirs)]
    words = [_split_punctuation(text) for text in (mine, theirs)]
    levels = tuple(
        Level(size, "character", *_count_both(list(map(list, letters)), size), "")
        for size in range(1, metric.char_order + 1)
    ) + tuple(
        Level(size, "word", *_count_both(words, size)) for size in range(1, metric.word_order + 1)
    )

    def value_of(totals: Totals) -> float:
        return float(metric.segment_values(_row(totals)[None])[0])

    compared = GramComparison(metric.name, "reference", levels, 0.0, value_of)
    shares = metric.parts(_row(compared.totals))
    summary = TwoSentences(
        describe_overlap(mine.split(), theirs.split(), "reference", candidate.split()),
        f"chrF compares runs of up to {metric.char_order} letters, so parts of words count too: "
        f"{of_hundred(compared.value)}.",
    )
    return NgramExplanation(
        metric.name,
        compared.value,
        metric.signature,
        summary,
        {"candidate": candidate, "reference": reference},
        (
            Factor(
                "precision", shares["precision"], "% of the candidate's runs, mean over the lengths"
            ),
            Factor("recall", shares["recall"], "% of the reference's runs, mean over the lengths"),
        ),
        (compared.as_part(lambda value: value),),
        _marks((mine.split(), theirs.split()), (candidate.split(), reference.split())),
    )


def _count_both(
    texts: list[list[str]], size: int
) -> tuple[Counter[tuple[str, ...]], Counter[tuple[str, ...]]]:
    mine, theirs = (count_ngrams(text, size) for text in texts)
    return mine, theirs


def _row(totals: Totals) -> Floats:
    """The metric's statistics: n-grams of the candidate, of the reference and of both, by order."""
    mine = np.where(totals.theirs > 0, totals.mine, 0.0)
    return np.stack([mine, totals.theirs, totals.matches], axis=1).reshape(-1)


def _split_punctuation(text: str) -> list[str]:
    """Words with a mark at one end cut off, as chrF++ counts them."""
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in PUNCTUATION:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def _marks(
    words: tuple[Sequence[str], Sequence[str]], shown: tuple[Sequence[str], Sequence[str]]
) -> tuple[MarkedText, MarkedText]:
    """Both texts; words that the other has not are similar if they share runs of characters."""
    groups = {word: number for number, word in enumerate(dict.fromkeys([*words[0], *words[1]]))}
    texts = []
    for role, own, surface, other, alone in (
        ("candidate", words[0], shown[0], words[1], "new"),
        ("reference", words[1], shown[1], words[0], "missing"),
    ):
        runs = {word[i : i + RUN] for word in other for i in range(len(word) - RUN + 1)}
        marked = []
        for word, text in zip(own, surface if len(surface) == len(own) else own, strict=True):
            if word in other:
                marked.append(MarkedWord(text, "kept", (groups[word],)))
            elif _covered(word, runs) >= SIMILAR:
                marked.append(MarkedWord(text, "similar", (), "shares runs of letters"))
            else:
                marked.append(MarkedWord(text, "new" if alone == "new" else "missing"))
        texts.append(MarkedText(role, tuple(marked)))
    return texts[0], texts[1]


def _covered(word: str, runs: set[str]) -> float:
    """The share of a word's characters that stand in one of the runs."""
    covered = np.zeros(len(word), bool)
    for place in range(len(word) - RUN + 1):
        if word[place : place + RUN] in runs:
            covered[place : place + RUN] = True
    return float(covered.mean())
