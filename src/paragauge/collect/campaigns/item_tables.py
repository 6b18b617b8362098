"""Items from tables: rows with plain columns become what `paragauge.collect.campaigns.items.add` takes.

Columns by the kind of task; `key` (or item, video_id, image_id, segment, id) names the item everywhere:

    describe     url, start, end (seconds) for a clip; url, alt for a picture
    paraphrase   text (or sentence, source)
    suggest      prompt
    judge        source, and one row for each candidate: system, candidate; or one row for each source
                 with `systems`, an object of names and texts, or `candidates`, a list of objects with
                 system and text; reference (a text or a list) is shown to nobody and exported
    all          kind, control (gold, degraded, repeated), expected and wanted (objects; in TSV and CSV,
                 JSON)

In judging, several rows with the same key are one item. Its own values (source, reference, control,
expected, wanted) are in the first of them; the others repeat them or leave them empty, anything else is
rejected. A control among other candidates needs a list `candidates`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paragauge.collect.campaigns.control_expectations import abbreviate_json
from paragauge.collect.campaigns.item_location import ErrorAtRow, LocatedItem
from paragauge.errors import FileFormatError, InputError, unknown_name
from paragauge.text.numbers import parse_json
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.tables.dialect import TableDialect

KEYS = ("key", "item", "video_id", "image_id", "segment", "id")
COMMON = ("kind", "control", "expected", "wanted")
CONTENT: dict[str, tuple[str, ...]] = {
    "describe": ("url", "start", "end", "alt"),
    "paraphrase": ("text", "sentence", "source"),
    "suggest": ("prompt",),
    "judge": ("source", "system", "candidate", "systems", "candidates", "reference", "references"),
    "survey": (),
}
OBJECTS = ("expected", "wanted", "systems", "candidates")


def read_items(
    path: str | Path, task: str, kind: str | None = None, *, dialect: TableDialect | None = None
) -> list[dict[str, Any]]:
    r"""Items of a table for a task such as `describe`.

    `kind` is its format, if the name does not say; `dialect` says all about how it is written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder, "clips.tsv")
    ...     _ = table.write_text("key\turl\tstart\tend\nv1\thttps://example.org/a.webm\t1\t5\n")
    ...     read_items(table, "describe")
    [{'key': 'v1', 'kind': 'video', 'content': {'url': 'https://example.org/a.webm', 'start': 1.0,
    'end': 5.0}}]
    """
    records = read_records(path, dialect or TableDialect(kind))
    for name in records.columns:
        if name not in {*KEYS, *COMMON, *CONTENT[task]}:
            known = [KEYS[0], *CONTENT[task], *COMMON]
            raise records.error(None, str(unknown_name("column", name, known)))
    rows = [_read_cells(records, row) for row in range(len(records))]
    return locate_items(rows, task, records.error)


class RowError(InputError):
    """A row that is not an item; `row` counts from 0."""

    def __init__(self, row: int, message: str) -> None:
        self.row = row
        super().__init__(message)


def locate_items(
    rows: Iterable[Mapping[str, Any]], task: str, where: ErrorAtRow
) -> list[dict[str, Any]]:
    """Items from flat rows; `where` makes their errors, both here and in `items.add`."""
    try:
        items = list(build_items(rows, task))
    except RowError as error:
        raise where(error.row, str(error)) from None
    for item in items:
        item.where = where
    return list[dict[str, Any]](items)


def build_items(rows: Iterable[Mapping[str, Any]], task: str) -> Iterator[LocatedItem]:
    """Items from flat rows.

    >>> rows = [{"key": "s1", "source": "a dog", "system": "one", "candidate": "a puppy"},
    ...         {"key": "s1", "source": "a dog", "system": "two", "candidate": "a hound"}]
    >>> [candidate["text"] for candidate in next(build_items(rows, "judge"))["content"]["candidates"]]
    ['a puppy', 'a hound']
    """
    waiting: dict[str, LocatedItem] = {}
    for number, row in enumerate(rows):
        try:
            item = _build_item(row, task)
        except (InputError, TypeError) as error:
            raise RowError(number, str(error)) from None
        before = waiting.get(item["key"])
        if before is None:
            waiting[item["key"]] = LocatedItem(item, number)
        elif task == "judge" and item["content"]["source"] == before["content"]["source"]:
            _check_same(number, before, item)
            more = item["content"]["candidates"]
            before["content"]["candidates"] += more
            before.candidate_rows += [number] * len(more)
        else:
            difference = " with another source" * (task == "judge")
            raise RowError(
                number, f"item '{item['key']}' already appears above{difference}; give it another key"
            )
    yield from waiting.values()


def _check_same(number: int, before: LocatedItem, item: Mapping[str, Any]) -> None:
    """Reject a further row of an item that contradicts the first one."""
    for name in (*COMMON, "references"):
        first, value = (
            row["content"].get(name) if name == "references" else row.get(name)
            for row in (before, item)
        )
        if value is not None and value != first:
            original = "nothing" if first is None else abbreviate_json(first)
            raise RowError(
                number,
                f"{name.removesuffix('s')}: expected {original}, as in the first row of item "
                f"'{item['key']}', or an empty cell, found {abbreviate_json(value)}; "
                "it belongs to the whole item",
            )


def _build_item(row: Mapping[str, Any], task: str) -> dict[str, Any]:
    for name in row:
        if name not in {*KEYS, *COMMON, *CONTENT[task]}:
            raise InputError(str(unknown_name("field", name, [KEYS[0], *CONTENT[task], *COMMON])))
    named = [name for name in KEYS if row.get(name) is not None]
    if len(named) != 1:
        named_keys = " and ".join(named) or "none"
        raise InputError(f"expected one of {', '.join(KEYS)} as the item's key, found {named_keys}")
    item = {name: row[name] for name in COMMON if row.get(name) is not None}
    content = {name: row[name] for name in CONTENT[task] if row.get(name) is not None}
    if task == "describe":
        segment = "start" in content or "end" in content
        item.setdefault("kind", "video" if segment else "image")
    if task == "paraphrase":
        texts = list(content.values())
        if len(texts) != 1:
            raise InputError(
                f"expected the sentence in one of text, sentence, source, found {len(texts)}"
            )
        content = {"text": texts[0]}
    if task == "judge":
        content = _build_judgment(content)
    return {"key": str(row[named[0]]), **item, "content": content}


def _build_judgment(fields: dict[str, Any]) -> dict[str, Any]:
    """Source, candidates and references, from any of the three ways to give candidates."""
    if "source" not in fields:
        raise InputError("expected a source, found none")
    candidates: list[dict[str, Any]] = []
    if "candidate" in fields:
        candidates = [{"system": str(fields.get("system", "")), "text": fields["candidate"]}]
    elif isinstance(fields.get("systems"), dict):
        candidates = [{"system": name, "text": text} for name, text in fields["systems"].items()]
    elif isinstance(fields.get("candidates"), list):
        candidates = [dict(field) for field in fields["candidates"] if isinstance(field, dict)]
    if not candidates:
        raise InputError("expected a candidate, an object 'systems' or a list 'candidates', found none")
    content = {"source": fields["source"], "candidates": candidates}
    references = fields.get("reference", fields.get("references"))
    if references is not None:
        content["references"] = references if isinstance(references, list) else [references]
    return content


def _read_cells(records: Records, row: int) -> dict[str, Any]:
    """A row as Python values: times are numbers, JSON cells are objects."""
    cells: dict[str, Any] = {}
    for name, column in records.columns.items():
        value = column[row]
        if value is None:
            continue
        if name in ("start", "end"):
            value = records.number(row, name)
            if math.isnan(value):
                continue
        if name in OBJECTS and isinstance(value, str):
            try:
                value = parse_json(value)
            except (ValueError, RecursionError):
                raise _json_error(records, row, name) from None
        # A Parquet table has every field of an object in every row.
        cells[name] = _drop_empty(value) if name in OBJECTS and records.lines is None else value
    return cells


def _drop_empty(value: Any) -> Any:
    """An object without the fields that have no value."""
    if isinstance(value, dict):
        return {name: _drop_empty(inner) for name, inner in value.items() if inner is not None}
    return [_drop_empty(inner) for inner in value] if isinstance(value, list) else value


def _json_error(records: Records, row: int, name: str) -> FileFormatError:
    return records.error(
        row, f"column '{name}': expected JSON, such as {{\"1\": 5}}, found something else"
    )
