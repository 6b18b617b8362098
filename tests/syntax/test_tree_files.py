"""Files of trees in all forms that parsers write."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError, ParagaugeError, SettingError
from paragauge.syntax.parser_adapters import BeneparParser, StanzaParser
from paragauge.syntax.protocols import ConstituencyParser
from paragauge.syntax.tree_files import FORMS, read_trees

DOGS = "(ROOT (S (NP (NNS Dogs)) (VP (VBP bark)) (. .)))"
NO = "(ROOT (INTJ (UH No)) (. !))"
PRETTY = """(ROOT
  (S
    (NP (NNS Dogs))
    (VP (VBP bark))
    (. .)))"""
# The layouts of CoreNLP 4.5 for -outputFormat text, json and xml.
TEXT = f"""Document: ID=a.txt (2 sentences, 5 tokens)

Sentence #1 (3 tokens):
Dogs bark.

Tokens:
[Text=Dogs CharacterOffsetBegin=0 CharacterOffsetEnd=4 PartOfSpeech=NNS]

Constituency parse:\x20
{PRETTY}

Dependency Parse (enhanced plus plus dependencies):
root(ROOT-0, bark-2)
nsubj(bark-2, Dogs-1)

Sentence #2 (2 tokens):
No!

Constituency parse:\x20
{NO}

"""
DOCUMENT = {"sentences": [{"index": 0, "parse": PRETTY, "tokens": []}, {"index": 1, "parse": NO}]}
XML = f"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet href="CoreNLP-to-HTML.xsl" type="text/xsl"?>
<root><document><sentences>
<sentence id="1"><parse>{PRETTY} </parse></sentence>
<sentence id="2"><parse>{NO} </parse></sentence>
</sentences></document></root>
"""


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (f"{DOGS}\n{NO}\n", "lines"),
        (f"news\t{DOGS}\r\n\r\nnews\t{NO}", "lines"),
        (f"\n{PRETTY}\n\n{NO}\n", "pretty"),
        (f"{PRETTY} {NO}", "pretty"),
        (TEXT, "corenlp-text"),
        (json.dumps(DOCUMENT), "corenlp-json"),
        (json.dumps(DOCUMENT, indent=2), "corenlp-json"),
        (json.dumps([DOCUMENT]), "corenlp-json"),
        (
            "".join(json.dumps({"sentences": [one]}) + "\n" for one in DOCUMENT["sentences"]),
            "corenlp-json",
        ),
        (XML, "corenlp-xml"),
    ],
)
def test_every_form(tmp_path: Path, text: str, form: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(text.encode())
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    for chosen in ("auto", form):
        assert read_trees(path, form=chosen).to_brackets() == [DOGS, NO]
        assert read_trees(packed, form=chosen).to_brackets() == [DOGS, NO]


def test_empty_lines_may_be_trees_without_words(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(f"\n{NO}\n \n")
    assert read_trees(path).to_brackets() == [NO]
    assert read_trees(path, keep_empty=True).to_brackets() == ["", NO, ""]
    path.write_text("")
    assert len(read_trees(path)) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(A\n (B b))\n(C\n (D d)\n",
            ":3: expected one tree such as (ROOT (NN dog)), found 1 brackets",
        ),
        ("(A\n (B b))\n\n x (C c)", ":4: expected one tree such as (ROOT (NN dog)), found 'x' outside"),
        ("(A\n (B b)))\n", ":2: expected one tree such as (ROOT (NN dog)), found a closing bracket"),
        ('{"sentences": [{"parse": "(A"}]}', ": expected one tree such as (ROOT (NN dog)), found 1"),
        (
            '{"sentences": [{}]}',
            ': expected a "parse" of every sentence, found none of sentence 1',
        ),
        ('{"text": ""}', ': expected CoreNLP\'s JSON with "sentences", found another; run CoreNLP'),
        ("{\n x", ":2: expected CoreNLP's JSON, found no well-formed JSON; run CoreNLP"),
        ('{"sentences": []}\n{', ":2: expected CoreNLP's JSON, found no well-formed JSON; run CoreNLP"),
        ("<a>\n<parse>(A</parse></a>", ":2: expected one tree such as (ROOT (NN dog)), found 1"),
        ("<a>\n</b>", ":2: no well-formed XML (mismatched tag); run CoreNLP"),
        (
            TEXT.replace("(UH No))", "(UH No)"),
            ":24: expected one tree such as (ROOT (NN dog)), found 1",
        ),
    ],
)
def test_refused_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_trees(path)
    assert str(caught.value).startswith(f"{path}{message}")
    assert "\n" not in str(caught.value)


def test_unknown_form() -> None:
    with pytest.raises(SettingError, match="unknown form of trees 'line'; did you mean 'lines'"):
        read_trees("a", form="line")


pieces = st.sampled_from(
    ["(", ")", "(NN a)", "\n", "\r\n", "\r", "\0", " ", "\t", "é", "<parse>", "</parse>", "<a", "&#0;"]
    + [
        '{"sentences": [',
        '{"parse": "(NN a)"}',
        '"\\ud800"',
        "]}",
        "[",
        "Sentence #",
        "Constituency parse:",
    ]
)


@given(
    st.binary(max_size=60) | st.lists(pieces, max_size=12).map(lambda p: "".join(p).encode()), st.data()
)
def test_any_bytes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, choose: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("t")
    packed = gzip.compress(data)
    cut = packed[: choose.draw(st.integers(0, len(packed)))]
    for name, content in (("a", data), ("b", cut)):
        (folder / name).write_bytes(content)
        for form in FORMS:
            message = str(folder / name)
            try:
                trees = read_trees(folder / name, form=form)
                assert len(trees.to_brackets()) == len(trees)
            except ParagaugeError as error:
                message = str(error)
            assert message.startswith(str(folder / name))
            assert "\n" not in message


def test_adapters() -> None:
    def pipeline(sentences: list[list[str]]) -> SimpleNamespace:
        leaves = [" ".join(f"(NN {word})" for word in words) for words in sentences]
        trees = [SimpleNamespace(constituency=f"(ROOT (NP {leaf}))") for leaf in leaves]
        return SimpleNamespace(sentences=trees)

    stanza = StanzaParser(pipeline)
    assert isinstance(stanza, ConstituencyParser)
    trees = stanza.parse([["a", "("], [], ["日本"]])
    assert list(trees.words) == [["a", "("], [], ["日本"]]
    assert trees.spans(2) == [("ROOT", 0, 1), ("NP", 0, 1), ("NN", 0, 1)]
    assert len(stanza.parse([])) == 0
    splitting = StanzaParser(
        lambda sentences: pipeline([[word] for words in sentences for word in words])
    )
    with pytest.raises(InputError, match="stanza: expected 1 tree, one for each sentence, found 2"):
        splitting.parse([["a", "b"]])
    losing = BeneparParser(
        SimpleNamespace(parse_sents=lambda sentences: ["(NN a)" for _ in sentences]), "b-1"
    )
    with pytest.raises(InputError, match="b-1: expected trees over the words given"):
        losing.parse([["a", "b"]])
