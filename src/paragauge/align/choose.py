"""The aligners by name, and the default: eflomal, else systran-align."""

from __future__ import annotations

from paragauge.align.eflomal import Eflomal, find_eflomal
from paragauge.align.protocols import Aligner
from paragauge.align.systran import Systran, has_systran
from paragauge.errors import MissingExtraError, unknown_name

ALIGNERS = ("auto", "eflomal", "systran")


def choose_aligner(name: str = "auto", *, too_long: str = "error", threads: int = 0) -> Aligner:
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
        command="pip install eflomal (the better one), or pip install systran-align",
    )
