"""WordNet in WN-LMF, the XML of the Global WordNet Association and of Open English WordNet.

For each `LexicalEntry` the reader takes its `Lemma` (written form and part of speech), its `Sense`s in
order and its `Form`s, which are irregular forms of the lemma:

    <LexicalEntry id="oewn-mouse-n">
      <Lemma writtenForm="mouse" partOfSpeech="n"/><Form writtenForm="mice"/>
      <Sense id="..." synset="oewn-02332896-n"/>
    </LexicalEntry>

Parts of speech are n, v, a (with its satellites s) and r; entries with another are left out, as
WordNet has no others. The file is read as a stream: glosses and relations take no memory.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.parsers import expat

from paragauge.errors import FileFormatError
from paragauge.lexicon.wordnet_table import Contents, table_spelling
from paragauge.text.files import BUFFER, RawFile

_POSES = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
_OFFSET = re.compile(r"(?:^|\D)(\d{1,9})(?:-[nvasr])?$", re.ASCII)


class _Reader:
    """Collects the contents while the parser calls its handlers."""

    def __init__(self, path: Path) -> None:
        self.contents = Contents("")
        self._path = path
        self._word = ""
        self._pos: str | None = None
        self._forms: list[str] = []
        self._senses: set[tuple[str, str, str]] = set()
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def feed(self, data: bytes) -> None:
        """Parse the next bytes, b"" at the end."""
        try:
            self._parser.Parse(data, not data)
        except expat.ExpatError as error:
            message = f"no well-formed XML ({expat.ErrorString(error.code)}); download it again"
            raise FileFormatError(self._path, error.lineno, message) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Lexicon" and not self.contents.title:
            self.contents.title = "-".join(
                table_spelling(attributes[key]) for key in ("id", "version") if attributes.get(key)
            )
        elif name == "LexicalEntry":
            self._word, self._pos, self._forms = "", None, []
        elif name == "Lemma":
            self._word = self._written_form(name, attributes)
            self._pos = _POSES.get(self._require_attribute(name, attributes, "partOfSpeech"))
        elif name == "Form":
            self._forms.append(self._written_form(name, attributes))
        elif name == "Sense":
            self._add_sense(self._require_attribute(name, attributes, "synset"))

    def _end(self, name: str) -> None:
        if name != "LexicalEntry" or self._pos is None:
            return
        for form in self._forms:
            if form != self._word:
                self.contents.exceptions.setdefault((form, self._pos), self._word)

    def _add_sense(self, synset: str) -> None:
        if not self._word:
            self._fail("expected a Lemma before the first Sense of a LexicalEntry, found none")
        if self._pos is None:
            return
        sense = (self._word, self._pos, synset)
        if sense not in self._senses:
            self._senses.add(sense)
            self.contents.senses.setdefault(sense[:2], []).append(synset)
        if offset := _OFFSET.search(synset):
            self.contents.keys[synset] = int(offset[1])

    def _written_form(self, name: str, attributes: dict[str, str]) -> str:
        word = table_spelling(self._require_attribute(name, attributes, "writtenForm"))
        if not word:
            self._fail(f"expected a word in writtenForm of {name}, found spaces")
        return word

    def _require_attribute(self, name: str, attributes: dict[str, str], key: str) -> str:
        if not attributes.get(key):
            self._fail(f"expected an attribute {key} of {name}, found {sorted(attributes)}")
        return attributes[key]

    def _fail(self, message: str) -> None:
        raise FileFormatError(self._path, self._parser.CurrentLineNumber, message)


def read_lmf(path: Path) -> Contents:
    """The WordNet in an XML file, which may be compressed."""
    reader = _Reader(path)
    with RawFile(path) as file:
        while data := file.read(BUFFER):
            reader.feed(data)
    reader.feed(b"")
    if not reader.contents.senses:
        message = "expected WN-LMF with LexicalEntry elements that have senses, found none"
        raise FileFormatError(path, None, message)
    reader.contents.title = reader.contents.title or "unknown"
    return reader.contents
