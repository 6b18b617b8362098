"""Models for the benchmarks of rewriting, trained on the benchmark text.

The text is ../shared/data/text (Reuters, BBC, Brown, ABC, State of the Union: 5.3 million words, half
of it newswire) with the English sides of the bitext (Tatoeba: short everyday sentences, each once).
Phrase rules come from the bitexts of English with French and German. Filters can be given more text:
references of the test set, from other segments than those that are rewritten.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.race import DATA, run
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.rewrite.context.context_train import train_context
from paragauge.rewrite.rewrite_method import FILTERS, PHRASES
from paragauge.rewrite.thesauri.brown import BrownClusters
from paragauge.rewrite.thesauri.lsa import LSA

COMMAND = (sys.executable, "-m", "paragauge")
PIVOTS = ("fra", "deu")


def training_files(folder: Path) -> list[Path]:
    """The files of text; the English sides of the bitext are joined in one file in `folder`."""
    english = folder / "bitext-english.txt"
    if not english.exists():
        seen: dict[str, None] = {}
        for path in sorted((DATA / "bitext").glob("eng-*.tsv.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                seen.update(dict.fromkeys(line.split("\t")[0] for line in lines))
        english.write_text("".join(f"{line}\n" for line in seen), encoding="utf-8")
    return [*sorted((DATA / "text").glob("*.txt.gz")), english]


def model_paths(folder: Path, methods: Sequence[str], more: Path | None = None) -> dict[str, Path]:
    """The models that the methods need, by part; those that `folder` lacks are trained.

    Filters are also trained on the lines of `more`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    makers = {
        "context": _context,
        "lm": _language_model,
        "brown": _brown,
        "lsa": _lsa,
        PHRASES: _phrases,
    }
    paths = {}
    for part in sorted({part for method in methods for part in method.split("+")} & set(makers)):
        own = [more] if more is not None and part in FILTERS else []
        path = folder / "-".join([part, *(file.stem for file in own)])
        path = path if part == PHRASES else path.with_suffix(".bin")
        if not path.exists():
            start = time.perf_counter()
            makers[part]([*training_files(folder), *own], path)
            print(f"trained {path.stem} in {time.perf_counter() - start:.0f} s", flush=True)
        paths[part] = path
    return paths


def _context(files: Sequence[Path], path: Path) -> None:
    train_context(files).save(path)


def _brown(files: Sequence[Path], path: Path) -> None:
    BrownClusters.train(files).save(path)


def _lsa(files: Sequence[Path], path: Path) -> None:
    LSA.train(files).save(path)


def _phrases(files: Sequence[Path], path: Path) -> None:
    """A paraphrase grammar that pivots through French and German, made with the user commands."""
    del files
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        tables = []
        for language in PIVOTS:
            bitext = str(DATA / "bitext" / f"eng-{language}.tsv.gz")
            text = [bitext, "--tokenize", "penn,13a", "--case", "lower"]
            links, table = str(Path(scratch, f"{language}.links")), str(Path(scratch, language))
            run([*COMMAND, "align", "run", *text, "--output", links])
            extracted = ["--alignment", links, "--max-length", "5", "--output", table]
            run([*COMMAND, "phrases", "extract", *text, *extracted])
            tables.append(table)
        run([*COMMAND, "grammar", "pivot", *tables, "--output", str(path)])


def _language_model(files: Sequence[Path], path: Path) -> None:
    form = TextForm("penn", "lower")
    LanguageModel.train(_lines(files), order=4, form=form).save(path)


def _lines(files: Sequence[Path]) -> Iterator[str]:
    for file in files:
        opener = gzip.open if file.suffix == ".gz" else open
        with opener(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield line.rstrip("\n")
