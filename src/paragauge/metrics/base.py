"""The base class of metrics: settings, required inputs, additive statistics, scores and a signature.

A metric is a frozen dataclass whose fields are its settings. It turns a batch into statistics, a
float64 array [n, k] with one row per segment, such that

    corpus score = corpus_values(sum of the rows)        segment scores = segment_values(rows)

so corpus scores, bootstrap intervals and distributed runs all add rows. A metric whose corpus score
is the mean of its segment scores sets `corpus_is_mean` and keeps (value, 1) in its first two
columns; see `MeanMetric`. All metrics of this package are on a scale of 0 to 100, which the
signature states.

The signature is made from the fields, so none can be forgotten; a field that is None is left out.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from paragauge.errors import InputError, SettingError, ShapeError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.metrics.corpus_score import Score
from paragauge.metrics.outside.metric_classes import (
    announced_metrics,
    find_class,
    origin,
    outside_name,
)
from paragauge.metrics.registry import METRICS, PRESETS
from paragauge.metrics.resampling import Resampler, check_run, interval, running_sum
from paragauge.metrics.settings import check_setting, convert_settings, setting_text
from paragauge.metrics.spec_syntax import WRAPPERS, split_spec
from paragauge.text.batch import Batch, GroupedTexts
from paragauge.text.python_data.call_misuse import explains_misuse
from paragauge.version import __version__

INPUT_ARGUMENTS = {"sources": "sources=", "references": "references="}


@dataclass(frozen=True)
class Metric(ABC):
    """Base class; subclasses are frozen dataclasses."""

    name: ClassVar[str]
    summary: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    corpus_is_mean: ClassVar[bool] = False
    # Whether scores of single segments mean anything; one that has only corpora's says False.
    sentence_level: ClassVar[bool] = True
    scale: ClassVar[int] = 100
    # Whether it reads all candidates of a segment; others score the first.
    reads_sets: ClassVar[bool] = False
    # Options of the command line that it checks without having the setting.
    checked_options: ClassVar[frozenset[str]] = frozenset()
    # Parts printed next to the score: their names in `parts`, and titles with units.
    shown_parts: ClassVar[Mapping[str, str]] = {}
    # Those of them that are lower for better candidates.
    lower_parts: ClassVar[frozenset[str]] = frozenset()

    @staticmethod
    def from_spec(
        text: str, defaults: Mapping[str, str] | None = None, *, wrapped: bool = True
    ) -> Metric:
        """The metric of a specification: a name and any number of ``:setting=value``.

        `defaults` apply where the metric has such a setting. Settings of wrappers, such as `rewrite`,
        are known once the folder that registers the wrapper is imported; `wrapped=False` refuses them.

        >>> Metric.from_spec("pinc:count=clip", {"tokenize": "intl"}).signature
        'PINC|order:4|count:clip|short:skip|sources:mean|tok:intl|...'
        """
        name, explicit = split_spec(text)
        kind = metric_class(name)
        wrappers = sorted(WRAPPERS.values(), key=lambda wrapper: wrapper.order) if wrapped else ()
        prefixes = tuple(wrapper.prefix for wrapper in wrappers)
        plain, usual = (
            {key: value for key, value in settings.items() if not key.startswith(prefixes)}
            for settings in (explicit, defaults or {})
        )
        metric = kind.from_settings(plain, usual)
        for wrapper in wrappers:
            own, usual = (
                {key: value for key, value in settings.items() if key.startswith(wrapper.prefix)}
                for settings in (explicit, defaults or {})
            )
            metric = wrapper.wrap(metric, text, own, usual)
        return metric

    @staticmethod
    def from_specs(
        texts: Sequence[str], defaults: Mapping[str, str] | None = None, *, wrapped: bool = True
    ) -> dict[str, Metric]:
        """Metrics by label, from specifications; each may hold several, separated by commas.

        >>> list(Metric.from_specs(["pinc,bleu", "bleu:source=include"]))
        ['pinc', 'bleu', 'bleu:source=include']
        """
        metrics: dict[str, Metric] = {}
        for text in (part for several in texts for part in several.split(",")):
            if not text.strip():
                raise SettingError("expected a metric's name, found nothing; leave out the extra comma")
            metric = Metric.from_spec(text, defaults, wrapped=wrapped)
            if metric.label in metrics:
                raise SettingError(f"metric '{metric.label}' is given twice; leave one out")
            metrics[metric.label] = metric
        for wrapper in WRAPPERS.values() if wrapped else ():
            wrapper.check(metrics, defaults or {})
        return metrics

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """A metric of this class with settings as text; `defaults` apply to the settings it has."""
        names = {field.name for field in dataclasses.fields(cls)}
        usual = {key: value for key, value in defaults.items() if key in names}
        return cls(**convert_settings(cls, {**usual, **explicit}))

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = check_setting(type(self).name, field, getattr(self, field.name))
            object.__setattr__(self, field.name, value)

    @property
    @abstractmethod
    def needs(self) -> frozenset[str]:
        """Which of "sources" and "references" are required."""

    @abstractmethod
    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """Statistics of one system's segments, float64 [n, k]."""

    @abstractmethod
    def corpus_values(self, sums: Floats) -> Floats:
        """Scores of summed statistics: [..., k] in, [...] out."""

    def segment_values(self, stats: Floats) -> Floats:
        """Scores of single segments: [n, k] in, [n] out."""
        return self.corpus_values(stats)

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return False

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """The layers that it reads of each encoder, by the encoder's name; none by default."""
        return {}

    def parts(self, sums: Floats) -> dict[str, float]:  # noqa: ARG002  # for subclasses
        """What the corpus score is made of, from summed statistics [k]."""
        return {}

    def segment_parts(self, stats: Floats) -> dict[str, Floats]:  # noqa: ARG002  # for subclasses
        """What tables of segments show beside the score: [n, k] in, columns [n] by name out."""
        return {}

    @property
    def label(self) -> str:
        """The shortest specification of this metric, as the command line takes it."""
        usual = {field.name: field.default for field in dataclasses.fields(self)}
        name = outside_name(type(self)) or self.name.lower()
        return ":".join([name, *changed_settings(self, usual)])

    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    @property
    def signature(self) -> str:
        """How this metric computes, in one line."""
        return self.signature_for({})

    def signature_for(self, data: Mapping[str, str]) -> str:
        """The signature, with facts about the data such as the number of references."""
        pairs = {**data, **self.signature_settings(), **self.extra_signature()}
        if outside_name(type(self)) is not None:
            pairs["from"] = origin(type(self))
        pairs |= {"scale": str(self.scale), "v": __version__}
        return "|".join([self.name, *(f"{key}:{value}" for key, value in pairs.items())])

    def signature_settings(self) -> dict[str, str]:
        """The settings by the short names that signatures have.

        Those that are None are left out, and defaults of settings that are named only if changed.

        >>> from paragauge import ChrF
        >>> ChrF().signature_settings()
        {'nc': '6', 'nw': '0', 'beta': '2', 'space': 'no', 'case': 'mixed'}
        """
        return {
            field.metadata.get("key") or field.name: setting_text(value)
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) is not None
            and (field.metadata.get("default_in_signature", True) or value != field.default)
        }

    def extra_signature(self) -> dict[str, str]:
        """What else decides the score, for example another tool's version."""
        return {}

    def require(self, provided: Collection[str], spelling: Mapping[str, str] = INPUT_ARGUMENTS) -> None:
        """Raise an error if an input is missing; `spelling` says how to provide each."""
        missing = sorted(self.needs.difference(provided))
        if missing:
            raise InputError(
                f"{self.name} needs {' and '.join(missing)}; "
                f"give {' and '.join(spelling[name] for name in missing)}"
            )

    @explains_misuse
    def stats(
        self,
        candidates: GroupedTexts,
        *positional: GroupedTexts,
        sources: GroupedTexts | None = None,
        references: GroupedTexts | None = None,
        threads: int = 0,
    ) -> Floats:
        """Additive statistics, float64 [n, k]: one row per segment."""
        references = self._references("stats", positional, references)
        return self._stats(candidates, sources, references, threads)[1]

    @explains_misuse
    def segments(
        self,
        candidates: GroupedTexts,
        *positional: GroupedTexts,
        sources: GroupedTexts | None = None,
        references: GroupedTexts | None = None,
        threads: int = 0,
    ) -> Floats:
        """The score of each segment, float64 [n]."""
        references = self._references("segments", positional, references)
        return self.segment_values(self._stats(candidates, sources, references, threads)[1])

    @explains_misuse
    def score(
        self,
        candidates: GroupedTexts,
        *positional: GroupedTexts,
        sources: GroupedTexts | None = None,
        references: GroupedTexts | None = None,
        bootstrap: int = 0,
        seed: int = 7,
        level: float = 0.95,
        threads: int = 0,
    ) -> Score:
        """The corpus score; with `bootstrap` resamples also an interval of that `level`.

        Metrics that need references alone also take them as the second positional argument.

        >>> from paragauge import BLEU
        >>> hypotheses, references = ["the cat sat down"], ["the cat sat down"]
        >>> print(BLEU().score(hypotheses, references))
        100.00 BLEU|refs:1|order:4|...
        """
        references = self._references("score", positional, references)
        check_run(threads=threads, bootstrap=bootstrap, seed=seed, level=level)
        batch, stats = self._stats(candidates, sources, references, threads)
        if len(stats) == 0:
            raise InputError(f"{self.name}: expected at least one segment, found none")
        resampler = None
        if bootstrap:
            resampler = Resampler(stats.shape[1], bootstrap, seed=seed, threads=threads)
            resampler.add(stats, 0)
        return make_score(
            self,
            running_sum(None, stats),
            segments=len(stats),
            facts=data_facts(self, _batch_counts(self, batch)),
            resampled=None if resampler is None else resampler.scores(self.corpus_values),
            level=level,
        )

    @explains_misuse
    def sentence_score(
        self,
        candidate: str,
        *positional: str | Sequence[str],
        source: str | Sequence[str] | None = None,
        references: str | Sequence[str] | None = None,
    ) -> float:
        """The score of one candidate, as `segments` gives it, without what many segments need.

        References and sources are one text or a list of texts. Metrics that need references alone
        also take them as the second positional argument.

        >>> from paragauge import PINC
        >>> PINC().sentence_score("a man is shooting", source="a man fires a revolver")
        79.16666666666666
        """
        if positional:
            # One text, or the texts of one segment: what `_references` checks is where they stand.
            references = cast(
                "str | list[str]", self._references("sentence_score", positional, references)
            )
        value = self.pair_value(candidate, source, references)
        if value is not None:
            return value
        given: object = candidate
        if isinstance(given, Iterable) and not isinstance(given, str) and not self.reads_sets:
            raise ShapeError(
                f"{self.name}: sentence_score expected one candidate, found {type(given).__name__}; "
                f"write {self.right_call('segments')} for many"
            )
        sources = None if source is None else [source]
        grouped = None if references is None else [references]
        return float(self.segments([candidate], sources=sources, references=grouped, threads=1)[0])

    def pair_value(
        self,
        candidate: str,  # noqa: ARG002  # for subclasses
        source: str | Sequence[str] | None,  # noqa: ARG002
        references: str | Sequence[str] | None,  # noqa: ARG002
    ) -> float | None:
        """The score of one candidate by a shorter way; None if this metric, or this input, has none.

        It must be equal to that of `segments`, bit for bit.
        """
        return None

    def _references(
        self, method: str, positional: tuple[GroupedTexts, ...], references: GroupedTexts | None
    ) -> GroupedTexts | None:
        """References given by position, where nothing else could be meant, or by name."""
        if not positional:
            return references
        if len(positional) == 1 and references is None and self.needs == {"references"}:
            return positional[0]
        own = "candidate" if method == "sentence_score" else "candidates"
        raise InputError(
            f"{self.name}: expected the {own} and then names for the rest, found "
            f"{len(positional) + 1} inputs without names; write {self.right_call(method)}"
        )

    def right_call(self, method: str) -> str:
        """A call of one of the methods above with the inputs that this metric needs.

        >>> from paragauge import PINC
        >>> PINC().right_call("score")
        'score(candidates, sources=sources)'
        """
        own, names = "candidates", sorted(self.needs, reverse=True)
        if method == "sentence_score":
            own, names = "candidate", ["source" if name == "sources" else name for name in names]
        return f"{method}({', '.join([own, *(f'{name}={name}' for name in names)])})"

    def _stats(
        self,
        candidates: GroupedTexts,
        sources: GroupedTexts | None,
        references: GroupedTexts | None,
        threads: int,
    ) -> tuple[Batch, Floats]:
        texts_by_input = {"sources": sources, "references": references}
        self.require({name for name, texts in texts_by_input.items() if texts is not None})
        used = {name: texts for name, texts in texts_by_input.items() if name in self.needs}
        batch = Batch.of({"": candidates}, **used, threads=threads, several=True)
        if batch.sets and not self.reads_sets:
            raise InputError(
                f"{self.name}: expected one candidate for each segment, found several; choose one by "
                f"PickedCandidates(metric, 'best'), or metric('{self.label}:pick=best')"
            )
        return batch, self.batch_stats(batch, "")


