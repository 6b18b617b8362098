"""Write the figures on public data into the pages on the papers, docs/papers.

Each goes between two markers. Some are results of `benchmarks/papers/paper_pages.py`; others are parts
of tables in the guides, which the tools of these guides have written there: they are copied, so that a
page on a paper has the paper's tables one by one. Shares of PARADIGM's tables get Wilson's 95 %
interval from their counts, which takes rules and pairs as independent: it is too narrow.

    python -m benchmarks.papers.paper_pages && python tools/docs/paper_numbers.py
    python tools/docs/paper_numbers.py --check    # only say whether copies are outdated
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from readme_numbers import RESULTS, ROOT, load

PAPERS = ROOT / "docs" / "papers"
GUIDES = ROOT / "docs" / "guides"
RESULT = "paper_pages"
Z = 1.959964  # of a 95 % interval
MARKED = re.compile(r"<!-- (paper_[a-z0-9_]+) -->\n(.*?)<!-- /\1 -->", re.DOTALL)


def block(page: Path, marker: str) -> list[str]:
    """The lines between two markers of a page."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"<!-- {marker} -->\n(.*?)\n<!-- /{marker} -->", text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{page}: expected a pair of {marker} markers")
    return found[1].split("\n")


def table(lines: Sequence[str], title: str = "") -> list[str]:
    """The first table after the line that begins with a title, with its header."""
    start = next(row for row, line in enumerate(lines) if line.startswith(title or "|"))
    rows = []
    for line in lines[start:]:
        if line.startswith("|"):
            rows.append(line)
        elif rows:
            break
    return rows


def wilson(count: int, of: int, decimals: int = 1) -> str:
    """The 95 % interval of a share, in percent.

    >>> wilson(95, 100)
    '[88.8, 97.8]'
    """
    share, shrink = count / of, 1 + Z * Z / of
    middle = (share + Z * Z / (2 * of)) / shrink
    half = Z * math.sqrt(share * (1 - share) / of + Z * Z / (4 * of * of)) / shrink
    low, high = 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)
    return f"[{low:.{decimals}f}, {high:.{decimals}f}]"


def with_shares(rows: Sequence[str], gold: Sequence[int]) -> list[str]:
    """A table whose cells with a count and a share get intervals; `gold` has the wholes by column."""
    found = []
    for line in rows:
        cells = line.strip("|").split("|")
        for column, whole in enumerate(gold, 1):
            cell = re.fullmatch(r" ([\d,]+) \(([\d.]+)%\) ", cells[column])
            if cell is not None:
                bounds = wilson(int(cell[1].replace(",", "")), whole)
                cells[column] = f" {cell[1]} ({cell[2]}% {bounds}) "
        found.append(f"|{'|'.join(cells)}|")
    return found


def overlap(title: str) -> list[str]:
    """A table of overlap with the gold grammar, whose sizes are in its first row."""
    rows = table(block(GUIDES / "paradigm.md", "paradigm"), title)
    first = [cell.strip() for cell in rows[2].strip("|").split("|")[1:-1]]
    return with_shares(rows, [int(size.replace(",", "")) for size in first])


def curve() -> list[str]:
    """Figure 4, with intervals of precision and recall."""
    lines = block(GUIDES / "paradigm.md", "paradigm")
    first = table(lines, "Table 3")[2].strip("|").split("|")[1]
    gold = int(first.replace(",", ""))
    rows = table(lines, "Figure 4")
    found = rows[:2]
    for line in rows[2:]:
        size, precision, recall = (cell.strip() for cell in line.strip("|").split("|"))
        both = round(float(recall.rstrip("%")) * gold / 100)
        bounds = wilson(both, int(size.replace(",", "")), 3), wilson(both, gold, 2)
        found.append(f"| {size} | {precision} {bounds[0]} | {recall} {bounds[1]} |")
    return found


