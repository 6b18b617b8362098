"""Chan and Ng (2008): MAXSIM, a maximum similarity metric for machine translation evaluation."""

from __future__ import annotations

from paragauge.report.papers.demo_files import FIVE_SYSTEMS, RATED, STUDY_RATED, STUDY_TEXTS
from paragauge.report.papers.paper_item import PaperItem

PAPER = "maxsim-2008"
LAYOUT = "paragauge.meta.correlation.paper_tables.layout"
TWO = (
    "--candidate 'The chairman bought large dogs yesterday.'",
    "--reference 'Yesterday the chair purchased big dogs.'",
)
TEXTS = "-r REFERENCES -c SYSTEM ..."
TABLE = "RATINGS -s SOURCES -r REFERENCES -c SYSTEM ..."
REFERENCE = "-r {examples}/references.tsv"
OUTPUT = "-c {examples}/rewrites.txt"
ITEMS = (
    PaperItem(
        PAPER,
        "formula-1",
        "F from precision and recall",
        "explain -m maxsim",
        "--candidate TEXT --reference TEXT",
        "paragauge.explain",
        demo=TWO,
    ),
    PaperItem(
        PAPER,
        "formula-meteor",
        "METEOR with its fragmentation penalty",
        "score -m meteor",
        TEXTS,
        "paragauge.METEOR",
        demo=(REFERENCE, OUTPUT),
    ),
    PaperItem(
        PAPER,
        "formula-sim-score",
        "The score of a system",
        "score -m maxsim",
        TEXTS,
        "paragauge.MaxSim",
        demo=(REFERENCE, OUTPUT),
    ),
    PaperItem(
        PAPER,
        "formula-weight",
        "The similarity of two n-grams",
        "explain -m maxsim",
        "--candidate TEXT --reference TEXT",
        "paragauge.explain",
        demo=TWO,
    ),
    PaperItem(
        PAPER,
        "figure-1",
        "Bipartite matching",
        "explain -m maxsim",
        "--candidate TEXT --reference TEXT --html FILE",
        "paragauge.explain",
        demo=(*TWO, "--html maxsim-2008-figure-1.html"),
    ),
    *(
        PaperItem(
            PAPER,
            f"table-{number}",
            title,
            "meta --layout maxsim",
            takes,
            LAYOUT,
            demo=demo,
        )
        for number, title, takes, demo in (
            (1, "Metrics by criterion, mean over all groups", TABLE, (RATED, *FIVE_SYSTEMS)),
            (
                2,
                "Metrics by criterion, first group (Europarl)",
                f"{TABLE} --group NAME",
                (RATED, *FIVE_SYSTEMS, "--range 1:60"),
            ),
            (
                3,
                "Metrics by criterion, second group (News Commentary)",
                f"{TABLE} --group NAME",
                (RATED, *FIVE_SYSTEMS, "--range 61:120"),
            ),
            (
                4,
                "Adequacy and fluency of a few systems (NIST MT 2003)",
                f"{TABLE} --criterion adequacy --criterion fluency",
                (STUDY_RATED, *STUDY_TEXTS, "--criterion adequacy", "--criterion fluency"),
            ),
        )
    ),
)
