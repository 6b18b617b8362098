"""A campaign in which people judge compressions, for `paragauge collect init`.

Weese, Ganitkevitch and Callison-Burch (2014, section 6): workers see the long sentence with the outputs
of all systems, a positive control (a compression written by a person) and a negative one (words deleted
at random), and rate meaning and grammaticality from 1 to 5, where 5 is best. Two people judge each
sentence. Workers who do poorly on the controls are left out afterwards: `meta --positive reference
--negative deletion`. The paper does not print its questions; these are ours, in `CAMPAIGN`, and a
campaign file may be edited. Systems are shown in random order without their names.

Controls are candidates like the others, so that their ratings are exported: a control of `collect`
would warn and block workers while they work, which the paper does not describe.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from paragauge.errors import InputError, LengthError
from paragauge.text.atomic_folders import file_set
from paragauge.text.files import atomic
from paragauge.text.wording import pluralize

JUDGES = 2
ITEMS = "items.jsonl"
CAMPAIGN_FILE = "campaign.toml"
CAMPAIGN = """\
# People judge compressions as in Weese, Ganitkevitch and Callison-Burch (2014), section 6.
slug = "compression"
kind = "judge"
title = "How good are these shortened sentences?"
instructions = \"\"\"
You see a sentence and shortened versions of it. Say of each version how much of the meaning of the
sentence it keeps, and whether it is grammatical English. A version need not keep every detail.\"\"\"
items = {items}
budget_cents = 0              # judges of your own; set a budget and a pay for others
open_registration = false     # by invitation

[tiers.1]
pay_cents = 0
per_item = {judges}

[[criteria]]
name = "meaning"
question = "How much of the meaning does it keep?"
labels = ["none", "little", "some", "most", "all that matters"]

[[criteria]]
name = "grammaticality"
question = "Is it grammatical?"
labels = ["not at all", "many errors", "some errors", "almost", "perfectly"]
"""


def judging_items(
    sources: Sequence[str], systems: Mapping[str, Sequence[str]]
) -> list[dict[str, object]]:
    """One item for each source, with the output of every system; keys are line numbers from 1.

    >>> judging_items(["a b c"], {"one": ["a b"], "two": ["b c"]})
    [{'key': '1', 'source': 'a b c', 'systems': {'one': 'a b', 'two': 'b c'}}]
    """
    if not systems:
        raise InputError("expected systems to judge, found none")
    for name, lines in systems.items():
        if len(lines) != len(sources):
            raise LengthError(
                f"{name}: expected {pluralize(len(sources), 'line')}, one for each source, found "
                f"{len(lines):,}"
            )
    return [
        {
            "key": str(number),
            "source": source,
            "systems": {name: lines[number - 1] for name, lines in systems.items()},
        }
        for number, source in enumerate(sources, 1)
    ]


def write_judging(
    folder: str | Path,
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    *,
    judges: int = JUDGES,
) -> tuple[Path, Path]:
    """Write the campaign and its items into a folder; return their paths.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     campaign, items = write_judging(name, ["a b c"], {"one": ["a b"]}, judges=3)
    ...     "per_item = 3" in campaign.read_text(), items.name
    (True, 'items.jsonl')
    """
    rows = judging_items(sources, systems)
    target = Path(folder)
    with file_set(target) as hidden:
        with atomic(hidden / ITEMS) as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        with atomic(hidden / CAMPAIGN_FILE) as toml:
            toml.write(CAMPAIGN.format(items=json.dumps(ITEMS), judges=judges))
    return target / CAMPAIGN_FILE, target / ITEMS
