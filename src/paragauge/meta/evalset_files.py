"""Reading and writing evaluation sets: TSV, JSON Lines and Parquet.

**Ratings**: one row per rating, with named columns. These names have a meaning (others in brackets
are understood too):

    segment (segment_id, seg, ref_id)    which source sentence; without it, rows with the same group
                                         and source are one segment
    system (systems)                     who wrote the candidate; several names are separated by ``|``
                                         (or as `separator` says), or are a list in JSON and Parquet
    judge (worker, annotator, rater)     who rated
    group (pair, lp, testset)            part of the data that is evaluated apart
    task                                 ratings made together, for rankings
    source, candidate, reference         texts; more references in reference2, reference3 ..., or a
                                         list in JSON and Parquet
    metric:NAME                          a metric's score of the candidate

Every other column is a criterion, with a number or nothing in each row. Direct-assessment tables
(pair, source, candidate, reference, human) are of this kind.

**Rankings**: a table with the columns system1, rank1, system2, rank2, ... is one ranking task a row;
rank 1 is the best, equal ranks are ties, -1 or nothing is "not ranked" and counts as missing.

**Outputs**: JSON Lines with segment, source, reference and an object `systems` of name and candidate
give the texts that such rankings lack.

`write_evalset` writes what `read_evalset` reads back unchanged.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, InputError, SettingError, unknown_name
from paragauge.meta.evalset import Builder, EvalSet
from paragauge.text.corpus import Corpus
from paragauge.text.files import atomic_path, compression, open_text
from paragauge.text.records import Records, read_records
from paragauge.text.tables import table_format

ROLES: dict[str, tuple[str, ...]] = {
    "segment": ("segment", "segment_id", "seg", "ref_id"),
    "system": ("system", "systems"),
    "judge": ("judge", "worker", "annotator", "rater"),
    "group": ("group", "pair", "lp", "testset"),
    "task": ("task",),
    "source": ("source",),
    "candidate": ("candidate",),
    "reference": ("reference", "references"),
}
METRIC = "metric:"


def read_evalset(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    criteria: Sequence[str] | None = None,
    separator: str = "|",
    kind: str | None = None,
) -> EvalSet:
    r"""An evaluation set from a table of ratings or rankings.

    `columns` says which column has a role, for example {"segment": "ref_id"}; `criteria` names the
    columns with ratings, if there are others that have no numbers.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "r.tsv")
    ...     _ = table.write_text("segment\tsystem\tjudge\toverall\n1\tmine\tA\t4\n1\tmine\tB\t3\n")
    ...     read_evalset(table).means("overall")
    array([3.5])
    """
    if not separator:
        raise SettingError("separator: expected at least one character, got none")
    records = read_records(path, kind)
    roles = _roles(records, columns or {})
    if "system1" in records.columns and "rank1" in records.columns:
        return _rankings(records, roles)
    return _ratings(records, roles, criteria, separator)


def _roles(records: Records, columns: Mapping[str, str]) -> dict[str, str]:
    for role, name in columns.items():
        if role not in ROLES:
            raise unknown_name("role of a column", role, ROLES)
        records.require(name)
    found = dict(columns)
    for role, names in ROLES.items():
        known = [name for name in names if name in records.columns]
        if role not in found and len(known) > 1:
            raise records.error(
                None, f"columns {' and '.join(known)} could both be the {role}; say which one is"
            )
        if role not in found and known:
            found[role] = known[0]
    return found


def _ratings(
    records: Records, roles: dict[str, str], criteria: Sequence[str] | None, separator: str
) -> EvalSet:
    if "segment" not in roles and "source" not in roles:
        raise records.error(
            None,
            f"expected a column 'segment' or 'source', got {', '.join(records.columns)}; say which "
            "column it is",
        )
    taken = set(roles.values())
    more = sorted(
        (name for name in records.columns if re.fullmatch("reference[0-9]+", name)),
        key=lambda name: int(name[9:]),
    )
    metrics = [name for name in records.columns if name.startswith(METRIC)]
    if criteria is None:
        rated = [name for name in records.columns if name not in {*taken, *more, *metrics}]
    else:
        records.require(*criteria)
        rated = list(criteria)
    _check_numeric(records, rated)
    builder = Builder()
    for row in range(len(records)):
        group = _optional(records, row, roles.get("group"))
        sources = _texts(records, row, [roles["source"]] if "source" in roles else [])
        names = [roles["reference"]] if "reference" in roles else []
        references = _texts(records, row, [*names, *more])
        name = records.text(row, roles["segment"] if "segment" in roles else roles["source"])
        systems = _names(records, row, roles.get("system"), separator)
        candidate = None
        if "candidate" in roles:
            # An empty TSV field is an empty candidate: systems do write nothing at times.
            candidate = _optional(records, row, roles["candidate"])
        values = {criterion: records.number(row, criterion) for criterion in rated}
        judge = _optional(records, row, roles.get("judge"))
        task = _optional(records, row, roles.get("task"))
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


def _rankings(records: Records, roles: dict[str, str]) -> EvalSet:
    places = sorted(
        int(name[6:]) for name in records.columns if re.fullmatch("system[1-9][0-9]*", name)
    )
    records.require(roles.get("segment", "segment"))
    records.require(*(f"rank{place}" for place in places))
    builder = Builder()
    for row in range(len(records)):
        segment = builder.segment(
            records.text(row, roles["segment"]), _optional(records, row, roles.get("group"))
        )
        judge = _optional(records, row, roles.get("judge"))
        for place in places:
            name = _optional(records, row, f"system{place}")
            _check_names(records, row, judge, name)
            rank = records.number(row, f"rank{place}")
            if not name and math.isnan(rank):
                continue
            if not name:
                raise records.error(row, f"expected a system for rank{place}, got nothing")
            if rank != -1 and not math.isnan(rank) and (rank < 1 or rank != int(rank)):
                raise records.error(row, f"rank{place}: expected a rank from 1, or -1, got {rank:g}")
            value = math.nan if rank == -1 else rank
            builder.rating(builder.item(segment, [name]), judge, {"rank": value}, (row,))
    judged = _done(builder, records)
    if judged.items == 0:
        raise records.error(None, "expected rankings of systems, got only empty fields")
    return judged


def _done(builder: Builder, records: Records) -> EvalSet:
    try:
        return builder.done()
    except InputError as error:
        raise records.error(None, str(error)) from None


def _check_numeric(records: Records, names: Iterable[str]) -> None:
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
            message = f"{reason}; if '{name}' is no criterion, name those that are"
            raise FileFormatError(error.path, error.line, message) from None


def _check_names(records: Records, row: int, *names: str) -> None:
    """Judges and systems stand in tables, where a line end or a tab would break the row."""
    for name in names:
        if not name.isprintable() and any(unicodedata.category(char) == "Cc" for char in name):
            message = f"expected a judge's or system's name without tabs and line ends, got {name!r}"
            raise records.error(row, message)


def _optional(records: Records, row: int, name: str | None) -> str:
    return "" if name is None or records.columns[name][row] is None else records.text(row, name)


def _texts(records: Records, row: int, names: Iterable[str]) -> list[str]:
    return [text for name in names for text in records.texts(row, name)]


def _names(records: Records, row: int, name: str | None, separator: str) -> list[str]:
    if name is None:
        return []
    cells = records.texts(row, name)
    if isinstance(records.columns[name][row], list):
        return list(dict.fromkeys(cells))
    return list(dict.fromkeys(part for cell in cells for part in cell.split(separator) if part))


def read_outputs(paths: Mapping[str, str | Path]) -> dict[tuple[str, str], dict[str, Any]]:
    """Texts by (group, segment) from JSON Lines files with `systems`, one file for each group."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for group, path in paths.items():
        records = read_records(path, "jsonl")
        records.require("segment", "systems")
        for row in range(len(records)):
            systems = records.columns["systems"][row]
            texts = systems.values() if isinstance(systems, dict) else [None]
            if not all(isinstance(text, str) for text in texts):
                message = "column 'systems': expected an object of system and candidate"
                raise records.error(row, message)
            segment = records.text(row, "segment")
            if (group, segment) in found:
                raise records.error(row, f"segment '{segment}' stands twice; rename one")
            found[group, segment] = {
                "sources": _texts(records, row, ["source"] if "source" in records.columns else []),
                "references": _texts(
                    records, row, [name for name in ROLES["reference"] if name in records.columns]
                ),
                "systems": systems,
            }
    return found


