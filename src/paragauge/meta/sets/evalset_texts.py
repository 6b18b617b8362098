"""Texts and scores for an evaluation set that has only ratings.

- *Outputs*: JSON Lines with segment, source, reference and an object `systems` of name and candidate,
  one file for each group.
- *Parallel files*, one sentence per line: the segments are line numbers.
- *Segment scores*, as `paragauge score --segments` writes them.
- *System scores* of any kind, such as PARADIGM's of the grammars that systems use: without segments.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paragauge.errors import InputError, unknown_name
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder
from paragauge.meta.sets.evalset_files import (
    METRIC,
    ROLES,
    all_texts,
    check_numeric,
    optional_text,
    roles_of,
)
from paragauge.text.corpus import Corpus
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.wording import pluralize


def read_outputs(paths: Mapping[str, str | Path]) -> dict[tuple[str, str], dict[str, Any]]:
    """Texts by (group, segment) from JSON Lines files with `systems`, one file for each group."""
    outputs: dict[tuple[str, str], dict[str, Any]] = {}
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
            if (group, segment) in outputs:
                raise records.error(row, f"segment '{segment}' stands twice; rename one")
            outputs[group, segment] = {
                "sources": all_texts(records, row, ["source"] if "source" in records.columns else []),
                "references": all_texts(
                    records, row, [name for name in ROLES["reference"] if name in records.columns]
                ),
                "systems": systems,
            }
    return outputs


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

    Candidates of systems that the corpus lacks are left out and counted.
    """
    if len(judged.groups) > 1:
        raise InputError(
            f"the ratings have {pluralize(len(judged.groups), 'group')}, and files with "
            "one sentence per line have one; take one group at a time"
        )
    for row, name in enumerate(judged.segments):
        if not re.fullmatch("[1-9][0-9]{0,14}", name):
            raise InputError(
                f"segment '{judged.segments[row]}': expected a line number, because the texts come "
                "from files with one sentence per line"
            )
    others = [name for name in judged.systems if name not in corpus.systems]
    if len(others) == len(judged.systems):
        reason = unknown_name("system", others[0] if others else "", corpus.systems)
        raise InputError(f"the ratings are of none of the systems given: {reason}")
    _require_systems(judged)
    rated = judged.items
    judged = judged.without_systems(others)
    if rated > judged.items:
        judged = dataclasses.replace(judged, left_out={"no text": rated - judged.items})
    numbers = {int(name): number for number, name in enumerate(judged.segments)}
    sources: dict[int, tuple[str, ...]] = {}
    references: dict[int, tuple[str, ...]] = {}
    lines: dict[tuple[str, int], str] = {}
    size = 0
    for batch in corpus.batches():
        size += len(batch)
        for i in range(len(batch)):
            number = numbers.get(batch.first + i + 1)
            if number is None:
                continue
            for known, texts in ((sources, batch.sources), (references, batch.references)):
                if texts is not None:
                    known[number] = tuple(texts[i])
            for name, column in batch.systems.items():
                lines[name, number] = column[i]
    beyond = max(numbers, default=0)
    if beyond > size:
        raise InputError(
            f"the ratings have a segment {beyond}, but the texts have only {pluralize(size, 'line')}"
        )
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
    """Refuse items that belong to no system: their texts could not be found."""
    named = set(judged.output_item.tolist())
    for item, segment in enumerate(judged.item_segment.tolist()):
        if item not in named:
            raise InputError(
                f"segment '{judged.segments[segment]}': a rating names no system, so that its "
                "candidate cannot be found; give the ratings a column 'system'"
            )


def with_scores(judged: EvalSet, path: str | Path, kind: str | None = None) -> EvalSet:
    """The set with scores from a table: segment, system, and one column per metric.

    This is what `paragauge score --segments` writes. Rows of items that nobody rated are skipped;
    an item without a row has no score. A table without segments has scores of systems, one row each:
    they count for correlations over systems only.
    """
    records = read_records(path, kind)
    roles = roles_of(records, {})
    if "system" not in roles:
        records.require("system")
    labels = [name for name in records.columns if name not in roles.values()]
    check_numeric(records, labels)
    if "segment" not in roles:
        return _with_system_scores(judged, records, roles, labels)
    names = [(judged.groups[g], n) for g, n in zip(judged.segment_group, judged.segments, strict=True)]
    items = {
        (*names[judged.item_segment[item]], judged.systems[system]): item
        for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True)
    }
    builder = Builder()
    for row in range(len(records)):
        group = optional_text(records, row, roles.get("group"))
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


def _with_system_scores(
    judged: EvalSet, records: Records, roles: Mapping[str, str], labels: Sequence[str]
) -> EvalSet:
    """The set with scores of systems, which all of a system's items have."""
    rows: dict[tuple[str, str], int] = {}
    for row in range(len(records)):
        key = (optional_text(records, row, roles.get("group")), records.text(row, roles["system"]))
        if key in rows:
            raise records.error(
                row,
                f"system '{key[1]}' stands twice; leave one out, or give scores of segments a column "
                "'segment'",
            )
        rows[key] = row
    group_of = judged.segment_group[judged.item_segment]
    builder = Builder()
    row_of: dict[int, int] = {}
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        group = judged.groups[group_of[item]] if "group" in roles else ""
        row_number = rows.get((group, judged.systems[system]))
        if row_number is None:
            continue
        if item in row_of:
            raise records.error(
                row_number,
                f"system '{judged.systems[system]}' shares a rating with another system, so that it "
                "has no rating of its own; give each system its own ratings",
            )
        row_of[item] = row_number
        for label in labels:
            builder.score(item, label.removeprefix(METRIC), records.number(row_number, label))
    scores = {
        label: dataclasses.replace(score, system_level=True)
        for label, score in builder.scores(judged.items).items()
    }
    if not scores:
        raise records.error(
            None,
            f"expected scores of rated systems ({', '.join(judged.systems[:5])}), found "
            f"{', '.join(name for _, name in rows) or 'none'}; name them as in the ratings",
        )
    return dataclasses.replace(judged, scores={**judged.scores, **scores})
