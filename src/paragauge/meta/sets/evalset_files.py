"""Read evaluation sets from TSV, CSV, JSON, Excel and Parquet.

**Ratings**: one row per rating, with named columns. These names have a meaning (synonyms are in
parentheses; case, spaces and underscores do not count):

    segment (segment_id, seg, ref_id)    which source sentence; without it, rows with the same group
                                         and source are one segment
    system (systems)                     who wrote the candidate; several names are separated by ``|``
                                         (or as `separator` says), or are a list in JSON and Parquet
    judge (worker, annotator, rater)     who rated
    group (pair, lp, testset)            part of the data that is evaluated separately
    task                                 ratings made together, for rankings
    source, candidate, reference         texts; more references in reference2, reference3 ..., or a
                                         list in JSON and Parquet
    metric:NAME                          a metric's score of the candidate

Every other column is a criterion, with a number or nothing in each row. Direct-assessment tables
(pair, source, candidate, reference, human) are of this kind.

**Rankings**: a table with the columns system1, rank1, system2, rank2, ... has one ranking task per row;
rank 1 is the best, equal ranks are ties, -1 or nothing is "not ranked" and counts as missing.

`evalset_texts.py` adds texts and scores from other files; `evalset_write.py` writes what `read_evalset`
reads back unchanged.
"""

from __future__ import annotations

import math
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from paragauge.errors import FileFormatError, InputError, SettingError, ShapeError
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.headers import header_key
from paragauge.text.tables.needed_options import describe_needs
from paragauge.text.tables.number_format import EMPTY_CELL, has_words
from paragauge.text.tables.rating_roles import ROLES

METRIC = "metric:"


