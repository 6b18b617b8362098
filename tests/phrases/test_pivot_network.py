"""Pivots: the paper's worked examples, settings, and the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.phrases.pivot_bags import precision_recall_f1
from paragauge.phrases.pivot_network import NetworkSettings, Pivot
from paragauge.text.lines import Lines

# Liu, Dahlmeier and Ng 2010, section 4.3. The probabilities are those of the text; the phrase table of
# the authors is not given, so counts are chosen to give them and the segmentations.
GREETINGS = {
    "Morning , sir .": {"Bonjour , monsieur .": 4},
    "Hello ,": {"Bonjour ,": 9, "Salut ,": 1},
    ".": {".": 30},
}
PAPER = NetworkSettings(edge=0.0)


def f1(pivot: Pivot, left: str, right: str, settings: NetworkSettings = PAPER) -> float:
    from collections import Counter

    ours, theirs = pivot.bag(left, settings), pivot.bag(right, settings)
    shared = sum((Counter(ours) & Counter(theirs)).values())
    return float(precision_recall_f1(np.array([shared, sum(ours.values()), sum(theirs.values())]))[2])


def test_the_bags_of_the_paper() -> None:
    pivot = Pivot.of(GREETINGS, "fr")
    assert [part.phrase for part in pivot.network("Hello , Querrien .", PAPER)] == [
        "Hello ,",
        "Querrien",
        ".",
    ]
    assert pivot.bag("Hello , Querrien .", PAPER) == {
        "Bonjour": 0.9,
        "Salut": 0.1,
        ",": 1.0,
        "Querrien": 1.0,
        ".": 1.0,
        "Bonjour ,": 0.9,
        "Salut ,": 0.1,
        ", Querrien": 1.0,
        "Querrien .": 1.0,
        "Bonjour , Querrien": 0.9,
        "Salut , Querrien": 0.1,
        ", Querrien .": 1.0,
        "Bonjour , Querrien .": 0.9,
        "Salut , Querrien .": 0.1,
    }
    assert pivot.bag("Morning , sir .", PAPER) == {
        "Bonjour": 1.0,
        ",": 1.0,
        "monsieur": 1.0,
        ".": 1.0,
        "Bonjour ,": 1.0,
        ", monsieur": 1.0,
        "monsieur .": 1.0,
        "Bonjour , monsieur": 1.0,
        ", monsieur .": 1.0,
        "Bonjour , monsieur .": 1.0,
    }


def test_the_agreement_of_the_paper_is_038() -> None:
    pivot = Pivot.of(GREETINGS, "fr")
    assert f1(pivot, "Hello , Querrien .", "Morning , sir .") == 0.38
    assert f1(pivot, "Morning , sir .", "Hello , Querrien .") == 0.38


def test_the_same_through_the_kernel_that_compares() -> None:
    pivot = Pivot.of(GREETINGS, "fr")
    sentences = ["Hello , Querrien .", "Morning , sir ."]
    words = list(dict.fromkeys(" ".join(sentences).split(" ")))
    numbers = dict(zip(words, pivot.numbers(Lines.of(words)).tolist(), strict=True))
    from paragauge.text.ragged import Ragged

    bags = pivot.bags(Ragged.from_lists([[numbers[w] for w in s.split(" ")] for s in sentences]), PAPER)
    overlaps = bags.overlaps(bags, np.array([0, 0]), np.array([1, 0]))
    assert overlaps[0].sum(axis=0).tolist() == pytest.approx([3.8, 10.0, 10.0], abs=1e-12)
    assert precision_recall_f1(overlaps.sum(axis=1))[:, 2].tolist() == pytest.approx([0.38, 1.0])
    # Order by order: Bonjour, the comma and the full stop; then "Bonjour ,".
    assert overlaps[0, :, 0].tolist() == pytest.approx([2.9, 0.9, 0.0, 0.0])


def test_the_segmentation_of_the_sihanouk_example() -> None:
    phrases = ["put forth", "this proposal", "in", "a statement", "made", "yesterday", "."]
    phrases += ["put forward", "in his", "'s statement", "put", "this", "proposal", "statement", "his"]
    pivot = Pivot.of(
        {phrase: {phrase.replace(" ", "_"): 5} for phrase in phrases}
        | {"put forth": {"ti2 chu1": 5}, "put forward": {"ti2 chu1": 4, "ti2": 1}},
        "zh",
    )

    def cut(sentence: str) -> str:
        return " ||| ".join(part.phrase for part in pivot.network(sentence, NetworkSettings()))

    reference = "sihanouk put forth this proposal in a statement made yesterday ."
    paraphrase = "shihanuk put forward this proposal in his yesterday 's statement ."
    assert cut(reference) == (
        "sihanouk ||| put forth ||| this proposal ||| in ||| a statement ||| made ||| yesterday ||| ."
    )
    assert cut(paraphrase) == (
        "shihanuk ||| put forward ||| this proposal ||| in his ||| yesterday ||| 's statement ||| ."
    )
    # The two verbs meet in the pivot language.
    both = [pivot.bag(sentence, NetworkSettings()) for sentence in (reference, paraphrase)]
    assert [bag["ti2 chu1"] for bag in both] == [1.0, 0.8]


def settings(**changed: Any) -> NetworkSettings:
    """Edges as the table has them, unless a test wants them scaled."""
    return NetworkSettings(**{"renormalize": False, **changed})


COUNTS = {"a": {"x": 90, "y": 10}, "b": {f"t{i}": 1 for i in range(12)}, "c d": {"z": 3}}


@pytest.mark.parametrize(
    ("chosen", "bag"),
    [
        (settings(order=1), {"x": 0.9, "t0": 1 / 12, "z": 1.0}),
        (settings(order=1, renormalize=True), {"x": 1.0, "t0": 1.0, "z": 1.0}),
        (settings(order=1, empty="pass"), {"x": 0.9, "b": 1.0, "z": 1.0}),
        (settings(order=1, empty="cut"), {"x": 0.9, "z": 1.0}),
        (settings(order=2, empty="cut"), {"x": 0.9, "z": 1.0}),
        (settings(order=1, edge=0.05, gram=0.2, empty="cut"), {"x": 0.9, "z": 1.0}),
        (settings(order=1, longest=1, empty="cut"), {"x": 0.9, "c": 1.0, "d": 1.0}),
    ],
)
def test_pruning_and_what_is_left_of_a_phrase_without_edges(
    chosen: NetworkSettings, bag: dict[str, float]
) -> None:
    assert Pivot.of(COUNTS, "fr").bag("a b c d", chosen) == pytest.approx(bag)


def test_a_cut_network_has_no_ngrams_over_the_cut() -> None:
    bag = Pivot.of(COUNTS, "fr").bag("a b a", settings(edge=0.2, empty="cut"))
    assert bag == {"x": 1.8}


def test_rare_phrases_and_improbable_edges_are_dropped_on_request() -> None:
    pivot = Pivot.of(COUNTS, "fr", least=10, floor=0.1)
    assert (len(pivot), len(pivot.arrays.targets)) == (2, 2)
    assert pivot.arrays.total == 115
    with pytest.raises(
        SettingError, match=r"edge: the pivot fr holds edges above 0\.1 only, found 0\.05"
    ):
        pivot.bag("a", NetworkSettings(edge=0.05))
    with pytest.raises(InputError, match="fr: expected a phrase that was extracted 1000 times, found"):
        Pivot.of(COUNTS, "fr", least=1000)
    with pytest.raises(InputError, match="expected phrase pairs, found none"):
        Pivot.of({}, "fr")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"edge": 1.0}, "edge: expected a number from 0 to below 1, found 1.0"),
        ({"gram": -1}, "gram: expected a number from 0 to below 1, found -1"),
        ({"order": 5}, "order: expected a whole number from 1 to 4, found 5"),
        ({"longest": 0}, "longest: expected a whole number from 1, found 0"),
        ({"empty": "passs"}, "unknown treatment of empty phrases 'passs'; did you mean 'pass'?"),
    ],
)
def test_settings_say_what_they_take(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        NetworkSettings(**settings)  # type: ignore[arg-type]


def test_a_saved_pivot_is_the_same(tmp_path: Path) -> None:
    sides = Lines.of(["a b", "c d a", "a"]), Lines.of(["x x", "z x", "y"])
    pivot = Pivot.of(
        {**COUNTS, "日 本": {"Japón 🎌": 2}}, "fr", sentences=sides, about={"made": "here"}
    )
    pivot.save(tmp_path / "fr.bin")
    again = Pivot.load(tmp_path / "fr.bin")
    assert again.fingerprint == pivot.fingerprint
    assert again.arrays.about == {"made": "here"}
    settings = NetworkSettings(edge=0.0)
    for sentence in ("a b c d e", "日 本 a", ""):
        assert again.bag(sentence, settings) == pivot.bag(sentence, settings)
        assert again.network(sentence, settings) == pivot.network(sentence, settings)
    words = {word: i for i, word in enumerate(again.arrays.words)}
    assert again.arrays.documents[words["x"]] == 2
    assert again.arrays.source_documents[words["a"]] == 3
    assert again.arrays.sentences == 3
    weights, other = again.word_weights()
    assert weights[words["x"]] == pytest.approx(np.log(4 / 2.5))
    assert other == pytest.approx(np.log(4 / 0.5))
    pivot.save(tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "fr.bin").read_bytes()


def test_another_count_is_another_fingerprint() -> None:
    one, two = Pivot.of({"a": {"x": 1}}, "fr"), Pivot.of({"a": {"x": 2}}, "fr")
    assert len({one.fingerprint, two.fingerprint, Pivot.of({"a": {"x": 1}}, "de").fingerprint}) == 3


def test_a_file_that_is_no_pivot(tmp_path: Path) -> None:
    path = tmp_path / "fr.bin"
    with pytest.raises(FileFormatError, match="no such file"):
        Pivot.load(path)
    path.write_bytes(b"hello")
    with pytest.raises(FileFormatError, match="expected a pivot written by paragauge, found another"):
        Pivot.load(path)


def test_damage_is_an_error_never_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "fr.bin"
    Pivot.of(COUNTS, "fr").save(path)
    whole = path.read_bytes()
    random = np.random.default_rng(7)
    for size in random.integers(0, len(whole), 60).tolist():
        path.write_bytes(whole[:size])
        with pytest.raises(FileFormatError):
            Pivot.load(path)
    import zlib

    for _ in range(300):
        damaged = bytearray(whole)
        for at in random.integers(16, len(whole), 3).tolist():
            damaged[at] = int(random.integers(0, 256))
        # With a right checksum the damage reaches the reader of the parts.
        damaged[8:12] = zlib.crc32(bytes(damaged[12:])).to_bytes(4, "little")
        path.write_bytes(bytes(damaged))
        try:
            Pivot.load(path).bag("a b c d", NetworkSettings(edge=0.5))
        except (FileFormatError, SettingError):
            continue


def test_a_long_sentence_selects_the_edges_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pivot = Pivot.of({"a": {"x": 3, "y": 1}, "b": {"z": 1}}, "fr")
    calls = []
    select = pivot._edges
    monkeypatch.setattr(pivot, "_edges", lambda settings: calls.append(1) or select(settings))
    assert len(pivot.network("a b c " * 50 + "a", NetworkSettings())) == 151
    assert len(calls) <= 2
