"""Control systems of Liu et al. (2010): what they write, and that draws depend on the seed only."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, SettingError, ShapeError
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.metrics.control_systems import (
    CRITERIA,
    PAPER_KINDS,
    control_ratings,
    controls,
    write_controls,
)

SOURCES = ["the cat sat", "a dog ran away", "it rains", "birds sing in the morning"]


def test_copy():
    assert controls(SOURCES)["copy"] == SOURCES


@given(st.lists(st.sampled_from(["a", "b", "c d", ""]), min_size=2, max_size=8), st.integers(0, 50))
def test_random_is_another_sentence_of_the_domain(sources, seed):
    if len(set(sources)) == 1:
        with pytest.raises(InputError) as caught:
            controls(sources, ["random"], seed=seed)
        assert str(caught.value) == (
            "source 1: the domain has no other sentence than the source itself; "
            "give a larger domain text"
        )
        return
    sentences = controls(sources, ["random"], seed=seed)["random"]
    assert len(sentences) == len(sources)
    assert all(
        text in sources and text != source for text, source in zip(sentences, sources, strict=True)
    )


def test_a_domain_of_its_own():
    domain = ["x y", "z"]
    systems = controls(SOURCES * 20, domain=iter(domain))
    assert set(systems["random"]) == set(domain)
    assert {word for text in systems["unigram"] for word in text.split()} == {"x", "y", "z"}


def test_unigram_follows_the_model():
    # Words: 3 x, 1 y; two sentences end. Of 6 events x has 1/2, y 1/6, the end 1/3. An empty sentence
    # is drawn again, so that the mean length is 1 / (1/3) = 3.
    sentences = controls(["s"] * 6000, ["unigram"], domain=["x x y", "x"])["unigram"]
    words = Counter(word for text in sentences for word in text.split())
    assert set(words) == {"x", "y"}
    assert words["x"] / words.total() == pytest.approx(0.75, abs=0.02)
    assert words.total() / 6000 == pytest.approx(3, abs=0.15)
    assert min(len(text.split()) for text in sentences) == 1


def test_unigram_of_the_sources_length():
    sentences = controls([*SOURCES, ""], ["unigram"], length="source")["unigram"]
    assert [len(text.split()) for text in sentences] == [3, 4, 2, 5, 0]


def test_draws_depend_on_the_seed_only():
    every = controls(SOURCES * 5)
    assert controls(SOURCES * 5, ["unigram", "random"]) == {
        kind: every[kind] for kind in ("unigram", "random")
    }
    other = controls(SOURCES * 5, seed=8)
    assert other["copy"] == every["copy"]
    assert other["random"] != every["random"]
    assert other["unigram"] != every["unigram"]


def test_ratings_are_those_of_the_paper():
    rows = control_ratings(2)
    assert len(rows) == 6
    judgments = {row["system"]: tuple(row[name] for name in CRITERIA) for row in rows[:3]}
    assert judgments == {"copy": (5, 5, 1, 2), "random": (1, 5, 5, 1), "unigram": (1, 1, 5, 1)}
    assert [row["segment"] for row in rows] == ["1", "1", "1", "2", "2", "2"]
    assert {row["judge"] for row in rows} == {"control"}


def test_ratings_on_another_scale():
    (row,) = control_ratings(1, ["copy"], scale=(0, 100))
    assert [row[name] for name in CRITERIA] == [100, 100, 0, 25]
    (row,) = control_ratings(1, ["copy"], scale=(1, 4))
    assert row["overall"] == 1.75


@pytest.mark.parametrize("scale", [(5, 1), (1, 1), (0, float("nan")), (0, float("inf"))])
def test_no_scale(scale):
    with pytest.raises(SettingError) as caught:
        control_ratings(1, scale=scale)
    assert "expected a scale from a smaller to a larger number" in str(caught.value)


@pytest.mark.parametrize(
    ("sources", "settings", "message"),
    [
        ([], {}, "expected at least one source sentence, found none"),
        (
            ["a"],
            {"kinds": ["random"], "domain": []},
            "the domain text is empty; give one with sentences",
        ),
        (
            ["a"],
            {"kinds": ["unigram"], "domain": ["", " "]},
            "the domain text has no words; give one with sentences",
        ),
        (
            ["a"],
            {"kinds": ["unigarm"]},
            "unknown kind of control 'unigarm'; did you mean 'unigram'? known: copy, random, unigram",
        ),
        (["a"], {"kinds": []}, "expected kinds of controls, each once, found none"),
        (["a"], {"kinds": ["copy", "copy"]}, "expected kinds of controls, each once, found copy, copy"),
        (["a"], {"length": "mine"}, "unknown kind of length 'mine'; known: model, source"),
        (["a"], {"seed": -1}, "seed: expected a whole number from 0 to"),
    ],
)
def test_errors(sources, settings, message):
    with pytest.raises((InputError, SettingError)) as caught:
        controls(sources, **settings)
    assert str(caught.value).startswith(message)


def test_written_files(tmp_path):
    folder = tmp_path / "controls"
    systems = controls(SOURCES)
    paths = write_controls(folder, systems)
    assert [path.name for path in paths] == ["copy.txt", "random.txt", "unigram.txt", "ratings.tsv"]
    for kind in PAPER_KINDS:
        lines = (folder / f"{kind}.txt").read_text(encoding="utf-8").split("\n")
        assert lines == [*systems[kind], ""]
    judged = read_evalset(folder / "ratings.tsv")
    assert (judged.systems, judged.judges, judged.criteria) == (PAPER_KINDS, ("control",), CRITERIA)
    assert judged.means("overall").tolist() == [2, 1, 1] * 4


def test_nothing_is_written_over(tmp_path):
    systems = controls(SOURCES)
    (tmp_path / "random.txt").write_text("mine\n")
    with pytest.raises(FileFormatError) as caught:
        write_controls(tmp_path, systems)
    assert str(caught.value) == (
        f"{tmp_path / 'random.txt'}: the file exists; choose another folder, or force it"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["random.txt"]
    write_controls(tmp_path, systems, force=True)
    assert (tmp_path / "random.txt").read_text(encoding="utf-8") != "mine\n"


def test_folders_with_other_files_are_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine\n")
    with pytest.raises(FileFormatError) as caught:
        write_controls(tmp_path, controls(SOURCES))
    assert str(caught.value) == (
        f"{tmp_path}: expected a new or empty folder, found one with other files, such as mine.txt; "
        "choose another folder, or force it"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    write_controls(tmp_path, controls(SOURCES), force=True)
    assert (tmp_path / "mine.txt").read_text() == "mine\n"


def test_unwritable(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileFormatError):
        write_controls(tmp_path / "file", controls(SOURCES))
    with pytest.raises(InputError) as caught:
        write_controls(tmp_path / "out", {"copy": ["a\nb"]})
    assert str(caught.value) == (
        "copy.txt: expected sentences without line breaks, found one with a line break"
    )
    assert not (tmp_path / "out").exists()


def test_scrambled_sources_have_the_same_words() -> None:
    sentences = controls(SOURCES, ["scrambled"])["scrambled"]
    assert [sorted(text.split()) for text in sentences] == [sorted(text.split()) for text in SOURCES]
    assert sentences != SOURCES
    assert controls(SOURCES, ["scrambled"])["scrambled"] == sentences
    assert control_ratings(1, ["scrambled"])[0]["overall"] == 1


def test_sources_are_a_column_of_texts() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"src": ["a b", "c d"]})
    assert controls(frame["src"], ["copy"]) == {"copy": ["a b", "c d"]}
    for wrong in (frame, {"a b", "c d"}, "a b", ["a b", None]):
        with pytest.raises(ShapeError, match=r"sources: (expected|missing text)"):
            controls(wrong, ["copy"])
    with pytest.raises(ShapeError, match="domain: expected one column"):
        controls(["a b"], ["random"], domain=frame)
