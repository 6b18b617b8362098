"""`paragauge grammar coverage` and `derive` from the shell: what they print, make and refuse."""

from __future__ import annotations

import json

import pytest

from paragauge.version import __version__

GRAMMAR = (
    "[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| cost=1\n"
    "[N] ||| king ||| king ||| cost=0.5\n"
    "[N] ||| horse ||| steed ||| cost=0.25\n"
)
PAIRS = (
    "king 's horse ||| the steed of king\nking 's horse ||| the king of steed\nhorse x ||| steed x\n"
)


@pytest.fixture
def grammar_and_pairs(file):
    return file("small.txt", GRAMMAR), file("pairs.txt", PAIRS)


def test_coverage(good, grammar_and_pairs):
    rules, pairs = grammar_and_pairs
    assert good("grammar", "coverage", rules, "--pairs", pairs) == (
        "grammar  rules  % (all)  length  covered  unreachable  no parse\n"
        "small        3     33.3     3.5        1            1         1\n"
        "\n"
        "3 pairs; a sentence has 3.0 words on average.\n"
        "coverage|tok:blanks|case:mixed|empty:error|span:20|glue:yes|start:all|pass:none|items:20000000|"
        f"seconds:any|memory:1073741824|directions:one|v:{__version__}\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--tokenize", "13a"),
        ("--case", "lower"),
        ("--empty", "skip"),
        ("--span", "10"),
        ("--no-glue",),
        ("--start", "NP"),
        ("--pass-through", "all"),
        ("--pass-through", "all", "--pass-through-label", "N"),
        ("--pass-through", "all", "--pass-through-gaps", "label"),
        ("--max-items", "10"),
        ("--max-seconds", "1"),
        ("--max-memory", "10MB"),
        ("--directions", "both"),
    ],
    ids=" ".join,
)
def test_every_setting_is_in_the_signature(good, grammar_and_pairs, words):
    def signature(*more: str) -> str:
        printed = good(
            "grammar",
            "coverage",
            grammar_and_pairs[0],
            "--pairs",
            grammar_and_pairs[1],
            *more,
            "-f",
            "json",
        )
        return json.loads(printed)["coverage"][0]["signature"]

    assert signature(*words) not in (signature(), signature(*words[:-2]))


def test_sets_of_translations_and_several_grammars(good, grammar_and_pairs, file):
    names = [
        file(name, text) for name, text in (("a", "king\nx\n"), ("b", "king\ny\n"), ("c", "x\nx\n"))
    ]
    options = [word for name in names for word in ("-T", name)]
    printed = good(
        "grammar",
        "coverage",
        grammar_and_pairs[0],
        f"other={grammar_and_pairs[0]}",
        *options,
        "-f",
        "tsv",
    )
    header, *rows = [line.split("\t") for line in printed.splitlines()]
    table = [dict(zip(header, row, strict=True)) for row in rows]
    assert [row["grammar"] for row in table] == ["small", "other"]
    assert {row["any"] for row in table} == {"50.0"}
    assert table[0]["pairs"] == "6"
    assert table[0]["all"] == repr(100 / 6)
    text = good("grammar", "coverage", grammar_and_pairs[0], *options)
    assert text.splitlines()[0].split() == (
        [
            "grammar",
            "rules",
            "%",
            "(all)",
            "%",
            "(any)",
            "length",
            "covered",
            "unreachable",
            "no",
            "parse",
        ]
    )


def test_json_latex_and_times(call, good, grammar_and_pairs):
    rules, pairs = grammar_and_pairs
    report = json.loads(good("grammar", "coverage", rules, "--pairs", pairs, "-f", "json"))
    [record] = report["coverage"]
    assert record["status"]["covered"] == 1
    assert record["rules_kept"] == 3
    assert good("grammar", "coverage", rules, "--pairs", pairs, "-f", "latex").count(r"\\") == 2
    outcome = call("grammar", "coverage", rules, "--pairs", pairs, "--times")
    assert b"small: 3 rules read, 3 kept" in outcome.err


def test_table_of_pairs(good, grammar_and_pairs, tmp_path):
    rules, pairs = grammar_and_pairs
    good("grammar", "coverage", rules, "--pairs", pairs, "--per-pair", tmp_path / "out.tsv")
    header, *rows = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()]
    table = [dict(zip(header, row, strict=True)) for row in rows]
    assert [row["status"] for row in table] == ["covered", "unreachable", "no-source-parse"]
    assert table[0]["source"] == "king 's horse"
    assert table[0]["source_words"] == "3"
    good(
        *("grammar", "coverage", rules, "--pairs", pairs, "--per-pair", tmp_path / "both.tsv"),
        *("--directions", "both", "--max-items", 8, "-f", "json"),
    )
    header, *rows = [line.split("\t") for line in (tmp_path / "both.tsv").read_text().splitlines()]
    table = [dict(zip(header, row, strict=True)) for row in rows]
    assert [(row["forward"], row["backward"]) for row in table] == [
        ("out-of-time", "no-source-parse"),
        ("out-of-time", "no-source-parse"),
        ("no-source-parse", "no-source-parse"),
    ]
    assert [row["items"] == "" for row in table] == [True, True, False]


