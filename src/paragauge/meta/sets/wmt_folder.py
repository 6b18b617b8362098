"""Evaluation sets from the folders of the WMT metrics tasks, in the layout of mt-metrics-eval.

A folder is a test set, such as wmt23, with several language pairs:

    sources/PAIR.txt                                a segment a line
    documents/PAIR.docs                             DOMAIN DOCUMENT of each line (optional)
    references/PAIR.NAME.txt                        a reference of each segment
    system-outputs/PAIR/SYSTEM.txt                  a system's output for each segment
    human-scores/PAIR.NAME.seg.score                SYSTEM SCORE for all segments of a system, in order
    human-scores/PAIR.NAME.sys.score                SYSTEM SCORE
    metric-scores/PAIR/METRIC-REFERENCE.seg.score   as human scores; REFERENCE is src without one
    metric-scores/PAIR/METRIC-REFERENCE.sys.score

`None` is a missing score. Each human score (da-raw, mqm, esa) is a criterion, each pair a group. Scores
of systems (.sys.score) count in the view ``system`` of correlations and accuracy, scores of segments
everywhere else; soft accuracy needs scores of segments. Outputs that are references are left out, as
metrics that use them cannot score them; so are scores of documents and domains. A metric is called by
its name, without the reference, where each pair has it with one reference. Higher is better in all
scores.

Freitag et al. 2023, Results of WMT23 Metrics Shared Task.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, InputError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.meta.sets.evalset import EvalSet, MetricScores
from paragauge.text.line_reader import read_sentences
from paragauge.text.name_coverage import check_gaps, coverage_gaps, list_names
from paragauge.text.tables.number_format import parse_number
from paragauge.text.wording import pluralize

FOLDERS = ("sources", "system-outputs", "human-scores")
LEVELS = ("seg", "sys")
Scores = dict[str, Floats]  # by system: of each segment, or one of the system


@dataclass(frozen=True)
class WmtPair:
    """One language pair: texts by name, and scores by name and level."""

    name: str
    sources: list[str]
    references: dict[str, list[str]]
    outputs: dict[str, list[str]]
    human: dict[str, dict[str, Scores]]
    metrics: dict[str, dict[str, Scores]]

    @property
    def size(self) -> int:
        """How many segments there are."""
        return len(self.sources)

    def label(self, metric: str) -> str:
        """The name of a metric without its reference."""
        return metric.rpartition("-")[0] or metric


def read_wmt(folder: str | Path, pairs: Sequence[str] = (), *, allow_missing: bool = False) -> EvalSet:
    """The test set of a folder: some language pairs, by default all that have human scores.

    Systems that scores or outputs lack are an error, unless `allow_missing` leaves them out; people
    need not have rated every system, and what they did not rate is a note of the set.

    >>> import tempfile
    >>> files = {
    ...     "sources/de-en.txt": "Hallo",
    ...     "references/de-en.refA.txt": "Hello",
    ...     "system-outputs/de-en/mine.txt": "Hullo",
    ...     "human-scores/de-en.mqm.seg.score": "mine -1",
    ...     "metric-scores/de-en/BLEU-refA.seg.score": "mine 20.5",
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in files.items():
    ...         path = Path(folder, name)
    ...         path.parent.mkdir(parents=True, exist_ok=True)
    ...         _ = path.write_text(text)
    ...     judged = read_wmt(folder)
    >>> judged.criteria, list(judged.scores), judged.groups
    (('mqm',), ['BLEU'], ('de-en',))
    """
    root = Path(folder)
    for name in FOLDERS:
        if not (root / name).is_dir():
            sets = sorted(path.parent.name for path in root.glob("*/sources"))
            hint = f"; test sets in it: {', '.join(sets)}" if sets else ""
            raise FileFormatError(
                folder, None, f"expected a folder of a WMT test set, with {name}/ in it{hint}"
            )
    known = sorted(path.name.removesuffix(".txt") for path in (root / "sources").glob("*.txt"))
    rated = [name for name in known if any((root / "human-scores").glob(f"{name}.*.s??.score"))]
    for name in pairs:
        if name not in known:
            raise unknown_name("language pair", name, known)
        if name not in rated:
            raise InputError(
                f"{folder}: no human scores of {name}; pairs with some: {', '.join(rated)}"
            )
    if not rated:
        raise FileFormatError(folder, None, "expected human scores (human-scores/PAIR.NAME.seg.score)")
    read = [_read_pair(root, name) for name in dict.fromkeys(pairs or rated)]
    gaps: list[str] = []
    notes: list[str] = []
    for pair in read:
        gaps += _pair_gaps(pair)
        notes += _pair_notes(pair)
    metrics, metric_gaps = _metric_names(read)
    check_gaps([*gaps, *metric_gaps], allow_missing=allow_missing)
    return _build(read, metrics, (*gaps, *metric_gaps, *notes))


def _read_pair(root: Path, name: str) -> WmtPair:
    sources = read_sentences(root / "sources" / f"{name}.txt")
    size = len(sources)
    documents = root / "documents" / f"{name}.docs"
    if documents.is_file():
        _check_length(documents, len(read_sentences(documents)), size)
    references = {
        path.name[len(name) + 1 : -len(".txt")]: _read_parallel(path, size)
        for path in sorted((root / "references").glob(f"{name}.*.txt"))
    }
    outputs = {
        path.name.removesuffix(".txt"): _read_parallel(path, size)
        for path in sorted((root / "system-outputs" / name).glob("*.txt"))
    }
    if not outputs:
        place = root / "system-outputs" / name
        raise FileFormatError(place, None, "expected outputs of systems (SYSTEM.txt), found none")
    human = _read_scores((root / "human-scores").glob(f"{name}.*.score"), f"{name}.", size)
    metrics = _read_scores((root / "metric-scores" / name).glob("*.score"), "", size)
    return WmtPair(name, sources, references, outputs, human, metrics)


def _read_parallel(path: Path, size: int) -> list[str]:
    lines = read_sentences(path)
    _check_length(path, len(lines), size)
    return lines


def _check_length(path: Path, found: int, size: int) -> None:
    if found != size:
        raise FileFormatError(
            path,
            None,
            f"expected {pluralize(size, 'line')}, as many as the source has, found {found:,}",
        )


def _read_scores(paths: Iterable[Path], prefix: str, size: int) -> dict[str, dict[str, Scores]]:
    """Scores by name and level; those of documents and domains are not read."""
    result: dict[str, dict[str, Scores]] = {}
    for path in sorted(paths):
        name, _, level = path.name.removesuffix(".score").removeprefix(prefix).rpartition(".")
        if level in LEVELS and name:
            result.setdefault(name, {})[level] = _read_score_file(path, size if level == "seg" else 1)
    return result


def _read_score_file(path: Path, size: int) -> Scores:
    values: dict[str, list[float]] = {}
    for line, text in enumerate(read_sentences(path), 1):
        fields = text.split()
        number = parse_number(fields[1]) if len(fields) == 2 else None
        if number is None:
            raise FileFormatError(
                path, line, f"expected a system and a score (or None), found {text[:60]!r}"
            )
        values.setdefault(fields[0], []).append(number)
    for system, numbers in values.items():
        if len(numbers) != size:
            count = pluralize(size, "score")
            raise FileFormatError(
                path, None, f"expected {count} of system '{system}', found {len(numbers):,}"
            )
    return {system: np.array(numbers, np.float64) for system, numbers in values.items()}


def _systems(pair: WmtPair) -> list[str]:
    """The systems that are evaluated: outputs that are no references."""
    return [name for name in pair.outputs if name not in pair.references]


def _pair_gaps(pair: WmtPair) -> list[str]:
    """Systems of score files without outputs, and systems without scores of a metric."""
    gaps = []
    outputs = f"system-outputs/{pair.name}"
    human = {
        f"{pair.name}.{name}.{level}.score": scores
        for name, levels in pair.human.items()
        for level, scores in levels.items()
    }
    for place, systems in _files_by_systems(human):
        both = coverage_gaps("system", systems, pair.outputs, place, outputs)
        gaps += [gap for gap in both if outputs in gap.rpartition(" not in ")[2]]
    metrics = {
        f"{pair.name}/{name}.{level}.score": [one for one in scores if one not in pair.references]
        for name, levels in pair.metrics.items()
        for level, scores in levels.items()
    }
    for place, systems in _files_by_systems(metrics):
        gaps += coverage_gaps("system", systems, _systems(pair), place, outputs)
    return gaps


def _files_by_systems(files: Mapping[str, Iterable[str]]) -> list[tuple[str, list[str]]]:
    """Files with the same systems as one place with a short name, because they have the same gaps.

    >>> _files_by_systems({"a.score": ["x"], "b.score": ["y"], "c.score": ["x"]})
    [('a.score and 1 other file', ['x']), ('b.score', ['y'])]
    """
    places: dict[frozenset[str], list[str]] = {}
    for file, systems in files.items():
        places.setdefault(frozenset(systems), []).append(file)
    return [
        (one if not more else f"{one} and {pluralize(len(more), 'other file')}", list(files[one]))
        for one, *more in places.values()
    ]


def _pair_notes(pair: WmtPair) -> list[str]:
    """Outputs that are references, and systems that people did not rate."""
    notes = []
    references = [name for name in pair.outputs if name in pair.references]
    if references:
        count = pluralize(len(references), "output that is a reference", "outputs that are references")
        notes.append(f"{pair.name}: {count}: {list_names(references)}")
    for name, levels in pair.human.items():
        scored = {system for scores in levels.values() for system in scores}
        unrated = [system for system in _systems(pair) if system not in scored]
        if unrated:
            count = pluralize(len(unrated), "system")
            notes.append(f"{pair.name}: {count} without {name}: {list_names(unrated)}")
    return notes


def _metric_names(pairs: Sequence[WmtPair]) -> tuple[dict[str, dict[str, str]], list[str]]:
    """For each label and pair the metric's full name, and labels that some pair lacks."""
    full: dict[str, dict[str, list[str]]] = {}
    for pair in pairs:
        for metric in pair.metrics:
            full.setdefault(pair.label(metric), {}).setdefault(pair.name, []).append(metric)
    names: dict[str, dict[str, str]] = {}
    for label, by_pair in full.items():
        if all(len(variants) == 1 for variants in by_pair.values()):
            names[label] = {pair: variants[0] for pair, variants in by_pair.items()}
            continue
        for pair_name, variants in by_pair.items():
            for metric in variants:
                names.setdefault(metric, {})[pair_name] = metric
    gaps = []
    for label in list(names):
        lacking = [pair.name for pair in pairs if pair.name not in names[label]]
        if lacking:
            gaps.append(f"metric {label} has no scores of {', '.join(lacking)}")
            del names[label]
    return names, gaps


def _build(
    pairs: Sequence[WmtPair], metrics: Mapping[str, Mapping[str, str]], notes: tuple[str, ...]
) -> EvalSet:
    systems = list(dict.fromkeys(name for pair in pairs for name in _systems(pair)))
    criteria = list(dict.fromkeys(name for pair in pairs for name in pair.human))
    columns = [(pair, name) for pair in pairs for name in _systems(pair)]
    sizes = [pair.size for pair, _ in columns]
    starts = np.cumsum([0, *(pair.size for pair in pairs)])
    first = {pair.name: int(start) for pair, start in zip(pairs, starts, strict=False)}
    item_segment = [np.arange(pair.size) + first[pair.name] for pair, _ in columns]
    output_system = np.repeat([systems.index(name) for _, name in columns], sizes)
    items = sum(sizes)

    def gather(values: Mapping[str, dict[str, Scores]], level: str) -> Floats:
        """The values of all items, NaN where there are none; scores of systems are repeated."""
        parts = []
        for pair, system in columns:
            scores = values.get(pair.name, {}).get(level, {}).get(system)
            parts.append(
                np.full(pair.size, math.nan) if scores is None else np.zeros(pair.size) + scores
            )
        return np.concatenate(parts)

    ratings: dict[str, Floats] = {}
    system_ratings: dict[str, Floats] = {}
    for name in criteria:
        by_pair = {pair.name: pair.human.get(name, {}) for pair in pairs}
        has_segments = any("seg" in levels for levels in by_pair.values())
        if any("sys" in levels for levels in by_pair.values()):
            system_ratings[name] = gather(by_pair, "sys")
        ratings[name] = gather(by_pair, "seg") if has_segments else system_ratings[name]
    scores: dict[str, MetricScores] = {}
    for label, full in metrics.items():
        by_pair = {pair.name: pair.metrics[full[pair.name]] for pair in pairs}
        of_segments = all("seg" in levels for levels in by_pair.values())
        of_systems = all("sys" in levels for levels in by_pair.values())
        if not of_segments and not of_systems:
            continue
        whole = gather(by_pair, "sys") if of_systems else None
        if of_segments:
            scores[label] = MetricScores(label, label, gather(by_pair, "seg"), system_values=whole)
        elif whole is not None:
            scores[label] = MetricScores(label, label, whole, system_level=True)
    with_references = all(pair.references for pair in pairs)
    return EvalSet(
        segments=tuple(str(n) for pair in pairs for n in range(1, pair.size + 1)),
        systems=tuple(systems),
        judges=("",),
        groups=tuple(pair.name for pair in pairs),
        segment_group=np.repeat(np.arange(len(pairs)), [pair.size for pair in pairs]),
        item_segment=np.concatenate(item_segment),
        output_item=np.arange(items),
        output_system=output_system,
        rating_item=np.arange(items),
        rating_judge=np.zeros(items, np.int64),
        rating_task=np.full(items, -1, np.int64),
        ratings=ratings,
        sources=tuple((text,) for pair in pairs for text in pair.sources),
        references=_references(pairs) if with_references else None,
        candidates=tuple(text for pair, name in columns for text in pair.outputs[name]),
        scores=scores,
        notes=notes,
        system_ratings=system_ratings,
    )


def _references(pairs: Sequence[WmtPair]) -> tuple[tuple[str, ...], ...]:
    return tuple(row for pair in pairs for row in zip(*pair.references.values(), strict=True))
