"""Write the results of `benchmarks/papers/which_metric.py` into the guide that they support.

They go between the markers `which_metric_agreement` and `which_metric_speed`.

    python -m benchmarks.papers.which_metric && python tools/docs/which_metric_numbers.py
"""

from __future__ import annotations

from typing import Any

from readme_numbers import ROOT, load, replace

PAGE = ROOT / "docs" / "guides" / "which-metric.md"
SETS = ("newstest2015", "newstest2016", "ParaBank", "ParaBank, changed", "STS dev", "PAWS")


def agreement(results: Any) -> list[str]:
    lines = [f"| metric | {' | '.join(SETS)} |", "|---|" + "---:|" * len(SETS)]
    for spec, cells in results["agreement"].items():
        texts = [
            "{:.3f} [{:.3f}, {:.3f}]".format(*cells[name]) if name in cells else "" for name in SETS
        ]
        lines.append(f"| `{spec}` | {' | '.join(texts)} |")
    return lines


def speed(results: Any) -> list[str]:
    """Metrics from the fastest to the slowest, with two digits: a busy machine does not give more."""
    speeds = sorted(results["pairs_per_second"].items(), key=lambda item: -item[1])
    rows = [f"| `{spec}` | {float(f'{value:.2g}'):,.0f} |" for spec, value in speeds]
    return ["| metric | pairs a second |", "|---|---:|", *rows]


def main() -> None:
    results = load("which_metric")
    replace(PAGE, "which_metric_agreement", agreement(results))
    replace(PAGE, "which_metric_speed", speed(results))


if __name__ == "__main__":
    main()