def parsed() -> list[str]:
    """Table 6, with intervals of both shares."""
    lines = block(GUIDES / "paradigm.md", "paradigm")
    heading = next(line for line in lines if line.startswith("Table 6"))
    numbers = re.search(r"of ([\d,]+) pairs of ([\d,]+) ", heading)
    if numbers is None:
        raise SystemExit(f"expected the numbers of pairs and verses, found {heading!r}")
    wholes = [int(number.replace(",", "")) for number in numbers.groups()]
    rows = table(lines, "Table 6")
    found = rows[:2]
    for line in rows[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for column, whole in enumerate(wholes, 1):
            cells[column] += f" {wilson(round(float(cells[column]) * whole / 100), whole)}"
        found.append(f"| {' | '.join(cells)} |")
    return found


def compression() -> list[str]:
    """The study of compression, with intervals of PARADIGM's precision and recall.

    The counts follow from what is printed. All rules of a Hiero grammar have the same label, so that
    they are as many when labels are ignored: the gold rules are those rules times precision divided by
    recall. Of the other grammars, what overlaps is recall times the gold rules.
    """
    rows = table(block(GUIDES / "generate-experiments.md", "compression"), "| system")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in rows]
    names = [name.removeprefix("PARADIGM ") for name in cells[0]]
    rules, precision, recall = (names.index(name) for name in ("rules", "precision", "recall"))
    shares = {
        row[0]: (float(row[precision].rstrip("%")) / 100, float(row[recall].rstrip("%")) / 100)
        for row in cells[2:]
        if row[precision]
    }
    hiero = next(row for row in cells if row[0] == "Edinburgh Hiero")
    correct, found = shares[hiero[0]]
    gold = round(int(hiero[rules].replace(",", "")) * correct / found)
    for row in cells[2:]:
        if row[0] in shares:
            correct, found = shares[row[0]]
            both = round(found * gold)
            row[precision] += f" {wilson(both, round(both / correct), 3)}"
            row[recall] += f" {wilson(both, gold, 2)}"
    return [*rows[:2], *(f"| {' | '.join(row)} |" for row in cells[2:])]


def copied(page: str, marker: str, title: str = "") -> Callable[[], list[str]]:
    """A table of a guide."""
    return lambda: table(block(ROOT / "docs" / page, marker), title)


PARADIGM = "guides/paradigm.md"
COPIES: dict[str, Callable[[], list[str]]] = {
    "paper_paradigm_table_1": copied(PARADIGM, "paradigm", "Table 1"),
    "paper_paradigm_table_2": copied(PARADIGM, "paradigm", "Table 2"),
    "paper_paradigm_table_3": lambda: overlap("Table 3"),
    "paper_paradigm_table_4": lambda: overlap("Table 4"),
    "paper_paradigm_table_5": lambda: overlap("Table 5"),
    "paper_paradigm_figure_4": curve,
    "paper_paradigm_table_6": parsed,
    "paper_paradigm_compression": compression,
    "paper_pinc_systems": copied("guides/generate-experiments.md", "msvd_systems"),
    "paper_pinc_examples": copied("guides/generate-experiments.md", "msvd_examples"),
    "paper_pem_metrics": copied("metrics/pem.md", "pem"),
    "paper_maxsim_segments": copied("metrics/maxsim.md", "maxsim", "| metric | newstest"),
    "paper_maxsim_systems": copied("metrics/maxsim.md", "maxsim", "| metric | cs-en"),
    "paper_kauchak_correlation": copied("guides/rewrite.md", "rewrite_summary"),
    "paper_kauchak_whole": copied("guides/rewrite.md", "rewrite_whole"),
    "paper_kauchak_thesauri": copied("guides/rewrite.md", "rewrite_thesauri_summary"),
    "paper_kauchak_judged": copied("guides/rewrite-context.md", "rewrite_decisions_judged"),
}


def refresh(text: str, results: dict[str, list[str]]) -> str:
    """A page with the present figures; those of a script that has not run stay as they are."""

    def fill(found: re.Match[str]) -> str:
        marker = found[1]
        copy = COPIES.get(marker)
        lines = results.get(marker) if copy is None else copy()
        if lines is None:
            return found[0]
        return "\n".join([f"<!-- {marker} -->", *lines, f"<!-- /{marker} -->"])

    return MARKED.sub(fill, text)


def main() -> int:
    results: dict[str, list[str]] = {}
    if (RESULTS / f"{RESULT}.json").exists() and "--check" not in sys.argv:
        results = {f"paper_{name}": lines for name, lines in load(RESULT).items()}
    stale = 0
    for page in sorted(PAPERS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        new = refresh(text, results)
        if new != text:
            stale += 1
            print(f"{page.relative_to(ROOT)} was outdated")
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    return stale if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
