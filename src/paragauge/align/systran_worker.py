"""The process that runs systran-align: ``python -m paragauge.align.systran_worker FOLDER``.

FOLDER holds `settings.json` and `pairs` (one ``source ||| target`` a line, no side empty); the links
are written to `links` there, in the Pharaoh format. `systran.py` says why this is a process.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

BATCH = 1 << 13


def run(folder: Path) -> None:
    """Train on the pairs and align them."""
    import systran_align

    settings: dict[str, Any] = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    pairs, links = folder / "pairs", folder / "links"
    tables = str(folder / "forward"), str(folder / "reverse")
    systran_align.generate_alignment_probabilities(str(pairs), *tables, **settings)
    aligner = systran_align.Aligner(*tables)
    with pairs.open(encoding="utf-8") as lines, links.open("w", encoding="utf-8") as out:
        for batch in iter(lambda: list(itertools.islice(lines, BATCH)), []):
            sides = [[words.split() for words in line.split("|||")] for line in batch]
            alignments = aligner.align_batch([side[0] for side in sides], [side[1] for side in sides])
            for alignment in alignments:
                points = sorted(set(alignment["alignments"]))
                out.write(" ".join(f"{source}-{target}" for source, target in points) + "\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]))
