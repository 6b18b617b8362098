"""Train a language model from text files.

An ARPA file is written as it is estimated, so neither the text nor the model need to fit in memory; the
binary form and entropy pruning take the model, not the text, into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.lm.arpa import write_arpa
from paragauge.lm.binary import write_binary
from paragauge.lm.estimate import Estimation, EstimationSettings
from paragauge.lm.model import check_name, is_arpa_name
from paragauge.lm.text_form import TextForm
from paragauge.text.files import check_writable, display_name, resolve_path
from paragauge.text.line_reader import LineReader

LINES, BYTES = 1 << 16, 1 << 23


@dataclass(frozen=True)
class TrainingSummary:
    """The outcome of a training."""

    output: str
    form: TextForm
    sentences: int
    tokens: int
    words: int  # different ones, without the marks
    counts: tuple[int, ...]
    discounts: list[tuple[float, float, float]]
    spilled: int


def train_files(
    files: Sequence[str | Path],
    output: str | Path,
    settings: EstimationSettings,
    *,
    form: TextForm | None = None,
    entropy_prune: float = 0.0,
    bits: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> TrainingSummary:
    r"""Train on all lines of all files and write the model: ARPA by its name, else the binary form.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = Path(folder, "text")
    ...     _ = text.write_text("a b\na c\n")
    ...     settings = EstimationSettings(order=2, discount_fallback=(0.5, 1, 1.5))
    ...     train_files([text], Path(folder, "lm.arpa"), settings).counts
    (6, 5)
    """
    _check_output(files, output, bits)
    with Estimation(settings, form) as estimation:
        for file in files:
            _add_file(estimation, file, progress)
        estimation.finish(progress)
        if progress is not None:
            progress("writing")
        counts = estimation.counts
        if is_arpa_name(output) and not entropy_prune:
            write_arpa(output, estimation, estimation.form, settings.threads)
        else:
            table = estimation.table()
            if entropy_prune:
                table = table.prune_by_entropy(entropy_prune, settings.threads)
            counts = table.counts
            if is_arpa_name(output):
                write_arpa(output, table, estimation.form, settings.threads)
            else:
                write_binary(output, table, estimation.form, bits)
        return TrainingSummary(
            str(output),
            estimation.form,
            estimation.sentences,
            estimation.tokens,
            len(estimation.vocabulary) - 3,
            counts,
            estimation.discounts,
            estimation.spilled,
        )


def _add_file(estimation: Estimation, file: str | Path, progress: Callable[[str], None] | None) -> None:
    if progress is not None:
        progress(f"reading {display_name(file)}")
    with LineReader(file) as reader:
        while lines := reader.read(LINES, BYTES):
            estimation.add(lines, display_name(file), reader.line - len(lines))


def _check_output(files: Sequence[str | Path], output: str | Path, bits: int | None) -> None:
    """Raise an error now for what would fail at the end."""
    check_name(output, bits)
    check_writable(output)
    target = resolve_path(output)
    for file in files:
        if str(file) != "-" and resolve_path(file) == target:
            raise FileFormatError(output, None, "the file is an input too; choose another name")
