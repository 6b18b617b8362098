"""Trees in what CoreNLP writes: its text, its JSON and its XML.

Each function takes batches of lines. The first gives the lines with nothing but trees left in them;
the others give batches of (trees, lines where they begin, 0 where that is unknown).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from paragauge.errors import FileFormatError
from paragauge.text.files import display_name
from paragauge.text.numbers import parse_json

TREE = "Constituency parse:"
FIX = "run CoreNLP with the annotator parse"


def text_trees(batches: Iterable[list[str]]) -> Iterator[list[str]]:
    """The lines, empty outside of trees: a tree follows its heading and ends at an empty line.

    >>> list(text_trees([["Tokens:", "[Text=a]", "Constituency parse: ", "(NN a)", "", "x"]]))
    [['', '', '', '(NN a)', '', '']]
    """
    inside = False
    for batch in batches:
        out = []
        for line in batch:
            tree_part = line if inside else ""
            if line.startswith(TREE):
                inside, tree_part = True, line.removeprefix(TREE).strip()
            elif not line.strip():
                inside = False
            out.append(tree_part)
        yield out


def json_trees(batches: Iterable[list[str]], path: str | Path) -> Iterator[tuple[list[str], list[int]]]:
    """The "parse" of all "sentences", of one document, of a list of them, or of one per line.

    >>> list(json_trees([['{"sentences": [{"parse": "(NN a)"}]}']], "a.json"))
    [(['(NN a)'], [0])]
    """
    lines = [line for batch in batches for line in batch]
    try:
        documents = [parse_json("\n".join(lines))]
    except (ValueError, RecursionError) as error:
        documents = []
        for number, line in enumerate(lines, 1):
            try:
                documents += [parse_json(line)] if line.strip() else []
            except (ValueError, RecursionError):
                # The file is probably one document if its first line is not a document by itself.
                place = getattr(error, "lineno", None) if not documents else number
                message = f"expected CoreNLP's JSON, found no well-formed JSON; {FIX} again"
                raise FileFormatError(display_name(path), place, message) from None
    trees: list[str] = []
    for document in documents:
        for record in document if isinstance(document, list) else [document]:
            trees += _parses(record, len(trees), path)
    yield trees, [0] * len(trees)


def _parses(document: Any, before: int, path: str | Path) -> list[str]:
    sentences = document.get("sentences") if isinstance(document, dict) else None
    if not isinstance(sentences, list):
        message = f'expected CoreNLP\'s JSON with "sentences", found another; {FIX}'
        raise FileFormatError(display_name(path), None, message)
    trees = []
    for number, sentence in enumerate(sentences, before + 1):
        tree = sentence.get("parse") if isinstance(sentence, dict) else None
        if not isinstance(tree, str):
            message = f'expected a "parse" of every sentence, found none of sentence {number}; {FIX}'
            raise FileFormatError(display_name(path), None, message)
        trees.append(_whole(tree))
    return trees


def _whole(tree: str) -> str:
    """A surrogate alone, which JSON can spell, is no text."""
    return tree.encode("utf-8", "replace").decode()


class _Parses:
    """Collects the text of <parse> elements."""

    def __init__(self) -> None:
        self.trees: list[str] = []
        self.numbers: list[int] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self._parts: list[str] | None = None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        del attributes
        if name == "parse":
            self._parts = []
            self.numbers.append(self.parser.CurrentLineNumber)

    def _text(self, text: str) -> None:
        if self._parts is not None:
            self._parts.append(text)

    def _end(self, name: str) -> None:
        if name == "parse" and self._parts is not None:
            self.trees.append("".join(self._parts))
            self._parts = None


def xml_trees(batches: Iterable[list[str]], path: str | Path) -> Iterator[tuple[list[str], list[int]]]:
    """The text of all <parse> elements.

    >>> list(xml_trees([["<root><parse>(NN a)</parse></root>"]], "a.xml"))
    [(['(NN a)'], [1]), ([], [])]
    """
    parses = _Parses()
    for batch in itertools.chain(batches, [None]):
        try:
            parses.parser.Parse("\n".join([*batch, ""]) if batch is not None else "", batch is None)
        except (LookupError, ValueError) as error:  # another encoding than UTF-8, which is declared
            message = f"{error}; convert the file to UTF-8 and declare that"
            raise FileFormatError(display_name(path), 1, message) from None
        except expat.ExpatError as error:
            message = f"no well-formed XML ({expat.ErrorString(error.code)}); {FIX} again"
            raise FileFormatError(display_name(path), error.lineno, message) from None
        ready = len(parses.trees)
        yield parses.trees[:ready], parses.numbers[:ready]
        del parses.trees[:ready], parses.numbers[:ready]
