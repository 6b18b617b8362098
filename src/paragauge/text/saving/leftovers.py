"""Hidden working names, and what a killed process leaves under them.

A writer works under a hidden name beside its target, `.paragauge-MACHINE-PROCESS-TOKEN.ENDING`:

    .tmp       a file or folder that is being written
    .old       a folder that holds the one to be replaced, while the new one gets its name: only where
               the system cannot exchange two names in one step
    .commit    a folder of complete files that are being moved into the folder it is in

A kill, unlike an error or an interrupt, leaves them behind. The next writer in the same folder, or the
next reader that misses its target, looks at those of processes that no longer run on this machine:
`.old` is restored if its target is missing, `.commit` is moved to the end, and the rest is removed.
What is restored or completed is logged as a warning, which the command line prints. MACHINE is a hash
of the host's name and of its namespace of processes, so that the work of another machine or container
that shares the folder is left alone.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import secrets
import shutil
from pathlib import Path

NAME = re.compile(
    r"(?P<own>\.paragauge-(?P<machine>[0-9a-f]{8})-(?P<process>[0-9]{1,10})-[0-9a-f]{12}\.(?P<ending>\w+))"
    r"(?:-journal|-wal|-shm)?"  # files that SQLite writes beside its own
)
OLD, COMMIT, TEMPORARY = "old", "commit", "tmp"

_in_use: set[str] = set()  # the names that this process works under
_seen: set[tuple[int, Path]] = set()  # folders that this process has looked at


def hidden_path(folder: Path, ending: str = TEMPORARY) -> Path:
    """A new hidden name in a folder, whose leftovers are cleaned up first.

    >>> hidden_path(Path("/tmp")).suffix
    '.tmp'
    """
    clean_up(folder)
    name = f".paragauge-{_machine()}-{os.getpid()}-{secrets.token_hex(6)}.{ending}"
    _in_use.add(name)
    return folder / name


def release(path: Path) -> None:
    """Remove what is left under a hidden name of this process, if anything."""
    remove(path)
    _in_use.discard(path.name)


def remove(path: Path) -> None:
    """Remove a file or folder as far as possible, without an error.

    >>> remove(Path("/no/such/file"))
    """
    try:
        path.unlink(missing_ok=True)
    except OSError:
        shutil.rmtree(path, ignore_errors=True)


def clean_up(folder: Path, *, again: bool = False) -> None:
    """Restore, complete or remove what dead processes left in a folder; a process looks only once.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     left = Path(name, f".paragauge-{_machine()}-9999999999-0123456789ab.tmp")
    ...     left.write_text("half")
    ...     clean_up(Path(name))
    ...     left.exists()
    4
    False
    """
    key = (os.getpid(), folder)
    if key in _seen and not again:
        return
    _seen.add(key)
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(".paragauge-")]
    except (OSError, ValueError):
        return  # the writer says what is wrong with the folder
    for name in sorted(names):
        match = NAME.fullmatch(name)
        if match is not None and _is_dead(match["machine"], int(match["process"]), match["own"]):
            with contextlib.suppress(OSError):
                _clean_up_one(folder / name, match["ending"])


def restore_folder(folder: Path) -> None:
    """If a folder is missing, look whether a killed process has put it aside.

    >>> restore_folder(Path("/no/such/folder"))
    """
    if not folder.exists():
        clean_up(folder.absolute().parent, again=True)


def _clean_up_one(left: Path, ending: str) -> None:
    if ending == OLD:
        for old in left.iterdir():
            target = left.parent / old.name
            if not os.path.lexists(target):
                old.rename(target)
                _say(f"{target}: restored; the run that should have replaced it was interrupted")
    elif ending == COMMIT:
        names = move_files(left)
        if names:
            _say(f"{left.parent}: completed what an interrupted run had written: {', '.join(names)}")
    remove(left)


def move_files(commit: Path) -> list[str]:
    """Move the files in a folder into the folder that it is in; returns their names."""
    names = sorted(path.name for path in commit.iterdir())
    for name in names:
        (commit / name).replace(commit.parent / name)
    return names


def _say(message: str) -> None:
    import logging

    logging.getLogger("paragauge").warning("paragauge: %s", message)


def _is_dead(machine: str, process: int, name: str) -> bool:
    """Whether the process that worked under this name has ended."""
    if os.name != "posix" or machine != _machine():
        return False
    if process == os.getpid():
        return name not in _in_use
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False


@functools.cache
def _machine() -> str:
    """A hash of the host's name and its namespace of processes."""
    try:
        space = Path("/proc/self/ns/pid").readlink().as_posix()
    except OSError:
        space = ""
    host = os.uname().nodename if hasattr(os, "uname") else ""
    return hashlib.sha256(f"{host} {space}".encode()).hexdigest()[:8]
