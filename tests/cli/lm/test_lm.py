"""`paragauge lm`: train, score, convert and info."""

from __future__ import annotations

import gzip
import json
import math

import pytest

from paragauge.lm import LanguageModel

TEXT = "the cat sat\nthe cat ran\na dog ran\n\nthe Dog sat\n"


@pytest.fixture
def trained(good, file, tmp_path):
    # Adjusted counts of words: 5 have 1, sat and ran 2, </s> 3 (after sat, ran and <s>); so Y = 5/9,
    # D1 = 1 - 2 Y 2/5, D2 = 2 - 3 Y 1/2 and D3 = 3. Of bigrams 9 have 1, two 2, and <s> the 3. No
    # trigram stands 3 times.
    target = tmp_path / "m.bin"
    out = good("lm", "train", file("t.txt", TEXT), "-o", target, "-n", 3, "--discount-fallback")
    assert out == (
        "order  n-grams      D1      D2     D3+\n"
        "    1       10  0.5556  1.1667  3.0000\n"
        "    2       12  0.6923  0.9615  3.0000\n"
        "    3       11  0.5000  1.0000  1.5000\n\n"
        f"{target}: from 5 sentences with 12 words, 7 of them different. "
        "tok:none|case:mixed|stem:none\n"
    )
    return target


def test_help(good):
    text = good("lm")
    assert text == good("lm", "--help")
    assert all(f"\n  {name} " in text for name in ("train", "score", "convert", "info"))


def test_training_in_other_formats(good, file, tmp_path):
    common = ("lm", "train", file("t.txt", TEXT), "-n", 2, "--discount-fallback", "-f")
    report = json.loads(
        good(*common, "json", "-o", tmp_path / "a.arpa", "--case", "lower", "-t", "13a")
    )
    assert report["form"] == {"tokenize": "13a", "case": "lower", "stem": None}
    assert (report["sentences"], report["tokens"], report["words"]) == (5, 12, 6)
    assert [row["ngrams"] for row in report["orders"]] == [9, 12]
    assert report["orders"][0]["d1"] == pytest.approx(1 - 2 * (3 / 9) * (3 / 3))
    tsv = good(*common, "tsv", "-o", tmp_path / "b.bin").split("\n")
    assert tsv[0] == "order\tngrams\td1\td2\td3"
    assert [line.split("\t")[:2] for line in tsv[1:3]] == [["1", "10"], ["2", "12"]]
    for form in ("markdown", "latex"):
        assert "n-grams" in good(*common, form, "-o", tmp_path / "c.bin")


def test_names_tell_the_format(good, file, tmp_path, trained):
    text = file("u.txt", TEXT)
    for name in ("m.arpa", "m.arpa.gz", "m.arpa.zst"):
        good("lm", "train", text, "-o", tmp_path / name, "-n", 3, "--discount-fallback")
        assert LanguageModel.load(tmp_path / name).name == LanguageModel.load(trained).name
    assert (tmp_path / "m.arpa").read_bytes() == gzip.decompress((tmp_path / "m.arpa.gz").read_bytes())


