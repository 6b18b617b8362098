"""`paragauge grammar pivot` with grammars: labels stay, sides are chosen, mixtures are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

LINKS = "0-0 1-1 2-2 3-3\n0-3 1-0 1-2 2-1\n"
TREES = (
    "(NP (NP (DT the) (NN king)) (PP (IN of) (NP (NNP france))))\n"
    "(NP (NP (NNP france) (POS 's)) (NN king))\n"
)


@pytest.fixture
def grammar(call, tmp_path: Path) -> Path:
    texts = {"en": "the king of france\nfrance 's king\n", "fr": "le roi de france\n" * 2}
    texts |= {"links": LINKS, "trees": TREES}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = ["--trees", tmp_path / "trees", "--labels", "constituents", "-o", tmp_path / "en-fr"]
    files = [tmp_path / "en", tmp_path / "fr", "--alignment", tmp_path / "links"]
    assert call("grammar", "extract", *files, *options).code == 0
    return tmp_path / "en-fr"


def converted(call, folder: Path) -> list[str]:
    assert call("grammar", "convert", folder, "-o", folder.with_suffix(".txt")).code == 0
    text = folder.with_suffix(".txt").read_text(encoding="utf-8")
    return [line.partition(" ||| p_target")[0] for line in text.split("\n")[:-1]]


def test_labels_and_gaps_stay(call, grammar: Path, tmp_path: Path) -> None:
    output = tmp_path / "paraphrases"
    outcome = call("grammar", "pivot", grammar, "--min-count", 1, "-o", output)
    assert outcome.err == f"{output}: 10 rules\n".encode()
    rules = converted(call, output)
    assert "[NP] ||| the [NN,1] of [NNP,2] ||| [NNP,2] 's [NN,1]" in rules
    assert "[NP] ||| france 's king ||| the king of france" in rules
    # Each rule has its inverse, and no rule repeats its source side.
    assert len(rules) == len(set(rules)) == 10


def test_the_other_side(call, grammar: Path, tmp_path: Path) -> None:
    # Both English orders have one French side, so French has no paraphrases.
    output = tmp_path / "french"
    outcome = call("grammar", "pivot", grammar, "--side", "target", "--min-count", 1, "-o", output)
    assert outcome.err == f"{output}: 0 rules\n".encode()


def test_mixtures_are_refused(call, fails, grammar: Path, tmp_path: Path) -> None:
    moses = tmp_path / "moses.txt"
    moses.write_text("a ||| b ||| 0.5 1 1 1 ||| 0-0 ||| 4 2 2 |||\n", encoding="utf-8")
    table = tmp_path / "table"
    assert call("phrases", "convert", moses, table).code == 0
    message = fails("grammar", "pivot", grammar, table, "-o", tmp_path / "out")
    assert f"found both: {grammar} is a grammar, {table} is not; pivot them one after" in message
    message = fails("grammar", "pivot", table, "--side", "target", "-o", tmp_path / "out")
    assert "--side has no effect with phrase tables; leave one of them out" in message
