"""Samples of accepted substitutions for blind judgment (Kauchak and Barzilay 2006, section 4.3).

The paper draws 200 substitutions of each method; each example is a reference, a word in it, and the
word of a system's output that replaces it. Judges see them in random order, without the method, and say
whether the substitution is correct in meaning and grammar in the context of the reference.

A *substitution* is a span of a reference and the words that replace it: what several outputs lead to
is one substitution, and it is accepted if it was for any output. Each method's sample is drawn
uniformly from its distinct accepted substitutions. The draw orders all substitutions by a number that
depends only on the seed and the substitution, and each method takes the first: so samples of methods
that accept much the same have much in common, which saves judgments and makes comparisons more exact.
What several methods drew is judged once.

The record has the verdict of every method on every example, so that a filter can also be measured on
the sample of an unfiltered method (table 8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import cast

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.rewrite.random_filter import draw_number
from paragauge.rewrite.rewrite_method import FILTERS, RANDOM, RECOMMENDED, SEPARATOR, RewriteMethod
from paragauge.rewrite.rewriter import ACCEPTED, OUTDONE, REFUSED, UNKNOWN, VERDICTS, Rewriting
from paragauge.rewrite.rewritten_metric import RewrittenMetric
from paragauge.rewrite.rewritten_metric_spec import metric
from paragauge.text.batch import GroupedTexts, Texts
from paragauge.text.lines import LineGroups

COUNT, SEED = 200, 7
# Without a filter, with the recommended one, and with a random one of the same strength.
USUAL = ("wordnet", RECOMMENDED, RANDOM)
NOT_PROPOSED = "not proposed"
# The verdict that stands for several outputs: the first of these.
PRECEDENCE = (ACCEPTED, OUTDONE, REFUSED, UNKNOWN)
Substitution = tuple[int, int, int, int, str]  # segment, reference, first and last token, new words


@dataclass(frozen=True)
class SampledSubstitution:
    """One example: where it is (from 1), its words, the texts with the words in brackets.

    `drawn_by` are the methods in whose samples it is; `verdicts` are those of all methods: accepted,
    refused, unknown, outdone or not proposed.
    """

    key: str
    segment: int
    reference: int
    token: int
    last: int
    old: str
    new: str
    before: str
    after: str
    drawn_by: tuple[str, ...]
    verdicts: Mapping[str, str]


@dataclass(frozen=True)
class SubstitutionSample:
    """The examples in the order in which they are shown, and how many each method had to draw from."""

    rows: tuple[SampledSubstitution, ...]
    accepted: Mapping[str, int]  # distinct accepted substitutions of each method
    proposed: Mapping[str, int]  # and proposals
    signatures: Mapping[str, Mapping[str, str]]
    count: int
    seed: int

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods, in the order in which they were named."""
        return tuple(self.accepted)


@dataclass
class _Pool:
    """The substitutions of one method with their verdicts, and where to see those that it accepts."""

    verdicts: dict[Substitution, int] = field(default_factory=dict)
    place: dict[Substitution, tuple[Rewriting, int]] = field(default_factory=dict)
    signature: Mapping[str, str] = field(default_factory=dict)
    refused_share: float = 0.0


def sample(
    references: GroupedTexts,
    systems: Mapping[str, Texts] | Sequence[Texts],
    methods: Sequence[str | RewriteMethod] = USUAL,
    *,
    count: int = COUNT,
    seed: int = SEED,
    threads: int = 0,
) -> SubstitutionSample:
    """Draw accepted substitutions of several methods, for judges who must not know the method.

    A method is spelled as on the command line, ``context:threshold=-1``. The random filter without a
    threshold refuses as large a share of the proposals as the last method before it that has a filter.

    >>> drawn = sample(["It is hard to say."], [["It is difficult."]], ["wordnet"], count=1)
    >>> drawn.rows[0].before, drawn.rows[0].after
    ('It is [hard] to say.', 'It is [difficult] to say.')
    """
    if count < 1:
        raise SettingError(f"count: expected at least 1 substitution of each method, found {count}")
    outputs = list(systems.values()) if isinstance(systems, Mapping) else list(systems)
    if not outputs:
        raise InputError("expected at least one system's output, found none")
    pools = _propose(LineGroups.of(references, "references"), outputs, methods, threads)
    drawn = {name: _draw(pool, count, seed) for name, pool in pools.items()}
    chosen = sorted(
        {substitution for own in drawn.values() for substitution in own},
        key=lambda substitution: draw_number(seed, "order", *substitution),
    )
    texts = _show(chosen, pools)
    width = len(str(len(chosen)))
    rows = []
    for number, substitution in enumerate(chosen, 1):
        segment, reference, first, last, new = substitution
        old, before, after = texts[substitution]
        verdicts = {
            name: VERDICTS[pool.verdicts[substitution]]
            if substitution in pool.verdicts
            else NOT_PROPOSED
            for name, pool in pools.items()
        }
        drawn_by = tuple(name for name, own in drawn.items() if substitution in own)
        place = segment + 1, reference + 1, first + 1, last + 1
        key = f"s{number:0{width}}"
        rows.append(SampledSubstitution(key, *place, old, new, before, after, drawn_by, verdicts))
    return SubstitutionSample(
        tuple(rows),
        {name: len(pool.place) for name, pool in pools.items()},
        {name: len(pool.verdicts) for name, pool in pools.items()},
        {name: pool.signature for name, pool in pools.items()},
        count,
        seed,
    )


