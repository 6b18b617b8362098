"""MAXSIM in context: words matched by the vectors that an encoder gives them in their sentences.

The framework of Chan and Ng (2008) with a contextual similarity as the weight of an edge. The vector of
a word in a layer is the mean of its pieces' vectors; the similarity of two words is

    S = max(0, (cosine - floor) / (1 - floor))

and everything else is as published: words without a letter or digit are removed, an edge of two
n-grams is the mean of S, 0 if n > 1 and some S is 0, n-grams are matched by an exact maximum-weight
matching, and F = P * R / (alpha * P + (1 - alpha) * R). `phases` is `graph` by default: equal words
count by their context too (`tag+lemma+graph` links equal n-grams first, with S = 1). The parts, all
from 0 to 1:

- `F1@L` ... `FN@L`: the n-grams in layer L, for each of `layers`;
- `relations@L`: dependency relations in layer L, if there is a parser;
- `weakest@L`: one wrong word can change the meaning, so this is the least similar word of each side, by
  the cosine with its best partner in layer L; the harmonic mean of both sides;
- `sentence`: the cosine of the two sentence vectors, 0 if negative;
- `names`: twice the names in common by the names of both sides, 1 if there are none. They are compared
  by their letters, which encoders hardly see; `names.py` says what a name is.

    value = 100 * sum of weight * part / sum of weights, over the parts that exist,

Without `weights` the n-grams and relations weigh the same and the other parts 0: the paper's uniform
mean, untuned. `MaxSimContext.fit` learns weights of at least 0 and the settings in `GRID` from ratings.
The package ships a fit to WMT's direct assessments: `MaxSimContext.load`, which is also what
`maxsim-context` means on the command line, where `maxsim-context:model=none` is the untuned metric. An
equal sentence scores 100.

Function words weigh `function` (1: like all others); the tagger says which they are. It is asked only
if `function`, `phases` or a parser need it, so that with an encoder of another language nothing here is
English. A word without a vector, because the encoder drops its characters, has S = 1 with its equal
and 0 with others. Two texts without words agree fully; if only one has words, all parts are 0. With
several references, a segment scores the mean over them. `against=sources` compares with the source.
The statistics are those of MAXSIM: (value, 1, each part, whether it exists).

The statistics are those of MAXSIM: (value, 1, each part, whether it exists).

A batch is walked through some lines at a time, all systems together, as in `pair_vectors.py`. The
encoder takes most of the time.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np

from paragauge.encode.encoder import Encoder
from paragauge.encode.encoder_by_name import SHIPPED
from paragauge.errors import InputError, SettingError
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric, changed_settings, f_mean
from paragauge.metrics.context.pair_vectors import (
    LINES,
    Against,
    check_script,
    encode_texts,
    open_with_layers,
)
from paragauge.metrics.fit_files import load_fit
from paragauge.metrics.maxsim.context_pairs import ContextLine, ContextLines, ContextPairs
from paragauge.metrics.maxsim.fit import MaxSimFit, average_parts, fit_parts
from paragauge.metrics.maxsim.metric import MaxSimDep, Phases, uses_spacy
from paragauge.metrics.maxsim.similarity import (
    WeightedWords,
    ngram_parts,
    plain_words,
    relation_part,
)
from paragauge.metrics.maxsim.soft import TOOLS, is_content
from paragauge.metrics.maxsim.words import words_of_lines
from paragauge.metrics.settings import convert_settings, setting
from paragauge.syntax.analysis import Analysis
from paragauge.syntax.analysis_settings import PARSERS, TAGGERS, ParserName, TaggerName
from paragauge.text.batch import Batch, GroupedTexts, Texts
from paragauge.text.lines import LineGroups, Lines, segment_of_line
from paragauge.text.tokenizers import tokenize

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.explanation import Explanation

UNTUNED = "none"
# Settings that say what the parts are. The weights of a fit are for these values and no others.
PARTS = ("order", "parser", "layers")
# The settings that a fit learns, and the values it tries.
GRID: dict[str, tuple[float, ...]] = {
    "alpha": (0.5, 0.6, 0.7, 0.8, 0.9),
    "floor": (0.2, 0.3, 0.4),
}


@dataclass(frozen=True)
class MaxSimContext(MaxSimDep):
    """MAXSIM with contextual similarity; untuned unless it has weights.

    >>> metric = MaxSimContext.load()
    >>> reference = ["They put off the meeting until Monday."]
    >>> good = metric.segments(["The meeting was postponed to Monday."], references=reference)
    >>> other = metric.segments(["The meeting was recorded on Monday."], references=reference)
    >>> float(good[0]) > float(other[0])
    True
    """

    name: ClassVar[str] = "MAXSIM-context"
    summary: ClassVar[str] = "MAXSIM over contextual vectors, fitted to ratings (needs an encoder)"

    tagger: TaggerName = setting("paragauge", choices=TAGGERS, help="what tags the words")
    parser: ParserName = setting(
        "none", choices=PARSERS, help="what finds dependencies; none: no relations"
    )
    phases: Phases = setting("graph", choices=get_args(Phases), help="which phases match n-grams")
    encoder: str = setting(SHIPPED, help="an encoder's folder; english comes with the package")
    layers: str = setting("4/6", help="the encoder's layers, separated by /")
    floor: float = setting(0.3, low=0, high=0.99, help="the cosine that counts as no similarity")
    function: float = setting(1.0, low=0, high=1, help="weight of a function word")
    against: Against = setting(
        "references", choices=get_args(Against), help="what a candidate is compared with"
    )

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """The settings of a fit, changed by those given.

        The fit is that of ``model=FILE``, or else the one that ships with the package, unless weights
        are given; ``model=none`` is the untuned metric. A fit is valid for the settings it was made
        with, so only defaults that choose tools apply to it, and settings that change the parts are
        refused.
        """
        own = {key: value for key, value in explicit.items() if key != "model"}
        model = explicit.get("model")
        if "weights" in explicit or model == UNTUNED:
            if model not in (None, UNTUNED):
                raise SettingError(
                    f"{cls.name}: a model has its own weights; leave out model or weights"
                )
            fitted: dict[str, Any] = cls().settings()
        else:
            fitted = (cls.load() if model is None else load_fit(model, cls)).settings()
        names = fitted if fitted["weights"] is None else (*TOOLS, "encoder")
        usual = {key: defaults[key] for key in names if key in defaults}
        has_weights = "weights" in explicit or fitted["weights"] is not None
        if has_weights and "none" in (fitted["parser"], usual.get("parser")):
            usual.pop("parser", None)
        if not uses_spacy({**fitted, **usual, **own}):
            usual.pop("pipeline", None)
        settings = fitted | convert_settings(cls, usual | own, more=["model"])
        if fitted["weights"] is not None:
            # A file may name its encoder by a path that is another one here; the shipped fit does not.
            _check_fit(fitted, settings, PARTS if model is not None else (*PARTS, "encoder"))
        return cls(**settings)

    def __post_init__(self) -> None:
        if self.similarity is not None:
            raise SettingError(
                f"{self.name} similarity: comes from the encoder; give the function to MaxSim"
            )
        self.layer_numbers()
        super().__post_init__()

    @classmethod
    def load(cls, path: str | Path | None = None) -> MaxSimContext:
        """The metric that a fit saved; without a path, the one that comes with the package.

        >>> MaxSimContext.load().label
        'maxsim-context'
        """
        return _load_shipped() if path is None else load_fit(path, cls)

    @classmethod
    def unfitted(cls, **settings: Any) -> MaxSimContext:
        """The metric with equal weights for all parts, where a fit starts.

        >>> MaxSimContext.unfitted(order=1, layers="4").weights
        '1/1/1/1'
        """
        parts = cls(**settings).part_names()
        return cls(weights="/".join("1" * len(parts)), **settings)

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
    ) -> MaxSimFit[MaxSimContext]:
        """Learn from one rating per segment (NaN: missing), higher is better; `fit.py` says how.

        `groups` names the group of each segment, such as its language pair; ratings are compared within
        groups only. `settings` are those of the metric that are not learned, such as layers="3/6".

        >>> references = [f"the large dog barked {n} times" for n in range(10)] * 2
        >>> candidates = [f"the {w} dog barked {n} times" for w in ("big", "old") for n in range(10)]
        >>> ratings = [5] * 10 + [3] * 10
        >>> fitted = MaxSimContext.fit(ratings, candidates, references=references, folds=2)
        >>> fitted.ratings, fitted.held_out > 0.9
        (20, True)
        """
        learned = sorted({*GRID, "weights"} & set(settings))
        if learned:
            raise SettingError(f"{learned[0]}: is learned by the fit; leave it out")
        start = cls.unfitted(**settings)
        pairs: list[ContextPairs] = []

        def parts_of(metric: MaxSimContext, batch: Batch) -> Floats:
            """The texts are encoded once; the settings that are learned only change the matching."""
            if not pairs:
                with start.lock:
                    pairs.extend(block[""] for block in start.walk(batch))
            values = np.concatenate([metric.pair_parts(block, threads) for block in pairs])
            return average_parts(values, metric.others(batch).groups)

        return fit_parts(
            start,
            GRID,
            ratings,
            candidates,
            references=references,
            groups=groups,
            folds=folds,
            seed=seed,
            level=level,
            threads=threads,
            parts_of=parts_of,
        )

    @property
    def label(self) -> str:
        """The shortest specification: what differs from the shipped fit, or from the untuned metric."""
        own, shipped = self.settings(), MaxSimContext.load().settings()
        if all(own[name] == shipped[name] for name in ("weights", "encoder", *PARTS)):
            return ":".join([self.name.lower(), *changed_settings(self, shipped)])
        untuned = [f"model={UNTUNED}"] if self.weights is None else []
        changed = changed_settings(self, MaxSimContext().settings())
        return ":".join([self.name.lower(), *untuned, *changed])

    @property
    def needs(self) -> frozenset[str]:
        """References or sources."""
        return frozenset({self.against})

    def others(self, batch: Batch) -> LineGroups:
        """The references or the sources."""
        others = batch.references if self.against == "references" else batch.sources
        if others is None:
            raise InputError(f"expected {self.against}, found none")
        return others

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """The layers of the setting."""
        return {self.encoder: frozenset(self.layer_numbers())}

    @property
    def uses_analysis(self) -> bool:
        """Whether tags, lemmas or dependencies matter."""
        return self.phases != "graph" or self.function != 1.0 or self.parser != "none"

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """The analyzer's lock, if it is needed."""
        return super().lock if self.uses_analysis else contextlib.nullcontext()

    def layer_numbers(self) -> tuple[int, ...]:
        """The layers as numbers.

        >>> MaxSimContext(layers="3/6").layer_numbers()
        (3, 6)
        """
        texts = self.layers.split("/") if isinstance(self.layers, str) else []
        numbers = tuple(int(text) for text in texts if re.fullmatch("[0-9]{1,3}", text))
        if not numbers or len(numbers) != len(texts) or len(set(numbers)) != len(numbers):
            raise SettingError(
                f"{self.name} layers: expected different numbers separated by /, such as 4/6, found "
                f"'{self.layers}'"
            )
        return numbers

    def part_names(self) -> list[str]:
        """N-grams and relations in each layer, the weakest words, the sentence and the names."""
        layers = self.layer_numbers()
        kinds = [f"F{n}" for n in range(1, self.order + 1)]
        kinds += ["relations"] if self.parser != "none" else []
        matched = [f"{kind}@{layer}" for layer in layers for kind in kinds]
        return [*matched, *(f"weakest@{layer}" for layer in layers), "sentence", "names"]

    def part_weights(self) -> Floats:
        """Weights of the parts, with sum 1; those of n-grams and relations are equal without a fit."""
        if self.weights is not None:
            return super().part_weights()
        matched = np.array(
            [name.startswith(("F", "relations")) for name in self.part_names()], np.float64
        )
        return np.asarray(matched / matched.sum())

    def part_values(self, batch: Batch, system: str) -> Floats:
        """All parts for each line that candidates are compared with."""

        def make() -> dict[str, Floats]:
            rows: dict[str, list[Floats]] = {name: [] for name in batch.systems}
            for block in self.walk(batch):
                for name, pairs in block.items():
                    rows[name].append(self.pair_parts(pairs, batch.threads))
            nothing = np.zeros((0, len(self.part_names())))
            return {name: np.concatenate([nothing, *blocks]) for name, blocks in rows.items()}

        return batch.latest(("parts", self), "", make)[system]

    def walk(self, batch: Batch) -> Iterator[dict[str, ContextPairs]]:
        """The pairs of each system, some lines at a time; hold the `lock` until the last one."""
        encoder = open_with_layers(f"{self.name} layers", self.encoder, self.layer_numbers())
        others = self.others(batch)
        check_script(self.name, self.against, encoder, others)
        segments = segment_of_line(others.groups, len(others.lines))
        for start in range(0, len(others.lines), LINES):
            numbers = segments[start : start + LINES]
            theirs = others.lines[start : start + LINES]
            mine = {
                name: Lines(lines.buffer, np.ascontiguousarray(lines.spans[numbers]))
                for name, lines in batch.systems.items()
            }
            lines = self.read_lines(encoder, Lines.concatenate([theirs, *mine.values()]), batch.threads)
            places = (batch.first + numbers).tolist()
            lines.check_lengths(theirs, self.against, places)
            for name, texts in mine.items():
                lines.check_lengths(texts, f"candidates of '{name}'" if name else "candidates", places)
            yield {name: lines.compare(texts, theirs) for name, texts in mine.items()}

    def read_lines(self, encoder: Encoder, lines: Lines, threads: int) -> ContextLines:
        """The distinct lines with their words, vectors and, if it matters, their analysis."""
        texts = list(dict.fromkeys(lines))
        packed = Lines.of(texts)
        analysis = None
        if self.uses_analysis:
            analysis = self.analyzer.analyze([packed], threads=threads)[0]
            tokens = self.analyzer.words_of_lines(packed, threads)
            words = [
                [word.text for word in line]
                for line in words_of_lines(self.analyzer, packed, analysis, threads)
            ]
        else:
            tokens = tokenize(packed, self.tokenize, threads=threads)
            words = [[token for token in line if any(map(str.isalnum, token))] for line in tokens]
        encoded = encode_texts(encoder, texts, self.layer_numbers(), threads)
        return ContextLines(
            {
                text: ContextLine.of(number, text, words[number], tokens[number], encoded[text])
                for number, text in enumerate(texts)
            },
            len(self.layer_numbers()),
            analysis,
        )

    def pair_parts(self, pairs: ContextPairs, threads: int) -> Floats:
        """All parts of each pair, NaN where neither side has any: [pairs, parts]."""
        columns: list[Floats] = []
        mine, theirs = self.weigh_words(pairs)
        for cosines in pairs.cosines:
            tables = self.rescale(cosines)
            columns.append(
                ngram_parts(
                    mine,
                    theirs,
                    None,
                    tables,
                    order=self.order,
                    phases=self.phase_flags,
                    alpha=self.alpha,
                    threads=threads,
                )
            )
            if self.parser != "none" and pairs.analyses is not None:
                part = relation_part(*pairs.analyses, None, self.relations, tables, self.alpha)
                columns.append(part[:, None])
        some, both = np.asarray(pairs.sizes.any(axis=1)), np.asarray(pairs.sizes.all(axis=1))
        weakest = harmonic_mean(pairs.weakest[:, :, 0], pairs.weakest[:, :, 1])
        columns.append(np.where(some[:, None], weakest, np.nan))
        columns.append(np.where(some, pairs.sentence * both, np.nan)[:, None])
        common, own_names, other_names = pairs.names.T
        names = f_mean(common, own_names, other_names, 0.5)
        names = np.where(np.isnan(names), 1.0, names)  # no names: none is lost
        columns.append(np.where(some, names * both, np.nan)[:, None])
        return np.concatenate(columns, axis=1)

    def rescale(self, cosines: Floats) -> Floats:
        """Cosines from 0 to 1 as similarities: what is not above `floor` counts as none.

        >>> MaxSimContext(floor=0.5).rescale(np.array([0.2, 0.5, 0.75, 1.0])).tolist()
        [0.0, 0.0, 0.5, 1.0]
        """
        return np.maximum((cosines - self.floor) / (1 - self.floor), 0.0)

    def weigh_words(self, pairs: ContextPairs) -> tuple[WeightedWords, WeightedWords]:
        """Lemmas, tags, weights and offsets of the words of both sides."""
        if pairs.analyses is None:
            return plain_words(pairs.sizes[:, 0]), plain_words(pairs.sizes[:, 1])
        mine, theirs = pairs.analyses
        return self._tagged_words(mine), self._tagged_words(theirs)

    def _tagged_words(self, analysis: Analysis) -> WeightedWords:
        lemmas, tags, offsets = analysis.words()
        names = analysis.tag_names
        weights = np.array([1.0 if is_content(name) else self.function for name in names] or [0.0])
        return lemmas, tags, weights[tags], offsets

    def extra_signature(self) -> dict[str, str]:
        """The fingerprint of the encoder, and the tools if there are any."""
        encoder = open_with_layers(f"{self.name} layers", self.encoder, self.layer_numbers())
        tools = super().extra_signature() if self.uses_analysis else {}
        return {**tools, "fingerprint": encoder.fingerprint}

    def explain(self, candidate: str, reference: str) -> Explanation:
        """Which words match which in each layer, by how much, and what the other parts are.

        >>> metric = MaxSimContext(layers="4", order=1)
        >>> print(metric.explain("A big dog", "The large dogs").parts[0])
        unigrams in layer 4
          graph  1  A    1  The    ...
        """
        from paragauge.metrics.maxsim.explain_context import explain_context

        return explain_context(self, candidate, reference)

    def _check_language(self) -> None:
        if self.uses_analysis:
            super()._check_language()


def harmonic_mean(left: Floats, right: Floats) -> Floats:
    """The harmonic mean of numbers from 0, 0 where either is 0.

    >>> harmonic_mean(np.array([0.5, 0.0]), np.array([1.0, 1.0])).round(3)
    array([0.667, 0.   ])
    """
    product = 2 * left * right
    return np.asarray(np.divide(product, left + right, out=np.zeros_like(left), where=product > 0))


def _check_fit(fitted: Mapping[str, Any], settings: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse the weights of a fit for parts or an encoder that they were not learned for."""
    for name in names:
        if settings[name] != fitted[name]:
            raise SettingError(
                f"{MaxSimContext.name} {name}: expected {fitted[name]}, which the fit was made for, "
                f"found {settings[name]}; add model={UNTUNED} to use no fit, or make one: paragauge fit"
            )


@functools.cache
def _load_shipped() -> MaxSimContext:
    return load_fit(str(files("paragauge") / "models" / "maxsim" / "context.json"), MaxSimContext)
