"""The aligners by name, and which one is the default.

`auto` is eflomal if it is installed, else systran-align. On hand-aligned paraphrases eflomal with
grow-diag-final-and has an alignment error rate of about 16 (Edinburgh corpus) and 17.5 (MT references),
systran-align of 24.7 and 28.7. systran-align needs a few seconds for their 3,020 pairs and eflomal
about 20; for 142,787 pairs of English and French both need less than half a minute.
`benchmarks/races/alignment.py` prints these figures, which are in docs/guides/align.md; those of
eflomal vary by some tenths, because it has no seed.

systran-align has no sources on the package index and wheels for Python 3.11 on Linux (x86-64) only.
Elsewhere use eflomal, a separate program under GPL-3, which users install themselves.
"""

from __future__ import annotations

from typing import Literal, get_args

from paragauge.align.aligner import Aligner
from paragauge.align.eflomal import Eflomal, LongSentences, find_eflomal
from paragauge.align.systran import Systran, has_systran
from paragauge.errors import MissingExtraError, unknown_name

AlignerName = Literal["auto", "eflomal", "systran"]
ALIGNERS: tuple[AlignerName, ...] = get_args(AlignerName)


def choose_aligner(
    name: AlignerName = "auto", *, too_long: LongSentences = "error", threads: int = 0
) -> Aligner:
    """The aligner with this name; `auto` is the best one that is installed.

    >>> choose_aligner("giza")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown aligner 'giza'; known: auto, eflomal, systran
    """
    if name not in ALIGNERS:
        raise unknown_name("aligner", name, ALIGNERS)
    eflomal = Eflomal(too_long=too_long, threads=threads)
    if name == "eflomal" or (name == "auto" and find_eflomal() is not None):
        return eflomal
    if name == "systran" or has_systran():
        return Systran()
    raise MissingExtraError(
        "an aligner",
        command="pip install eflomal (the better one; GPL-3), or, with Python 3.11 on Linux (x86-64), "
        "pip install systran-align",
    )
