"""An explanation of a PEM score as text, for a terminal of about 100 columns.

Long lists are cut and say how many more there are; `PEMExplanation.record` has everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paragauge.text.terminal_columns import aligned, width

if TYPE_CHECKING:
    from paragauge.metrics.pem.explanation import Gram, Overlap, PEMExplanation, Phrase

GRAMS, EDGES = 8, 4
COLUMNS = 96
LONGEST = 38  # of an n-gram or phrase, in columns
CHANGE = (
    "Change: the rating predicted, minus that if the feature (or its group) had its mean in training.",
    "It describes the regression and implies no cause; changes do not add up.",
)


def as_text(found: PEMExplanation) -> str:
    """The whole explanation."""
    low, high = found.scale
    rating = f"rating {found.rating:.2f} on a scale of {low:g} to {high:g}"
    blocks = [
        [f"{found.metric} {found.value:.2f} ({rating})"],
        aligned(
            "ll",
            [
                ["source", found.source_text or "(empty)"],
                ["candidate", found.candidate_text or "(empty)"],
            ],
        ),
        _parts(found),
        _influences(found),
    ]
    for pivot in found.pivots:
        blocks.append([f"{pivot.language}: the phrases and their translations"])
        blocks[-1] += _network("source", pivot.source) + _network("candidate", pivot.candidate)
        blocks.append([f"{pivot.language}: n-grams", *_overlap(pivot.overlap)])
    blocks.append(["wording: n-grams of the sentences", *_overlap(found.target)])
    blocks.append(_fluency(found))
    return "\n\n".join("\n".join(block) for block in [*blocks, [found.signature]])


def _parts(found: PEMExplanation) -> list[str]:
    rows = [["part", "value", "P", "R", "shared", "candidate", "source", ""]]
    several = len(found.pivots) > 1
    if several:
        note = f"mean of {len(found.pivots)} pivot languages"
        rows.append(["pivot F1", f"{found.parts['pivot_f1']:.2f}", *[""] * 5, note])
    for pivot in found.pivots:
        title = f"  {pivot.language}" if several else f"pivot F1 ({pivot.language})"
        rows.append([title, *_measured(pivot.overlap), "meaning kept"])
    count = len(found.fluency.tokens)
    note = (
        f"mean ln P of {count} token{'s' * (count != 1)}: {found.fluency.log10:.2f} × ln 10 / {count}"
    )
    rows.append(["fluency", f"{found.fluency.value:.2f}", *[""] * 5, note])
    rows.append(["target F1", *_measured(found.target), "wording kept"])
    return aligned("lrrrrrrl", rows)


def _measured(overlap: Overlap) -> list[str]:
    shares = (overlap.f1, overlap.precision, overlap.recall)
    sums = (overlap.shared_weight, overlap.candidate_weight, overlap.source_weight)
    return [*(f"{100 * each:.2f}" for each in shares), *(f"{each:.2f}" for each in sums)]


def _influences(found: PEMExplanation) -> list[str]:
    def change(value: float) -> list[str]:
        points = [] if found.in_points else [f"{found.points(value):+.2f}"]
        return [f"{value:+.3f}", *points]

    rows = [["feature", "value", "mean", "std. dev.", "change"]]
    rows[0] += [] if found.in_points else ["of 100"]
    features = {each.name: each for each in found.features}
    for group in found.influences:
        if len(group.features) > 1:
            rows.append(
                [f"{group.name} (all {len(group.features)})", "", "", "", *change(group.change)]
            )
        for name in group.features:
            each = features[name]
            title = f"  {name}" if len(group.features) > 1 else name
            numbers = [f"{each.value:.3f}", f"{each.mean:.3f}", f"{each.standard:+.2f}"]
            rows.append([title, *numbers, *change(each.change)])
    usual = f"With all features at their means the rating would be {found.usual:.2f}."
    return [*aligned("lrrrrr"[: len(rows[0])], rows), *CHANGE, usual]


def _network(side: str, phrases: Sequence[Phrase]) -> list[str]:
    lines = [f"  {side}" + ("" if phrases else ": no words")]
    room = COLUMNS - 2 - max((width(_cut(phrase.surface)) for phrase in phrases), default=0)
    rows = [[_cut(phrase.surface), _edges(phrase, room)] for phrase in phrases]
    return lines + [f"    {line}" for line in (aligned("ll", rows) if rows else [])]


def _edges(phrase: Phrase, room: int) -> str:
    """The most probable translations, as many as there is room for."""
    if not phrase.known:
        return "(not in the table: stays as it is)"
    if not phrase.edges:
        return "(no translation: the network is cut)"
    shown = [f"{_cut(edge.text)} {edge.probability:.2f}" for edge in phrase.edges[:EDGES]]
    while len(shown) > 1 and width(" | ".join([*shown, "… 10 more"])) > room:
        shown.pop()
    return " | ".join([*shown, *_more(len(phrase.edges) - len(shown))])


def _overlap(overlap: Overlap) -> list[str]:
    lines = [f"  shared {overlap.shared_weight:.2f}" + (":" if overlap.shared else "")]
    if overlap.shared:
        rows = [["", "shared", "source", "candidate"]]
        for gram in overlap.shared[:GRAMS]:
            weights = (gram.shared, gram.source, gram.candidate)
            rows.append([_cut(gram.text), *(f"{each:.2f}" for each in weights)])
        lines += [f"    {line}" for line in aligned("lrrr", rows)]
        lines += [f"    {each}" for each in _more(len(overlap.shared) - GRAMS)]
    lines += _alone("lost", "source", overlap.lost, overlap.source_weight - overlap.shared_weight)
    whole = overlap.candidate_weight - overlap.shared_weight
    return lines + _alone("added", "candidate", overlap.added, whole)


def _alone(verb: str, side: str, grams: Sequence[Gram], whole: float) -> list[str]:
    """What is lost or added: some weight of n-grams that both have, and those of one side only."""
    own = sum(gram.source + gram.candidate for gram in grams)
    parts = [f"{whole - own:.2f} of shared ones"] if whole - own >= 0.005 else []
    parts += [f"{own:.2f} of these, in the {side} only:"] if grams else []
    texts = [f"{_cut(gram.text)} {gram.source + gram.candidate:.2f}" for gram in grams[: 2 * GRAMS]]
    texts += _more(len(grams) - 2 * GRAMS)
    title = f"  {verb} {whole:.2f}" + (": " if parts else "") + ", ".join(parts)
    return [title, *(f"    {line}" for line in _filled(texts, " | "))]


def _fluency(found: PEMExplanation) -> list[str]:
    fluency = found.fluency
    rows = [["token", "log10 P", "n-gram", ""]]
    for token in fluency.tokens:
        backed = f"backs off from {token.possible}" if token.matched < token.possible else ""
        note = "unknown word" if token.unknown else backed
        rows.append([_cut(token.surface), f"{token.log10:.2f}", str(token.matched), note])
    title = f"fluency: {fluency.value:.2f}, perplexity {fluency.perplexity:.1f}"
    unknown = f", {fluency.unknown} unknown" if fluency.unknown else ""
    return [title + unknown, *(f"  {line}" for line in aligned("lrrl", rows))]


def _more(count: int) -> list[str]:
    return [f"… {count} more"] if count > 0 else []


def _cut(text: str) -> str:
    """The text, cut after `LONGEST` columns."""
    if width(text) <= LONGEST:
        return text
    kept = ""
    for character in text:
        if width(kept + character) >= LONGEST:
            break
        kept += character
    return kept + "…"


def _filled(texts: Sequence[str], between: str) -> list[str]:
    """Texts one after the other, in lines of at most `COLUMNS` columns."""
    lines: list[str] = []
    for place, text in enumerate(texts, 1):
        item = text + (between.rstrip() if place < len(texts) else "")
        if lines and width(lines[-1]) + 1 + width(item) <= COLUMNS:
            lines[-1] += f" {item}"
        else:
            lines.append(item)
    return lines
