"""Options of commands that read tables of ratings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.errors import SettingError
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import read_evalset


@dataclass(frozen=True)
class RatingColumns:
    """How to read a table of ratings."""

    column: tuple[str, ...]
    criteria: tuple[str, ...]
    separator: str
    table_format: str | None

    def read(self, path: str) -> EvalSet:
        """The ratings of a file."""
        columns = {}
        for text in self.column:
            role, equals, name = text.partition("=")
            if not equals or not role or not name:
                raise SettingError(f"--column {text}: expected ROLE=NAME, for example judge=worker")
            columns[role] = name
        if not self.separator:
            raise SettingError("--separator: expected at least one character, found none")
        return read_evalset(
            path,
            columns=columns,
            criteria=split_names(self.criteria) or None,
            separator=self.separator,
            kind=self.table_format,
        )


with_rating_columns = gather_options(
    "columns",
    RatingColumns,
    option(
        "--column",
        multiple=True,
        metavar="ROLE=NAME",
        heading=shared_options.INPUT,
        help="The column of the segment, system, judge, group or task. May repeat.",
    ),
    option(
        "--criteria",
        multiple=True,
        metavar="NAME,...",
        heading=shared_options.INPUT,
        help="The columns with ratings, if other columns are not numbers.",
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


def split_names(values: Iterable[str]) -> list[str]:
    """Names from an option that takes several, separated by commas.

    >>> split_names(["a,b", "c"])
    ['a', 'b', 'c']
    """
    return [name for value in values for name in value.split(",") if name]