def test_limits_are_told(good, grammar_and_pairs):
    rules, pairs = grammar_and_pairs
    printed = good("grammar", "coverage", rules, "--pairs", pairs, "--max-items", 8)
    assert "out of time" in printed
    assert "small: 2 pairs hit a limit and count as not covered; --per-pair lists them." in printed
    printed = good("grammar", "coverage", rules, "--pairs", pairs, "--max-memory", "100B")
    assert "out of memory" in printed


def test_costs_below_0_are_printed(good, file, tmp_path):
    rules = file("ppdb.txt", "[X] ||| a ||| c ||| w=-0.00001\n[X] ||| b ||| d ||| w=0.5 p_target=0.5\n")
    page = tmp_path / "page.html"
    pair = ("--source", "a b", "--target", "c d", "--cost", "w")
    printed = good("grammar", "derive", rules, *pair, "--html", page)
    assert printed.startswith("covered: 2 rules, 2 phrases in a row, cost 0.49999\n")
    assert "[X] ||| a ||| c  (-1e-05)\n" in printed
    assert '<span class="cost">-1e-05</span>' in page.read_text(encoding="utf-8")
    [record] = json.loads(good("grammar", "derive", rules, *pair, "-f", "json"))["derivations"]
    assert record["cost"] == 0.5 - 0.00001


def test_settings(good, grammar_and_pairs):
    rules, pairs = grammar_and_pairs

    def covered(*options):
        printed = good("grammar", "coverage", rules, "--pairs", pairs, "-f", "json", *options)
        return json.loads(printed)["coverage"][0]["status"]["covered"]

    assert covered("--pass-through", "unknown") == 2
    only = ("--pass-through", "unknown", "--pass-through-label", "OOV", "--start", "N")
    assert covered(*only) == 1
    assert covered(*only, "--pass-through-gaps", "label") == 0
    assert covered("--span", 2) == 0
    assert covered("--no-glue", "--start", "NP") == 1
    assert covered("--no-glue", "--start", "N") == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "expected sentence pairs (--pairs FILE) or translations"),
        (["--pairs", "PAIRS", "-T", "PAIRS"], "found both"),
        (["-T", "PAIRS"], "expected at least two files of translations, found 1"),
        (["--pairs", "PAIRS", "--start", "VP"], "unknown start label of small 'VP'"),
        (["--pairs", "PAIRS", "--pass-through", "some"], "unknown value of passthrough 'some'"),
        (
            ["--pairs", "PAIRS", "--pass-through-label", "Y"],
            "--pass-through-label needs --pass-through",
        ),
        (["--pairs", "PAIRS", "--max-memory", "many"], "expected a size such as 500MB"),
        (["--pairs", "PAIRS", "--directions", "up"], "unknown value of directions 'up'"),
        (["--pairs", "PAIRS", "--format", "xml"], "unknown format 'xml'"),
        (["--pairs", "nowhere.txt"], "nowhere.txt"),
        (["--pairs", "PAIRS", "small=GRAMMAR"], "two grammars are called 'small'"),
        (["--pairs", "PAIRS", "nowhere"], "nowhere: no such folder"),
    ],
)
def test_bad_coverage(fails, grammar_and_pairs, tmp_path, options, message):
    rules, pairs = grammar_and_pairs
    words = [word.replace("PAIRS", str(pairs)).replace("GRAMMAR", str(rules)) for word in options]
    assert message in fails("grammar", "coverage", rules, *words, "--per-pair", tmp_path / "out.tsv")


def test_a_bad_line_of_a_grammar(fails, grammar_and_pairs, file):
    bad = file("bad.txt", GRAMMAR + "[X] ||| a [X,1] ||| b\n")
    message = fails("grammar", "coverage", bad, "--pairs", grammar_and_pairs[1])
    assert message.startswith(f"{bad}:4: ")


