"""`paragauge pem`: train a model, use it, say what is in it."""

from __future__ import annotations

import importlib.util
import json
import random
import re

import pytest

SUBJECTS = {"the dog": "le chien", "a cat": "un chat", "my friend": "mon ami", "she": "elle"}
VERBS = {"sees": "voit", "likes": "aime", "wants": "veut", "buys": "achète"}
OBJECTS = {"the house": "la maison", "a book": "un livre", "bread": "du pain", "it": "cela"}
PAIRS = [
    (f"{s} {v} {o} .", f"{ss} {vv} {oo} .")
    for s, ss in SUBJECTS.items()
    for v, vv in VERBS.items()
    for o, oo in OBJECTS.items()
]
needed = ("sklearn", "duckdb")
pytestmark = [
    pytest.mark.usefixtures("systran_align"),
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in needed),
        reason=f"training needs {', '.join(needed)}",
    ),
]


@pytest.fixture
def bitext(file):
    return file("eng-fra.tsv", "".join(f"{a}\t{b}\n" for a, b in PAIRS))


@pytest.fixture
def rated(file):
    draw = random.Random(7)
    english = [a for a, _ in PAIRS]
    rows = ["source\tcandidate\tscore"]
    for source in draw.sample(english, 12):
        for other in draw.sample(english, 3):
            share = len({*source.split()} & {*other.split()}) / len({*source.split()})
            rows.append(f"{source}\t{other}\t{100 * share:.0f}")
    return file("rated.tsv", "\n".join(rows) + "\n")


@pytest.fixture
def command(bitext, rated, tmp_path):
    return [
        *("pem", "train", "--bitext", f"fra={bitext}", "--ratings", rated, "--criterion", "score"),
        *("--scale", "0:100", "--aligner", "systran", "--lm-discount-fallback", "--folds", 2),
        *("--least", 1, "-o", tmp_path / "model"),
    ]


def test_train_score_and_look(good, command, file, tmp_path):
    text = good(*command)
    lines = text.splitlines()
    assert [line.split("  ")[0] for line in lines[:6]] == [
        *("fra: align", "fra: phrases", "fra: pivot"),
        *("language model", "regression: paper", "regression: extended"),
    ]
    assert re.fullmatch(
        r"paper features: Pearson .* \[.*\] held out, .* without copies, .* with its own 36 ratings",
        lines[6],
    )
    model = tmp_path / "model"
    assert lines[-1] == f"saved to {model}; use: --metrics pem:model={model}"
    source = file("s.txt", "the dog sees a book .\n")
    candidate = file("c.txt", "a cat sees a book .\n")
    content = json.loads(
        good("score", "-s", source, "-c", candidate, "-m", f"pem:model={model}", "-f", "json")
    )
    (score,) = content["scores"]
    assert set(score["parts"]) == {"rating", "pivot_f1", "fluency", "target_f1"}
    assert "pivots:fra-" in score["signature"]
    again = good(*command)
    assert sum("kept" in line for line in again.splitlines()) == 6
    facts = json.loads(good("pem", "info", model, "-f", "json"))
    assert facts["scale"] == [0.0, 100.0]
    assert facts["about"]["settings"]["least"] == 1
    printed = good("pem", "info", model)
    assert "pivot fra" in printed
    table = good("pem", "info", model, "-f", "tsv")
    assert table.startswith("what\tvalue\ntext\ttok:13a|case:lower|stem:porter\n")
    assert good("pem", "info", model, "-f", "markdown").startswith("| PEM model | ")


