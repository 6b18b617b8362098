"""Kauchak and Barzilay (2006): Paraphrasing for automatic evaluation."""

from __future__ import annotations

from paragauge.report.papers.demo_files import FIVE_SYSTEMS, RATED
from paragauge.report.papers.paper_item import PaperItem

PAPER = "kauchak-barzilay-2006"
LAYOUT = "paragauge.meta.correlation.paper_tables.layout"
TABLE = "RATINGS -s SOURCES -r REFERENCES -c SYSTEM ..."
# The sentences of table 2 of the paper.
HARD_REFERENCE = (
    "It is hard to believe that such tremendous changes have taken place for those people and lands "
    "that I have never stopped missing while living abroad."
)
HARD_CANDIDATE = (
    "For someone born here but has been sentimentally attached to a foreign country far from home, "
    "it is difficult to believe this kind of changes."
)
HARD = (f"--reference '{HARD_REFERENCE}'", f"--candidate '{HARD_CANDIDATE}'")
# The sentences of table 1 of the paper.
REPLY = (
    '--reference "However, Israel\'s reply failed to completely clear the U.S. suspicions."',
    "--candidate 'However, Israeli answer unable to fully remove the doubts.'",
)
REFERENCES = "-r {examples}/references.tsv"
METHODS = "-m bleu,bleu:rewrite=wordnet,bleu:rewrite=random:rewrite_threshold=0.25"
DOCUMENTS = (RATED, *FIVE_SYSTEMS, "--criterion semantic", "--document-size 60", METHODS)
SAMPLE = (
    "rewrite sample -r {examples}/references.tsv -c {examples}/rewrites.txt -c {examples}/edits.txt "
    "--count 30 -o {work}/sample.tsv --key {work}/key.tsv --method wordnet --method random --seed 3"
)
ITEMS = (
    PaperItem(
        PAPER,
        "table-1",
        "A reference and a translation that share few words",
        "rewrite explain",
        "--reference TEXT --candidate TEXT",
        "paragauge.rewrite",
        demo=REPLY,
    ),
    PaperItem(
        PAPER,
        "section-1",
        "How much pairs of references differ",
        "rewrite differences",
        "-r REFERENCES",
        "paragauge.rewrite.differences",
        demo=(REFERENCES,),
    ),
    PaperItem(
        PAPER,
        "table-2",
        "Candidate paraphrases in a reference",
        "rewrite explain",
        "--reference TEXT --candidate TEXT",
        "paragauge.rewrite",
        demo=HARD,
    ),
    PaperItem(
        PAPER,
        "formula-bleu",
        "BLEU with the shortest reference's length",
        "score -m bleu:ref_length=shortest",
        "-r REFERENCES -c SYSTEM ...",
        "paragauge.BLEU",
        demo=(REFERENCES, "-c {examples}/rewrites.txt"),
    ),
    PaperItem(
        PAPER,
        "table-3",
        "Synthetic references of several methods",
        "rewrite explain",
        "--reference TEXT --candidate TEXT --rewrite METHOD",
        "paragauge.rewrite",
        demo=(*HARD, "--rewrite wordnet"),
    ),
    PaperItem(
        PAPER,
        "table-4",
        "Correlation with people, with one and two references",
        "meta --layout kauchak-4",
        TABLE,
        LAYOUT,
        demo=DOCUMENTS,
    ),
    PaperItem(
        PAPER,
        "table-5",
        "Significance of the differences",
        "meta --layout kauchak-5",
        TABLE,
        LAYOUT,
        demo=DOCUMENTS,
    ),
    PaperItem(
        PAPER,
        "table-6",
        "Scores and numbers of substitutions",
        "meta --layout kauchak-6",
        TABLE,
        LAYOUT,
        demo=(RATED, *FIVE_SYSTEMS, METHODS),
    ),
    PaperItem(
        PAPER,
        "table-7",
        "Accuracy of substitutions by judge, and kappa",
        "meta --layout kauchak-7",
        "JUDGMENTS --key KEY",
        "paragauge.meta.agreement.substitution_tables.substitution_layout",
        demo=("{examples}/substitutions/judgments.tsv", "--key {examples}/substitutions/key.tsv"),
    ),
    PaperItem(
        PAPER,
        "table-8",
        "Confusion matrix of the context filter",
        "meta --layout kauchak-8",
        "JUDGMENTS --key KEY",
        "paragauge.meta.agreement.substitution_tables.substitution_layout",
        demo=("{examples}/substitutions/judgments.tsv", "--key {examples}/substitutions/key.tsv"),
    ),
)
