"""Chen and Dolan (2011): Collecting highly parallel data for paraphrase evaluation."""

from __future__ import annotations

from paragauge.report.papers.demo_files import FIVE_SYSTEMS, RATED, SOURCES
from paragauge.report.papers.paper_item import PaperItem

PAPER = "pinc-2011"
LAYOUT = "paragauge.meta.correlation.paper_tables.layout"
STORE = (
    "collect init {work}/clips.db --campaign {examples}/collect/clips.toml",
    "collect import {work}/clips.db {examples}/collect/descriptions.tsv",
)
ITEMS = (
    PaperItem(
        PAPER,
        "figure-1",
        "The annotation task",
        "collect serve",
        "STORE",
        "paragauge.collect.web.create_app",
        why_no_demo="it serves until it is stopped; try paragauge collect init demo.db --demo "
        "--account ada, then paragauge collect serve demo.db",
    ),
    PaperItem(
        PAPER,
        "figure-2",
        "Descriptions collected for one segment",
        "collect export",
        "STORE clusters -o FILE",
        "paragauge.collect.corpus.clusters.group_by_item",
        demo=("{work}/clips.db", "clusters", "--language English", "-o pinc-2011-figure-2.tsv"),
        prepare=STORE,
    ),
    PaperItem(
        PAPER,
        "table-1",
        "Statistics of the two tiers",
        "collect status",
        "STORE --campaign NAME",
        "paragauge.collect.statistics.compute_statistics",
        demo=("{work}/clips.db", "--campaign clips"),
        prepare=STORE,
    ),
    PaperItem(
        PAPER,
        "formula-pinc",
        "PINC",
        "score -m pinc",
        "-s SOURCES -c SYSTEM ...",
        "paragauge.PINC",
        demo=(SOURCES, "-c {examples}/edits.txt", "-c {examples}/rewrites.txt"),
    ),
    PaperItem(
        PAPER,
        "section-5.1",
        "Human descriptions as paraphrases of each other",
        "score -m self-bleu,pairwise-pinc",
        "-c CLUSTERS",
        "paragauge.PairwisePINC",
        demo=("-c people={examples}/references.tsv",),
    ),
    PaperItem(
        PAPER,
        "table-2",
        "Outputs of systems beside their sources",
        "report -m bleu,pinc",
        "-s SOURCES -r REFERENCES -c SYSTEM ... -o FILE",
        "paragauge.report",
        demo=(*FIVE_SYSTEMS, "-o pinc-2011-table-2.html"),
    ),
    PaperItem(
        PAPER,
        "figure-3",
        "BLEU and PINC of systems by training size",
        "report -m bleu,pinc",
        "-s SOURCES -r REFERENCES -c SYSTEM ... -o FILE --plots FOLDER",
        "paragauge.report.drawing.plots.two_metrics.plane_plot",
        demo=(*FIVE_SYSTEMS, "-o pinc-2011-figure-3.html", "--plots pinc-2011-figure-3"),
    ),
    PaperItem(
        PAPER,
        "table-3",
        "Average human ratings of systems",
        "meta --layout pinc-3",
        "RATINGS",
        LAYOUT,
        demo=(RATED,),
    ),
    PaperItem(
        PAPER,
        "table-4",
        "Judges, metrics and combinations of metrics",
        "meta --layout pinc-4",
        "RATINGS -s SOURCES -r REFERENCES -c SYSTEM ...",
        LAYOUT,
        demo=(RATED, *FIVE_SYSTEMS),
    ),
    PaperItem(
        PAPER,
        "figure-4",
        "BLEU against people by number of references",
        "curve -m bleu",
        "RATINGS -s SOURCES -r REFERENCES -c SYSTEM ... --criterion NAME --plot FILE",
        "paragauge.curve",
        demo=(RATED, *FIVE_SYSTEMS, "--criterion semantic", "--plot pinc-2011-figure-4.svg"),
    ),
    PaperItem(
        PAPER,
        "section-5.3",
        "Direct paraphrases and descriptions",
        "compare -m pinc --pick mean",
        "-s SENTENCES -c direct=FILE.tsv -c descriptions=FILE.tsv",
        "paragauge.compare",
        demo=(
            SOURCES,
            "-c direct={examples}/rewrites.txt",
            "-c descriptions={examples}/references.tsv",
        ),
    ),
)
