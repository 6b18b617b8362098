"""Twin of moses.cpp: parse lines of Moses phrase tables, each as `kernels/moses_line.py` does."""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Bytes, Floats, Ints, Texts, pack_texts, texts
from paragauge.kernels.moses_line import Row, parse_moses_line


def parse_moses(
    buffer: Bytes, spans: Ints, threads: int
) -> tuple[Texts, Texts, Texts, Floats, Ints, Ints]:
    """Columns source, target, alignment, scores [rows, 4], counts [rows, 3]; numbers of bad lines."""
    del threads
    rows: list[Row] = []
    bad: list[int] = []
    for line, text in enumerate(texts(buffer, spans)):
        try:
            rows.append(parse_moses_line(text))
        except ValueError:
            bad.append(line)
    return (
        pack_texts([row[0] for row in rows]),
        pack_texts([row[1] for row in rows]),
        pack_texts([row[2] for row in rows]),
        np.array([row[3] for row in rows], np.float64).reshape(-1, 4),
        np.array([row[4] for row in rows], np.int64).reshape(-1, 3),
        np.array(bad, np.int64),
    )
