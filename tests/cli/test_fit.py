"""`paragauge fit`: ratings in, a saved metric out."""

from __future__ import annotations

import json
import re

import pytest

SYSTEMS = ["copy", "edits", "rewrites", "free", "scrambled"]


@pytest.fixture
def command(examples):
    inputs = ["-s", examples / "sources.txt", "-r", examples / "references.tsv"]
    return ["fit", *inputs, *(part for name in SYSTEMS for part in ("-c", examples / f"{name}.txt"))]


@pytest.fixture
def small(file):
    texts = {"s.txt": "a b\n" * 4, "r.txt": "c d\n" * 4, "c.txt": "c d\na b\ne f\nc e\n"}
    paths = {name: file(name, text) for name, text in texts.items()}
    return ["fit", "-s", paths["s.txt"], "-r", paths["r.txt"], "-c", f"mine={paths['c.txt']}"]


def test_fit_and_use(good, command, examples, tmp_path):
    saved = tmp_path / "fit.json"
    text = good(*command, "--ratings", examples / "ratings.tsv", "-o", saved)
    content = json.loads(saved.read_text())
    assert content["metric"] == "pinc-sigmoid"
    assert content["fit"]["ratings"] == 600
    assert content["fit"]["missing"] == 0
    settings, fit = content["settings"], content["fit"]
    assert text == (
        f"slope {settings['slope']:.4g}, midpoint {settings['midpoint']:.4g}\n"
        f"Pearson {fit['held_out']:.3f} [{fit['low']:.3f}, {fit['high']:.3f}] held out (5-fold "
        f"cross-validation by source), {fit['pearson']:.3f} with its own 600 ratings "
        "(0 pairs without one)\n"
        f"saved to {saved}; use: --metrics pinc-sigmoid:model={saved}\n"
    )
    score = ["score", *command[1:7], "-m", f"pinc-sigmoid:model={saved}", "-f", "json"]
    (record,) = json.loads(good(*score))["scores"]
    assert record["signature"] == content["signature"].replace(
        "PINC-sigmoid|", "PINC-sigmoid|refs:2-4|"
    )


def test_support_vectors(good, fails, command, examples, tmp_path):
    saved, again = tmp_path / "svr.json", tmp_path / "again.json"
    options = [*command, "--metric", "pinc-svr", "--ratings", examples / "ratings.tsv"]
    text = good(*options, "-o", saved)
    fit = json.loads(saved.read_text())["fit"]
    assert re.match(r"\d+ support vectors, gamma [\d.]+, c [\d.]+, epsilon [\d.]+\nPearson ", text)
    assert f"{fit['held_out']:.3f} [{fit['low']:.3f}, {fit['high']:.3f}] held out (5-fold" in text
    assert fit["sources"] == 120
    good(*options, "-o", again, "--threads", 1)
    assert saved.read_bytes() == again.read_bytes()
    score = ["score", *command[1:7], "-m", f"pinc-svr:model={saved}", "-f", "json"]
    (record,) = json.loads(good(*score))["scores"]
    assert record["signature"] == json.loads(saved.read_text())["signature"].replace(
        "PINC-SVR|", "PINC-SVR|refs:2-4|"
    )
    assert "setting that is not fitted" in fails(*options, "-o", again, "--setting", "model=x")


def test_other_columns(good, command, examples, tmp_path):
    ratings = ["--ratings", examples / "ratings.tsv"]
    for column in ("semantic", "overall"):
        good(*command, *ratings, "--criterion", column, "-o", tmp_path / f"{column}.json")
    assert (tmp_path / "semantic.json").read_text() != (tmp_path / "overall.json").read_text()


def test_what_is_left_out(good, fails, small, file, tmp_path):
    rows = "1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t3\n1\tb\t2\n2\tb\t2\n"
    ratings = file("r.tsv", f"segment\tsystem\toverall\n{rows}")
    words = [*small, "--ratings", ratings, "-o", tmp_path / "fit.json"]
    lost = "1 system of the ratings is not in the files: b"
    assert fails(*words).startswith(f"{lost}; name them alike, or give --allow-missing")
    assert f"left out: {lost}\nsaved to" in good(*words, "--allow-missing")
    mine = str(small[-1]).removeprefix("mine=")
    printed = good(*words, "-c", f"foo={mine}", "--allow-missing")
    assert printed.splitlines()[-2] == (
        f"left out: {lost}; 1 system of the files is not in the ratings: foo; "
        "4 candidates without a rating"
    )


