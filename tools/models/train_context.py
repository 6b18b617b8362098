"""Train the context classifiers that come with the package.

    pip install pythonbible pythonbible-{asv,bbe,kjv,web,ylt}
    python tools/models/train_context.py

The text is free: Tatoeba's English sentences (CC BY 2.0), five translations of the Bible and the State
of the Union addresses (public domain). Duplicate sentences count once.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pythonbible

from paragauge.rewrite.context.context_model import ENGLISH
from paragauge.rewrite.context.context_train import ContextSettings, train_context

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PARAGAUGE_DATA", ROOT.parent / "shared" / "data"))
VERSIONS = ("KING_JAMES", "AMERICAN_STANDARD", "WORLD_ENGLISH", "YOUNGS", "BIBLE_IN_BASIC_ENGLISH")
# With so few weights kept, averaging over several draws does no better on human judgments.
SETTINGS = ContextSettings(minimum=10, features=120, draws=1)


def lines(path: Path) -> list[str]:
    """The lines of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def verses() -> Iterator[str]:
    """Each verse of each translation that has it."""
    for name in VERSIONS:
        for verse in pythonbible.verses.VERSE_IDS:
            try:
                text = pythonbible.get_verse_text(verse, version=pythonbible.Version[name])
            except pythonbible.VersionMissingVerseError:
                continue
            yield " ".join(text.split())


def main() -> None:
    tatoeba = [
        line.split("\t")[0] for path in sorted((DATA / "bitext").iterdir()) for line in lines(path)
    ]
    texts = {
        "tatoeba": sorted(set(tatoeba)),
        "bible": list(verses()),
        "state_union": lines(DATA / "text" / "state_union.txt.gz"),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, sentences in texts.items():
            Path(folder, name).write_text("\n".join(sentences) + "\n", encoding="utf-8")
        model = train_context([Path(folder, name) for name in texts], SETTINGS)
    ENGLISH.parent.mkdir(parents=True, exist_ok=True)
    model.save(ENGLISH)
    print(
        f"{ENGLISH}: {len(model):,} words, {len(model.classifiers.features):,} weights, "
        f"{ENGLISH.stat().st_size:,} bytes, held-out accuracy {100 * model.accuracy():.1f} %"
    )


if __name__ == "__main__":
    main()
