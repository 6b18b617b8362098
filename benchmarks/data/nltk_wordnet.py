"""NLTK's reader of Princeton's files, for the races against NLTK."""

from __future__ import annotations

import importlib.util
import shutil
import warnings
from pathlib import Path
from typing import Any

FILES = Path("/usr/share/wordnet")
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


def available(files: Path) -> bool:
    """Whether NLTK and the files are there."""
    return importlib.util.find_spec("nltk") is not None and (files / "data.noun").is_file()


def nltk_reader(files: Path, folder: Path) -> Any:
    """The reader on a copy of the files in `folder`, where NLTK looks for data.

    Debian leaves out the names of lexicographers' files and the index of sense keys. The races do not
    need them, so placeholders take their place.
    """
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    target = folder / "corpora" / "wordnet"
    target.mkdir(parents=True)
    for part in PARTS.values():
        for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
            shutil.copy(files / name, target)
    (target / "lexnames").write_text("".join(f"{i:02d}\tx\t1\n" for i in range(45)))
    (target / "index.sense").write_text("")
    nltk.data.path.insert(0, str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return WordNetCorpusReader(nltk.data.FileSystemPathPointer(str(target)), None)
