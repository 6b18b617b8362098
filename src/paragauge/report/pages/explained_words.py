"""The words of any explanation, marked and linked in one way for all metrics."""

from __future__ import annotations

from collections.abc import Iterable

from paragauge.metrics.context.explanation import ContextExplanation, Match
from paragauge.metrics.context.piece_words import CutText
from paragauge.metrics.maxsim.explanation import Explanation, Link, word_part
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.surface.edit_explanation import EditExplanation
from paragauge.metrics.surface.ngram_explanation import NgramExplanation
from paragauge.metrics.wording.marked_words import MarkedText, MarkedWord, MarkKind, mark_equal_words
from paragauge.report.pages.explanation_page import Explained

# Words whose vectors are less alike than this have no partner.
ALIKE = 0.5


def explained_words(explanation: Explained) -> tuple[MarkedText, ...]:
    """The texts of an explanation with what the metric makes of their words.

    >>> from paragauge import MaxSim
    >>> texts = explained_words(MaxSim().explain("A big dog", "The large dogs"))
    >>> [(word.text, word.kind, word.groups) for word in texts[0].words]
    [('A', 'similar', (1,)), ('big', 'similar', (2,)), ('dog', 'similar', (0,))]
    """
    if isinstance(explanation, NgramExplanation | EditExplanation):
        return explanation.words
    if isinstance(explanation, PEMExplanation):
        return mark_equal_words(
            explanation.candidate,
            [explanation.source],
            (explanation.candidate_surface, explanation.source_surface),
            ["source"],
        )
    if isinstance(explanation, ContextExplanation):
        return _context_words(explanation.similarity or explanation)
    return _matched_words(explanation)


def _matched_words(explanation: Explanation) -> tuple[MarkedText, ...]:
    part = word_part(explanation)
    links: tuple[Link, ...] = () if part is None else part.links
    sides: list[dict[int, MarkedWord]] = [{}, {}]
    mine, theirs = explanation.candidate, explanation.reference
    for number, link in enumerate(links):
        ours, other = mine[link.candidate].text, theirs[link.reference].text
        kind: MarkKind = "kept" if ours.lower() == other.lower() else "similar"
        sides[0][link.candidate] = MarkedWord(ours, kind, (number,), link.why)
        sides[1][link.reference] = MarkedWord(other, kind, (number,), link.why)
    return (
        MarkedText(
            "candidate",
            tuple(sides[0].get(i, MarkedWord(word.text, "new")) for i, word in enumerate(mine)),
        ),
        MarkedText(
            explanation.other,
            tuple(sides[1].get(i, MarkedWord(word.text, "missing")) for i, word in enumerate(theirs)),
        ),
    )


def _context_words(explanation: ContextExplanation) -> tuple[MarkedText, ...]:
    """Each word of the candidate linked to its nearest one, if that is near enough."""
    mine, theirs = explanation.candidate, explanation.other
    if explanation.matchings:
        pairs = _nearest(explanation.matchings[0].matches, mine, theirs)
    else:
        best: dict[int, tuple[int, float]] = {}
        for pair in explanation.pairs:  # those that add most come first
            if pair.candidate is not None and pair.other is not None:
                best.setdefault(pair.candidate, (pair.other, 1.0))
        pairs = [(word, other, cosine) for word, (other, cosine) in best.items()]
    kinds: list[dict[int, MarkKind]] = [{}, {}]
    groups: list[dict[int, list[int]]] = [{}, {}]
    notes: dict[int, str] = {}
    for word, other, cosine in pairs:
        same = mine.words[word].text.lower() == theirs.words[other].text.lower()
        if not same and cosine < ALIKE:
            continue
        kind: MarkKind = "kept" if same else "similar"
        kinds[0][word] = kind
        if kinds[1].get(other) != "kept":
            kinds[1][other] = kind
        groups[0].setdefault(word, []).append(other)
        groups[1].setdefault(other, [other])
        if explanation.matchings:
            notes[word] = f"most like {theirs.words[other].text}, {cosine:.2f}"
    texts = []
    for side, (role, text, alone) in enumerate(
        (("candidate", mine, "new"), (theirs.role, theirs, "missing"))
    ):
        words = tuple(
            MarkedWord(
                word.text,
                kinds[side].get(number, "new" if alone == "new" else "missing"),
                tuple(groups[side].get(number, ())),
                notes.get(number, "") if side == 0 else "",
            )
            for number, word in enumerate(text.words)
        )
        texts.append(MarkedText(role, words))
    return tuple(texts)


def _nearest(matches: Iterable[Match], mine: CutText, theirs: CutText) -> list[tuple[int, int, float]]:
    """For each word of the candidate the word of the other text that one of its pieces is most like."""
    best: dict[int, tuple[int, float]] = {}
    for match in matches:
        word, other = mine.pieces[match.piece].word, theirs.pieces[match.partner].word
        if word is None or other is None:
            continue
        if word not in best or match.cosine > best[word][1]:
            best[word] = (other, match.cosine)
    return [(word, other, cosine) for word, (other, cosine) in best.items()]
