"""`paragauge grammar extract` from the shell: what it makes, what it refuses."""

from __future__ import annotations

import json

import pytest

from paragauge.grammar.grammar_folder import Grammar

PAIRS = "the house\tthis house\nthe book\tthe volume\n"
LINKS = "0-0 1-1\n0-0 1-1\n"
TREES = "(NP (DT the) (NN house))\n(NP (DT the) (NN book))\n"


@pytest.fixture
def files(file):
    return [file("pairs.tsv", PAIRS), "-a", file("links.txt", LINKS)]


def rules(folder, source):
    return [str(row.rule) for row in Grammar.open(folder).query(source)]


def test_with_trees(call, file, files, tmp_path):
    output = tmp_path / "g"
    outcome = call("grammar", "extract", *files, "--trees", file("t", TREES), "-o", output)
    assert (outcome.code, outcome.out) == (0, b"")
    assert outcome.err.decode() == (
        f"{output}: 10 rules (4 lexical, 2 phrasal, 4 syntactic) from 2 sentence pairs\n"
    )
    assert rules(output, "the [1]") == [
        "[NP] ||| the [NN,1] ||| the [NN,1]",
        "[NP] ||| the [NN,1] ||| this [NN,1]",
    ]


def test_hiero(call, files, tmp_path):
    output = tmp_path / "g"
    assert call("grammar", "extract", *files, "--settings", "hiero", "-o", output).code == 0
    assert rules(output, "[1] house") == ["[X] ||| [X,1] house ||| [X,1] house"]


def test_two_files_and_the_tree_of_the_target(call, file, tmp_path):
    sides = [file("a", "the house\n"), file("b", "this house\n")]
    trees = file("t", "( (NP-SBJ (DT this) (NN house)))\n")
    arguments = [
        *sides,
        "-a",
        file("l", "0-0 1-1\n"),
        "--trees",
        trees,
        "--parsed",
        "target",
        "--strip",
    ]
    output = tmp_path / "g"
    assert call("grammar", "extract", *arguments, "--unary", "top", "-o", output).code == 0
    assert rules(output, "the house") == ["[ROOT] ||| the house ||| this house"]


def test_limits_and_features(call, file, files, tmp_path):
    output = tmp_path / "g"
    arguments = [*files, "--labels", "hiero", "--set", "nonterminals=0", "--set", "identity=no"]
    arguments += ["--features", "p_target,identity", "--set", "max_span=none"]
    assert call("grammar", "extract", *arguments, "-o", output).code == 0
    grammar = Grammar.open(output)
    assert grammar.features == ("p_target", "identity")
    assert grammar.info["kinds"]["syntactic"] == 0
    assert rules(output, "house") == []
    assert grammar.info["settings"]["identity"] is False


def test_counts_only(call, files, tmp_path):
    output = tmp_path / "g"
    arguments = [*files, "--labels", "hiero", "--features", "none", "--min-count", 2]
    assert call("grammar", "extract", *arguments, "-o", output).code == 0
    assert Grammar.open(output).features == ()
    assert rules(output, "the [1]") == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            [],
            "--trees: expected the trees of the source side; for rules without trees use",
        ),
        (["--labels", "ccg"], "unknown labels 'ccg'; known: hiero, constituents, slashed, samt"),
        (["--settings", "thrux"], "unknown settings of rules 'thrux'; did you mean 'thrax'?"),
        (["--labels", "hiero", "--set", "arity=1"], "unknown limit 'arity'"),
        (["--labels", "hiero", "--set", "loose"], "--set: expected NAME=VALUE such as nonterminals=1"),
        (["--labels", "hiero", "--set", "loose=1"], "--set loose: expected yes or no, found '1'"),
        (["--labels", "hiero", "--set", "min_words=none"], "--set min_words: expected a whole number"),
        (["--labels", "hiero", "--set", "fallback=any"], "unknown use of the fallback 'any'"),
        (
            ["--labels", "hiero", "--set", "nonterminals=9"],
            "nonterminals: expected a whole number from 0",
        ),
        (["--labels", "hiero", "--features", "p_sauce"], "unknown feature 'p_sauce'; did you mean"),
        (
            ["--labels", "hiero", "--align"],
            "(--alignment FILE) or an aligner (--align) to make them, found both; give one",
        ),
        (["--settings", "hiero", "--strip"], "--strip needs labels from --trees; give it too"),
        (["--settings", "hiero", "--unary", "top"], "--unary needs labels from --trees"),
        (["--settings", "hiero", "--parsed", "target"], "--parsed needs labels from --trees"),
        (["--settings", "hiero", "--tree-words", "any"], "--tree-words needs labels from --trees"),
        (["--settings", "hiero", "--form", "penn"], "--form needs labels from --trees"),
        (["--settings", "hiero", "--too-long", "error"], "--too-long needs --align; give it too"),
        (["--labels", "hiero", "--trees", "t"], "--trees: rules with the labels hiero need none"),
        (["--trees", "t", "--unary", "middle"], "unknown handling of unary chains 'middle'"),
    ],
)
def test_what_is_refused(call, files, tmp_path, options, message):
    outcome = call("grammar", "extract", *files, *options, "-o", tmp_path / "g")
    assert (outcome.code, outcome.out) == (2, b"")
    text = outcome.err.decode()
    assert message in text
    assert text.count("\n") == 1
    assert not (tmp_path / "g").exists()


