"""Writing ARPA files; `arpa.py` describes the format.

Numbers have as few digits as tell them from all other 32-bit floats, so that a model that is read again
is the same.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

from paragauge.errors import InputError
from paragauge.kernels import _native
from paragauge.lm.table import Singles
from paragauge.lm.text_form import TextForm
from paragauge.text.files import atomic
from paragauge.text.ragged import Ids
from paragauge.text.vocabulary import Vocabulary

COMMENT = "# paragauge "
UNWRITABLE = re.compile(r"[\0\t\n\v\f\r ]")


class NgramSource(Protocol):
    """Where n-grams to write come from: a table, or an estimation that has finished."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The words."""
        ...

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams of each order."""
        ...

    def ngrams(self, order: int) -> Iterator[tuple[Ids, Singles, Singles]]:
        """Words, probabilities and back-offs of one order, in batches."""
        ...


def write_arpa(path: str | Path, source: NgramSource, form: TextForm, threads: int = 0) -> None:
    """Write a model, order by order, so that it need not be in memory; .gz and .zst compress."""
    for word in source.vocabulary:
        if not word or UNWRITABLE.search(word):
            raise InputError(
                f"{path}: the word {word!r} cannot stand in an ARPA file; write the binary form (.bin)"
            )
    native = source.vocabulary.native
    with atomic(path) as text:
        out = cast(io.TextIOWrapper, text).buffer
        head = [COMMENT + json.dumps(form.record()), "\\data\\"]
        head += [f"ngram {order}={count}" for order, count in enumerate(source.counts, 1)]
        out.write(("\n".join(head) + "\n").encode())
        for order in range(1, len(source.counts) + 1):
            out.write(f"\n\\{order}-grams:\n".encode())
            highest = order == len(source.counts)
            for words, probabilities, backoffs in source.ngrams(order):
                flat = words.reshape(-1)
                out.write(
                    _native.format_arpa(flat, order, probabilities, backoffs, highest, native, threads)
                )
        out.write(b"\n\\end\\\n")