def parse_method(text: str) -> RewriteMethod:
    """A method with its settings, spelled ``NAME[:SETTING=VALUE...]``.

    >>> parse_method("context:threshold=-1").threshold
    '-1'
    """
    name, *settings = text.split(":")
    spec = ":".join([f"bleu:rewrite={name}", *(f"rewrite_{setting}" for setting in settings)])
    rewritten = metric(spec)
    if not isinstance(rewritten, RewrittenMetric):
        raise SettingError(f"method '{text}': expected a method that rewrites, such as wordnet")
    return cast("RewriteMethod", rewritten.rewriting)


def mark_change(before: str, after: str) -> tuple[str, str]:
    """Both texts with what differs in brackets, whole words.

    >>> mark_change("a picture of it", "an image of it")
    ('[a picture] of it', '[an image] of it')
    """
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    rest = before[start:][::-1], after[start:][::-1]
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*rest, strict=False)))
    while start > 0 and before[start - 1].isalnum():
        start -= 1
    while end > 0 and before[len(before) - end].isalnum():
        end -= 1
    marked = []
    for text in (before, after):
        stop = len(text) - end
        marked.append(f"{text[:start]}[{text[start:stop]}]{text[stop:]}")
    return marked[0], marked[1]


def _propose(
    references: LineGroups,
    outputs: Sequence[Texts],
    methods: Sequence[str | RewriteMethod],
    threads: int,
) -> dict[str, _Pool]:
    """What each method proposes for all outputs, by its label."""
    pools: dict[str, _Pool] = {}
    filtered: _Pool | None = None
    for method in methods:
        label = method if isinstance(method, str) else method.label.removeprefix("rewrite=")
        if label in pools:
            raise SettingError(f"method '{label}' is named twice; leave one out")
        ready = _open_method(method, filtered) if isinstance(method, str) else method
        rewriter = ready.rewriter()
        prepared = rewriter.prepare(references, threads)
        rewritings = [rewriter.run(prepared, output, threads=threads) for output in outputs]
        pools[label] = _pool(rewritings, rewriter.signature)
        if set(ready.parts) & set(FILTERS):
            filtered = pools[label]
    return pools


def _open_method(text: str, filtered: _Pool | None) -> RewriteMethod:
    """The method with this spelling; a random filter without a threshold is as strict as `filtered`."""
    name, *settings = text.split(":")
    matched = RANDOM in name.split(SEPARATOR) and not any(
        setting.startswith("threshold=") for setting in settings
    )
    if not matched:
        return parse_method(text)
    if filtered is None:
        raise SettingError(
            f"method '{text}': expected a threshold, or before it a method with a filter whose "
            f"strength the random filter takes; give {name}:threshold=0.25, or name the filter first"
        )
    return parse_method(f"{text}:threshold={filtered.refused_share:.6g}")


def _pool(rewritings: Sequence[Rewriting], signature: Mapping[str, str]) -> _Pool:
    pool = _Pool(signature=signature)
    for rewriting in rewritings:
        for row, proposal in enumerate(rewriting):
            at = proposal.segment, proposal.reference, proposal.first, proposal.last
            substitution = (*at, proposal.new)
            verdict = int(rewriting.verdicts[row])
            before = pool.verdicts.get(substitution, verdict)
            pool.verdicts[substitution] = min(before, verdict, key=PRECEDENCE.index)
            if verdict == ACCEPTED:
                pool.place.setdefault(substitution, (rewriting, row))
    verdicts = np.concatenate([rewriting.verdicts for rewriting in rewritings])
    if len(verdicts):
        pool.refused_share = float(np.isin(verdicts, (REFUSED, UNKNOWN)).mean())
    return pool


def _draw(pool: _Pool, count: int, seed: int) -> set[Substitution]:
    """The first accepted substitutions in the order of the draw; all if there are fewer."""
    order = sorted(pool.place, key=lambda substitution: draw_number(seed, "draw", *substitution))
    return set(order[:count])


def _show(
    chosen: Sequence[Substitution], pools: Mapping[str, _Pool]
) -> dict[Substitution, tuple[str, str, str]]:
    """The old words of each substitution, and its reference before and after, marked."""
    shown = {}
    for substitution in chosen:
        pool = next(pool for pool in pools.values() if substitution in pool.place)
        rewriting, row = pool.place[substitution]
        line = int(rewriting.candidates.line[row])
        before = rewriting.original.texts.lines[line]
        after = rewriting.apply(np.array([row])).lines[line]
        old = rewriting.candidates.words[int(rewriting.candidates.old[row])]
        shown[substitution] = (old, *mark_change(before, after))
    return shown
