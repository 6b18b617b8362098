"""WordNet in Princeton's files: `index.noun`, `noun.exc` and the like, in a folder or a zip.

This is the form of Princeton's WordNet 2 and 3, of NLTK's `corpora/wordnet` and of Open English
WordNet's "WNDB" archives. The index files list, for each word in lower case, the synsets of its
senses; two words are in one synset if both list it. The data files are needed only for antonyms (see
`princeton_pointers`): without `data.adj`, there are none. A line of `index.noun`:

    lemma pos synset_cnt p_cnt [ptr_symbol...] sense_cnt tagsense_cnt synset_offset [...]

A line of `noun.exc` is an irregular form and its base forms, of which WordNet's morphy gives the
first; of two lines for one form the first counts. Lines that start with a space hold the license.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from paragauge.errors import FileFormatError
from paragauge.lexicon.princeton_pointers import PointerReader
from paragauge.lexicon.wordnet_table import Contents, table_spelling
from paragauge.text.files import os_error
from paragauge.text.wording import pluralize

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
POINTERS = "data.adj"
MOST_BYTES = 1 << 28  # of a file in an archive; the largest of WordNet 3.1 has 16 million
_VERSION = re.compile(r"WordNet (\d[\w.]*) Copyright")


def read_folder(folder: Path, exceptions: Path | None = None) -> Contents | None:
    """The WordNet in a folder, or in its folder `dict`; None if neither holds `index.noun`.

    The exception lists may be in another folder.

    >>> read_folder(Path("no such folder")) is None
    True
    """
    places = [place for place in (folder, folder / "dict") if (place / "index.noun").is_file()]
    if not places:
        return None

    def path(name: str) -> Path:
        return (exceptions if exceptions and name.endswith(".exc") else places[0]) / name

    def read(name: str) -> bytes:
        try:
            return path(name).read_bytes()
        except OSError as error:
            raise os_error(path(name), error) from None

    return _contents(lambda name: str(path(name)), read, path(POINTERS).is_file())


def read_zip(path: Path) -> Contents | None:
    """The WordNet in a zip archive; None if it holds no `index.noun`."""
    try:
        with zipfile.ZipFile(path) as archive:
            indexes = [name for name in archive.namelist() if PurePosixPath(name).name == "index.noun"]
            if not indexes:
                return None
            inside = PurePosixPath(min(indexes, key=len)).parent

            def read(name: str) -> bytes:
                try:
                    if archive.getinfo(str(inside / name)).file_size > MOST_BYTES:
                        message = (
                            f"expected files of at most {MOST_BYTES >> 20} MiB, found a larger one"
                        )
                        raise FileFormatError(f"{path}/{inside / name}", None, message)
                    return archive.read(str(inside / name))
                except KeyError:
                    raise os_error(f"{path}/{inside / name}", FileNotFoundError()) from None

            has_pointers = str(inside / POINTERS) in archive.namelist()
            return _contents(lambda name: f"{path}/{inside / name}", read, has_pointers)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        struct.error,
        UnicodeDecodeError,  # a name
    ) as error:
        message = f"damaged zip archive ({error}); download it again"
        raise FileFormatError(path, None, message) from None
    except OSError as error:
        raise os_error(path, error) from None


def _contents(
    full_name: Callable[[str], str], read: Callable[[str], bytes], has_pointers: bool
) -> Contents:
    contents = Contents("")
    pointers = PointerReader()
    for pos, part in PARTS.items():
        name = f"index.{part}"
        for number, line in _lines(full_name(name), read(name)):
            if line.startswith(" "):
                if version := _VERSION.search(line):
                    contents.title = version[1]
            elif line:
                _add_word(contents, pos, line, full_name(name), number)
        name = f"{part}.exc"
        for number, line in _lines(full_name(name), read(name)):
            forms = line.lower().split()
            if len(forms) == 1:
                message = f"expected a form and its base forms, found only {forms[0]!r}"
                raise FileFormatError(full_name(name), number, message)
            if forms:
                contents.exceptions.setdefault((forms[0], pos), forms[1])
        if has_pointers:
            name = f"data.{part}"
            pointers.add_file(pos, full_name(name), _lines(full_name(name), read(name)))
    pointers.add_pointers(contents)
    contents.title = contents.title or "unknown"
    return contents


def _lines(path: str, data: bytes) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            yield number, line.decode("utf-8").rstrip("\r")
        except UnicodeDecodeError:
            raise FileFormatError(path, number, "expected UTF-8 text; convert the file") from None


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else -1


def _add_word(contents: Contents, pos: str, line: str, path: str, number: int) -> None:
    fields = line.split()
    counts = [_count(text) for text in fields[2:4]]
    if len(counts) < 2 or min(counts) < 0 or len(fields) != 6 + sum(counts):
        message = (
            "expected 'lemma pos synset_cnt p_cnt [ptr_symbol...] sense_cnt tagsense_cnt "
            f"synset_offset...', found {pluralize(len(fields), 'field')}: {line[:60]!r}"
        )
        raise FileFormatError(path, number, message)
    offsets = fields[6 + counts[1] :]
    for offset in offsets:
        if not (offset.isascii() and offset.isdigit() and len(offset) <= 9):
            message = f"expected a synset offset of up to nine digits, found {offset[:20]!r}"
            raise FileFormatError(path, number, message)
        contents.keys[offset] = int(offset)
    word = table_spelling(fields[0])
    if (word, pos) in contents.senses:
        raise FileFormatError(path, number, f"{word!r} is listed twice; expected it once")
    contents.senses[(word, pos)] = offsets