def with_outputs(judged: EvalSet, outputs: Mapping[tuple[str, str], dict[str, Any]]) -> EvalSet:
    """The set with the texts of `read_outputs`; an item without a text is an error."""
    keys = [
        (judged.groups[group], name)
        for group, name in zip(judged.segment_group.tolist(), judged.segments, strict=True)
    ]
    for group, name in keys:
        if (group, name) not in outputs:
            raise InputError(f"no output has segment '{name}' of group '{group}'; give its file")
    _require_systems(judged)
    candidates: dict[int, str] = {}
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        group, name = keys[judged.item_segment[item]]
        written = outputs[group, name]["systems"]
        if judged.systems[system] not in written:
            reason = unknown_name("system", judged.systems[system], written)
            raise InputError(f"segment '{name}' of group '{group}': {reason}")
        text = written[judged.systems[system]]
        if candidates.setdefault(item, text) != text:
            raise InputError(f"segment '{name}': systems that share a rating wrote different texts")
    texts: dict[str, Any] = {"candidates": tuple(candidates[i] for i in range(judged.items))}
    for what in ("sources", "references"):
        if all(outputs[key][what] for key in keys):
            texts[what] = tuple(tuple(outputs[key][what]) for key in keys)
    return dataclasses.replace(judged, **texts)