def metric_class(name: str) -> type[Metric]:
    """The class of a metric's name: one of this package, an announced one, or ``package.module:Class``.

    >>> metric_class("PINC").name
    'PINC'
    """
    kind = METRICS.get(name.lower()) or find_class(name)
    if kind is None:
        raise unknown_name("metric", name, dict.fromkeys([*METRICS, *PRESETS, *announced_metrics()]))
    if not isinstance(kind, type) or not issubclass(kind, Metric):
        raise SettingError(
            f"metric '{name}': expected a class that derives from paragauge.Metric, found "
            f"{getattr(kind, '__name__', kind)!r}"
        )
    missing = sorted(kind.__abstractmethods__) + [
        attribute for attribute in ("name", "summary") if not hasattr(kind, attribute)
    ]
    if missing:
        raise SettingError(f"metric '{name}': {kind.__name__} does not define {', '.join(missing)}")
    return kind


def _batch_counts(metric: Metric, batch: Batch) -> dict[str, tuple[int, int]]:
    """How many texts a segment has: those that the metric needs, and candidates if there are sets."""
    counts = {what: counts_range(batch, what) for what in metric.needs}
    for sets in batch.sets.values():
        counts["candidates"] = (int(sets.counts().min()), int(sets.counts().max()))
    return counts


