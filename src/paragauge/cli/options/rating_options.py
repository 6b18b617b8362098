"""Options of commands that read tables of ratings: the same names in every command."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import click

from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.errors import SettingError, unknown_name
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.text.tables.dialect import DECIMALS, TableDialect
from paragauge.text.tables.headers import split_headers
from paragauge.text.tables.rating_roles import ROLES

# The parameters of these options, without --table-format.
COLUMN_OPTIONS = ("column", "criteria", "separator", "decimal", "text_encoding", "sheet", "header_row")


@dataclass(frozen=True)
class RatingColumns:
    """How to read a table of ratings."""

    column: tuple[str, ...]
    criteria: tuple[str, ...]
    separator: str
    decimal: str
    text_encoding: str | None
    sheet: str | None
    header_row: int | None = None
    table_format: str | None = None

    def read(self, path: str) -> EvalSet:
        """The ratings of a file."""
        if not self.separator:
            raise SettingError("--separator: expected at least one character, found none")
        dialect = self.dialect()
        return read_evalset(
            path,
            columns=self.roles(ROLES),
            criteria=[text for text in self.criteria if text.strip(",")] or None,
            separator=self.separator,
            kind=dialect.kind,
            encoding=dialect.encoding,
            decimal=dialect.decimal,
            sheet=dialect.sheet,
            header_row=dialect.header_row,
        )

    def dialect(self) -> TableDialect:
        """How the table is written."""
        return TableDialect(
            self.table_format, self.text_encoding, self.decimal, self.sheet, self.header_row
        )

    def roles(self, known: Collection[str]) -> dict[str, str]:
        """The columns that --column names, by their roles."""
        columns = {}
        for text in self.column:
            role, equals, name = text.partition("=")
            if not equals or not role or not name:
                raise SettingError(
                    f"--column {text}: expected ROLE=NAME, for example judge=worker; columns with "
                    "ratings are named by --criterion and --criteria"
                )
            if role not in known:
                raise unknown_name("role of a column", role, known)
            columns[role] = name
        return columns

    def criterion(self, chosen: str | None, default: str) -> str:
        """The criterion of a command that takes one: the chosen one, or the one of --criteria."""
        if chosen is not None:
            return chosen
        return self.criteria[0] if len(self.criteria) == 1 else default

    def with_format(self, table_format: str | None) -> RatingColumns:
        """The same with another format."""
        return replace(self, table_format=table_format)


_column_options = (
    option(
        "--column",
        multiple=True,
        metavar="ROLE=NAME",
        heading=shared_options.INPUT,
        help="The column of the ratings with this role: segment, system, judge, group, task, source, "
        "candidate or reference. May repeat.",
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
    choice_option(
        "--decimal",
        choices=DECIMALS,
        default=".",
        heading=shared_options.INPUT,
        help="The sign before decimals in the ratings.",
    ),
    shared_options.text_encoding,
    shared_options.sheet,
    shared_options.header_row,
)
with_rating_columns = gather_options(
    "columns", RatingColumns, *_column_options, shared_options.table_format
)
# For commands whose texts may be a table too, with an option --table-format of its own.
with_columns_beside_texts = gather_options(
    "columns", RatingColumns, *_column_options, defaults=("table_format",)
)
allow_missing = option(
    "--allow-missing",
    is_flag=True,
    heading=shared_options.INPUT,
    help="Leave out systems and segments that ratings, texts or scores lack, and print which.",
)


def print_notes(notes: Iterable[str]) -> None:
    """Print what was left out, on standard error."""
    for note in notes:
        click.echo(f"paragauge: left out: {note}", err=True)


def named_criteria(values: Iterable[str], judged: EvalSet) -> list[str]:
    """Criteria from an option that takes several, separated by commas; a criterion may have commas."""
    return [name for value in values for name in split_headers(value, judged.criteria)]


def split_names(values: Iterable[str]) -> list[str]:
    """Names from an option that takes several, separated by commas.

    >>> split_names(["a,b", "c"])
    ['a', 'b', 'c']
    """
    return [name for value in values for name in value.split(",") if name]
