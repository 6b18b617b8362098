"""Files that the demonstrations of papers' items share."""

from __future__ import annotations

from pathlib import Path

from paragauge.errors import InputError

PACKAGE = Path(__file__).resolve().parents[2]
RATED = "{examples}/ratings.tsv"
SOURCES = "-s {examples}/sources.txt"
REFERENCES = "-r {examples}/references.tsv"
SYSTEMS = tuple(
    f"-c {{examples}}/{name}.txt" for name in ("copy", "edits", "rewrites", "free", "scrambled")
)
FIVE_SYSTEMS = (SOURCES, REFERENCES, *SYSTEMS)

STUDY = "{examples}/study"
STUDY_RATED = f"{STUDY}/ratings.tsv"
STUDY_TEXTS = (
    f"-s {STUDY}/sources.txt",
    f"-r {STUDY}/references.txt",
    *(
        f"-c {STUDY}/{name}.txt"
        for name in ("human1", "human2", "machine1", "machine2", "copy", "random", "unigram")
    ),
)

# A sentence and a rewording, from the text of Liu et al. (2010), section 4.3.
PUT_FORTH = "Sihanouk put forth this proposal in a statement made yesterday."
PUT_FORWARD = "Sihanouk put forward this proposal in his statement yesterday."


def examples_folder() -> Path:
    """The bundled examples: in an installed package inside it, in a checkout beside `src`.

    >>> (examples_folder() / "study" / "ratings.tsv").is_file()
    True
    """
    for folder in (PACKAGE / "examples", PACKAGE.parents[1] / "examples"):
        if (folder / "study" / "ratings.tsv").is_file():
            return folder
    raise InputError(
        f"{PACKAGE / 'examples'}: expected the bundled examples, found none; install paragauge again"
    )
