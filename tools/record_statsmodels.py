"""Record statsmodels' corrected p-values and Fleiss' kappa, for the tests.

    pip install statsmodels==0.15.0
    python tools/record_statsmodels.py > tests/meta/statsmodels.json

The tests compare with the file, so that they do not need statsmodels and pandas (130 MB). Values have
few digits; some lists have ties, zeros and ones.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

METHODS = {"bonferroni": "bonferroni", "fdr": "fdr_bh", "holm": "holm"}


def main() -> None:
    import statsmodels
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
    from statsmodels.stats.multitest import multipletests

    drawn = random.Random(7)  # noqa: S311  # test data
    corrections: list[dict[str, Any]] = []
    for number in range(60):
        special = [0.0, 0.01, 0.05, 1.0]
        values = [
            drawn.choice(special) if drawn.random() < 0.4 else round(drawn.random() ** 3, 4)
            for _ in range(1 + number // 2)
        ]
        adjusted = {
            name: multipletests(values, method=method)[1].tolist() for name, method in METHODS.items()
        }
        corrections.append({"p": values, **adjusted})
    kappas: list[dict[str, Any]] = []
    while len(kappas) < 60:
        raters, categories = drawn.randint(2, 5), drawn.randint(2, 4)
        items = drawn.randint(1, 20)
        ratings = [[drawn.randint(1, categories) for _ in range(raters)] for _ in range(items)]
        if len({value for row in ratings for value in row}) > 1:
            kappa = float(fleiss_kappa(aggregate_raters(ratings)[0]))
            kappas.append({"ratings": ratings, "kappa": kappa})
    about = f"python tools/record_statsmodels.py, statsmodels {statsmodels.__version__}"
    tables = {"made by": [about], "corrections": corrections, "fleiss": kappas}
    lines = [
        f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in tables.items()
    ]
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
