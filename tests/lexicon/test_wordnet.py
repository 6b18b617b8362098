"""The shipped WordNet 3.0: against WordNet's own library, by hand, and its errors."""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from paragauge.errors import LengthError, SettingError, ShapeError
from paragauge.lexicon.wordnet import WordNet, related_pairs
from paragauge.text.lines import Lines

NET = WordNet.default()

# morphstr of libwordnet 3.0 (Debian wordnet-dev 3.0-37), called for each of these.
MORPHSTR = [
    *(("mice", "n", "mouse"), ("dogs", "n", "dog"), ("boxes", "n", "box"), ("boxesful", "n", "boxful")),
    *(("churches", "n", "church"), ("wishes", "n", "wish"), ("buzzes", "n", "buzz")),
    *(("firemen", "n", "fireman"), ("classes", "n", "class")),
    *(("axes", "n", "ax"), ("aides-de-camp", "n", "aide-de-camp"), ("aboideaux", "n", "aboideau")),
    *(("attorneys_general", "n", "attorney_general"), ("cars", "n", "car"), ("xyzs", "n", None)),
    *(("flies", "v", "fly"), ("went", "v", "go"), ("running", "v", "run"), ("hoped", "v", "hope")),
    *(("baking", "v", "bake"), ("watches", "v", "watch"), ("ran_into", "v", "run_into")),
    *(("asked_for_it", "v", "ask_for_it"), ("gets_rid_of", "v", "get_rid_of")),
    *(("re-elects", "v", "re-elect"), ("found", "v", "find"), ("better", "a", "good")),
    *(("wider", "a", "wide"), ("finest", "a", "fine"), ("backer", "a", None)),
    *(("better", "r", "well"), ("harder", "r", "hard"), ("plantes", "n", None)),
]


@pytest.mark.parametrize(("word", "pos", "base"), MORPHSTR)
def test_base_forms_of_wordnets_own_library(word, pos, base):
    assert NET.morphy(word, pos) == base


@pytest.mark.parametrize(("word", "pos"), [("dog", "n"), ("quickly", "r"), ("us", "n"), ("be", "v")])
def test_a_word_of_wordnet_stays_where_the_library_says_nothing(word, pos):
    assert NET.morphy(word, pos) == word


@pytest.mark.parametrize(
    ("word", "pos", "base"),
    [("glasses", "n", "glass"), ("flies", "n", "fly"), ("larger", "a", "large")],
)
def test_a_word_of_wordnet_changes_where_the_library_changes_it(word, pos, base):
    assert word in NET
    assert NET.morphy(word, pos) == base


def test_every_answer_of_wordnets_own_library(monkeypatch):
    """Many words of the index with endings, all exceptions: what libwordnet's morphstr says."""
    library_name, folder = ctypes.util.find_library("wordnet-3.0"), Path("/usr/share/wordnet")
    if library_name is None or not (folder / "noun.exc").is_file():
        pytest.skip("no libwordnet here; apt-get install wordnet-dev wordnet-base")
    library = ctypes.CDLL(library_name)
    library.morphstr.restype = ctypes.c_char_p
    library.morphstr.argtypes = [ctypes.c_char_p, ctypes.c_int]
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    assert library.wninit() == 0
    exceptions = {
        (line.split()[0], pos): line.split()[1]
        for pos, part in ((1, "noun"), (2, "verb"), (3, "adj"), (4, "adv"))
        # The library finds any of two lines for one form; ours takes the first.
        for line in reversed((folder / f"{part}.exc").read_text().splitlines())
    }
    native = NET._native
    endings = ["s", "es", "ed", "ing", "er", "est", "ful", "men", ""]
    words = [native.word(i) + endings[i % len(endings)] for i in range(0, len(NET), 41)]
    for word, pos in [*((word, pos) for word in words for pos in (1, 2, 3, 4)), *exceptions]:
        known = native.synset(sense)[1] == pos if (sense := _sense(native, word, pos)) >= 0 else False
        answer = library.morphstr(ctypes.create_string_buffer(word.encode(), 256), pos)
        expected = None if answer is None else answer.decode()
        if exceptions.get((word, pos), word) != word:
            expected = exceptions[(word, pos)]
        elif expected is None and known:
            expected = word
        assert native.morphy(word, pos) == expected, (word, pos)


def _sense(native, word, pos):
    """A synset of the word with this part of speech, or -1."""
    own = [sense for sense in native.senses(word).tolist() if native.synset(sense)[1] == pos]
    return own[0] if own else -1


def test_sizes_of_wordnet_3():
    """The counts of wnstats(7WN) of WordNet 3.0: 117,659 synsets; 155,287 words by part of speech."""
    native = NET._native
    assert len(NET) == 147_306
    assert native.synset(117_658)[1] == 4
    with pytest.raises(IndexError):
        native.synset(117_659)
    by_pos = {}
    for number in range(len(NET)):
        for pos in {native.synset(sense)[1] for sense in native.senses(native.word(number)).tolist()}:
            by_pos[pos] = by_pos.get(pos, 0) + 1
    assert by_pos == {1: 117_798, 2: 11_529, 3: 21_479, 4: 4_481}


def test_the_table_and_its_license_ship(repository):
    folder = repository / "src" / "paragauge" / "models" / "wordnet"
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in (folder / "LICENSE").read_text()
    assert "tools/models/make_wordnet.py" in (folder / "MODEL_CARD.md").read_text()
    data = (folder / "english-3.0.bin").read_bytes()[12:]  # after name and checksum
    # What tools/models/make_wordnet.py writes; a change of the format or of the script must renew it.
    assert hashlib.sha256(data).hexdigest().startswith("2ec95af696aa0bae")