def test_fit_anew(good, fails, command, rated, tmp_path):
    good(*command)
    base, mine = tmp_path / "model", tmp_path / "mine"
    fit = [
        "pem",
        "fit",
        "--model",
        base,
        "--ratings",
        rated,
        "--criterion",
        "score",
        "--scale",
        "0:100",
    ]
    text = good(*fit, "--folds", 2, "--controls", "none", "-o", mine)
    assert text.splitlines()[-1] == f"saved to {mine}; use: --metrics pem:model={mine}"
    facts = [json.loads(good("pem", "info", folder, "-f", "json")) for folder in (base, mine)]
    assert facts[0]["fingerprints"] == facts[1]["fingerprints"]
    assert facts[0]["about"]["fits"] != facts[1]["about"]["fits"]
    assert (base / "lm.bin").read_bytes() == (mine / "lm.bin").read_bytes()
    assert "is the model itself; choose another name" in fails(*fit, "-o", base)
    before = (mine / "model.json").read_bytes()
    error = fails(*fit, "--folds", 3, "--controls", "none", "-o", mine)
    assert "a model is there already; choose another name, or replace it with --force" in error
    assert (mine / "model.json").read_bytes() == before
    good(*fit, "--folds", 3, "--controls", "none", "-o", mine, "--force")
    assert json.loads(good("pem", "info", mine, "-f", "json"))["about"] != facts[1]["about"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--bitext", "fra"], "--bitext fra: expected NAME=..., such as fra=..."),
        (["--scale", "5"], "--scale 5: expected LOW:HIGH, a smaller and a larger number"),
        (["--scale", "0:50"], "expected a score from 0 to 50, found "),
        (["--criterion", "scor"], "unknown column 'scor'; did you mean 'score'?"),
        (["--segmenter", "deu=13a"], "--segmenter deu: no --bitext has that name"),
        (["--segmenter", "fra=jeiba"], "pivot fra: unknown segmenter 'jeiba'"),
        (["--controls", "copi"], "unknown kind of control 'copi'; did you mean 'copy'?"),
        (["--lm-prune", "0,x"], "--lm-prune 0,x: expected whole numbers such as 0,0,1"),
        (["--stem", "portr"], "unknown stemmer 'portr'; did you mean 'porter'?"),
        (["--edge", "1.5"], "edge: expected a number from 0 to below 1, found 1.5"),
        (["-o", "a:b"], "--output a:b: expected a name without , and :"),
        (["--lm", "nothing.bin"], "--lm-discount-fallback has no effect with --lm"),
        (["--lm-smoothing", "Katz"], "--lm-smoothing needs --lm; give it too"),
        (["--lm-bits", "9"], "bits: expected a whole number from 4 to 8, or none, found 9"),
        (["--lm-bits", "x"], "--lm-bits x: expected 4 to 8, or none"),
        (["--alignment", "deu=links.txt"], "--alignment deu: no --bitext has that name"),
        (["--phrases", "deu=table"], "table: no such file"),
        (["--range", "1"], "--range 1: expected FIRST:LAST, two numbers from 1 on such as 1:200"),
        (["--range", "5:2"], "--range 5:2: expected FIRST:LAST"),
        (["--range", "1:9"], "rated.tsv: unknown column 'segment'"),
        (["-s", "s.txt"], "--sources needs the candidates (-c); give it too"),
        (["-c", "c.txt"], "-c needs the sources too; give them with -s"),
        (["--ratings", "nothing.tsv"], "nothing.tsv: no such file"),
    ],
)
def test_bad_input_is_one_line(fails, command, changed, change, message, tmp_path):
    error = fails(*changed(command, *change))
    assert message in error
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ("links.txt", "links.txt: no such file"),
        ("a,b,c", "expected one file of links, or one for each direction"),
        ("-", "pivot fra: expected a file, found standard input; name a file"),
    ],
)
def test_alignments_that_cannot_be_read(fails, command, files, message):
    assert message in fails(*without_aligner(command), "--alignment", f"fra={files}")


def test_a_model_in_a_file_that_does_not_exist(fails, command):
    words = [word for word in command if word != "--lm-discount-fallback"]
    assert "nothing.bin: no such file" in fails(*words, "--lm", "nothing.bin")


def test_too_little_text_for_discounts(call, command):
    outcome = call(*(word for word in command if word != "--lm-discount-fallback"), "--lm-order", 6)
    assert outcome.code == 2
    assert outcome.err.decode().endswith("or set discounts to fall back to (--lm-discount-fallback)\n")


def test_sentences_without_aligned_words(call, command, file):
    links = file("links.txt", "\n" * len(PAIRS))
    outcome = call(*without_aligner(command), "--alignment", f"fra={links}")
    assert outcome.code == 2
    assert b"eng-fra.tsv: expected sentences whose words are aligned, found no " in outcome.err
    assert outcome.err.count(b"\n") == 1


def test_a_name_is_used_once(fails, command):
    error = fails(*command, "--bitext", "fra=other.tsv")
    assert error == "--bitext: two values for fra; give each name once"


