"""An extended MAXSIM whose parts and similarities have weights learned from human ratings.

Chan and Ng (2008) conclude with what their framework allows: any similarity between items, positions as
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

with weights of at least 0, so that more agreement never lowers the value; an equal sentence scores
100 and one with nothing in common 0. `MaxSimSoft.fit` learns the weights, alpha and the settings of the
similarity; the package ships a fit to WMT's direct assessments of translations into English. None of
this affects published MAXSIM.

The statistics are those of MAXSIM: (value, 1, each part, whether it exists).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
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
from paragauge.metrics.fit_files import load_fit
from paragauge.metrics.maxsim.fit import MaxSimFit, fit_parts
from paragauge.metrics.maxsim.metric import (
    MaxSim,
    MaxSimDep,
    uses_spacy,
)
from paragauge.metrics.settings import convert_settings, setting
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.analysis_settings import PARSERS, TAGGERS, ParserName, TaggerName
from paragauge.text.batch import Batch, GroupedTexts, Texts

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.explanation import Part
    from paragauge.metrics.maxsim.reasons import Side

# Settings that choose tools, which a fit does not depend on by name.
TOOLS = ("tagger", "parser", "pipeline", "analyzed", "wordnet", "language")
SOFT_PARTS = ("soft", "order", "near", "letters")
CONTENT = ("N", "V", "J", "RB", "CD", "FW")
# The settings that a fit learns, and the values it tries.
GRID: dict[str, tuple[float, ...]] = {
    "alpha": (0.5, 0.6, 0.7, 0.8, 0.9),
    "function": (0.1, 0.3, 0.5, 1.0),
    "synonym": (0.6, 0.8, 1.0),
    "characters": (0.5, 0.75, 1.0),
    "category": (0.8, 0.9, 1.0),
    "distance": (0.0, 0.25, 0.5),
    "floor": (0.2, 0.35, 0.5),
}


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
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """The settings of a fit, changed by those given.

        The fit is that of ``model=FILE``, or else one that ships with the package, unless weights are
        given. A fit is valid for the settings it was made with, so only defaults that choose tools
        apply; whether it has a parser is part of the fit.
        """
        own = {key: value for key, value in explicit.items() if key != "model"}
        if "model" in explicit:
            fitted = load_fit(explicit["model"], cls).settings()
        elif "weights" not in explicit:
            parser = explicit.get("parser", defaults.get("parser", "none"))
            fitted = cls.load(relations=parser != "none").settings()
        else:
            return super(MaxSimDep, cls).from_settings(
                explicit, defaults
            )  # whose parser is not needed here
        tools = {key: defaults[key] for key in TOOLS if key in defaults}
        if "none" in (fitted["parser"], tools.get("parser")):
            tools.pop("parser", None)
        if not uses_spacy({**fitted, **tools, **own}):
            tools.pop("pipeline", None)
        return cls(**(fitted | tools | convert_settings(cls, own, more=["model"])))

    def __post_init__(self) -> None:
        if self.weights is None:
            raise SettingError(
                f"{self.name} needs weights: MaxSimSoft.load() has those that come with the package, "
                "MaxSimSoft.fit (paragauge fit) learns others"
            )
        if self.similarity is not None:
            raise SettingError(
                f"{self.name} similarity: its words are matched by degrees; give the function to MaxSim"
            )
        super().__post_init__()

    @classmethod
    def load(cls, path: str | Path | None = None, *, relations: bool = False) -> MaxSimSoft:
        """The metric that a fit saved; without a path, one that comes with the package.

        There are two: one that needs no parser, and one with `relations`, which needs spaCy.

        >>> MaxSimSoft.load().label, MaxSimSoft.load(relations=True).label
        ('maxsim-soft', 'maxsim-soft:parser=spacy')
        """
        return _load_shipped(relations) if path is None else load_fit(path, cls)

    @classmethod
    def unfitted(cls, **settings: Any) -> MaxSimSoft:
        """The metric with equal weights, where a fit starts.

        >>> MaxSimSoft.unfitted(order=2).weights
        '1/1/1/1/1/1'
        """
        relations = settings.get("parser", "none") != "none"
        parts = settings.get("order", cls.order) + relations + len(SOFT_PARTS)
        return cls(weights="/".join("1" * parts), **settings)

    @classmethod
    def fit(
        cls,
        ratings: Sequence[float],
        candidates: Texts,
        *,
        references: GroupedTexts,
        groups: Sequence[str] | None = None,
        folds: int = 5,
        seed: int = 7,
        level: float = 0.95,
        threads: int = 0,
        **settings: Any,
    ) -> MaxSimFit[MaxSimSoft]:
        """Learn from one rating per segment (NaN: missing), higher is better; `fit.py` says how.

        `groups` names the group of each segment, such as its language pair; ratings are compared within
        groups only. `settings` are those of the metric that are not learned, such as parser="spacy".

        >>> references = [f"the large dog barked {n} times" for n in range(10)] * 2
        >>> candidates = [f"the {w} dog barked {n} times" for w in ("big", "old") for n in range(10)]
        >>> ratings = [5] * 10 + [3] * 10
        >>> fitted = MaxSimSoft.fit(ratings, candidates, references=references, folds=2)
        >>> fitted.ratings, fitted.held_out > 0.9
        (20, True)
        """
        learned = sorted({*GRID, "weights"} & set(settings))
        if learned:
            raise SettingError(f"{learned[0]}: is learned by the fit; leave it out")
        return fit_parts(
            cls.unfitted(**settings),
            GRID,
            ratings,
            candidates,
            references=references,
            groups=groups,
            folds=folds,
            seed=seed,
            level=level,
            threads=threads,
        )

    @property
    def label(self) -> str:
        """The shortest specification: what differs from the fit that comes with the package."""
        usual = MaxSimSoft.load(relations=self.parser != "none").settings()
        changed = changed_settings(self, usual | {"parser": "none"})
        return ":".join([self.name.lower(), *changed])

    def part_names(self) -> list[str]:
        """N-grams, relations if there is a parser, and the parts of the soft matching."""
        names = MaxSim.part_names(self)
        if self.parser != "none":
            names.append("relations")
        return [*names, *SOFT_PARTS]

    def explain_parts(self, mine: Side, theirs: Side) -> list[Part]:
        """The links of all parts."""
        from paragauge.metrics.maxsim.explain import explain_soft_words

        return super().explain_parts(mine, theirs) + explain_soft_words(self, mine, theirs)

    def part_values(self, batch: Batch, system: str) -> Floats:
        """All parts for each reference line."""
        mine, theirs = self.analyses(batch, system)
        columns = [self._ngram_parts(mine, theirs, batch, None)]
        if self.parser != "none":
            columns.append(self._relation_part(mine, theirs, batch, None))
        columns += [self._soft_parts(mine, theirs, batch), self._letters(batch, system)]
        return np.column_stack(columns)

    def _soft_parts(self, mine: Analysis, theirs: Analysis, batch: Batch) -> Floats:
        table = mine.table
        rows = _native.soft_words(
            (*self.weigh_words(mine), None),
            (*self.weigh_words(theirs), self.others(batch).groups),
            (table.sets.ids, table.sets.offsets),
            (table.texts.buffer, table.texts.spans),
            *self.degrees,
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
    def degrees(self) -> tuple[float, float, float, float, float]:
        """The settings of the similarity of words, as the kernel takes them."""
        return self.synonym, self.characters, self.category, self.distance, self.floor

    def weigh_words(self, analysis: Analysis) -> tuple[Any, Any, Floats, Any]:
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
        mine, theirs = tokens.candidates[system], tokens.require("references")
        overlaps = letter_overlaps(mine, theirs.tokens, theirs.groups, batch.threads)
        by_order = f_mean(*overlaps, self.alpha)
        exists = ~np.isnan(by_order)
        total = np.where(exists, by_order, 0.0).sum(axis=1)
        count = exists.sum(axis=1)
        return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


@functools.cache
def _load_shipped(relations: bool) -> MaxSimSoft:
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
