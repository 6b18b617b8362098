"""`paragauge tagger`: run, train and test."""

from __future__ import annotations

import json

import pytest

from paragauge.syntax.perceptron import PerceptronTagger

TREEBANK = "".join(
    f"1\t{the}\t_\t_\tDT\t_\t_\t_\t_\t_\n2\tdog\t_\t_\tNN\t_\t_\t_\t_\t_\n"
    "3\tbarks\t_\t_\tVBZ\t_\t_\t_\t_\t_\n\n"
    for the in ("the", "a", "the", "a", "the", "a")
)
TREES = "x\t(S (NP (DT a) (NN cat)) (VP (VBZ sees) (NP (DT the) (NN dog))))\n" * 4


@pytest.fixture
def trained(good, file, tmp_path):
    target = tmp_path / "m.bin"
    treebank, trees = file("a.conllu", TREEBANK), file("b.trees.tsv", TREES)
    out = good("tagger", "train", treebank, trees, "-o", target, "--seed", 3, "--epochs", 4)
    name = PerceptronTagger.load(target).name
    assert out == f"{name}: 3 tags, from 38 words in 10 sentences, seed 3\n"
    return target


def test_help(good):
    text = good("tagger")
    assert text == good("tagger", "--help")
    assert all(f"\n  {name} " in text for name in ("run", "train", "test"))


def test_run(good):
    assert good("tagger", "run", stdin=b"She left.\n\nWhy?\n") == (
        "She_PRP left_VBD ._.\n\nWhy_WRB ?_.\n"
    )
    assert good("tagger", "run", "-t", "none", stdin=b" She  left .\n") == "She_PRP left_VBD ._.\n"


def test_conllu_keeps_the_number_of_the_line(good):
    text = good("tagger", "run", "-f", "conllu", stdin=b"She left\n\nWhy\n")
    assert text == (
        "# sent_id = 1\n# text = She left\n1\tShe\t_\t_\tPRP\t_\t_\t_\t_\t_\n"
        "2\tleft\t_\t_\tVBD\t_\t_\t_\t_\t_\n\n"
        "# sent_id = 3\n# text = Why\n1\tWhy\t_\t_\tWRB\t_\t_\t_\t_\t_\n\n"
    )


def test_own_model(good, trained):
    assert good("tagger", "run", "--model", trained, stdin=b"the cat barks\n") == (
        "the_DT cat_NN barks_VBZ\n"
    )


def test_same_seed_same_model(good, file, tmp_path, trained):
    again = tmp_path / "n.bin"
    files = (tmp_path / "a.conllu", tmp_path / "b.trees.tsv")
    good("tagger", "train", *files, "-o", again, "--seed", 3, "--epochs", 4)
    assert again.read_bytes() == trained.read_bytes()
    good("tagger", "train", *files, "-o", again, "--seed", 4, "--epochs", 4)
    assert again.read_bytes() != trained.read_bytes()


def test_test(good, file, trained):
    held = file("c.conllu", TREEBANK.replace("dog", "bird", 1).replace("NN", "JJ", 1))
    text = good("tagger", "test", held, "--model", trained)
    assert text.splitlines()[:4] == [
        "words    count  correct  accuracy",
        "all         18       17     94.44",
        "known       17       17    100.00",
        "unknown      1        0      0.00",
    ]
    assert "Most frequent confusions: JJ as NN 1." in text
    assert "words/s" not in text
    assert " words/s on one thread.\n" in good("tagger", "test", held, "--model", trained, "--time")
    record = json.loads(good("tagger", "test", held, "--model", trained, "-f", "json"))
    assert record["unknown"] == {"words": 1, "correct": 0, "accuracy": 0}
    assert record["confusions"] == [{"right": "JJ", "given": "NN", "times": 1}]
    rows = good("tagger", "test", held, "--model", trained, "-f", "tsv").splitlines()
    assert rows[1].split("\t") == ["all", "18", "17", repr(17 / 18)]
    assert "confusions" not in good(
        "tagger", "test", held, "--model", trained, "--confusions", 0, "-f", "markdown"
    )


def test_errors(fails, file, tmp_path):
    treebank = file("a.conllu", TREEBANK)
    target = tmp_path / "m.bin"
    assert fails("tagger", "run", "-t", "pen") == (
        "unknown tokenizer 'pen'; did you mean 'penn'? known: penn, none"
    )
    assert fails("tagger", "run", "-f", "conll") == (
        "unknown format 'conll'; did you mean 'conllu'? known: words, conllu"
    )
    assert fails("tagger", "run", "--model", treebank).startswith(
        f"{treebank}: expected a tagger's model, found something else or a damaged one; make one"
    )
    assert fails("tagger", "run", tmp_path / "none").endswith("no such file; check the path")
    assert fails("tagger", "run", stdin=b"\xff\n").startswith("<stdin>:1: expected UTF-8 text")
    assert fails("tagger", "train", treebank, "-o", treebank) == (
        f"--output {treebank}: the file is an input too; choose another name"
    )
    assert fails("tagger", "train", file("a.txt", "x"), "-o", target).endswith(
        "found '.txt'; rename or convert it"
    )
    assert fails("tagger", "train", treebank, "-o", target, "--epochs", 0) == (
        "epochs: expected a whole number from 1 to 1,000, found 0"
    )
    bare = file("b.conllu", TREEBANK.replace("DT", "_"))
    assert fails("tagger", "train", bare, "-o", target) == (
        f"{bare}:1: expected Penn tags in column 5 (XPOS), found _ for 1 of 3 words of this sentence; "
        "tag the file first"
    )
    assert fails("tagger", "train", file("e.conllu", ""), "-o", target) == (
        "expected sentences with 1 to 63 tags, found 0"
    )
    assert fails("tagger", "train", treebank, "-o", tmp_path / "no" / "m.bin").startswith(
        f"{tmp_path / 'no' / 'm.bin'}: its folder"
    )
    assert fails("tagger", "test", file("f.conllu", "")) == (
        "expected tagged sentences to test on, found no words"
    )
    assert fails("tagger", "test", treebank, "-f", "xml").startswith("unknown format 'xml'; ")
    assert fails("tagger", "tset") != ""


def test_tagged_text_serves_as_analyses(run, tmp_path):
    """What the tagger writes of raw text is found by that text, and scores as the text does."""
    mine = "She said:  \"Don't go (yet)!\"\nIt's 5 p.m. — naïve 猫?\n"
    refs = 'She said: "Do not go."\nIt is five o\'clock.\n'
    (tmp_path / "mine.txt").write_text(mine, encoding="utf-8")
    (tmp_path / "refs.txt").write_text(refs, encoding="utf-8")
    for name in ("mine", "refs"):
        tagged = run("tagger", "run", f"{name}.txt", "-f", "conllu")
        assert tagged.returncode == 0, tagged.stderr
        (tmp_path / f"{name}.conllu").write_bytes(tagged.stdout)
    base = (
        "score",
        "-r",
        "refs.txt",
        "-c",
        "mine.txt",
        "-m",
        "maxsim",
        "--bootstrap",
        "0",
        "-f",
        "tsv",
    )
    plain = run(*base)
    analyzed = run(*base, "--analyzed", "mine.conllu", "--analyzed", "refs.conllu")
    assert analyzed.returncode == 0, analyzed.stderr
    values = [done.stdout.decode().splitlines()[1].split("\t")[2] for done in (plain, analyzed)]
    assert values[0] == values[1]
