"""WordNet in WN-LMF, the XML of the Global WordNet Association and of Open English WordNet.

For each `LexicalEntry` the reader takes its `Lemma` (written form and part of speech), its `Sense`s in
order and its `Form`s, which are irregular forms of the lemma:

    <LexicalEntry id="oewn-mouse-n">
      <Lemma writtenForm="mouse" partOfSpeech="n"/><Form writtenForm="mice"/>
      <Sense id="..." synset="oewn-02332896-n"/>
    </LexicalEntry>

Antonyms are `SenseRelation`s of the type `antonym` inside a sense; the heads of satellites are
`SynsetRelation`s of the type `similar` inside a `Synset` with the part of speech s.

Parts of speech are n, v, a (with its satellites s) and r; entries with another are left out, as
WordNet has no others. The file is read as a stream: glosses and other relations take no memory.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.parsers import expat

from paragauge.errors import FileFormatError
from paragauge.lexicon.wordnet_table import Contents, Sense, table_spelling
from paragauge.text.files import BUFFER, RawFile
from paragauge.text.numbers import parse_whole

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
        self._senses: set[Sense] = set()
        self._sense: Sense | None = None
        self._satellite: str | None = None
        self._sense_ids: dict[str, Sense] = {}
        self._antonyms: list[tuple[int, Sense, str]] = []  # line, sense, id of the other
        self._heads: list[tuple[str, str]] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def feed(self, data: bytes) -> None:
        """Parse the next bytes, b"" at the end."""
        try:
            self._parser.Parse(data, not data)
        except FileFormatError:  # a ValueError too, of a handler, with the right line
            raise
        except (LookupError, ValueError) as error:  # another encoding than UTF-8, which is declared
            message = f"{error}; convert the file to UTF-8 and declare that"
            raise FileFormatError(self._path, 1, message) from None
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
            self._add_sense(self._require_attribute(name, attributes, "synset"), attributes.get("id"))
        elif name == "SenseRelation" and attributes.get("relType") == "antonym" and self._sense:
            target = self._require_attribute(name, attributes, "target")
            self._antonyms.append((self._parser.CurrentLineNumber, self._sense, target))
        elif name == "Synset":
            is_satellite = attributes.get("partOfSpeech") == "s"
            self._satellite = self._require_attribute(name, attributes, "id") if is_satellite else None
        elif name == "SynsetRelation" and attributes.get("relType") == "similar" and self._satellite:
            target = self._require_attribute(name, attributes, "target")
            self._heads.append((self._satellite, target))

    def add_relations(self) -> None:
        """Add antonyms and heads, when all senses are known."""
        for line, sense, target in self._antonyms:
            if target not in self._sense_ids:
                self._fail(f"expected the id of a Sense as target, found '{target}'", line)
            self.contents.antonyms.add((sense, self._sense_ids[target]))
        adjectives = {synset for _, pos, synset in self._senses if pos == "a"}
        # A synset that no word lists is not in the table.
        self.contents.heads = {
            (satellite, head)
            for satellite, head in self._heads
            if satellite in adjectives and head in adjectives
        }

    def _end(self, name: str) -> None:
        if name == "Sense":
            self._sense = None
        if name != "LexicalEntry" or self._pos is None:
            return
        for form in self._forms:
            if form != self._word:
                self.contents.exceptions.setdefault((form, self._pos), self._word)

    def _add_sense(self, synset: str, identifier: str | None) -> None:
        if not self._word:
            self._fail("expected a Lemma before the first Sense of a LexicalEntry, found none")
        if self._pos is None:
            return
        sense = self._sense = (self._word, self._pos, synset)
        if identifier:
            self._sense_ids[identifier] = sense
        if sense not in self._senses:
            self._senses.add(sense)
            self.contents.senses.setdefault(sense[:2], []).append(synset)
        if offset := _OFFSET.search(synset):
            self.contents.keys[synset] = parse_whole(offset[1][-18:])

    def _written_form(self, name: str, attributes: dict[str, str]) -> str:
        word = table_spelling(self._require_attribute(name, attributes, "writtenForm"))
        if not word:
            self._fail(f"expected a word in writtenForm of {name}, found spaces")
        return word

    def _require_attribute(self, name: str, attributes: dict[str, str], key: str) -> str:
        if not attributes.get(key):
            self._fail(f"expected an attribute {key} of {name}, found {sorted(attributes)}")
        return attributes[key]

    def _fail(self, message: str, line: int | None = None) -> None:
        raise FileFormatError(self._path, line or self._parser.CurrentLineNumber, message)


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
    reader.add_relations()
    reader.contents.title = reader.contents.title or "unknown"
    return reader.contents
