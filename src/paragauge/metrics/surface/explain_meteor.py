"""Explain a METEOR score: which word goes with which, by what stage, and in how many chunks.

The alignment is the one that the metric counts (`meteor_links` searches as `meteor_alignments`
does). The score is the F-mean of the matched words less the penalty for their order:

    score = 100 Fmean - 100 Fmean gamma (chunks / matches)^beta

A chunk is a run of matched words that are neighbors, in the same order, on both sides.
"""

from __future__ import annotations

from collections import Counter

from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.metrics.maxsim.explain import check_sentences
from paragauge.metrics.maxsim.explanation import Explanation, Item, Link, Part, Word
from paragauge.metrics.meteor import METEOR
from paragauge.metrics.surface.token_texts import shown_words
from paragauge.metrics.wording.plain_sentences import TwoSentences, join_words, of_hundred, quote_words
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import normalize_text, tokenize
from paragauge.text.vocabulary import Vocabulary
from paragauge.text.wording import pluralize

WHY = {"exact": "the same word", "stem": "the same stem", "synonym": "synonyms"}
HOW = {"exact": "as the same word", "stem": "by its stem", "synonym": "as a synonym"}


def explain_meteor(metric: METEOR, candidate: str, reference: str) -> Explanation:
    """The explanation of a candidate with one reference.

    >>> explanation = explain_meteor(METEOR(), "a large dog ran", "the big dog was running")
    >>> [link.why for link in explanation.parts[0].links]
    ['synonyms, chunk 1', 'the same word, chunk 1', 'synonyms, chunk 2']
    >>> print(explanation.summary)
    METEOR finds a partner in the reference for 3 of the 4 words of the candidate: 1 as the same ...
    """
    check_sentences(candidate=candidate, reference=reference)
    candidate, reference = (normalize_text(text, metric.normalize) for text in (candidate, reference))
    mine, theirs = tokenize([candidate, reference], metric.tokenize, case=metric.case, threads=1)
    vocabulary = Vocabulary()
    mine_ids, their_ids = (
        vocabulary.encode(Lines.of([text]), metric.tokenize, case=metric.case, threads=1).ids
        for text in (candidate, reference)
    )
    stages = [(rows.ids, rows.offsets) for rows in metric.stage_keys(vocabulary, 1)]
    links = _native.meteor_links(mine_ids, their_ids, stages, metric.beam)
    names = [name for name in WHY if name in metric.stages.split("+")]
    chunks = _number_chunks(links)
    stats = metric.stats([candidate], references=[[reference]], threads=1)[0]
    parts = metric.parts(stats)
    value = float(metric.segment_values(stats[None])[0])
    fmean = _fmean(metric, parts)
    shown = [
        shown_words(text, words, metric.tokenize)
        for text, words in ((candidate, mine), (reference, theirs))
    ]
    matched = tuple(
        Link(
            names[int(stage)],
            number,
            int(place),
            1.0,
            f"{WHY[names[int(stage)]]}, chunk {chunks[number]}",
        )
        for number, (place, stage) in enumerate(links.tolist())
        if place >= 0
    )
    count, runs = int(parts["matches"]), int(parts["chunks"])
    words = Part(
        "words",
        "words",
        fmean if mine or theirs else None,
        1.0,
        match=float(count),
        candidate=float(len(mine)),
        reference=float(len(theirs)),
        candidate_items=tuple(Item((word,)) for word in shown[0]),
        reference_items=tuple(Item((word,)) for word in shown[1]),
        links=matched,
        note=f"weighted mean of P and R, R with weight {metric.alpha:g}",
    )
    formula = f"{metric.gamma:g} × ({runs} / {count})^{metric.beta:g} of it"
    order = Part(
        "order",
        "word order",
        value - fmean,
        1.0,
        note=f"{pluralize(runs, 'chunk')} of {pluralize(count, 'word')}: {formula}"
        if count
        else "no matched words",
    )
    sides = [tuple(Word(text, text.lower(), "") for text in texts) for texts in shown]
    return Explanation(
        metric=metric.name,
        value=value,
        signature=metric.signature,
        candidate_text=candidate,
        reference_text=reference,
        candidate=sides[0],
        reference=sides[1],
        parts=(words, order),
        summary=_summarize(words, runs, parts["penalty"], value),
    )


def _fmean(metric: METEOR, parts: dict[str, float]) -> float:
    precision, recall = parts["precision"], parts["recall"]
    below = metric.alpha * precision + (1 - metric.alpha) * recall
    return precision * recall / below if below else 0.0


def _number_chunks(links: Ints) -> list[int]:
    """The number of the chunk of each word of the candidate, from 1; 0 without a link."""
    numbers, chunk, before = [], 0, -1
    for place in links[:, 0].tolist():
        if place >= 0 and (before < 0 or place != before + 1):
            chunk += 1
        numbers.append(chunk if place >= 0 else 0)
        before = place
    return numbers


def _summarize(words: Part, runs: int, penalty: float, value: float) -> TwoSentences:
    size, count = len(words.candidate_items), len(words.links)
    if not size or not words.reference_items:
        empty = "candidate" if not size else "reference"
        return TwoSentences(
            f"The {empty} has no words.",
            f"METEOR scores shared words, so it gives {of_hundred(value)}.",
        )
    if not count:
        first = "METEOR finds no word of the candidate in the reference, by stem or synonym either."
        return TwoSentences(first, f"Without a shared word it gives {of_hundred(value)}.")
    kinds = Counter(link.phase for link in words.links)
    how = join_words([f"{kinds[kind]} {text}" for kind, text in HOW.items() if kinds[kind]])
    open_words = [str(words.reference_items[place]) for place in words.unmatched[1]]
    lacks = f"; of the reference, {quote_words(open_words)} found none" if open_words else ""
    first = (
        f"METEOR finds a partner in the reference for {count} of the {pluralize(size, 'word')} of the "
        f"candidate: {how}{lacks}."
    )
    cost = f"which costs {100 * penalty:.0f} %" if penalty >= 0.005 else "which costs next to nothing"
    second = (
        f"These words stand in {pluralize(runs, 'unbroken run')} of the same order, {cost}, and the "
        f"score is {of_hundred(value)}."
    )
    return TwoSentences(first, second)
