"""Rewritten references: what changes, what never does, and the record of proposals."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import LengthError, SettingError
from paragauge.kernels import reference
from paragauge.rewrite.rewrite_method import RewriteMethod
from paragauge.rewrite.rewriter import VERDICTS, Rewriter
from paragauge.rewrite.splice import restore_case, splice_words
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.tokenizers import tokenize_lines

WORDS = ["Hard", "difficult", "PLACE", "home", "homes", "began", "begun", "started", "U.S.", "America"]
WORDS += ["states", "say", "said", "told", "big", "Large", '"', "can't", "2006", "…", "中国", "🙂", "é"]
text = st.text(" \t\u00a0\"'.,", max_size=2)
sentences = st.lists(st.tuples(st.sampled_from(WORDS), text), max_size=7).map(
    lambda pairs: "".join(word + " " + blank for word, blank in pairs)
)


class Everything:
    """A thesaurus in which every word may replace every other one."""

    name, needs_tags = "everything", False

    def substitutable(self, words: Lines, left: Any, right: Any, tags: Any, threads: int = 0) -> Any:
        del words, right, threads
        assert tags is None
        return np.ones(len(left), np.bool_)


CASES: tuple[Callable[[str], str], ...] = (
    str,
    str.upper,
    lambda word: word[:1].lower() + word[1:],
    lambda word: word[:1].upper() + word[1:],
)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(sentences | st.text(max_size=15), st.lists(sentences, max_size=3)), max_size=4),
    st.booleans(),
    st.sampled_from([0, 1, 2]),
)
@example([("large\tx", ['the "big" one…'])], True, 1)
@example([("ß", ["Hard ", "U.S. "])], True, 1)
def test_nothing_changes_but_accepted_words(
    segments: list[tuple[str, list[str]]], everything: bool, threads: int
) -> None:
    outputs, groups = [output for output, _ in segments], [group for _, group in segments]
    rewriter = Rewriter(Everything()) if everything else Rewriter()
    rewriting = rewriter.run(groups, outputs, threads=threads)
    accepted = {
        (proposal.segment, proposal.reference, proposal.first): proposal.new
        for proposal in rewriting
        if proposal.verdict == "accepted"
    }
    assert rewriting.substitutions == len(accepted)
    theirs = [reference.tokens(output, "penn") for output in outputs]
    for segment, (group, new) in enumerate(zip(groups, rewriting.references, strict=True)):
        assert len(group) == len(new)
        for number, (before, after) in enumerate(zip(group, new, strict=True)):
            # The text between tokens and every token that was not replaced are unchanged.
            at, rest = 0, after
            for position, token in enumerate(reference.tokens(before, "penn")):
                spelled = '"' if token in ("``", "''") and not before.startswith(token, at) else token
                while not before.startswith(spelled, at):
                    if spelled != token and before.startswith(token, at):
                        spelled = token
                        break
                    assert rest[0] == before[at]
                    at, rest = at + 1, rest[1:]
                instead = accepted.get((segment, number, position))
                if instead is None:
                    assert rest.startswith(spelled)
                    rest = rest[len(spelled) :]
                else:
                    # A word of the output, in its own case or in another one: SS for ß.
                    words = [word for word in theirs[segment] if word.lower() == instead]
                    cases = {case(word) for word in words for case in CASES}
                    fitting = [word for word in cases if rest.startswith(word)]
                    assert fitting
                    rest = rest[max(map(len, fitting)) :]
                at += len(spelled)
            assert rest == before[at:]


def test_identical_sentences_stay() -> None:
    lines = ["It is hard.", "A large man?"]
    rewriting = Rewriter().run(lines, lines)
    assert (len(rewriting), [group[0] for group in rewriting.references]) == (0, lines)


def test_table_2_with_a_filter(word_scores: Any) -> None:
    output = "it is difficult to believe this kind of changes, far from home"
    before = "It is hard to believe that such tremendous changes have taken place."
    rewriter = Rewriter(filters=(word_scores({"difficult": 0.5, "home": -1.5}),))
    rewriting = rewriter.run([before], [output])
    assert list(rewriting.references) == [[before.replace("hard", "difficult")]]
    assert [
        (proposal.old, proposal.new, proposal.scores, proposal.verdict) for proposal in rewriting
    ] == [
        ("hard", "difficult", (0.5,), "accepted"),
        ("place", "home", (-1.5,), "refused"),
    ]


def test_words_unknown_to_a_filter(word_scores: Any) -> None:
    for unknown, verdict in (("refuse", "unknown"), ("accept", "accepted")):
        rewriter = Rewriter(filters=(word_scores(),), unknown=unknown)
        assert [proposal.verdict for proposal in rewriter.run(["It is hard."], ["difficult"])] == [
            verdict
        ]


def test_the_best_word_wins_and_ties_go_to_the_first(word_scores: Any) -> None:
    references, outputs = ["a big dog"], ["one huge or large, great hound"]
    first = Rewriter(Everything()).run(references, outputs)
    assert list(first.references) == [["one one one"]]
    scores = {"one": 0.0, "huge": 1.0, "large": 1.0, "great": -1.0}
    rewriting = Rewriter(Everything(), filters=(word_scores(scores),)).run(references, outputs)
    assert list(rewriting.references) == [["huge huge huge"]]
    assert {proposal.new: proposal.verdict for proposal in rewriting} == {
        "one": "outdone",
        "huge": "accepted",
        "or": "unknown",
        "large": "outdone",
        "great": "refused",
        "hound": "unknown",
    }


def test_two_filters(word_scores: Any) -> None:
    filters = (word_scores({"large": 2.0, "great": 1.0}), word_scores({"large": -1.0, "great": 0.5}))
    references, outputs = ["a big dog"], ["a large great dog"]
    every = Rewriter(Everything(), filters)
    assert list(every.run(references, outputs).references) == [["a great dog"]]
    total = Rewriter(Everything(), filters, combine="sum")
    assert list(total.run(references, outputs).references) == [["a great dog"]]
    assert [proposal.verdict for proposal in total.run(references, outputs)] == ["outdone", "accepted"]
    assert every.signature["rewrite-combine"] == "all"


def test_every_setting_is_in_the_signature(word_scores: Any) -> None:
    one, two = word_scores(name="one"), word_scores(name="two")
    kinds = [
        Rewriter(),
        Rewriter(Everything()),
        Rewriter(filters=(one,)),
        Rewriter(filters=(two,)),
        Rewriter(filters=(one,), unknown="accept"),
        Rewriter(filters=(one, two)),
        Rewriter(filters=(one, two), combine="sum"),
    ]
    for left, right in itertools.combinations(kinds, 2):
        assert left.signature != right.signature


@pytest.mark.parametrize("name", ["encoder", "context", "lm", "random"])
def test_thresholds_that_differ_have_signatures_that_differ(name: str) -> None:
    signatures = {
        RewriteMethod(name, threshold=threshold).rewriter().signature["rewrite-filter"]
        for threshold in ("0.25", "0.2500001", "0.25000000001")
    }
    assert len(signatures) == 3


def test_references_prepared_once_serve_all_outputs() -> None:
    rewriter = Rewriter()
    ready = rewriter.prepare([["It is hard.", "A big one"]])
    for output in ("difficult", "large", ""):
        again = rewriter.run([["It is hard.", "A big one"]], [output])
        assert list(rewriter.run(ready, [output]).references) == list(again.references)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_matter(threads: int) -> None:
    references = ["The big man began a hard job.", "They said it quickly."] * 200
    outputs = ["a large adult male started a difficult task", "it was stated fast"] * 200
    one = Rewriter().run(references, outputs, threads=1)
    rewriting = Rewriter().run(references, outputs, threads=threads)
    assert list(rewriting.references) == list(one.references)
    assert list(rewriting) == list(one)


def test_errors() -> None:
    with pytest.raises(SettingError, match="unknown way to treat unknown words 'refus'; did you mean"):
        Rewriter(unknown="refus")
    with pytest.raises(SettingError, match="unknown combination of filters 'any'"):
        Rewriter(combine="any")
    with pytest.raises(LengthError, match="candidates has 2 segments but references has 1"):
        Rewriter().run(["a"], ["a", "b"])
    with pytest.raises(SettingError, match="unknown verdict 'acepted'; did you mean 'accepted'"):
        Rewriter().run(["a"], ["b"]).count("acepted")
    assert VERDICTS[0] == "accepted"


@pytest.mark.parametrize(
    ("word", "old", "capitals", "expected"),
    [
        ("difficult", "hard", False, "difficult"),
        ("Difficult", "hard", False, "difficult"),
        ("difficult", "Hard", False, "Difficult"),
        ("difficult", "HARD", False, "difficult"),
        ("Difficult", "HARD", True, "DIFFICULT"),
        ("television", "TV", False, "television"),
        ("America", "USA", False, "America"),
        ("U.S.", "America", False, "U.S."),
        ("NATO", "alliance", False, "NATO"),
        ("one", "I", False, "One"),
        ("état", "Pays", False, "État"),
        ("ǆ", "Hard", False, "Ǆ"),
        ("中", "Hard", False, "中"),
        ("straße", "WEG", True, "STRASSE"),
        ("", "Hard", False, ""),
    ],
)
def test_case(word: str, old: str, capitals: bool, expected: str) -> None:
    assert restore_case(word, old, capitals=capitals) == expected


def test_capitals_of_a_whole_text_and_of_one_word() -> None:
    rewriting = Rewriter().run(["IT IS HARD.", "It is HARD."], ["It is difficult!"] * 2)
    assert list(rewriting.references) == [["IT IS DIFFICULT."], ["It is difficult."]]


def test_splicing_several_words_of_one_line() -> None:
    lines = Lines.of(["", 'x "a" b', "a b  c\u3000d."])
    tokens = tokenize_lines(lines, "penn")
    line, position = np.array([1, 2, 2]), np.array([2, 0, 3])
    spliced = splice_words(lines, tokens, line, (position, position), ["ä", "", "DDD"])
    assert list(spliced) == ["", 'x "ä" b', " b  c\u3000DDD."]
    assert list(splice_words(lines, tokens, line[:0], (position[:0],) * 2, [])) == list(lines)


def test_groups_of_any_size_keep_their_shape() -> None:
    groups = LineGroups.of([["It is hard."], [], ["big", "It is hard. ", "big"]])
    rewriting = Rewriter().run(groups, ["difficult", "", "large"])
    assert list(rewriting.references) == [["It is difficult."], [], ["large", "It is hard. ", "large"]]
    assert [(proposal.segment, proposal.reference) for proposal in rewriting] == [
        (0, 0),
        (2, 0),
        (2, 2),
    ]


@pytest.mark.parametrize(
    ("reference", "output", "expected"),
    [
        ('It was a "mistake".', 'It was an "error".', 'It was an "error".'),
        ("It was a (mistake).", "It was an (error).", "It was an (error)."),
        ('It was a "(mistake)".', "It was an error.", 'It was an "(error)".'),
        ("It was a “ mistake ” .", "It was an “ error ” .", "It was an “ error ” ."),
        ("It was a ' mistake.", "It was an ' error.", "It was an ' error."),
        ('"A mistake", he said.', '"An error", he said.', '"An error", he said.'),
        ('It was an "error".', 'It was a "mistake".', 'It was a "mistake".'),
        ("It was a rare mistake.", "It was a rare error.", "It was a rare error."),
    ],
)
def test_articles_before_quotes_and_brackets(reference: str, output: str, expected: str) -> None:
    assert Rewriter().run([reference], [output]).references[0] == [expected]
