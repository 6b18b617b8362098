"""Scores of segments that were computed elsewhere, such as COMET's or BLEURT's, as a metric.

A table has the columns segment (the line number, from 1) and system, and one column per metric; it is
what `paragauge score --segments` writes and `paragauge meta --scores` reads. Each column becomes a
metric whose statistics are looked up instead of computed, so that it gets intervals, paired tests and a
place in reports.

What is tested is the **mean of the segments**. For metrics whose corpus score is that mean, such as
COMET, this is all there is. For others, such as BLEU, the mean of segment scores is another number than
the corpus score, and tests speak of the mean.

Nothing is dropped: every system must have a score in every segment, and a table with scores of segments
or of systems that the texts do not have is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from paragauge.errors import InputError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.outside.score_files import read_score_files
from paragauge.metrics.registry import METRICS
from paragauge.text.batch import Batch
from paragauge.text.files import display_name
from paragauge.text.rated_pairs import segment_number
from paragauge.text.table_in_memory import Records
from paragauge.text.tables.wide_tables import wide_remedy
from paragauge.text.wording import pluralize
from paragauge.version import __version__

ROLES = {"segment": ("segment", "segment_id", "seg", "ref_id"), "system": ("system", "systems")}
PREFIX = "metric:"
SPARSE = 2  # a table may number so many times more segments than it has, before it is refused


@dataclass(frozen=True, eq=False, repr=False)
class GivenScores(MeanMetric):
    """One metric's scores from a table: `values` has those of each system, float64 [segments].

    >>> given = GivenScores("comet", "scores.tsv", {"mine": np.array([0.5, 0.7])})
    >>> given.label, given.signature
    ('comet', 'comet|given:scores.tsv|corpus:mean of segments|v:...')
    """

    name: ClassVar[str] = "given"
    summary: ClassVar[str] = "scores of segments from a table"

    column: str
    path: str
    values: Mapping[str, Floats]
    lower_is_better: bool = False

    def __post_init__(self) -> None:
        # What is a constant of other metrics depends on the column here.
        object.__setattr__(self, "name", self.column)
        object.__setattr__(self, "higher_is_better", not self.lower_is_better)

    @property
    def label(self) -> str:
        """The name of the column."""
        return self.column

    @property
    def needs(self) -> frozenset[str]:
        """Nothing: the scores are there already."""
        return frozenset()

    def signature_for(self, data: Mapping[str, str]) -> str:
        """The file, and that its mean is the corpus score; how the metric computes is not known."""
        del data
        file = Path(display_name(self.path)).name
        return f"{self.column}|given:{file}|corpus:mean of segments|v:{__version__}"

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1) of each segment."""
        if system not in self.values:
            raise InputError(f"{self.path}: {unknown_name('system', system, self.values)}")
        values = self.values[system][batch.first : batch.first + len(batch)]
        missing = np.flatnonzero(np.isnan(values))
        number = batch.first + (int(missing[0]) if len(missing) else len(values)) + 1
        if len(missing) or len(values) < len(batch):
            raise InputError(
                f"{self.path}: no score by {self.column} for segment {number} of '{system}'; every "
                "system needs a score in every segment"
            )
        return mean_stats(values)

    def check_segments(self, segments: int) -> None:
        """Refuse scores of more segments than the texts have."""
        most = max(len(values) for values in self.values.values())
        if most > segments:
            raise InputError(
                f"{self.path}: a score of segment {most:,}, but the texts have only "
                f"{pluralize(segments, 'segment')}; give the texts that were scored"
            )