def test_synsets():
    # As wn.synsets('dog') of NLTK numbers them.
    assert NET.synsets("dog") == [
        *("02084071-n", "10114209-n", "10023039-n", "09886220-n"),
        *("07676602-n", "03901548-n", "02710044-n", "02001858-v"),
    ]
    assert NET.synsets("Dog", "v") == ["02001858-v"]
    assert NET.synsets("dog", "r") == NET.synsets("qwzx") == []
    assert "dog" in NET
    assert "qwzx" not in NET


def test_synonyms():
    assert NET.synonyms("gun") >= {"gun", "artillery", "shooter", "gas_pedal"}
    assert NET.synonyms("GUN") == NET.synonyms("gun")
    assert NET.synonyms("qwzx") == frozenset()
    assert NET.synonyms("") == frozenset()


@pytest.mark.parametrize(
    ("a", "b", "shared", "synset"),
    [
        ("big", "large", True, True),
        ("car", "automobile", True, True),
        ("kill", "start", True, False),  # both are synonyms of pop
        ("car", "green", False, False),
        ("qwzx", "Qwzx", True, True),
        ("qwzx", "qwzy", False, False),
        ("ice cream", "icecream", True, True),
        ("cars", "automobile", False, False),
    ],
)
def test_related(a, b, shared, synset):
    assert NET.are_related(a, b) is NET.are_related(b, a) is shared
    assert NET.are_related(a, b, "synset") is synset


def test_related_by_base_forms():
    assert NET.are_related("cars", "automobile", "forms")
    assert NET.are_related("bought", "purchases", "forms")
    assert NET.are_related("qwzx", "qwzx", "forms")
    # leave of absence is a synset of the noun leave only; left comes from the verb.
    assert not NET.are_related("left", "furlough", "forms")
    assert NET.are_related("leave", "leave_of_absence", "forms")


def test_sets_agree_with_related():
    words = ["big", "large", "car", "auto", "kill", "start", "pop", "home", "qwzx", "qwzy"]
    lines = Lines.of(words)
    left, right = (side.ravel() for side in np.meshgrid(np.arange(len(words)), np.arange(len(words))))
    for how in ("shared", "synset", "forms"):
        sets = NET.synonym_sets(lines, how)
        assert all(np.array_equal(row, np.unique(row)) for row in sets)
        expected = [NET.are_related(words[a], words[b], how) for a, b in zip(left, right, strict=True)]
        assert related_pairs(sets, left, right).tolist() == expected


def test_lemmatize():
    lines = Lines.of(["The Mice were RUNNING faster", "", "ΣΑΣ Häuser 🙂 better"])
    pos = np.array([0, 1, 2, 2, 4, 1, 1, 0, 3], np.int8)
    expected = ["the mouse be run faster", "", "σας häuser 🙂 good"]
    for threads in (0, 1, 3):
        assert list(NET.lemmatize(lines, pos, threads)) == expected
    assert list(NET.lemmatize(Lines.of([]), np.array([]))) == []
    # Any part of speech, nouns first: was is found as the plural of the noun wa.
    anyhow = NET.lemmatize(Lines.of(["mice were running was qqq"]), np.full(5, 5))
    assert list(anyhow) == ["mouse be run wa qqq"]


def test_errors():
    lines = Lines.of(["a b", "c"])
    with pytest.raises(
        LengthError, match="pos: expected one code for each of the 3 tokens, found 2; tokens"
    ):
        NET.lemmatize(lines, np.array([0, 0]))
    with pytest.raises(SettingError, match=r"pos: expected codes from 0 to 5 .* found -1 to 6"):
        NET.lemmatize(lines, np.array([0, -1, 6]))
    with pytest.raises(ShapeError, match="one-dimensional array of integers"):
        NET.lemmatize(lines, np.array([0.5, 1, 2]))
    with pytest.raises(SettingError, match=r"unknown relation 'sharde'; did you mean 'shared'\?"):
        NET.synonym_sets(lines, "sharde")
    with pytest.raises(SettingError, match="unknown part of speech 'x'; known: n, v, a, r"):
        NET.morphy("dog", "x")
    with pytest.raises(SettingError, match="unknown part of speech ''"):
        NET.synsets("dog", "")
    wrong = (
        ("\ud800", "word: segment 1"),
        (3, "word: segment 1"),
        (None, r"word: missing text \(None\)"),
    )
    for bad, message in wrong:
        for ask in (NET.synonyms, NET.synsets, NET.__contains__, lambda word: NET.morphy(word, "n")):
            with pytest.raises(ShapeError, match=message):
                ask(bad)
        with pytest.raises(ShapeError, match=message):
            NET.are_related("a", bad)
    with pytest.raises(SettingError, match="threads"):
        NET.lemmatize(lines, np.zeros(3, np.int8), threads=-1)
    with pytest.raises(ShapeError, match="rows of the sets, which are 2"):
        related_pairs(NET.synonym_sets(lines), np.array([0]), np.array([2]))


def test_nothing_is_said_when_the_interpreter_ends():
    code = "from paragauge.lexicon.wordnet import WordNet; net = WordNet.default(); print(net)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"WordNet(3.0, 147306 words)\n"
    assert done.stderr == b""
