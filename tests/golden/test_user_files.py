"""Jobs of users with the files that they have, from nothing to the answer, by the tool alone.

Each first run is what such a user types; where it fails, the message names the option of the next one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy import stats

from paragauge import PINC
from tests.meta.sets.wmt_layout import make_test_set

SOURCES = [
    "The train to Köln leaves at ten.",
    "She bought a new bicycle last week.",
    "Nobody knew where the key was.",
    "We ate dinner; then we went home.",
]
WRITTEN = {
    "kopie": SOURCES,
    "neu": [
        "At ten the train departs for Köln.",
        "Last week she got herself a new bike.",
        "The key's whereabouts were a mystery.",
        "After dinner we went home.",
    ],
    "halb": [
        "The train to Köln departs at ten.",
        "She bought a new bike last week.",
        "Nobody knew the place of the key.",
        "We had dinner; then we went home.",
    ],
}
NOTES = {"kopie": [1.0, 1.5, 1.0, 2.0], "neu": [4.5, 4.0, 3.5, 5.0], "halb": [2.5, 3.0, 3.5, 2.0]}


@pytest.fixture
def step(run: Callable, tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """Run a command in the folder of the user's files."""

    def call(*words: object) -> tuple[int, str, str]:
        done = run(*words, cwd=tmp_path)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return call


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    """The options that name the sources and what three systems wrote."""
    names = []
    for name, lines in {"saetze": SOURCES, **WRITTEN}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in WRITTEN:
        names += ["-c", f"{name}.txt"]
    return ["-s", "saetze.txt", *names]


def rows(judges: int = 1) -> list[tuple[int, str, str, float, str]]:
    return [
        (place + 1, system, f"Prüferin {judge + 1}", value + 0.5 * judge * (place % 2), "gut; flüssig")
        for judge in range(judges)
        for system, values in NOTES.items()
        for place, value in enumerate(values)
    ]


def pinc_correlation(systems: tuple[str, ...] = tuple(NOTES)) -> float:
    """Pearson's r of PINC and the notes, over all candidates."""
    scores = [PINC().segments(WRITTEN[name], sources=SOURCES) for name in systems]
    notes = [note for name in systems for note in NOTES[name]]
    return float(stats.pearsonr(np.concatenate(scores), notes)[0])


def value_of(text: str) -> float:
    return json.loads(text)["correlations"][0]["rows"][0]["value"]


def test_a_student_with_a_german_excel_export(step, texts, tmp_path):
    header = ["Satz Nr.", "System ", "Bewertung", "Kommentar"]
    lines = [
        ";".join([str(n), system, f"{value:.1f}".replace(".", ","), f'"{note}"'])
        for n, system, _, value, note in rows()
    ]
    content = "\r\n".join([";".join(header), *lines, ";;;", ""])
    (tmp_path / "Bewertungen.csv").write_bytes(content.encode("windows-1252"))
    words = ["meta", "Bewertungen.csv", *texts, "-m", "pinc", "--view", "pooled", "-f", "json"]
    code, out, error = step(*words)
    assert (code, out) == (2, "")
    assert "iconv" not in error
    assert error.endswith(
        "all that this table needs: --encoding windows-1252 --column segment=NAME --decimal , "
        "--criteria NAME,... (its columns: Satz Nr., System, Bewertung, Kommentar)\n"
    )
    words += ["--encoding", "windows-1252", "--column", "segment=satz nr.", "--decimal", ","]
    code, out, error = step(*words, "--criteria", "bewertung")
    assert (code, error) == (0, "")
    assert value_of(out) == pytest.approx(pinc_correlation())


