"""Draw docs/images/plane.svg, the picture of the README, from the bundled examples.

python tools/readme_picture.py
"""

from __future__ import annotations

from pathlib import Path

from paragauge import BLEU, PINC
from paragauge.metrics.scoring import score_batches
from paragauge.report.svg import Span, scatter
from paragauge.text.corpus import Corpus

ROOT = Path(__file__).parents[1]
SYSTEMS = ("copy", "edits", "rewrites", "free", "scrambled")
STYLE = (
    "<style>.grid{stroke:#dfe3e8}text{font:13px sans-serif;fill:#1b1e23}"
    ".tick,.axis{fill:#5d6571}.name{font-weight:600}</style>"
    '<rect width="100%" height="100%" fill="#fff" rx="8"/>'
)


def main() -> None:
    examples = ROOT / "examples"
    corpus = Corpus(
        {name: examples / f"{name}.txt" for name in SYSTEMS},
        [examples / "sources.txt"],
        [examples / "references.tsv"],
    )
    sheet = score_batches(corpus.batches(), {"bleu": BLEU(), "pinc": PINC()})
    spans = {
        label: [Span(s.value, s.low, s.high) for s in (sheet[name, label] for name in SYSTEMS)]
        for label in ("pinc", "bleu")
    }
    titles = ("PINC: wording changed →", "BLEU: meaning kept →")
    drawing = scatter(SYSTEMS, spans["pinc"], spans["bleu"], titles)
    opening, rest = drawing.split(">", 1)
    opening = opening.replace(
        "<svg", '<svg xmlns="http://www.w3.org/2000/svg" width="560" height="380"'
    )
    target = ROOT / "docs" / "images" / "plane.svg"
    target.write_text(f"{opening}>{STYLE}{rest}\n", encoding="utf-8")
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
