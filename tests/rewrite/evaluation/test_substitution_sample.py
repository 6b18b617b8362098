"""Samples of substitutions: what is drawn, that it is uniform, and what the files say."""

from __future__ import annotations

from collections import Counter

import pytest

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.rewrite.evaluation.sample_files import (
    read_key,
    write_campaign,
    write_items,
    write_key,
)
from paragauge.rewrite.evaluation.substitution_sample import mark_change, parse_method, sample
from paragauge.rewrite.rewrite_method import RewriteMethod

PAIRS = [
    ("hard", "difficult"),
    ("big", "large"),
    ("begin", "start"),
    ("build", "construct"),
    ("car", "automobile"),
    ("error", "mistake"),
    ("answer", "reply"),
    ("doctor", "physician"),
]
REFERENCES = [f"They said it was a {old} in {number} ." for number, (old, _) in enumerate(PAIRS * 3)]
OUTPUTS = [f"We wrote about the {new} then ." for _, new in PAIRS * 3]


def accepted_by_hand(method):
    rewriting = RewriteMethod(method).rewriter().run(REFERENCES, OUTPUTS)
    return {
        (p.segment + 1, p.reference + 1, p.first + 1, p.last + 1, p.old, p.new)
        for p in rewriting
        if p.verdict == "accepted"
    }


def identity(row):
    return row.segment, row.reference, row.token, row.last, row.old, row.new


def test_all_that_is_accepted_is_drawn_if_enough_is_asked_for():
    everything = accepted_by_hand("wordnet")
    assert len(everything) > 10
    drawn = sample(REFERENCES, [OUTPUTS], ["wordnet"], count=1000)
    assert {identity(row) for row in drawn.rows} == everything
    assert drawn.accepted == {"wordnet": len(everything)}
    assert [row.key for row in drawn.rows] == [f"s{i:02}" for i in range(1, len(everything) + 1)]


def test_the_same_substitution_for_several_outputs_is_one():
    once = sample(REFERENCES, [OUTPUTS], ["wordnet"], count=1000)
    twice = sample(REFERENCES, {"a": OUTPUTS, "b": OUTPUTS}, ["wordnet"], count=1000)
    assert once.rows == twice.rows


def test_each_method_has_its_own_sample_of_what_it_accepts():
    methods = ["wordnet", "context", "random:threshold=0.5"]
    drawn = sample(REFERENCES, [OUTPUTS], methods, count=5)
    for method in methods:
        own = [row for row in drawn.rows if method in row.drawn_by]
        assert len(own) == 5
        assert {row.verdicts[method] for row in own} == {"accepted"}
    context = accepted_by_hand("context")
    for row in drawn.rows:
        assert (row.verdicts["context"] == "accepted") == (identity(row) in context)
        assert row.drawn_by
    # A method that accepts a part of what another does, and is drawn in the same order, shares with it.
    assert len(drawn.rows) < 15


def test_every_accepted_substitution_is_as_likely_as_another():
    counts: Counter[tuple[object, ...]] = Counter()
    for seed in range(300):
        drawn = sample(REFERENCES, [OUTPUTS], ["wordnet"], count=3, seed=seed)
        counts.update(identity(row) for row in drawn.rows)
    size = len(accepted_by_hand("wordnet"))
    expected = 300 * 3 / size
    assert len(counts) == size
    deviation = (expected * (1 - 3 / size)) ** 0.5
    assert all(abs(count - expected) < 4.5 * deviation for count in counts.values())


def test_the_order_says_nothing_about_the_method():
    methods = ["wordnet", "random:threshold=0.6"]
    first = Counter(
        "random:threshold=0.6"
        in sample(REFERENCES, [OUTPUTS], methods, count=6, seed=seed).rows[0].drawn_by
        for seed in range(200)
    )
    shared = [
        sum("random:threshold=0.6" in row.drawn_by for row in rows) / len(rows)
        for rows in (
            sample(REFERENCES, [OUTPUTS], methods, count=6, seed=seed).rows for seed in range(200)
        )
    ]
    assert first[True] / 200 == pytest.approx(sum(shared) / 200, abs=0.12)


