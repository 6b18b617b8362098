"""Write the results of the last `make bench` into README.md, the guides and the noise filters' card.

They go between the markers `bench`, `scaling`, `cluster`, `human`, `maxsim`, `alignment`, `pem`,
`paradigm`, `ppdb_human`, `rewrite_*`, `swords_*` and `noise_*`.

    make bench && python tools/docs/readme_numbers.py
    python tools/docs/readme_numbers.py bench scaling       only some of them
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "bench"
WIDTH = 104
RACES = (
    "bleu",
    "segments",
    "single_calls",
    "chrf_ter",
    "significance",
    "compare_files",
    "agreement",
    "resampling",
    "meteor",
    "phrases",
    "lm",
    "grammar",
    "coverage",
    "phrase_decoder_nltk",
)


def load(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def speeds(*per_second: float) -> list[str]:
    """Items per second, or the seconds per item if any of them is slow: one unit for all.

    >>> speeds(4674.2, 648568.0), speeds(1.8, 92.0)
    (['4,674/s', '648,568/s'], ['0.56 s', '0.011 s'])
    """
    if min(per_second) > 10:
        return [f"{one:,.0f}/s" for one in per_second]
    return [f"{1 / one:.2g} s" for one in per_second]


def race_table() -> list[str]:
    lines = ["| work | peer | peer's speed | paragauge | ratio |", "|---|---|---:|---:|---:|"]
    for name in RACES:
        for row in load(name):
            peer, ours = speeds(row["peer_per_second"], row["ours_per_second"])
            lines.append(f"| {row['work']} | {row['peer']} | {peer} | {ours} | {row['ratio']:.0f}x |")
    return lines


def other_speeds() -> list[str]:
    stream, startup, report = load("stream")[-1], load("startup"), load("report_size")[-1]
    command = next(seconds for title, seconds in startup.items() if "score" in title)
    tagger = load("tagger")["words_per_second"]["paragauge"]
    maxsim, pem, long = load("maxsim_pem")
    rules = load("grammar_scale")
    most = max(row["rules"] for row in rules)
    seconds = {row["work"]: row["processor_seconds"] for row in rules if row["rules"] == most}
    sentences = [
        f"{stream['pairs']:,.0f} pairs scored with BLEU, PINC and their intervals, fed through pipes:",
        f"{stream['seconds']:.0f} s and at most {stream['megabytes']:.0f} MB of memory.",
        f"Starting the command and scoring ten lines with PINC: {command:.2f} s.",
        f"On one thread MAXSIM scores {speed(maxsim)} segments a second, with tags and lemmas,",
        f"and PEM {speed(pem)}; a pair of 1,000 words without one in common takes MAXSIM",
        f"{long['seconds']:.2f} s; the tagger alone does {tagger:,.0f} words a second.",
        f"A report on {report['segments']:,} segments of {report['systems']} systems:",
        f"{report['processor_seconds']:.1f} s of the processor and {report['megabytes']:.0f} MB.",
        f"A grammar of {most:,} rules: {seconds['convert']:.0f} s of the processors to convert,",
        f"{seconds['overlap, strict and non-strict']:.0f} s for overlap.",
    ]
    return textwrap.wrap(" ".join(sentences), WIDTH, break_on_hyphens=False)


def speed(record: dict[str, Any]) -> str:
    return f"{record['segments'] / record['seconds']:,.0f}"


def scaling() -> list[str]:
    """The table of the race of how jobs grow; its plot becomes an image of the docs."""
    shutil.copyfile(RESULTS / "scaling.svg", ROOT / "docs" / "images" / "scaling.svg")
    lines = [
        "| job | largest size | processor time | peak memory | exponent of time | of memory |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for job in load("scaling"):
        last = job["rows"][-1]
        lines.append(
            f"| {job['job']} | {last['size']:,} {job['unit']} | {last['seconds']:.1f} s "
            f"| {last['megabytes']:.0f} MB | {job['exponent']:.2f} | {job['memory_exponent']:.2f} |"
        )
    return lines


def cluster() -> list[str]:
    """What a run on a master and three workers shuffled."""
    run = load("standalone_cluster")
    sizes = run["shuffle_bytes_of_steps"]
    lines = ["| step | bytes shuffled |", "|---|---:|"]
    lines += [f"| {step} | {size / 1e6:.1f} MB |" for step, size in sizes.items()]
    skews = sorted(run["skew"])
    each = next(iter(sizes.values())) / run["extracted"]
    sentence = (
        f"{run['pairs']:,} sentence pairs, {run['extracted']:,} rules extracted, "
        f"{run['result_bytes'] / 1e6:.0f} MB of files, all of them DuckDB's; {run['tasks']:,} tasks, "
        f"of which {run['failed']} failed with the worker that was killed. For each rule that was "
        f"extracted, shuffles wrote {each:.0f} bytes. Skew, the bytes that the largest task of a stage "
        f"reads in times the mean: {skews[len(skews) // 2]:.2f} in the middle, {skews[-1]:.2f} at most."
    )
    return [*lines, "", sentence]


def human() -> list[str]:
    lines = ["| data | view | statistic | metric | value | cluster |", "|---|---|---|---|---:|---:|"]
    for row in load("human"):
        value = f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
        lines.append(
            f"| {row['data']} | {row['view']} | {row['statistic']} | {row['metric']} | {value} "
            f"| {row['cluster']} |"
        )
    return lines


def maxsim() -> list[str]:
    """Rows that the last run lacks stay.

    They are named if it lacks a parser, not if it was asked for some metrics only.
    """
    results = load("maxsim")
    page = (ROOT / MAXSIM_PAGE).read_text(encoding="utf-8")
    earlier: dict[str, None] = {}

    def part(name: str, prefix: str = "") -> list[str]:
        columns = list(dict.fromkeys(row["data"] for row in results[name]))
        columns = sorted(columns) if name == "segments" else columns
        head = f"| metric | {' | '.join(column.removeprefix(prefix) for column in columns)} |"
        rows = {row.split(" | ")[0].removeprefix("| "): row for row in rows_below(page, head)}
        metrics = dict.fromkeys(row["metric"] for row in results[name])
        earlier.update(dict.fromkeys(metric for metric in rows if metric not in metrics))
        for metric in metrics:
            rows[metric] = f"| {metric} | {' | '.join(cells(results[name], metric, columns))} |"
        return [head, "|---|" + "---:|" * len(columns), *rows.values()]

    segments = (
        "Segments of newstest2015 and newstest2016 into English: Pearson with direct assessments, mean "
        "over language pairs. MAXSIM-soft and MAXSIM-context were fitted on the other year."
    )
    systems = (
        "Systems of newstest2012 into English: Spearman with their mean rank, on the segments that "
        "people ranked. Brackets: 95% intervals."
    )
    lines = [*part("segments"), "", segments, "", *part("systems", "wmt12 "), "", systems]
    if earlier and not results["only"]:
        names = ", ".join(f"`{name}`" for name in earlier)
        lines += ["", f"Rows of an earlier run: {names}."]
    return lines


def rows_below(page: str, head: str) -> list[str]:
    """The rows of the table with this header; none if the page has no such table."""
    _, found, rest = page.partition(f"{head}\n")
    return rest.split("\n\n")[0].split("\n")[1:] if found else []


def alignment() -> list[str]:
    results = load("alignment")
    corpora = list(dict.fromkeys(row["corpus"] for row in results["scores"]))
    heads = " | ".join(f"{name}: AER | precision | recall | F1" for name in corpora)
    lines = [f"| aligner | heuristic | {heads} |", "|---|---|" + "---:|" * 4 * len(corpora)]
    rows: dict[tuple[str, str], list[str]] = {}
    for row in results["scores"]:
        shares = [f"{100 * row[name]:.2f}" for name in ("aer", "precision", "recall", "f1")]
        rows.setdefault((row["aligner"], row["heuristic"]), []).extend(shares)
    lines += [f"| {' | '.join([*key, *values])} |" for key, values in rows.items()]
    times = [
        f"{name} {seconds[0]:.1f} s for the {results['pairs']:,} pairs of both corpora and "
        f"{seconds[1]:.1f} s for {results['large']:,} pairs of English and French"
        for name, seconds in results["seconds"].items()
    ]
    return [*lines, "", f"Time: {'; '.join(times)}."]


def pem() -> list[str]:
    results = load("pem")
    lines = ["| metric | all pairs | without copies | systems |", "|---|---:|---:|---:|"]
    for row in results["agreement"]:
        intervals = [
            f"{row[view]['value']:.3f} [{row[view]['low']:.3f}, {row[view]['high']:.3f}]"
            for view in ("all", "changed", "systems")
        ]
        lines.append(f"| {row['metric']} | {' | '.join(intervals)} |")
    lines += [
        "",
        "What groups of features are worth (parameters left alone, other folds):",
        "",
        "| features | all pairs | without copies |",
        "|---|---:|---:|",
    ]
    lines += [f"| {name} | {a:.3f} | {b:.3f} |" for name, (a, b) in results["ablation"].items()]
    speed = results["speed"]
    sentence = (
        f"Importing the package, loading the learned parts and scoring one pair takes "
        f"{speed['loading_seconds']:.2f} s. On two threads `learned` scores {speed['learned']:,.0f} "
        f"pairs a second and `extended` {speed['extended']:,.0f}: {speed['ratio']:.1f} times."
    )
    return [*lines, "", sentence]


def training() -> list[str]:
    lines = ["| text | tokens | classifiers | seconds | peak MB |", "|---|---:|---:|---:|---:|"]
    return lines + [
        f"| {row['copies']}x | {row['tokens']:,} | {row['words']:,} | {row['seconds']:.0f} "
        f"| {row['megabytes']:.0f} |"
        for row in load("rewrite_training")
    ]


def rewriting() -> list[str]:
    lines = ["| method | references | segment pairs a second |", "|---|---|---:|"]
    return lines + [
        f"| `{row['method']}` | {row['kind']} | {row['pairs'] / row['seconds']:,.0f} |"
        for row in load("rewrite_speed")
    ]


def cells(rows: list[dict[str, Any]], metric: str, columns: list[str]) -> list[str]:
    """The values of one metric, column by column."""
    results = {row["data"]: row for row in rows if row["metric"] == metric}
    return [
        f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
        for row in (results[column] for column in columns)
    ]


def replace(page: Path, marker: str, lines: list[str]) -> None:
    text = page.read_text(encoding="utf-8")
    figures = "\n".join([f"<!-- {marker} -->", *lines, f"<!-- /{marker} -->"])
    pattern = rf"<!-- {marker} -->.*?<!-- /{marker} -->"
    new, count = re.subn(pattern, lambda _: figures, text, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{page}: expected one pair of {marker} markers")
    page.write_text(new, encoding="utf-8")


GUIDES = "docs/guides"
MAXSIM_PAGE = "docs/metrics/maxsim.md"
CARD = "src/paragauge/models/noise/MODEL_CARD.md"
PAGES: dict[str, tuple[str, Callable[[], list[str]]]] = {
    "bench": ("README.md", lambda: [*race_table(), "", *other_speeds()]),
    "scaling": (f"{GUIDES}/large.md", scaling),
    "cluster": (f"{GUIDES}/cluster.md", cluster),
    "human": (f"{GUIDES}/meta.md", human),
    "maxsim": (MAXSIM_PAGE, maxsim),
    "alignment": (f"{GUIDES}/align.md", alignment),
    "pem": ("docs/metrics/pem.md", pem),
    "paradigm": (f"{GUIDES}/paradigm.md", lambda: load("paradigm")["printed"]),
    "ppdb_human": (f"{GUIDES}/paradigm.md", lambda: load("ppdb_human")["printed"]),
    "rewrite_training": (f"{GUIDES}/rewrite-context.md", training),
    "rewrite_speed": (f"{GUIDES}/rewrite.md", rewriting),
}
# Results that have lines for several markers, which begin with their name.
PARTS = {
    "rewrite": f"{GUIDES}/rewrite.md",
    "rewrite_thesauri": f"{GUIDES}/rewrite.md",
    "rewrite_phrases": f"{GUIDES}/rewrite-phrases.md",
    "rewrite_decisions": f"{GUIDES}/rewrite-context.md",
    "swords": f"{GUIDES}/rewrite-context.md",
    "noise": f"{GUIDES}/collect-quality.md",
}
# Those of them that the pages show, if not all.
SHOWN = {"rewrite_thesauri": ("summary", "whole")}
# What `make bench` does not make; their commands are on their pages.
EXTRA = ("rewrite_thesauri",)


def main(names: list[str]) -> None:
    known = (*PAGES, *PARTS)
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"unknown figures '{unknown[0]}'; known: {', '.join(known)}")
    for name in names or known:
        if name in PAGES:
            page, make = PAGES[name]
            replace(ROOT / page, name, make())
            continue
        if not names and name in EXTRA and not (RESULTS / f"{name}.json").exists():
            print(f"{name}: no results, so its figures stay as they are")
            continue
        parts = load(name)
        for part, lines in parts.items():
            if part not in SHOWN.get(name, parts):
                continue
            replace(ROOT / PARTS[name], f"{name}_{part}", lines)
        if name == "noise":
            for part in ("scores", "descriptions"):
                replace(ROOT / CARD, f"{name}_{part}", parts[part])


if __name__ == "__main__":
    main(sys.argv[1:])