def test_alignments_of_another_tool(good, command, file, tmp_path):
    links = file("links.txt", "".join(f"{diagonal(a, b)}\n" for a, b in PAIRS))
    words = without_aligner(command)
    printed = good(*words, "--alignment", f"fra={links}", "--lm-bits", "none")
    assert "fra: align" in printed
    facts = json.loads(good("pem", "info", tmp_path / "model", "-f", "json"))["about"]
    assert facts["bitexts"]["fra"]["alignment"] == "links.txt"
    assert facts["language model"] == {
        "smoothing": "modified Kneser-Ney, interpolated",
        "discounts": "estimated, else 0.5, 1, 1.5",
        "prune": [0],
        "bits": None,
    }
    table = good("pem", "info", tmp_path / "model")
    assert "smoothing            modified Kneser-Ney, interpolated; discounts: estimated" in table
    card = (tmp_path / "model" / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "- smoothing: modified Kneser-Ney, interpolated; " in card
    assert "alignment: links.txt" in card


def without_aligner(command):
    at = command.index("--aligner")
    return [*command[:at], *command[at + 2 :]]


def test_an_aligner_with_nothing_to_align(fails, command, bitext):
    error = fails(*command, "--alignment", "fra=links.txt")
    assert error == ("--aligner has no effect with --alignment for every pivot; leave one of them out")
    words = [word for word in command if word not in ("--bitext", f"fra={bitext}")]
    assert "--aligner has no effect with --phrases for every pivot" in fails(
        *words, "--phrases", "fra=table"
    )
    error = fails(*without_aligner(command), "--alignment", "fra=a.txt", "--too-long", "skip")
    assert "--too-long has no effect with --alignment" in error


def diagonal(english, french):
    n, m = len(english.split()), len(french.split())
    return " ".join(f"{i}-{min(m - 1, i * m // n)}" for i in range(n))


def test_links_of_another_tokenization(call, command, file):
    links = file("links.txt", "9-0\n" * len(PAIRS))
    outcome = call(*without_aligner(command), "--alignment", f"fra={links}")
    assert outcome.code == 2
    assert re.search(
        rb"links\.txt:1: .*; check that the alignment was made from these files", outcome.err
    )


def test_a_phrase_table_and_a_language_model_of_other_tools(
    good, call, command, bitext, file, tmp_path
):
    """No bitext is needed then."""
    links = file("links.txt", "".join(f"{diagonal(a, b)}\n" for a, b in PAIRS))
    table, moses, lm = tmp_path / "table", tmp_path / "phrase-table.gz", tmp_path / "lm.arpa"
    extract = ["phrases", "extract", bitext, "-t", "13a", "--case", "lower", "--stem", "porter,none"]
    english = file("eng.txt", "".join(f"{a}\n" for a, _ in PAIRS))
    form = ["-t", "13a", "--case", "lower", "--stem", "porter"]
    for words in (
        [*extract, "-a", links, "-o", table],
        ["phrases", "convert", table, moses],
        ["lm", "train", english, *form, "-n", 3, "--discount-fallback", "-o", lm],
    ):
        assert call(*words).code == 0
    start, end = command.index("--ratings"), command.index("--aligner")
    common = ["pem", "train", *command[start:end], "--folds", 2, "--least", 1, "--lm", lm]
    texts = []
    for name, phrases in (("one", table), ("two", moses)):
        output = tmp_path / name
        printed = good(
            *common, "--phrases", f"fra={phrases}", "--lm-smoothing", "Good-Turing", "-o", output
        )
        lines = [line.split("  ")[0] for line in printed.splitlines()[:4]]
        assert lines == ["fra: phrases", "fra: pivot", "regression: paper", "regression: extended"]
        facts = json.loads(good("pem", "info", output, "-f", "json"))
        assert facts["about"]["language model"] == {"file": "lm.arpa", "smoothing": "Good-Turing"}
        assert facts["about"]["bitexts"] == {"fra": {"phrases": phrases.name}}
        texts.append(facts["pivots"])
    assert texts[0] == texts[1]
    assert texts[0]["fra"]["phrases"] > 10


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("The ||| le ||| 1 1 1 1 ||| 0-0 ||| 1 1 1", "expected phrases in lowercase, found 'The'"),
        ("the ||| le ||| 1 1 1 1", "expected counts of the phrases, found none; write them too"),
        ("the ||| le", "phrase-table:1: "),
        ("the ||| le", "leave such lines out with paragauge phrases convert --skip-bad"),
        ("", "phrase-table: expected phrase pairs, found none; check the file, or give another"),
        ("the ||| le ||| 1 1 1 1 ||| 0-0 ||| 1 1 1", "found phrase tables only; give a language model"),
    ],
)
def test_phrase_tables_that_do_not_fit(call, command, file, bitext, tmp_path, line, message):
    table = file("phrase-table", line and line + "\n")
    words = [word for word in command if word not in ("--bitext", f"fra={bitext}")]
    if "language model" not in message:
        words += ["--bitext", f"deu={bitext}"]
    else:
        words = without_aligner(words)
    outcome = call(*words, "--phrases", f"fra={table}")
    assert outcome.code == 2
    assert message in outcome.err.decode()
    assert outcome.err.count(b"\n") == 1
    assert not (tmp_path / "model").exists()


def test_a_table_of_words_that_are_not_stems(call, command, file, bitext):
    suffixes = ["ing", "ed", "s", "er", "ness"]
    rows = [f"walk{chr(97 + i)}{suffix}" for i in range(12) for suffix in suffixes]
    table = file("table", "".join(f"{word} ||| x ||| 1 1 1 1 ||| 0-0 ||| 60 1 1\n" for word in rows))
    outcome = call(*command, "--phrases", f"two={table}")
    assert outcome.code == 2
    assert b"expected stems of porter, found words such as 'walka" in outcome.err
    assert b"or train with --stem none" in outcome.err


