"""Liu, Dahlmeier and Ng (2010): PEM, a paraphrase evaluation metric exploiting parallel texts."""

from __future__ import annotations

from paragauge.report.papers.demo_files import PUT_FORTH, PUT_FORWARD, STUDY_RATED, STUDY_TEXTS
from paragauge.report.papers.paper_item import PaperItem

PAPER = "pem-2010"
LAYOUT = "paragauge.meta.correlation.paper_tables.layout"
TWO = (f"--source '{PUT_FORTH}'", f"--candidate '{PUT_FORWARD}'")
TEXTS = "-s SOURCES -c SYSTEM ..."
ITEMS = (
    PaperItem(
        PAPER,
        "formula-1",
        "The probability of a phrase",
        "explain -m pem:features=paper",
        "--source TEXT --candidate TEXT",
        "paragauge.explain",
        demo=TWO,
    ),
    PaperItem(
        PAPER,
        "formula-2",
        "The best segmentation into phrases",
        "explain -m pem:features=paper",
        "--source TEXT --candidate TEXT",
        "paragauge.explain",
        demo=TWO,
    ),
    PaperItem(
        PAPER,
        "figure-1",
        "A confusion network in the pivot language",
        "explain -m pem:features=paper",
        "--source TEXT --candidate TEXT --html FILE",
        "paragauge.explain",
        demo=(*TWO, "--html pem-2010-figure-1.html"),
    ),
    PaperItem(
        PAPER,
        "figure-2",
        "A degenerated confusion network",
        "explain -m pem:features=paper",
        "--source TEXT --candidate TEXT --html FILE",
        "paragauge.explain",
        demo=(
            "--source 'Morning, sir.'",
            "--candidate 'Hello, Querrien.'",
            "--html pem-2010-figure-2.html",
        ),
    ),
    PaperItem(
        PAPER,
        "formula-f1",
        "Pivot language F1",
        "score -m pivotf1",
        TEXTS,
        "paragauge.PivotF1",
        demo=("-s {examples}/study/sources.txt", "-c {examples}/study/human1.txt"),
    ),
    PaperItem(
        PAPER,
        "formula-fluency",
        "Normalized language model score",
        "score -m fluency:method=lm",
        "-c SYSTEM ...",
        "paragauge.Fluency",
        demo=("-c {examples}/study/human1.txt", "-c {examples}/study/machine2.txt"),
    ),
    PaperItem(
        PAPER,
        "formula-dissimilarity",
        "Target language F1",
        "score -m targetf1",
        TEXTS,
        "paragauge.TargetF1",
        demo=("-s {examples}/study/sources.txt", "-c {examples}/study/human1.txt"),
    ),
    PaperItem(
        PAPER,
        "formula-rbf",
        "Regression on the three features",
        "pem fit",
        f"{TEXTS} --ratings RATINGS --criterion NAME -o MODEL",
        "paragauge.metrics.pem.fit.fit_regression",
        demo=(
            *(part for part in STUDY_TEXTS if not part.startswith("-r ")),
            f"--ratings {STUDY_RATED}",
            "--criterion overall",
            "--range 1:20",
            "--controls none",
            "-o pem-2010-formula-rbf",
        ),
    ),
    PaperItem(
        PAPER,
        "table-1",
        "Inter-judge correlation",
        "meta --layout pem-1",
        "RATINGS",
        LAYOUT,
        demo=(STUDY_RATED,),
    ),
    PaperItem(
        PAPER,
        "table-2",
        "Correlation of criteria with the overall score",
        "meta --layout pem-2",
        "RATINGS",
        LAYOUT,
        demo=(STUDY_RATED,),
    ),
    PaperItem(
        PAPER,
        "figure-3",
        "Dissimilarity and overall score where adequacy and fluency are high",
        "scatter -x dissimilarity -y overall --where 'adequacy>=4 and fluency>=4' --jitter 0.1",
        "RATINGS -o FILE",
        "paragauge.scatter",
        demo=(STUDY_RATED, "-o pem-2010-figure-3.svg"),
    ),
    PaperItem(
        PAPER,
        "table-3",
        "Correlation of PEM with people",
        "meta --layout pem-3",
        f"RATINGS {TEXTS}",
        LAYOUT,
        demo=(STUDY_RATED, *STUDY_TEXTS),
    ),
    PaperItem(
        PAPER,
        "figure-4",
        "PEM and people, sentences",
        "scatter -m pem:features=paper",
        f"RATINGS {TEXTS} -o FILE",
        "paragauge.scatter",
        demo=(STUDY_RATED, *STUDY_TEXTS, "-o pem-2010-figure-4.svg"),
    ),
    PaperItem(
        PAPER,
        "figure-5",
        "PEM and people, systems",
        "scatter -m pem:features=paper --view system",
        f"RATINGS {TEXTS} -o FILE",
        "paragauge.scatter",
        demo=(STUDY_RATED, *STUDY_TEXTS, "-o pem-2010-figure-5.svg"),
    ),
    PaperItem(
        PAPER,
        "formula-argmax",
        "The paraphrase with the best PEM",
        "generate run --search pem+200*model",
        "MODEL SOURCES -o FILE",
        "paragauge.generate.search",
        demo=("{work}/model", "{examples}/sources.txt", "-o pem-2010-formula-argmax.txt"),
        prepare=(
            "grammar convert {examples}/grammars/synonyms.txt -o {work}/rules",
            (
                "generate train grammar {work}/rules --lm-text {examples}/sources.txt"
                " --lm-text {examples}/rewrites.txt -t penn --case lower -o {work}/model"
            ),
        ),
    ),
)