def test_settings(good, small, file, tmp_path):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    saved = tmp_path / "fit.json"
    settings = ["--setting", "order=2", "--setting", "count=clip", "--case", "lower"]
    good(*small, "--ratings", ratings, "-o", saved, *settings)
    signature = json.loads(saved.read_text())["signature"]
    assert signature.startswith("PINC-sigmoid|order:2|")
    assert "|count:clip|" in signature
    assert "|case:lower|" in signature


def test_another_adequacy_metric(good, small, file, tmp_path):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    saved = tmp_path / "fit.json"
    settings = ["--setting", "adequacy=chrf", "--setting", "adequacy_beta=1", "--case", "lower"]
    good(*small, "--ratings", ratings, "-o", saved, *settings)
    assert json.loads(saved.read_text())["settings"]["adequacy"] == "chrf:beta=1:case=lower"
    score = ["score", *small[1:], "-m", f"pinc-sigmoid:model={saved}", "-f", "json"]
    (record,) = json.loads(good(*score))["scores"]
    assert "|adequacy:chrF|" in record["signature"]


def test_an_adequacy_metric_that_needs_no_references(good, small, file, tmp_path):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    vectors = tmp_path / "vectors"
    vectors.mkdir()
    settings = ["--setting", "adequacy=bertscore", "--setting", "adequacy_against=sources"]
    at = small.index("-r")
    without = small[:at] + small[at + 2 :]
    good(*without, "--ratings", ratings, "-o", tmp_path / "f.json", *settings, "--cache", vectors)
    assert list(vectors.iterdir())


@pytest.mark.parametrize(
    "setting",
    [
        "adequacy=ter",
        "adequacy_layer=4",
        "ordr=2",
        "order",
        "order=two",
        "order=0",
        "=",
        "order=2:count=clip",
        "count=sett",
        "slope=3",
    ],
)
def test_bad_settings(fails, small, file, tmp_path, setting):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    assert fails(*small, "--ratings", ratings, "-o", tmp_path / "fit.json", "--setting", setting)


def test_missing_ratings_are_counted(good, small, file, tmp_path):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    text = good(*small, "--ratings", ratings, "-o", tmp_path / "fit.json")
    assert "with its own 3 ratings (1 pair without one); none held out: 1 source for 5 folds" in text


def test_a_rating_beyond_the_corpus(fails, small, file, tmp_path):
    rows = "1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n9\tmine\t3\n"
    ratings = file("r.tsv", "segment\tsystem\toverall\n" + rows)
    # Four segments: a rating of the ninth means that the files do not belong together.
    error = fails(*small, "--ratings", ratings, "-o", tmp_path / "fit.json")
    assert re.search(r"\b9\b", error.replace(str(ratings), ""))


@pytest.mark.parametrize("rows", ["1\tmine\t4\n2\tmine\t1\n", "1\tmine\t2\n2\tmine\t2\n3\tmine\t2\n"])
def test_too_few_ratings(fails, small, file, tmp_path, rows):
    ratings = file("r.tsv", "segment\tsystem\toverall\n" + rows)
    words = [*small, "--ratings", ratings, "-o", tmp_path / "fit.json", "--allow-missing"]
    assert fails(*words) == (
        f"expected at least 3 ratings that are not all equal, found {rows.count('mine')}; "
        "a constant cannot be correlated with"
    )


def test_ratings_of_nobody(fails, small, file, tmp_path):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmin\t4\n")
    assert fails(*small, "--ratings", ratings, "-o", tmp_path / "fit.json") == (
        f"{ratings}: expected ratings of the systems given: unknown system 'min'; "
        "did you mean 'mine'? known: mine"
    )


