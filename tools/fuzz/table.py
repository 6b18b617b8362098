"""Print the table of the documentation from records of `run.py`: `python tools/fuzz/table.py FILE`.

Readers in C++ come first, each on a row; all commands, and all folders, share one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))


def main() -> None:
    """Print the table."""
    from all_targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="+", type=Path, metavar="FILE")
    groups: dict[str, Counter[str]] = {}
    slowest: dict[str, float] = {}
    members: dict[str, set[str]] = {}
    for path in parser.parse_args().records:
        for line in path.read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(line)
            name = row["target"]
            if name not in TARGETS:
                continue
            kind = name.split(" ")[0]
            group = f"{kind}s" if kind in ("command", "folder") else name
            if TARGETS[name].native:
                group = f"{name} (C++)"
            counts = groups.setdefault(group, Counter())
            counts.update({key: row[key] for key in ("inputs", "accepted", "failures")})
            slowest[group] = max(slowest.get(group, 0.0), row["slowest"])
            members.setdefault(group, set()).add(name)
    print("| Reader | Inputs | Accepted | Slowest, s | Failures |\n|---|--:|--:|--:|--:|")
    for group in sorted(groups, key=lambda name: (len(members[name]) > 1, "(C++)" not in name)):
        counts, size = groups[group], len(members[group])
        name = group if size == 1 else f"{size} {group}"
        print(
            f"| {name} | {counts['inputs']:,} | {counts['accepted']:,} | {slowest[group]:.1f} | "
            f"{counts['failures']:,} |"
        )
    totals = sum(groups.values(), Counter())
    print(
        f"| all | {totals['inputs']:,} | {totals['accepted']:,} | {max(slowest.values()):.1f} | "
        f"{totals['failures']:,} |"
    )


if __name__ == "__main__":
    main()