def test_derive(good, grammar_and_pairs, tmp_path):
    rules, pairs = grammar_and_pairs
    sentences = "--source", "king 's horse", "--target", "the steed of king"
    printed = good("grammar", "derive", rules, *sentences)
    assert printed.startswith("covered: 3 rules\nsource: king 's horse\n")
    assert "└─ [N] ||| horse ||| steed\n" in printed
    printed = good("grammar", "derive", rules, *sentences, "--cost", "cost")
    assert printed.startswith("covered: 3 rules, cost 1.75\n")
    page = tmp_path / "page.html"
    printed = good(
        "grammar", "derive", rules, "--pairs", pairs, "--line", 3, "--line", 2, "--html", page
    )
    assert printed.startswith("== line 3 ==\nno-source-parse: ")
    assert "== line 2 ==\nunreachable: " in printed
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    report = json.loads(good("grammar", "derive", rules, *sentences, "-f", "json"))
    assert report["derivations"][0]["rules"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "found neither"),
        (["--source", "a"], "expected --source and --target; --target is missing or empty"),
        (["--source", "a", "--target", "b", "--pairs", "PAIRS"], "found both"),
        (["--pairs", "PAIRS"], "--line is missing"),
        (["--pairs", "PAIRS", "--line", "4"], "expected a line from 1 to 3, found --line 4"),
        (
            ["--source", " ", "--target", "b"],
            "--source and --target: expected two sentences, found nothing",
        ),
        (["--source", "a", "--target", "b", "--cost", "price"], "unknown feature of"),
        (["--source", "a", "--target", "b", "-f", "tsv"], "unknown format 'tsv'"),
    ],
)
def test_bad_derive(fails, grammar_and_pairs, tmp_path, options, message):
    rules, pairs = grammar_and_pairs
    words = [word.replace("PAIRS", str(pairs)) for word in options]
    assert message in fails("grammar", "derive", rules, *words, "--html", tmp_path / "page.html")


def test_an_input_is_not_written_over(fails, grammar_and_pairs):
    rules, pairs = grammar_and_pairs
    message = fails("grammar", "coverage", rules, "--pairs", pairs, "--per-pair", pairs)
    assert message == f"--per-pair {pairs}: the file is an input too; choose another name"
    options = "--source", "king", "--target", "king", "--html", rules
    assert "--html" in fails("grammar", "derive", rules, *options)


def test_lines_that_are_dropped(call, fails, good, file):
    rules, pairs = file("g", GRAMMAR), file("p", "king ||| king\n ||| x\nhorse ||| steed\n")
    command = ("grammar", "derive", rules, "--pairs", pairs)
    assert fails(*command, "--line", 2, "--empty", "skip").startswith(
        f"{pairs}:2: a side is empty, so --empty skip drops the pair, and none is left to derive;"
    )
    assert fails(*command, "--line", 3, "--line", 2).startswith(f"{pairs}:2: expected two sentences")
    outcome = call(*command, "--line", 2, "--line", 3, "--empty", "skip", "-f", "json")
    assert outcome.err.decode() == "line 2: dropped, a side is empty\n"
    [only] = json.loads(outcome.out)["derivations"]
    assert (only["title"], only["source"], only["status"]) == ("line 3", "horse", "covered")
    assert good(*command, "--line", 2, "--empty", "keep").startswith("no-source-parse")
    assert "a side is empty" in fails(
        "grammar", "derive", rules, "--source", " ", "--target", "x", "--empty", "skip"
    )


def test_one_pair_is_one(good, file):
    printed = good("grammar", "coverage", file("g", GRAMMAR), "--pairs", file("p", "king ||| king\n"))
    assert "\n1 pair; a sentence has 1.0 words on average.\n" in printed


def test_rules_with_very_many_nonterminals(call, good, file):
    long = " ".join(f"[N,{i}]" for i in range(1, 34))
    rules = file("g.txt", f"[X] ||| {long} ||| {long}\n{GRAMMAR}")
    pairs = file("p", PAIRS)
    printed = good("grammar", "coverage", rules, "--pairs", pairs)
    assert printed.splitlines()[1].split()[:3] == ["g", "4", "33.3"]
    assert "\ng: 1 rule of more than 32 non-terminals was left out.\n" in printed
    outcome = call("grammar", "derive", rules, "--pairs", pairs, "--line", 1, "--cost", "cost")
    assert outcome.out.startswith(b"covered: 3 rules, cost 1.75\n")  # the long rule has no cost
    outcome = call("grammar", "derive", rules, "--pairs", pairs, "--line", 1)
    assert outcome.err.decode() == "1 rule with more than 32 non-terminals left out\n"


def test_a_limit_on_the_way_to_the_tree(good, file):
    words = " ".join(["king"] * 12)
    options = ["--source", words, "--target", words, "--max-memory"]
    rules = file("g", "[X] ||| king ||| king\n[X] ||| [X,1] [X,2] ||| [X,1] [X,2]\n")
    sizes = (f"{size}B" for size in range(1000, 100_000, 500))
    texts = (good("grammar", "derive", rules, *options, size) for size in sizes)
    printed = next(text for text in texts if not text.startswith("out"))
    assert printed.startswith(
        "covered: a derivation gives both sentences; while deriving it, the memory limit was hit; "
    )
