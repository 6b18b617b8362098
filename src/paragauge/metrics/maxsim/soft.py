"""An extended MAXSIM whose parts and similarities have weights learned from human ratings.

Chan and Ng (2008) end with what their framework allows: any similarity between items, positions as
"additional weighting consideration", and weights that are not uniform. The parts here, all from 0
(nothing in common) to 1 (equal):

- `F1` ... `FN`: the n-grams of published MAXSIM, and `relations` if there is a parser;
- `soft`: words matched by degrees. The similarity of two words is 1 for equal lemmas, `synonym` for
  synonyms, `characters` times Dice's coefficient of their character 1- to 3-grams for others, so that
  names, inflections and misspellings count in part; times `category` if their parts of speech differ;
  times 1 - `distance` * (difference of their relative positions); and 0 below `floor`. Nouns, verbs,
  adjectives, adverbs, numbers and foreign words weigh 1, other words `function`. F of the heaviest
  matching;
- `order`: 1 - (chunks - 1) / links of that matching, where a chunk is a run of links that are
  neighbors in both sentences;
- `near`: 1 - the mean distance of the links;
- `letters`: F of the character n-grams, n = 1 ... 6, of the texts in lower case without spaces,
  averaged over n (items that match when they are equal).

    value = 100 * sum of weight * part / sum of weights, over the parts that exist,

with weights from 0 up, so that more agreement never lowers the value, an equal sentence scores 100
and one with nothing in common 0. `fit_maxsim` learns the weights; the package brings a fit to WMT's
direct assessments of translations into English. Published MAXSIM is not touched by any of this.

The statistics are those of MAXSIM: (value, 1, each part, whether it exists).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from paragauge.errors import SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric, changed_settings, f_mean
from paragauge.metrics.character_ngrams import letter_overlaps
from paragauge.metrics.fits import load_fit
from paragauge.metrics.maxsim.metric import (
    MaxSim,
    MaxSimDep,
    ParserName,
    TaggerName,
    reference_groups,
    relation_part,
    uses_spacy,
)
from paragauge.metrics.settings import convert_settings, setting
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.analysis_settings import PARSERS, TAGGERS
from paragauge.text.batch import Batch
from paragauge.text.lines import group_means

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.explanation import Part
    from paragauge.metrics.maxsim.reasons import Side

# Settings that choose tools, which a fit does not depend on by name.
TOOLS = ("tagger", "parser", "pipeline", "analysed", "wordnet", "language")
CONTENT = ("N", "V", "J", "RB", "CD", "FW")


@dataclass(frozen=True)
class MaxSimSoft(MaxSimDep):
    """MAXSIM extended: soft word similarity, word order and letters, with learned weights.

    >>> metric = MaxSimSoft.load()
    >>> references = ["The colour of the house was grey."]
    >>> metric.segments(["The color of the house was gray."], references=references).round(1)
    array([90.8])
    """

    name: ClassVar[str] = "MAXSIM-soft"
    summary: ClassVar[str] = "MAXSIM with soft word similarity, order and letters, fitted to ratings"

    tagger: TaggerName = setting("paragauge", choices=TAGGERS, help="what tags the words")
    parser: ParserName = setting(
        "none", choices=PARSERS, help="what finds dependencies; none: no relations"
    )
    function: float = setting(0.3, low=0, high=1, help="weight of a function word")
    synonym: float = setting(0.8, low=0, high=1, help="similarity of two synonyms")
    characters: float = setting(0.75, low=0, high=1, help="similarity of words with equal letters")
    category: float = setting(
        0.9, low=0, high=1, help="what a word of another part of speech keeps of its similarity"
    )
    distance: float = setting(
        0.25, low=0, high=1, help="what words at opposite ends of their sentences lose of it"
    )
    floor: float = setting(0.35, low=0, high=1, help="similarities below this count as 0")

    @classmethod
    def from_settings(cls, given: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """The settings of a fit, changed by those given.

        The fit is that of ``model=FILE``, or else one that comes with the package, unless weights are
        given. A fit holds for the settings it was made with, so of the defaults only those that choose
        tools apply; whether it has a parser is part of the fit.
        """
        own = {key: value for key, value in given.items() if key != "model"}
        if "model" in given:
            fitted = load_fit(given["model"], cls).settings()
        elif "weights" not in given:
            parser = given.get("parser", defaults.get("parser", "none"))
            fitted = cls.load(relations=parser != "none").settings()
        else:
            return super(MaxSimDep, cls).from_settings(
                given, defaults
            )  # whose parser is not needed here
        tools = {key: defaults[key] for key in TOOLS if key in defaults}
        if "none" in (fitted["parser"], tools.get("parser")):
            tools.pop("parser", None)
        if not uses_spacy({**fitted, **tools, **own}):
            tools.pop("pipeline", None)
        return cls(**(fitted | tools | convert_settings(cls, own)))

    def __post_init__(self) -> None:
        if self.weights is None:
            raise SettingError(
                f"{self.name} needs weights: MaxSimSoft.load() has those that come with the package, "
                "fit_maxsim (paragauge fit) learns others"
            )
        super().__post_init__()

    @classmethod
    def load(cls, path: str | Path | None = None, *, relations: bool = False) -> MaxSimSoft:
        """The metric that a fit saved; without a path, one that comes with the package.

        There are two: one that needs no parser, and one with `relations`, which needs spaCy.

        >>> MaxSimSoft.load().label, MaxSimSoft.load(relations=True).label
        ('maxsim-soft', 'maxsim-soft:parser=spacy')
        """
        return _shipped(relations) if path is None else load_fit(path, cls)

    @property
    def label(self) -> str:
        """The shortest specification: what differs from the fit that comes with the package."""
        usual = MaxSimSoft.load(relations=self.parser != "none").settings()
        changed = changed_settings(self, usual | {"parser": "none"})
        return ":".join([self.name.lower(), *changed])

    def part_names(self) -> list[str]:
        """N-grams, relations if there is a parser, and the parts of the soft matching."""
        kept = MaxSim.part_names(self)
        if self.parser != "none":
            kept.append("relations")
        return [*kept, "soft", "order", "near", "letters"]

    def explained_parts(self, mine: Side, theirs: Side) -> list[Part]:
        """The links of all parts."""
        from paragauge.metrics.maxsim.explain import explain_soft_words

        return super().explained_parts(mine, theirs) + explain_soft_words(self, mine, theirs)

    def part_values(self, batch: Batch, system: str) -> Floats:
        """All parts for each reference line."""
        mine, theirs = self.analyses(batch, system)
        columns = [self._ngram_parts(mine, theirs, batch)]
        if self.parser != "none":
            columns.append(relation_part(self, mine, theirs, batch))
        columns += [self._soft_parts(mine, theirs, batch), self._letters(batch, system)]
        return np.column_stack(columns)

    def _soft_parts(self, mine: Analysis, theirs: Analysis, batch: Batch) -> Floats:
        table = mine.table
        rows = _native.soft_words(
            (*self.weighted(mine), None),
            (*self.weighted(theirs), reference_groups(batch)),
            (table.sets.ids, table.sets.offsets),
            (table.texts.buffer, table.texts.spans),
            *self.similarity,
            False,
            batch.threads,
        )
        matched, own, other, links, chunks, moved = rows.T
        soft = f_mean(matched, own, other, self.alpha)
        exists = ~np.isnan(soft)
        some = links > 0
        count = np.maximum(links, 1)
        order = np.where(some, 1 - (chunks - 1) / count, 0.0)
        near = np.where(some, 1 - moved / count, 0.0)
        return np.column_stack([soft, *(np.where(exists, part, np.nan) for part in (order, near))])

    @property
    def similarity(self) -> tuple[float, float, float, float, float]:
        """The settings of the similarity of words, as the kernel takes them."""
        return self.synonym, self.characters, self.category, self.distance, self.floor

    def weighted(self, analysis: Analysis) -> tuple[Any, Any, Floats, Any]:
        """Lemmas, categories, weights and offsets of the words."""
        lemmas, tags, offsets = analysis.words()
        names = list(analysis.tag_names)
        kinds = [category_of(name) for name in names]
        numbers = {kind: number for number, kind in enumerate(sorted(set(kinds)))}
        categories = np.array([numbers[kind] for kind in kinds] or [0], np.int32)
        weights = np.array([1.0 if is_content(name) else self.function for name in names] or [0.0])
        return lemmas, categories[tags], weights[tags], offsets

    def _letters(self, batch: Batch, system: str) -> Floats:
        tokens = batch.tokens("char", "lower")
        mine, theirs = tokens.candidates[system], tokens.wanted("references")
        overlaps = letter_overlaps(mine, theirs.tokens, theirs.groups, batch.threads)
        found = f_mean(*overlaps, self.alpha)
        exists = ~np.isnan(found)
        total = np.where(exists, found, 0.0).sum(axis=1)
        count = exists.sum(axis=1)
        return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


@functools.cache
def _shipped(relations: bool) -> MaxSimSoft:
    name = "english-relations.json" if relations else "english.json"
    return load_fit(str(files("paragauge") / "models" / "maxsim" / name), MaxSimSoft)


def category_of(tag: str) -> str:
    """The part of speech of a tag: noun, verb, adjective and adverb tags are one each.

    >>> [category_of(tag) for tag in ("NNS", "NNP", "RBR", "RP", "DT")]
    ['N', 'N', 'RB', 'RP', 'DT']
    """
    return next((kind for kind in CONTENT if tag.startswith(kind)), tag)


def is_content(tag: str) -> bool:
    """Whether words of this tag carry content.

    >>> [is_content(tag) for tag in ("NNS", "VBD", "CD", "DT", "IN", "RP")]
    [True, True, True, False, False, False]
    """
    return tag.startswith(CONTENT)


def segment_parts(metric: MaxSimSoft, batch: Batch, system: str) -> Floats:
    """The parts of each segment, averaged over its references: [segments, parts].

    A part that does not exist takes the mean of those that do, which leaves the score as it is
    when parts weigh alike; without any part all are 1.
    """
    with metric.analyzer.lock:
        values = metric.part_values(batch, system)
    exists = ~np.isnan(values)
    filled = np.where(exists, values, 0.0)
    count = exists.sum(axis=1, keepdims=True)
    means = np.where(count > 0, filled.sum(axis=1, keepdims=True) / np.maximum(count, 1), 1.0)
    filled = np.where(exists, values, means)
    return group_means(reference_groups(batch), filled)
