"""Paraphrase grammars with labels from translation grammars: by hand, and against brute force."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.align.links import Links
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine
from paragauge.errors import FileFormatError, SettingError
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.grammar_folder import ORDER, Grammar, new_grammar
from paragauge.grammar.rule import Rule
from paragauge.grammar.syntactic_pivot import FEATURES, PivotedSide, pivot_rules
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext

Counts = dict[Rule, int]
Side = tuple[str | tuple[str, int], ...]  # words, and labels with the numbers of their links


def grammar_of(counts: Counts, folder: Path, *, counted: bool = True) -> Grammar:
    rows = [
        {**rule.row(), **({"count": count} if counted else {"count": None})}
        for rule, count in counts.items()
    ]
    rows.sort(key=lambda row: [str(row[name]).encode() for name in ORDER])
    with new_grammar(folder) as writer:
        writer.write(pa.Table.from_pylist(rows))
        writer.finish({})
    return Grammar.open(folder)


def symbols(rule: Rule) -> tuple[Side, Side]:
    """Both sides with labels in place; equal numbers are linked."""

    def of(text: str) -> Side:
        return tuple(
            (rule.labels[int(word[1:-1]) - 1], int(word[1:-1])) if word[:1] == "[" else word
            for word in text.split(" ")
        )

    return of(rule.source), of(rule.target)


def shape(side: Side) -> tuple[str | tuple[str, int], ...]:
    """A side alone, its non-terminals numbered from left to right."""
    number = itertools.count(1)
    return tuple(word if isinstance(word, str) else (word[0], next(number)) for word in side)


def text_of(side: Side) -> str:
    return " ".join(word if isinstance(word, str) else f"[{word[0]},{word[1]}]" for word in side)


def brute_force(
    tables: list[Counts], side: PivotedSide, least: int
) -> dict[Rule, tuple[float, float, float, float]]:
    """The formulas of the module, over all pairs of rules, with rational sums of plain Python."""
    sums: dict[Rule, list[float]] = defaultdict(lambda: [0.0] * 4)
    for counts in tables:
        rows = []
        for rule, count in counts.items():
            own, other = symbols(rule) if side == "source" else symbols(rule)[::-1]
            rows.append((rule.lhs, own, other, count))

        def total(lhs: str | None, own: Side | None, other: Side | None, rows=rows) -> int:
            return sum(
                n
                for a, b, c, n in rows
                if lhs in (None, a)
                and (own is None or shape(b) == shape(own))
                and (other is None or shape(c) == shape(other))
                # With both sides given, the links must be the same too.
                and (own is None or other is None or links(b, c) == links(own, other))
            )

        for (lhs, e1, f1, n1), (lhs2, e2, f2, n2) in itertools.product(rows, rows):
            if lhs != lhs2 or shape(f1) != shape(f2) or min(n1, n2) < least:
                continue
            # The non-terminals of e2 get the numbers that those of f have in the first rule.
            number = {
                b[1]: a[1]
                for a, b in zip(f1, f2, strict=True)
                if not isinstance(a, str) and not isinstance(b, str)
            }
            target = tuple(word if isinstance(word, str) else (word[0], number[word[1]]) for word in e2)
            if target == e1:
                continue
            rule = Rule.parse(f"[{lhs}] ||| {text_of(e1)} ||| {text_of(target)}")
            pairs = total(None, e1, f1), total(None, e2, f2)
            products = (
                pairs[0] / total(None, e1, None) * pairs[1] / total(None, None, f2),
                pairs[1] / total(None, e2, None) * pairs[0] / total(None, None, f1),
                n1 / total(lhs, e1, None) * n2 / total(lhs, None, f2),
                n2 / total(lhs, e2, None) * n1 / total(lhs, None, f1),
            )
            for i, product in enumerate(products):
                sums[rule][i] += product / len(tables)
    return {rule: (a, b, c, d) for rule, (a, b, c, d) in sums.items()}


def links(own: Side, other: Side) -> tuple[int, ...]:
    """For each non-terminal of `other`, its place among those of `own`."""
    order = [word[1] for word in own if not isinstance(word, str)]
    return tuple(order.index(word[1]) for word in other if not isinstance(word, str))


def rules_of(grammar: Grammar) -> dict[Rule, tuple[float, ...]]:
    grammar.verify()
    result = {}
    for row in (row for batch in grammar.batches() for row in batch.to_pylist()):
        labels = tuple(row["labels"].split(" ")) if row["labels"] else ()
        rule = Rule(row["lhs"], row["source"], row["target"], labels)
        assert (row["source_words"], row["target_words"]) == rule.words()
        assert rule not in result
        result[rule] = tuple(row[name] for name in FEATURES)
    return result


FRENCH = {
    Rule.parse(text): count
    for text, count in {
        "[NP] ||| the [NN,1] of [NP,2] ||| le [NN,1] de [NP,2]": 3,
        "[NP] ||| [NP,1] 's [NN,2] ||| le [NN,2] de [NP,1]": 1,
        "[NP] ||| the [NN,1] of [NP,2] ||| la [NN,1] de [NP,2]": 1,
        "[X] ||| [NP,1] 's [NN,2] ||| le [NN,2] de [NP,1]": 4,
        "[NP] ||| [NN,1] of [NN,2] ||| le [NN,1] de [NN,2]": 7,
        "[VP] ||| step down ||| démissionner": 2,
        "[VP] ||| resign ||| démissionner": 6,
        "[NN] ||| resign ||| démissionner": 1,
    }.items()
}


def test_by_hand(tmp_path: Path) -> None:
    grammar = pivot_rules([grammar_of(FRENCH, tmp_path / "fr")], tmp_path / "out", min_count=1)
    rules = rules_of(grammar)
    genitive = Rule.parse("[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1]")
    # p(f|e1) = 3/4; p(e2|f) = 5/8, since 8 rules have this French side, 5 of them "NP 's NN" under NP
    # or X; the rule with two NN is another French side. With the left side NP: 3/4 and 1/4.
    assert rules[genitive] == pytest.approx((3 / 4 * 5 / 8, 1 * 3 / 8, 3 / 4 * 1 / 4, 1 * 3 / 4))
    resign = Rule.parse("[VP] ||| step down ||| resign")
    assert rules[resign] == pytest.approx((7 / 9, 2 / 9, 6 / 8, 2 / 8))
    # No X or NN rule has a partner with its left side, and labels are not exchanged.
    assert {rule.lhs for rule in rules} == {"NP", "VP"}
    assert len(rules) == 4
    assert grammar.info["origin"]["settings"] == {
        "side": "source",
        "min_count": 1,
        "min_probability": 0.01,
    }


def test_links_tell_pairs_of_the_same_sides_apart(tmp_path: Path) -> None:
    counts = {
        Rule("S", "[1] [2]", "f [1] [2]", ("A", "A")): 3,
        Rule("S", "[1] [2]", "f [2] [1]", ("A", "A")): 1,
        Rule("S", "x [1] [2]", "f [1] [2]", ("A", "A")): 4,
    }
    grammar = grammar_of(counts, tmp_path / "fr")
    rules = rules_of(pivot_rules([grammar], tmp_path / "out", min_count=1))
    assert rules == {rule: pytest.approx(p) for rule, p in brute_force([counts], "source", 1).items()}
    # p(f, straight | e) = 3/4, p(e2 | f) = 4/8: straight. By the swapped link: 1/4 and 4/8.
    assert rules[Rule("S", "[1] [2]", "x [1] [2]", ("A", "A"))][0] == pytest.approx(3 / 4 * 4 / 8)
    assert rules[Rule("S", "[1] [2]", "x [2] [1]", ("A", "A"))][0] == pytest.approx(1 / 4 * 4 / 8)
    # The same side by both links: a swap of its non-terminals, by way of f from either.
    swap = Rule("S", "[1] [2]", "[2] [1]", ("A", "A"))
    assert rules[swap][0] == pytest.approx(3 / 4 * 1 / 8 + 1 / 4 * 3 / 8)


def test_minimum_count_and_probability(tmp_path: Path) -> None:
    french = grammar_of(FRENCH, tmp_path / "fr")
    rules = rules_of(pivot_rules([french], tmp_path / "out"))
    # "NP 's NN" was extracted once under NP; the probabilities of the others stay.
    resign = Rule.parse("[VP] ||| step down ||| resign")
    assert set(rules) == {resign, Rule.parse("[VP] ||| resign ||| step down")}
    assert rules[resign][0] == pytest.approx(7 / 9)
    assert set(rules_of(pivot_rules([french], tmp_path / "few", min_probability=0.5))) == {resign}


@st.composite
def translation_rules(draw: st.DrawFn) -> Rule:
    count = draw(st.integers(0, 3))
    labels = draw(st.lists(st.sampled_from(["A", "B"]), min_size=count, max_size=count))
    marks = [f"[{k}]" for k in range(1, count + 1)]

    def side(order: list[str], words: list[str]) -> str:
        filler = draw(st.lists(st.sampled_from(words), min_size=0 if order else 1, max_size=2))
        place = draw(st.integers(0, len(filler)))
        return " ".join([*filler[:place], *order, *filler[place:]])

    source = side(marks, ["x", "1", "#"])
    target = side(draw(st.permutations(marks)), ["f", "é"])
    return Rule(draw(st.sampled_from(["A", "S"])), source, target, tuple(labels))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.dictionaries(translation_rules(), st.integers(1, 4), min_size=1, max_size=14),
        min_size=1,
        max_size=2,
    ),
    st.sampled_from(["source", "target"]),
    st.integers(1, 2),
)
def test_brute_force(tmp_path: Path, tables: list[Counts], side: PivotedSide, least: int) -> None:
    grammars = [grammar_of(counts, tmp_path / f"t{i}") for i, counts in enumerate(tables)]
    rules = rules_of(
        pivot_rules(grammars, tmp_path / "out", side=side, min_count=least, min_probability=0)
    )
    expected = brute_force(tables, side, least)
    assert rules.keys() == expected.keys()
    for rule, values in rules.items():
        assert values == pytest.approx(expected[rule], abs=1e-13)


def parsed_bitext(words: dict[str, str], cut: str) -> tuple[Bitext, Links, Trees]:
    """Noun phrases in two orders, with French or German words, aligned one to one."""
    nouns = ["king", "queen", "house"]
    sources, targets, alignments, trees = [], [], [], []
    for first, second in itertools.permutations(nouns, 2):
        target = f"{words[first]} {cut} {words[second]}"
        for english, links_of, tree in (
            (f"{first} of {second}", [(0, 0), (1, 1), (2, 2)], "(NP (NN {}) (IN {}) (NN {}))"),
            (f"{second} 's {first}", [(0, 2), (1, 1), (2, 0)], "(NP (NN {}) (POS {}) (NN {}))"),
        ):
            sources.append(english)
            targets.append(target)
            alignments.append(links_of)
            trees.append(tree.format(*english.split(" ")))
    return Bitext.of(sources, targets), Links.from_lists(alignments), Trees.of(trees)


def pivot_bitexts(engine: Engine, place: Path) -> Grammar:
    """The paraphrases of two parsed bitexts."""
    place.mkdir()
    languages = {
        "fr": ({"king": "roi", "queen": "reine", "house": "maison"}, "de"),
        "de": ({"king": "könig", "queen": "königin", "house": "haus"}, "von"),
    }
    grammars = [
        extract_grammar([parsed_bitext(*language)], place / name, engine=engine)
        for name, language in languages.items()
    ]
    return pivot_rules(grammars, place / "paraphrases", engine=engine)


def test_two_parsed_bitexts(tmp_path: Path) -> None:
    outputs = []
    for threads in (1, 2):
        grammar = pivot_bitexts(DuckDBEngine(threads=threads), tmp_path / str(threads))
        outputs.append(Path(grammar.path).read_bytes())
    assert outputs[0] == outputs[1]
    rules = rules_of(grammar)
    swap = Rule.parse("[NP] ||| [NN,1] of [NN,2] ||| [NN,2] 's [NN,1]")
    # Each order has the same translation half of the time, in both languages.
    assert rules[swap][0] == pytest.approx(0.5)


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
def test_spark_gives_the_same_bytes(spark_engine: Callable[..., SparkEngine], tmp_path: Path) -> None:
    one = pivot_bitexts(DuckDBEngine(), tmp_path / "duckdb")
    two = pivot_bitexts(spark_engine("local[2]"), tmp_path / "spark")
    assert len(one) > 4
    assert Path(one.path).read_bytes() == Path(two.path).read_bytes()


def test_errors(tmp_path: Path) -> None:
    french = grammar_of(FRENCH, tmp_path / "fr", counted=False)
    with pytest.raises(FileFormatError, match="expected a count for every rule, which probabilities"):
        pivot_rules([french], tmp_path / "out")
    with pytest.raises(SettingError, match="expected at least one grammar, found none"):
        pivot_rules([], tmp_path / "out")
    with pytest.raises(SettingError, match="unknown side 'sauce'; did you mean 'source'"):
        pivot_rules([french], tmp_path / "out", side="sauce")  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()
