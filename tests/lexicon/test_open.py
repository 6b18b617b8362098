"""Other WordNets: Princeton's files in a folder or a zip, WN-LMF, and what is none of them."""

from __future__ import annotations

import gzip
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, ShapeError
from paragauge.lexicon.wordnet import WordNet, load
from paragauge.text.lines import Lines


def check_small(net: WordNet) -> None:
    assert len(net) == 9
    assert net.synsets("car") == ["00000100-n", "00000200-n"]
    assert net.synonyms("CAR") == {"car", "automobile", "railcar"}
    assert net.synonyms("ice cream") == net.synonyms("ice_cream") == {"ice_cream"}
    assert "Pferd" in net
    # Offset 100 is a noun's and a verb's synset.
    assert net.synonyms("drive") == {"drive"}
    assert net.are_related("large", "big", "synset")
    assert net.are_related("automobile", "railcar")
    assert not net.are_related("automobile", "railcar", "synset")
    assert [net.morphy("mice", "n"), net.morphy("drove", "v"), net.morphy("bigger", "a")] == [
        "mouse",
        "drive",
        "big",
    ]


def test_princeton_files_in_a_folder(princeton: Path) -> None:
    net = WordNet.open(princeton)
    check_small(net)
    assert net.version == "9.9"
    assert re.fullmatch(r"9\.9-[0-9a-f]{8}", net.name)


def test_princeton_files_in_a_folder_called_dict(princeton: Path, tmp_path: Path) -> None:
    outer = tmp_path / "WordNet-9.9"
    outer.mkdir()
    princeton.rename(outer / "dict")
    check_small(WordNet.open(outer))


def test_princeton_files_in_an_archive(archive: Path, princeton: Path) -> None:
    check_small(WordNet.open(archive))
    assert WordNet.open(archive).name == WordNet.open(str(princeton)).name


def test_windows_line_ends(princeton: Path) -> None:
    for path in princeton.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    check_small(WordNet.open(princeton))


def test_lmf(lmf: Path) -> None:
    net = WordNet.open(lmf)
    check_small(net)
    assert net.version == "small-2020"
    assert "ouch" not in net


def test_compressed_lmf(lmf: Path, tmp_path: Path) -> None:
    packed = tmp_path / "small.xml.gz"
    packed.write_bytes(gzip.compress(lmf.read_bytes()))
    check_small(WordNet.open(packed))


def test_the_last_ones_stay_open(princeton: Path) -> None:
    assert load(str(princeton)) is load(str(princeton))
    assert load("3.0") is WordNet.default()


def message_of(path: Path) -> str:
    with pytest.raises(FileFormatError) as caught:
        WordNet.open(path)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), "PATH")


def test_a_place_without_wordnet(tmp_path: Path) -> None:
    expected = (
        "PATH: no WordNet there: expected index.noun, noun.exc and so on in a folder or a .zip, or "
        "an .xml file (WN-LMF); give the folder that holds index.noun"
    )
    assert message_of(tmp_path) == expected
    text = tmp_path / "a.txt"
    text.write_text("dog\n")
    assert message_of(text) == expected
    empty = tmp_path / "empty.zip"
    with zipfile.ZipFile(empty, "w") as out:
        out.writestr("readme", "x")
    assert message_of(empty) == expected
    assert message_of(tmp_path / "none") == "PATH: no such file; check the path"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "index.verb",
            "go v 2 0 2 0 00000001\n",
            (
                "PATH/index.verb:1: expected 'lemma pos synset_cnt p_cnt [ptr_symbol...] sense_cnt "
                "tagsense_cnt synset_offset...', found 7 fields: 'go v 2 0 2 0 00000001'"
            ),
        ),
        (
            "index.verb",
            "go v 1 0 1 0 0000000x\n",
            "PATH/index.verb:1: expected a synset offset of up to nine digits, found '0000000x'",
        ),
        (
            "index.adj",
            "\nbig a 1 0 1 0 00000001\nbig a 1 0 1 0 00000002\n",
            "PATH/index.adj:3: 'big' is listed twice; expected it once",
        ),
        (
            "noun.exc",
            "mice mouse\ngeese\n",
            "PATH/noun.exc:2: expected a form and its base forms, found only 'geese'",
        ),
    ],
)
def test_broken_princeton_files(princeton: Path, name: str, text: str, expected: str) -> None:
    (princeton / name).write_text(text)
    assert message_of(princeton) == expected