def test_an_alignment_beside_a_phrase_table(fails, command):
    error = fails(*command, "--alignment", "fra=links.txt", "--phrases", "fra=table")
    assert "pivot fra: an alignment has no effect with a phrase table" in error


def test_fit_to_files_and_ratings(good, fails, rated_files, tmp_path):
    """As `paragauge fit`: sources, systems, and ratings by segment and system; one has no rating."""
    files, table = rated_files
    words = ["pem", "fit", *files, "--ratings", table, "--folds", 2, "--controls", "none"]
    printed = good(*words, "-o", tmp_path / "all").splitlines()
    assert printed[-2] == "left out: 1 candidate without a rating"
    good(*words, "--range", "1:20", "-o", tmp_path / "first")
    facts = [
        json.loads(good("pem", "info", tmp_path / name, "-f", "json"))["about"]
        for name in ("all", "first")
    ]
    assert facts[0]["ratings"] == {"rows": 60, "pairs": 59, "unrated": 1}
    assert facts[1]["ratings"] == {"rows": 40, "pairs": 39, "unrated": 1}
    assert facts[1]["fits"]["paper"]["sources"] == 20
    for change, message in (
        (["--scale", "3:5"], "expected a rating from 3 to 5, found 2; correct the row, or"),
        (["--criterion", "fluent"], "unknown column 'fluent'"),
        (["--column", "source=x"], "unknown role of a column 'source'; known: segment, system"),
        (["--range", "31:40"], "expected rated candidates, found none; the segments are 1 to 30"),
    ):
        assert message in fails(*words, *change, "-o", tmp_path / "no")


def test_fit_says_what_it_leaves_out(good, fails, rated_files, tmp_path):
    """A system without ratings, and ratings of a system without a file."""
    files, table = rated_files
    words = ["pem", "fit", *files, "--ratings", table, "--folds", 2, "--controls", "none"]
    words[4:6] = ["-c", f"foo={files[3]}"]
    lost, extra = "1 system of the ratings is not", "1 system of the files is not in the ratings: foo"
    gaps = f"{lost} in the files: a; {extra}"
    assert fails(*words, "-o", tmp_path / "no").startswith(f"{gaps}; name them alike")
    printed = good(*words, "-o", tmp_path / "two", "--allow-missing").splitlines()
    assert printed[-2] == f"left out: {gaps}; 31 candidates without a rating"


def test_a_range_outside_of_a_table_with_texts(fails, file, tmp_path):
    rows = "".join(f"{n}\ta b\tc {n}\t3\n" for n in range(1, 13))
    table = file("r.tsv", "segment\tsource\tcandidate\trating\n" + rows)
    error = fails("pem", "fit", "--ratings", table, "--range", "40:50", "-o", tmp_path / "no")
    assert error == (
        f"{table}: segments 40:50: expected rated candidates, found none; the segments are 1 to 12"
    )


@pytest.fixture
def rated_files(file):
    """30 sources, two systems, two judges; one candidate without ratings."""
    draw = random.Random(7)
    english = [a for a, _ in PAIRS]
    sources, systems = draw.sample(english, 30), {"a": [], "b": []}
    rows = ["segment\tsystem\tjudge\toverall"]
    for number, source in enumerate(sources, 1):
        for name, lines in systems.items():
            lines.append(draw.choice(english))
            share = len({*source.split()} & {*lines[-1].split()}) / len({*source.split()})
            for judge, more in (("A", 0), ("B", 1)):
                value = "" if (number, name) == (3, "b") else min(5, round(1 + 3 * share) + more)
                rows.append(f"{number}\t{name}\t{judge}\t{value}")
    table = file("ratings.tsv", "\n".join(rows) + "\n")
    words = ["-s", file("s.txt", "".join(f"{text}\n" for text in sources))]
    for name, lines in systems.items():
        words += ["-c", file(f"{name}.txt", "".join(f"{text}\n" for text in lines))]
    return words, table


def test_too_few_ratings(fails, command, changed, file):
    few = file("few.tsv", "source\tcandidate\tscore\na\tb\t1\n")
    assert "ratings: expected at least 10, found 1; rate more sentences" in fails(
        *changed(command, "--ratings", few)
    )


def test_output_that_is_a_file(fails, command, changed, file):
    assert "is a file; choose another name" in fails(*changed(command, "-o", file("taken", "x")))


def test_a_folder_that_is_no_model(fails, tmp_path):
    assert "expected a PEM model, found no model.json" in fails("pem", "info", tmp_path)


def test_help_without_a_command(good):
    assert "Train, fit and inspect models of PEM" in good("pem")