def test_a_student_whose_table_names_a_system_wrongly(step, texts, tmp_path):
    table = "".join(f"{n}\t{s}\t{v}\n" for n, s, _, v, _ in rows())
    (tmp_path / "r.tsv").write_text("segment\tsystem\toverall\n" + table.replace("halb", "hlab"))
    words = ["meta", "r.tsv", *texts, "-m", "pinc", "--view", "pooled", "-f", "json"]
    code, out, error = step(*words)
    assert (code, out) == (2, "")
    assert error == (
        "paragauge: error: 1 system of the ratings is not in the files: hlab (did you mean 'halb'?); "
        "1 system of the files is not in the ratings: halb; name them alike, or give --allow-missing "
        "(in Python allow_missing=True) to leave them out and print which they are\n"
    )
    code, out, error = step(*words, "--allow-missing")
    assert code == 0
    assert error.splitlines() == [
        "paragauge: left out: 1 system of the ratings is not in the files: hlab (did you mean 'halb'?)",
        "paragauge: left out: 1 system of the files is not in the ratings: halb",
    ]
    assert value_of(out) == pytest.approx(pinc_correlation(("kopie", "neu")))
    (tmp_path / "r.tsv").write_text("segment\tsystem\toverall\n" + table)
    assert value_of(step(*words)[1]) == pytest.approx(pinc_correlation())


def write_workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Urteile"
    sheet.append([])  # a workbook seldom begins in the first row
    sheet.append(["Segment", "System", "Annotator", "Overall"])
    for n, system, judge, value, _ in rows(judges=2):
        sheet.append([n, system, judge, value])
    book.create_sheet("Notizen").append(["noch ansehen"])
    book.save(path)


def test_a_linguist_with_a_workbook(step, texts, tmp_path):
    write_workbook(tmp_path / "Urteile.xlsx")
    code, out, error = step("agree", "Urteile.xlsx", "-f", "json")
    assert (code, out) == (2, "")
    assert "found 2: 'Urteile', 'Notizen'; choose one with --sheet" in error
    code, out, error = step("agree", "Urteile.xlsx", "--sheet", "Urteile", "--bootstrap", 0)
    assert (code, error) == (0, "")
    assert "Prüferin 1" in out
    words = ["--ratings", "Urteile.xlsx", "--sheet", "Urteile", "--bootstrap", 50, "-o", "report.html"]
    code, out, error = step("report", *texts, *words)
    assert (code, error) == (0, "")
    assert "Agreement with people" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_maintainer_with_exports_of_other_tools(step, texts, tmp_path):
    # The same ratings as a JSON array from a web form, as Excel's Unicode text, and without a suffix.
    names = ("segment", "system", "judge", "overall")
    records = [dict(zip(names, row, strict=False)) for row in rows()]
    (tmp_path / "export.json").write_text(json.dumps(records, indent=1), encoding="utf-8")
    lines = ["\t".join(names), *("\t".join(map(str, row[:4])) for row in rows())]
    (tmp_path / "unicode.txt").write_bytes("\r\n".join(lines).encode("utf-16"))
    (tmp_path / "ratings").write_text("\n".join(lines).replace("\t", ";"), encoding="utf-8")
    for name in ("export.json", "unicode.txt", "ratings"):
        code, out, error = step("meta", name, *texts, "-m", "pinc", "--view", "pooled", "-f", "json")
        assert (code, error) == (0, "")
        assert value_of(out) == pytest.approx(pinc_correlation())
    # The same options fit a metric.
    (tmp_path / "refs.txt").write_text("\n".join(WRITTEN["halb"]) + "\n", encoding="utf-8")
    code, out, error = step(
        *("fit", *texts, "-r", "refs.txt", "--ratings", "unicode.txt", "--folds", 2, "-o", "fit.json")
    )
    assert (code, error) == (0, "")
    assert "left out" not in out


