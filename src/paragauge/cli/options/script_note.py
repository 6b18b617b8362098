"""A note on standard error if English metrics read text in a script other than Latin."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from paragauge.metrics.base import Metric
from paragauge.text.batch import Batch


def note_script(batches: Iterable[Batch], metrics: Mapping[str, Metric]) -> Iterator[Batch]:
    """The batches; a note comes before the first if its first segment is not in Latin script.

    >>> list(note_script([], {}))
    []
    """
    for batch in batches:
        english = [label for label, metric in metrics.items() if metric.reads_english]
        if batch.first == 0 and english and len(batch):
            _check_first(batch, english)
        yield batch


def _check_first(batch: Batch, english: list[str]) -> None:
    groups = {"sources": batch.sources, "references": batch.references}
    firsts = {
        **{what: group[0][0] for what, group in groups.items() if group is not None},
        **{f"candidates of {name}": lines[0] for name, lines in batch.systems.items()},
    }
    note_first_texts(firsts, english)


def note_first_texts(firsts: Mapping[str, str], english: Sequence[str]) -> None:
    """Print the note about the first text of each kind, if it is due; `english` are metrics' labels.

    >>> note_first_texts({"sources": "a dog"}, ["meteor"])
    """
    foreign = [what for what, text in firsts.items() if is_foreign(text)]
    if foreign and english:
        click.echo(
            f"paragauge: the first line of {', '.join(foreign)} is not in Latin script, but "
            f"{', '.join(english)} {'is' if len(english) == 1 else 'are'} made for English",
            err=True,
        )


def is_foreign(text: str) -> bool:
    """Whether more than half of the letters of a text are not Latin.

    >>> is_foreign("\u732b\u5728\u57ab\u5b50\u4e0a"), is_foreign("na\u00efve \u732b"), is_foreign("123")
    (True, False, False)
    """
    letters = [character for character in text if character.isalpha()]
    latin = sum(
        unicodedata.name(letter, "").startswith(("LATIN", "FULLWIDTH LATIN")) for letter in letters
    )
    return 2 * latin < len(letters)
