"""The pairs that a learned adequacy is trained on: rules of changes and rewrites, and collections."""

from __future__ import annotations

import doctest
import gzip
import importlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from paragauge.errors import SettingError
from tools.models import adequacy_pairs as tool
from tools.models.meaning_controls import CHANGED_KINDS, KEPT_KINDS, change_meaning, keep_meaning

ROOT = Path(__file__).parents[3]
MODULES = (
    *("adequacy_pairs", "meaning_controls", "meaning_changes", "meaning_rewrites"),
    *("passive_voice", "quantity_changes", "role_changes", "sentence_batch"),
)
SENTENCES = [
    "A man is riding a brown horse on the beach.",
    "The old nurse helped three children in the evening.",
    "All dogs like the water and the sun.",
    "Tom will not leave before noon.",
    "I'm always very happy on Monday.",
    "A woman is cutting an onion with a knife.",
    "He bought two cars in March.",
]


def results(function, text: str, kind: str) -> set[str]:
    """What a kind makes of a sentence with twenty seeds."""
    return {new for seed in range(20) for _, _, new in function([text], seed, [kind])}


@pytest.mark.parametrize(
    ("text", "kind", "changed"),
    [
        ("He sleeps on Monday.", "date-unit", {"Tuesday", "Sunday"}),
        ("They waited two weeks.", "date-unit", {"years", "hours"}),
        ("I left yesterday.", "date-unit", {"last week", "last year"}),
        ("Many birds sing.", "quantifier", {"Few birds sing.", "No birds sing."}),
        ("He is always late.", "quantifier", {"He is never late.", "He is rarely late."}),
        ("At least 5 men came.", "quantifier", {"At most 5 men came."}),
        ("He left.", "modality", {"He may have left.", "He should have left."}),
        ("The dog is old.", "modality", {"The dog might be old."}),
        ("You must go.", "modality", {"You may go.", "You might go."}),
        ("A monkey sits in a car.", "swap", {"A car sits in a monkey."}),
        ("Tom saw an owl in a tree.", "swap", {"Tom saw a tree in an owl."}),
        ("The man is singing.", "no", {"No man is singing.", "There is no man singing."}),
        ("Some birds were singing.", "no", {"No birds were", "There were no birds"}),
        ("A man is singing.", "nobody", {"Nobody is singing."}),
        ("People are dancing.", "nobody", {"Nobody is dancing."}),
        ("He left.", "never", {"He never left."}),
        ("The dog is eating.", "never", {"The dog is never eating."}),
        ("Tom is not old.", "negation", {"Tom is old."}),
        ("It was a hot day.", "opposite", {"It was a cold day."}),
        ("A man is looking at a dog.", "arguments", {"A dog is looking at a man."}),
        ("He saw her.", "arguments", {"She saw him."}),
        ("Tom was hit by a truck.", "agent", {"A truck was hit by Tom."}),
        ("Tom is taller than Ann.", "compared", {"Ann is taller than Tom."}),
        ("Tom is taller than Ann.", "false-converse", {"Tom is shorter than Ann."}),
        ("Tom sold a car to Ann.", "false-converse", {"Tom bought a car from Ann."}),
    ],
)
def test_kinds_that_change_the_meaning(text: str, kind: str, changed: set[str]) -> None:
    found = results(change_meaning, text, kind)
    assert all(any(new in one for one in found) for new in changed), found


@pytest.mark.parametrize(
    ("text", "kind", "kept"),
    [
        ("A man is cutting a tree.", "passive", "A tree is being cut by a man."),
        ("Tom wrote a lot of letters.", "passive", "A lot of letters were written by Tom."),
        ("A cook puts meat in a pan.", "passive", "Meat is put in a pan by a cook."),
        ("Two men are singing.", "there-is", "There are two men singing."),
        ("A man and a boy were singing.", "there-is", "There were a man and a boy singing."),
        ("An old dog was barking.", "determiner", "The old dog was barking."),
        ("I'm in Boston.", "contraction", "I am in Boston."),
        ("He will not come.", "contraction", "He won't come."),
        ("A dog is running on the beach.", "front", "On the beach, a dog is running."),
        ("Tom was ill for three weeks.", "front", "For three weeks, Tom was ill."),
        ("He has three sons.", "digits", "He has 3 sons."),
        ("4 men died.", "digits", "Four men died."),
        ("Tom and Mary left.", "and-swap", "Mary and Tom left."),
        ("A boy and an owl slept.", "and-swap", "An owl and a boy slept."),
        ("He has a yellow umbrella.", "drop-adj", "He has an umbrella."),
        ("It is very cold.", "drop-adj", "It is cold."),
        ("Tom sold a car to Ann.", "converse", "Ann bought a car from Tom."),
        ("Ann borrowed a pen from Tom.", "converse", "Tom lent a pen to Ann."),
    ],
)
def test_kinds_that_keep_the_meaning(text: str, kind: str, kept: str) -> None:
    assert results(keep_meaning, text, kind) == {kept}


