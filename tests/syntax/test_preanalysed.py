"""Analyses from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge.syntax.conllu_write import write_conllu
from paragauge.syntax.preanalysed import PreAnalysed
from paragauge.syntax.protocols import DependencyParser, Tagger
from paragauge.syntax.sentence import Sentence

PARSED = Sentence(("Dogs", "bark"), ("NNS", "VBP"), ("dog", "bark"), (2, 0), ("nsubj", "root"))
QUOTED = Sentence(('"', "(", '"'), ("``", "-LRB-", "''"))


def test_found_by_words(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    write_conllu(path, [PARSED, QUOTED, Sentence(("Dogs", "bark"), ("NN", "NN"))])
    given = PreAnalysed.load(path)
    assert isinstance(given, Tagger)
    assert isinstance(given, DependencyParser)
    assert len(given) == 2
    assert given.parse([["Dogs", "bark"], []]) == [PARSED, Sentence((), (), (), (), ())]
    assert given.tag([["``", "-LRB-", "''"]]) == [["``", "-LRB-", "''"]]
    with pytest.raises(InputError) as caught:
        given.tag([["Dogs", "bark", "!"]])
    assert str(caught.value) == (
        f"no analysis of 'Dogs bark !' among 2 sentences of {path}; analyse it too, with the same words"
    )
    with pytest.raises(InputError) as caught:
        given.parse([['"', "(", '"']])
    assert str(caught.value) == (
        f"no dependencies of '\" ( \"' among the sentences of {path}: HEAD or DEPREL is _; "
        "parse them first"
    )


def test_the_name_follows_the_analyses() -> None:
    one, same, other = (PreAnalysed(each) for each in ([PARSED], [PARSED], [QUOTED]))
    assert one.name == same.name != other.name
