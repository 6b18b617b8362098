"""Scores as other programs write them: comet-score's JSON and lines, and one number a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paragauge.errors import ParagaugeError
from paragauge.metrics.outside.given_scores import read_given_scores

SYSTEMS = ["mine", "base"]
VALUES = {"mine": [0.5, 0.25], "base": [0.75, 0.125]}


def values(given) -> dict[str, list[float]]:
    return {name: column.tolist() for name, column in given.values.items()}


def comet(folder: Path, indent: int | None) -> Path:
    """What `comet-score -t out/mine.txt base.de.txt --to_json` writes."""
    path = folder / "comet.json"
    rows = {
        file: [
            {"src": "a", "mt": "{", "ref": "c", "COMET": value, "errors": []}
            for value in VALUES[system]
        ]
        for file, system in (("out/mine.txt", "mine"), ("base.de.txt", "base"))
    }
    path.write_text(json.dumps(rows, indent=indent), encoding="utf-8")
    return path


@pytest.mark.parametrize("indent", [None, 4])
def test_json_of_comet(tmp_path, indent):
    given = read_given_scores([comet(tmp_path, indent)], SYSTEMS)
    assert list(given) == ["COMET"]
    assert values(given["COMET"]) == VALUES
    assert given["COMET"].signature.startswith("COMET|given:comet.json|")


def test_lines_of_comet(tmp_path):
    path = tmp_path / "comet.txt"
    lines = [
        f"{system}.txt\tSegment {number}\tscore: {value}\n"
        for system, column in VALUES.items()
        for number, value in enumerate(column)
    ]
    path.write_text("".join(lines) + "mine.txt\tscore: 0.375\n", encoding="utf-8")
    assert values(read_given_scores([path], SYSTEMS)["COMET"]) == VALUES
    path.write_text("".join(lines) + "warning: slow\n", encoding="utf-8")
    with pytest.raises(ParagaugeError, match=r"comet\.txt:5: expected SYSTEM, Segment N and score: X"):
        read_given_scores([path], SYSTEMS)


def test_one_number_a_line(tmp_path):
    sources = []
    for system, column in VALUES.items():
        path = tmp_path / f"{system}.scores"
        path.write_text("".join(f"{value}\n" for value in column))
        sources.append(f"BLEURT:{system}={path}")
    given = read_given_scores([*sources, comet(tmp_path, 1)], SYSTEMS)
    assert {label: values(one) for label, one in given.items()} == {"BLEURT": VALUES, "COMET": VALUES}


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("B:mien={}", "1\n", r"unknown system 'mien'; did you mean 'mine'\? known: mine, base"),
        ("B:mine={}", "1\n\n", r"scores:2: expected one number a line, found ''"),
        ("B:mine={}", "1\nx\n", r"scores:2: expected one number a line, found 'x'"),
        ("B:mine={}", "", r"scores: expected one number a line, found none"),
        ("{}", "1\n2\n", r"a file with one number a line is METRIC:SYSTEM=FILE"),
        ("{}", '{"a.mine": [{"mt": "x"}]}', r"segment 1 of 'a.mine': expected a number, such as its"),
        ("{}", '{"mine": [{"C": 1}], "mine.txt": [{"C": 1}]}', r"mine and mine.txt could both be"),
        ("{}", '{"else.txt": [{"C": 1}]}', r"unknown system 'else.txt'"),
    ],
)
def test_errors(tmp_path, source, text, message):
    path = tmp_path / "scores"
    path.write_text(text)
    with pytest.raises(ParagaugeError, match=message):
        read_given_scores([source.format(path)], SYSTEMS)


def test_a_metric_is_given_twice(tmp_path):
    path = tmp_path / "scores"
    path.write_text("1\n")
    with pytest.raises(ParagaugeError, match="'B' of 'mine' is given twice; leave one out"):
        read_given_scores([f"B:mine={path}", f"B:mine={path}"], SYSTEMS)


def test_decimal_commas_beside_points(tmp_path):
    # Ratings from a spreadsheet have commas; what programs wrote beside them has points.
    table = tmp_path / "s.csv"
    table.write_text("segment;system;BLEURT\n1;mine;0,5\n2;mine;0,25\n1;base;0,75\n2;base;0,125\n")
    with pytest.raises(ParagaugeError, match="give --decimal ,"):
        read_given_scores([table], SYSTEMS)
    numbers = tmp_path / "numbers"
    numbers.write_text("0,5\n0.25\n")
    one = f"ONE:mine={numbers}"
    given = read_given_scores([table, comet(tmp_path, None), one], SYSTEMS, decimal=",")
    assert values(given["BLEURT"]) == values(given["COMET"]) == VALUES
    assert values(given["ONE"]) == {"mine": VALUES["mine"], "base": []}
    with pytest.raises(ParagaugeError, match="found '0,5'; if the comma stands before decimals"):
        read_given_scores([one], SYSTEMS)
    table.write_text("segment;system;BLEURT\n1;mine;0,5\n2;mine;0.25\n")
    with pytest.raises(ParagaugeError, match="a point cannot stand before decimals"):
        read_given_scores([table], SYSTEMS, decimal=",")
