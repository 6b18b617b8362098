"""Explain the scores of metrics that count shared n-grams: BLEU, PINC and what is made of them.

Each explanation's value is that of the metric's own `segments`; tests compare the two for random
texts, so that the counts here and the kernels' cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from paragauge.lexicon.stems import stem
from paragauge.metrics.base import Metric
from paragauge.metrics.bleu import BLEU, same_bleu
from paragauge.metrics.combined.bleu_pinc import SentencePair
from paragauge.metrics.ibleu import IBLEU
from paragauge.metrics.pinc import PINC, novelty
from paragauge.metrics.precis import PRECIS
from paragauge.metrics.surface.ngram_counts import GramComparison, Totals, word_levels
from paragauge.metrics.surface.ngram_explanation import Factor, GramPart, NgramExplanation
from paragauge.metrics.surface.token_texts import shown_words
from paragauge.metrics.target_f1 import TargetF1
from paragauge.metrics.wording.marked_words import MarkedText, mark_equal_words
from paragauge.metrics.wording.plain_sentences import (
    TwoSentences,
    describe_overlap,
    describe_shared,
    of_hundred,
)
from paragauge.text.tokenizers import Case, Tokenizer, normalize_text, tokenize
from paragauge.text.wording import pluralize

NgramMetric = BLEU | PINC | IBLEU | PRECIS | TargetF1 | SentencePair


class Wording:
    """The words of a candidate and of the texts that it is compared with, as a metric reads them."""

    def __init__(
        self,
        candidate: str,
        others: Sequence[str],
        tokenizer: Tokenizer,
        case: Case,
        stemmer: str | None = None,
    ) -> None:
        texts = [candidate, *others]
        words = tokenize(texts, tokenizer, case=case, threads=1)
        if stemmer is not None:
            words = [stem(line, stemmer) for line in words]
        self.candidate, *self.others = words
        self.shown = [
            shown_words(text, line, tokenizer) for text, line in zip(texts, words, strict=True)
        ]

    def marks(self, role: str) -> tuple[MarkedText, ...]:
        """The words of the candidate and of all other texts, equal ones linked."""
        count = len(self.others)
        roles = [role] if count == 1 else [f"{role} {number}" for number in range(1, count + 1)]
        return mark_equal_words(self.candidate, self.others, self.shown, roles)


def explain_ngrams(
    metric: NgramMetric, candidate: str, sources: Sequence[str], references: Sequence[str]
) -> NgramExplanation:
    """The explanation of one candidate; the texts that the metric does not need may be empty.

    >>> print(explain_ngrams(PINC(order=1), "a man is shooting", ["a man fires"], ["unused"]))
    PINC 50.00
    <BLANKLINE>
    The candidate keeps 2 of the 3 words of the source, leaves out “fires” and adds “is” and “shooting”.
    PINC is the share of words that the source does not have: 50 of 100, where 0 is a copy.
    <BLANKLINE>
    candidate  a man is shooting
    source     a man fires
    <BLANKLINE>
    PINC with the source: 50.00; runs of words or characters, and what one adds (+) or costs (-)
              kept  new  missing  one kept  one new  one missing
      1 word     2    2        1    -25.00   +25.00        +0.00
      1 word kept: a | man
      1 word new: is | shooting
      1 word missing: fires
    <BLANKLINE>
    PINC|order:1|count:set|short:skip|sources:mean|tok:13a|case:mixed|scale:100|v:...
    """
    explainers: dict[type, Callable[..., NgramExplanation]] = {
        BLEU: _explain_bleu,
        PINC: _explain_pinc,
        IBLEU: _explain_ibleu,
        PRECIS: _explain_precis,
        TargetF1: _explain_target,
        SentencePair: _explain_combined,
    }
    (explainer,) = (one for kind, one in explainers.items() if isinstance(metric, kind))
    candidate, *others = (
        normalize_text(text, metric.normalize) for text in (candidate, *sources, *references)
    )
    return explainer(metric, candidate, others[: len(sources)], others[len(sources) :])


def _explain_bleu(
    metric: BLEU, candidate: str, sources: list[str], references: list[str]
) -> NgramExplanation:
    others = [*references, *(sources if metric.source == "include" else [])]
    role = "reference" if metric.source == "exclude" else "references and source"
    compared, wording = _compare_bleu(metric, candidate, others, role)
    value, facts = compared.value, _bleu_parts(metric, compared.totals, len(wording.candidate))
    whose = f"that the {_plural(role, others)} {'has' if len(others) == 1 else 'have'} too"
    score = f"BLEU rewards {_runs(metric.order)} {whose}: {of_hundred(value)}"
    cost = 100 * (1 - facts["brevity_penalty"])
    # A candidate without a match scores 0 whatever its length.
    if value and cost >= 0.5:
        score += f", {cost:.0f} % less than if it were not shorter"
    factors = [
        Factor(f"precision of {order} word{'s' * (order > 1)}", facts[f"precision{order}"], "% kept")
        for order in range(1, metric.order + 1)
    ]
    factors.append(
        Factor(
            "brevity penalty",
            facts["brevity_penalty"],
            f"factor; {facts['candidate_length']:.0f} words against {facts['reference_length']:.0f}",
        )
    )
    return _explanation(
        metric,
        value,
        TwoSentences(_shared(wording, role), f"{score}."),
        _texts(candidate, sources if metric.source == "include" else [], references),
        factors,
        [compared.as_part(lambda changed: changed)],
        wording.marks(role),
    )


def _explain_pinc(
    metric: PINC, candidate: str, sources: list[str], references: list[str]
) -> NgramExplanation:
    del references
    compared, wording = _compare_pinc(metric, candidate, sources)
    score = (
        f"PINC is the share of {_runs(metric.order)} that the source does not have: "
        f"{of_hundred(compared.value)}, where 0 is a copy."
    )
    return _explanation(
        metric,
        compared.value,
        TwoSentences(_shared(wording, "source"), score),
        _texts(candidate, sources, []),
        [],
        [compared.as_part(lambda changed: changed)],
        wording.marks("source"),
    )


def _explain_ibleu(
    metric: IBLEU, candidate: str, sources: list[str], references: list[str]
) -> NgramExplanation:
    bleu, alpha = same_bleu(metric), metric.alpha
    wanted, wording = _compare_bleu(bleu, candidate, references, "reference")
    copied, copy_wording = _compare_bleu(bleu, candidate, sources, "source")
    values = wanted.value, copied.value

    def whole(rewarded: float, punished: float) -> float:
        return alpha * rewarded - (1 - alpha) * punished

    value = whole(*values)
    score = (
        f"iBLEU rewards what the candidate shares with the {_plural('reference', references)} (BLEU "
        f"{values[0]:.0f}) and takes away for what it copies from the {_plural('source', sources)} "
        f"(BLEU {values[1]:.0f}): {of_hundred(value)}."
    )
    return _explanation(
        metric,
        value,
        TwoSentences(_shared(copy_wording, "source"), score),
        _texts(candidate, sources, references),
        [
            Factor("BLEU with the reference", values[0], f"times {alpha:g}"),
            Factor("BLEU with the source", values[1], f"times {-(1 - alpha):g}"),
        ],
        [
            wanted.as_part(lambda changed: whole(changed, values[1])),
            copied.as_part(lambda changed: whole(values[0], changed)),
        ],
        (*wording.marks("reference"), *copy_wording.marks("source")[1:]),
    )


def _explain_precis(
    metric: PRECIS, candidate: str, sources: list[str], references: list[str]
) -> NgramExplanation:
    compared, wording = _compare_bleu(same_bleu(metric), candidate, references, "reference")
    texts = {"sources": [sources], "references": [references]}
    parts = metric.parts(metric.stats([candidate], **texts, threads=1)[0])
    penalty, rate = parts["verbosity_penalty"], parts["compression_rate"]
    value = compared.value * penalty
    size = f"{100 * rate:.0f} % as long as the source" if np.isfinite(rate) else "longer than nothing"
    cost = f"which costs {100 * (1 - penalty):.0f} %" if penalty < 0.995 else "which costs nothing"
    score = (
        f"PRÉCIS is BLEU with the {_plural('reference', references)} ({compared.value:.0f}); the "
        f"candidate is {size} where at most {100 * metric.ratio:.0f} % is asked for, {cost}: "
        f"{of_hundred(value)}."
    )
    return _explanation(
        metric,
        value,
        TwoSentences(_shared(wording, "reference"), score),
        _texts(candidate, sources, references),
        [
            Factor("BLEU", compared.value, "with the reference"),
            Factor("verbosity penalty", penalty, f"factor; {size}"),
        ],
        [compared.as_part(lambda changed: changed * penalty)],
        wording.marks("reference"),
    )


def _explain_target(
    metric: TargetF1, candidate: str, sources: list[str], references: list[str]
) -> NgramExplanation:
    del references
    wording = Wording(candidate, sources, metric.tokenize, metric.case, metric.stem)

    def value_of(totals: Totals) -> float:
        both = float(totals.mine.sum() + totals.theirs.sum())
        return 200 * float(totals.matches.sum()) / both if both else 100.0

    levels = word_levels(wording.candidate, wording.others, metric.order)
    compared = GramComparison("TargetF1", "source", levels, 0.0, value_of)
    score = (
        f"TargetF1 measures how much of the wording, in {_runs(metric.order)}, is the same: "
        f"{of_hundred(compared.value)}, where less is newer."
    )
    return _explanation(
        metric,
        compared.value,
        TwoSentences(
            describe_overlap(wording.candidate, wording.others[0], "source", wording.shown[0]), score
        ),
        _texts(candidate, sources, []),
        [],
        [compared.as_part(lambda changed: changed)],
        wording.marks("source"),
    )


def _explain_combined(
    metric: SentencePair, candidate: str, sources: list[str], references: list[str]
) -> NgramExplanation:
    novel, wording = _compare_pinc(metric.pinc(), candidate, sources)
    marks = wording.marks("source")
    kept = metric.adequacy_metric
    comparison = None
    if isinstance(kept, BLEU):
        others = [*references, *(sources if kept.source == "include" else [])]
        role = "reference" if kept.source == "exclude" else "references and source"
        comparison, with_references = _compare_bleu(kept, candidate, others, role)
        adequacy = comparison.value
        marks = (*marks, *with_references.marks(role)[1:])
    else:
        texts = {"sources": [sources], "references": [references]}
        given = {name: groups for name, groups in texts.items() if name in kept.needs}
        adequacy = float(kept.segments([candidate], **given, threads=1)[0])

    def whole(kept_value: float, new_value: float) -> float:
        return float(metric.combine(np.array([kept_value]), np.array([new_value]))[0])

    value = whole(adequacy, novel.value)
    score = (
        f"{metric.name} takes the meaning kept from {kept.name} ({adequacy:.0f}) and the new wording "
        f"from PINC ({novel.value:.0f}); together they give {of_hundred(value)}."
    )
    parts = [novel.as_part(lambda changed: whole(adequacy, changed))]
    if comparison is not None:
        parts.insert(0, comparison.as_part(lambda changed: whole(changed, novel.value)))
    return _explanation(
        metric,
        value,
        TwoSentences(_shared(wording, "source"), score),
        _texts(candidate, sources, references if "references" in metric.needs else []),
        [
            Factor(kept.name, adequacy, "meaning kept, of 100"),
            Factor("PINC", novel.value, "new wording, of 100"),
        ],
        parts,
        marks,
    )


def _compare_bleu(
    metric: BLEU, candidate: str, others: list[str], role: str
) -> tuple[GramComparison, Wording]:
    wording = Wording(candidate, others, metric.tokenize, metric.case)
    length = len(wording.candidate)
    lengths = [len(other) for other in wording.others]
    closest = min(lengths, key=lambda other: (abs(other - length), other))
    other_length = min(lengths) if metric.ref_length == "shortest" else closest

    def value_of(totals: Totals) -> float:
        row = np.concatenate([[length, totals.other_length], totals.matches, totals.mine])
        return float(metric.segment_values(row[None])[0])

    levels = word_levels(wording.candidate, wording.others, metric.order)
    return GramComparison("BLEU", role, levels, other_length, value_of), wording


def _bleu_parts(metric: BLEU, totals: Totals, length: int) -> dict[str, float]:
    return metric.parts(np.concatenate([[length, totals.other_length], totals.matches, totals.mine]))


def _compare_pinc(metric: PINC, candidate: str, sources: list[str]) -> tuple[GramComparison, Wording]:
    wording = Wording(candidate, sources, metric.tokenize, metric.case)

    def value_of(totals: Totals) -> float:
        new = totals.mine - totals.matches
        return 100.0 * float(novelty(new[None], totals.mine[None], metric.short)[0])

    distinct = metric.count == "set"
    levels = word_levels(wording.candidate, wording.others, metric.order, distinct=distinct)
    return GramComparison("PINC", "source", levels, 0.0, value_of), wording


def _explanation(
    metric: Metric,
    value: float,
    summary: TwoSentences,
    texts: dict[str, str],
    factors: list[Factor],
    parts: list[GramPart],
    words: tuple[MarkedText, ...],
) -> NgramExplanation:
    known = None if np.isnan(value) else value
    return NgramExplanation(
        metric.name,
        known,
        metric.signature,
        summary,
        texts,
        tuple(factors),
        tuple(parts),
        words,
    )


def _texts(candidate: str, sources: list[str], references: list[str]) -> dict[str, str]:
    """The texts by role, numbered if there are several of a kind."""
    texts = {"candidate": candidate}
    for role, lines in (("source", sources), ("reference", references)):
        for number, line in enumerate(lines, 1):
            texts[role if len(lines) == 1 else f"{role} {number}"] = line
    return texts


def _shared(wording: Wording, role: str) -> str:
    return describe_shared(wording.candidate, wording.others, role)


def _plural(role: str, texts: Sequence[str]) -> str:
    return role if len(texts) == 1 or " and " in role else f"{role}s"


def _runs(order: int) -> str:
    return "words" if order == 1 else f"words and runs of up to {pluralize(order, 'word')}"
