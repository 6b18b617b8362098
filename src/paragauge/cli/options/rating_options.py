"""Options of commands that read tables of ratings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paragauge.cli.command import option, together
from paragauge.cli.options import shared_options
from paragauge.errors import SettingError
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import read_evalset

rating_columns = together(
    option(
        "--column",
        multiple=True,
        metavar="ROLE=NAME",
        heading=shared_options.INPUT,
        help="Which column is the segment, system, judge, group or task. May repeat.",
    ),
    option(
        "--criteria",
        multiple=True,
        metavar="NAME,...",
        heading=shared_options.INPUT,
        help="The columns with ratings, if there are others that have no numbers.",
    ),
    option(
        "--separator",
        default="|",
        metavar="TEXT",
        heading=shared_options.INPUT,
        help="What separates systems that share a candidate.",
    ),
    shared_options.table_format,
)


def evalset_of(given: dict[str, Any]) -> EvalSet:
    """The evaluation set that the options describe."""
    columns = {}
    for each in given["column"]:
        role, equals, name = each.partition("=")
        if not equals or not role or not name:
            raise SettingError(f"--column {each}: expected ROLE=NAME, for example judge=worker")
        columns[role] = name
    if not given["separator"]:
        raise SettingError("--separator: expected at least one character, got none")
    return read_evalset(
        given["ratings"],
        columns=columns,
        criteria=names_of(given["criteria"]) or None,
        separator=given["separator"],
        kind=given["table_format"],
    )


def names_of(values: Iterable[str]) -> list[str]:
    """Names from an option that takes several, separated by commas.

    >>> names_of(["a,b", "c"])
    ['a', 'b', 'c']
    """
    return [name for value in values for name in value.split(",") if name]
