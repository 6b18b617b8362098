"""Files of constituent trees, in the forms in which parsers write them.

- `lines`: one tree per line, after any tab-separated fields (`news<TAB>(ROOT ...)`). Stanza
  (`str(sentence.constituency)`), benepar (`_.parse_string`) and most treebanks use this form.
- `pretty`: trees over several lines, as NLTK, CoreNLP's parser and the Penn Treebank write them.
- `corenlp-text`, `corenlp-json`, `corenlp-xml`: the output of CoreNLP's `-outputFormat` of that name,
  with trees after `Constituency parse:`, in `"parse"` and in `<parse>`.
- `auto` looks at the first line that is not empty: `<` begins XML and `{` or `[` JSON, `Document:` or
  `Sentence #` are CoreNLP's text; a line that closes as many brackets as it opens is a tree of
  `lines`, any other the beginning of a `pretty` one.

A file is read in batches, except JSON, which is read as a whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from paragauge.errors import FileFormatError, unknown_name
from paragauge.kernels import _native
from paragauge.syntax.corenlp import json_trees, text_trees, xml_trees
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.trees import LIKE, Trees, read_lines
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import Lines
from paragauge.text.vocabulary import Vocabulary

TreeForm = Literal["auto", "lines", "pretty", "corenlp-text", "corenlp-json", "corenlp-xml"]
FORMS: tuple[TreeForm, ...] = get_args(TreeForm)
BATCH = 1 << 13
BYTES = 1 << 24
LONGEST = 1 << 27  # bytes of a tree that may stay open
NOTHING = "( (-NONE- -))"
NumberedTexts = tuple[list[str], list[int]]  # trees and the lines where they begin


def read_trees(
    path: str | Path, *, form: TreeForm = "auto", strip: bool = False, keep_empty: bool = False
) -> Trees:
    r"""All trees of a file.

    `strip` turns labels like NP-SBJ=1 into NP. An empty line is skipped; with `keep_empty`, in
    the form `lines`, it is a tree without words, so that the trees stay parallel to other files.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.trees")
    ...     _ = path.write_text("(ROOT\n  (S\n    (NP (NNS Dogs))\n    (VP (VBP bark))))\n")
    ...     read_trees(path).to_brackets()
    ['(ROOT (S (NP (NNS Dogs)) (VP (VBP bark))))']
    """
    return Trees.concatenate(list(tree_batches(path, form=form, strip=strip, keep_empty=keep_empty)))


def read_tagged_sentences(path: str | Path) -> Iterator[Sentence]:
    """Words and tags of each tree of a file."""
    for trees in tree_batches(path):
        yield from trees.sentences()


def tree_batches(
    path: str | Path, *, form: TreeForm = "auto", strip: bool = False, keep_empty: bool = False
) -> Iterator[Trees]:
    """The trees of a file, some thousands at a time; label numbers are the same in all batches."""
    if form not in FORMS:
        raise unknown_name("form of trees", form, FORMS)
    labels = Vocabulary()
    with LineReader(path) as reader:
        batches = iter(lambda: list(reader.read(BATCH, BYTES)), [])
        if form == "auto":
            form, batches = _recognize_form(batches)
        if form == "lines":
            numbered_trees = _one_a_line(batches, keep_empty)
        elif form == "pretty":
            numbered_trees = _over_lines(batches, path)
        elif form == "corenlp-text":
            numbered_trees = _over_lines(text_trees(batches), path)
        elif form == "corenlp-json":
            numbered_trees = json_trees(batches, path)
        else:
            numbered_trees = xml_trees(batches, path)
        hint = "; put each tree on a line of its own" if form == "lines" else ""
        for texts, numbers in numbered_trees:
            trees, wrong = read_lines(Lines.of(texts), labels, strip=strip)
            if wrong is not None:
                message = f"{LIKE}, {wrong[1]}{hint}"
                raise FileFormatError(display_name(path), numbers[wrong[0]] or None, message)
            yield trees


def _recognize_form(batches: Iterator[list[str]]) -> tuple[TreeForm, Iterator[list[str]]]:
    form: TreeForm
    read = []
    for batch in batches:
        read.append(batch)
        first = next((line.strip() for line in batch if line.strip()), "")
        if first:
            break
    else:
        first = ""
    if first.startswith("<"):
        form = "corenlp-xml"
    elif first.startswith(("{", "[")):
        form = "corenlp-json"
    elif first.startswith(("Document:", "Sentence #")):
        form = "corenlp-text"
    else:
        tree = first.rpartition("\t")[2]
        form = "lines" if tree.count("(") == tree.count(")") else "pretty"
    return form, itertools.chain(read, batches)


def _one_a_line(batches: Iterable[list[str]], keep_empty: bool) -> Iterator[NumberedTexts]:
    number = 0
    for batch in batches:
        texts, numbers = [], []
        for line in batch:
            number += 1
            if line.strip() or keep_empty:
                texts.append(line.rpartition("\t")[2] if line.strip() else NOTHING)
                numbers.append(number)
        yield texts, numbers


def _over_lines(batches: Iterable[list[str]], path: str | Path) -> Iterator[NumberedTexts]:
    rest, line = b"", 1  # what is not yet a tree, and where it begins
    for batch in batches:
        text = rest + "\n".join([*batch, ""]).encode()
        spans, consumed = _native.bracket_spans(np.frombuffer(text, np.uint8))
        ends = np.flatnonzero(np.frombuffer(text[:consumed], np.uint8) == ord("\n"))
        numbers = line + np.searchsorted(ends, spans[:, 0])
        yield [text[start:stop].decode() for start, stop in spans.tolist()], numbers.tolist()
        rest, line = text[consumed:], line + len(ends)
        if len(rest) > LONGEST:
            message = f"{LIKE}, found brackets that are not closed after {LONGEST >> 20} MB"
            raise FileFormatError(display_name(path), line, message)
    blank = len(rest) - len(rest.lstrip())
    if blank < len(rest):
        yield [rest.decode()], [line + rest[:blank].count(b"\n")]
