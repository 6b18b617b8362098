"""Draw docs/images/plane.svg, the README's picture, from the bundled examples.

python tools/docs/readme_picture.py
"""

from __future__ import annotations

from pathlib import Path

from paragauge import BLEU, PINC
from paragauge.metrics.scoring import score_batches
from paragauge.report.drawing.save import save_plot
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.stored_segments import Examples
from paragauge.report.pages.sections.summary import plane_of
from paragauge.text.corpus import Corpus

ROOT = Path(__file__).parents[2]
SYSTEMS = ("copy", "edits", "rewrites", "free", "scrambled")


def main() -> None:
    folder = ROOT / "examples"
    corpus = Corpus(
        {name: folder / f"{name}.txt" for name in SYSTEMS},
        [folder / "sources.txt"],
        [folder / "references.tsv"],
    )
    metrics = {"bleu": BLEU(), "pinc": PINC()}
    sheet = score_batches(corpus.batches(), metrics)
    plane = plane_of(Evaluation(sheet, Examples(metrics)))
    if plane is None:
        raise SystemExit("BLEU and PINC are needed for the plane")
    target = ROOT / "docs" / "images" / "plane.svg"
    save_plot(plane, target)
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
