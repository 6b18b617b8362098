"""`paragauge score`: the same scores from every kind of input, and files beside them."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge import BLEU, PINC
from paragauge.report.tables.score_tables import FORMATS
from paragauge.text.csv_rows import csv_line

NAMES = ["copy", "edits", "rewrites", "free", "scrambled"]


@pytest.fixture
def texts(examples):
    def lines(name):
        return (examples / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")

    by_name = {name: lines(f"{name}.txt") for name in [*NAMES, "sources"]}
    return by_name | {"references": [line.split("\t") for line in lines("references.tsv")]}


@pytest.fixture
def inputs(examples):
    return ["-s", examples / "sources.txt", "-r", examples / "references.tsv"]


@pytest.fixture
def everything(examples, inputs):
    return inputs + [part for name in NAMES for part in ("-c", examples / f"{name}.txt")]


def test_the_library_says_the_same(good, everything, texts):
    content = json.loads(good("score", *everything, "-f", "json", "--bootstrap", 200))
    assert [(s["system"], s["metric"]) for s in content["scores"]] == [
        (name, metric) for name in NAMES for metric in ("bleu", "pinc")
    ]
    for record in content["scores"]:
        metric = BLEU() if record["metric"] == "bleu" else PINC()
        what = "references" if record["metric"] == "bleu" else "sources"
        expected = metric.score(texts[record["system"]], **{what: texts[what]}, bootstrap=200)
        assert record["value"] == expected.value
        assert (record["low"], record["high"]) == (expected.low, expected.high)
        assert record["signature"] == expected.signature
    assert content["segments"] == 120
    assert content["empty"] == {}


def test_a_copy_is_not_new(good, examples):
    text = good("score", "-s", examples / "sources.txt", "-c", examples / "copy.txt", "--bootstrap", 0)
    assert text == f"system  PINC\ncopy    0.00\n\n120 segments.\n{PINC().signature}\n"


@pytest.mark.parametrize("form", FORMATS)
def test_formats(good, everything, form):
    assert good("score", *everything, "-f", form, "--bootstrap", 10).endswith("\n")


@pytest.mark.parametrize("metric", ["ibleu", "bleu-pinc:mean=harmonic", "targetf1", "chrf", "ter"])
def test_other_metrics(good, inputs, examples, metric):
    command = ["score", *inputs, "-c", examples / "edits.txt", "-m", metric, "--bootstrap", 5]
    (record,) = json.loads(good(*command, "-f", "json"))["scores"]
    assert record["metric"] == metric
    assert record["low"] <= record["value"] <= record["high"]


def test_metrics_may_repeat(good, inputs, examples):
    command = ["score", *inputs, "-c", examples / "edits.txt", "-m", "pinc,pinc:order=2", "-m", "bleu"]
    records = json.loads(good(*command, "-f", "json", "--bootstrap", 0))["scores"]
    assert [record["metric"] for record in records] == ["pinc", "pinc:order=2", "bleu"]


def test_tokenizer_and_case_apply_to_all(good, inputs, examples):
    command = ["score", *inputs, "-c", examples / "edits.txt", "--tokenize", "char", "--case", "lower"]
    records = json.loads(good(*command, "-f", "json", "--bootstrap", 0))["scores"]
    assert all("|tok:char|case:lower|" in record["signature"] for record in records)


def test_names(good, inputs, examples, file):
    copy = examples / "copy.txt"
    command = ["score", *inputs, "-c", f"mine={copy}", "-c", f"日本={copy}", "-c", f"a=b={copy}"]
    # A file whose name has an equals sign is a file.
    odd = file("x=y.txt", copy.read_bytes())
    records = json.loads(good(*command[:-1], f"eq={copy}", "-c", odd, "-f", "json", "-m", "pinc"))[
        "scores"
    ]
    assert [record["system"] for record in records] == ["mine", "日本", "eq", "x=y"]


def test_plain_gzip_and_zstd(good, examples, file):
    sources, free = ((examples / name).read_bytes() for name in ("sources.txt", "free.txt"))
    expected = good("score", "-s", examples / "sources.txt", "-c", examples / "free.txt", "-f", "json")
    pack = {"gz": gzip.compress, "zst": lambda data: pa.compress(data, "zstd", asbytes=True)}
    for name, compress in pack.items():
        s, c = file(f"sources.{name}", compress(sources)), file(f"free.{name}", compress(free))
        assert good("score", "-s", s, "-c", c, "-f", "json") == expected
    windows = file("windows.txt", b"\xef\xbb\xbf" + sources.replace(b"\n", b"\r\n"))
    assert good("score", "-s", windows, "-c", examples / "free.txt", "-f", "json") == expected


@pytest.mark.parametrize("which", ["-s", "-c"])
def test_standard_input(good, examples, which):
    paths = {"-s": examples / "sources.txt", "-c": examples / "free.txt"}
    expected = json.loads(good("score", "-s", paths["-s"], "-c", paths["-c"], "-f", "json"))
    data = paths[which].read_bytes()
    paths[which] = "-"
    content = json.loads(good("score", "-s", paths["-s"], "-c", paths["-c"], "-f", "json", stdin=data))
    if which == "-c":
        assert content["scores"][0]["system"] == "stdin"
        content["scores"][0]["system"] = "free"
    assert content == expected


def test_tables_say_the_same(good, texts, file, tmp_path):
    rows = [
        {"source": s, "one": a, "two": b, "ref1": refs[0], "ref2": refs[1]}
        for s, a, b, refs in zip(
            texts["sources"], texts["edits"], texts["free"], texts["references"], strict=True
        )
    ]
    for name in rows[0]:
        file(f"{name}.txt", "".join(row[name] + "\n" for row in rows))
    plain = [part for name in ("one", "two") for part in ("-c", tmp_path / f"{name}.txt")]
    plain += ["-s", tmp_path / "source.txt", "-r", tmp_path / "ref1.txt", "-r", tmp_path / "ref2.txt"]
    expected = good("score", *plain, "-f", "json")
    assert "|refs:2|" in expected

    columns = ["-c", "one", "-c", "two", "-s", "source", "-r", "ref1", "-r", "ref2", "-f", "json"]
    tsv = file(
        "t.tsv", "".join("\t".join(row) + "\n" for row in [rows[0], *(r.values() for r in rows)])
    )
    jsonl = file("t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    csv = file("t.csv", "".join(csv_line([*cells]) for cells in (rows[0], *(r.values() for r in rows))))
    packed = file("t.csv.gz", gzip.compress(csv.read_bytes()))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet")
    for table in (tsv, csv, packed, jsonl, tmp_path / "t.parquet"):
        assert good("score", "--table", table, *columns) == expected
    for table in (tsv, csv):
        piped = ["--table", "-", "--table-format", table.suffix[1:]]
        assert good("score", *piped, *columns, stdin=table.read_bytes()) == expected

    lists = [{**row, "refs": [row["ref1"], row["ref2"]]} for row in rows]
    jsonl = file("l.jsonl.gz", gzip.compress("".join(json.dumps(row) + "\n" for row in lists).encode()))
    pq.write_table(pa.Table.from_pylist(lists), tmp_path / "l.parquet")
    columns = ["-c", "one", "-c", "two", "-s", "source", "-r", "refs", "-f", "json"]
    for table in (jsonl, tmp_path / "l.parquet"):
        assert good("score", "--table", table, *columns) == expected


def test_empty_cells_of_csv(good, file):
    """In one of two columns an empty cell is no reference; in the only one it is an empty reference."""
    table = file("t.csv", 'out,r1,r2\n"a, b","a, b",\n"c\nd",x,"c\nd"\n')
    command = ["score", "--table", table, "-c", "out", "-m", "bleu:order=1", "-f", "json"]
    content = json.loads(good(*command, "-r", "r1", "-r", "r2"))
    (record,) = content["scores"]
    assert (record["value"], content["empty"]) == (pytest.approx(100), {})
    assert "|refs:1-2|" in record["signature"]
    assert json.loads(good(*command, "-r", "r2"))["empty"] == {"<references>": 1}


def test_columns_may_be_named(good, file):
    table = file("t.tsv", "src\tout\na b\ta c\n")
    (record,) = json.loads(
        good("score", "--table", table, "-s", "src", "-c", "mine=out", "-f", "json")
    )["scores"]
    assert (record["system"], record["value"]) == ("mine", 75.0)  # (1/2 + 1) / 2


def test_empty_lines_are_counted(good, file):
    sources, candidates = file("s.txt", "a\n\nb\n \n"), file("c.txt", "\n\n\nx\n")
    command = ["score", "-s", sources, "-r", sources, "-c", candidates]
    content = json.loads(good(*command, "-f", "json"))
    assert content["empty"] == {"c": 3, "<sources>": 2, "<references>": 2}
    assert "\nEmpty lines (scored as empty): c 3, <sources> 2, <references> 2.\n" in good(*command)


def test_segments(good, inputs, examples, texts, tmp_path):
    command = ["score", *inputs, "-c", examples / "edits.txt", "-c", examples / "free.txt"]
    for kind in ("tsv", "csv", "jsonl", "parquet"):
        good(*command, "--segments", tmp_path / f"s.{kind}", "--bootstrap", 0)
    header, *rows = (tmp_path / "s.tsv").read_text().removesuffix("\n").split("\n")
    assert header == "segment\tsystem\tbleu\tpinc"
    tsv = []
    for row in rows:
        number, system, bleu, pinc = row.split("\t")
        tsv.append({"segment": int(number), "system": system, "bleu": float(bleu), "pinc": float(pinc)})
    assert tsv == [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert tsv == pq.read_table(tmp_path / "s.parquet").to_pylist()
    text = (tmp_path / "s.csv").read_text()
    assert text.replace(",", "\t") == (tmp_path / "s.tsv").read_text()
    for system in ("edits", "free"):
        mine = [row for row in tsv if row["system"] == system]
        assert [row["segment"] for row in mine] == list(range(1, 121))
        bleu = BLEU().segments(texts[system], references=texts["references"])
        assert [row["bleu"] for row in mine] == bleu.tolist()
        assert [row["pinc"] for row in mine] == PINC().segments(
            texts[system], sources=texts["sources"]
        ).tolist()
    names = ["s.csv", "s.jsonl", "s.parquet", "s.tsv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_html(good, everything, tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    text = good("score", *everything, "--html", path, "--bootstrap", 10)
    assert text == good("score", *everything, "--bootstrap", 10)
    html = path.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "120 segments" in html
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_threads_do_not_matter(good, everything, tmp_path):
    command = ["score", *everything, "-m", "bleu,pinc,ibleu,targetf1", "-f", "json"]
    one, two, five = (
        good(*command, "--threads", n, "--segments", tmp_path / f"{n}.tsv") for n in (1, 2, 5)
    )
    assert one == two == five
    assert len({(tmp_path / f"{n}.tsv").read_bytes() for n in (1, 2, 5)}) == 1


def test_the_seed_changes_intervals_only(good, everything):
    command = ["score", *everything, "-f", "json", "--bootstrap", 100]
    seven, eight = (json.loads(good(*command, "--seed", seed)) for seed in (7, 8))
    assert seven["interval"].pop("seed") == 7
    assert eight["interval"].pop("seed") == 8
    bounds = [[(s.pop("low"), s.pop("high")) for s in content["scores"]] for content in (seven, eight)]
    assert bounds[0] != bounds[1]
    assert seven == eight
    assert good(*command) == good(*command, "--seed", 7)


def test_a_resample_without_segments_has_no_score(good, file):
    # With one segment, every third Poisson resample is empty; BLEU of nothing is not 0.
    one = file("one.txt", "a b c d e\n")
    command = ["score", "-s", one, "-r", one, "-c", one, "-m", "bleu,ibleu,chrf,pinc", "-f", "json"]
    for record in json.loads(good(*command))["scores"]:
        assert (record["low"], record["high"]) == (record["value"], record["value"]), record["metric"]


def test_unicode_survives(good, file):
    text = "“Čeština” — 日本語\u2028🙂 naïve\n"
    same = file("same.txt", text)
    (record,) = json.loads(good("score", "-s", same, "-c", same, "-f", "json"))["scores"]
    assert record["value"] == 0.0
    assert record["segments"] == 1


# --- metrics that analyze text -------------------------------------------------------------------


def sentences(tmp_path, **files):
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_maxsim_and_meteor(run, tmp_path):
    sentences(
        tmp_path,
        mine=["A big dog barked.", "It rained."],
        refs=["The large dogs barked.", "It poured."],
    )
    done = run(
        "score", "-r", "refs.txt", "-c", "mine.txt", "-m", "maxsim,maxsim-soft,meteor", "-f", "json"
    )
    assert done.returncode == 0, done.stderr
    scores = {score["metric"]: score["value"] for score in json.loads(done.stdout)["scores"]}
    assert set(scores) == {"maxsim", "maxsim-soft", "meteor"}
    assert all(20 < value < 100 for value in scores.values())
    assert b"tagger:perceptron-" in done.stdout


def test_maxsim_with_dependencies(run, tmp_path, english_pipeline):
    if not english_pipeline:
        pytest.skip("no English spaCy pipeline is installed")
    sentences(tmp_path, mine=["A dog chased a cat."], refs=["The dog chased the cat."])
    done = run("score", "-r", "refs.txt", "-c", "mine.txt", "-m", "maxsim+dep", "--bootstrap", "0")
    assert done.returncode == 0, done.stderr
    assert b"MAXSIM+dep" in done.stdout
    assert b"|parser:spacy" in done.stdout


CONLLU = (
    "# text = Dogs bark\n1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
    "# text = A dog barks\n1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n"
    "2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
)


def test_analyzed_files(run, tmp_path):
    sentences(tmp_path, mine=["Dogs bark"], refs=["A dog barks"])
    (tmp_path / "all.conllu").write_text(CONLLU)
    done = run(
        "score", "-r", "refs.txt", "-c", "mine.txt", "-m", "maxsim,maxsim+dep",
        "--analyzed", "all.conllu", "--bootstrap", "0", "-f", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    parts = {
        score["metric"].split(":")[0]: score["parts"] for score in json.loads(done.stdout)["scores"]
    }
    assert parts["maxsim"]["F1"] == pytest.approx(100 * 2 / (0.9 * 3 + 0.1 * 2))
    # dog <- bark on both sides.
    assert parts["maxsim+dep"]["relations"] == 100.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--wordnet", "nowhere"), "nowhere: no such file"),
        (("--wordnet", "."), "no WordNet there: expected index.noun"),
        (("--tagger", "mxpost"), "unknown tagger 'mxpost'; known: paragauge, spacy, conllu"),
        (("--parser", "mst"), "unknown parser 'mst'"),
        (("--analyzed", "none.conllu"), "none.conllu: no such file"),
        (("--analyzed", "a+b.conllu"), "expected a name without +"),
        (("--analyzed", "broken.conllu"), "broken.conllu:2: expected 10"),
        (("--analyzed", "other.conllu"), "other.conllu:1: "),
        (("--analyzed", "all.conllu"), "found none of 'Cats sleep'"),
        (("--language", "fr"), "give CoNLL-U files with tags and lemmas"),
    ],
)
def test_errors_of_tools(run, tmp_path, options, message):
    sentences(tmp_path, mine=["Cats sleep"], refs=["A dog barks"])
    (tmp_path / "all.conllu").write_text(CONLLU)
    (tmp_path / "broken.conllu").write_text("# text = Cats sleep\n1\tCats\tcat\n\n")
    (tmp_path / "other.conllu").write_text(CONLLU.replace("# text = Dogs bark", "# text = Dogs meow"))
    done = run(
        "score", "-r", "refs.txt", "-c", "mine.txt", "-m", "maxsim", *options, "--segments", "out.tsv"
    )
    assert done.returncode == 2
    error = done.stderr.decode()
    assert message in error
    assert error.count("\n") == 1
    assert done.stdout == b""
    assert not (tmp_path / "out.tsv").exists()


def test_the_parser_that_is_not_installed(fresh, tmp_path):
    sentences(tmp_path, mine=["Cats sleep"], refs=["A dog barks"])
    (tmp_path / "spacy.py").write_text("raise ModuleNotFoundError(name='spacy')")
    done = fresh("score", "-r", "refs.txt", "-c", "mine.txt", "-m", "maxsim+dep")
    assert done.returncode == 2
    assert b"spaCy is not installed; run: pip install 'paragauge[syntax]'" in done.stderr


def test_several_candidates_a_line(good, tmp_path):
    """Files, columns of a table and cells with lists give the same; other metrics score the first."""
    rows = [("it rains", ["it is raining", "there is rain"]), ("he left", ["he went away"])]
    sources, beams, columns, cells = (
        tmp_path / name for name in ("s.txt", "beams.tsv", "columns.tsv", "cells.jsonl")
    )
    sources.write_text("".join(f"{source}\n" for source, _ in rows), encoding="utf-8")
    beams.write_text("".join("\t".join(texts) + "\n" for _, texts in rows), encoding="utf-8")
    cells.write_text(
        "".join(json.dumps({"s": source, "out": texts}) + "\n" for source, texts in rows),
        encoding="utf-8",
    )
    columns.write_text(
        "s\ta\tb\nit rains\tit is raining\tthere is rain\nhe left\the went away\the went away\n",
        encoding="utf-8",
    )
    more = ("-m", "pinc,pinc:pick=best,distinct", "-f", "json", "--bootstrap", "0")
    table = ("score", "--table")
    first = json.loads(good("score", "-s", sources, "-c", beams, *more))
    second = json.loads(good(*table, cells, "-s", "s", "-c", "beams=out", *more))
    assert first["scores"] == second["scores"]
    assert first["candidates"] == {"beams": [1, 2]}
    third = json.loads(good(*table, columns, "-s", "s", "-c", "x=a", "-c", "x=b", *more))
    assert third["candidates"] == {"x": [2, 2]}
    assert [one["value"] for one in third["scores"]][:2] == [one["value"] for one in first["scores"]][
        :2
    ]
    text = good("score", "-s", sources, "-c", beams, "--pick", "mean")
    assert "Candidates a segment: beams 1-2. Metrics without pick score the first." in text
    assert "PINC|pick:mean|cands:1-2|" in text
