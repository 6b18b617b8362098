"""Table 7 of Weese, Ganitkevitch and Callison-Burch (2014), from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.errors import FileFormatError, InputError
from paragauge.meta import evaluation
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.correlation.paper_tables import layout
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import with_scores

# Means whose ranks, low to high, are 1 2 3 4 5 in meaning and 5 3 1 2 4 in grammaticality.
MEANING = {"a": (1, 1), "b": (1, 2), "c": (2, 3), "d": (3, 4), "e": (5, 4)}
GRAMMAR = {"a": (5, 5), "b": (3, 3), "c": (1, 1), "d": (2, 2), "e": (4, 4)}
# Ranks of the metrics over a to e; rho = 1 - 6 * sum of d^2 / 120, by hand:
SCORES = {
    # Meaning: 9 + 9 + 1 + 1 + 16 = 36, -0.8. Grammaticality: 1 + 4 + 1 + 1 + 9 = 16, +0.2.
    "BLEU": (4, 5, 2, 3, 1),
    # Meaning: 0 + 0 + 0 + 1 + 1 = 2, +0.9. Grammaticality: 16 + 1 + 4 + 9 + 0 = 30, -0.5.
    "PARADIGM precision": (1, 2, 3, 5, 4),
}


def write_files(folder: Path) -> tuple[Path, Path]:
    ratings, scores = folder / "ratings.tsv", folder / "scores.tsv"
    rows = ["segment\tsystem\tjudge\tmeaning\tgrammaticality"]
    rows += [
        f"{segment + 1}\t{name}\tj\t{MEANING[name][segment]}\t{GRAMMAR[name][segment]}"
        for name in MEANING
        for segment in (0, 1)
    ]
    ratings.write_text("\n".join(rows) + "\n", encoding="utf-8")
    rows = ["\t".join(["system", *SCORES])]
    rows += [
        "\t".join([name, *(str(0.1 * values[i]) for values in SCORES.values())])
        for i, name in enumerate(MEANING)
    ]
    scores.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return ratings, scores


def test_the_table_as_in_the_paper(good, tmp_path: Path) -> None:
    ratings, scores = write_files(tmp_path)
    options = ["--scores", scores, "--layout", "paradigm-7", "--bootstrap", 0]
    lines = good("meta", ratings, *options).split("\n")
    assert lines[:5] == [
        "Correlation of automatic evaluation metrics with human judgments",
        "",
        "                    Meaning  Grammaticality",
        "BLEU                   -0.8            +0.2",
        "PARADIGM precision     +0.9            -0.5",
    ]
    assert "meaning: 5 systems, 10 rated candidates." in lines
    only = good("meta", ratings, *options, "--criterion", "grammaticality", "-f", "tsv").split("\n")
    assert [line.split("\t")[:3] for line in only[1:3]] == [
        ["BLEU", "Grammaticality", "0.2"],
        ["PARADIGM precision", "Grammaticality", "-0.5"],
    ]


def test_intervals_resample_what_is_asked(good, tmp_path: Path) -> None:
    ratings, scores = write_files(tmp_path)
    text = good("meta", ratings, "--scores", scores, "--layout", "paradigm-7", "--bootstrap", 50)
    assert (
        "Spearman's rho over systems; brackets: 95% interval, 50 bootstrap resamples of segments"
        in text
    )
    text = good(
        *("meta", ratings, "--scores", scores, "--layout", "paradigm-7", "--bootstrap", 50),
        *("--resample", "both"),
    )
    assert "bootstrap resamples of segments and systems" in text


def test_system_scores_have_one_view(tmp_path: Path) -> None:
    ratings, scores = write_files(tmp_path)
    judged = with_scores(read_evalset(ratings), scores)
    assert judged.scores["BLEU"].system_level
    results = evaluation.meta(judged)
    assert {result.view for result in results} == {"system"}
    assert {result.test for result in results} == {"bootstrap"}  # constants cannot be exchanged
    with pytest.raises(InputError, match="'BLEU' has scores of systems only, so it has no"):
        correlate(judged, "meaning", settings=CorrelationSettings(view="pooled"))


def test_plots_of_system_scores(good, call, tmp_path: Path) -> None:
    ratings, scores = write_files(tmp_path)
    options = ["--scores", scores, "-x", "BLEU", "-y", "meaning", "-o", tmp_path / "plot.svg"]
    outcome = call("scatter", ratings, *options)
    assert outcome.code == 2
    assert b"'BLEU' has scores of systems only, so candidates cannot be plotted" in outcome.err
    assert "5 systems, 10 candidates" in good("scatter", ratings, *options, "--view", "system")


def test_lower_is_better_turns_the_sign(good, tmp_path: Path) -> None:
    ratings, scores = write_files(tmp_path)
    text = good(
        *("meta", ratings, "--scores", scores, "--layout", "paradigm-7", "--bootstrap", 0),
        *("--lower", "BLEU"),
    )
    assert "BLEU                   +0.8            -0.2" in text
    assert "Signs reversed, because lower is better: BLEU." in text


def test_systems_without_a_score_are_counted(tmp_path: Path) -> None:
    ratings, scores = write_files(tmp_path)
    lines = scores.read_text(encoding="utf-8").split("\n")
    scores.write_text("\n".join(lines[:5]) + "\n", encoding="utf-8")  # without system e
    with pytest.raises(InputError, match=r"1 system of the ratings is not in .*scores\.tsv: e"):
        with_scores(read_evalset(ratings), scores)
    table = layout("paradigm-7", with_scores(read_evalset(ratings), scores, allow_missing=True))
    assert table.notes[0] == "meaning: 4 systems, 8 rated candidates, 2 left out with no score."


def test_errors(tmp_path: Path) -> None:
    ratings, scores = write_files(tmp_path)
    judged = read_evalset(ratings)
    lines = scores.read_text(encoding="utf-8").split("\n")
    twice = tmp_path / "twice.tsv"
    twice.write_text("\n".join([*lines[:2], lines[1]]) + "\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"twice.tsv:3: system 'a' stands twice; leave one out"):
        with_scores(judged, twice)
    other = tmp_path / "other.tsv"
    other.write_text("system\tBLEU\nx\t1\n", encoding="utf-8")
    with pytest.raises(
        FileFormatError, match=r"expected scores of rated systems \(a, b, c, d, e\), found x"
    ):
        with_scores(judged, other)
    with pytest.raises(InputError, match="expected scores of systems to correlate"):
        layout("paradigm-7", judged)
