"""Long work in stages; a finished stage is reused, not repeated.

Each stage writes one file or folder, and has a key made of everything that decides its result,
including the version of this package. A stage whose key is recorded and whose result exists is skipped:
an interrupted run continues where it stopped, and a run with one setting changed repeats what depends
on it. The record is written after the result, and results appear whole or not at all; before a result
is replaced, its entry is removed from the record, so that no interruption leaves a result under the key
of another.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError
from paragauge.text.files import atomic, os_error
from paragauge.text.numbers import parse_json
from paragauge.version import __version__

RECORD = "stages.json"
BLOCK = 1 << 20


@dataclass(frozen=True)
class Stage:
    """The outcome of a stage: the seconds it took, or that an earlier run is reused."""

    name: str
    kept: bool
    seconds: float
    facts: dict[str, Any]


class Stages:
    """The stages of one working folder."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.done: list[Stage] = []
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise os_error(folder, error) from None
        self._record = self._read()

    def run(
        self, name: str, key: Any, result: Path, make: Callable[[], dict[str, Any]]
    ) -> dict[str, Any]:
        """The facts that `make` returned, now or in an earlier run with the same key."""
        digest = digest_of([__version__, key])
        known = self._record.get(name)
        start = time.monotonic()
        if known is not None and known["key"] == digest and result.exists():
            facts: dict[str, Any] = known["facts"]
            self.done.append(Stage(name, True, 0.0, facts))
            return facts
        if self._record.pop(name, None) is not None:
            self._write()
        facts = make()
        self._record[name] = {"key": digest, "facts": facts}
        self._write()
        self.done.append(Stage(name, False, time.monotonic() - start, facts))
        return facts

    def _write(self) -> None:
        with atomic(self.folder / RECORD) as out:
            out.write(json.dumps(self._record, indent=2) + "\n")

    def _read(self) -> dict[str, Any]:
        path = self.folder / RECORD
        try:
            content = parse_json(path.read_text(encoding="utf-8"))
            if all(set(entry) == {"key", "facts"} for entry in content.values()):
                return dict(content)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise os_error(path, error) from None
        except (ValueError, AttributeError, TypeError):
            pass
        raise FileFormatError(
            path, None, "expected a record of finished stages; remove the folder to start over"
        )


def digest_of(key: Any) -> str:
    """A SHA-256 of a value that JSON can hold.

    >>> digest_of({"a": 1}) == digest_of({"a": 1}), digest_of([1]) == digest_of([2])
    (True, False)
    """
    text = json.dumps(key, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_file(path: str | Path) -> str:
    """A SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    try:
        with Path(path).open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except OSError as error:
        raise os_error(path, error) from None
    return digest.hexdigest()
