"""Run all benchmarks in turn: `python -m benchmarks [races|papers]`.

A benchmark is a file with a `main` in `races/` (against peers) or `papers/` (the papers' tables and
figures). `python -m benchmarks.races.bleu` runs one of them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOMS = ("races", "papers")


def benchmarks(room: str) -> list[str]:
    """The modules of a folder that can be run."""
    files = sorted((Path(__file__).parent / room).glob("*.py"))
    return [f"benchmarks.{room}.{file.stem}" for file in files if "__main__" in file.read_text("utf-8")]


def main() -> int:
    rooms = sys.argv[1:] or list(ROOMS)
    for room in rooms:
        if room not in ROOMS:
            print(f"benchmarks: unknown room '{room}'; known: {', '.join(ROOMS)}", file=sys.stderr)
            return 2
    failed = []
    for module in (module for room in rooms for module in benchmarks(room)):
        print(f"## {module.removeprefix('benchmarks.')}\n", flush=True)
        if subprocess.run([sys.executable, "-m", module], check=False).returncode:
            failed.append(module)
        print(flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
