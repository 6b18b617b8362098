"""`paragauge meta`: every option, every format, every error in one line."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import re
import sys

import numpy as np
import pytest

from paragauge.cli.progress import Steps
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import with_corpus
from paragauge.metrics.base import Metric
from paragauge.report.tables.score_tables import FORMATS
from paragauge.text.corpus import Corpus

FAST = ["--bootstrap", 30, "--draws", 30]


@pytest.fixture
def data(rated_texts):
    """The folder of the files, and the options that name them."""
    folder = rated_texts
    texts = ["-s", folder / "src.txt", "-r", folder / "refs.tsv"]
    systems = [word for name in "abc" for word in ("-c", folder / f"{name}.txt")]
    return [folder / "ratings.tsv", *texts, *systems]


@pytest.fixture
def records(good, data):
    """What a command prints, as JSON."""

    def run(*arguments, inputs=None):
        text = good("meta", *(data if inputs is None else inputs), *arguments, "-f", "json")
        return json.loads(text, parse_constant=pytest.fail)["correlations"]

    return run


def test_defaults(good, data):
    text = good("meta", *data, *FAST)
    headings = re.findall("^Correlation with .*$", text, re.MULTILINE)
    assert headings == [f"Correlation with {name}" for name in ("semantic", "dissimilarity", "overall")]
    assert "segments, pooled" in text
    assert "systems" in text
    assert "BLEU|refs:2|" in text
    assert "PINC|order:4|" in text
    assert "60 candidates of 3 systems." in text


@pytest.mark.parametrize("form", FORMATS)
def test_formats(good, data, form):
    text = good("meta", *data, *FAST, "--criterion", "overall", "-f", form)
    assert "nan" not in text.lower().replace("semantic", "")
    if form == "tsv":
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
        assert {(row["view"], row["metric"]) for row in rows} == {
            (view, metric) for view in ("pooled", "system") for metric in ("bleu", "pinc")
        }
        assert all(float(row["low"]) <= float(row["high"]) for row in rows)
    elif form == "json":
        json.loads(text, parse_constant=pytest.fail)
    else:
        start = {"text": "Correlation", "markdown": "**Correlation", "latex": "% Correlation"}[form]
        assert text.startswith(f"{start} with overall")


def test_values_equal_the_library(records, data):
    folder = data[0].parent
    corpus = Corpus(
        {name: str(folder / f"{name}.txt") for name in "abc"},
        [str(folder / "src.txt")],
        [str(folder / "refs.tsv")],
    )
    judged = with_corpus(read_evalset(data[0]), corpus).score_with(Metric.from_specs(["bleu,pinc"]))
    settings = CorrelationSettings("kendall", "by-system", "permutation", bootstrap=30, draws=30)
    expected = correlate(judged, "overall", None, settings)
    options = ["--criterion", "overall", "--statistic", "kendall", "--view", "by-system"]
    (record,) = records(*options, *FAST)
    assert [(row["metric"], row["value"], row["low"]) for row in record["rows"]] == [
        (row.metric, row.value, row.low) for row in expected.rows
    ]
    assert record["differences"][0]["p"] == expected.differences[0].p


def test_options(records):
    base = ["--criterion", "overall", "--view", "pooled", *FAST]
    (plain,) = records(*base)
    for more, name, value in (
        (["--seed", 5], "seed", 5),
        (["--level", 0.5], "level", 0.5),
        (["--alpha", 0.2], "alpha", 0.2),
        (["--correction", "fdr"], "correction", "fdr"),
        (["--constant", "skip"], "constant", "skip"),
        (["--test", "none"], "test", "none"),
        (["--test", "williams"], "test", "williams"),
        (["--test", "bootstrap"], "test", "bootstrap"),
        (["--where", "bleu>10"], "where", "bleu>10"),
        (["--judge", "A"], "judge", "A"),
    ):
        (record,) = records(*base, *more)
        assert record[name] == value
        assert record != plain
    (record,) = records(*base, "--threads", 1)
    assert record == plain
    (record,) = records(*base, "--exclude", "c")
    assert record["systems"] == 2
    (record,) = records("--criterion", "overall", "--view", "system", "--resample", "both", *FAST)
    assert record["resample"] == "both"
    several = records(
        "--criterion", "overall,semantic", "--statistic", "pearson,kendall", "--view", "pooled", *FAST
    )
    assert [(one["criterion"], one["statistic"]) for one in several] == [
        (criterion, statistic)
        for criterion in ("overall", "semantic")
        for statistic in ("pearson", "kendall")
    ]
    several = records("--criterion", "overall", "--judge", "each", "--view", "pooled", *FAST)
    assert [one["judge"] for one in several] == ["A", "B"]
    several = records("--statistic", "accuracy-tuned,kendall-wmt13", "--criterion", "overall", *FAST)
    assert {one["view"] for one in several} == {"by-source"}
    several = records(
        "--statistic", "kendall-wmt14", "--difference", 1, "--criterion", "overall", *FAST
    )
    less = several[0]["rows"][0]["groups"][""]["pairs"]
    (record,) = records("--statistic", "kendall-wmt14", "--criterion", "overall", *FAST)
    assert less < record["rows"][0]["groups"][""]["pairs"]
    options = ["--view", "system", "--test", "documents", "--document-size", 10, "--documents", 4]
    (record,) = records("--criterion", "overall", *options)
    assert record["test"] == "documents"
    assert record["documents"] == {"size": 10, "repetitions": 4, "seed": 7}
    for row in record["rows"]:
        assert len(row["by_document"]) == 4
        assert row["value"] == pytest.approx(sum(row["by_document"]) / 4, abs=1e-12)
    options = ["--statistic", "soft-accuracy", "--test", "bootstrap"]
    (record,) = records("--criterion", "overall", *options, "--bootstrap", 5)
    assert record["view"] == "system"


def test_predictors_are_criteria(records, data):
    correlations = records(
        "--predictor", "semantic,dissimilarity", "--view", "pooled", *FAST, inputs=data[:1]
    )
    assert [one["criterion"] for one in correlations] == ["overall"]
    assert {row["metric"] for row in correlations[0]["rows"]} == {"semantic", "dissimilarity"}
    correlations = records(
        "--predictor", "semantic", "-m", "pinc", "--view", "pooled", "--criterion", "overall", *FAST
    )
    assert {row["metric"] for row in correlations[0]["rows"]} == {"semantic", "pinc"}


def test_scores_from_a_file(records, data, file):
    rng = np.random.default_rng(1)
    lines = [f"{i + 1}\t{name}\t{rng.normal()}" for i in range(20) for name in "abc"]
    path = file("scores.tsv", "segment\tsystem\tmine\n" + "\n".join(lines) + "\n")
    correlations = records(
        "--scores", path, "--view", "pooled", "--criterion", "overall", *FAST, inputs=data[:1]
    )
    assert [row["metric"] for row in correlations[0]["rows"]] == ["mine"]


def test_scores_from_a_file_are_turned_as_their_metric_is(good, records, data, tmp_path):
    """TER falls as candidates get better, whether it is computed here or was written before."""
    path = tmp_path / "segments.tsv"
    good("score", *data[1:], "-m", "bleu,ter", "--segments", path, "--bootstrap", 0)
    options = ["--view", "pooled", "--criterion", "semantic", *FAST]
    (record,) = records("--scores", path, *options, inputs=data[:1])
    (expected,) = records("-m", "bleu,ter", *options)
    values = [{row["metric"]: row["value"] for row in one["rows"]} for one in (record, expected)]
    assert values[0] == pytest.approx(values[1])
    assert values[0]["ter"] > 0


def test_other_columns_groups_and_shared_candidates(records, fails, file):
    """Names of columns, groups, several systems with one candidate, and a table without an ending."""
    rng = np.random.default_rng(3)
    lines = ["lang\tid\twho\tannotator\tquality\tcomment\tmetric:mine"]
    for group in ("de", "fr"):
        for number in range(8):
            for systems in ("a", "b+c"):
                true = rng.normal()
                cells = [group, number, systems, "A", round(3 + true, 2), "fine", true + rng.normal()]
                lines.append("\t".join(map(str, cells)))
    table = file("ratings", "\n".join(lines) + "\n")
    names = ["--column", "group=lang", "--column", "segment=id", "--column", "system=who"]
    arguments = [table, *names, "--criteria", "quality", "--separator", "+", "--table-format", "tsv"]
    (both,) = records("--view", "system", *FAST, inputs=arguments)
    assert (both["groups"], both["systems"], both["items"]) == (["de", "fr"], 3, 32)
    (one,) = records("--view", "system", "--group", "fr", *FAST, inputs=arguments)
    assert (one["groups"], one["items"]) == (["fr"], 16)
    assert one["rows"][0]["value"] == both["rows"][0]["groups"]["fr"]["value"]
    assert "'comment' is no criterion" in fails("meta", table, *names, "--table-format", "tsv")


@pytest.mark.parametrize("layout", [False, True])
def test_a_group_needs_its_own_files_only(good, fails, file, layout):
    """The file of another group may be left out, or named and missing."""
    ratings, paths = ["group\tsegment\tsystem\tjudge\toverall"], {}
    rng = np.random.default_rng(5)
    for group in ("de-en", "fr-en"):
        texts = []
        for segment in range(8):
            systems = {f"s{k}": " ".join(rng.choice(list("abcdefg"), 5)) for k in range(4)}
            row = {"segment": str(segment), "reference": "a b c d e", "systems": systems}
            texts.append(json.dumps(row))
            ratings += [f"{group}\t{segment}\t{name}\tA\t{rng.integers(1, 6)}" for name in systems]
        paths[group] = f"{group}={file(group + '.jsonl', chr(10).join(texts) + chr(10))}"
    table = file("ratings.tsv", "\n".join(ratings) + "\n")
    shared = [table, "-m", "chrf", *(["--layout", "maxsim"] if layout else []), "--bootstrap", 0]
    german = ["--outputs", paths["de-en"]]
    french = ["--outputs", paths["fr-en"]]
    missing = ["--outputs", "fr-en=missing.jsonl"]
    alone = good("meta", *shared, *german, "--group", "de-en")
    for others in (french, missing):
        assert good("meta", *shared, *german, *others, "--group", "de-en") == alone
    assert "fr-en:0" in fails("meta", *shared, *german)
    assert "missing.jsonl: no such file" in fails("meta", *shared, *german, *missing)
    assert "de-en:0" in fails("meta", *shared, *french, "--group", "de-en")


def test_rankings_and_outputs(records, file):
    rows = ["segment\tjudge\tsystem1\trank1\tsystem2\trank2\tsystem3\trank3"]
    texts = []
    for i in range(6):
        rows.append(f"{i}\tA\ta\t1\tb\t{1 + i % 3}\tc\t-1")
        rows.append(f"{i}\tB\ta\t2\tb\t1\tc\t3")
        systems = {"a": "the cat sat", "b": f"the cat {i}", "c": "dogs"}
        reference = "the cat sat down"
        texts.append(json.dumps({"segment": str(i), "reference": reference, "systems": systems}))
    ranks = file("ranks.tsv", "\n".join(rows) + "\n")
    outputs = file("texts.jsonl", "\n".join(texts) + "\n")
    arguments = [ranks, "--outputs", outputs, "-m", "bleu"]
    (both,) = records("--statistic", "kendall-wmt12", *FAST, inputs=arguments)
    # Judge A orders b behind a in four of six tasks and ties two; B compares three pairs in all six.
    assert both["rows"][0]["groups"][""]["pairs"] == 4 + 18
    (one,) = records("--statistic", "kendall-wmt12", "--judge", "A", *FAST, inputs=arguments)
    assert (one["rows"][0]["groups"][""]["pairs"], one["rows"][0]["value"]) == (4, 1.0)


def test_layouts(good, data, fails):
    text = good("meta", *data, "--layout", "pinc-4", "--bootstrap", 20)
    assert "A vs. B" in text
    assert "PINC × Sigmoid(BLEU)" in text
    assert "Dissimilarity (semantic>=2)" in good(
        "meta", data[0], "--layout", "pem-2", "--where", "semantic>=2", "--bootstrap", 0
    )
    text = good("meta", data[0], "--layout", "pem-1", "--criterion", "semantic", "--bootstrap", 0)
    assert "Sentence Level: A  System Level: A\nB" in text
    text = good(
        "meta", *data, "--layout", "pem-3", "-m", "bleu", "--criterion", "semantic", "-f", "tsv"
    )
    assert text.startswith(
        "row\tcolumn\tvalue\tlow\thigh\treason\nBLEU vs. Human Avg.\tSentence Level\t0."
    )


def test_layouts_of_rewriting(good, data):
    few = ["--document-size", 10, "--documents", 4, "--criterion", "overall"]
    text = good("meta", *data, "--layout", "kauchak-4", *few)
    assert "mean over 4 documents of 10 segments, seed 7" in text
    assert "BLEU:rewrite=context" in text
    text = good("meta", *data, "--layout", "kauchak-5", *few, "-m", "bleu,pinc", "-f", "tsv")
    assert text.startswith("row\tcolumn\tvalue\tlow\thigh\treason\tmark\nBLEU\tBLEU\t")
    record = json.loads(good("meta", *data, "--layout", "kauchak-6", "-f", "json"))
    assert [cell["row"] for cell in record["cells"][::2]] == [
        "BLEU",
        "BLEU:rewrite=wordnet",
        "BLEU:rewrite=context",
    ]
    assert {cell["column"] for cell in record["cells"]} == {"Score", "Substitutions"}


def test_layouts_honor_the_options_of_metrics(good, data):
    """BLEU of characters and PINC of characters are others than those of words, in every row."""
    options = ["--layout", "pinc-4", "-m", "bleu,pinc", "--bootstrap", 0, "-f", "json"]
    plain = json.loads(good("meta", *data, *options))
    of_characters = json.loads(good("meta", *data, *options, "--tokenize", "char", "--case", "lower"))
    assert [note.split("|")[0] for note in plain["notes"][-2:]] == ["BLEU", "PINC"]
    assert all("tok:char|case:lower" in note for note in of_characters["notes"][-2:])
    values = [
        [cell["value"] for cell in table["cells"] if cell["column"] == "Overall"]
        for table in (plain, of_characters)
    ]
    ends = [
        [*column[:3], *column[-2:]] for column in values
    ]  # between them are thresholds, some left out
    assert [a != b for a, b in zip(*ends, strict=True)] == [False, True, True, True, True]


def test_ratings_by_system_and_metrics_by_criterion(good, data):
    text = good("meta", data[0], "--layout", "pinc-3", "--bootstrap", 20)
    assert text.startswith("Average human ratings of the systems\n\n")
    text = good("meta", *data, "--layout", "maxsim", "--bootstrap", 0)
    assert text.startswith("Correlations of metrics with human judgments of systems\n\n")
    assert "Average" in text
    assert "BLEU|" in text
    assert "|len:shortest|" in text
    assert "|case:lower|" in text


def test_conditions_may_name_metrics_with_settings(good, data, records):
    options = ["--view", "pooled", "--criterion", "overall", "--bootstrap", 0]
    (one,) = records("--where", "bleu:smooth=none>20", *options)
    (other,) = records("--where", "bleu>20", *options)
    assert 0 < one["items"] < other["items"]
    assert {row["metric"] for row in one["rows"]} == {row["metric"] for row in other["rows"]}


def test_control_judges_are_not_people(good, file):
    rows = ["segment\tsystem\tjudge\toverall"]
    for n in range(6):
        rows += [f"{n}\ta\tA\t{n % 3}", f"{n}\ta\tB\t{(n + 1) % 3}", f"{n}\tcopy\tcontrol\t2"]
    table = file("ratings.tsv", "\n".join(rows) + "\n")
    scores = [
        "segment\tsystem\tmine",
        *(f"{n}\t{s}\t{n * n % 5}" for n in range(6) for s in ("a", "copy")),
    ]
    given = file("scores.tsv", "\n".join(scores) + "\n")
    text = good(
        "meta", table, "--scores", given, "--judge", "each", "--view", "pooled", "--bootstrap", 0
    )
    assert "Correlation with overall by A" in text
    assert "control" not in text
    text = good("agree", table, "--bootstrap", 0)
    assert "control: ratings of control systems, given beforehand, are left out (6)." in text
    assert json.loads(good("agree", table, "-f", "json"))["criteria"][0]["judges"] == ["A", "B"]


@pytest.mark.parametrize("name", ["pem-1", "pem-3", "pinc-4"])
def test_layouts_say_what_has_no_text(call, fails, data, name):
    """As the table without a layout does."""
    last = len(data) - 1 - [str(word) for word in reversed(data)].index("-c")
    words = [*data[:last], *data[last + 2 :], "--bootstrap", 0]
    plain = ["meta", *words, "--criterion", "semantic", "--statistic", "pearson", "--view", "pooled"]
    assert fails(*plain).startswith("1 system of the ratings is not in the files: ")

    def allowed(*arguments: object) -> str:
        done = call(*arguments, "--allow-missing")
        assert done.code == 0
        assert done.err.startswith(
            b"paragauge: left out: 1 system of the ratings is not in the files: "
        )
        return done.out.decode()

    text = allowed(*plain)
    assert "; left out: " in text
    count = re.search(r"(\d+) with no text", text)[1]
    options = ["--layout", name, "--criterion", "semantic"]
    assert f"left out: {count} with no text." in allowed("meta", *words, *options)
    notes = json.loads(allowed("meta", *words, *options, "-f", "json"))["notes"]
    assert f"left out: {count} with no text." in notes[0]


def test_one_judge_has_nobody_to_agree_with(fails, file):
    table = file("one.tsv", "segment\tsystem\tjudge\toverall\n1\ta\tA\t3\n1\tb\tcontrol\t2\n")
    error = fails("meta", table, "--layout", "pem-1")
    assert error == (
        "expected at least two judges to compare, found A; the ratings need a column judge"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--criterion", "overal"], "unknown criterion 'overal'; did you mean 'overall'"),
        (["--statistic", "pearsons"], "unknown statistic 'pearsons'; did you mean 'pearson'"),
        (["--view", "by-segment"], "unknown view 'by-segment'; did you mean"),
        (["--statistic", "kendall-wmt14", "--view", "pooled"], "kendall-wmt14 has no view 'pooled'"),
        (["--where", "bleu>"], "condition 'bleu>': expected NAME OPERATOR NUMBER"),
        (["--where", "blue>5"], "unknown metric or criterion 'blue'; did you mean 'bleu'"),
        (["--where", "bleu>5000"], "no item has a rating and all scores and meets 'bleu>5000'"),
        (["--judge", "C"], "unknown judge 'C'; known: A, B"),
        (["--test", "anova"], "unknown test 'anova'"),
        (["--test", "documents"], "choose it"),
        (["--test", "documents", "--view", "system"], "expected at least 300 rated segments"),
        (["--test", "documents", "--bootstrap", 9], "--bootstrap has no effect with --test documents"),
        (["--documents", 9], "--documents needs --test documents; give it too"),
        (["--test", "williams", "--statistic", "kendall"], "Williams' test is for Pearson"),
        (["--test", "williams", "--view", "system"], "Williams' test needs at least 4 items, found 3"),
        (["--statistic", "soft-accuracy", "--view", "pooled"], "soft-accuracy has no view 'pooled'"),
        (["--view", "system", "--bootstrap", 0, "-m", "bleu,pinc"], "there is no bootstrap either"),
        (["--exchange", "systems"], "unknown unit of exchange 'systems'"),
        (["--plot", "matrix.pdf"], "matrix.pdf: expected a name that ends in .svg or .png"),
        (["--test", "bootstrap", "--bootstrap", 0], "the bootstrap test needs resamples"),
        (["--alpha", 2], "expected alpha between 0 and 1, found 2"),
        (["--level", 95], "expected a level between 0 and 1, found 95"),
        (["--seed", -1], "seed: expected a whole number from 0"),
        (["--draws", 0], "--draws"),
        (["--bootstrap", -1], "--bootstrap"),
        (["--correction", "sidak"], "unknown correction 'sidak'"),
        (["--constant", "one"], "unknown policy for constant metrics 'one'"),
        (["--resample", "judges"], "unknown way to resample 'judges'"),
        (["--difference", -1, "--statistic", "kendall-wmt14"], "difference: expected a number from 0"),
        (["--difference", 1], "--difference is for the WMT taus"),
        (["--exclude", "d"], "unknown system 'd'"),
        (["--group", "x"], "unknown group 'x'"),
        (["--metrics", "blue"], "unknown metric 'blue'"),
        (["--format", "html"], "unknown format 'html'"),
        (["--layout", "pem-9"], "unknown layout 'pem-9'"),
        (
            ["--layout", "pinc-4", "--metrics", "bleu"],
            "the table needs PINC and a metric in BLEU's place",
        ),
        (["--layout", "pinc-3", "--metrics", "bleu"], "--metrics does not go with --layout pinc-3"),
        (
            ["--layout", "pinc-3", "--criterion", "overall"],
            "--criterion does not go with --layout pinc-3",
        ),
        (["--where", "bleu:smooth=nune>5"], "unknown BLEU smooth 'nune'"),
        (
            ["--layout", "pem-2", "--statistic", "kendall"],
            "--statistic does not go with --layout pem-2",
        ),
        (["--layout", "pem-3", "--where", "bleu>3"], "layout pem-3 has no condition"),
        (["--layout", "pem-1", "--where", "bleu>3"], "layout pem-1 has no condition"),
        (["--layout", "pem-1", "--plot", "x.svg"], "--plot has no effect with --layout pem-1; leave"),
        (["--layout", "pem-2", "--matrix"], "--matrix has no effect with --layout pem-2"),
        (["--layout", "pem-3", "--test", "williams"], "--test has no effect with --layout pem-3"),
        (["--layout", "pinc-4", "--draws", "9"], "--draws has no effect with --layout pinc-4"),
        (["--layout", "pinc-4", "--resample", "both"], "--resample has no effect with --layout pinc-4"),
        (["--layout", "pem-1", "--metrics", "bleu"], "--metrics does not go with --layout pem-1"),
        (
            ["--layout", "kauchak-4", "--bootstrap", 9],
            "--bootstrap has no effect with --layout kauchak-4",
        ),
        (["--layout", "kauchak-5", "--test", "none"], "--test has no effect with --layout kauchak-5"),
        (
            ["--layout", "kauchak-6", "--documents", 9],
            "--documents has no effect with --layout kauchak-6",
        ),
        (
            ["--layout", "kauchak-6", "--criterion", "a"],
            "--criterion does not go with --layout kauchak-6",
        ),
        (["--range", "50:60"], "segments 50:60: expected rated candidates, found none; the segments"),
        (["--range", "x"], "--range x: expected FIRST:LAST, two numbers from 1 on such as 1:200"),
        (["--layout", "pem-2", "--criterion", "a", "--criterion", "b"], "expected one --criterion"),
        (["--predictor", "semantic,dissimilarity,overall"], "all of them are predictors"),
        (["--predictor", "fluency"], "unknown metric or criterion 'fluency'"),
        (["--outputs", "x.jsonl"], "--outputs and -c both give the texts; use one of them"),
        (["--scores", "nowhere.tsv"], "nowhere.tsv"),
        (["--column", "judge"], "--column judge: expected ROLE=NAME"),
        (["--where", "(" * 3000 + "bleu>1" + ")" * 3000], "too many brackets"),
    ],
)
def test_errors(fails, data, arguments, message):
    assert message in fails("meta", *data, *arguments)


def test_missing_input(fails, data, file):
    assert "the ratings have no texts and no scores" in fails("meta", data[0])
    assert "-s and -r need the candidates too" in fails("meta", data[0], "-s", data[2])
    few = [word for word in data if word not in ("-r", data[4])]
    assert "needs references" in fails("meta", *few, "-m", "bleu")
    assert "nowhere.tsv" in fails("meta", "nowhere.tsv")
    flat = file("flat.tsv", "segment\tsystem\tjudge\toverall\n1\ta\tA\tgood\n")
    assert "flat.tsv:2" in fails("meta", flat, *data[1:])


def test_degenerate_ratings_are_explained(good, data, file):
    lines = data[0].read_text(encoding="utf-8").split("\n")
    flat = [
        lines[0],
        *("\t".join([*line.split("\t")[:3], "3", "3", "3"]) for line in lines[1:] if line),
    ]
    path = file("flat.tsv", "\n".join(flat) + "\n")
    text = good(
        "meta",
        path,
        *data[1:],
        *FAST,
        "--criterion",
        "overall",
        "--view",
        "pooled,by-source,by-system,system",
    )
    assert "segments, pooled, Pearson: BLEU has no value: all ratings are equal." in text
    assert "BLEU has no value: no source has different ratings." in text
    assert "BLEU has no value: no system has different ratings." in text
    assert "systems, Pearson: BLEU has no value: all ratings are equal." in text
    assert "nan" not in text


@pytest.fixture
def on_a_terminal(monkeypatch):
    """What steps write when standard error is a terminal."""
    pty = pytest.importorskip("pty")

    def output(*words: str) -> str:
        reader, writer = pty.openpty()
        with os.fdopen(writer, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            with Steps(len(words)) as step:
                for word in words:
                    step(word)
            stream.write("end")
            stream.flush()
            data = b""
            while not data.endswith(b"end"):  # a terminal hands over what it has by now
                data += os.read(reader, 100_000)
        os.close(reader)
        return data.decode("utf-8").removesuffix("end")

    return output


def test_progress_on_a_terminal(on_a_terminal, monkeypatch):
    seconds = itertools.count()
    monkeypatch.setattr("paragauge.cli.progress.time.monotonic", lambda: float(next(seconds)))
    output = on_a_terminal("one", "two", "three", "four")
    assert f"\r{'█' * 10}{'░' * 10} 2/4 three \x1b[K" in output
    assert output.endswith("\r\x1b[K")


def test_short_work_shows_nothing(on_a_terminal, monkeypatch):
    monkeypatch.setattr("paragauge.cli.progress.time.monotonic", lambda: 0.0)
    assert on_a_terminal("one") == ""


def test_no_progress_elsewhere(capsys):
    with Steps(2) as step:
        step("one")
    assert capsys.readouterr().err == ""


def test_the_same_in_a_process_of_its_own(run, data, good):
    arguments = ["meta", *data, *FAST, "--criterion", "overall", "-f", "json"]
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("utf-8") == good(*arguments)


def test_lower_is_better_for_scores_from_elsewhere(good, fails, file):
    rows = [f"{i}\ts\t{i}\n" for i in range(1, 6)]
    ratings = file("r.tsv", "segment\tsystem\toverall\n" + "".join(rows))
    scores = file("s.tsv", "segment\tsystem\tloss\n" + "".join(f"{i}\ts\t{-i}\n" for i in range(1, 6)))
    command = ["meta", ratings, "--scores", scores, "--bootstrap", 0, "--view", "pooled"]
    assert "loss     -1.000" in good(*command)
    turned = good(*command, "--lower", "loss")
    assert "loss      1.000" in turned
    assert "Signs reversed, because lower is better: loss." in turned
    assert "unknown metric of --scores 'los'" in fails(*command, "--lower", "los")


EXAMPLES = ("copy", "edits", "rewrites", "free", "scrambled")


@pytest.fixture
def example(examples):
    systems = [word for name in EXAMPLES for word in ("-c", examples / f"{name}.txt")]
    texts = ["-s", examples / "sources.txt", "-r", examples / "references.tsv"]
    return ["meta", examples / "ratings.tsv", *texts, *systems, "--bootstrap", 50, "--draws", 50]


def test_statistics_and_views_that_go_together(good, example):
    text = good(*example, "--criterion", "overall", "--statistic", "pearson,soft-accuracy,accuracy")
    assert "soft accuracy" in text
    assert "differences are tested by the bootstrap" in text
    both = ["--statistic", "kendall-wmt14,pearson", "--view", "system", "--view", "by-source"]
    assert good(*example, "--criterion", "overall", *both).count("Kendall (WMT14)") >= 1


def test_the_matrix_as_a_plot(good, fails, example, tmp_path):
    path = tmp_path / "matrix.svg"
    good(*example, "-m", "bleu,pinc,ibleu", "--criterion", "overall", "--plot", path, "--matrix")
    assert "<svg" in path.read_text()
    assert "at least three metrics" in fails(*example, "--criterion", "overall", "--plot", path)


def test_candidates_of_other_systems_are_counted(call, example):
    at = example.index("--bootstrap")
    done = call(*example[: at - 2], "--bootstrap", 0, "--view", "pooled", "--allow-missing")
    assert b"480 candidates of 4 systems; left out: 120 with no text." in done.out
    assert done.err == (
        b"paragauge: left out: 1 system of the ratings is not in the files: scrambled\n"
    )


def test_normalized_ratings_and_controls(example, examples, call):
    plain = call(*example, "--criterion", "overall", "-f", "json").out
    changed = call(*example, "--criterion", "overall", "-f", "json", "--z-normalize").out
    assert plain != changed
    controls = ["--positive", "rewrites", "--negative", "free", "--allow-missing"]
    checked = call(*example, "--criterion", "overall", *controls)
    assert b"judges left out for failing controls: none" in checked.err
    assert b"of 3 systems" in checked.out


def test_a_criterion_without_ratings_does_not_end_the_run(call, file):
    rows = "".join(f"{i}\ts\t{i}\t{i % 3}\t\n" for i in range(1, 6))
    ratings = file("r.tsv", "segment\tsystem\toverall\tfluency\tempty\n" + rows)
    done = call("meta", ratings, "--predictor", "fluency", "--view", "pooled", "--bootstrap", 0)
    assert b"criterion 'empty' has no ratings and is left out" in done.err
    assert b"Correlation with overall" in done.out
