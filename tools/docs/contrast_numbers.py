"""Write the results of `benchmarks/papers/contrast.py` into the guide that they support.

They go between the markers `contrast_meaning`, `contrast_near` and `contrast_form`.

    python -m benchmarks.papers.contrast && python tools/docs/contrast_numbers.py
"""

from __future__ import annotations

from typing import Any

from readme_numbers import ROOT, load, replace

PAGE = ROOT / "docs" / "guides" / "contrast.md"
FORM = ("near-copy", "copy", "misspelled", "scrambled", "truncated", "unrelated")
ONE_WORD = ("opposite", "number", "name", "date-unit")  # as many changed words as in a near-copy


def table(results: Any, kinds: list[str]) -> list[str]:
    lines = [f"| metric | {' | '.join(kinds)} |", "|---|" + "---:|" * len(kinds)]
    for spec, cells in results.items():
        values = (f"{cells[kind][0]:.2f}" for kind in kinds)
        lines.append(f"| `{spec}` | {' | '.join(values)} |")
    return lines


def main() -> None:
    results = load("contrast")
    kinds = next(iter(results["good"].values()))
    meaning = [kind for kind in kinds if kind not in FORM]
    replace(PAGE, "contrast_meaning", table(results["good"], meaning))
    replace(PAGE, "contrast_near", table(results["near-copy"], list(ONE_WORD)))
    replace(PAGE, "contrast_form", table(results["good"], list(FORM)))


if __name__ == "__main__":
    main()