def test_a_researcher_with_a_wmt_folder(step, tmp_path):
    make_test_set(tmp_path / "wmt99")
    words = ["meta", "--wmt", "wmt99", "--criterion", "mqm", "--bootstrap", 0, "--test", "none"]
    code, out, error = step(*words, "--pair", "de-en,en-zh", "--statistic", "spa,acc-t")
    assert code == 0
    assert error.splitlines() == [
        "paragauge: left out: de-en: 1 output that is a reference: refA",
        "paragauge: left out: de-en: 1 system without mqm: sys-8.de",
        "paragauge: left out: en-zh: 1 output that is a reference: refB",
        "paragauge: left out: en-zh: 1 system without mqm: sys-6.en",
    ]
    expected = Path(__file__).parent / "expected" / "wmt-folder.txt"
    assert out == expected.read_text(encoding="utf-8")
    code, out, _ = step(*words, "--pair", "de-en", "-m", "pinc,chrf", "--view", "pooled", "-f", "json")
    assert code == 0
    assert {row["metric"] for row in json.loads(out)["correlations"][0]["rows"]} == {
        *("pinc", "chrf", "near", "rough")
    }


def test_a_student_with_a_titled_workbook_of_texts_and_ratings(step, tmp_path):
    # A title over the header, merged cells for the sentence, and the texts beside the ratings.
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Paraphrasenstudie, Sommer"])
    sheet.append([])
    sheet.append(["Satz Nr.", "Quelle", "Paraphrase", "System", "Bewertung"])
    for place, source in enumerate(SOURCES):
        for number, (system, texts) in enumerate(WRITTEN.items()):
            start = [place + 1, source] if number == 0 else [None, None]
            sheet.append([*start, texts[place], f" {system} ", NOTES[system][place]])
        first, last = sheet.max_row - len(WRITTEN) + 1, sheet.max_row
        sheet.merge_cells(f"A{first}:A{last}")
        sheet.merge_cells(f"B{first}:B{last}")
    sheet.merge_cells("A1:E1")
    book.save(tmp_path / "studie.xlsx")
    words = ["meta", "studie.xlsx", "-m", "pinc", "--view", "pooled", "-f", "json"]
    code, out, error = step(*words)
    assert (code, out) == (2, "")
    assert error.endswith(
        "all that this table needs: --header-row 3 --column segment=NAME --criteria NAME,... (its "
        "columns: Satz Nr., Quelle, Paraphrase, System, Bewertung); if it has the texts too: --column "
        "source=NAME --column candidate=NAME\n"
    )
    words += ["--header-row", 3, "--criteria", "bewertung", "--column", "segment=satz nr."]
    words += ["--column", "source=quelle"]
    code, out, error = step(*words, "--column", "candidate=paraphrase")
    assert (code, error) == (0, "")
    assert value_of(out) == pytest.approx(pinc_correlation())
    # The same options score the texts.
    words = ["score", "--table", "studie.xlsx", "-s", "quelle", "-c", "paraphrase", "--bootstrap", 0]
    code, out, error = step(*words)
    assert code == 2
    assert "--header-row" in error
    code, out, error = step(*words, "--header-row", 3, "-f", "json")
    assert (code, error) == (0, "")
    assert json.loads(out)["segments"] == len(SOURCES) * len(WRITTEN)


def test_a_student_with_texts_in_another_encoding(step, tmp_path):
    content = "".join(
        f"{a};{b}\r\n"
        for a, b in zip(["Quelle", *SOURCES[:3]], ["neu", *WRITTEN["neu"][:3]], strict=True)
    )
    (tmp_path / "texte.csv").write_bytes(content.encode("windows-1252"))
    words = ["score", "--table", "texte.csv", "-s", "Quelle", "-c", "neu", "--bootstrap", 0]
    code, out, error = step(*words)
    assert (code, out) == (2, "")
    assert "--encoding windows-1252" in error
    code, out, error = step(*words, "--encoding", "windows-1252", "-f", "json")
    assert (code, error) == (0, "")
    expected = PINC().score(WRITTEN["neu"][:3], sources=SOURCES[:3]).value
    assert json.loads(out)["scores"][0]["value"] == pytest.approx(expected)


