"""CoNLL-U: what is read, what is refused and where, and that writing and reading are inverse."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError, ParagaugeError
from paragauge.syntax.conllu import conllu_block, read_conllu, write_conllu
from paragauge.syntax.sentence import Sentence

EXAMPLE = """\
# sent_id = 1
# text = They don't sleep (much).
1\tThey\tthey\tPRON\tPRP\tCase=Nom\t4\tnsubj\t4:nsubj\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\t_
4\tsleep\tsleep\tVERB\tVB\t_\t0\troot\t0:root\t_
4.1\tsleep\tsleep\tVERB\tVB\t_\t_\t_\t0:root\t_
5\t(\t(\tPUNCT\t-LRB-\t_\t6\tpunct\t_\tSpaceAfter=No
6\tmuch\tmuch\tADV\tRB\t_\t4\tadvmod\t_\tSpaceAfter=No|X=1
7\t)\t)\tPUNCT\t-RRB-\t_\t6\tpunct\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# a comment alone

1\tYes\t_\t_\tUH\t_\t_\t_\t_\t_
2\t!\t_\t_\t.\t_\t_\t_\t_\t_
"""


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_by_hand(tmp_path: Path, ends: str) -> None:
    path = write(tmp_path / "a.conllu", EXAMPLE.replace("\n", ends))
    first, second = read_conllu(path)
    assert first.text == "They don't sleep (much)."
    assert (first.line, second.line) == (1, 16)
    assert first.words == ("They", "do", "n't", "sleep", "(", "much", ")", ".")
    assert first.tags == ("PRP", "VBP", "RB", "VB", "-LRB-", "RB", "-RRB-", ".")
    assert first.universal[:2] == ("PRON", "AUX")
    assert first.lemmas is not None
    assert first.lemmas[:3] == ("they", "do", "not")
    assert first.heads == (4, 4, 4, 0, 6, 4, 6, 4)
    assert first.relations is not None
    assert first.relations[:2] == ("nsubj", "aux")
    assert second.text == "Yes !"
    assert second.sentence() == Sentence(("Yes", "!"), ("UH", "."))


def test_the_text_is_put_together_from_the_forms(tmp_path: Path) -> None:
    text = EXAMPLE.replace("# text = They don't sleep (much).\n", "")
    assert next(read_conllu(write(tmp_path / "a", text))).text == "They don't sleep (much)."


def test_a_single_word_without_lemma_keeps_its_form(tmp_path: Path) -> None:
    text = EXAMPLE.replace("1\tThey\tthey", "1\tThey\t_")
    lemmas = next(read_conllu(write(tmp_path / "a", text))).lemmas
    assert lemmas is not None
    assert lemmas[0] == "They"


def row(*fields: str) -> str:
    return "\t".join(fields) + "\n"


WORD = ("1", "Yes", "yes", "INTJ", "UH", "_", "0", "root", "_", "_")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "\n" + row(*WORD) + "2\tno\tno\n",
            ":3: expected 10 tab-separated fields, found 3; sentences end with an empty line",
        ),
        (row(*WORD) + " \n", ":2: expected 10 tab-separated fields, found 1; "),
        (row(*WORD, "x"), ":1: expected 10 tab-separated fields, found 11; "),
        (row("1", "", *WORD[2:]), ":1: expected a word in column 2 (FORM), found nothing"),
        (row("1", "a", "", *WORD[3:]), ":1: expected _ for an empty field, found nothing between"),
        (row("2", *WORD[1:]), ":1: expected word 1 in column 1 (ID), found '2'"),
        (row(*WORD) + row(*WORD), ":2: expected word 2 in column 1 (ID), found '1'"),
        (row("x", *WORD[1:]), ":1: expected word 1 in column 1 (ID), found 'x'"),
        (row("²", *WORD[1:]), ":1: expected word 1 in column 1 (ID), found '²'"),
        (row("1-1", *WORD[1:]), ":1: expected word 1 in column 1 (ID), found '1-1'"),
        (row("2-1", *WORD[1:]), ":1: expected word 1 in column 1 (ID), found '2-1'"),
        (row("1-", *WORD[1:]), ":1: expected word 1 in column 1 (ID), found '1-'"),
        (row("9" * 99, *WORD[1:]), ":1: expected word 1 in column 1 (ID), found '9999"),
        (
            row("3.1", *WORD[1:]),
            ":1: expected word 1 in column 1 (ID) or an empty node 0.1, found '3.1'",
        ),
        (row("0.1", *WORD[1:]), ":1: expected words, found none in this sentence"),
        (row("1-3", *WORD[1:]) + row(*WORD), ":2: expected words up to 3, as its multi-word token"),
        (
            row("1-3", *WORD[1:]) + row(*WORD) + row("2-4", *WORD[1:]),
            ":3: expected a token after word 3, found '2-4'",
        ),
        (
            row(*WORD[:6], "2", *WORD[7:]),
            ":1: expected a head from 0 (the root) to 1 in column 7 (HEAD), found '2'",
        ),
        (row(*WORD[:6], "-1", *WORD[7:]), ":1: expected a head from 0 (the root) to 1 in column 7"),
        (row(*WORD[:6], "x", *WORD[7:]), ":1: expected a head from 0 (the root) to 1 in column 7"),
        (
            row(*WORD) + row("2", "no", "_", "_", "_", "_", "_", "_", "_", "_"),
            ":2: expected a head from 0 (the root) to 2 in column 7 (HEAD), found '_'",
        ),
        (
            row(*WORD) + row("2", "no", "_", "_", "_", "_", "1", "_", "_", "_"),
            ":2: expected a relation in column 8 (DEPREL), as other words have, found _",
        ),
        (
            "# text = No\n" + row(*WORD),
            ":1: expected a text with the characters of its words ('Yes'), found 'No'; correct one",
        ),
        (b"1\tYes\xff", ":1: expected UTF-8 text, found byte 0xff at byte 6"),
    ],
)
def test_refused_with_file_and_line(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = write(tmp_path / "a.conllu", text)
    with pytest.raises(ParagaugeError) as caught:
        list(read_conllu(path))
    assert str(caught.value).startswith(f"{path}{message}")


def test_no_penn_tags(tmp_path: Path) -> None:
    text = row(*WORD[:4], "_", *WORD[5:]) + row("2", "!", "!", "PUNCT", ".", "_", "1", "x", "_", "_")
    path = write(tmp_path / "a.conllu", "\n" + text)
    sentence = next(read_conllu(path))
    assert sentence.tags == (None, ".")
    with pytest.raises(ParagaugeError) as caught:
        sentence.sentence()
    assert str(caught.value) == (
        f"{path}:2: expected Penn tags in column 5 (XPOS), found _ for 1 of 2 words of this sentence; "
        "tag the file first"
    )


labels = st.text(
    st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"]), min_size=1, max_size=6
)
values = labels.filter(lambda text: text.strip() == text and text != "_")


@st.composite
def analyzed_sentences(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 6))

    def some(strategy: st.SearchStrategy) -> tuple:
        return tuple(draw(st.lists(strategy, min_size=size, max_size=size)))

    return Sentence(
        some(values),
        some(values),
        draw(st.none() | st.just(1)) and some(values),
        draw(st.none() | st.just(1)) and some(st.integers(0, size)),
        draw(st.none() | st.just(1)) and some(values),
    )


@given(
    sentences=st.lists(analyzed_sentences(), max_size=4), ending=st.sampled_from(["", ".gz", ".zst"])
)
def test_writing_and_reading(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence], ending: str
) -> None:
    path = tmp_path_factory.mktemp("c") / f"a.conllu{ending}"
    write_conllu(path, sentences)
    assert [block.sentence() for block in read_conllu(path)] == sentences


@given(words=st.lists(values, min_size=1, max_size=6), data=st.data())
def test_the_text_survives(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], data: st.DataObject
) -> None:
    text = "".join(word + data.draw(st.sampled_from(["", " "])) for word in words).strip()
    block = conllu_block(Sentence(tuple(words), tuple(words)), text)
    path = write(tmp_path_factory.mktemp("c") / "a", block)
    assert next(read_conllu(path)).text == text
    bare = write(path, block.partition("\n")[2])
    assert next(read_conllu(bare)).text == text


@pytest.mark.parametrize(
    ("sentence", "text", "message"),
    [
        (Sentence((), ()), None, "CoNLL-U has no empty sentences"),
        (Sentence(("a",), ("N",)), "b", "expected a text with the characters of its words, found 'b'"),
        (Sentence(("a\tb",), ("N",)), None, "word 1: expected values without tabs and line ends"),
        (Sentence(("a",), ("N\n",)), None, "word 1: expected values without tabs and line ends"),
        (Sentence(("a",), ("",)), None, "word 1: expected values without tabs and line ends, found ''"),
    ],
)
def test_not_written(sentence: Sentence, text: str | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        conllu_block(sentence, text)
    assert message in str(caught.value)


def test_nothing_half_written(tmp_path: Path) -> None:
    target = write(tmp_path / "a.conllu", "old")
    with pytest.raises(InputError):
        write_conllu(target, [Sentence(("a",), ("N",)), Sentence((), ())])
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


pieces = st.sampled_from(
    [b"1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n", b"\n", b"\r\n", b"\r", b"# text = Yes\n", b"\x00"]
    + [b"1-2\t", b"1.1\t", b"\t" * 9, b"_", b"#", b"\xff", b"\xef\xbb\xbf", b"9" * 5000, "é".encode()]
)


@given(data=st.lists(pieces | st.binary(max_size=20), max_size=12).map(b"".join), packed=st.booleans())
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes, packed: bool) -> None:
    path = write(tmp_path_factory.mktemp("c") / "a", gzip.compress(data)[:-3] if packed else data)
    message = str(path)
    try:
        for sentence in read_conllu(path):
            assert len(sentence.words) == len(sentence.tags) > 0
    except ParagaugeError as error:
        message = str(error)
    assert message.startswith(str(path))


def test_a_line_without_end(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "1\tYes" * (1 << 20))
    with pytest.raises(ParagaugeError, match=":1: expected 10 tab-separated fields, found 1048577;"):
        list(read_conllu(path))


def test_real_treebank(benchmark_data: Path) -> None:
    sentences = list(read_conllu(benchmark_data / "treebanks" / "ewt-test.conllu.gz"))
    assert len(sentences) == 2077
    assert sum(len(sentence.words) for sentence in sentences) == 25094
    assert sum(tag is None for sentence in sentences for tag in sentence.tags) == 0
