"""The parts of a PEM explanation as text, for a terminal of about 100 columns.

Long lists are shortened and say how many more there are; `PEMExplanation.record` has everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.metrics.pem.explanation_parts import FluencyView, Gram, Overlap, Phrase
from paragauge.text.terminal_columns import align_columns, width

GRAMS, EDGES = 8, 4
COLUMNS = 96
LONGEST = 38  # of an n-gram or phrase, in columns


def network_lines(side: str, phrases: Sequence[Phrase]) -> list[str]:
    """The phrases of a sentence with their translations."""
    lines = [f"  {side}" + ("" if phrases else ": no words")]
    room = COLUMNS - 2 - max((width(_shorten(phrase.surface)) for phrase in phrases), default=0)
    rows = [[_shorten(phrase.surface), _edges(phrase, room)] for phrase in phrases]
    return lines + [f"    {line}" for line in (align_columns("ll", rows) if rows else [])]


def _edges(phrase: Phrase, room: int) -> str:
    """The most probable translations, as many as there is room for."""
    if not phrase.known:
        return "(not in the table: stays as it is)"
    if not phrase.edges:
        return "(no translation: the network is cut)"
    translations = [f"{_shorten(edge.text)} {edge.probability:.2f}" for edge in phrase.edges[:EDGES]]
    while len(translations) > 1 and width(" | ".join([*translations, "… 10 more"])) > room:
        translations.pop()
    return " | ".join([*translations, *_count_more(len(phrase.edges) - len(translations))])


def overlap_lines(overlap: Overlap) -> list[str]:
    """What two bags share, and what was lost and added."""
    lines = [f"  shared {overlap.shared_weight:.2f}" + (":" if overlap.shared else "")]
    if overlap.shared:
        rows = [["", "shared", "source", "candidate"]]
        for gram in overlap.shared[:GRAMS]:
            weights = (gram.shared, gram.source, gram.candidate)
            rows.append([_shorten(gram.shown), *(f"{weight:.2f}" for weight in weights)])
        lines += [f"    {line}" for line in align_columns("lrrr", rows)]
        lines += [f"    {line}" for line in _count_more(len(overlap.shared) - GRAMS)]
    lines += _unshared_lines(
        "lost", "source", overlap.lost, overlap.source_weight - overlap.shared_weight
    )
    whole = overlap.candidate_weight - overlap.shared_weight
    return lines + _unshared_lines("added", "candidate", overlap.added, whole)


def _unshared_lines(verb: str, side: str, grams: Sequence[Gram], whole: float) -> list[str]:
    """What is lost or added: the excess weight of shared n-grams, and the n-grams of one side only."""
    own = sum(gram.source + gram.candidate for gram in grams)
    parts = [f"{whole - own:.2f} of shared ones"] if whole - own >= 0.005 else []
    parts += [f"{own:.2f} of these, in the {side} only:"] if grams else []
    texts = [
        f"{_shorten(gram.shown)} {gram.source + gram.candidate:.2f}" for gram in grams[: 2 * GRAMS]
    ]
    texts += _count_more(len(grams) - 2 * GRAMS)
    title = f"  {verb} {whole:.2f}" + (": " if parts else "") + ", ".join(parts)
    return [title, *(f"    {line}" for line in _wrap(texts, " | "))]


def fluency_lines(fluency: FluencyView) -> list[str]:
    """The tokens with their probabilities."""
    rows = [["token", "log10 P", "n-gram", ""]]
    for token in fluency.tokens:
        backed = f"backs off from {token.possible}" if token.matched < token.possible else ""
        note = "unknown word" if token.unknown else backed
        rows.append([_shorten(token.surface), f"{token.log10:.2f}", str(token.matched), note])
    title = f"fluency: {fluency.value:.2f}, perplexity {fluency.perplexity:.1f}"
    unknown = f", {fluency.unknown} unknown" if fluency.unknown else ""
    return [title + unknown, *(f"  {line}" for line in align_columns("lrrl", rows))]


def _count_more(count: int) -> list[str]:
    return [f"… {count} more"] if count > 0 else []


def _shorten(text: str) -> str:
    """The text, shortened to `LONGEST` columns."""
    if width(text) <= LONGEST:
        return text
    start = ""
    for character in text:
        if width(start + character) >= LONGEST:
            break
        start += character
    return start + "…"


def wrap_sentence(sentence: str) -> list[str]:
    """A sentence in lines of at most `COLUMNS` columns, unless one of its words is longer.

    >>> wrap_sentence("It rains.")
    ['It rains.']
    """
    return _wrap([_shorten(word) for word in sentence.split(" ")], "")


def _wrap(texts: Sequence[str], between: str) -> list[str]:
    """The texts in order, in lines of at most `COLUMNS` columns."""
    lines: list[str] = []
    for place, text in enumerate(texts, 1):
        item = text + (between.rstrip() if place < len(texts) else "")
        if lines and width(lines[-1]) + 1 + width(item) <= COLUMNS:
            lines[-1] += f" {item}"
        else:
            lines.append(item)
    return lines
