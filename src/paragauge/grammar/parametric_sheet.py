"""ParaMetric of alignments, phrase tables and grammars against one hand alignment."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from paragauge.align.error_rate import AlignmentScore, score_alignment
from paragauge.align.gold import GoldAlignment
from paragauge.align.links import Links
from paragauge.engine.base import Engine
from paragauge.errors import FileFormatError, InputError, unknown_name
from paragauge.grammar.grammar_folder import KIND as GRAMMAR
from paragauge.grammar.grammar_forms import open_grammar
from paragauge.grammar.parametric import (
    ParametricSettings,
    PhraseAlignment,
    ResourceScore,
    gold_pairs,
    phrase_alignment,
    score_resource,
)
from paragauge.phrases.table import KIND as TABLE
from paragauge.phrases.table import PhraseTable
from paragauge.text.bitext import Bitext

GoldLinks = Literal["all", "sure"]
GOLD_LINKS: tuple[GoldLinks, ...] = get_args(GoldLinks)
# Called with what is scored next.
Step = Callable[[str], None]


@dataclass(frozen=True)
class ParametricSheet:
    """Scores of alignments, by word links and by phrase pairs, and of resources, by name."""

    alignments: dict[str, tuple[AlignmentScore, PhraseAlignment]]
    resources: dict[str, ResourceScore]
    settings: ParametricSettings
    links: GoldLinks


def parametric(
    bitext: Bitext,
    gold: GoldAlignment,
    *,
    resources: Mapping[str, str | Path] | None = None,
    alignments: Mapping[str, Links] | None = None,
    links: GoldLinks = "all",
    settings: ParametricSettings | None = None,
    engine: Engine | None = None,
    step: Step | None = None,
) -> ParametricSheet:
    """Compare resources and automatic alignments with a hand alignment of sentence pairs.

    `resources` are folders of phrase tables and grammars, or text files of rules. Gold phrases come
    from all links of the hand alignment, or with ``links="sure"`` from the sure ones only.

    >>> from paragauge.align import GoldAlignment, Links
    >>> from paragauge.text import Bitext
    >>> hand, crossed = (Links.from_lists([pairs]) for pairs in ([(0, 0), (1, 1)], [(0, 1), (1, 0)]))
    >>> bitext = Bitext.of(["a b"], ["c d"])
    >>> sheet = parametric(bitext, GoldAlignment(hand, hand), alignments={"crossed": crossed})
    >>> sheet.alignments["crossed"][1]
    PhraseAlignment(found=3, gold=3, both=1)
    """
    if links not in GOLD_LINKS:
        raise unknown_name("value of links", links, GOLD_LINKS)
    if not resources and not alignments:
        raise InputError("expected a phrase table, a grammar or an alignment to score, found none")
    settings = settings or ParametricSettings()
    gold_links = gold.sure if links == "sure" else gold.possible
    report = step or (lambda _: None)
    with contextlib.ExitStack() as stack:
        rows_of = {}
        for name, path in (resources or {}).items():
            opening = _open_resource(path, engine, settings.threads, report)
            rows_of[name] = stack.enter_context(opening)
        alignment_scores = {}
        for name, automatic in (alignments or {}).items():
            report(f"phrase pairs of {name}")
            alignment_scores[name] = (
                score_alignment(automatic, gold),
                phrase_alignment(bitext, automatic, gold_links, settings, engine),
            )
        resource_scores = {}
        if rows_of:
            pairs = stack.enter_context(gold_pairs(bitext, gold_links, settings))
            for name, (rows, where) in rows_of.items():
                report(f"pairs of {name}")
                resource_scores[name] = score_resource(pairs, rows, settings, engine, where=where)
    return ParametricSheet(alignment_scores, resource_scores, settings, links)


@contextlib.contextmanager
def _open_resource(
    path: str | Path, engine: Engine | None, threads: int, step: Step
) -> Iterator[tuple[Path, str]]:
    """The rows of a phrase table or a grammar, and the condition that selects phrases."""
    folder = Path(path)
    if (folder / TABLE.description).exists():
        yield PhraseTable.open(folder).path, ""
        return
    if folder.is_dir() and not (folder / GRAMMAR.description).exists():
        raise FileFormatError(
            folder,
            None,
            f"expected a phrase table or a grammar, found a folder without {TABLE.description} and "
            f"without {GRAMMAR.description}; check the path",
        )
    with open_grammar(path, engine=engine, threads=threads, progress=step) as grammar:
        yield grammar.path, "labels = ''"