def with_corpus(judged: EvalSet, corpus: Corpus) -> EvalSet:
    """The set with the texts of parallel files, whose lines are the segments 1, 2, ...

    Ratings of systems that the corpus does not have are left out.
    """
    if len(judged.groups) > 1:
        raise InputError(
            f"the ratings have {len(judged.groups)} groups, and files with one sentence a line have "
            "one; take one group at a time"
        )
    for row, name in enumerate(judged.segments):
        if not re.fullmatch("[1-9][0-9]{0,14}", name):
            raise InputError(
                f"segment '{judged.segments[row]}': expected a line number, because the texts come "
                "from files with one sentence a line"
            )
    others = [name for name in judged.systems if name not in corpus.systems]
    if len(others) == len(judged.systems):
        reason = unknown_name("system", others[0] if others else "", corpus.systems)
        raise InputError(f"the ratings are of none of the systems given: {reason}")
    _require_systems(judged)
    judged = judged.without_systems(others)
    wanted = {int(name): number for number, name in enumerate(judged.segments)}
    sources: dict[int, tuple[str, ...]] = {}
    references: dict[int, tuple[str, ...]] = {}
    lines: dict[tuple[str, int], str] = {}
    size = 0
    for batch in corpus.batches():
        size += len(batch)
        for i in range(len(batch)):
            number = wanted.get(batch.first + i + 1)
            if number is None:
                continue
            for known, texts in ((sources, batch.sources), (references, batch.references)):
                if texts is not None:
                    known[number] = tuple(texts[i])
            for name, column in batch.systems.items():
                lines[name, number] = column[i]
    beyond = max(wanted, default=0)
    if beyond > size:
        raise InputError(f"the ratings have a segment {beyond}, but the texts have only {size} lines")
    candidates: dict[int, str] = {}
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        text = lines[judged.systems[system], int(judged.item_segment[item])]
        if candidates.setdefault(item, text) != text:
            segment = judged.segments[judged.item_segment[item]]
            raise InputError(f"segment {segment}: systems that share a rating wrote different texts")
    ordered = range(len(judged.segments))
    return dataclasses.replace(
        judged,
        sources=tuple(sources[i] for i in ordered) if sources else None,
        references=tuple(references[i] for i in ordered) if references else None,
        candidates=tuple(candidates[i] for i in range(judged.items)),
    )


def _require_systems(judged: EvalSet) -> None:
    """An error if an item belongs to no system, whose text could then not be found."""
    named = set(judged.output_item.tolist())
    for item, segment in enumerate(judged.item_segment.tolist()):
        if item not in named:
            raise InputError(
                f"segment '{judged.segments[segment]}': a rating names no system, so that its "
                "candidate cannot be found; give the ratings a column 'system'"
            )


def with_scores(judged: EvalSet, path: str | Path, kind: str | None = None) -> EvalSet:
    """The set with segment scores from a table: segment, system, and one column per metric.

    This is what `paragauge score --segments` writes. Rows of items that nobody rated are passed over;
    an item without a row has no score.
    """
    records = read_records(path, kind)
    roles = _roles(records, {})
    for role in ("segment", "system"):
        if role not in roles:
            records.require(role)
    labels = [name for name in records.columns if name not in roles.values()]
    _check_numeric(records, labels)
    names = [(judged.groups[g], n) for g, n in zip(judged.segment_group, judged.segments, strict=True)]
    items = {
        (*names[judged.item_segment[item]], judged.systems[system]): item
        for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True)
    }
    builder = Builder()
    for row in range(len(records)):
        group = _optional(records, row, roles.get("group"))
        key = (group, records.text(row, roles["segment"]), records.text(row, roles["system"]))
        for label in labels if key in items else ():
            try:
                builder.score(items[key], label.removeprefix(METRIC), records.number(row, label))
            except InputError as error:
                raise records.error(row, str(error)) from None
    scores = builder.scores(judged.items)
    if not scores:
        raise records.error(None, "none of its rows is of a candidate that was rated")
    return dataclasses.replace(judged, scores={**judged.scores, **scores})


