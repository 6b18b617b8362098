"""English metrics say at the first line that a text is in another script, once, on standard error."""

from __future__ import annotations

import pytest

CHINESE = "\u732b\u5750\u5728\u57ab\u5b50\u4e0a\u3002"
NOTE = (
    "paragauge: the first line of references, candidates of mine is not in Latin script, but "
    "meteor is made for English\n"
)


@pytest.fixture
def texts(tmp_path):
    for name in ("mine.txt", "refs.txt"):
        (tmp_path / name).write_text(f"{CHINESE}\n" * 5, encoding="utf-8")
    return ("-r", tmp_path / "refs.txt", "-c", tmp_path / "mine.txt", "--bootstrap", "0")


def test_chinese_in_an_english_metric_is_noted_once(call, texts) -> None:
    done = call("score", *texts, "-m", "meteor,bleu")
    assert (done.code, done.err.decode()) == (0, NOTE)
    picked = call("score", *texts, "-m", "meteor", "--pick", "best")
    assert "meteor:pick=best is made for English" in picked.err.decode()


def test_no_note_for_other_metrics_and_other_first_lines(good, texts, tmp_path) -> None:
    good("score", *texts, "-m", "bleu,meteor:stages=exact")
    for name in ("mine.txt", "refs.txt"):
        (tmp_path / name).write_text(
            f"na\u00efve caf\u00e9 {CHINESE[:2]}\n{CHINESE}\n", encoding="utf-8"
        )
    good("score", *texts, "-m", "meteor")


def test_ratings_and_explanations_note_it_too(call, texts, tmp_path) -> None:
    rows = "".join(f"{n}\tmine\t{n % 3}\n" for n in range(1, 6))
    (tmp_path / "ratings.tsv").write_text("segment\tsystem\tgrade\n" + rows)
    words = ("meta", tmp_path / "ratings.tsv", *texts, "--view", "pooled", "--test", "none")
    done = call(*words, "-m", "meteor,bleu")
    assert (done.code, done.err.decode()) == (0, NOTE.replace("candidates of mine", "candidates"))
    assert call(*words, "-m", "bleu").err == b""
    sides = ("--reference", CHINESE, "--candidate", CHINESE)
    note = (
        "the first line of reference, candidate is not in Latin script, but meteor is made for English"
    )
    assert note in call("explain", "-m", "meteor", *sides).err.decode()
    assert call("explain", "-m", "bleu", *sides).err == b""
