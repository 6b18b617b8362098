"""Coverage by hand, pairs from files, and grammars from files against what cdec and Joshua say."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from paragauge.errors import (
    FileFormatError,
    InputError,
    LengthError,
    ParagaugeError,
    SettingError,
)
from paragauge.grammar.convert import read_grammar
from paragauge.grammar.derivation import format_derivation
from paragauge.grammar.features import NAMES, PROBABILITIES
from paragauge.grammar.grammar_folder import Grammar, new_grammar
from paragauge.grammar.pair_coverage import coverage
from paragauge.grammar.parse_settings import STATUSES, ParseSettings
from paragauge.grammar.rule import Rule
from paragauge.grammar.sentence_pairs import SentencePairs, read_pairs, read_translations
from paragauge.grammar.sync_parser import SyncParser

RULES = [
    Rule.parse(text)
    for text in (
        "[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]",
        "[N] ||| king ||| king",
        "[N] ||| horse ||| horse",
        "[N] ||| horse ||| steed",
    )
]


def written(folder: Path, rules: list[Rule], costs: list[float | None] | None = None) -> Path:
    """A grammar on disk."""
    rows = [rule.row() for rule in rules]
    if costs is not None:
        rows = [row | {"price": cost} for row, cost in zip(rows, costs, strict=True)]
    rows.sort(
        key=lambda row: tuple(str(row[n]).encode() for n in ("source", "target", "lhs", "labels"))
    )
    with new_grammar(folder, features=["price"] if costs is not None else []) as writer:
        table = pa.Table.from_pylist(rows)
        for name in ("source_words", "target_words"):
            table = table.set_column(
                table.schema.get_field_index(name), name, table.column(name).cast(pa.int32())
            )
        writer.write(table)
        writer.finish({})
    return folder


def test_all_and_any() -> None:
    pairs = SentencePairs.of_translations(
        [
            ["king 's horse", "horse", "x"],
            ["the steed of king", "king", "y"],
            ["the horse of king", "steed", "z"],
        ]
    )
    result = coverage(RULES, pairs)
    # Set 1: 1-2 and 1-3 are covered, 2-3 is not; set 2: only 1-3; set 3: none.
    assert result.covered.tolist() == [True, True, False, False, True, False, False, False, False]
    assert result.all == pytest.approx(100 * 3 / 9)
    assert result.any == pytest.approx(100 * 2 / 3)
    assert result.length == pytest.approx((3 + 4 + 3 + 4 + 1 + 1) / 6)
    assert result.counts == {
        "covered": 3,
        "unreachable": 2,
        "no-source-parse": 4,
        "out-of-time": 0,
        "out-of-memory": 0,
    }


def test_both_directions() -> None:
    pairs = SentencePairs.of(["steed", "king", "x"], ["horse", "steed", "y"])
    one, both = (coverage(RULES, pairs, directions=name) for name in ("one", "both"))
    assert [STATUSES[i] for i in one.status] == ["no-source-parse", "unreachable", "no-source-parse"]
    assert [STATUSES[i] for i in both.status] == ["covered", "unreachable", "no-source-parse"]
    assert both.results[1].statuses == ["covered", "no-source-parse", "no-source-parse"]
    assert one.signature != both.signature


def test_a_limit_in_one_direction_is_not_forgotten() -> None:
    rules = [Rule.parse("[X] ||| [X,1] [X,2] ||| [X,2] [X,1]"), Rule.parse("[X] ||| a ||| a")]
    pairs = SentencePairs.of(["a a a a a b", "b"], ["b", "b"])
    result = coverage(rules, pairs, ParseSettings(max_items=10), directions="both")
    assert [STATUSES[i] for i in result.status] == ["out-of-time", "no-source-parse"]
    assert result.results[0].items.tolist() == [-1, 0]


def test_nothing_covered() -> None:
    result = coverage([], SentencePairs.of(["a"], ["a"]))
    assert (result.all, result.any) == (0, 0)
    assert math.isnan(result.length)


def test_words_that_no_rule_can_contain_are_counted() -> None:
    pairs = SentencePairs.of(["a [7]", "a", "|||"], ["a", "a", "b"])
    assert coverage([Rule.parse("[X] ||| a ||| a")], pairs).impossible == 2


def test_pass_through() -> None:
    rules = [Rule.parse("[X] ||| a c ||| x"), Rule.parse("[X] ||| b ||| y")]
    pairs = SentencePairs.of(["a b", "a b", "d b"], ["a y", "a b", "d y"])

    def covered(**settings: str) -> list[bool]:
        return coverage(rules, pairs, ParseSettings(**settings)).covered.tolist()  # type: ignore[arg-type]

    assert covered() == [False, False, False]
    # `a` is on a source side, but of a rule with words that no sentence has.
    assert covered(passthrough="unknown") == [False, False, True]
    assert covered(passthrough="all") == [True, True, True]
    assert covered(passthrough="all", passthrough_label="OOV") == [True, True, True]


OF = [Rule.parse("[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1]")]
KING = (["the king of france"], ["france 's king"])


def test_words_pass_through_under_the_labels_of_gaps() -> None:
    one_label = ParseSettings(passthrough="all", passthrough_gaps="label")
    assert coverage(OF, SentencePairs.of(*KING), one_label).all == 0
    tree = SyncParser(OF, *KING, ParseSettings(passthrough="all")).derive(0)
    assert [(depth, node.label, str(node.rule)) for depth, node in tree.nodes] == [
        (0, "NP", "[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1]"),
        (1, "NN", "None"),
        (1, "NP", "None"),
    ]
    # Only those that the setting lets through: `the` and `of` are on a source side.
    unknown = ParseSettings(passthrough="unknown", glue=False)
    assert coverage(OF, SentencePairs.of(*KING), unknown).all == 100
    known = SentencePairs.of(["the of of france"], ["france 's of"])
    assert coverage(OF, known, unknown).all == 0
    # At the top a word has the label of the setting, where several would do.
    top = SyncParser(OF, ["king"], ["king"], ParseSettings(passthrough="all")).derive(0)
    assert [node.label for node in top.roots] == ["X"]


symbols = st.lists(st.sampled_from(["a", "b", "N"]), min_size=1, max_size=3)


@st.composite
def labeled_rules(draw: st.DrawFn) -> Rule:
    names: list[str] = []
    source = []
    for symbol in draw(symbols):
        if symbol == "N":
            names.append(draw(st.sampled_from(["X", "NP", "VP"])))
        source.append(f"[{len(names)}]" if symbol == "N" else symbol)
    gaps = [f"[{i + 1}]" for i in range(len(names))]
    target = draw(st.permutations([*gaps, *draw(st.lists(st.sampled_from("abc"), max_size=2))]))
    left = draw(st.sampled_from(["X", "NP", "VP"]))
    return Rule(left, " ".join(source), " ".join(target or ["c"]), tuple(names))


short_lines = st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join)


@examples(max_examples=150, deadline=None)
@given(
    st.lists(labeled_rules(), max_size=4),
    st.lists(st.tuples(short_lines, short_lines), min_size=1, max_size=4),
    st.sampled_from([(), ("NP",), ("OOV", "VP")]),
    st.booleans(),
    st.sampled_from(["X", "OOV"]),
)
def test_passing_under_any_label_equals_rules_that_copy(
    rules: list[Rule],
    sentences: list[tuple[str, str]],
    start: tuple[str, ...],
    glue: bool,
    label: str,
) -> None:
    """A rule L -> w / w for every word and every label of a gap, at the top, and of the setting."""
    pairs = SentencePairs.of([s for s, _ in sentences], [t for _, t in sentences])
    known = {rule.lhs for rule in rules} | {label}
    start = tuple(name for name in start if name in known)
    labels = {label, *start, *(name for rule in rules for name in rule.labels)}
    copies = [Rule(name, word, word) for name in sorted(labels) for word in "abcd"]
    options: dict[str, Any] = {"start": start, "glue": glue}
    passing = ParseSettings(passthrough="all", passthrough_label=label, **options)
    expected = coverage([*rules, *copies], pairs, ParseSettings(**options))
    assert coverage(rules, pairs, passing).status.tolist() == expected.status.tolist()


def test_words_pass_through_under_start_labels() -> None:
    pairs = SentencePairs.of(["king"], ["king"])
    for start, gaps, percentage in (("NP", "any", 100), ("NP", "label", 0), ("X", "label", 100)):
        settings = ParseSettings(passthrough="all", start=(start,), passthrough_gaps=gaps)  # type: ignore[arg-type]
        assert coverage(OF, pairs, settings).all == percentage
    # The rule that names VP has words that no sentence has; the label is a start label all the same.
    rules = [*OF, Rule.parse("[VP] ||| sleeps ||| rests")]
    settings = ParseSettings(passthrough="all", start=("VP",))
    assert coverage(rules, pairs, settings).all == 100


def test_start_labels() -> None:
    pairs = SentencePairs.of(["king 's horse"], ["the steed of king"])
    for settings, percentage in (
        (ParseSettings(start=("NP",)), 100),
        (ParseSettings(start=("NP",), glue=False), 100),
        (ParseSettings(start=("N",)), 0),
        (ParseSettings(start=("N", "NP"), glue=False), 100),
    ):
        assert coverage(RULES, pairs, settings).all == percentage
    with pytest.raises(SettingError, match=r"unknown start label of rules 'VP'.*known: N, NP"):
        coverage(RULES, pairs, ParseSettings(start=("VP",)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"passthrough": "some"}, "unknown value of passthrough 'some'"),
        ({"passthrough_gaps": "all"}, "unknown value of passthrough_gaps 'all'.*known: any, label"),
        ({"span": -1}, "span: expected a whole number from 0 to [0-9]+, found -1"),
        ({"max_items": 1 << 63}, "max_items: expected a whole number from 0 to 4611686018427387904"),
        ({"max_seconds": math.nan}, "max_seconds: expected a number from 0"),
        ({"start": ("N P",)}, "expected a label without spaces"),
    ],
)
def test_bad_settings(settings: dict, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ParseSettings(**settings)


def test_every_setting_is_in_the_signature() -> None:
    changed = {
        "span": 3,
        "glue": False,
        "start": ("A",),
        "passthrough": "all",
    }
    plain = ParseSettings().signature
    assert (
        len({ParseSettings(**{name: value}).signature for name, value in changed.items()} | {plain})
        == 5
    )
    own = ParseSettings(passthrough="all", passthrough_label="OOV").signature
    one = ParseSettings(passthrough="all", passthrough_gaps="label").signature
    assert len({own, one, ParseSettings(passthrough="all").signature}) == 3


def test_a_grammar_on_disk_as_a_text_file_and_as_rules(tmp_path: Path) -> None:
    pairs = SentencePairs.of(["king 's horse", "horse"], ["the steed of king", "king"])
    folder = written(tmp_path / "g", RULES)
    text = tmp_path / "g.joshua.gz"
    with gzip.open(text, "wt", encoding="utf-8") as out:
        out.writelines(f"{rule} ||| Price=1 ||| \n" for rule in RULES)
    results = [
        coverage(rules, pairs) for rules in (RULES, folder, Grammar.open(folder), text, str(text))
    ]
    assert {tuple(result.status.tolist()) for result in results} == {(0, 1)}
    assert [result.name for result in results] == ["rules", "g", "g", "g.joshua", "g.joshua"]
    assert {result.rules for result in results} == {4}


def test_unicode_words() -> None:
    rules = [Rule.parse("[X] ||| 汉字 [X,1] ||| [X,1] 漢字"), Rule.parse("[X] ||| 🙂 ||| e\u0301")]
    assert coverage(rules, SentencePairs.of(["汉字 🙂"], ["e\u0301 漢字"])).all == 100


def test_cost_chooses_the_derivation(tmp_path: Path) -> None:
    rules = [Rule.parse(f"[X] ||| {rule}") for rule in ("a b ||| c d", "a ||| c", "b ||| d")]
    folder = written(tmp_path / "g", rules, [5.0, 1.0, 1.5])
    pair = ["a b"], ["c d"]
    cheap = SyncParser(folder, *pair, cost="price").derive(0)
    assert (cheap.cost, len(cheap.nodes)) == (2.5, 2)
    short = SyncParser(folder, *pair).derive(0)
    assert (short.cost, len(short.nodes)) == (0, 1)
    with pytest.raises(SettingError, match=r"unknown feature of .*'prise'; did you mean 'price'"):
        SyncParser(folder, *pair, cost="prise")
    text = tmp_path / "g.txt"
    text.write_text("[X] ||| a b ||| c d ||| w=3\n[X] ||| a ||| c ||| w=1\n[X] ||| b ||| d ||| w=1\n")
    assert SyncParser(text, *pair, cost="w").derive(0).cost == 2
    with pytest.raises(SettingError, match="unknown feature of"):
        SyncParser(text, *pair, cost="v")
    with pytest.raises(InputError, match="a list of rules has no features"):
        SyncParser(rules, *pair, cost="w")


def test_a_cost_slightly_below_0(tmp_path: Path) -> None:
    """PPDB 1.0 has such values of -log p."""
    text = tmp_path / "ppdb.txt"
    text.write_text(
        "[X] ||| a ||| c ||| p(e|f)=-0.00001\n[Y] ||| a ||| c ||| p(e|f)=0\n"
        "[X] ||| b ||| d ||| p(e|f)=-0.00002\n"
    )
    tree = SyncParser(text, ["a b"], ["c d"], cost="p(e|f)").derive(0)
    assert tree.cost == -0.00001 - 0.00002
    assert [node.label for node in tree.roots] == ["X", "X"]
    printed = format_derivation(tree).split("\n")
    assert printed[0] == "covered: 2 rules, 2 phrases in a row, cost -3e-05"
    assert printed[5].endswith("[X] ||| a ||| c  (-1e-05)")


def test_own_probabilities_become_costs(tmp_path: Path) -> None:
    text = tmp_path / "own.txt"
    text.write_text(
        "[X] ||| a b ||| c d ||| p_target=0.1 p=0.1\n[X] ||| a ||| c ||| p_target=1 p=1\n"
        "[X] ||| b ||| d ||| p_target=0.25 p=0.25\n"
    )
    likely = SyncParser(text, ["a b"], ["c d"], cost="p_target").derive(0)
    assert likely.cost == -math.log(0.25)  # 0.1 is less likely than 1 x 0.25
    assert [str(node.cost) for node in likely.roots] == ["0.0", str(-math.log(0.25))]
    # A name that is not one of ours is taken as it is.
    assert SyncParser(text, ["a b"], ["c d"], cost="p").derive(0).cost == 0.1
    folder = read_grammar(text, tmp_path / "own")
    assert SyncParser(folder, ["a b"], ["c d"], cost="p_target").derive(0).cost == likely.cost
    for bad in ("0", "1.5", "-0.1"):
        text.write_text(f"[X] ||| a ||| c ||| p_target={bad}\n")
        message = rf"feature p_target: expected a probability above 0 for every rule, found {bad} for"
        with pytest.raises(FileFormatError, match=message):
            SyncParser(text, ["a"], ["c"], cost="p_target")


def test_every_probability_of_ours_becomes_a_cost() -> None:
    assert {name for name in NAMES if name.startswith(("p_", "lex_"))} == set(PROBABILITIES)


def test_a_circle_of_negative_cost(tmp_path: Path) -> None:
    text = tmp_path / "circle.txt"
    text.write_text(
        "[X] ||| [Y,1] ||| [Y,1] ||| w=-1\n[Y] ||| [X,1] ||| [X,1] ||| w=0.5\n[X] ||| a ||| a ||| w=3\n"
    )
    with pytest.raises(InputError, match=r"pair 1, 'a': expected a derivation with the lowest cost"):
        SyncParser(text, ["a"], ["a"], cost="w").derive(0)
    assert len(SyncParser(text, ["a"], ["a"]).derive(0).nodes) == 1


@pytest.mark.parametrize(("bad", "value"), [(None, "none"), (-math.inf, "-inf"), (math.inf, "inf")])
def test_bad_costs(tmp_path: Path, bad: float | None, value: str) -> None:
    rules = [Rule.parse(f"[X] ||| {rule}") for rule in ("a ||| c", "b ||| d")]
    folder = written(tmp_path / "g", rules, [1.0, bad])
    with pytest.raises(
        FileFormatError, match=rf"feature price: expected a cost.* found {value} for \[X\]"
    ):
        SyncParser(folder, ["a b"], ["c d"], cost="price")


def test_a_row_that_is_not_a_rule(tmp_path: Path) -> None:
    bad = Rule("X", "[1] b", "[1] b", ("X",))
    object.__setattr__(bad, "target", "[2] b")  # as a damaged table might have it
    folder = written(tmp_path / "g", [Rule("X", "a", "b"), bad])
    with pytest.raises(FileFormatError, match=r"rules\.parquet:1: expected a rule in normal form"):
        SyncParser(folder, ["a b"], ["c d"])


def test_threads_do_not_matter() -> None:
    rng = np.random.default_rng(5)
    words = list("abcde")  # e is in no rule
    sentences = [[" ".join(rng.choice(words, rng.integers(1, 9))) for _ in range(300)] for _ in "st"]
    rules = [Rule.parse(f"[X] ||| {w} ||| {v}") for w in words[:4] for v in "abc"]
    rules.append(Rule.parse("[X] ||| [X,1] a [X,2] ||| [X,2] [X,1] b"))
    results = [SyncParser(rules, *sentences, threads=n).parse() for n in (1, 2, 5)]
    for result in results[1:]:
        np.testing.assert_array_equal(results[0].status, result.status)
        np.testing.assert_array_equal(results[0].items, result.items)
    assert set(results[0].statuses) == {"covered", "unreachable", "no-source-parse"}


@pytest.mark.parametrize("span", [10, 15])
def test_same_answers_as_cdec_and_joshua(benchmark_data: Path, span: int) -> None:
    """Reads the files as a user would; the tests of the kernel do the same with rules in memory."""
    folder = benchmark_data / "oracles" / "coverage"
    result = coverage(folder / "grammar.gz", read_pairs(folder / "pairs.txt"), ParseSettings(span=span))
    header, *rows = (folder / "expected.tsv").read_text(encoding="utf-8").splitlines()
    column = header.split("\t").index(f"cdec_span{span}")
    assert [STATUSES[i] for i in result.status] == [row.split("\t")[column] for row in rows]
    assert result.counts["covered"] == {10: 53, 15: 56}[span]


def test_pairs_of_files(tmp_path: Path) -> None:
    bars, tabs = tmp_path / "bars", tmp_path / "tabs.gz"
    bars.write_bytes("a b ||| c\r\nd ||| é f".encode())
    with gzip.open(tabs, "wt", encoding="utf-8") as out:
        out.write("A b\tC\nD\té f\n")
    for pairs in (read_pairs(bars), read_pairs(tabs, case="lower")):
        assert [pairs[i] for i in range(2)] == [("a b", "c"), ("d", "é f")]
        assert (pairs.sets, pairs.members.tolist()) == (2, [[1, 2], [1, 2]])
    bars.write_text("It's.\tThat is.\n")
    assert read_pairs(bars, tokenize="13a")[0] == ("It's .", "That is .")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (
            b"a ||| b\na b\n",
            ":2: expected two sentences with a tab or ' ||| ' between them, found 1 part;",
        ),
        (b"a\tb\tc\n", ":1: expected two sentences .* found 3 parts"),
        (b"a ||| \n", ":1: expected a sentence, found an empty line; .* --empty skip"),
        (b"a ||| b\n\xff ||| b\n", ":2: expected UTF-8 text"),
    ],
)
def test_bad_pairs(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "pairs"
    path.write_bytes(text)
    with pytest.raises(FileFormatError, match=message):
        read_pairs(path)


def test_translations(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "abcd"]
    for path in paths:
        path.write_text(f"{path.name} 1\n{path.name} 2\n")
    pairs = read_translations(paths)
    assert (len(pairs), pairs.sets, pairs.skipped) == (12, 2, 0)
    assert pairs.set_of.tolist() == [1] * 6 + [2] * 6
    assert pairs[6] == ("a 2", "b 2")
    assert pairs.members[:6].tolist() == [[1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]]
    paths[1].write_text("b 1\n \n")
    with pytest.raises(FileFormatError, match=r"b:2: expected a sentence, found an empty line"):
        read_translations(paths)
    skipped = read_translations(paths, empty="skip")
    assert (len(skipped), skipped.skipped, skipped.sets) == (9, 3, 2)
    result = coverage([Rule.parse("[X] ||| a ||| b")], read_translations(paths, empty="keep"))
    assert len(result.pairs) == 12
    paths[2].write_text("c 1\n")
    with pytest.raises(ParagaugeError, match=r"(?s)c.*(line|sentence)"):
        read_translations(paths)
    with pytest.raises(InputError, match="at least two files"):
        read_translations(paths[:1])
    with pytest.raises(LengthError, match="translation 2 has 1"):
        SentencePairs.of(["a", "b"], ["c"])


@given(st.binary(max_size=80) | st.text("ab|\t \n\r\x00é", max_size=40).map(str.encode))
def test_any_file_of_pairs_is_read_or_rejected(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "pairs"
    path.write_bytes(data)
    try:
        pairs = read_pairs(path, empty="keep")
    except ParagaugeError:
        return
    assert len(pairs) == pairs.sets
    result = coverage([Rule.parse("[X] ||| a ||| b")], pairs, ParseSettings(passthrough="all"))
    assert len(result.status) == len(pairs)


def test_truncated_gzip_of_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.gz"
    path.write_bytes(gzip.compress(b"a ||| b\n" * 5000)[:40])
    with pytest.raises(ParagaugeError, match=r"pairs\.gz"):
        read_pairs(path)


def test_sets_without_a_pair_do_not_count() -> None:
    pairs = SentencePairs.of_translations([["a", "a"], ["b", ""]], empty="skip")
    assert (len(pairs), pairs.sets, pairs.skipped) == (1, 1, 1)
    assert coverage([Rule.parse("[X] ||| a ||| b")], pairs).any == 100


@pytest.mark.parametrize(
    "wrong", [{"start": "NP"}, {"max_memory": "1GB"}, {"span": 1.5}], ids=["text", "size", "fraction"]
)
def test_settings_of_the_wrong_type(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingError, match="expected"):
        ParseSettings(**wrong)