def test_random_is_as_strict_as_the_filter_before_it():
    method = "context:threshold=0"
    drawn = sample(REFERENCES, [OUTPUTS], ["wordnet", method, "random"], count=3)
    rewriting = parse_method(method).rewriter().run(REFERENCES, OUTPUTS)
    share = (rewriting.count("refused") + rewriting.count("unknown")) / len(rewriting)
    assert 0 < share < 1
    assert drawn.signatures["random"]["rewrite-filter"] == f"random@{share:g},7"


def test_texts_are_those_of_the_rewriting():
    drawn = sample(["It is hard to say."], [["It is difficult."]], ["wordnet"])
    assert [(row.before, row.after) for row in drawn.rows] == [
        ("It is [hard] to say.", "It is [difficult] to say.")
    ]


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("a big man", "a large man", ("a [big] man", "a [large] man")),
        ("start", "stop", ("[start]", "[stop]")),
        ("the starter", "the stater", ("the [starter]", "the [stater]")),
        ("an error,", "a mistake,", ("[an error],", "[a mistake],")),
        ("he's big", "he's large", ("he's [big]", "he's [large]")),
    ],
)
def test_what_changed_is_in_brackets(before, after, marked):
    assert mark_change(before, after) == marked


def test_seeds_and_repetition():
    one, again, other = (
        sample(REFERENCES, [OUTPUTS], ["wordnet"], count=4, seed=seed) for seed in (1, 1, 2)
    )
    assert one == again
    assert one.rows != other.rows


@pytest.mark.parametrize(
    ("methods", "settings", "message"),
    [
        (["wordnet", "wordnet"], {}, "method 'wordnet' is named twice; leave one out"),
        (["random"], {}, "method 'random': expected a threshold, or before it a method with a filter"),
        (["wordnt"], {}, "unknown rewriting method 'wordnt'; did you mean 'wordnet'"),
        (["none"], {}, "method 'none': expected a method that rewrites, such as wordnet"),
        (["context:treshold=1"], {}, "unknown setting of rewriting 'rewrite_treshold'"),
        (["wordnet"], {"count": 0}, "count: expected at least 1 substitution of each method, found 0"),
    ],
)
def test_errors(methods, settings, message):
    with pytest.raises(SettingError, match=message):
        sample(REFERENCES, [OUTPUTS], methods, **settings)


def test_no_outputs():
    with pytest.raises(InputError, match="expected at least one system's output, found none"):
        sample(REFERENCES, [])


def test_files(tmp_path):
    drawn = sample(REFERENCES, [OUTPUTS], ["wordnet", "context"], count=5)
    items, key = tmp_path / "items.tsv", tmp_path / "key.tsv"
    write_items(drawn, items)
    write_key(drawn, key)
    shown = items.read_text(encoding="utf-8")
    assert shown.splitlines()[0].split("\t") == ["key", "source", "system", "candidate"]
    assert {line.split("\t")[2] for line in shown.splitlines()[1:]} == {"substitution"}
    assert "wordnet" not in shown
    assert "context" not in shown
    again = read_key(key)
    assert again.methods == ("wordnet", "context")
    assert again.drawn_by == {row.key: row.drawn_by for row in drawn.rows}
    assert again.verdicts == {row.key: dict(row.verdicts) for row in drawn.rows}
    write_campaign(items, tmp_path / "campaign.toml", judges=3)
    text = (tmp_path / "campaign.toml").read_text(encoding="utf-8")
    assert 'items = "items.tsv"' in text
    assert "per_item = 3" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key\tdrawn_by\ns1\twordnet\n", "expected a column of verdicts for each method, found none"),
        ("key\twordnet\ns1\taccepted\n", "unknown column 'drawn_by'"),
        (
            "key\tdrawn_by\twordnet\ns1\twordnet\tgood\n",
            "key.tsv:2: wordnet: expected one of accepted, refused, unknown, outdone, not proposed",
        ),
        (
            "key\tdrawn_by\twordnet\ns1\tlsa\taccepted\n",
            "key.tsv:2: drawn_by: expected one of wordnet, found lsa",
        ),
        (
            "key\tdrawn_by\twordnet\ns1\twordnet\taccepted\ns1\twordnet\taccepted\n",
            "key.tsv:3: example 's1' stands twice; leave one out",
        ),
    ],
)
def test_keys_that_cannot_be(tmp_path, text, message):
    path = tmp_path / "key.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((FileFormatError, InputError), match=message):
        read_key(path)
