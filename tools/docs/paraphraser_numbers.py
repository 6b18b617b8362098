"""Write the results of the experiments with paraphrasers into their guides.

They go between the markers `tuning`, `metric_search_dev`, `metric_search_test`, `msvd_systems`,
`msvd_examples`, `compression`, `phrase_decoder` and `grammar_decoder`.

    python -m benchmarks papers && python tools/docs/paraphraser_numbers.py
    python tools/docs/paraphraser_numbers.py compression        only some of them
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from readme_numbers import RESULTS, ROOT, load, replace

GUIDES = ROOT / "docs" / "guides"
SETS = {"dev": "development", "test": "test"}


def msvd_systems() -> list[str]:
    lines = ["| trained on | BLEU | PINC |", "|---|---:|---:|"]
    for row in load("msvd_systems")["rows"]:
        name = row["system"]
        what = name if name == "people" else f"{name} parallel sentence{'s' * (name != '1')}"
        values = [
            f"{value:.2f} [{low:.2f}, {high:.2f}]" for value, low, high in (row["bleu"], row["pinc"])
        ]
        lines.append(f"| {what} | {' | '.join(values)} |")
    return [*lines, "| people, in the paper | 52.9 | 77.2 |"]


def msvd_examples() -> list[str]:
    lines = ["| original sentence | trained on 1 parallel sentence | on all |", "|---|---|---|"]
    return lines + [f"| {' | '.join(row)} |" for row in load("msvd_systems")["table_2"]]


def tuning() -> list[str]:
    lines = [
        "| tuned to | set | segments | before | after | difference | length before | after |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in load("tuning"):
        name = row["metric"].split("|")[0]
        lines.append(
            f"| {name} | {SETS[row['set']]} | {row['segments']:,} | {row['before']:.2f} | "
            f"{row['after']:.2f} | {row['difference']:+.2f} [{row['low']:+.2f}, {row['high']:+.2f}] | "
            f"{row['length_before']:.2f} | {row['length_after']:.2f} |"
        )
    return lines


def search_dev() -> list[str]:
    lines = ["| objective | BLEU | PINC | PEM | words |", "|---|---:|---:|---:|---:|"]
    for row in load("metric_search")["dev"]:
        name = f"`{row['objective']}`" if row["objective"] else "(decoder)"
        values = " | ".join(f"{row[key]:.2f}" for key in ("bleu", "pinc", "pem", "words"))
        lines.append(f"| {name} | {values} |")
    return lines


def search_test() -> list[str]:
    results = load("metric_search")
    lines = [
        f"`{results['objective']}`:",
        "",
        "| metric | decoder | search | difference | p |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in results["test"]:
        p = max(row["p_bootstrap"], 0.001)
        lines.append(
            f"| {row['metric'].upper()} | {row['baseline_value']:.2f} | {row['value']:.2f} | "
            f"{row['difference']:+.2f} [{row['low']:+.2f}, {row['high']:+.2f}] | {p:.3f} |"
        )
    before, after = results["words"]["decoder"], results["words"]["search"]
    return [*lines, f"| words | {before:.2f} | {after:.2f} | {after - before:+.2f} | |"]


def phrase_decoder() -> list[str]:
    results = load("phrase_decoder")
    lines = [
        "| threads | paraphrases of a sentence | sentences a second | a second of processor |",
        "|---:|---:|---:|---:|",
    ]
    for row in results["speed"]:
        lines.append(
            f"| {row['threads']} | {row['size']} | {row['per_second']:.0f} | "
            f"{row['per_processor_second']:.0f} |"
        )
    table, (few, many) = results["table"], results["memory"]
    facts = (
        f"A table of {table['pairs']:,} phrase pairs is loaded in {table['seconds']:.1f} s and takes "
        f"{table['megabytes']:.0f} MB. Memory at most: {few['megabytes']:.0f} MB for "
        f"{few['sentences']:,} sentences, {many['megabytes']:.0f} MB for {many['sentences']:,}."
    )
    return [*lines, "", facts]


def grammar_decoder() -> list[str]:
    results = load("grammar_decoder")
    lines = [
        "| pop limit | paraphrases of a sentence | sentences a second, 1 thread |",
        "|---:|---:|---:|",
    ]
    return lines + [f"| {row['pops']} | {row['nbest']} | {row['one']:.0f} |" for row in results["rows"]]


def compression() -> list[str]:
    lines: list[str] = load("compression")["printed"]
    return lines


PAGES: dict[str, dict[str, Callable[[], list[str]]]] = {
    "generate-experiments.md": {
        "msvd_systems": msvd_systems,
        "msvd_examples": msvd_examples,
        "compression": compression,
        "phrase_decoder": phrase_decoder,
        "grammar_decoder": grammar_decoder,
    },
    "generate.md": {
        "tuning": tuning,
        "metric_search_dev": search_dev,
        "metric_search_test": search_test,
    },
}


def main(names: list[str]) -> None:
    known = [name for page in PAGES.values() for name in page]
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"unknown figures '{unknown[0]}'; known: {', '.join(known)}")
    for page, makers in PAGES.items():
        for name, make in makers.items():
            if not names or name in names:
                replace(GUIDES / page, name, make())
    if not names or "msvd_systems" in names:
        shutil.copy(RESULTS / "msvd_systems.svg", ROOT / "docs" / "images")


if __name__ == "__main__":
    main(sys.argv[1:])
