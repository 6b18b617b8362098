"""A folder that keeps what each stage of a long computation made, so that it can be resumed.

A stage has a key, a hash of everything that its result depends on: its settings, the keys of the stages
before it, the contents of input files, and the version of the package. `stages.json` has the key of
every finished stage, its files and its time. A stage with the same key whose files are there is not run
again; any other runs, and its record is written when it is complete.

A stage may give another result when it runs again, as some aligners have no seed. So each run has a
number of its own, a record has the numbers of the stages before it, and a stage runs again if one of
these did.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError
from paragauge.text.atomic_folders import check_folder
from paragauge.text.files import RawFile, atomic, os_error
from paragauge.text.numbers import parse_json
from paragauge.version import __version__

RECORD = "stages.json"
BLOCK = 1 << 22


@dataclass(frozen=True)
class Stage:
    """A stage: its name, what it does in a few words, its key, and the files that it makes.

    `seconds` is a rough guess of its time; `after` has the names of the stages whose files it reads.
    """

    name: str
    title: str
    key: str
    files: tuple[str, ...]
    seconds: float = 0.0
    after: tuple[str, ...] = ()


class WorkFolder:
    """The kept stages in a folder, which is created when the first stage has run.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     work = WorkFolder(f"{folder}/work")
    ...     stage = Stage("greeting", "greet", stage_key("hello"), ("hello.txt",))
    ...     make = lambda: work.path("hello.txt").write_text("hello")
    ...     work.run(stage, make), work.run(stage, make), WorkFolder(f"{folder}/work").is_done(stage)
    (True, False, True)
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        check_folder(self.folder, "kept evaluation", RECORD)
        self._records: dict[str, Any] = {}
        if (self.folder / RECORD).exists():
            self._records = self._read()

    def path(self, name: str) -> Path:
        """The place of a file or a folder of a stage."""
        return self.folder / name

    def is_done(self, stage: Stage) -> bool:
        """Whether the stage is kept."""
        record = self._records.get(stage.name, {})
        return (
            record.get("key") == stage.key
            and record.get("after") == self._runs(stage)
            and all(self.path(name).exists() for name in stage.files)
        )

    def _runs(self, stage: Stage) -> dict[str, str | None]:
        """The numbers of the runs that made what the stage reads."""
        return {name: self._records.get(name, {}).get("run") for name in stage.after}

    def seconds(self, stage: Stage) -> float:
        """How long the kept stage took."""
        return float(self._records[stage.name]["seconds"])

    def run(self, stage: Stage, make: Callable[[], object]) -> bool:
        """Run a stage unless it is kept; returns whether it ran."""
        if self.is_done(stage):
            return False
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name in stage.files:
                self.path(name).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise os_error(self.folder, error) from None
        if not (self.folder / RECORD).exists():
            self._write()  # from now on the folder is known as one of these
        start = time.perf_counter()
        make()
        seconds = round(time.perf_counter() - start, 3)
        self._records[stage.name] = {
            "key": stage.key,
            "run": secrets.token_hex(8),
            "after": self._runs(stage),
            "seconds": seconds,
            "files": list(stage.files),
        }
        self._write()
        return True

    def _write(self) -> None:
        with atomic(self.folder / RECORD) as out:
            out.write(json.dumps({"paragauge": __version__, "stages": self._records}, indent=2) + "\n")

    def _read(self) -> dict[str, Any]:
        path = self.folder / RECORD
        try:
            stages = parse_json(path.read_text(encoding="utf-8"))["stages"]
            return {name: {**record} for name, record in stages.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            message = "expected the record of kept stages, found something else; name another folder"
            raise FileFormatError(path, None, message) from None


def stage_key(*parts: object) -> str:
    """The hash of everything that a stage depends on, with the package's version.

    >>> stage_key("a", 1) == stage_key("a", 1), stage_key("a", 1) == stage_key("a", 2)
    (True, False)
    """
    text = json.dumps([__version__, *parts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def hash_files(paths: Sequence[str | Path]) -> list[str]:
    """The SHA-256 of the contents of each file.

    >>> hash_files([])
    []
    """
    digests = []
    for path in paths:
        digest = hashlib.sha256()
        with RawFile(path) as file:
            while block := file.read(BLOCK):
                digest.update(block)
        digests.append(digest.hexdigest())
    return digests
