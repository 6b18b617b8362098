"""Files of a sample of substitutions: what judges see, what they must not see, and a campaign.

- *Items*: the table that `paragauge collect` shows to judges, one row for each example: key, source
  (the reference), system (always ``substitution``) and candidate (the reference with the substitution).
- *Key*: one row for each example with its place and words, the methods that drew it (`drawn_by`, joined
  by commas), and the verdict of each method under the method's name.
- *Campaign*: a TOML file for `paragauge collect init`, with the instruction of Kauchak and Barzilay.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import InputError
from paragauge.rewrite.evaluation.substitution_sample import NOT_PROPOSED, SubstitutionSample
from paragauge.rewrite.rewriter import VERDICTS
from paragauge.text.files import atomic
from paragauge.text.table_in_memory import read_records
from paragauge.text.table_writers import write_rows

SYSTEM = "substitution"
CRITERION = "correct"
JUDGES = 2
PLACE = ("segment", "reference", "token", "last")
WORDS = ("old", "new", "drawn_by")
CAMPAIGN = """\
# Judge substitutions in references, as in section 4.3 of Kauchak and Barzilay (2006).
slug = "substitutions"
kind = "judge"
title = "Is the word in brackets a correct replacement?"
instructions = \"\"\"
The first sentence was written by a person. In the second one, the words in brackets are replaced.
Mark the replacement as correct only if both meaning and grammar are correct in this sentence.\"\"\"
items = {items}
budget_cents = 0

[tiers.1]
pay_cents = 0
per_item = {judges}

[[criteria]]
name = "{criterion}"
question = "Is the replacement correct in meaning and grammar in this sentence?"
low = 0
high = 1
labels = ["not correct", "correct"]
"""


@dataclass(frozen=True)
class SampleKey:
    """What a key says: for each example the methods that drew it, and the verdict of every method."""

    methods: tuple[str, ...]
    drawn_by: Mapping[str, tuple[str, ...]]
    verdicts: Mapping[str, Mapping[str, str]]


def write_items(sample: SubstitutionSample, path: str | Path) -> None:
    """Write what judges see."""
    kinds: dict[str, type] = dict.fromkeys(("key", "source", "system", "candidate"), str)
    rows = (
        {"key": row.key, "source": row.before, "system": SYSTEM, "candidate": row.after}
        for row in sample.rows
    )
    write_rows(rows, path, kinds)


def write_key(sample: SubstitutionSample, path: str | Path) -> None:
    """Write what judges must not see."""
    kinds: dict[str, type] = {"key": str} | dict.fromkeys(PLACE, int)
    kinds |= dict.fromkeys((*WORDS, *sample.methods), str)
    rows = (
        {"key": row.key}
        | {name: getattr(row, name) for name in PLACE}
        | {"old": row.old, "new": row.new, "drawn_by": ",".join(row.drawn_by)}
        | dict(row.verdicts)
        for row in sample.rows
    )
    write_rows(rows, path, kinds)


def read_key(path: str | Path) -> SampleKey:
    """Read a key; the methods are its columns after `drawn_by`."""
    records = read_records(path)
    records.require("key", "drawn_by")
    known = {"key", *PLACE, *WORDS}
    methods = tuple(name for name in records.columns if name not in known)
    if not methods:
        raise InputError(f"{path}: expected a column of verdicts for each method, found none")
    drawn_by: dict[str, tuple[str, ...]] = {}
    verdicts: dict[str, dict[str, str]] = {}
    for row in range(len(records)):
        key = records.text(row, "key")
        if key in drawn_by:
            raise records.error(row, f"example '{key}' stands twice; leave one out")
        drawn_by[key] = tuple(name for name in records.text(row, "drawn_by").split(",") if name)
        for name in drawn_by[key]:
            if name not in methods:
                raise records.error(
                    row, f"drawn_by: expected one of {', '.join(methods)}, found {name}"
                )
        verdicts[key] = {name: records.text(row, name) for name in methods}
        for name, verdict in verdicts[key].items():
            if verdict not in (*VERDICTS, NOT_PROPOSED):
                expected = ", ".join((*VERDICTS, NOT_PROPOSED))
                raise records.error(row, f"{name}: expected one of {expected}, found '{verdict}'")
    return SampleKey(methods, drawn_by, verdicts)


def write_campaign(items: str | Path, path: str | Path, judges: int = JUDGES) -> None:
    """Write a campaign in which `judges` people judge each item of a file, which stands beside it."""
    name = json.dumps(Path(items).name)
    with atomic(str(path)) as out:
        out.write(CAMPAIGN.format(items=name, judges=judges, criterion=CRITERION))
