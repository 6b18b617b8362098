"""Atomic folders: filled under a hidden name and renamed when they are complete.

A folder of some kind has a file that says what it is, its description. An existing folder of the same
kind is replaced at the end; any other folder or file is left alone, with an error before work starts.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.text.files import os_error


@contextlib.contextmanager
def atomic_folder(output: str | Path, what: str, description: str) -> Iterator[Path]:
    """A hidden folder beside `output`, renamed to it when the block ends without an error.

    `what` names the kind of folder in messages, `description` is the file that one of its kind has.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_folder(f"{folder}/new", "word list", "words.json") as hidden:
    ...         _ = Path(hidden, "words.json").write_text("[]")
    ...     [path.name for path in Path(folder, "new").iterdir()]
    ['words.json']
    """
    target = Path(output)
    check_folder(target, what, description)
    place = target.resolve()
    hidden = place.with_name(f".paragauge-{secrets.token_hex(6)}.tmp")
    try:  # an interrupt may come as soon as the folder is there
        create_folder(hidden, target)
        yield hidden
        _put_in_place(hidden, place)
    except OSError as error:
        if "No space left" in str(error):
            message = "the disk is full; make room, or name another place, and run it again"
            raise FileFormatError(target, None, message) from None
        raise os_error(target, error) from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def create_folder(folder: Path, path: str | Path) -> None:
    """Create a folder; errors name `path`, the output that it is for.

    >>> create_folder(Path("/nowhere/a.tmp"), "/nowhere/a")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: /nowhere/a: its folder /nowhere does not exist; make it first
    """
    try:
        folder.mkdir()
    except FileNotFoundError:
        message = f"its folder {Path(path).parent} does not exist; make it first"
        raise FileFormatError(path, None, message) from None
    except (OSError, ValueError) as error:
        raise os_error(path, error) from None


def _put_in_place(hidden: Path, place: Path) -> None:
    """Rename a folder to its final name; a folder that already has that name is removed."""
    if not place.exists():
        hidden.rename(place)
        return
    if not exchange(hidden, place):
        _exchange_in_steps(hidden, place)
    shutil.rmtree(hidden)


def exchange(first: Path, second: Path) -> bool:
    """Exchange two names in one step; False where the system or the file system cannot.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     exchange(Path(folder, "none"), Path(folder, "neither"))
    False
    """
    names = os.fsencode(first), os.fsencode(second)
    library = ctypes.CDLL(None)
    if sys.platform == "linux" and hasattr(library, "renameat2"):
        here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
        return bool(library.renameat2(here, names[0], here, names[1], swap) == 0)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        swap = 2  # RENAME_SWAP
        return bool(library.renamex_np(names[0], names[1], swap) == 0)
    return False


def _exchange_in_steps(hidden: Path, place: Path) -> None:
    old = hidden.with_suffix(".old")
    try:
        place.rename(old)
        hidden.rename(place)
        old.rename(hidden)
    except BaseException:
        if old.exists() and place.exists():
            shutil.rmtree(old)
        elif old.exists():
            old.rename(place)
        raise


def check_folder(folder: Path, what: str, description: str) -> None:
    """Raise the error for a place where a folder of this kind must not be written.

    >>> check_folder(Path(__file__), "word list", "words.json")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: ...: expected a folder for the word list, found a file; ...
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        message = f"expected a folder for the {what}, found a file; name another"
        raise FileFormatError(folder, None, message)
    if not (folder / description).exists() and any(folder.iterdir()):
        raise FileFormatError(
            folder,
            None,
            f"expected a new folder or a {what} to replace, found a folder with other files; "
            "name another",
        )
