"""Write the results of the last `make bench` into README.md, the guides and the noise filters' card.

They go between the markers `bench`, `human`, `maxsim`, `alignment`, `pem`, `paradigm`, `ppdb_human`,
`rewrite_*`, `swords_*` and `noise_*`.

make bench && python tools/docs/readme_numbers.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "bench"
RACES = (
    "bleu",
    "segments",
    "significance",
    "compare_files",
    "agreement",
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


def other_speeds() -> str:
    stream, startup = load("stream")[-1], load("startup")
    command = next(seconds for title, seconds in startup.items() if "score" in title)
    tagger = load("tagger")["words_per_second"]["paragauge"]
    maxsim = load("maxsim")["speed"]["overall"]
    return (
        f"{stream['pairs']:,.0f} pairs scored with BLEU, PINC and their intervals, fed through pipes:\n"
        f"{stream['seconds']:.0f} s and at most {stream['megabytes']:.0f} MB of memory. Starting the "
        f"command and scoring ten lines\nwith PINC: {command:.2f} s. On one thread MAXSIM scores "
        f"{maxsim:,.0f} segments a second, with tags and\nlemmas; the tagger alone does {tagger:,.0f} "
        "words a second."
    )


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
    results = load("maxsim")
    years = sorted({row["data"] for row in results["segments"]})
    lines = [f"| metric | {' | '.join(years)} |", "|---|" + "---:|" * len(years)]
    for name in dict.fromkeys(row["metric"] for row in results["segments"]):
        lines.append(f"| {name} | {' | '.join(cells(results['segments'], name, years))} |")
    parts = list(dict.fromkeys(row["data"] for row in results["systems"]))
    heads = [part.removeprefix("wmt12 ") for part in parts]
    segments = (
        "Segments of newstest2015 and newstest2016 into English: Pearson with direct assessments, mean "
        "over language pairs. MAXSIM-soft and MAXSIM-context were fitted on the other year."
    )
    systems = (
        "Systems of newstest2012 into English: Spearman with their mean rank, on the segments that "
        "people ranked. Brackets: 95% intervals."
    )
    lines += [
        "",
        segments,
        "",
        f"| metric | {' | '.join(heads)} |",
        "|---|" + "---:|" * len(parts),
    ]
    for name in dict.fromkeys(row["metric"] for row in results["systems"]):
        lines.append(f"| {name} | {' | '.join(cells(results['systems'], name, parts))} |")
    return [*lines, "", systems]


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


def main() -> None:
    replace(ROOT / "README.md", "bench", [*race_table(), "", other_speeds()])
    replace(ROOT / "docs" / "guides" / "meta.md", "human", human())
    replace(ROOT / "docs" / "metrics" / "maxsim.md", "maxsim", maxsim())
    replace(ROOT / "docs" / "guides" / "align.md", "alignment", alignment())
    replace(ROOT / "docs" / "metrics" / "pem.md", "pem", pem())
    for name in ("paradigm", "ppdb_human"):
        replace(ROOT / "docs" / "guides" / "paradigm.md", name, load(name)["printed"])
    for name, page in (
        ("rewrite", "rewrite.md"),
        ("rewrite_phrases", "rewrite-phrases.md"),
        ("rewrite_decisions", "rewrite-context.md"),
        ("swords", "rewrite-context.md"),
    ):
        for part, lines in load(name).items():
            replace(ROOT / "docs" / "guides" / page, f"{name}_{part}", lines)
    noise = load("noise")
    for part, lines in noise.items():
        replace(ROOT / "docs" / "guides" / "collect-quality.md", f"noise_{part}", lines)
    card = ROOT / "src" / "paragauge" / "models" / "noise" / "MODEL_CARD.md"
    for part in ("scores", "descriptions"):
        replace(card, f"noise_{part}", noise[part])
    replace(ROOT / "docs" / "guides" / "rewrite-context.md", "rewrite_training", training())
    replace(ROOT / "docs" / "guides" / "rewrite.md", "rewrite_speed", rewriting())


if __name__ == "__main__":
    main()
