"""Word alignment, symmetrization, alignment error rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.align.aligner import Aligner, Alignment, no_directions
    from paragauge.align.aligners import choose_aligner
    from paragauge.align.alignment_files import AlignedFiles
    from paragauge.align.eflomal import Eflomal, find_eflomal
    from paragauge.align.error_rate import AlignmentScore, score_alignment
    from paragauge.align.gold import (
        GoldAlignment,
        is_jsonl,
        read_gold,
        read_gold_jsonl,
    )
    from paragauge.align.links import Links
    from paragauge.align.pharaoh import (
        MarkedLinks,
        PharaohReader,
        pharaoh_lines,
        read_pharaoh,
        write_pharaoh,
    )
    from paragauge.align.symmetrization import symmetrize
    from paragauge.align.systran import Systran, has_systran
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "AlignedFiles",
    "Aligner",
    "Alignment",
    "AlignmentScore",
    "Eflomal",
    "GoldAlignment",
    "Links",
    "MarkedLinks",
    "PharaohReader",
    "Systran",
    "choose_aligner",
    "find_eflomal",
    "has_systran",
    "is_jsonl",
    "no_directions",
    "pharaoh_lines",
    "read_gold",
    "read_gold_jsonl",
    "read_pharaoh",
    "score_alignment",
    "symmetrize",
    "write_pharaoh",
]
