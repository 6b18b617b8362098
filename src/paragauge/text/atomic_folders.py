"""Atomic folders: filled under a hidden name and put in place when they are complete.

Models, grammars, phrase tables and all other folders are written by these functions:

    atomic_folder    a folder of some kind, which replaces an existing one of the same kind in one step
    new_folder       a folder under a name that nothing has yet
    file_set         files that belong together, in a folder that may have others

An error or an interrupt leaves what was there before. A kill does too, where the system exchanges
two names in one step (Linux, macOS), and for `new_folder`; elsewhere, and for `file_set`, the next run
in the same folder restores the old folder or completes the new files (`saving/leftovers.py`).
"""

from __future__ import annotations

import contextlib
import ctypes
import fnmatch
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.text.files import os_error, resolve_path, sync
from paragauge.text.saving.leftovers import COMMIT, OLD, clean_up, hidden_path, move_files, release

IGNORED = (".paragauge-*", ".DS_Store")  # names that may be in a folder of any kind


@contextlib.contextmanager
def atomic_folder(
    output: str | Path, what: str, description: str, parts: Sequence[str] = ("*",)
) -> Iterator[Path]:
    """A hidden folder beside `output`, which takes its place when the block ends without an error.

    `what` names the kind of folder in messages, `description` is the file that one of its kind has, and
    `parts` are patterns of the names of its other files. An existing folder is replaced if it has a
    description and nothing else than parts.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_folder(f"{folder}/new", "word list", "words.json") as hidden:
    ...         _ = Path(hidden, "words.json").write_text("[]")
    ...     [path.name for path in Path(folder, "new").iterdir()]
    ['words.json']
    """
    target = Path(output)
    check_folder(target, what, description, parts)
    place = resolve_path(target)
    with _hidden_folder(place.parent, target) as hidden:
        yield hidden
        sync_tree(hidden)
        _put_in_place(hidden, place)


@contextlib.contextmanager
def new_folder(output: str | Path) -> Iterator[Path]:
    """A hidden folder that is renamed to `output`, a new name, when the block ends without an error.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_folder(f"{folder}/rows") as hidden:
    ...         _ = Path(hidden, "part").write_text("")
    ...     [path.name for path in Path(folder, "rows").iterdir()]
    ['part']
    """
    target = Path(output)
    if os.path.lexists(target):
        raise FileFormatError(target, None, "expected a new folder, found one; name another")
    place = resolve_path(target)
    with _hidden_folder(place.parent, target) as hidden:
        yield hidden
        sync_tree(hidden)
        hidden.rename(place)


@contextlib.contextmanager
def file_set(output: str | Path) -> Iterator[Path]:
    """A hidden folder whose files are moved into `output` when the block ends without an error.

    A folder that does not exist appears with all files in one step. In an existing one, files of the
    same names are replaced and others stay.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a").write_text("old"), Path(folder, "c").write_text("other")
    ...     with file_set(folder) as hidden:
    ...         _ = Path(hidden, "a").write_text("new"), Path(hidden, "b").write_text("new")
    ...     {path.name: path.read_text() for path in sorted(Path(folder).iterdir())}
    {'a': 'new', 'b': 'new', 'c': 'other'}
    """
    target = Path(output)
    check_parent(target)
    place = resolve_path(target)
    exists = place.is_dir()
    with _hidden_folder(place if exists else place.parent, target) as hidden:
        yield hidden
        sync_tree(hidden)
        if exists:
            _move_into(hidden, place)
        else:
            hidden.rename(place)


