"""Alignment by eflomal (Östling and Tiedemann 2016): a Bayesian HMM with fertilities, Gibbs-sampled.

eflomal is free software under the GPL. It is an optional program that is run as a process of its own:
nothing of it is imported or linked, and its input, numbered sentences, is written here. The settings
and the number of iterations are those of its own script `eflomal-align`: with n pairs,
``k = max(2, round(iterations * 5000 / sqrt(n)))`` of the last model after ``max(2, k // 4)`` and
``max(1, k // 4)`` of the models before. That script lowercases all words; here the
bitext's case decides.

eflomal takes its random numbers from the system and has no seed: two runs on the same input differ in
some links. Write the links to a file and keep it if results must be repeatable.

Its buffers hold sentences of up to 1,023 tokens; its script drops longer ones silently. Here they are
an error that lists the lines, or, with ``too_long="skip"``, stay without links and are listed.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from paragauge.align.aligner import Alignment
from paragauge.align.links import Links
from paragauge.align.pharaoh import read_pharaoh
from paragauge.errors import InputError, MissingExtraError, ParagaugeError, SettingError, unknown_name
from paragauge.kernels.layout import Ints
from paragauge.text.bitext import Bitext
from paragauge.text.files import open_text
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import TOKENIZED, check_threads
from paragauge.text.vocabulary import Vocabulary
from paragauge.text.wording import pluralize

LONGEST = 1023
LongSentences = Literal["error", "skip"]
TOO_LONG: tuple[LongSentences, ...] = get_args(LongSentences)
LISTED = 10


@dataclass(frozen=True)
class Eflomal:
    """The aligner eflomal.

    `model` is 1 (IBM 1), 2 (HMM) or 3 (HMM with fertilities); `samplers` independent chains are
    averaged; `iterations` is relative to eflomal's own number; `null_prior` is the prior probability
    of a word without link. `program` is the executable, if `find_eflomal` does not find it.
    """

    model: int = 3
    samplers: int = 3
    iterations: float = 1.0
    null_prior: float = 0.2
    too_long: LongSentences = "error"
    threads: int = 0
    program: str | Path | None = None

    def __post_init__(self) -> None:
        if self.model not in (1, 2, 3):
            raise SettingError(f"model: expected 1, 2 or 3, found {self.model}")
        if not 1 <= self.samplers <= 100:
            raise SettingError(
                f"samplers: expected a whole number from 1 to 100, found {self.samplers}"
            )
        if not 0 < self.iterations <= 1000:
            raise SettingError(
                f"iterations: expected a number from 0 to 1,000, found {self.iterations}"
            )
        if not 0 < self.null_prior < 1:
            raise SettingError(
                f"null_prior: expected a number between 0 and 1, found {self.null_prior}"
            )
        if self.too_long not in TOO_LONG:
            raise unknown_name("treatment of long sentences", self.too_long, TOO_LONG)
        check_threads(self.threads)

    @property
    def name(self) -> str:
        """eflomal and its version, if the installed package has one."""
        try:
            return f"eflomal-{importlib.metadata.version('eflomal')}"
        except importlib.metadata.PackageNotFoundError:
            return "eflomal"

    @property
    def symmetric(self) -> bool:
        """False: it gives both directions."""
        return False

    def align(self, bitext: Bitext) -> Alignment:
        """Links of both directions."""
        program = self._program()
        lengths = bitext.source_lengths, bitext.target_lengths
        skipped = self._find_too_long(bitext, lengths)
        usable = (lengths[0] > 0) & (lengths[1] > 0) & ~np.isin(bitext.numbers, skipped)
        if not usable.any():
            nothing = Links.from_lists([[] for _ in range(len(bitext))])
            return Alignment(self.name, nothing, nothing, tuple(skipped))
        with tempfile.TemporaryDirectory(prefix="paragauge-eflomal-") as folder:
            paths = {name: Path(folder, name) for name in ("source", "target", "forward", "reverse")}
            for side, lines in (("source", bitext.source), ("target", bitext.target)):
                with open_text(paths[side]) as out:
                    out.writelines(number_sentences(lines, usable))
            self._run([str(program), *self._arguments(len(bitext), paths)])
            try:
                forward, reverse = (
                    read_pharaoh(paths[name], lengths) for name in ("forward", "reverse")
                )
            except InputError as error:
                # eflomal does not check whether its output could be written.
                raise ParagaugeError(
                    f"eflomal left a broken result ({error}); make room in {tempfile.gettempdir()}, or "
                    "name a folder with more in TMPDIR, and run it again"
                ) from None
        return Alignment(self.name, forward, reverse, tuple(skipped))

    def _program(self) -> Path:
        program = find_eflomal() if self.program is None else Path(self.program)
        if program is None:
            raise MissingExtraError("eflomal", command="pip install eflomal")
        if not os.access(program, os.X_OK):
            raise SettingError(f"program: expected an executable file, found none at {program}")
        return program

    def _find_too_long(self, bitext: Bitext, lengths: tuple[Ints, Ints]) -> list[int]:
        """The line numbers of the pairs that do not fit."""
        longest = np.maximum(*lengths)
        numbers: list[int] = bitext.numbers[longest > LONGEST].tolist()
        if not numbers or self.too_long == "skip":
            return numbers
        listed = ", ".join(map(str, numbers[:LISTED])) + (", ..." if len(numbers) > LISTED else "")
        raise InputError(
            f"{bitext.name}: eflomal takes sentences of up to {LONGEST:,} tokens, but "
            f"{len(numbers):,} {'pair is' if len(numbers) == 1 else 'pairs are'} longer (up to "
            f"{pluralize(int(longest.max()), 'token')}; lines {listed}); split them, or leave them "
            "without links "
            "with --too-long skip"
        )

    def _arguments(self, pairs: int, paths: dict[str, Path]) -> list[str]:
        most = max(2, round(self.iterations * 5000 / math.sqrt(pairs)))
        before = [max(2, most // 4), max(1, most // 4)]
        iterations = [*before[: self.model - 1], most]
        arguments = ["-q", "-m", str(self.model), "-n", str(self.samplers), "-N", str(self.null_prior)]
        for number, count in enumerate(iterations, 1):
            arguments += [f"-{number}", str(count)]
        for flag, name in (("-s", "source"), ("-t", "target"), ("-f", "forward"), ("-r", "reverse")):
            arguments += [flag, str(paths[name])]
        return arguments

    def _run(self, command: list[str]) -> None:
        environment = dict(os.environ)
        if self.threads:
            environment["OMP_NUM_THREADS"] = str(self.threads)
        try:
            ended = subprocess.run(  # noqa: S603  # the program that was found, with our arguments
                command, capture_output=True, env=environment, stdin=subprocess.DEVNULL, check=False
            )
        except OSError as error:
            raise SettingError(f"eflomal could not be started: {error}; install it again") from None
        if ended.returncode != 0:
            messages = ended.stderr.decode("utf-8", "replace").strip().splitlines()
            raise ParagaugeError(
                f"eflomal ended with code {ended.returncode}{': ' if messages else ''}"
                f"{messages[-1] if messages else ''}; run it by hand to see more: {command[0]}"
            )


def number_sentences(lines: Lines, usable: np.ndarray) -> Iterator[str]:
    """eflomal's input: sentences and words as numbers; a sentence that is not usable is empty.

    >>> "".join(number_sentences(Lines.of(["a b a", "c"]), np.array([True, False])))
    '2 3\\n3 0 1 0\\n0\\n'
    """
    vocabulary = Vocabulary()
    sentences = vocabulary.encode(lines, TOKENIZED)
    yield f"{len(lines)} {len(vocabulary)}\n"
    for is_usable, row in zip(usable.tolist(), sentences, strict=True):
        yield " ".join(map(str, [len(row), *row.tolist()])) + "\n" if is_usable else "0\n"


def find_eflomal() -> Path | None:
    """The executable: on the PATH, beside Python, or in the installed package, never imported."""
    on_path = shutil.which("eflomal")
    if on_path is not None:
        return Path(on_path)
    places = [Path(sys.executable).parent]
    spec = importlib.util.find_spec("eflomal")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        places += [Path(folder), Path(folder, "bin")]
    for place in places:
        candidate = place / "eflomal"
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    return None
