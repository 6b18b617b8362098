"""`paragauge generate`: train, tune and run, from the shell's side."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from paragauge.cli import main

SOURCES = [
    "a man is eating",
    "a man is singing",
    "the dog runs fast",
    "the dog sleeps",
    "a man sees the dog",
    "the cat is eating",
]
TARGETS = [
    "a guy is eating",
    "a guy is singing",
    "the puppy runs quickly",
    "the puppy sleeps",
    "a guy sees the puppy",
    "the cat is having a meal",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, systran_align: None) -> Path:
    """A phrase-based model of six pairs."""
    folder = tmp_path_factory.mktemp("generate")
    for name, lines in (("source.txt", SOURCES), ("target.txt", TARGETS)):
        (folder / name).write_text("\n".join(lines * 4) + "\n", encoding="utf-8")
    words = ["generate", "train", "phrase", folder / "source.txt", folder / "target.txt"]
    words += ["-a", "systran", "-o", folder / "model"]
    words += ["--min-similarity", "0", "--min-count", "1", "--significance", "off"]
    assert main.run([str(word) for word in words]) == 0
    return folder / "model"


@pytest.fixture
def texts(file: Callable[[str, str], Path]) -> tuple[Path, Path]:
    """Sources, one of them empty, and references."""
    lines = ["a man sleeps", "", "the dog is eating"]
    references = ["a guy sleeps\ta man naps", "", "the puppy is eating"]
    return file("in.txt", "\n".join(lines) + "\n"), file("refs.tsv", "\n".join(references) + "\n")


@pytest.mark.usefixtures("systran_align")
def test_train_says_what_it_made(good, file, tmp_path) -> None:
    pairs = file(
        "pairs.tsv", "".join(f"{a}\t{b.upper()}\n" for a, b in zip(SOURCES, TARGETS, strict=True))
    )
    out = good(
        *("generate", "train", "phrase", pairs, "--case", "lower", "-a", "systran"),
        *(
            "--min-similarity",
            0,
            "--min-count",
            1,
            "--significance",
            "off",
            "--longest",
            9,
            "--copy",
            "differ",
            "--setting",
            "stack=20",
        ),
        *("-o", tmp_path / "model"),
    )
    assert " phrase pairs from 6 sentence pairs, systran-align-" in out
    assert "tok:blanks|case:lower|stem:none" in out
    described = json.loads((tmp_path / "model" / "generator.json").read_text(encoding="utf-8"))
    assert {"longest": 9, "copy": "differ", "stack": 20}.items() <= described["settings"].items()


def test_run_to_standard_output_and_to_a_file(good, model, texts, tmp_path) -> None:
    printed = good("generate", "run", model, texts[0])
    assert printed.splitlines() == ["a guy sleeps", "", "the puppy is eating"]
    piped = good("generate", "run", model, stdin=texts[0].read_bytes())
    assert piped == printed
    note = good("generate", "run", model, texts[0], "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == printed
    assert note.startswith(f"{tmp_path / 'out.txt'}: 3 sentences. phrase-")


def test_lists_in_both_formats(good, model, texts, tmp_path) -> None:
    moses, rows = tmp_path / "lists.nbest", tmp_path / "lists.jsonl"
    for path in (moses, rows):
        good("generate", "run", model, texts[0], "--nbest", 3, "--nbest-output", path)
    lines = moses.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(records)
    for line, record in zip(lines, records, strict=True):
        number, text, features, score = line.split(" ||| ")
        assert (int(number) + 1, text) == (record["sentence"], record["text"])
        assert float(score) == pytest.approx(record["score"], rel=1e-6)
        names, values = features.split()[::2], features.split()[1::2]
        assert [name.removesuffix("=") for name in names] == list(record["features"])
        np.testing.assert_allclose(
            np.array(values, float), list(record["features"].values()), rtol=1e-6
        )
    assert [record["sentence"] for record in records] == sorted(
        record["sentence"] for record in records
    )
    assert {record["sentence"] for record in records} == {1, 3}
    assert max(record["rank"] for record in records) <= 3


def test_lists_with_a_separator_need_json(good, fails, model, file, tmp_path) -> None:
    path = file("in.txt", "a man\na ||| b\n")
    run = ("generate", "run", model, path, "-o", tmp_path / "out.txt", "--nbest-output")
    assert fails(*run, tmp_path / "lists.nbest").startswith(
        "sentence 2: a paraphrase contains |||, which"
    )
    good(*run, tmp_path / "lists.jsonl")


def test_tune_writes_weights_that_run_takes(good, model, texts, tmp_path) -> None:
    weights = tmp_path / "weights.tsv"
    command = ("generate", "tune", model, texts[0], "-r", texts[1], "--iterations", 2, "-o", weights)
    table = good(*command, "-f", "json")
    tuning = json.loads(table)
    assert tuning["metric"].startswith("BLEU|")
    assert tuning["settings"]["iterations"] == 2
    lines = dict(line.split("\t") for line in weights.read_text(encoding="utf-8").splitlines())
    assert {name: float(value) for name, value in lines.items()} == tuning["weights"]
    assert tuning["weights"] == tuning["iterations"][tuning["best"]]["weights"]
    best = max(iteration["score"] for iteration in tuning["iterations"])
    assert tuning["iterations"][tuning["best"]]["score"] == best
    before = weights.read_bytes()
    text = good(*command)
    assert weights.read_bytes() == before
    assert "(best)" in text
    assert good(*command, "-f", "tsv").startswith("iteration\tscore\thypotheses\tpairs\tbest\n")
    assert good("generate", "run", model, texts[0], "--weights", weights).count("\n") == 3


def test_search(good, model, texts, file, tmp_path) -> None:
    out = tmp_path / "out.txt"
    note = good("generate", "run", model, texts[0], "--search", "pinc+0.1*model", "-o", out)
    lines = out.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert lines[1] == ""
    before, _, after = note.splitlines()[1].partition(" of the model alone")
    assert before.startswith("pinc+0.1*model: ")
    assert after.endswith("evaluations.")
    empty = file("empty.txt", "\n\n")
    assert "pinc: no sentence to search for; 0 evaluations." in good(
        *("generate", "run", model, empty, "--search", "pinc", "-o", tmp_path / "none.txt")
    )
    assert (tmp_path / "none.txt").read_bytes() == b"\n\n"
    again = good(*("generate", "run", model, texts[0], "--search", "pinc+0.1*model", "--threads", 2))
    assert again.splitlines() == lines


@pytest.mark.parametrize("features", ["learned", "extended", "paper"])
def test_search_for_the_best_pem(good, model, texts, features) -> None:
    spec = f"pem:features={features}"
    run = ("generate", "run", model, texts[0], "--budget", 20, "--search")
    lines = good(*run, f"{spec}+20*model").splitlines()
    assert len(lines) == 3
    assert lines[1] == ""
    assert good(*run, f"{spec}+20*model", "--threads", 2).splitlines() == lines
    if features == "learned":
        assert good(*run, "pem+20*model").splitlines() == lines


def test_search_in_another_script_is_refused_by_pem(fails, model, file) -> None:
    path = file("in.txt", "今天 天气 不错\n" * 100)
    message = fails(
        *("generate", "run", model, path, "--budget", 5, "--search", "pem"),
        *("--setting", "distortion=6"),
    )
    assert message.startswith("sources: expected English, found mostly letters of another script")


def test_sentences_that_are_too_long(good, fails, model, file, tmp_path) -> None:
    path = file("long.txt", "a man\n" + "the dog " * 101 + "\na man sleeps\n")
    assert fails("generate", "run", model, path) == (
        f"{path}:2: expected a sentence of at most 200 words, found 202; split it, or copy such "
        "sentences (--too-long copy)"
    )
    out = tmp_path / "out.txt"
    note = good("generate", "run", model, path, "--too-long", "copy", "-o", out)
    assert "3 sentences, 1 of them too long and copied." in note
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[1] == ("the dog " * 101).strip()
    assert lines[2] == "a guy sleeps"
    assert good("generate", "run", model, path, "--longest", 202).count("\n") == 3
    tune = ("generate", "tune", model, path, "-m", "pinc", "-o", tmp_path / "w.tsv")
    assert fails(*tune).endswith("found 202; split it, or leave it out of the development set")


def test_any_bytes_are_an_error_of_ours_or_a_result(call, model, file) -> None:
    rng = np.random.default_rng(5)
    texts = [
        rng.integers(0, 256, 400, np.uint8).tobytes(),
        b"\x1f\x8b\x08\x00" + rng.integers(0, 256, 40, np.uint8).tobytes(),  # a broken gzip file
        b"a man\r\nthe dog\ra cat\n\x00 \x00\n" + "猫 🙂 e\u0301\u00a0x\u2028y".encode(),
        b"",
    ]
    for number, content in enumerate(texts):
        path = file(f"{number}.gz" if number == 1 else f"{number}.txt", content)
        outcome = call("generate", "run", model, path)
        assert outcome.code in (0, 2)
        if outcome.code == 2:
            assert outcome.err.startswith(b"paragauge: error: ")
        else:
            assert outcome.out.count(b"\n") == content.count(b"\n") + (
                not content.endswith(b"\n") and bool(content)
            )


def test_what_copies_become(good, model, file) -> None:
    path = file("in.txt", "the cat\n")
    assert good("generate", "run", model, path, "--copy", "allow") == "the cat\n"
    assert good("generate", "run", model, file("o.txt", "zebra\n"), "--copy", "forbid") == "zebra\n"


def test_a_grammar_becomes_a_model(good, call, file, tmp_path) -> None:
    rules = file("rules.txt", "[NN] ||| answer ||| reply ||| p(e|f)=0.1 p(f|e)=0.1\n")
    text = file("text.txt", "the reply is good\na good reply\nthe answer is good\n")
    assert call("grammar", "convert", rules, "-o", tmp_path / "rules").code == 0
    note = good(
        *("generate", "train", "grammar", tmp_path / "rules", "--lm-text", text, "--lm-order", 2),
        *("--discount-fallback", "-t", "13a", "--case", "lower", "-o", tmp_path / "model"),
    )
    assert note.startswith(f"{tmp_path / 'model'}: 1 rule; language model of order 2, ")
    printed = good("generate", "run", tmp_path / "model", file("in.txt", "The answer is good\n\n"))
    assert printed == "The reply is good\n\n"
    as_words = ("--output-form", "words")
    assert good(
        "generate", "run", tmp_path / "model", file("in.txt", "The answer is good\n\n"), *as_words
    ) == ("the reply is good\n\n")
    text = good(
        *("generate", "run", tmp_path / "model", tmp_path / "in.txt", "--search", "pinc"),
    )
    assert text == "The reply is good\n\n"
    said = call("generate", "run", tmp_path / "model", tmp_path / "in.txt", "--copy", "forbid")
    assert said.code == 2
    assert b"--copy is for phrase-based models, which " in said.err


def test_messages_of_run(fails, model, texts, tmp_path) -> None:
    run = ("generate", "run", model, texts[0])
    assert fails("generate", "run", tmp_path / "none", texts[0]).endswith(
        "no such folder; check the path"
    )
    assert "BLEU needs references" in fails(*run, "--search", "bleu")
    assert fails(*run, "--budget", 5) == "--budget needs --search; give it too, or leave --budget out"
    assert fails(*run, "--search", "pinc", "--budget", 0).startswith("search budget: expected a whole")
    assert fails(*run, "--nbest", 5).startswith("--nbest needs --nbest-output; give it too")
    assert fails(*run, "--setting", "stak=5").startswith("unknown setting 'stak'; did you mean 'stack'")
    assert fails(*run, "--setting", "stack").startswith("--setting: expected NAME=VALUE")
    assert "unknown treatment of copies 'never'" in fails(*run, "--copy", "never")
    assert fails(*run, "--too-long", "cut").startswith("unknown --too-long 'cut'; known: error, copy")
    assert fails(*run, "--search", "pinc", "--rescore", 0).startswith("--rescore: expected a whole")
    assert fails(*run, "-o", texts[0]).endswith("the file is an input too; choose another name")
    weights = tmp_path / "w.tsv"
    weights.write_text("LM0\tx\n", encoding="utf-8")
    assert f"{weights}:1: expected a feature, a tab and a number" in fails(*run, "--weights", weights)


def test_messages_of_tune(fails, model, texts, tmp_path, file) -> None:
    tune = ("generate", "tune", model, texts[0], "-o", tmp_path / "w.tsv")
    assert fails(*tune) == "BLEU needs references; give -r"
    assert fails(*tune, "-m", "paradigm").startswith("PARADIGM measures grammars and phrase tables")
    assert fails(*tune, "-m", "blue").startswith("unknown metric 'blue'; did you mean 'bleu'")
    assert fails(*tune, "-r", texts[1], "--rate", 3).startswith("tuning rate: expected a number from 0")
    short = file("short.txt", "a\n")
    assert " has 1 line but " in fails(*tune, "-r", short)
    assert fails(*tune[:-1], texts[0], "-r", texts[1]).endswith(
        "the file is an input too; choose another name"
    )


def test_messages_of_train(fails, file, tmp_path) -> None:
    text = file("a.txt", "a b\n")
    train = ("generate", "train", "grammar", tmp_path / "g", "-o", tmp_path / "m")
    assert fails(*train).endswith("found neither; give one")
    assert fails(*train, "--lm", text, "--lm-text", text).endswith("found both; give one")
    phrase = ("generate", "train", "phrase", text, text, "-o", tmp_path / "m")
    assert fails(*phrase, "--lm", text, "--lm-order", 2).startswith(
        "--lm-order has no effect with --lm"
    )
    assert fails(*phrase, "-a", "giza").startswith("unknown aligner 'giza'")


def test_help_without_a_command(good) -> None:
    assert "tune" in good("generate")
    assert "grammar" in good("generate", "train")


def test_weights_of_an_objective_are_tuned_and_used(good, call, model, texts, tmp_path) -> None:
    sources, references = texts
    weights = tmp_path / "search.tsv"
    common = ("generate", "tune", model, sources, "-r", references, "-o", weights, "--nbest", 9)
    out = good(*common, "--search", "pinc+model", "--rounds", 2)
    assert out.splitlines()[0].split() == ["round", "score", "texts", "pinc", "model"]
    tuned = dict(line.split("\t") for line in weights.read_text().splitlines())
    assert list(tuned) == ["pinc", "model"]
    assert tuned["pinc"] == "1.0"
    record = json.loads(good(*common, "--search", "pinc+model", "--rounds", 2, "-f", "json"))
    assert record["weights"] == {name: float(value) for name, value in tuned.items()}
    assert record["rounds"][record["best"]]["score"] >= record["rounds"][0]["score"]
    search = ("generate", "run", model, sources, "--rescore", 9, "--budget", 9)
    found = good(*search, "--search", "pinc+model", "--search-weights", weights)
    assert found == good(*search, "--search", f"pinc+{float(tuned['model']):f}*model")
    untuned = call(*search, "--search", "pinc+model")
    assert (untuned.code, untuned.err.count(b"\n")) == (0, 1)
    assert b"each term has weight 1, but their scales differ; generate tune --search" in untuned.err
    for options, message in (
        (("--search", "2*pinc+model", "--search-weights", weights), "weights are given both here and"),
        (("--search", "pinc", "--search-weights", weights), "unknown feature 'model'"),
        (("--search-weights", weights), "--search-weights needs --search"),
    ):
        outcome = call(*search[:4], *options)
        assert outcome.code == 2
        assert message in outcome.err.decode()
    outcome = call(*common, "--search", "pinc+model", "--seed", 3)
    assert (outcome.code, b"--seed has no effect with --search" in outcome.err) == (2, True)
    outcome = call(*common, "--rounds", 3)
    assert (outcome.code, b"--rounds needs --search" in outcome.err) == (2, True)


def test_training_tunes_on_a_development_set(good, fails, model, texts, file, tmp_path) -> None:
    sources, references = texts
    pairs = (model.parent / "source.txt", model.parent / "target.txt")
    train = ("generate", "train", "phrase", *pairs, "-a", "systran", "-o", tmp_path / "tuned")
    train += ("--min-similarity", "0", "--min-count", "1", "--significance", "off")
    out = good(*train, "--dev", sources, "--dev-references", references)
    assert " on 3 sentences: " in out
    assert " by tuning; BLEU|" in out
    made = json.loads((tmp_path / "tuned" / "generator.json").read_text())["made"]["tuning"]
    assert made["after"] >= made["before"]
    # The same weights as those of the command that tunes.
    weights = tmp_path / "weights.tsv"
    good("generate", "tune", model, sources, "-r", references, "-o", weights)
    assert (tmp_path / "tuned" / "weights.tsv").read_text() == weights.read_text()
    message = fails(*train, "--dev-metric", "pinc")
    assert message.startswith("--dev-metric needs --dev")
    assert fails(*train, "--dev", sources).startswith("BLEU needs references; give --dev-references")
