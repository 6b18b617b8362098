"""Read tagged sentences from a treebank in any of the known formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paragauge.errors import InputError
from paragauge.syntax.conllu import read_conllu
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.tree_files import read_tagged_sentences

TREES = (".trees", ".tsv", ".mrg", ".ptb", ".tree")
CONLLU = (".conllu", ".conll")


def read_treebank(path: str | Path) -> Iterator[Sentence]:
    """Tagged sentences; the format follows from the name, without .gz or .zst.

    `.conllu` and `.conll` are CoNLL-U; `.trees`, `.tsv`, `.mrg`, `.ptb` and `.tree` are Penn trees,
    one per line.

    >>> read_treebank("corpus.xml")
    Traceback (most recent call last):
    paragauge.errors.InputError: corpus.xml: expected CoNLL-U (.conllu) or Penn trees, one per line
    (.trees, .tsv), found '.xml'; rename or convert it
    """
    name = Path(path)
    while name.suffix in (".gz", ".zst"):
        name = name.with_suffix("")
    if name.suffix in CONLLU:
        return (parsed.sentence() for parsed in read_conllu(path))
    if name.suffix in TREES:
        return read_tagged_sentences(path)
    raise InputError(
        f"{path}: expected CoNLL-U (.conllu) or Penn trees, one per line (.trees, .tsv), "
        f"found '{name.suffix}'; rename or convert it"
    )
