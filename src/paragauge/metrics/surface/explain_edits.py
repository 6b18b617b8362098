"""Explain a translation edit rate: the shifts and edits that turn the candidate into the reference."""

from __future__ import annotations

from dataclasses import replace

from paragauge.metrics.maxsim.explain import check_sentences
from paragauge.metrics.surface.edit_explanation import EditExplanation
from paragauge.metrics.ter import TER
from paragauge.metrics.wording.plain_sentences import UNSAID, TwoSentences, join_words
from paragauge.text.wording import pluralize


def explain_edits(metric: TER, candidate: str, reference: str) -> EditExplanation:
    """The explanation of a candidate with one reference.

    >>> explanation = explain_edits(TER(), "on the mat the cat sat", "the cat sat on a mat")
    >>> explanation.counts, round(explanation.value, 2)
    ({'shifts': 1, 'replacements': 1, 'insertions': 0, 'deletions': 0}, 33.33)
    """
    check_sentences(candidate=candidate, reference=reference)
    edits = metric.edits(candidate, reference)
    explanation = EditExplanation(
        metric.name,
        float(metric.segments([candidate], references=[[reference]], threads=1)[0]),
        metric.signature,
        UNSAID,
        candidate,
        reference,
        edits.candidate,
        edits.reference,
        edits.shifts,
        edits.steps,
    )
    return _with_summary(explanation)


def _with_summary(explanation: EditExplanation) -> EditExplanation:
    counts = explanation.counts
    edits = [
        f"{verb} {pluralize(counts[kind], noun, nouns)}"
        for kind, verb, noun, nouns in (
            ("shifts", "move", "run of words", "runs of words"),
            ("replacements", "replace", "word", "words"),
            ("insertions", "insert", "word", "words"),
            ("deletions", "delete", "word", "words"),
        )
        if counts[kind]
    ]
    first = (
        f"To turn the candidate into the reference one must {join_words(edits)}."
        if edits
        else "The candidate is the reference already: nothing must be edited."
    )
    size = len(explanation.reference)
    second = (
        f"That makes {pluralize(explanation.edits, 'edit')} for a reference of "
        f"{pluralize(size, 'word')}: TER {explanation.value:.0f}, where 0 is best and lower is better."
    )
    return replace(explanation, summary=TwoSentences(first, second))
