"""How large parallel texts and grammars are: tables 1 and 2 of Weese et al. (2014).

- **Text**: sentences with their translations (*sets*), the unordered pairs of translations, and the
  words of these pairs. Table 1 has sentence pairs and "total words" and does not say whether a
  sentence that is in several pairs counts each time; here it does.
- **Grammar**: its rules, and how many of each kind of table 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import InputError
from paragauge.grammar.grammar_forms import open_grammar
from paragauge.grammar.sentence_pairs import SentencePairs, read_pairs, read_translations
from paragauge.text.bitext import EmptySides
from paragauge.text.progress import Progress, silent
from paragauge.text.python_data.result_table import ReadableTable, ResultTable
from paragauge.text.tokenizers import TOKENIZED, Tokenizer

FIELDS = ("kind", "name", "sets", "pairs", "words", "rules", "syntactic", "phrasal", "lexical")


@dataclass(frozen=True)
class TextSize:
    """A parallel text: sentences with their translations, pairs of these, and words of the pairs."""

    name: str
    sets: int
    pairs: int
    words: int


@dataclass(frozen=True)
class GrammarSize:
    """A grammar: its rules, all and by kind."""

    name: str
    rules: int
    syntactic: int
    phrasal: int
    lexical: int


@dataclass(frozen=True, repr=False)
class DataSizes(ResultTable):
    """The sizes of texts and grammars."""

    texts: tuple[TextSize, ...]
    grammars: tuple[GrammarSize, ...]

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each text and grammar; cells that the kind does not have are None."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Any]]:
        empty = dict.fromkeys(FIELDS)
        for kind, records in (("text", self.texts), ("grammar", self.grammars)):
            for one in records:
                yield empty | {"kind": kind} | asdict(one)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, as the command's JSON has it."""
        return {
            "texts": [asdict(one) for one in self.texts],
            "grammars": [asdict(one) for one in self.grammars],
        }

    def readable(self) -> ReadableTable:
        """A row for each text and grammar."""
        rows = [
            ["" if row[name] is None else _cell(row[name]) for name in FIELDS] for row in self.to_rows()
        ]
        return ReadableTable(FIELDS, rows, (), left=2)


def data_sizes(
    texts: Mapping[str, Sequence[str | Path]],
    grammars: Mapping[str, str | Path],
    *,
    tokenize: Tokenizer = TOKENIZED,
    empty: EmptySides = "error",
    threads: int = 0,
    progress: Progress = silent,
) -> DataSizes:
    r"""The sizes of texts and grammars by name.

    A text is a file with a pair of sentences per line, or several files with parallel lines, of which
    all pairs count. A grammar is a folder or a text file of rules.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = [Path(folder, name) for name in "abc"]
    ...     for file in files:
    ...         _ = file.write_text("x y\nz\n")
    ...     data_sizes({"three": files}, {}).texts[0]
    TextSize(name='three', sets=2, pairs=6, words=18)
    """
    if not texts and not grammars:
        raise InputError(
            "expected a grammar or a text to measure, found neither; give a GRAMMAR or --text"
        )
    measured = []
    for name, paths in texts.items():
        pairs = _read_text(paths, tokenize, empty, threads)
        measured.append(TextSize(name, pairs.sets, len(pairs), int(pairs.lengths.sum())))
    described = []
    for name, path in grammars.items():
        with open_grammar(path, threads=threads, progress=progress) as opened:
            described.append(GrammarSize(name, len(opened), **opened.info["kinds"]))
    return DataSizes(tuple(measured), tuple(described))


def _read_text(
    paths: Sequence[str | Path], tokenize: Tokenizer, empty: EmptySides, threads: int
) -> SentencePairs:
    if len(paths) == 1:
        return read_pairs(paths[0], tokenize=tokenize, empty=empty, threads=threads)
    return read_translations(paths, tokenize=tokenize, empty=empty, threads=threads)


def _cell(value: str | int) -> str:
    return value if isinstance(value, str) else f"{value:,}"
