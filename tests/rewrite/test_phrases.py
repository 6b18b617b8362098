"""Phrase rules: where they come from, and how they rewrite references."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, ParagaugeError, SettingError
from paragauge.grammar.convert import read_grammar
from paragauge.kernels import reference
from paragauge.lm.model import LanguageModel
from paragauge.phrases.moses import read_moses
from paragauge.report.pages.rewrite_page import render_rewriting
from paragauge.report.tables.rewrite_record import record_writer
from paragauge.rewrite.explanation import explain
from paragauge.rewrite.lm_filter import LanguageModelFilter
from paragauge.rewrite.phrases import PhraseRules
from paragauge.rewrite.rewriter import Rewriter
from paragauge.rewrite.splice import restore_phrase_case

RULES = PhraseRules.from_pairs(
    [
        ("have taken place", "have occurred", 0.3),
        ("taken place", "occurred", 0.4),
        ("hard", "very difficult", 0.2),
        ("do not", "do n't", 0.5),
        ("the u.s.", "america", 0.6),
    ]
)
LINES = {
    "ppdb": "[VP] ||| Taken place ||| occurred ||| p_target=0.5 Other=3\n"
    "[NP] ||| taken place ||| occurred ||| p_target=0.25\n"
    "[NP] ||| the [NN,1] ||| a [NN,1] ||| p_target=0.9\n"
    "[X] ||| rare ||| seldom ||| p_target=0.05\n"
    "[X] ||| , hard ||| difficult ||| p_target=0.5\n"
    "[X] ||| a b c d e f ||| g ||| p_target=0.5\n"
    "[X] ||| no score ||| unscored ||| Other=1\n",
    "moses": "Taken place ||| occurred ||| 0.1 0.1 0.5 0.1 ||| 0-0 ||| 1 1 1 |||\n"
    "rare ||| seldom ||| 0.1 0.1 0.05 0.1 ||| 0-0 ||| 1 1 1 |||\n",
}


def triples(rules: PhraseRules) -> list[tuple[str, str, float]]:
    every = np.arange(len(rules))
    sides = rules.texts("left", every), rules.texts("right", every)
    return list(zip(*sides, rules.probabilities.tolist(), strict=True))


@pytest.fixture(name="ppdb")
def _ppdb(tmp_path: Path) -> Path:
    path = tmp_path / "rules"
    path.write_text(LINES["ppdb"])
    return path


def test_every_source_gives_the_same_rules(tmp_path: Path, ppdb: Path) -> None:
    moses = tmp_path / "phrase-table"
    moses.write_text(LINES["moses"])
    grammar = read_grammar(ppdb, tmp_path / "grammar")
    table = read_moses(moses, tmp_path / "table")
    names = set()
    for source in (ppdb, str(ppdb), grammar, grammar.folder, moses, table, table.folder):
        rules = PhraseRules.of(source)
        assert triples(rules) == [("taken place", "occurred", 0.5)]
        names.add(rules.name)
    assert len(names) == 1
    assert names.pop().endswith("@p_target,0.1,5")


def test_settings_choose_rules_and_are_in_the_name(ppdb: Path) -> None:
    usual = PhraseRules.of(ppdb)
    rare = PhraseRules.of(ppdb, least=0.05)
    long = PhraseRules.of(ppdb, longest=6)
    assert triples(rare) == [("rare", "seldom", 0.05), ("taken place", "occurred", 0.5)]
    assert triples(long)[0] == ("a b c d e f", "g", 0.5)
    minus = PhraseRules.of(ppdb, "-Other")
    assert triples(minus) == [("no score", "unscored", math.exp(-1))]
    for left, right in itertools.combinations((usual, rare, long, minus), 2):
        assert left.name != right.name


@pytest.mark.parametrize(
    ("old", "new", "usable"),
    [
        ("a", "b", True),
        ("a", "a", False),
        ("A", "a", False),
        ("a", "3", False),
        ("a -", "b", False),
        ("is not", "is n't", True),
        ("not", "n't", False),
        ("'s house", "house", False),
        ("in the U.S.", "in America", True),
        ("", "a", False),
        ("中国", "🙂", False),
        ("中国", "中华", True),
    ],
)
def test_usable_rules(old: str, new: str, usable: bool) -> None:
    assert len(PhraseRules.from_pairs([(old, new, 0.5)])) == usable


@pytest.mark.parametrize(
    ("text", "settings_", "message"),
    [
        (LINES["ppdb"], {"score": "p"}, r"unknown feature of .*rules 'p'; .*known: p_target, Other"),
        (LINES["ppdb"], {"score": "Other"}, r"feature Other: expected a probability .* found 3 for "),
        (
            LINES["ppdb"],
            {"least": 0.9},
            r"at most 5 words per side and p_target at least 0.9, found none",
        ),
        ("[X] ||| a ||| b\n", {}, "expected rules with the probability p_target, found no features"),
        ("", {}, "found none among 0 rules"),
        ("x\n", {}, r"rules:1: "),
    ],
)
def test_files_without_usable_rules(
    tmp_path: Path, text: str, settings_: dict[str, Any], message: str
) -> None:
    path = tmp_path / "rules"
    path.write_text(text)
    with pytest.raises(ParagaugeError, match=message):
        PhraseRules.of(path, **settings_)


def test_bad_settings(tmp_path: Path, ppdb: Path) -> None:
    with pytest.raises(SettingError, match="least: expected a probability from 0 to 1, found 2"):
        PhraseRules.of(ppdb, least=2)
    with pytest.raises(SettingError, match="longest: expected a whole number of at least 1, found 0"):
        PhraseRules.of(ppdb, longest=0)
    with pytest.raises(FileFormatError, match="no such grammar or phrase table; check the path"):
        PhraseRules.of(tmp_path / "nothing")
    with pytest.raises(FileFormatError, match=r"without grammar\.json"):
        PhraseRules.of(tmp_path)
    with pytest.raises(InputError, match=r"rule 'a' -> 'b': expected a probability .*, found 2"):
        PhraseRules.from_pairs([("a", "b", 2.0)])
    with pytest.raises(SettingError, match="to propose, found neither"):
        Rewriter(None)


@settings(max_examples=60)
@given(st.binary(max_size=60) | st.text("[X] |a\n,1=.0\t\0\r", max_size=60).map(str.encode))
@example(b"\x1f\x8b\x08\x00")
@example(b"[X] ||| a ||| b ||| p_target=nan\n")
def test_any_file_gives_rules_or_a_paragauge_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules"
    path.write_bytes(content)
    try:
        rules = PhraseRules.of(path)
    except ParagaugeError:
        return
    assert len(rules)


def test_phrases_by_hand() -> None:
    rewriter = Rewriter(None, phrases=RULES)
    references = ["Changes have taken place.", "It's  hard ", "They do not go.", "The U.S. won."]
    outputs = ["They  have\toccurred!", "Very difficult", "They don't go", "for America"]
    rewriting = rewriter.run(references, outputs)
    assert [group[0] for group in rewriting.references] == [
        "Changes have occurred.",
        "It's  very difficult ",
        "They don't go.",
        "America won.",
    ]
    # A matched word is not lost: with "have" in the output, the longer rule must contain it too.
    rows = [
        (
            proposal.first,
            proposal.last,
            proposal.old,
            proposal.new,
            proposal.probability,
            proposal.verdict,
        )
        for proposal in rewriting
    ]
    assert rows[:2] == [
        (1, 3, "have taken place", "have occurred", 0.3, "outdone"),
        (2, 3, "taken place", "occurred", 0.4, "accepted"),
    ]
    assert rewriter.signature == {"rewrite": RULES.name, "rewrite-filter": "none"}


def chosen(rules: list[tuple[str, str, float]], line: str, output: str, **more: Any) -> str:
    return (
        Rewriter(None, phrases=PhraseRules.from_pairs(rules), **more)
        .run([line], [output])
        .references[0][0]
    )


def test_overlapping_spans_by_probability_length_and_place(word_scores: Any) -> None:
    best = [("a b", "x", 0.3), ("b c", "y", 0.4)]
    assert chosen(best, "a b c", "x y") == "a y"
    longest = [("b", "x", 0.3), ("a b", "y", 0.3)]
    assert chosen(longest, "a b c", "x y") == "y c"
    leftmost = [("b c", "x", 0.3), ("a b", "y", 0.3)]
    assert chosen(leftmost, "a b c", "x y") == "y c"
    place = [("a", "y", 0.3), ("a", "x", 0.3)]
    assert chosen(place, "a b c", "x y") == "x b c"
    # An outdone proposal does not block others.
    chain = [("a b", "x", 0.2), ("b c", "y", 0.3), ("c d", "z", 0.4)]
    assert chosen(chain, "a b c d", "x y z") == "x z"
    # Filters come before probabilities.
    scores = word_scores({"x": 2.0, "y": 1.0})
    assert chosen([("a", "x", 0.1), ("a", "y", 0.9)], "a b", "x y", filters=(scores,)) == "x b"


def test_words_and_phrases_together() -> None:
    rules = PhraseRules.from_pairs([("hard", "difficult", 0.3), ("big man", "giant", 0.2)])
    rewriting = Rewriter(phrases=rules).run(
        ["A big man had a hard job."], ["large giant, difficult task"]
    )
    rows = [
        (proposal.old, proposal.new, proposal.probability, proposal.verdict) for proposal in rewriting
    ]
    assert rows == [
        ("big", "large", None, "outdone"),
        ("big man", "giant", 0.2, "accepted"),
        ("hard", "difficult", 0.3, "accepted"),
        ("job", "task", None, "accepted"),
    ]
    assert list(rewriting.references) == [["A giant had a difficult task."]]
    signature = Rewriter(phrases=rules).signature
    assert signature["rewrite"] == f"wordnet-3.0+{rules.name}"


def test_word_filters_cannot_judge_phrases(word_scores: Any) -> None:
    words = word_scores({"occurred": 1.0, "have occurred": 1.0})
    for unknown, verdict in (("refuse", "unknown"), ("accept", "accepted")):
        rewriter = Rewriter(None, (words,), unknown, phrases=RULES)
        [proposal] = rewriter.run(["It has taken place."], ["It occurred."])
        assert (proposal.verdict, math.isnan(proposal.scores[0])) == (verdict, True)


def test_the_language_model_compares_the_mean_per_word() -> None:
    text = ["it took place here", "it occurred here", "it is hard here", "it took a long time"]
    model = LanguageModel.train(text, order=2, discount_fallback=(0.5, 1, 1.5))
    rules = PhraseRules.from_pairs([("took place", "occurred", 0.5), ("hard", "quite unheard", 0.5)])
    rewriter = Rewriter(None, (LanguageModelFilter(model, 0.0),), phrases=rules)
    proposals = list(rewriter.run(["it took place", "hard"], ["occurred", "quite unheard"]))
    assert math.isnan(proposals[1].scores[0])
    before, after = model.score(["it took place", "it occurred"], tokenized=True).log10.tolist()
    assert proposals[0].scores[0] == pytest.approx(after - before * 3 / 4)
    assert proposals[0].verdict == ("accepted" if proposals[0].scores[0] >= 0 else "refused")


WORDS = [
    "a",
    "B",
    "c",
    "the",
    "Don't",
    "cannot",
    "U.S.",
    "中国",
    "é",
    ",",
    ".",
    '"',
    "2006",
    "(",
    "can",
]
sentence = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", "  ", "\u00a0"])), max_size=8
)
sentences = sentence.map(lambda pairs: "".join(word + blank for word, blank in pairs))
sides = st.lists(
    st.sampled_from(["a", "b", "c", "the", "do", "n't", "can", "u.s.", "中国", "é"]),
    min_size=1,
    max_size=3,
).map(" ".join)


@settings(max_examples=200)
@given(
    st.lists(st.tuples(sides, sides, st.sampled_from([0.1, 0.5, 1.0])), max_size=30),
    st.lists(st.tuples(sentences, st.lists(sentences, max_size=3)), max_size=4),
    st.booleans(),
    st.sampled_from([0, 1, 2]),
)
def test_nothing_changes_outside_accepted_spans_and_no_match_is_lost(
    rules: list[tuple[str, str, float]],
    segments: list[tuple[str, list[str]]],
    words: bool,
    threads: int,
) -> None:
    outputs, groups = [output for output, _ in segments], [group for _, group in segments]
    more = PhraseRules.from_pairs(rules)
    rewriter = Rewriter(phrases=more) if words else Rewriter(None, phrases=more)
    rewriting = rewriter.run(groups, outputs, threads=threads)
    proposals = list(rewriting)
    assert proposals == list(rewriter.run(groups, outputs, threads=1))
    for segment, (group, new) in enumerate(zip(groups, rewriting.references, strict=True)):
        ours = Counter(token.lower() for token in reference.tokens(outputs[segment], "penn"))
        assert len(group) == len(new)
        for number, (before, after) in enumerate(zip(group, new, strict=True)):
            own = [
                proposal
                for proposal in proposals
                if (proposal.segment, proposal.reference) == (segment, number)
            ]
            accepted = [proposal for proposal in own if proposal.verdict == "accepted"]
            replaced = [at for proposal in accepted for at in range(proposal.first, proposal.last + 1)]
            assert len(replaced) == len(set(replaced))
            for proposal in own:
                if proposal.verdict == "outdone":
                    assert not set(replaced).isdisjoint(range(proposal.first, proposal.last + 1))
            tokens = [token.lower() for token in reference.tokens(before, "penn")]
            rewritten = list(tokens)
            for proposal in reversed(accepted):
                assert " ".join(tokens[proposal.first : proposal.last + 1]) == proposal.old
                rewritten[proposal.first : proposal.last + 1] = proposal.new.split(" ")
            matches, gained = Counter(tokens) & ours, Counter(rewritten) & ours
            assert matches <= gained
            assert bool(accepted) == (matches != gained)
            assert _outside(before, after, accepted)


def _outside(before: str, after: str, accepted: list[Any]) -> bool:
    """Whether `after` equals `before` in every character outside the spans."""
    places, at = [], 0
    for token in reference.tokens(before, "penn"):
        options = [token, '"'] if token in ("``", "''") else [token]
        at = min(place for place in (before.find(option, at) for option in options) if place >= 0)
        length = len(token) if before.startswith(token, at) else 1
        places.append((at, at + length))
        at += length
    pattern, at = "", 0
    for proposal in accepted:
        new = " ?".join(map(re.escape, proposal.new.split(" ")))
        pattern += re.escape(before[at : places[proposal.first][0]]) + f"(?i:{new})"
        at = places[proposal.last][1]
    return re.fullmatch(pattern + re.escape(before[at:]), after) is not None


@pytest.mark.parametrize(
    ("phrase", "old", "capitals", "expected"),
    [
        ("take place", "occur", False, "take place"),
        ("Take place", "occur", False, "take place"),
        ("take place", "Occur", False, "Take place"),
        ("the White House", "Washington", False, "The White House"),
        ("The White House", "its government", False, "the White House"),
        ("take place", "OCCUR", True, "TAKE PLACE"),
        ("take place", "US troops", False, "take place"),
    ],
)
def test_case_of_phrases(phrase: str, old: str, capitals: bool, expected: str) -> None:
    assert restore_phrase_case(phrase, old, capitals=capitals) == expected


def test_explanation_page_and_record_show_phrases(tmp_path: Path) -> None:
    rewriter = Rewriter(None, phrases=RULES)
    explanation = explain(rewriter, "It has <taken  place>.", "It occurred.")
    assert str(explanation).splitlines()[2:] == [
        "rewritten  It has <occurred>.",
        "",
        "tokens 4-5: taken place -> occurred  accepted  p 0.4",
    ]
    [record] = explanation.record()["proposals"]
    assert (record["token"], record["last"], record["probability"]) == (4, 5, 0.4)
    html = render_rewriting({"one": explanation}, rewriter.signature)
    assert "&lt;<mark>taken  place</mark>&gt;" in html
    assert "&lt;<mark>occurred</mark>&gt;" in html
    assert ">4-5<" in html
    with record_writer(tmp_path / "record.tsv", rewriter) as rows:
        rows(rewriter.run(["It has taken place."], ["It occurred."]), 0)
    assert (tmp_path / "record.tsv").read_text().splitlines() == [
        "segment\treference\ttoken\tlast\told\tnew\tverdict\tprobability",
        "1\t1\t3\t4\ttaken place\toccurred\taccepted\t0.4",
    ]