def write_evalset(judged: EvalSet, path: str | Path) -> None:
    """Write a set as TSV, JSON Lines or Parquet, by the name of the file.

    >>> import tempfile, pathlib
    >>> from paragauge.meta.evalset import build
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "set.tsv")
    ...     write_evalset(build([("1", "mine", "A", {"overall": 4.0})]), target)
    ...     print(target.read_text().replace("\\t", " | "), end="")
    segment | system | judge | overall
    1 | mine | A | 4.0
    """
    form = table_format(path)
    rows = [_flat(row) if form == "tsv" else row for row in _rows(judged)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    with atomic_path(path) as temporary:
        if form == "parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(
                pa.table({name: _column([row.get(name) for row in rows]) for name in names}), temporary
            )
            return
        with contextlib.closing(open_text(temporary, compression(path))) as out:
            if form == "jsonl":
                out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
                return
            for row in [dict(zip(names, names, strict=True)), *rows]:
                cells = ["" if row.get(name) is None else str(row[name]) for name in names]
                wrong = next((cell for cell in cells if re.search("[\t\n\r]", cell)), None)
                if wrong is not None:
                    raise SettingError(
                        f"{path}: a text has a tab or a line end, which TSV cannot hold: {wrong!r}; "
                        "write JSON Lines or Parquet"
                    )
                out.write("\t".join(cells) + "\n")


def _rows(judged: EvalSet) -> list[dict[str, Any]]:
    systems: list[list[str]] = [[] for _ in range(judged.items)]
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        systems[item].append(judged.systems[system])
    base = []
    for item, segment in enumerate(judged.item_segment.tolist()):
        row: dict[str, Any] = {}
        if judged.groups != ("",):
            row["group"] = judged.groups[judged.segment_group[segment]]
        row["segment"] = judged.segments[segment]
        if judged.systems:
            # A list is read as it stands, a text is cut at each |.
            plain = len(systems[item]) == 1 and "|" not in systems[item][0]
            row["system"] = systems[item][0] if plain else systems[item]
        base.append(row)
    rated: list[list[int]] = [[] for _ in range(judged.items)]
    for number, item in enumerate(judged.rating_item.tolist()):
        rated[item].append(number)
    # Without judges, equal candidates of no system are items of their own when they are read.
    whose = ["judge"] if any(judged.judges) else []
    together = ["task"] if bool((judged.rating_task >= 0).any()) else []
    rows = []
    for item, row in enumerate(base):
        texts = _text_cells(judged, item)
        scores = {f"{METRIC}{label}": _cell(one.values[item]) for label, one in judged.scores.items()}
        numbers: list[int | None] = [*rated[item]] or [None]
        for rating in numbers:
            more: dict[str, Any] = dict.fromkeys((*whose, *together, *judged.criteria))
            if rating is not None:
                if whose:
                    more["judge"] = judged.judges[judged.rating_judge[rating]] or None
                task = int(judged.rating_task[rating])
                if task >= 0:
                    more["task"] = str(task + 1)
                for name, values in judged.ratings.items():
                    more[name] = _cell(values[rating])
            rows.append({**row, **more, **scores, **texts})
    return rows


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row as TSV can hold it: systems in one field, references in several."""
    flat = dict(row)
    names = row.get("system")
    several = [names] if isinstance(names, str) else names or []
    if any("|" in name for name in several):
        raise SettingError(f"system '{several[0]}': TSV cannot hold a name with |; write JSON Lines")
    if "system" in flat:
        flat["system"] = "|".join(several)
    if isinstance(row.get("source"), list):
        raise SettingError("TSV cannot hold several sources of a segment; write JSON Lines")
    references = flat.pop("reference", [])
    if row.get("source") == "" or "" in references:
        raise SettingError("TSV cannot hold an empty source or reference; write JSON Lines")
    for number, text in enumerate(references, 1):
        flat["reference" + str(number) * (number > 1)] = text
    return flat


def _column(cells: list[Any]) -> list[Any]:
    """Cells of one Parquet column, which are all lists if one is."""
    if not any(isinstance(cell, list) for cell in cells):
        return cells
    return [cell if cell is None or isinstance(cell, list) else [cell] for cell in cells]


def _cell(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _text_cells(judged: EvalSet, item: int) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    segment = int(judged.item_segment[item])
    if judged.sources is not None:
        several = judged.sources[segment]
        cells["source"] = list(several) if len(several) > 1 else several[0]
    if judged.candidates is not None:
        cells["candidate"] = judged.candidates[item]
    if judged.references is not None:
        cells["reference"] = list(judged.references[segment])
    return cells
