"""Alignment by systran-align, SYSTRAN's library around fast_align (Dyer, Chahuneau and Smith 2013).

A reparameterization of IBM model 2 that prefers the diagonal, trained by EM in both directions. The
library gives links that it has made symmetric itself; the two directions are not available.

With several threads the library adds up counts in any order, and repeated runs differ. It is therefore
run with one thread in a process of its own (`systran_worker.py`): same input, same links. Words are
written as numbers, so that a word such as ``|||`` cannot break the library's input format.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from paragauge.align.aligner import Alignment
from paragauge.align.links import Links
from paragauge.align.pharaoh import read_pharaoh
from paragauge.errors import MissingExtraError, ParagaugeError, SettingError
from paragauge.text.bitext import Bitext
from paragauge.text.files import open_text
from paragauge.text.tokenizers import TOKENIZED
from paragauge.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Systran:
    """The aligner systran-align; the settings are those of fast_align's options -d, -o, -v and -I."""

    iterations: int = 5
    favor_diagonal: bool = True
    optimize_tension: bool = True
    variational_bayes: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.iterations <= 1000:
            raise SettingError(
                f"iterations: expected a whole number from 1 to 1,000, found {self.iterations}"
            )

    @property
    def name(self) -> str:
        """systran-align and its version."""
        try:
            return f"systran-align-{importlib.metadata.version('systran-align')}"
        except importlib.metadata.PackageNotFoundError:
            return "systran-align"

    @property
    def symmetric(self) -> bool:
        """True: the two directions are not available."""
        return True

    def align(self, bitext: Bitext) -> Alignment:
        """Links that are symmetric already."""
        if not has_systran():
            raise MissingExtraError(
                "systran-align",
                command="pip install systran-align, with Python 3.11 on Linux (x86-64); elsewhere use "
                "eflomal: pip install eflomal",
            )
        lengths = bitext.source_lengths, bitext.target_lengths
        usable = np.flatnonzero((lengths[0] > 0) & (lengths[1] > 0))
        if len(usable) == 0:
            return Alignment(self.name, Links.from_lists([[] for _ in range(len(bitext))]))
        with tempfile.TemporaryDirectory(prefix="paragauge-systran-") as folder:
            with open_text(Path(folder, "settings.json")) as out:
                json.dump(asdict(self), out)
            self._write(Path(folder, "pairs"), bitext, usable)
            self._run(folder)
            links = read_pharaoh(Path(folder, "links"), (lengths[0][usable], lengths[1][usable]))
        return Alignment(self.name, links.spread(usable, len(bitext)))

    def _write(self, path: Path, bitext: Bitext, usable: np.ndarray) -> None:
        source, target = (
            Vocabulary().encode(lines, TOKENIZED).take(usable)
            for lines in (bitext.source, bitext.target)
        )
        with open_text(path) as out:
            for left, right in zip(source, target, strict=True):
                words = [" ".join(map(str, side.tolist())) for side in (left, right)]
                out.write(" ||| ".join(words) + "\n")

    def _run(self, folder: str) -> None:
        command = [sys.executable, "-m", "paragauge.align.systran_worker", folder]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        ended = subprocess.run(  # noqa: S603  # our own module
            command, capture_output=True, env=environment, stdin=subprocess.DEVNULL, check=False
        )
        if ended.returncode != 0:
            messages = ended.stderr.decode("utf-8", "replace").strip().splitlines()
            raise ParagaugeError(
                f"systran-align ended with code {ended.returncode}{': ' if messages else ''}"
                f"{messages[-1] if messages else ''}; install it again, or use eflomal"
            )


def has_systran() -> bool:
    """Whether systran-align is installed.

    >>> has_systran() in (True, False)
    True
    """
    return importlib.util.find_spec("systran_align") is not None