def test_a_place_that_is_taken(call, file, files, tmp_path):
    place = file("taken", "text")
    outcome = call("grammar", "extract", *files, "--labels", "hiero", "-o", place)
    assert outcome.code == 2
    assert b"expected a folder for the grammar, found a file" in outcome.err
    assert place.read_text() == "text"


def test_a_word_that_no_rule_can_hold(call, file, tmp_path):
    arguments = [file("p.tsv", "a b\tx\nsee [1] here\tx\n"), "-a", file("l", "0-0\n0-0\n")]
    outcome = call("grammar", "extract", *arguments, "--labels", "hiero", "-o", tmp_path / "g")
    assert outcome.code == 2
    assert "p.tsv:2: the word '[1]' cannot be part of a rule" in outcome.err.decode()
    assert not (tmp_path / "g").exists()


@pytest.mark.parametrize(
    "damage",
    [b"", b"\xff\xfe", b"\x00" * 50, b"0-0 1-1", b"0-0\r\n1-1\n\n", b"(" * 5000, b"a\tb\n" * 3],
)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_damaged_files(call, file, tmp_path, damage, which):
    paths = [file("pairs.tsv", PAIRS), file("links", LINKS), file("trees", TREES)]
    paths[which].write_bytes(damage)
    arguments = [paths[0], "-a", paths[1], "--trees", paths[2]]
    outcome = call("grammar", "extract", *arguments, "-o", tmp_path / "g")
    assert outcome.code == 2
    assert outcome.err.decode().count("\n") == 1
    assert not (tmp_path / "g").exists()


def test_words_with_other_blanks_in_them(call, file, tmp_path):
    # Links count words between blanks of ASCII, as all aligners do.
    pairs = file("p", "10\u00a0km weit\tabout 6\u3000mi far\n")
    arguments = [pairs, "-a", file("l", "0-0 0-1 1-2\n"), "--settings", "hiero"]
    output = tmp_path / "g"
    assert call("grammar", "extract", *arguments, "-o", output).code == 0
    assert rules(output, "10\u00a0km") == ["[X] ||| 10\u00a0km ||| about 6\u3000mi"]
    text = tmp_path / "g.txt"
    assert call("grammar", "convert", output, "-o", text).code == 0
    for grammar in (output, text):
        outcome = call("grammar", "coverage", grammar, "--pairs", pairs, "--format", "json")
        assert json.loads(outcome.out)["coverage"][0]["status"]["covered"] == 1
        outcome = call("grammar", "derive", grammar, "--pairs", pairs, "--line", 1, "-f", "json")
        assert json.loads(outcome.out)["derivations"][0]["status"] == "covered"


@pytest.mark.usefixtures("systran_align")
def test_dropped_pairs_from_text_to_grammar(run, file, tmp_path):
    """Every step drops the same pairs, and files have a line for every line of the text."""
    lines = [("", "x"), ("the house", "this house"), ("", ""), ("the book", "the volume"), ("a", "")]
    one, two = (
        file("a", "".join(f"{s}\n" for s, _ in lines)),
        file("b", "".join(f"{t}\n" for _, t in lines)),
    )
    links, trees, output = tmp_path / "links", tmp_path / "trees", tmp_path / "g"
    assert (
        run("align", "run", one, two, "-a", "systran", "--empty", "skip", "-o", links).returncode == 0
    )
    assert links.read_text() == "\n0-0 1-1\n\n0-0 1-1\n\n"
    trees.write_bytes(run("parse", one, "--tokenized").stdout)
    arguments = ["grammar", "extract", one, two, "--empty", "skip", "--trees", trees, "-o", output]
    for how in (["-a", links], ["--align", "systran"]):
        ended = run(*arguments, *how)
        assert ended.stderr.endswith(b" from 2 sentence pairs; 3 dropped, a side is empty\n")
        assert rules(output, "house") == ["[NN] ||| house ||| house"]


def test_links_of_a_dropped_pair(call, file, tmp_path):
    """Links without lines for dropped pairs belong to other pairs: that is found."""
    pairs = file("p", "\tx\nthe house\tthis house\n")
    arguments = [
        "grammar",
        "extract",
        pairs,
        "--labels",
        "hiero",
        "--empty",
        "skip",
        "-o",
        tmp_path / "g",
    ]
    links = file("l", "0-0 1-1\n\n")
    assert f"{links}:1: link 0-0" in call(*arguments, "-a", links).err.decode()
    links = file("l", "0-0 1-1\n")
    assert (
        "has 1 line, but there are at least 2 sentence pairs"
        in call(*arguments, "-a", links).err.decode()
    )
    trees = file("t", "(NP (DT the) (NN house))\n")
    arguments[4:5] = ["constituents", "--trees", trees, "-a", file("l", "\n0-0 1-1\n")]
    assert "has 1 tree, but there are at least 2 sentence pairs" in call(*arguments).err.decode()