def test_missing_and_undecodable_files(princeton: Path) -> None:
    (princeton / "adv.exc").write_bytes(b"ok fine\n\xff\xfe x\n")
    assert message_of(princeton) == "PATH/adv.exc:2: expected UTF-8 text; convert the file"
    (princeton / "adv.exc").unlink()
    assert message_of(princeton) == "PATH/adv.exc: no such file; check the path"


def test_damaged_archives(archive: Path) -> None:
    data = bytearray(archive.read_bytes())
    at = data.index(b"wordnet/index.noun") + 40
    data[at : at + 8] = b"\xff" * 8
    archive.write_bytes(data)
    assert "damaged zip archive" in message_of(archive)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("</Lexicon>", "", "PATH:27: no well-formed XML (mismatched tag); download it again"),
        (
            'writtenForm="railcar" ',
            "",
            "PATH:9: expected an attribute writtenForm of Lemma, found ['partOfSpeech']",
        ),
        ('"mice"', '"  "', "PATH:13: expected a word in writtenForm of Form, found spaces"),
        (
            '<Lemma writtenForm="car" partOfSpeech="n"/>',
            "",
            "PATH:6: expected a Lemma before the first Sense of a LexicalEntry, found none",
        ),
    ],
)
def test_broken_lmf(lmf: Path, old: str, new: str, expected: str) -> None:
    lmf.write_text(lmf.read_text().replace(old, new))
    assert message_of(lmf) == expected


def test_other_xml(tmp_path: Path) -> None:
    path = tmp_path / "page.xml"
    path.write_text("<html><body/></html>")
    assert (
        message_of(path)
        == "PATH: expected WN-LMF with LexicalEntry elements that have senses, found none"
    )


def test_entities_that_grow_without_end(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    path = tmp_path / "bomb.xml"
    path.write_text(f'<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">{entities}]><x>&e11;</x>')
    assert "no well-formed XML" in message_of(path)


def test_an_entry_with_many_senses(tmp_path: Path) -> None:
    senses = "".join(f'<Sense synset="x-{i:08d}-n"/>' for i in range(50_000))
    path = tmp_path / "many.xml"
    path.write_text(
        f'<L><LexicalEntry><Lemma writtenForm="a" partOfSpeech="n"/>{senses}</LexicalEntry></L>'
    )
    assert len(WordNet.open(path).synsets("a")) == 50_000


def opens_or_refuses(path: Path) -> None:
    try:
        WordNet.open(path).synonyms("car")
    except FileFormatError as error:
        assert str(path) in str(error)  # noqa: PT017


@settings(max_examples=150)
@given(
    st.binary(max_size=80),
    st.integers(0, 10_000),
    st.sampled_from(["xml", "gz", "zip", "index", "exc"]),
)
def test_random_damage(
    tmp_path_factory, princeton, archive, lmf, noise: bytes, at: int, kind: str
) -> None:
    """Bytes in the middle, cut at the end, on every reader: an error of ours or a result."""
    sources = {
        "xml": lmf.read_bytes(),
        "gz": gzip.compress(lmf.read_bytes()),
        "zip": archive.read_bytes(),
        "index": (princeton / "index.noun").read_bytes(),
        "exc": (princeton / "noun.exc").read_bytes(),
    }
    good = sources[kind]
    at %= len(good) + 1
    folder = tmp_path_factory.mktemp("damage")
    for data in (good[:at] + noise + good[at:], good[:at] + noise, noise):
        target = folder / f"x.{kind}"
        if kind in ("index", "exc"):
            for path in princeton.iterdir():
                (folder / path.name).write_bytes(path.read_bytes())
            target = folder / ("index.noun" if kind == "index" else "noun.exc")
        target.write_bytes(data)
        opens_or_refuses(folder if kind in ("index", "exc") else target)


def test_long_lines_and_nulls(princeton: Path) -> None:
    (princeton / "noun.exc").write_text("a" * 2_000_000 + " b\n" + "\x00 c\n")
    (princeton / "index.adv").write_text("x" * 2_000_000)
    assert "found 1 field: 'xxx" in message_of(princeton)
    (princeton / "index.adv").write_text("")
    assert WordNet.open(princeton).morphy("a" * 2_000_000, "n") == "b"


def test_a_table_that_is_none() -> None:
    with pytest.raises(ShapeError, match="no WordNet table: it starts differently; make it with"):
        WordNet(np.zeros(100, np.uint8))


def test_lines_of_another_wordnet(princeton: Path) -> None:
    net = WordNet.open(princeton)
    assert list(net.lemmatize(Lines.of(["Mice DROVE"]), np.array([1, 2]))) == ["mouse drive"]
