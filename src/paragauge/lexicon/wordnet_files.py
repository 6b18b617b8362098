"""Read a WordNet from disk in any of its formats."""

from __future__ import annotations

import zipfile
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.lexicon.lmf import read_lmf
from paragauge.lexicon.princeton import read_folder, read_zip
from paragauge.lexicon.wordnet_table import Contents
from paragauge.text.files import RawFile, os_error


def read_wordnet(path: str | Path) -> Contents:
    """The contents of the WordNet at `path`: a folder, a zip archive or an XML file.

    >>> import tempfile
    >>> read_wordnet(tempfile.gettempdir() + "/no such place")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: ...no such place: no such file; check the path
    """
    place = Path(path)
    contents: Contents | None = None
    try:
        exists, folder = place.exists(), place.is_dir()
    except (OSError, ValueError) as error:
        raise os_error(path, error) from None
    if not exists:
        raise os_error(path, FileNotFoundError())
    if folder:
        contents = read_folder(place)
    elif zipfile.is_zipfile(place):
        contents = read_zip(place)
    elif _looks_like_xml(place):
        contents = read_lmf(place)
    if contents is None:
        message = (
            "no WordNet there: expected index.noun, noun.exc and so on in a folder or a .zip, or "
            "an .xml file (WN-LMF); give the folder that holds index.noun"
        )
        raise FileFormatError(place, None, message)
    return contents


def _looks_like_xml(path: Path) -> bool:
    with RawFile(path) as file:
        start = file.read(64)
    return start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