@pytest.mark.parametrize(
    ("function", "kind", "text"),
    [
        (change_meaning, "swap", "Tom and Mary left."),
        (change_meaning, "swap", "A man danced with a woman."),
        (change_meaning, "quantifier", "He did not see all of it."),
        (change_meaning, "date-unit", "Look after the second child one day."),
        (change_meaning, "modality", "Is he old?"),
        (change_meaning, "never", "I've seen it."),
        (change_meaning, "no", "A few men are singing."),
        (change_meaning, "nobody", "He sold his car."),
        (change_meaning, "arguments", "Tom married Mary."),
        (change_meaning, "arguments", "The girls saw a dog."),
        (change_meaning, "agent", "He swam by the sea."),
        (change_meaning, "compared", "He is older than he looks."),
        (keep_meaning, "converse", "Tom gave his book to Mary."),
        (keep_meaning, "passive", "Tom gave Mary a book."),
        (keep_meaning, "passive", "The price rose 5 percent."),
        (keep_meaning, "determiner", "The dogs are barking."),
        (keep_meaning, "contraction", "It's been cold."),
        (keep_meaning, "front", "A woman is putting a pan on a stove."),
        (keep_meaning, "digits", "He was born on March 5."),
        (keep_meaning, "and-swap", "Bill Clinton and Hillary Clinton left."),
        (keep_meaning, "drop-adj", "It is the most beautiful bird."),
    ],
)
def test_sentences_that_a_rule_passes_over(function, kind: str, text: str) -> None:
    assert results(function, text, kind) == set()


def test_a_comparison_is_said_from_the_other_side_or_with_less() -> None:
    made = results(keep_meaning, "Beer is cheaper than wine.", "converse")
    assert made == {"Wine is more expensive than beer.", "Beer is less expensive than wine."}


def test_another_word_has_the_same_tag_and_comes_from_another_sentence() -> None:
    made = change_meaning(SENTENCES, 7, ["word"])
    assert made
    vocabulary = {word.strip(".").lower() for text in SENTENCES for word in text.split()}
    for number, _, text in made:
        old, new = SENTENCES[number].split(), text.split()
        assert len(old) == len(new)
        different = [
            b for a, b in zip(old, new, strict=True) if a != b and b.lower() not in ("a", "an")
        ]
        assert len(different) == 1
        assert different[0].strip(".").lower() in vocabulary


def test_an_added_clause_is_another_statement() -> None:
    made = change_meaning(["A dog barks loudly.", "Tom is very ill."], 7, ["clause"])
    starts = {
        0: ("A dog barks loudly, ", "Tom is very ill."),
        1: ("Tom is very ill, ", "a dog barks loudly."),
    }
    assert made
    for number, _, text in made:
        start, end = starts[number]
        assert text.startswith(start)
        assert text.endswith(end)


def test_a_seed_decides_and_kinds_do_not_depend_on_each_other() -> None:
    for function, kinds in ((change_meaning, CHANGED_KINDS), (keep_meaning, KEPT_KINDS)):
        everything = function(SENTENCES, 7)
        assert everything == function(SENTENCES, 7)
        for kind in kinds:
            assert function(SENTENCES, 7, [kind]) == [one for one in everything if one[1] == kind]
    assert change_meaning(SENTENCES, 7) != change_meaning(SENTENCES, 8)


