"""Options that name the texts of a corpus: candidates, sources and references."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.cli.command import gather_options, option
from paragauge.cli.options.shared_options import (
    INPUT,
    header_row,
    name_systems,
    references,
    sheet,
    sources,
    table,
    table_format,
    text_encoding,
)
from paragauge.errors import SettingError, unknown_name
from paragauge.text.corpus import Corpus
from paragauge.text.tables.dialect import TableDialect

candidates = option(
    "--candidates",
    "-c",
    multiple=True,
    required=True,
    metavar="[NAME=]FILE",
    heading=INPUT,
    help="A system's output, one sentence per line; several candidates a line in a .tsv file, or as "
    "several columns of a table by one name. Repeat for more systems.",
)


@dataclass(frozen=True)
class TableForm:
    """How the table with the texts is written, beside its format."""

    text_encoding: str | None = None
    sheet: str | None = None
    header_row: int | None = None

    def dialect(self) -> TableDialect:
        """The dialect of the table."""
        return TableDialect(None, self.text_encoding, sheet=self.sheet, header_row=self.header_row)

    def given(self) -> str | None:
        """The first of these options that was given."""
        options = {
            "--encoding": self.text_encoding,
            "--sheet": self.sheet,
            "--header-row": self.header_row,
        }
        return next((name for name, value in options.items() if value is not None), None)


with_table_form = gather_options("table_form", TableForm, text_encoding, sheet, header_row)


@dataclass(frozen=True)
class CorpusInput:
    """The files of a corpus, or the columns of a table."""

    candidates: tuple[str, ...]
    sources: tuple[str, ...]
    references: tuple[str, ...]
    table: str | None
    table_format: str | None
    table_form: TableForm = TableForm()

    def corpus(self, threads: int, *, keep_empty: bool = False, several: bool = False) -> Corpus:
        """The corpus; `keep_empty` and `several` candidates for a segment as in `Corpus`.

        >>> CorpusInput(("mine.txt",), (), ("refs.tsv",), None, None).corpus(threads=1).systems
        {'mine': 'mine.txt'}
        """
        if self.table is None and self.table_format is not None:
            raise SettingError("--table-format needs --table; give the table, or leave the format out")
        if self.table is None and (option := self.table_form.given()) is not None:
            raise SettingError(f"{option} needs --table; give the table, or leave {option} out")
        values, more = self._group_columns() if several else (self.candidates, {})
        return Corpus(
            name_systems(values, is_column=self.table is not None),
            self.sources,
            self.references,
            self.table,
            self.table_format,
            threads,
            keep_empty,
            several,
            more,
            self.table_form.dialect(),
        )

    def _group_columns(self) -> tuple[tuple[str, ...], dict[str, list[str]]]:
        """The candidates, and further columns of a table by the names of their systems."""
        if self.table is None:
            return self.candidates, {}
        first: dict[str, str] = {}
        more: dict[str, list[str]] = {}
        for value in self.candidates:
            name, equals, column = value.partition("=")
            if equals and column and first.get(name, value) != value:
                more.setdefault(name, []).append(column)
            else:
                first.setdefault(name, value)
        return tuple(first.values()), more


_corpus_options = (candidates, sources, references, table, table_format)
with_corpus = gather_options("texts", CorpusInput, *_corpus_options, with_table_form)
# For commands that also read ratings, whose options say how tables are written.
with_corpus_beside_ratings = gather_options(
    "texts", CorpusInput, *_corpus_options, defaults=("table_form",)
)


def choose_baseline(name: str | None, corpus: Corpus) -> str:
    """The system to compare the others with: the first one if none is named."""
    baseline = name or next(iter(corpus.systems))
    if baseline not in corpus.systems:
        raise unknown_name("system", baseline, corpus.systems)
    return baseline
