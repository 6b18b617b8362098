"""Phrase tables that exist already, as pivots of PEM: a folder of ours, or a Moses file.

The phrases must be words of the model's form, because the metric looks up words of that form. Files do
not say how their text was prepared, so the words are checked: a table with uppercase letters does not
fit a model that lowercases, and one in which many words change when they are stemmed was not stemmed.
Porter's stemmer changes half of the different words of English text, and one in thirty of its stems.
"""

from __future__ import annotations

from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.bitext import stem_lines
from paragauge.metrics.pem.training_stages import digest_of_file
from paragauge.phrases.moses import read_moses
from paragauge.phrases.table import PhraseTable
from paragauge.text.files import RawFile
from paragauge.text.lines import Lines

FEWEST_WORDS = 50  # too few words tell nothing about stemming
MOST_CHANGED = 1 / 3


def digest_of_phrases(path: str) -> str:
    """What identifies the rows of a table; an error if there is no table."""
    if Path(path).is_dir():
        return PhraseTable.open(path).fingerprint
    RawFile(path).close()
    return digest_of_file(path)


def open_phrases(path: str, folder: Path, form: TextForm, threads: int = 0) -> PhraseTable:
    """The table in the folder `path`, or a Moses file read into `folder`; checked against the form."""
    is_folder = Path(path).is_dir()
    table = PhraseTable.open(path) if is_folder else read_moses(path, folder, threads=threads)
    if not len(table):
        raise FileFormatError(
            path, None, "expected phrase pairs, found none; check the file, or give another table"
        )
    check_form(table, form, path)
    return table


def check_form(table: PhraseTable, form: TextForm, name: str) -> None:
    """Refuse a table without counts, or whose phrases are not words of the form."""
    words: set[str] = set()
    for rows in table.batches(("source", "count")):
        if rows.column("count").null_count:
            raise FileFormatError(
                name,
                None,
                "expected counts of the phrases, found none; write them too "
                "(source ||| target ||| scores ||| alignment ||| counts)",
            )
        words.update(word for phrase in rows.column("source").to_pylist() for word in phrase.split(" "))
    if form.case == "lower":
        upper = min((word for word in words if word != word.lower()), default=None)
        if upper is not None:
            raise FileFormatError(
                name,
                None,
                f"expected phrases in lowercase, found {upper!r}; lowercase the text before phrases "
                "are extracted, or train with --case mixed",
            )
    spelled = sorted(word for word in words if word.isalpha())
    if form.stem is None or len(spelled) < FEWEST_WORDS:
        return
    stems = stem_lines(Lines.of(spelled), form.stem)
    changed = [word for word, stem in zip(spelled, stems, strict=True) if word != stem]
    if len(changed) > MOST_CHANGED * len(spelled):
        raise FileFormatError(
            name,
            None,
            f"expected stems of {form.stem}, found words such as {changed[0]!r}; stem the text before "
            "phrases are extracted, or train with --stem none",
        )