def read_given_scores(
    paths: Iterable[str | Path],
    systems: Collection[str],
    lower: Collection[str] = (),
    *,
    decimal: str = ".",
) -> dict[str, GivenScores]:
    r"""The metrics of one or more tables, by label; `lower` are those for which lower is better.

    Paths and `decimal` are those of `read_score_files`. Metrics of this package, such as `ter`, have
    their direction without being named.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder, "s.tsv")
    ...     _ = table.write_text("segment\tsystem\tcomet\n1\tmine\t0.5\n2\tmine\t0.7\n")
    ...     given = read_given_scores([table], ["mine"])
    >>> given["comet"].values["mine"].tolist()
    [0.5, 0.7]
    """
    given: dict[str, GivenScores] = {}
    for records in read_score_files(paths, systems, decimal):
        path = display_name(records.path)
        for label, values in _read_table(records, systems).items():
            if label in given:
                raise InputError(f"{path}: '{label}' is in {given[label].path} too; rename one column")
            is_lower = label in lower or not is_higher_better(label)
            given[label] = GivenScores(label, path, values, is_lower)
    for label in lower:
        if label not in given:
            raise unknown_name("metric of --scores", label, given)
    return given


def is_higher_better(label: str) -> bool:
    """Whether a metric, or a part of one, is higher for better candidates.

    >>> [is_higher_better(label) for label in ("ter", "pem:model=a.b", "pem.target_f1", "mine.x")]
    [False, True, False, True]
    """
    whole, _, part = label.rpartition(".")
    owner = METRICS.get(whole.split(":")[0].lower())
    if owner is not None and part in owner.shown_parts:
        return part not in owner.lower_parts
    kind = METRICS.get(label.split(":")[0].lower())
    return kind is None or kind.higher_is_better


def _read_table(records: Records, systems: Collection[str]) -> dict[str, dict[str, Floats]]:
    """The values of each metric and system; NaN where a segment has none."""
    roles = records.roles(ROLES, {})
    for role in ROLES:
        if role not in roles:
            raise records.error(
                None,
                f"expected the columns segment, system and a column per metric, found "
                f"{', '.join(records.columns)}"
                + (
                    wide_remedy(records.columns, systems)
                    or "; a file with one number a line is METRIC:SYSTEM=FILE"
                ),
            )
    labels = [name for name in records.columns if name not in roles.values()]
    if not labels:
        raise records.error(None, "expected a column with scores beside segment and system, found none")
    rows: dict[tuple[str, int], int] = {}
    for row in range(len(records)):
        system, name = records.label(row, roles["system"]), records.label(row, roles["segment"])
        number = segment_number(name)
        if number is None:
            raise records.error(row, f"expected a segment's number from 1, found {name[:40]!r}")
        if system not in systems:
            message = f"{unknown_name('system', system, systems)}; give its texts too"
            raise records.error(row, f"{message} (-c {system}=FILE), or leave out its rows")
        if (system, number) in rows:
            raise records.error(row, f"segment {number} of '{system}' stands twice; leave one out")
        rows[system, number] = row
    sizes = _count_segments(records, rows, systems)
    values: dict[str, dict[str, Floats]] = {}
    for label in labels:
        columns = {system: np.full(sizes[system], np.nan) for system in systems}
        for (system, number), row in rows.items():
            columns[system][number - 1] = records.number(row, label)
        values[label.removeprefix(PREFIX)] = columns
    return values


def _count_segments(
    records: Records, rows: Mapping[tuple[str, int], int], systems: Collection[str]
) -> dict[str, int]:
    """The last segment of each system; an error if most segments before it have no row.

    Memory is taken for all segments up to the last one, so it must not be far beyond the rows.
    """
    numbers: dict[str, set[int]] = {system: set() for system in systems}
    for system, number in rows:
        numbers[system].add(number)
    for system, known in numbers.items():
        if known and max(known) > SPARSE * (len(known) + 1000):
            missing = next(number for number in range(1, len(known) + 2) if number not in known)
            row = rows[system, max(known)]
            raise records.error(
                row,
                f"segment {max(known):,} of '{system}', which has {pluralize(len(known), 'row')} and "
                f"none for segment {missing:,}; every system needs a score in every segment",
            )
    return {system: max(known, default=0) for system, known in numbers.items()}