def read_evalset(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    criteria: Sequence[str] | None = None,
    separator: str = "|",
    kind: str | None = None,
    encoding: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header_row: int | None = None,
) -> EvalSet:
    r"""An evaluation set from a table of ratings or rankings.

    `columns` says which column has a role, for example {"segment": "ref_id"}; `criteria` names the
    columns with ratings, if other columns have no numbers. `kind`, `encoding`, `decimal`, `sheet` and
    `header_row` are those of `TableDialect`.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "r.tsv")
    ...     _ = table.write_text("segment\tsystem\tjudge\toverall\n1\tmine\tA\t4\n1\tmine\tB\t3\n")
    ...     read_evalset(table).means("overall")
    array([3.5])
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ShapeError(
            f"expected the path of a file, found {type(path).__name__}; a data frame is read by "
            "EvalSet.from_frame(frame)"
        )
    dialect = TableDialect(kind, encoding, decimal, sheet, header_row)
    try:
        records = read_records(path, dialect)
        return evalset_of_records(records, columns, criteria, separator)
    except FileFormatError as error:
        more = describe_needs(path, dialect, columns or {}, criteria)
        if not more:
            raise
        place = error.path if error.line is None else f"{error.path}:{error.line}"
        reason = str(error).removeprefix(f"{place}: ")
        raise FileFormatError(error.path, error.line, f"{reason}; {more}") from None


def evalset_of_records(
    records: Records,
    columns: Mapping[str, str] | None,
    criteria: Sequence[str] | None,
    separator: str,
) -> EvalSet:
    """The set of a table that was read; the arguments are those of `read_evalset`."""
    if not separator:
        raise SettingError("separator: expected at least one character, found none")
    roles = roles_of(records, columns or {})
    keys = {header_key(name): name for name in records.columns}
    if "system1" in keys and "rank1" in keys:
        return _rankings(records, roles, keys)
    return _ratings(records, roles, criteria, separator)


def roles_of(records: Records, columns: Mapping[str, str]) -> dict[str, str]:
    """The column of each role, from `columns` or from the names of the columns."""
    return records.roles(ROLES, columns)


def _ratings(
    records: Records, roles: dict[str, str], criteria: Sequence[str] | None, separator: str
) -> EvalSet:
    if "segment" not in roles and "source" not in roles:
        raise records.error(
            None,
            f"expected a column 'segment' or 'source', found {', '.join(records.columns)}; say which "
            'column it is with --column segment=NAME (in Python columns={"segment": NAME})'
            f"{records.hint}",
        )
    used = set(roles.values())
    more = sorted(
        (name for name in records.columns if re.fullmatch("reference[0-9]{1,9}", header_key(name))),
        key=lambda name: int(header_key(name)[9:]),
    )
    metrics = [name for name in records.columns if name.startswith(METRIC)]
    if criteria is None:
        rated = [name for name in records.columns if name not in {*used, *more, *metrics}]
    else:
        rated = records.find_listed(*criteria)
    check_numeric(records, rated)
    builder = Builder()
    for row in range(len(records)):
        group = optional_label(records, row, roles.get("group"))
        sources = all_texts(records, row, [roles["source"]] if "source" in roles else [])
        names = [roles["reference"]] if "reference" in roles else []
        references = all_texts(records, row, [*names, *more])
        name = _segment_name(records, row, roles)
        candidate = None
        if "candidate" in roles:
            # An empty field of TSV or CSV is an empty candidate: systems do write nothing at times.
            candidate = optional_text(records, row, roles["candidate"])
        systems = _names(records, row, roles.get("system"), separator, candidate)
        values = {criterion: records.number(row, criterion) for criterion in rated}
        judge = optional_label(records, row, roles.get("judge"))
        task = optional_label(records, row, roles.get("task"))
        _check_names(records, row, judge, *systems)
        try:
            segment = builder.segment(name, group, sources, references)
            item = builder.item(segment, systems, candidate, merge="judge" in roles)
            if judge or not all(map(math.isnan, values.values())):
                builder.rating(item, judge, values, (segment, judge, task) if task else None)
            for column in metrics:
                builder.score(item, column.removeprefix(METRIC), records.number(row, column))
        except InputError as error:
            raise records.error(row, str(error)) from None
    return _done(builder, records)


def _rankings(records: Records, roles: dict[str, str], keys: Mapping[str, str]) -> EvalSet:
    places = sorted(int(key[6:]) for key in keys if re.fullmatch("system[1-9][0-9]{0,8}", key))
    records.find(roles.get("segment", "segment"))
    rank_columns = dict(zip(places, records.find(*(f"rank{place}" for place in places)), strict=True))
    builder = Builder()
    for row in range(len(records)):
        segment = builder.segment(
            records.label(row, roles["segment"]), optional_label(records, row, roles.get("group"))
        )
        judge = optional_label(records, row, roles.get("judge"))
        for place in places:
            name = optional_label(records, row, keys[f"system{place}"])
            _check_names(records, row, judge, name)
            rank = records.number(row, rank_columns[place])
            if not name and math.isnan(rank):
                continue
            if not name:
                raise records.error(row, f"expected a system for rank{place}, found nothing")
            if rank != -1 and not math.isnan(rank) and (rank < 1 or rank != int(rank)):
                raise records.error(row, f"rank{place}: expected a rank from 1, or -1, found {rank:g}")
            value = math.nan if rank == -1 else rank
            builder.rating(builder.item(segment, [name]), judge, {"rank": value}, (row,))
    judged = _done(builder, records)
    if judged.items == 0:
        raise records.error(None, "expected rankings of systems, found only empty fields")
    return judged


def _done(builder: Builder, records: Records) -> EvalSet:
    try:
        return replace(builder.done(), notes=records.notes)
    except InputError as error:
        raise records.error(None, str(error)) from None


def check_numeric(records: Records, names: Iterable[str]) -> None:
    """Refuse a column that does not start with a number, and say what to do."""
    for name in names:
        values = records.columns[name]
        row = next((i for i, value in enumerate(values) if value is not None), None)
        if row is None:
            continue
        try:
            records.number(row, name)
        except FileFormatError as error:
            place = error.path if error.line is None else f"{error.path}:{error.line}"
            reason = str(error).removeprefix(f"{place}: ")
            if "--decimal" not in reason and has_words(values, records.decimal):
                reason = reason.removesuffix(EMPTY_CELL)
                reason += (
                    f"; if '{name}' is no criterion, name those that are with --criteria (in Python "
                    "criteria=)"
                )
            message = reason
            raise FileFormatError(error.path, error.line, message) from None


def _check_names(records: Records, row: int, *names: str) -> None:
    """Refuse names of judges and systems with a line break or a tab, which would break table rows."""
    for name in names:
        if not name.isprintable() and any(unicodedata.category(char) == "Cc" for char in name):
            message = f"expected a judge's or system's name without tabs and line ends, found {name!r}"
            raise records.error(row, message)


def _segment_name(records: Records, row: int, roles: Mapping[str, str]) -> str:
    """The name of a row's segment; a source names its segment as it is."""
    return (
        records.label(row, roles["segment"])
        if "segment" in roles
        else records.text(row, roles["source"])
    )


def optional_label(records: Records, row: int, name: str | None) -> str:
    """A cell as a name without spaces around it, empty if it has none."""
    text = optional_text(records, row, name)
    return records.label(row, name) if name is not None and text.strip() else ""


def optional_text(records: Records, row: int, name: str | None) -> str:
    """A cell as text, empty if it has none."""
    return "" if name is None or records.columns[name][row] is None else records.text(row, name)


def all_texts(records: Records, row: int, names: Iterable[str]) -> list[str]:
    """The texts of several columns, in order."""
    return [text for name in names for text in records.texts(row, name)]


def _names(
    records: Records, row: int, name: str | None, separator: str, candidate: str | None
) -> list[str]:
    """The systems of a row; only where its candidate is given may they be missing."""
    if name is None:
        return []
    names = records.names(row, name, separator)
    if not names and candidate is None:
        raise records.error(row, f"column '{name}': expected a system, found nothing")
    return names