COMET = {"kopie": [0.9, 0.8, 0.95, 0.9], "neu": [0.7, 0.75, 0.6, 0.65], "halb": [0.8, 0.85, 0.7, 0.8]}
OWN_METRIC = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.metrics import MeanMetric, mean_stats


@dataclass(frozen=True)
class Length(MeanMetric):
    name: ClassVar[str] = "Length"
    summary: ClassVar[str] = "words of the candidate"

    @property
    def needs(self):
        return frozenset()

    def batch_stats(self, batch, system):
        return mean_stats(np.array([len(text.split()) for text in batch.systems[system]], float))
"""


def test_a_maintainer_with_scores_of_comet_and_a_metric_of_their_own(step, texts, tmp_path):
    rows = {
        f"out/{name}.txt": [{"src": "x", "mt": "y", "COMET": value, "errors": []} for value in values]
        for name, values in COMET.items()
    }
    (tmp_path / "comet.json").write_text(json.dumps(rows, indent=4), encoding="utf-8")
    (tmp_path / "own_length.py").write_text(OWN_METRIC, encoding="utf-8")
    words = [*texts, "--scores", "comet.json", "-m", "pinc,own_length:Length"]
    code, out, error = step("compare", *words, "--bootstrap", 100, "-f", "json")
    assert code == 0
    assert error == (
        "paragauge: COMET: scores of segments from comet.json; scores of systems, intervals and tests "
        "are of their mean\n"
    )
    scores = {(one["system"], one["metric"]): one["value"] for one in json.loads(out)["scores"]}
    for name, values in COMET.items():
        assert scores[name, "COMET"] == pytest.approx(np.mean(values))
        lengths = [len(text.split()) for text in WRITTEN[name]]
        assert scores[name, "own_length:Length"] == pytest.approx(np.mean(lengths))
    code, out, error = step("report", *words, "--bootstrap", 50, "-o", "report.html")
    assert code == 0
    assert "COMET" in (tmp_path / "report.html").read_text(encoding="utf-8")
    # One number a line, a file for each system, and their place among the metrics.
    (tmp_path / "r.csv").write_text(
        "segment,system,overall\n"
        + "".join(f"{n + 1},{s},{v}\n" for s, values in NOTES.items() for n, v in enumerate(values))
    )
    given = []
    for name, values in COMET.items():
        (tmp_path / f"{name}.bleurt").write_text("".join(f"{value}\n" for value in values))
        given += ["--scores", f"BLEURT:{name}={name}.bleurt"]
    words = ["meta", "r.csv", *texts, "--scores", "comet.json", *given, "-m", "own_length:Length"]
    code, out, error = step(*words, "--view", "pooled", "--bootstrap", 50, "-f", "json")
    assert (code, error) == (0, "")
    values = {row["metric"]: row["value"] for row in json.loads(out)["correlations"][0]["rows"]}
    notes = np.concatenate(list(NOTES.values()))
    expected = stats.pearsonr(np.concatenate(list(COMET.values())), notes)[0]
    assert values["COMET"] == values["BLEURT"] == pytest.approx(expected)
    assert set(values) == {"COMET", "BLEURT", "own_length:Length"}


def test_a_linguist_asks_why(step):
    code, out, error = step("explain")
    assert (code, out) == (2, "")
    assert "--browser" in error
    sentences = ["--source", SOURCES[1], "--candidate", WRITTEN["halb"][1]]
    sentences += ["--reference", WRITTEN["neu"][1]]
    code, out, error = step("explain", "-m", "bleu,pinc,meteor,ter,pem", *sentences)
    assert (code, error) == (0, "")
    for start in ("BLEU ", "PINC ", "METEOR ", "TER ", "PEM "):
        _, _, explained = out.partition(f"\n{start}" if start != "BLEU " else start)
        two_sentences = explained.split("\n\n")[1]
        assert two_sentences.replace("\n", " ").count(". ") >= 1
