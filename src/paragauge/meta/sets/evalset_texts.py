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
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import InputError, unknown_name
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder
from paragauge.meta.sets.evalset_files import (
    METRIC,
    all_texts,
    check_numeric,
    optional_text,
    roles_of,
)
from paragauge.meta.sets.evalset_part import WHOLE, EvalSetPart
from paragauge.meta.sets.panel import NO_RATING
from paragauge.text.corpus import Corpus
from paragauge.text.files import display_name
from paragauge.text.name_coverage import check_gaps, coverage_gaps
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.rating_roles import ROLES
from paragauge.text.tables.wide_tables import wide_remedy
from paragauge.text.wording import pluralize


def read_outputs(paths: Mapping[str, str | Path]) -> dict[tuple[str, str], dict[str, Any]]:
    """Texts by (group, segment) from JSON Lines files with `systems`, one file for each group."""
    outputs: dict[tuple[str, str], dict[str, Any]] = {}
    for group, path in paths.items():
        records = read_records(path, TableDialect("jsonl"))
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


def with_outputs(
    judged: EvalSet,
    outputs: Mapping[tuple[str, str], dict[str, Any]],
    *,
    allow_missing: bool = False,
    part: EvalSetPart = WHOLE,
) -> EvalSet:
    """The set with the texts of `read_outputs`; systems and segments are those of `part`.

    Systems and segments that only the ratings or only the outputs have are an error, unless
    `allow_missing` leaves them out.
    """
    keys = [
        (judged.groups[group], name)
        for group, name in zip(judged.segment_group.tolist(), judged.segments, strict=True)
    ]
    _require_systems(judged)
    rated = [keys[number] for number in np.unique(judged.item_segment).tolist()]
    texts = {key: row for key, row in outputs.items() if part.has_group(key[0])}
    written = [name for row in texts.values() for name in row["systems"] if part.has_system(name)]
    places = ("the ratings", "the outputs")
    gaps = coverage_gaps("system", judged.systems, written, *places)
    gaps += coverage_gaps(
        "segment",
        map(_segment_label, rated),
        (_segment_label(key) for key in texts if part.has_segment(key[1])),
        *places,
    )
    check_gaps(gaps, allow_missing=allow_missing)
    candidates: dict[int, str] = {}
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        group, name = keys[judged.item_segment[item]]
        if (group, name) not in texts:
            continue
        systems = texts[group, name]["systems"]
        if judged.systems[system] not in systems:
            if allow_missing:
                continue
            reason = unknown_name("system", judged.systems[system], systems)
            raise InputError(f"segment '{name}' of group '{group}': {reason}")
        text = systems[judged.systems[system]]
        if candidates.setdefault(item, text) != text:
            raise InputError(f"segment '{name}': systems that share a rating wrote different texts")
    used = {keys[judged.item_segment[item]] for item in candidates}
    sides: dict[str, Any] = {}
    for what in ("sources", "references"):
        if all(texts[key][what] for key in used):
            sides[what] = tuple(tuple(texts[key][what]) if key in used else () for key in keys)
    return _with_candidates(judged, candidates, gaps, sides, set(judged.systems) - set(written))


def with_corpus(
    judged: EvalSet,
    corpus: Corpus,
    *,
    allow_missing: bool = False,
    part: EvalSetPart = WHOLE,
) -> EvalSet:
    """The set with the texts of parallel files, whose lines are the segments 1, 2, ...

    Systems and segments that only the ratings or only the files have are an error, unless
    `allow_missing` leaves them out; systems and lines outside `part` are not looked at. Candidates of
    rated systems and segments that nobody rated are counted as left out.
    """
    if len(judged.groups) > 1:
        raise InputError(
            f"the ratings have {pluralize(len(judged.groups), 'group')}, and files with "
            "one sentence per line have one; take one group at a time"
        )
    rated = {judged.segments[number]: number for number in np.unique(judged.item_segment).tolist()}
    for name in rated:
        if not re.fullmatch("[1-9][0-9]{0,14}", name):
            raise InputError(
                f"segment '{name}': expected a line number, because the texts come "
                "from files with one sentence per line"
            )
    others = [name for name in judged.systems if name not in corpus.systems]
    if len(others) == len(judged.systems):
        if not others:
            remedy = wide_remedy(judged.criteria, corpus.systems, "RATING")
            remedy = remedy or "; name the column that has it with --column system=NAME"
            raise InputError(f"the ratings have no column with the system{remedy}")
        reason = unknown_name("system", others[0] if others else "", corpus.systems)
        raise InputError(f"the ratings are of none of the systems given: {reason}")
    _require_systems(judged)
    places = ("the ratings", "the files")
    gaps = coverage_gaps("system", judged.systems, filter(part.has_system, corpus.systems), *places)
    check_gaps(gaps, allow_missing=allow_missing)
    numbers = {int(name): number for name, number in rated.items()}
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
    chosen = filter(part.has_segment, map(str, range(1, size + 1)))
    segment_gaps = coverage_gaps("segment", rated, chosen, *places)
    check_gaps(segment_gaps, allow_missing=allow_missing)
    candidates: dict[int, str] = {}
    unrated = {key: None for key in lines if key[0] in judged.systems}
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        key = (judged.systems[system], int(judged.item_segment[item]))
        if key not in lines:
            continue
        unrated.pop(key, None)
        if candidates.setdefault(item, lines[key]) != lines[key]:
            segment = judged.segments[judged.item_segment[item]]
            raise InputError(f"segment {segment}: systems that share a rating wrote different texts")
    ordered = range(len(judged.segments))
    sides = {
        what: tuple(known.get(i, ()) for i in ordered)
        for what, known in (("sources", sources), ("references", references))
        if known
    }
    if unrated:
        count = judged.left_out.get(NO_RATING, 0) + len(unrated)
        judged = dataclasses.replace(judged, left_out={**judged.left_out, NO_RATING: count})
    return _with_candidates(judged, candidates, [*gaps, *segment_gaps], sides, set(others))


