"""`paragauge controls`: files of control systems and their ratings."""

from __future__ import annotations

import pytest

from paragauge.metrics.control_systems import controls


@pytest.fixture
def sources(file):
    return file("sources.txt", "the cat sat\na dog ran\nit rains\n")


def test_files(good, sources, tmp_path):
    out = tmp_path / "out"
    assert good("controls", "-s", sources, "-o", out) == (
        f"wrote copy.txt, random.txt, unigram.txt, ratings.tsv to {out}\n"
    )
    expected = controls(["the cat sat", "a dog ran", "it rains"])
    for kind, texts in expected.items():
        assert (out / f"{kind}.txt").read_text(encoding="utf-8") == "\n".join(texts) + "\n"
    lines = (out / "ratings.tsv").read_text(encoding="utf-8").split("\n")
    assert lines[0] == "segment\tsystem\tjudge\tadequacy\tfluency\tdissimilarity\toverall"
    assert lines[1] == "1\tcopy\tcontrol\t5\t5\t1\t2"
    assert lines[2] == "1\trandom\tcontrol\t1\t5\t5\t1"
    assert lines[3] == "1\tunigram\tcontrol\t1\t1\t5\t1"


def test_options(good, file, sources, tmp_path):
    domain = file("news.txt", "x y\nz\n")
    out = tmp_path / "out"
    command = ["controls", "-s", sources, "-o", out, "--domain", domain, "--kinds", "unigram"]
    good(*command, "--scale", "0:100", "--length", "source", "--seed", 3)
    assert (out / "ratings.tsv").read_text(encoding="utf-8").split("\n")[1] == (
        "1\tunigram\tcontrol\t0\t0\t100\t0"
    )
    lines = (out / "unigram.txt").read_text(encoding="utf-8").split("\n")
    assert [len(line.split()) for line in lines] == [3, 3, 2, 0]
    assert not (out / "copy.txt").exists()


def test_ratings_of_judges(good, call, file, sources, tmp_path):
    judged = "segment\tsystem\tjudge\tadequacy\tfluency\tdissimilarity\toverall\n1\ta\tA\t4\t\t3\t2.5\n"
    out = tmp_path / "out"
    good("controls", "-s", sources, "--ratings", file("r.tsv", judged), "-o", out)
    lines = (out / "ratings.tsv").read_text(encoding="utf-8").split("\n")
    assert "\n".join(lines[:2]) + "\n" == judged
    assert lines[2] == "1\tcopy\tcontrol\t5\t5\t1\t2"
    assert len(lines) == 2 + 9 + 1
    # Texts are filled in, other columns stay empty, criteria without ratings are left out.
    rows = '{"segment": 2, "system": "a", "judge": "A", "source": "a dog ran", "candidate": "x", '
    rows += '"overall": 3, "note": "good"}\n'
    table = file("r.jsonl", rows)
    outcome = call("controls", "-s", sources, "--ratings", table, "-o", out, "--force")
    assert outcome.code == 0
    assert outcome.err.decode() == (
        "paragauge: criteria that the judges did not rate: adequacy, fluency, dissimilarity\n"
    )
    assert (out / "ratings.tsv").read_text(encoding="utf-8").split("\n")[:3] == [
        "segment\tsystem\tjudge\tsource\tcandidate\toverall\tnote",
        "2\ta\tA\ta dog ran\tx\t3\tgood",
        "1\tcopy\tcontrol\tthe cat sat\tthe cat sat\t2\t",
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("segment\tsystem\toverall\n1\ta\t3\n", "r.tsv: unknown column 'judge'"),
        ("segment\tsystem\tjudge\tx\n1\ta\tA\t3\n", "(adequacy, fluency, dissimilarity, overall)"),
        ("segment\tsystem\tjudge\toverall\n4\ta\tA\t3\n", "r.tsv:2: column 'segment': expected a n"),
        ("segment\tsystem\tjudge\toverall\n1\tcopy\tA\t3\n", "r.tsv:2: expected ratings of other sys"),
        (
            "segment\tsystem\tjudge\toverall\n1\ta\tA\t3\n2\ta\tA\tnan\n",
            "r.tsv:3: column 'overall': expected a number as rating, found 'nan'; correct it, or",
        ),
        (
            "segment\tsystem\tjudge\tfluency\toverall\n1\ta\tA\t7\t3\n",
            "r.tsv:2: expected a fluency from 1 to 5, found 7; correct the row, or give the scale",
        ),
        ("segment\tsystem\tjudge\toverall\n1\ta\tA\tx\n", "r.tsv:2: column 'overall': expected a n"),
        ("segment\tsystem\tjudge\toverall\n1\ta\tcontrol\t3\n", "found 'a' by 'control'; rename it"),
        (
            "segment\tsystem\tjudge\tsource\toverall\n1\ta\tA\ta dog ran\t3\n",
            "r.tsv:2: column 'source': expected line 1 of the sources, found another sentence",
        ),
    ],
)
def test_ratings_that_do_not_fit(fails, file, sources, tmp_path, table, message):
    rated = file("r.tsv", table)
    assert message in fails("controls", "-s", sources, "--ratings", rated, "-o", tmp_path / "out")


