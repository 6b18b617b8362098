"""Input of commands that take texts from files or a table, and ratings from another table."""

from __future__ import annotations

from dataclasses import replace

from paragauge.cli.options.corpus_input import CorpusInput, TableForm
from paragauge.cli.options.rating_options import RatingColumns
from paragauge.text.corpus import Corpus


def texts_beside_ratings(
    texts: CorpusInput, columns: RatingColumns, threads: int, *, several: bool = False
) -> tuple[Corpus, RatingColumns]:
    """The texts, and how to read the ratings; --table-format is the texts' if they are a table.

    The other options that say how a table is written are for both tables. With `several`, as in
    `Corpus`.
    """
    if texts.table is not None:
        form = TableForm(columns.text_encoding, columns.sheet, columns.header_row)
        texts = replace(texts, table_form=form)
        return texts.corpus(threads, several=several), columns
    corpus = replace(texts, table_format=None).corpus(threads, several=several)
    return corpus, columns.with_format(texts.table_format)
