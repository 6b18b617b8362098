"""Put the figures of the last `make bench` into README.md, between its bench markers.

make bench && python tools/readme_numbers.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "build" / "bench"


def load(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def table() -> list[str]:
    lines = ["| work | peer | peer's speed | paragauge | ratio |", "|---|---|---:|---:|---:|"]
    for name in ("bleu", "segments", "significance"):
        for row in load(name):
            lines.append(
                f"| {row['work']} | {row['peer']} | {row['peer_per_second']:,.0f}/s | "
                f"{row['ours_per_second']:,.0f}/s | {row['ratio']:.0f}x |"
            )
    return lines


def sentence() -> str:
    stream, startup = load("stream")[-1], load("startup")
    command = next(seconds for title, seconds in startup.items() if "score" in title)
    return (
        f"{stream['pairs']:,.0f} pairs scored with BLEU, PINC and their intervals, fed through pipes:\n"
        f"{stream['seconds']:.0f} s and at most {stream['megabytes']:.0f} MB of memory. Starting the "
        f"command and scoring ten lines\nwith PINC: {command:.2f} s."
    )


def main() -> None:
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    figures = "\n".join(["<!-- bench -->", *table(), "", sentence(), "<!-- /bench -->"])
    new, count = re.subn(r"<!-- bench -->.*?<!-- /bench -->", lambda _: figures, text, flags=re.DOTALL)
    if count != 1:
        raise SystemExit("README.md: expected one pair of bench markers")
    readme.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
