"""Opens a language model from a file of any supported format."""

from __future__ import annotations

from pathlib import Path

from paragauge.lm.kenlm_model import KenLMModel, is_kenlm_binary
from paragauge.lm.model import LanguageModel
from paragauge.lm.sentence_model import SentenceModel
from paragauge.lm.text_form import TextForm


def open_model(path: str | Path, *, form: TextForm | None = None, threads: int = 0) -> SentenceModel:
    """The model in a file: this package's binary format, ARPA, or KenLM's binary format.

    KenLM's binaries need the package kenlm; the other two do not.

    >>> open_model("none.bin")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: none.bin: no such file; check the path
    """
    if is_kenlm_binary(path):
        return KenLMModel(path, form)
    return LanguageModel.load(path, form=form, threads=threads)
