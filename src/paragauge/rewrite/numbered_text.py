"""Text as numbers on disk, which trainers read repeatedly without holding it in memory.

Files are read once, in batches. Every token gets a number, in the order of appearance; numbers go to a
temporary file that is mapped into memory, so that only the vocabulary has to stay there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.engine.scratch import scratch
from paragauge.errors import InputError
from paragauge.kernels.layout import Ids, Ints
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import Case, Tokenizer
from paragauge.text.vocabulary import Vocabulary

LINES, BYTES = 1 << 16, 1 << 23
TOKENIZER: Tokenizer = "penn"
CASE: Case = "lower"


@dataclass(frozen=True)
class NumberedText:
    """Sentences as token numbers: `ids` (memory-mapped), `offsets`, and the count of each number."""

    vocabulary: Vocabulary
    ids: Ids
    offsets: Ints
    counts: Ints

    @property
    def sentences(self) -> int:
        """The number of lines, including empty ones."""
        return len(self.offsets) - 1

    @property
    def tokens(self) -> int:
        """The number of tokens in all lines."""
        return len(self.ids)


@contextlib.contextmanager
def numbered_text(
    files: Sequence[str | Path],
    *,
    folder: str | Path | None = None,
    threads: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Iterator[NumberedText]:
    r"""The lines of all files in lowercase Penn tokens; temporary files are in `folder`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path = Path(place, "text")
    ...     _ = path.write_text("A dog.\nA cat!\n")
    ...     with numbered_text([path]) as text:
    ...         text.ids.tolist(), text.offsets.tolist(), text.counts.tolist()
    ([0, 1, 2, 0, 3, 4], [0, 3, 6], [2, 1, 1, 1, 1])
    """
    vocabulary = Vocabulary()
    counts = np.zeros(0, np.int64)
    with scratch(folder) as place:
        numbers, lengths = place / "ids", place / "lengths"
        with numbers.open("wb") as ids_out, lengths.open("wb") as lengths_out:
            for file in files:
                if progress is not None:
                    progress(f"reading {display_name(file)}")
                with LineReader(file) as reader:
                    while lines := reader.read(LINES, BYTES):
                        encoded = vocabulary.encode(lines, TOKENIZER, case=CASE, threads=threads)
                        ids_out.write(encoded.ids.tobytes())
                        lengths_out.write(encoded.lengths.astype(np.int32).tobytes())
                        new_counts = np.bincount(encoded.ids, minlength=len(vocabulary))
                        new_counts[: len(counts)] += counts
                        counts = new_counts.astype(np.int64)
        if not len(vocabulary):
            names = ", ".join(display_name(file) for file in files)
            raise InputError(f"{names}: expected text, one sentence per line, found none")
        # A read-only array over the memory map: kernels take plain arrays.
        ids = np.asarray(np.memmap(numbers, np.int32, "r"))
        offsets = np.zeros(lengths.stat().st_size // 4 + 1, np.int64)
        np.cumsum(np.fromfile(lengths, np.int32), out=offsets[1:])
        yield NumberedText(vocabulary, ids, offsets, counts)