def test_standard_input_pruning_and_memory(good, tmp_path):
    target = tmp_path / "m.bin"
    text = TEXT.encode() * 3
    common = ("lm", "train", "-", "-o", target, "-n", 3, "--discount-fallback")
    good(*common, "--prune", "0,0,3", "--memory", "1M", "--folder", tmp_path, stdin=text)
    assert LanguageModel.load(target).counts == (10, 12, 1)
    good(*common, "--entropy-prune", "0.9", "--bits", 8, stdin=text)
    assert LanguageModel.load(target).counts == (10, 0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["m.bin"]


def test_scores(good, file, tmp_path, trained):
    first, second = file("a.txt", "the cat sat\n\n"), file("b.txt", "zzz\n")
    rows = tmp_path / "rows.tsv"
    text = good("lm", "score", trained, first, second, "--segments", rows, "--base", "10")
    lines = text.split("\n")
    assert lines[0].split()[:4] == ["file", "sentences", "words", "unknown"]
    assert lines[1].split()[1:4] == ["2", "3", "0"]
    assert lines[2].split()[1:4] == ["1", "1", "1"]
    model = LanguageModel.load(trained)
    assert lines[4] == f"{model.name}. tok:none|case:mixed|stem:none"
    header, *table = (line.split("\t") for line in rows.read_text().splitlines())
    assert header == ["file", "segment", "log10", "tokens", "unknown", "normalized"]
    assert [row[:2] for row in table] == [[str(first), "1"], [str(first), "2"], [str(second), "1"]]
    scores = model.score(["the cat sat", "", "zzz"])
    assert [float(row[2]) for row in table] == scores.log10.tolist()
    assert [float(row[5]) for row in table] == (scores.log10 / (scores.tokens + 1)).tolist()
    good("lm", "score", trained, first, "--segments", rows, "--no-end")
    table = [line.split("\t") for line in rows.read_text().splitlines()]
    assert float(table[1][5]) == pytest.approx(scores.log10[0] * math.log(10) / 3)
    assert table[2][5] == ""


def test_scores_of_standard_input_in_other_formats(good, trained):
    report = json.loads(good("lm", "score", trained, "-f", "json", stdin=b"the cat zzz\n"))
    model = LanguageModel.load(trained)
    scores = model.score(["the cat zzz"])
    assert report["model"] == model.name
    assert report["files"] == [
        {
            "file": "<stdin>",
            "sentences": 1,
            "tokens": 3,
            "unknown": 1,
            "log10": scores.log10[0],
            "perplexity": scores.perplexity(),
            "known_perplexity": scores.perplexity(unknown=False),
        }
    ]
    empty = json.loads(good("lm", "score", trained, "-f", "json"))
    assert empty["files"][0]["perplexity"] is None
    assert "nan" in good("lm", "score", trained)
    tsv = good("lm", "score", trained, "-f", "tsv", stdin=b"a\n")
    assert tsv.startswith(
        "file\tsentences\ttokens\tunknown\tlog10\tperplexity\tknown_perplexity\n<stdin>\t1\t1\t0\t"
    )


def test_the_form_of_the_model_is_applied(good, fails, file, tmp_path):
    target = tmp_path / "m.bin"
    form = ("-t", "13a", "--case", "lower", "--stem", "porter")
    good("lm", "train", file("t.txt", "Dogs bark.\n"), "-o", target, *form, "--discount-fallback")
    text = file("u.txt", "DOG, barking.\n")
    assert json.loads(good("lm", "score", target, text, "-f", "json"))["files"][0]["unknown"] == 1
    assert good("lm", "score", target, text, *form) == good("lm", "score", target, text)
    message = fails("lm", "score", target, text, "-t", "intl")
    assert "trained on text of the form tok:13a|case:lower|stem:porter, not tok:intl" in message
    tokenized = good("lm", "score", target, file("v.txt", "dog bark .\n"), "--tokenized", "-f", "json")
    assert json.loads(tokenized)["files"][0]["unknown"] == 0


def test_convert_and_info(good, tmp_path, trained):
    arpa, small, pruned = (tmp_path / name for name in ("m.arpa.gz", "s.bin", "p.bin"))
    assert good("lm", "convert", trained, arpa) == ""
    good("lm", "convert", arpa, small, "--bits", 4)
    good("lm", "convert", arpa, pruned, "--entropy-prune", 0.9)
    assert LanguageModel.load(pruned).counts == (10, 0, 0)
    assert LanguageModel.load(arpa).name == LanguageModel.load(trained).name
    report = json.loads(good("lm", "info", small, "-f", "json"))
    assert report["ngrams"] == [10, 12, 11]
    assert report["words"] == 7
    assert report["bytes"] == small.stat().st_size
    assert report["form"] == {"tokenize": "none", "case": "mixed", "stem": None}
    assert "3-grams  11\n" in good("lm", "info", small)
    assert "3-grams\t11\n" in good("lm", "info", small, "-f", "tsv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "{t}", "-o", "{t}"), "t.txt: the file is an input too; choose another name"),
        (("train", "{t}", "-o", "{d}/m.bin"), "cannot estimate the discounts of 1-grams"),
        (("train", "{d}/no.txt", "-o", "{d}/m.bin"), "no.txt: no such file; check the path"),
        (("train", "{t}", "-o", "{d}/no/m.bin"), "does not exist; make it first"),
        (("train", "{t}", "-o", "{d}"), "expected a file, found a directory; name a file in it"),
        (("train", "{t}", "-o", "{d}/m.bin.gz"), "binary models are not compressed further"),
        (
            ("train", "{t}", "-o", "{d}/m.bin", "--prune", "0,x"),
            "--prune: expected counts such as 0,0,1",
        ),
        (("train", "{t}", "-o", "{d}/m.bin", "--prune", "1"), "unigrams are not pruned; begin with 0"),
        (("train", "{t}", "-o", "{d}/m.bin", "--memory", "1K"), "--memory: expected at least 1M"),
        (("train", "{t}", "-o", "{d}/m.bin", "--memory", "x"), "--memory: expected at least 1M"),
        (("train", "{t}", "-o", "{d}/m.bin", "--folder", "{d}/no"), "no such folder; make it first"),
        (
            ("train", "{t}", "-o", "{d}/m.bin", "--bits", "9"),
            "bits: expected a whole number from 4 to 8",
        ),
        (("train", "{t}", "-o", "{d}/m.arpa", "--bits", "8"), "ARPA files are not quantized"),
        (
            ("train", "{t}", "-o", "{d}/m.bin", "-t", "13b"),
            "unknown tokenizer '13b'; did you mean '13a'?",
        ),
        (("train", "{t}", "-o", "{d}/m.bin", "--stem", "portr"), "unknown stemmer 'portr'"),
        (
            ("train", "{t}", "-o", "{d}/m.bin", "--entropy-prune", "2"),
            "--entropy-prune: expected a share",
        ),
        (("train", "{s}", "-o", "{d}/m.bin"), "s.txt:2: expected words, found </s>"),
        (("train", "{b}", "-o", "{d}/m.bin"), "b.txt:2: expected UTF-8 text"),
        (("train", "{t}", "-o", "{d}/m.bin", "-f", "xml"), "unknown format 'xml'"),
        (("score", "{t}"), "t.txt:1: expected \\data\\, found 'the cat sat'"),
        (("score", "{d}/no.bin"), "no.bin: no such file"),
        (("score", "{n}"), "n.bin: expected a language model"),
        (("score", "-"), "standard input (-) can serve one input only"),
        (("score", "{m}", "{t}", "{t}"), "a file is given twice; give each file once"),
        (("score", "{m}", "{t}", "--segments", "{t}"), "expected a name that ends in .tsv"),
        (("score", "{m}", "{t}", "--segments", "{d}/x.jsonl"), "expected a name that ends in .tsv"),
        (("score", "{m}", "{d}/y.tsv", "--segments", "{d}/y.tsv"), "the file is an input too"),
        (("score", "{m}", "{t}", "--base", "3"), "unknown base of logarithms '3'"),
        (("score", "{m}", "{b}", "--segments", "{d}/x.tsv"), "b.txt:2: expected UTF-8 text"),
        (("convert", "{m}", "{m}"), "the file is the input too; choose another name"),
        (("convert", "{m}", "{d}/x.arpa", "--bits", "8"), "ARPA files are not quantized"),
        (("convert", "{m}", "{d}/x.bin", "--case", "lower"), "trained on text of the form"),
        (("info", "{n}"), "n.bin: expected a language model"),
    ],
)
def test_errors(fails, file, tmp_path, trained, arguments, message):
    places = {
        "t": file("t.txt", "the cat sat\n"),
        "s": file("s.txt", "a\nb </s> c\n"),
        "b": file("b.txt", b"a\n\xff\n"),
        "n": file("n.bin", b"\0" * 50),
        "m": trained,
        "d": tmp_path,
    }
    assert message in fails("lm", *(argument.format(**places) for argument in arguments))
