"""Explain a score of MAXSIM in context: which words match which, in which layer, by how much.

The matching is that of the metric, with its links; the value equals that of `segments`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.context.pair_vectors import open_with_layers
from paragauge.metrics.maxsim.context_pairs import ContextLine, shared_names, word_cosines
from paragauge.metrics.maxsim.explain import (
    check_sentences,
    explain_similar_ngrams,
    explain_similar_relations,
    set_values,
)
from paragauge.metrics.maxsim.explanation import Explanation, Part, Word
from paragauge.metrics.maxsim.reasons import Side
from paragauge.metrics.maxsim.similarity import line_arcs
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import normalize_text

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.context import MaxSimContext

ONE_SIDE = "one side has no words"


def explain_context(metric: MaxSimContext, candidate: str, other: str) -> Explanation:
    """Explain the score of a candidate with one reference or source."""
    role = metric.against.removesuffix("s")
    check_sentences(**{"candidate": candidate, role: other})
    candidate, other = (normalize_text(text, metric.normalize) for text in (candidate, other))
    batch = Batch.of({"": [candidate]}, **{metric.against: [other]}, threads=1, several=False)
    with metric.lock:
        encoder = open_with_layers(f"{metric.name} layers", metric.encoder, metric.layer_numbers())
        lines = metric.read_lines(encoder, Lines.of([candidate, other]), 1)
        pairs = lines.compare(Lines.of([candidate]), Lines.of([other]))
        mine, theirs = lines.by_text[candidate], lines.by_text[other]
        sides = None
        words = _plain_words(mine), _plain_words(theirs)
        if pairs.analyses is not None:
            own, their = pairs.analyses
            sides = Side.of(metric, candidate, own), Side.of(metric, other, their)
            words = sides[0].words, sides[1].words
        weighted = metric.weigh_words(pairs)
        cosines = word_cosines(mine, theirs)
        parts: list[Part] = []
        for layer, table in zip(metric.layer_numbers(), cosines, strict=True):
            similarities = metric.rescale(table)
            matched = explain_similar_ngrams(metric, weighted, (mine.words, theirs.words), similarities)
            if sides is not None and metric.parser != "none":
                arcs = [line_arcs(side.analysis, metric.relations)[0] for side in sides]
                items = [side.relations(metric.relations, words_only=True) for side in sides]
                matched.append(
                    explain_similar_relations(
                        (arcs[0], arcs[1]),
                        (items[0], items[1]),
                        (mine.words, theirs.words),
                        similarities,
                    )
                )
            parts += [
                replace(part, name=f"{part.name}@{layer}", title=f"{part.title} in layer {layer}")
                for part in matched
            ]
        for layer, table in zip(metric.layer_numbers(), cosines, strict=True):
            title = f"weakest words in layer {layer}"
            parts.append(
                Part(f"weakest@{layer}", title, None, 0.0, note=_describe_weakest(mine, theirs, table))
            )
        note = "cosine of the sentence vectors" if mine.words and theirs.words else ONE_SIDE
        parts.append(Part("sentence", "sentence", None, 0.0, note=note))
        parts.append(Part("names", "names", None, 0.0, note=_describe_names(mine, theirs, role)))
        values = metric.pair_parts(pairs, 1)[0]
        value = float(metric.segment_values(metric.batch_stats(batch, ""))[0])
    return Explanation(
        metric=metric.name,
        value=None if np.isnan(value) else value,
        signature=metric.signature,
        candidate_text=candidate,
        reference_text=other,
        candidate=words[0],
        reference=words[1],
        parts=tuple(replace(part, other=role) for part in set_values(metric, parts, values)),
        other=role,
    )


def _plain_words(line: ContextLine) -> tuple[Word, ...]:
    """Words that nothing has tagged."""
    return tuple(Word(word, word.lower(), "") for word in line.words)


def _describe_weakest(mine: ContextLine, theirs: ContextLine, table: Floats) -> str:
    """The word of each side that is least like its best partner."""
    if table.size == 0:
        return ONE_SIDE
    row, column = int(table.max(axis=1).argmin()), int(table.max(axis=0).argmin())
    sides = (
        (mine.words[row], theirs.words[int(table[row].argmax())], table[row].max()),
        (theirs.words[column], mine.words[int(table[:, column].argmax())], table[:, column].max()),
    )
    return "; ".join(f"{word} (best: {best} {cosine:.2f})" for word, best, cosine in sides)


def _describe_names(mine: ContextLine, theirs: ContextLine, role: str) -> str:
    """Which names both have, and which only one."""
    if not mine.words or not theirs.words:
        return ONE_SIDE
    common, own, other = shared_names(mine, theirs)
    groups = {"both": common, "candidate only": own - common, f"{role} only": other - common}
    listed = "; ".join(f"{what}: {_list(names)}" for what, names in groups.items() if names)
    return listed or "neither side has any, so none is lost"


def _list(names: Counter[str]) -> str:
    return ", ".join(sorted(names.elements()))