def changed_settings(metric: Metric, usual: Mapping[str, Any]) -> list[str]:
    """The settings of a metric that differ from the usual ones, as name=value."""
    return [
        f"{name}={setting_text(value)}"
        for name, value in metric.settings().items()
        if value != usual[name]
    ]


@dataclass(frozen=True)
class MeanMetric(Metric):
    """A metric whose corpus score is the mean of its segment scores.

    The statistics are (value, 1, ...). A segment whose value is undefined has (0, 0, ...): it is left
    out of the mean, and is NaN in the list of segments.
    """

    corpus_is_mean: ClassVar[bool] = True

    def corpus_values(self, sums: Floats) -> Floats:
        """Sum of values divided by their number."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])


def mean_stats(values: Floats, *more: Floats) -> Floats:
    """Rows (value, 1, ...) for a `MeanMetric`; NaN becomes (0, 0, ...)."""
    known = ~np.isnan(values)[:, None]
    columns = [values[:, None], np.ones((len(values), 1)), *more]
    return np.where(known, np.concatenate(columns, axis=1), 0.0)


def f_mean(match: Any, mine: Any, theirs: Any, alpha: float) -> Floats:
    """Weighted harmonic mean of match / mine and match / theirs; NaN where both are empty.

    >>> f_mean(np.array([2.0, 0.0]), np.array([4, 0]), np.array([2, 0]), 0.9)
    array([0.90909091,        nan])
    """
    sizes = alpha * np.asarray(theirs, np.float64) + (1 - alpha) * np.asarray(mine, np.float64)
    means = np.divide(match, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    return np.asarray(np.where((mine == 0) & (theirs == 0), np.nan, means))


def counts_range(batch: Batch, what: str) -> tuple[int, int]:
    """The fewest and the most "sources" or "references" that a segment of the batch has."""
    groups = batch.sources if what == "sources" else batch.references
    if groups is None or len(groups) == 0:
        return (0, 0)
    counts = groups.counts()
    return int(counts.min()), int(counts.max())


def data_facts(metric: Metric, counts: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """How many references (and sources, if several) a score is based on, for its signature."""
    facts = {}
    if metric.reads_sets and "candidates" in counts:
        low, high = counts["candidates"]
        facts["cands"] = str(low) if low == high else f"{low}-{high}"
    for what, key in (("references", "refs"), ("sources", "srcs")):
        low, high = counts.get(what, (0, 0))
        if what in metric.needs and (what == "references" or high > 1):
            facts[key] = str(low) if low == high else f"{low}-{high}"
    return facts


def make_score(
    metric: Metric,
    sums: Floats,
    *,
    segments: int,
    facts: Mapping[str, str],
    resampled: Floats | None = None,
    level: float = 0.95,
    system: str = "",
    label: str | None = None,
) -> Score:
    """A `Score` from summed statistics [k] and, for the interval, scores of resamples."""
    low, high = (None, None)
    if resampled is not None:
        low, high = interval(resampled, level)
    return Score(
        value=float(metric.corpus_values(sums)),
        name=metric.name,
        parts=metric.parts(sums),
        segments=segments,
        higher_is_better=metric.higher_is_better,
        signature=metric.signature_for(facts),
        system=system,
        metric=label or metric.label,
        low=low,
        high=high,
        shown_parts=dict(metric.shown_parts),
    )