def test_nothing_depends_on_the_seed_of_hashes() -> None:
    code = (
        "from tools.models.meaning_controls import change_meaning, keep_meaning\n"
        f"sentences = {SENTENCES!r}\n"
        "print(change_meaning(sentences, 7), keep_meaning(sentences, 7))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_what_keeps_the_meaning_is_not_what_changes_it() -> None:
    assert not set(CHANGED_KINDS) & set(KEPT_KINDS)
    changed = {(number, text) for number, _, text in change_meaning(SENTENCES, 7)}
    kept = {(number, text) for number, _, text in keep_meaning(SENTENCES, 7)}
    assert changed
    assert kept
    assert not changed & kept
    assert not {text for _, text in changed | kept} & set(SENTENCES)


def test_unknown_kinds_and_no_sentences() -> None:
    with pytest.raises(SettingError, match="unknown kind of control 'swop'; did you mean 'swap'"):
        change_meaning(SENTENCES, 7, ["swop"])
    assert change_meaning([], 7) == keep_meaning([], 7) == []


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(f"tools.models.{name}")
    assert doctest.testmod(module).failed == 0


def write_rows(path: Path, rows: list[tuple[object, ...]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines("\t".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    pairs = [(text, text.replace(" is ", " was ")) for text in SENTENCES]
    write_rows(
        tmp_path / "parabank/ratings.tsv.gz",
        [
            ("source", "candidate", "score_0_100"),
            ("a b", "a c", 80),
            ("a b", "a c", 60),
            ("a", "b", ""),
        ],
    )
    sts = [(source, candidate, 5) for source, candidate in pairs]
    write_rows(
        tmp_path / "stsb/train.tsv.gz",
        [("source", "candidate", "similarity_0_5"), *sts, ("A cat sleeps.", "A dog barks.", 1)],
    )
    paws = [(source, candidate, 1) for source, candidate in pairs]
    write_rows(tmp_path / "paws/dev.tsv.gz", [("source", "candidate", "paraphrase"), *paws])
    for language in tool.LANGUAGES:
        rows = [("He is a very old man.", "x"), ("He is quite an old man.", "x"), ("He is old.", "x")]
        write_rows(
            tmp_path / f"bitext/eng-{language}.tsv.gz", [*rows, ("It is not so very cold.", "y")]
        )
    return tmp_path


def test_collections(data: Path) -> None:
    pairs = tool.training_pairs(data)
    assert pairs == tool.training_pairs(data)
    assert sorted(pairs) == sorted(
        [
            "changed",
            "changed_copy",
            "changed_kept",
            "changed_paws",
            "copy",
            "doubled",
            "kept",
            "negated",
            "numbers",
            "parabank",
            "paws",
            "roles",
            "short",
            "sts",
            "tatoeba",
            "unrelated",
        ]
    )
    assert [(pair.candidate, pair.source, pair.value) for pair in pairs["parabank"]] == [
        ("a c", "a b", 0.7)
    ]
    assert Counter(pair.value for pair in pairs["sts"]) == {1.0: 7, 0.2: 1}
    (shared,) = pairs["tatoeba"]
    assert {shared.candidate, shared.source} == {"He is a very old man.", "He is quite an old man."}
    made = [pair for name in pairs if name not in tool.RATED for pair in pairs[name]]
    assert all(pair.value is None for pair in made)
    assert all((pair.candidate == pair.source) == (pair.kind == "copy") for pair in made)
    assert {pair.kind for pair in pairs["negated"]} == {"negation"}
    assert {pair.kind for pair in pairs["changed_copy"]} <= {*tool.CHANGES, "near-copy"}
    assert {pair.kind for pair in pairs["kept"]} <= set(tool.KEEPS)
    assert {pair.kind for pair in pairs["roles"]} <= {*tool.ROLES, *tool.SAME_ROLES}
    assert {pair.candidate for pair in pairs["doubled"]} >= {f"{SENTENCES[0]} {SENTENCES[0]}"}
    assert not {"clause", "near-copy"} & {pair.kind for pair in pairs["changed_kept"]}


def test_at_most_so_many_of_a_kind(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "CHANGED_PER_KIND", 2)
    counts = Counter(pair.kind for pair in tool.training_pairs(data)["changed_copy"])
    assert max(counts.values()) == 2