def test_the_ratings_are_not_overwritten(fails, file, sources, tmp_path):
    rated = file("ratings.tsv", "segment\tsystem\tjudge\toverall\n1\ta\tA\t3\n")
    error = fails("controls", "-s", sources, "--ratings", rated, "-o", tmp_path, "--force")
    assert "ratings.tsv: the file is an input too; choose another name" in error


def test_standard_input(good, tmp_path):
    good("controls", "-s", "-", "-o", tmp_path, "--kinds", "copy", stdin=b"one\ntwo\n")
    assert (tmp_path / "copy.txt").read_bytes() == b"one\ntwo\n"


def test_force(good, fails, sources, tmp_path):
    out = tmp_path / "out"
    good("controls", "-s", sources, "-o", out)
    assert fails("controls", "-s", sources, "-o", out) == (
        f"{out / 'copy.txt'}: the file exists; choose another folder, or force it"
    )
    good("controls", "-s", sources, "-o", out, "--force")


def test_other_files(good, fails, sources, tmp_path):
    """Controls are not mixed with files of others, here the sources, unless that is forced."""
    assert fails("controls", "-s", sources, "-o", tmp_path) == (
        f"{tmp_path}: expected a new or empty folder, found one with other files, such as sources.txt; "
        "choose another folder, or force it"
    )
    good("controls", "-s", sources, "-o", tmp_path, "--force")
    assert (tmp_path / "copy.txt").read_bytes() == sources.read_bytes()


@pytest.mark.parametrize("scale", ["5:1", "1", "1:x", "a:b", "1:1", "nan:2", "0:inf"])
def test_scale(fails, sources, tmp_path, scale):
    assert fails("controls", "-s", sources, "-o", tmp_path, f"--scale={scale}") == (
        f"--scale {scale}: expected LOW:HIGH, a smaller and a larger number"
    )


def test_errors(fails, file, sources, tmp_path):
    empty = file("empty.txt", "")
    command = ["controls", "-o", tmp_path]
    assert fails(*command, "-s", empty) == "expected at least one source sentence, found none"
    assert fails(*command, "-s", sources, "--kinds", "copi").startswith(
        "unknown kind of control 'copi'"
    )
    assert fails(*command, "-s", tmp_path / "none").endswith("no such file; check the path")
    assert fails(*command, "-s", file("one.txt", "a\n")).startswith("source 1: the domain has no other")
    assert fails(*command, "-s", sources, "--domain", empty).startswith("the domain text is empty")


def test_changes(good, fails, file, tmp_path):
    sources = file("sources.txt", "It is late.\nThe nurse helped a man.\n")
    references = file("refs.tsv", "It's late.\tThe hour is late.\nA man got help from the nurse.\n")
    command = ["controls", "-s", sources, "-o", tmp_path / "out", "--kinds", "copy"]
    assert good(*command, "-r", references, "--changes", "negation,roles-swapped") == (
        f"wrote copy.txt, ratings.tsv, contrasts.tsv to {tmp_path / 'out'}\n"
        "contrasts.tsv: negation 2, roles-swapped 1 of 2 sources\n"
    )
    lines = (tmp_path / "out" / "contrasts.tsv").read_text(encoding="utf-8").split("\n")
    assert [line.split("\t")[1:3] for line in lines[1:-1]] == [
        ["paraphrase", "It's late."],
        ["paraphrase", "The hour is late."],
        ["negation", "It is not late."],
        ["paraphrase", "A man got help from the nurse."],
        ["negation", "The nurse did not help a man."],
        ["roles-swapped", "A man helped the nurse."],
    ]
    scored = good("contrast", tmp_path / "out" / "contrasts.tsv", "--good", "paraphrase", "-m", "pinc")
    assert "2 sources, 6 candidates." in scored
    assert fails(*command, "--force", "-r", references) == (
        "--references needs --changes; give it too, or leave --references out"
    )
    assert fails(*command, "--force", "--changes", "negate").startswith(
        "unknown kind of change 'negate'; did you mean 'negation'?"
    )
    assert fails(*command, "--changes", "negation").startswith(
        f"{tmp_path / 'out' / 'copy.txt'}: the file exists"
    )


def test_repeated_sources_are_counted(good, file, tmp_path):
    sources = file("dup.txt", "Go home.\nIt rained.\nGo home.\nGo home.\n")
    printed = good("controls", "-s", sources, "-o", tmp_path / "out", "--changes", "negation")
    assert printed.splitlines()[-1] == (
        "contrasts.tsv: negation 2 of 2 different sources; 2 lines repeat a source, which is "
        "changed once"
    )


def test_all_changes(good, sources, tmp_path):
    out = tmp_path / "out"
    good("controls", "-s", sources, "-o", out, "--changes", "all")
    text = (out / "contrasts.tsv").read_text(encoding="utf-8")
    assert "the cat sat\tscrambled\t" in text
    assert "the cat sat\tnegation\tthe cat did not sit\t'did not sit' for 'sat'" in text