def _with_candidates(
    judged: EvalSet,
    candidates: Mapping[int, str],
    gaps: Sequence[str],
    sides: Mapping[str, Any],
    unknown: Collection[str],
) -> EvalSet:
    """The items that have a text, with it, without `unknown` systems; the others are counted."""
    texts = tuple(candidates.get(item, "") for item in range(judged.items))
    has_text = np.zeros(judged.items, np.bool_)
    has_text[list(candidates)] = True
    kept = dataclasses.replace(judged, candidates=texts, **sides).where(has_text)
    kept = kept.without_systems([name for name in kept.systems if name in unknown])
    lost = judged.items - kept.items
    left_out = {**judged.left_out, "no text": lost} if lost else judged.left_out
    return dataclasses.replace(kept, left_out=left_out, notes=(*judged.notes, *gaps))


def _segment_label(key: tuple[str, str]) -> str:
    """A segment in messages, with its group if it has one."""
    return f"{key[0]}:{key[1]}" if key[0] else key[1]


def _require_systems(judged: EvalSet) -> None:
    """Refuse items that belong to no system: their texts could not be found."""
    named = set(judged.output_item.tolist())
    for item, segment in enumerate(judged.item_segment.tolist()):
        if item not in named:
            raise InputError(
                f"segment '{judged.segments[segment]}': a rating names no system, so that its "
                "candidate cannot be found; give the ratings a column 'system'"
            )


def with_scores(
    judged: EvalSet,
    scores: str | Path | Records,
    dialect: TableDialect | None = None,
    *,
    allow_missing: bool = False,
    part: EvalSetPart = WHOLE,
) -> EvalSet:
    """The set with scores from a table: segment, system, and one column per metric.

    This is what `paragauge score --segments` writes. A table without segments has scores of systems,
    one row each: they count for correlations over systems only. Systems and segments of `part` that
    only the ratings or only the scores have are an error, unless `allow_missing` leaves them out; other
    rows of items that nobody rated are skipped, and an item without a row has no score.
    """
    records = scores if isinstance(scores, Records) else read_records(scores, dialect)
    roles = roles_of(records, {})
    if "system" not in roles:
        if remedy := wide_remedy(records.columns, judged.systems):
            raise records.error(None, f"expected a column 'system', found none{remedy}")
        records.require("system")
    labels = [name for name in records.columns if name not in roles.values()]
    check_numeric(records, labels)
    read = _with_segment_scores if "segment" in roles else _with_system_scores
    scored = read(judged, records, roles, labels)
    gaps = _score_gaps(judged, records, roles, part)
    check_gaps(gaps, allow_missing=allow_missing)
    return dataclasses.replace(scored, notes=(*judged.notes, *gaps))


def _with_segment_scores(
    judged: EvalSet, records: Records, roles: Mapping[str, str], labels: Sequence[str]
) -> EvalSet:
    """The set with scores of segments."""
    names = [(judged.groups[g], n) for g, n in zip(judged.segment_group, judged.segments, strict=True)]
    items = {
        (*names[judged.item_segment[item]], judged.systems[system]): item
        for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True)
    }
    builder = Builder()
    for row in range(len(records)):
        group = optional_text(records, row, roles.get("group"))
        key = (group, records.label(row, roles["segment"]), records.label(row, roles["system"]))
        for label in labels if key in items else ():
            try:
                builder.score(items[key], label.removeprefix(METRIC), records.number(row, label))
            except InputError as error:
                raise records.error(row, str(error)) from None
    scores = builder.scores(judged.items)
    if not scores:
        raise records.error(None, "none of its rows is of a candidate that was rated")
    return dataclasses.replace(judged, scores={**judged.scores, **scores})


def _score_gaps(
    judged: EvalSet, records: Records, roles: Mapping[str, str], part: EvalSetPart
) -> list[str]:
    """Systems and segments that only the ratings or only the scores have."""
    systems: dict[str, None] = {}
    segments: dict[str, None] = {}
    for row in range(len(records)):
        group = optional_text(records, row, roles.get("group"))
        system = records.label(row, roles["system"])
        if not part.has_group(group) or not part.has_system(system):
            continue
        if "segment" in roles:
            name = records.label(row, roles["segment"])
            if not part.has_segment(name):
                continue
            segments[_segment_label((group, name))] = None
        systems[system] = None
    places = ("the ratings", display_name(records.path))
    gaps = coverage_gaps("system", judged.systems, systems, *places)
    if "segment" in roles:
        rated = (
            _segment_label((judged.groups[judged.segment_group[number]], judged.segments[number]))
            if "group" in roles
            else judged.segments[number]
            for number in np.unique(judged.item_segment).tolist()
        )
        gaps += coverage_gaps("segment", rated, segments, *places)
    return gaps


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
