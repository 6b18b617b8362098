"""Reading existing corpora: the layout of the Microsoft video description corpus, or a table.

The layout `msvd` is how that corpus (Chen and Dolan 2011) is usually distributed: one description per
line, the video's id and the text separated by a tab, no header. A table (TSV or CSV with a header,
JSON Lines or Parquet) has named columns, of which these are read, under any of their names:

    item (video, video_id, VideoID, image, image_id, id)     what is described; needed
    sentence (text, description, Description, caption)       the words; needed; a list, or more in
                                                             sentence2, sentence3 ..., for several
    tier, language (Language), worker (WorkerID), submitted_at, seconds, decision, comment,
    source (the sentence that was paraphrased)

`paragauge.collect.corpus.campaign_export` writes tables of this kind. A corpus that people wrote fits
in memory.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from paragauge.collect.corpus.clusters import Sentence
from paragauge.errors import FileFormatError, unknown_name
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.table_readers import NAME_ENCODING
from paragauge.text.tables.dialect import TableDialect

CorpusLayout = Literal["table", "msvd"]
LAYOUTS: tuple[CorpusLayout, ...] = get_args(CorpusLayout)
ROLES: dict[str, tuple[str, ...]] = {
    "item": ("item", "video", "video_id", "VideoID", "image", "image_id", "id"),
    "sentence": ("sentence", "text", "description", "Description", "caption"),
    "tier": ("tier",),
    "language": ("language", "Language"),
    "worker": ("worker", "WorkerID"),
    "submitted_at": ("submitted_at",),
    "seconds": ("seconds",),
    "decision": ("decision",),
    "comment": ("comment",),
    "source": ("source",),
}
NEEDED = ("item", "sentence")


def read_corpus(
    path: str | Path,
    *,
    layout: CorpusLayout = "table",
    columns: Mapping[str, str] | None = None,
    kind: str | None = None,
    dialect: TableDialect | None = None,
) -> list[Sentence]:
    r"""The sentences of a corpus in the order of the file.

    `columns` says which column has a role, such as {"sentence": "caption"}; `kind` is the format of a
    table whose name does not tell it; `dialect` says all about how the file is written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "train.tsv")
    ...     _ = path.write_text("vid1\ta squirrel is eating\nvid1\ta chipmunk eats\n")
    ...     [sentence.text for sentence in read_corpus(path, layout="msvd")]
    ['a squirrel is eating', 'a chipmunk eats']
    """
    if layout not in LAYOUTS:
        raise unknown_name("layout", layout, LAYOUTS)
    dialect = dialect or TableDialect(kind)
    if layout == "msvd":
        sentences = list(_read_msvd(path, dialect.encoding))
        if not sentences:
            raise FileFormatError(display_name(path), None, "the corpus has no sentences")
        return sentences
    records = read_records(path, dialect)
    names = find_roles(records, columns or {})
    more = [
        name for name in records.columns if re.fullmatch(re.escape(names["sentence"]) + "[0-9]+", name)
    ]
    return [
        sentence
        for row in range(len(records))
        for sentence in _sentences(records, row, names, [names["sentence"], *more])
    ]


def _read_msvd(path: str | Path, encoding: str | None) -> Iterator[Sentence]:
    with LineReader(path, encoding=encoding, remedy=NAME_ENCODING) as reader:
        while batch := reader.read(1 << 14, 1 << 26):
            for number, line in enumerate(batch, reader.line - len(batch) + 1):
                item, *texts = line.split("\t")
                if len(texts) != 1 or not item or not texts[0].strip():
                    problem = f"{len(texts) + 1} fields" if len(texts) != 1 else "an empty one"
                    raise FileFormatError(
                        display_name(path),
                        number,
                        f"expected an item and a sentence separated by a tab, found {problem}",
                    )
                yield Sentence(item, texts[0])


def find_roles(records: Records, columns: Mapping[str, str]) -> dict[str, str]:
    """The column of each role: from `columns`, else by its name."""
    roles = records.roles(ROLES, columns)
    missing = [role for role in NEEDED if role not in roles]
    if missing:
        hint = "; for two columns without a header, use the layout msvd" * (len(records.columns) == 2)
        raise records.error(
            None,
            f"expected a column for the {missing[0]}, found {', '.join(records.columns)}; say which "
            f"column it is{hint}",
        )
    return roles


def _sentences(
    records: Records, row: int, names: Mapping[str, str], words: list[str]
) -> Iterator[Sentence]:
    """The sentences of a row, which has one, or several if it is a whole cluster."""

    def text(role: str) -> str | None:
        if role not in names or records.columns[names[role]][row] is None:
            return None
        return records.text(row, names[role])

    def number(role: str) -> float | None:
        value = records.number(row, names[role]) if role in names else math.nan
        return None if math.isnan(value) else value

    texts = [text for name in words for text in records.texts(row, name)]
    if not texts or not all(text.strip() for text in texts):
        raise records.error(row, f"column '{words[0]}': expected a sentence, found nothing")
    tier = number("tier")
    if tier not in (None, 1, 2):
        raise records.error(row, f"column '{names['tier']}': expected 1 or 2, found {tier:g}")
    known = Sentence(
        records.text(row, names["item"]),
        "",
        None if tier is None else int(tier),
        text("language"),
        text("worker"),
        text("submitted_at"),
        number("seconds"),
        text("decision"),
        text("comment"),
        text("source"),
    )
    for sentence in texts:
        yield replace(known, text=sentence)
