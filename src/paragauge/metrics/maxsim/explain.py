"""Explain the MAXSIM score of two sentences: which items match which, in which phase, and why.

The kernels that score also return the links (`kernels/reference/matching/maxsim.py` and `soft.py` are
their specification); this module turns their numbers back into words and adds the reason for each link.
The metric itself computes the value, so it equals that of `segments`. Time: twice that of scoring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from paragauge.errors import ShapeError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.metrics.character_ngrams import LETTERS
from paragauge.metrics.maxsim.explanation import PHASES, Explanation, Item, Link, Part
from paragauge.metrics.maxsim.reasons import Side, gram_reason, relation_reason, soft_reason
from paragauge.metrics.maxsim.similarity import (
    GRAPH,
    Arcs,
    WeightedWords,
    WordSimilarity,
    line_arcs,
    plain_words,
    relation_edges,
    tabulate,
)
from paragauge.metrics.maxsim.words import weigh_alike
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import normalize_text

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.metric import MaxSim, MaxSimDep
    from paragauge.metrics.maxsim.soft import MaxSimSoft

GRAMS = {1: "unigrams", 2: "bigrams", 3: "trigrams"}


def explain(metric: MaxSim, candidate: str, reference: str) -> Explanation:
    """Explain the score of a candidate with one reference.

    >>> from paragauge import MaxSim
    >>> explanation = explain(MaxSim(), "A big dog barked.", "The large dogs were barking.")
    >>> [(part.title, len(part.links), part.match) for part in explanation.parts]
    [('unigrams', 4, 3.5), ('bigrams', 2, 1.5), ('trigrams', 1, 0.6666666666666666)]
    >>> explanation.parts[0].links[2]
    Link(phase='graph', candidate=0, reference=0, weight=0.5, why='tags equal', similarity=None)
    """
    check_sentences(candidate=candidate, reference=reference)
    candidate, reference = (normalize_text(text, metric.normalize) for text in (candidate, reference))
    with metric.lock:
        return _explain_analyzed(metric, candidate, reference)


def check_sentences(**sentences: str) -> None:
    """Refuse what is not one sentence; the names are those in the error.

    >>> check_sentences(candidate=["a"])
    Traceback (most recent call last):
    paragauge.errors.ShapeError: candidate: expected one sentence, found list; ...
    """
    for what, text in sentences.items():
        if not isinstance(text, str):
            raise ShapeError(
                f"{what}: expected one sentence, found {type(text).__name__}; explain one pair at a "
                "time"
            )


def _explain_analyzed(metric: MaxSim, candidate: str, reference: str) -> Explanation:
    batch = Batch.of({"": [candidate]}, references=[reference])
    analyses = metric.analyses(batch, "")
    mine, theirs = (
        Side.of(metric, text, analysis)
        for text, analysis in zip((candidate, reference), analyses, strict=True)
    )
    values = metric.part_values(batch, "")[0]
    parts = metric.explain_parts(mine, theirs)
    value = float(metric.segment_values(metric.batch_stats(batch, ""))[0])
    return Explanation(
        metric=metric.name,
        value=None if np.isnan(value) else value,
        signature=metric.signature,
        candidate_text=candidate,
        reference_text=reference,
        candidate=mine.words,
        reference=theirs.words,
        parts=set_values(metric, parts, values),
    )


def set_values(metric: MaxSim, parts: Sequence[Part], values: Floats) -> tuple[Part, ...]:
    """The parts with their values, from 0 to 1 or NaN, and their shares of the score."""
    shares = np.nan_to_num(metric.part_shares(~np.isnan(values)[None])[0])
    return tuple(
        _set_value(part, value, share)
        for part, value, share in zip(parts, values.tolist(), shares.tolist(), strict=True)
    )


def _set_value(part: Part, value: float, share: float) -> Part:
    if np.isnan(value):
        return replace(part, value=None, weight=share, note="neither side has any")
    return replace(part, value=100 * value, weight=share)


def _part(name: str, title: str) -> Part:
    return Part(name, title, None, 0.0)


def explain_similar_ngrams(
    metric: MaxSim,
    words: tuple[WeightedWords, WeightedWords],
    texts: tuple[Sequence[str], Sequence[str]],
    table: Floats,
) -> list[Part]:
    """The links of the n-grams of two sentences under a table of similarities, one part for each n."""
    mine, theirs = words
    rows, links, weights, _ = _native.similar_ngrams(
        (*mine, None), (*theirs, None), table.ravel(), metric.order, metric.phase_flags, True, 1
    )
    parts = []
    for n, (match, own, other) in enumerate(rows.reshape(metric.order, 3).tolist(), 1):
        gram_links = []
        for (order, phase, i, j), weight in zip(links.tolist(), weights.tolist(), strict=True):
            if order != n:
                continue
            name = PHASES[phase - 1]
            pairs = [(i + k, j + k) for k in range(n)]
            similarity = sum(float(table[pair]) for pair in pairs) / n if name == "graph" else 1.0
            why = "lemmas and tags equal" if name == "tag" else "lemmas equal"
            if name == "graph" and n == 1:
                why = "same word" if texts[0][i].lower() == texts[1][j].lower() else "similar words"
            elif name == "graph":
                why = ", ".join(f"{texts[0][a]}/{texts[1][b]} {table[a, b]:.2f}" for a, b in pairs)
            gram_links.append(Link(name, i, j, weight, why, similarity))
        parts.append(
            replace(
                _part(f"F{n}", GRAMS.get(n, f"{n}-grams")),
                match=match,
                candidate=own,
                reference=other,
                candidate_items=_grams(texts[0], n),
                reference_items=_grams(texts[1], n),
                links=tuple(gram_links),
            )
        )
    return parts


def _grams(texts: Sequence[str], n: int) -> tuple[Item, ...]:
    return tuple(Item(tuple(texts[i : i + n])) for i in range(len(texts) - n + 1))


def explain_similar_relations(
    arcs: tuple[Arcs, Arcs],
    items: tuple[tuple[Item, ...], tuple[Item, ...]],
    texts: tuple[Sequence[str], Sequence[str]],
    table: Floats,
) -> Part:
    """The links of the relations of two sentences under a table of similarities of words."""
    mine, theirs = arcs
    edges = relation_edges(mine, theirs, table)
    column, other_column = (plain_words(np.array([size])) for size in edges.shape)
    rows, links, weights, _ = _native.similar_ngrams(
        (*column, None), (*other_column, None), edges.ravel(), 1, GRAPH, True, 1
    )
    relation_links = []
    for (_, _, i, j), weight in zip(links.tolist(), weights.tolist(), strict=True):
        pairs = ((int(mine[k][i]), int(theirs[k][j])) for k in (0, 2))
        compared = ", ".join(f"{texts[0][a]}/{texts[1][b]} {table[a, b]:.2f}" for a, b in pairs)
        relation_links.append(Link("graph", i, j, weight, f"types equal, {compared}", weight))
    match, own, other = rows[0].tolist()
    return replace(
        _part("relations", "relations"),
        match=match,
        candidate=own,
        reference=other,
        candidate_items=items[0],
        reference_items=items[1],
        links=tuple(relation_links),
    )


def _tabulate_sides(similarity: WordSimilarity, mine: Side, theirs: Side) -> Floats:
    return tabulate(similarity, mine.words, theirs.words, "the pair")


def explain_ngrams(metric: MaxSim, mine: Side, theirs: Side) -> list[Part]:
    """The links of the n-grams, one part for each n."""
    if metric.similarity is not None:
        return explain_similar_ngrams(
            metric,
            (weigh_alike(mine.analysis), weigh_alike(theirs.analysis)),
            (mine.texts, theirs.texts),
            _tabulate_sides(metric.similarity, mine, theirs),
        )
    table = mine.analysis.table
    rows, links, _ = _native.maxsim_ngrams(
        (*mine.analysis.words(), None),
        (*theirs.analysis.words(), None),
        (table.sets.ids, table.sets.offsets),
        metric.order,
        metric.phase_flags,
        metric.outside == "synonym",
        True,
        1,
    )
    parts = []
    for n, (units, own, other) in enumerate(rows.reshape(metric.order, 3).tolist(), 1):
        gram_links = tuple(
            Link(name, i, j, weight / (2 * n), gram_reason(metric, mine, theirs, (i, j), n, name))
            for order, phase, i, j, weight in links.tolist()
            if order == n and (name := PHASES[phase - 1])
        )
        parts.append(
            replace(
                _part(f"F{n}", GRAMS.get(n, f"{n}-grams")),
                match=units / (2 * n),
                candidate=own,
                reference=other,
                candidate_items=mine.grams(n),
                reference_items=theirs.grams(n),
                links=gram_links,
            )
        )
    return parts


def explain_relations(metric: MaxSimDep, mine: Side, theirs: Side) -> Part:
    """The links of the dependency relations."""
    if metric.similarity is not None:
        return explain_similar_relations(
            (
                line_arcs(mine.analysis, metric.relations)[0],
                line_arcs(theirs.analysis, metric.relations)[0],
            ),
            (
                mine.relations(metric.relations, words_only=True),
                theirs.relations(metric.relations, words_only=True),
            ),
            (mine.texts, theirs.texts),
            _tabulate_sides(metric.similarity, mine, theirs),
        )
    table = mine.analysis.table
    left, right = mine.analysis.triples(metric.relations), theirs.analysis.triples(metric.relations)
    rows, links, _ = _native.maxsim_relations(
        (*left, None),
        (*right, None),
        (table.sets.ids, table.sets.offsets),
        metric.relations_outside == "synonym",
        True,
        1,
    )
    units, own, other = rows[0].tolist()
    relation_links = []
    for _, phase, i, j, weight in links.tolist():
        children, parents = ((int(left[k][i]), int(right[k][j])) for k in (0, 2))
        why = relation_reason(metric, mine, children, parents)
        relation_links.append(Link(PHASES[phase - 1], i, j, weight / 3, why))
    return replace(
        _part("relations", "relations"),
        match=units / 3,
        candidate=own,
        reference=other,
        candidate_items=mine.relations(metric.relations),
        reference_items=theirs.relations(metric.relations),
        links=tuple(relation_links),
    )


def explain_soft_words(metric: MaxSimSoft, mine: Side, theirs: Side) -> list[Part]:
    """The links of the soft matching, and the parts that follow from them."""
    table = mine.analysis.table
    left, right = metric.weigh_words(mine.analysis), metric.weigh_words(theirs.analysis)
    rows, pairs, similarities, _ = _native.soft_words(
        (*left, None),
        (*right, None),
        (table.sets.ids, table.sets.offsets),
        (table.texts.buffer, table.texts.spans),
        *metric.degrees,
        True,
        1,
    )
    matched, own, other, count, chunks, moved = rows[0].tolist()
    links = []
    for (i, j), similarity in zip(pairs.tolist(), similarities.tolist(), strict=True):
        weight = similarity * min(float(left[2][i]), float(right[2][j]))
        differ = bool(left[1][i] != right[1][j])
        why = soft_reason(metric, mine, theirs, (i, j), similarity, differ=differ)
        links.append(Link("soft", i, j, weight, why, similarity))
    words = replace(
        _part("soft", "soft words"),
        match=matched,
        candidate=own,
        reference=other,
        candidate_items=mine.grams(1),
        reference_items=theirs.grams(1),
        links=tuple(links),
    )
    runs = f"{count:.0f} link{'s' * (count != 1)} in {chunks:.0f} chunk{'s' * (chunks != 1)}"
    apart = f"mean distance {moved / count:.3f}" if count else "no links"
    return [
        words,
        replace(_part("order", "order"), note=runs),
        replace(_part("near", "near"), note=apart),
        replace(_part("letters", "letters"), note=f"character 1- to {LETTERS}-grams"),
    ]