def check_file_set(folder: str | Path, names: Iterable[str]) -> None:
    """Refuse to replace files, and to put files into a folder that has others.

    >>> check_file_set(Path(__file__).parent, ["a.txt"])
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: ...: expected a new or empty folder, found one with other ...
    """
    target = Path(folder)
    for name in names:
        if (target / name).exists():
            message = "the file exists; choose another folder, or force it"
            raise FileFormatError(target / name, None, message)
    try:
        others = sorted(path.name for path in target.iterdir() if not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return  # the writer says what is wrong
    except OSError as error:
        raise os_error(target, error) from None
    if others:
        raise FileFormatError(
            target,
            None,
            f"expected a new or empty folder, found one with other files, such as {others[0]}; choose "
            "another folder, or force it",
        )


def check_parent(folder: str | Path) -> None:
    """Refuse a path that is not a folder and cannot become one.

    >>> check_parent("no/such/folder")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: no/such/folder: its folder no/such does not exist; make it first
    """
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise FileFormatError(folder, None, "expected a folder, found a file; choose another name")
    if not path.absolute().parent.is_dir():
        raise _no_parent(path)


def create_folder(folder: Path, path: str | Path) -> None:
    """Create a folder; errors name `path`, the output that it is for.

    >>> create_folder(Path("/nowhere/a.tmp"), "/nowhere/a")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: /nowhere/a: its folder /nowhere does not exist; make it first
    """
    try:
        folder.mkdir()
    except FileNotFoundError:
        raise _no_parent(Path(path)) from None
    except (OSError, ValueError) as error:
        raise os_error(path, error) from None


def _no_parent(path: Path) -> FileFormatError:
    return FileFormatError(path, None, f"its folder {path.parent} does not exist; make it first")


@contextlib.contextmanager
def _hidden_folder(parent: Path, target: Path) -> Iterator[Path]:
    """A hidden folder in `parent`; errors of the system name `target`, and what is left is removed."""
    clean_up(parent, again=True)
    hidden = hidden_path(parent)
    try:  # an interrupt may come as soon as the folder is there
        create_folder(hidden, target)
        yield hidden
        release(hidden)  # an interrupt here comes to the one below
    except OSError as error:
        if "No space left" in str(error):
            message = "the disk is full; make room, or name another place, and run it again"
            raise FileFormatError(target, None, message) from None
        raise os_error(target, error) from None
    finally:
        release(hidden)


def sync_tree(folder: Path) -> None:
    """Flush all files of a folder to disk, so that a crash cannot leave names without content."""
    for place, _, names in os.walk(folder):
        for name in names:
            sync(Path(place, name))


def _put_in_place(hidden: Path, place: Path) -> None:
    """Give a folder its final name; one that already has it gets the hidden name, or is removed."""
    if not place.exists():
        hidden.rename(place)
    elif not exchange(hidden, place):
        _exchange_in_steps(hidden, place)


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
    """Move the old folder away, then give its name to the new one.

    A kill in between leaves the old folder inside one that ends in `.old`, from where it is restored.
    """
    aside = hidden_path(place.parent, OLD)
    old = aside / place.name
    try:
        aside.mkdir()
        place.rename(old)
        hidden.rename(place)
        release(aside)
    except BaseException:
        if old.exists() and not place.exists():
            old.rename(place)
        raise
    finally:
        if place.exists():
            release(aside)


def _move_into(hidden: Path, folder: Path) -> None:
    """Move all files into a folder. Once the first is moved, so are the others, whatever happens."""
    commit = hidden_path(folder, COMMIT)
    try:
        hidden.rename(commit)
        move_files(commit)
        release(commit)
    finally:
        if commit.exists():
            move_files(commit)
        release(commit)


def check_folder(folder: Path, what: str, description: str, parts: Sequence[str] = ("*",)) -> None:
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
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise os_error(folder, error) from None
    if names and description not in names:
        raise FileFormatError(
            folder,
            None,
            f"expected a new folder or a {what} to replace, found a folder with other files; "
            "name another",
        )
    known = (description, *parts, *IGNORED)
    foreign = [name for name in names if not any(fnmatch.fnmatchcase(name, part) for part in known)]
    if foreign:
        message = (
            f"expected a {what} to replace, found it with another file, {foreign[0]}; move that away, "
            "or name another folder"
        )
        raise FileFormatError(folder, None, message)