def test_unknown_column(fails, command, examples, tmp_path):
    ratings = examples / "ratings.tsv"
    assert fails(
        *command, "--ratings", ratings, "--criterion", "overal", "-o", tmp_path / "f.json"
    ) == (
        f"{ratings}: unknown column 'overal'; did you mean 'overall'? "
        "known: segment, system, judge, semantic, dissimilarity, overall"
    )


def test_hostile_ratings(fails, small, file, tmp_path):
    ratings = file("r.tsv", f"segment\tsystem\toverall\n{'1' * 5000}\tmine\t4\n")
    assert fails(*small, "--ratings", ratings, "-o", tmp_path / "f.json").startswith(f"{ratings}:2: ")


def test_output_folder(fails, small, file, tmp_path):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    missing = tmp_path / "none" / "fit.json"
    assert fails(*small, "--ratings", ratings, "-o", missing) == (
        f"{missing}: its folder {missing.parent} does not exist; make it first"
    )
    assert fails(*small, "--ratings", ratings, "-o", tmp_path) == (
        f"{tmp_path}: expected a file, found a directory; name a file in it"
    )


@pytest.mark.parametrize("missing", ["-s", "-r"])
def test_missing_input_says_which_option(fails, small, file, tmp_path, missing):
    at = small.index(missing)
    command = small[:at] + small[at + 2 :]
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    assert missing in fails(*command, "--ratings", ratings, "-o", tmp_path / "fit.json")


@pytest.mark.parametrize("missing", ["--ratings", "--output"])
def test_missing_option(fails, small, tmp_path, missing):
    options = {"--ratings": tmp_path / "r.tsv", "--output": tmp_path / "fit.json"}
    del options[missing]
    assert missing in fails(*small, *(part for pair in options.items() for part in pair))


@pytest.mark.parametrize("name", ["a,b.json", "a:b.json"])
def test_the_printed_hint_works(call, small, file, tmp_path, name):
    # Whatever the file is called, what `fit` says to use can be used; or the name is refused.
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tmine\t4\n2\tmine\t1\n3\tmine\t2\n4\tmine\t\n")
    outcome = call(*small, "--ratings", ratings, "-o", tmp_path / name)
    if outcome.code == 2:
        assert not (tmp_path / name).exists()
        return
    metric = outcome.out.decode().rsplit("--metrics ", 1)[1].removesuffix("\n")
    assert call("score", *small[1:], "-m", metric).code == 0


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"settings": 5}',
        '{"settings": {}}',
        '{"settings": {"slop": 1}}',
        "[" * 100_000,
    ]
    + [
        json.dumps({"settings": {"slope": slope, "midpoint": 1}})
        for slope in (-1, "x", None, True, [1])
    ],
    ids=lambda text: text[:40],
)
def test_a_model_that_is_none(fails, small, file, content):
    model = file("model.json", content)
    error = fails("score", *small[1:], "-m", f"pinc-sigmoid:model={model}")
    assert error.startswith(f"{model}: expected a fit saved by paragauge (")
    assert error.endswith("); fit again")


def test_a_model_that_is_not_text(fails, small, file):
    model = file("model.json", b"\xff\xfe")
    assert fails("score", *small[1:], "-m", f"pinc-sigmoid:model={model}").startswith(f"{model}: ")


def test_a_missing_model(fails, small, tmp_path):
    model = tmp_path / "none.json"
    assert fails("score", *small[1:], "-m", f"pinc-sigmoid:model={model}") == (
        f"{model}: no such file; check the path"
    )


def test_ratings_have_the_options_of_meta(good, fails, small, file, tmp_path):
    rows = "1;mine;x;4,5\n1;mine;y;3,5\n2;mine;x;1\n3;mine;x;2\n4;mine;y;3\n"
    table = file("r.csv", "Satz;System;Wer;Note, gesamt;Wort\n" + rows.replace("\n", ";gut\n"))
    words = ["--ratings", table, "--column", "segment=Satz", "--criteria", "note, gesamt"]
    words += ["--decimal", ",", "-o", tmp_path / "f.json"]
    printed = good(*small, *words, "--column", "judge=wer")
    assert "its own 4 ratings" in printed
    assert "unknown column 'wie'" in fails(*small, *words, "--column", "judge=wie")
