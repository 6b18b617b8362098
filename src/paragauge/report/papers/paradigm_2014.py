"""Weese, Ganitkevitch and Callison-Burch (2014): PARADIGM, diagnostics through grammar matching."""

from __future__ import annotations

from paragauge.report.papers.demo_files import RATED, SOURCES, SYSTEMS
from paragauge.report.papers.paper_item import PaperItem

PAPER = "paradigm-2014"
GRAMMARS = "{examples}/grammars"
OVERLAP = "paragauge.grammar.overlap"
COMPARED = (f"ppdb={GRAMMARS}/ppdb.txt", f"hiero={GRAMMARS}/hiero.txt", f"--gold {GRAMMARS}/gold.txt")
TAKES = "GRAMMAR ... --gold GRAMMAR"
ITEMS = (
    PaperItem(
        PAPER,
        "figure-1",
        "Rules from a parsed, word-aligned sentence pair",
        "grammar extract --settings paradigm-figure",
        "SOURCE TARGET --alignment LINKS --trees TREES -o GRAMMAR",
        "paragauge.grammar.extract_grammar",
        demo=(
            f"{GRAMMARS}/figure-1.source.txt",
            f"{GRAMMARS}/figure-1.target.txt",
            f"--alignment {GRAMMARS}/figure-1.links.txt",
            f"--trees {GRAMMARS}/figure-1.trees.txt",
            "--output paradigm-2014-figure-1",
        ),
    ),
    PaperItem(
        PAPER,
        "figure-2",
        "Lexical, phrasal and syntactic rules",
        "grammar convert",
        "GRAMMAR -o FILE",
        "paragauge.grammar.write_grammar",
        demo=("{work}/rules", "--output paradigm-2014-figure-2.txt"),
        prepare=(
            (
                f"grammar extract {GRAMMARS}/figure-1.source.txt {GRAMMARS}/figure-1.target.txt "
                f"--alignment {GRAMMARS}/figure-1.links.txt --trees {GRAMMARS}/figure-1.trees.txt "
                "--settings paradigm-figure --output {work}/rules"
            ),
        ),
    ),
    PaperItem(
        PAPER,
        "figure-3",
        "A synchronous derivation of a sentence pair",
        "grammar derive",
        "GRAMMAR --source TEXT --target TEXT --html FILE",
        "paragauge.grammar.SyncParser",
        demo=(
            f"{GRAMMARS}/hiero.txt",
            '--source "answer \'s answer"',
            "--target 'the reply of reply'",
            "--html paradigm-2014-figure-3.html",
        ),
    ),
    PaperItem(
        PAPER,
        "table-1",
        "Amount of parallel data",
        "grammar sizes",
        "--text NAME=FILE ...",
        "paragauge.grammar.data_sizes",
        demo=(
            "--text everyday={examples}/sources.txt+{examples}/rewrites.txt+{examples}/edits.txt",
            "--text study={examples}/study/sources.txt+{examples}/study/human1.txt",
        ),
    ),
    PaperItem(
        PAPER,
        "table-2",
        "Sizes of grammars",
        "grammar sizes",
        "GRAMMAR ...",
        "paragauge.grammar.data_sizes",
        demo=tuple(f"{GRAMMARS}/{name}.txt" for name in ("gold", "ppdb", "hiero")),
    ),
    PaperItem(
        PAPER,
        "section-5.2",
        "Nine tenths to train on, one tenth to parse",
        "grammar split",
        "TRANSLATION ... -o FOLDER",
        "paragauge.grammar.split_translations",
        demo=(
            "{examples}/sources.txt",
            "{examples}/rewrites.txt",
            "{examples}/edits.txt",
            "-o paradigm-2014-split",
        ),
    ),
    PaperItem(
        PAPER,
        "table-3",
        "Strict overlap with the gold grammar",
        "grammar overlap --mode strict",
        TAKES,
        OVERLAP,
        demo=COMPARED,
    ),
    PaperItem(
        PAPER,
        "table-4",
        "Non-strict overlap",
        "grammar overlap --mode non-strict",
        TAKES,
        OVERLAP,
        demo=COMPARED,
    ),
    PaperItem(
        PAPER,
        "table-5",
        "Strict overlap by kind of rule",
        "grammar overlap --mode strict --frequencies 1",
        TAKES,
        OVERLAP,
        demo=COMPARED,
    ),
    PaperItem(
        PAPER,
        "figure-4",
        "Precision and recall by size of the grammar",
        "grammar overlap --mode strict",
        f"{TAKES} --curve FEATURE --plot FILE",
        "paragauge.grammar.overlap_curve",
        demo=(
            f"{GRAMMARS}/ppdb.txt",
            f"--gold {GRAMMARS}/gold.txt",
            "--curve PPDB2.0Score",
            "--plot paradigm-2014-figure-4.svg",
        ),
    ),
    PaperItem(
        PAPER,
        "table-6",
        "Coverage of held-out pairs",
        "grammar coverage",
        "GRAMMAR ... -T TRANSLATION -T TRANSLATION ...",
        "paragauge.grammar.coverage",
        demo=(
            f"{GRAMMARS}/synonyms.txt",
            "-T {examples}/sources.txt",
            "-T {examples}/edits.txt",
            "-T {examples}/rewrites.txt",
            "-t penn",
            "--case lower",
            "--pass-through all",
        ),
    ),
    PaperItem(
        PAPER,
        "table-7",
        "Correlation of metrics with judgments of systems",
        "meta --layout paradigm-7",
        "RATINGS -s SOURCES -r REFERENCES -c SYSTEM ... --scores PARADIGM",
        "paragauge.meta.correlation.paper_tables.layout",
        demo=(RATED, SOURCES, "-r {examples}/references.tsv", *SYSTEMS, "-m bleu,precis,pinc"),
    ),
)
