"""A model from a file, whoever made it."""

from __future__ import annotations

from pathlib import Path

from paragauge.lm.kenlm_model import KenLMModel, is_kenlm_binary
from paragauge.lm.model import LanguageModel
from paragauge.lm.protocol import SentenceModel
from paragauge.lm.text_form import TextForm


def open_model(path: str | Path, *, form: TextForm | None = None, threads: int = 0) -> SentenceModel:
    """Our binary form and ARPA files are ours; KenLM's binaries need its package.

    >>> open_model("none.bin")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: none.bin: no such file; check the path
    """
    if is_kenlm_binary(path):
        return KenLMModel(path, form)
    return LanguageModel.load(path, form=form, threads=threads)
