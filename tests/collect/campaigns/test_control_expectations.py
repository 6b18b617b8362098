"""What controls expect is checked where items come in; what a store holds from before never fails."""

from __future__ import annotations

import re
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_settings import (
    CampaignSettings,
    ControlRules,
    Criterion,
    TierSettings,
)
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.control_expectations import drop_unreadable
from paragauge.collect.campaigns.controls import make_artificial
from paragauge.collect.campaigns.demo import read_demo_campaigns
from paragauge.collect.campaigns.item_tables import build_items
from paragauge.collect.people import workers
from paragauge.collect.quality.control_enforcement import check_controls, mark_history
from paragauge.collect.quality.control_marking import mark_gold, mark_repeated, mark_words
from paragauge.collect.store.schema import items as table
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import InputError

SCALES = (Criterion("adequacy", "?"), Criterion("overall", "?", 1, 3))
PAIR = {"source": "A dog.", "candidates": [{"system": s, "text": s} for s in "AB"]}


def make_settings(kind: str = "judge", *, ranking: bool = False, **more: Any) -> CampaignSettings:
    criteria = SCALES if kind == "judge" and not ranking else ()
    return CampaignSettings(
        **{"kind": kind, "title": "T", "criteria": criteria, "ranking": ranking} | more
    )


def create_campaign(store: Store, settings: CampaignSettings) -> Campaign:
    return campaigns.create(store, settings, "c", "ada")


def pair(*changes: dict[str, Any]) -> dict[str, Any]:
    """The item of two candidates with more fields in each."""
    candidates = [
        candidate | more
        for candidate, more in zip(PAIR["candidates"], [*changes, {}, {}], strict=False)
    ]
    return {"key": "a", "content": {"source": "A dog.", "candidates": candidates}}


def whole(control: str, expected: Any = None) -> dict[str, Any]:
    return {"key": "a", "content": PAIR, "control": control, "expected": expected}


GOLD = '{"judgments": {"0": {"adequacy": 1}}} for a gold control'
WRONG = [
    (
        whole("gold", {"judgments": {"0": {"ovrall": 1}}}),
        "unknown criterion 'ovrall'; did you mean 'ove",
    ),
    (whole("gold", {"judgments": {"7": {"overall": 1}}}), 'expected candidates 0 to 1, found "7"'),
    (whole("gold", {"judgments": {"01": {"overall": 1}}}), 'expected candidates 0 to 1, found "01"'),
    (whole("gold", {"judgments": {"1": {"overall": 4}}}), "from 1 to 3 for overall, found 4"),
    (whole("gold", {"judgments": {"1": {"overall": "3"}}}), 'from 1 to 3 for overall, found "3"'),
    (whole("gold", {"judgments": {"1": {"overall": True}}}), "from 1 to 3 for overall, found true"),
    (whole("gold", {"judgments": {"1": {}}}), 'values by criterion, such as {"adequacy": 1}, found {}'),
    (whole("gold", {"0": {"overall": 1}}), f'expected {GOLD}, found {{"0": {{"overall": 1}}}}'),
    (whole("gold", {"ranking": {"0": 1}}), f"expected {GOLD}, found"),
    (whole("gold", {"words": ["dog"]}), f"expected {GOLD}, found"),
    (whole("gold"), f"expected {GOLD}, found nothing"),
    (whole("degraded", {"below": [[0, 2]]}), "pairs of two candidates, 0 to 1, in below, found [0, 2]"),
    (whole("degraded", {"below": [[1, 1]]}), "pairs of two candidates, 0 to 1, in below, found [1, 1]"),
    (whole("degraded", {"below": 3}), 'expected {"below": [[0, 1]]} or nothing for a degraded control'),
    (whole("degraded", {"overall": 1}), 'expected {"below": [[0, 1]]} or nothing'),
    (whole("repeated", {"of": "b"}), "the key of another item that 'a' repeats, found 'b'"),
    (whole("repeated", {"of": "a"}), "the key of another item that 'a' repeats, found 'a'"),
    (
        whole("repeated", {"of": ["a"]}),
        'expected {"of": key} for a repeated control, found {"of": ["a"]}',
    ),
    (whole("repeated"), 'expected {"of": key} for a repeated control, found nothing'),
    (
        {"key": "a", "content": PAIR, "expected": {"of": "b"}},
        "expected a control with it, found none",
    ),
    (pair({"control": "nonsense"}), "candidate 0: unknown control of a candidate 'nonsense'"),
    (pair({}, {"control": "repeated"}), "candidate 1: unknown control of a candidate 'repeated'"),
    (pair({"contrl": "gold"}), "candidate 0: unknown field 'contrl'; did you mean 'control'"),
    (pair({"control": "gold", "expected": 3}), "candidate 0: expected: expected values by criterion"),
    (pair({"control": "gold"}), "candidate 0: expected: expected values by criterion"),
    (pair({"control": "gold", "expected": {"overall": "3"}}), 'for overall, found "3"'),
    (pair({"control": "gold", "expected": {"overal": 3}}), "candidate 0: expected: unknown criterion"),
    (
        pair({"control": "degraded", "of": 99}),
        "candidate 0: of: expected another candidate, 0 to 1, fou",
    ),
    (pair({"control": "degraded", "of": 0}), "candidate 0: of: expected another candidate"),
    (pair({"control": "degraded", "expected": {"overall": 1}}), 'expected only with control = "gold"'),
    (pair({"of": 1}), 'candidate 0: of: expected only with control = "degraded", found 1'),
]


@pytest.mark.parametrize(("row", "message"), WRONG)
def test_what_cannot_be_marked_is_refused(any_store: Store, row: dict[str, Any], message: str) -> None:
    campaign = create_campaign(any_store, make_settings())
    for refuse in (items.check, lambda *arguments: items.add(any_store, *arguments, "ada")):
        with pytest.raises(InputError, match=f"^item 1: .*{re.escape(message)}"):
            refuse(campaign, [row])
    assert items.all_items(any_store, campaign) == []


@pytest.mark.parametrize(
    ("settings", "row", "message"),
    [
        (
            make_settings(ranking=True),
            whole("gold", {"ranking": {"0": 3}}),
            "from 1 to 2 for rank, found 3",
        ),
        (
            make_settings(ranking=True),
            whole("gold", {"judgments": {}}),
            'expected {"ranking": {"0": 1}}',
        ),
        (
            make_settings("paraphrase"),
            {"control": "gold", "expected": {"words": "dog"}},
            '{"words": ["horse"]}',
        ),
        (
            make_settings("paraphrase"),
            {"control": "gold", "expected": {"words": ["?"]}},
            '{"words": ["horse"]}',
        ),
        (make_settings("paraphrase"), {"control": "gold"}, "for a gold control, found nothing"),
        (make_settings("paraphrase"), {"control": "degraded"}, 'in a writing task, found "degraded"'),
        (
            make_settings(criteria=(Criterion("Dissimilarity", "?"),)),
            whole("degraded"),
            "expected a criterion besides dissimilarity",
        ),
        (
            make_settings("suggest"),
            {"key": "a", "content": {}, "control": "gold", "expected": {"words": ["dog"]}},
            "nothing can be marked in a campaign of kind suggest",
        ),
    ],
)
def test_what_other_campaigns_cannot_mark(
    any_store: Store, settings: CampaignSettings, row: dict[str, Any], message: str
) -> None:
    row = {"key": "a", "content": {"text": "A dog."}} | row
    with pytest.raises(InputError, match=re.escape(message)):
        items.add(any_store, create_campaign(any_store, settings), [row], "ada")


def test_repetitions_name_what_is_there(any_store: Store) -> None:
    campaign = create_campaign(any_store, make_settings())
    again = whole("repeated", {"of": "first"})
    items.check(campaign, [again, {"key": "first", "content": PAIR}])
    items.add(any_store, campaign, [{"key": "first", "content": PAIR}], "ada")
    other = {"source": "A dog.", "candidates": PAIR["candidates"][:1]}
    with pytest.raises(InputError, match="the source and candidates of 'first' in 'a'"):
        items.add(any_store, campaign, [again | {"content": other}], "ada")
    items.add(any_store, campaign, [again], "ada")


def test_what_is_documented_is_taken(any_store: Store) -> None:
    campaign = create_campaign(any_store, make_settings())
    scales = {criterion.name: (criterion.low, criterion.high) for criterion in SCALES}
    content = {"source": "A dog runs.", "candidates": make_artificial("a b", ["a b", "c d"], scales)}
    rows = [
        whole("gold", {"judgments": {"0": {"overall": 1}, "1": {"adequacy": 5, "overall": 3}}}),
        whole("degraded") | {"key": "b"},
        whole("degraded", {"below": [[0, 1]]}) | {"key": "c"},
        pair({"control": "degraded"}, {"control": "gold", "expected": {"overall": 2}}) | {"key": "d"},
        pair({"control": "degraded", "of": 1}, {"control": ""}) | {"key": "e"},
        {"key": "f", "content": content},
    ]
    assert len(items.add(any_store, campaign, rows, "ada")) == 6
    for file in read_demo_campaigns():
        items.check(campaigns.create(any_store, file.settings, file.slug, "ada"), file.items)


def test_a_system_stands_once_in_an_item(any_store: Store) -> None:
    rows = [
        {"key": "k", "source": "the cat sat", "system": "A", "candidate": text}
        for text in ("one cat", "two cats")
    ]
    message = (
        "item 1: candidate 1: system: expected each system once in an item, found 'A' as candidate 0"
    )
    with pytest.raises(InputError, match=message):
        items.add(
            any_store, create_campaign(any_store, make_settings()), build_items(rows, "judge"), "ada"
        )
    unnamed = {"source": "s", "candidates": [{"text": "a"}, {"text": "b"}, {"text": "c", "system": ""}]}
    broken = pair({}, {"system": "A", "control": "degraded", "of": 0}) | {"key": "b"}
    items.check(campaigns.all_campaigns(any_store)[0], [{"key": "k", "content": unnamed}, broken])


EXPECTATIONS: list[tuple[str | None, Any, dict[str, Any]]] = [
    ("gold", {"judgments": 3}, {}),
    ("gold", {"judgments": {"0": 3, "x": {"overall": None}, "1": {"overall": "3"}}}, {}),
    ("gold", {"ranking": [1]}, {}),
    ("gold", {"words": 3}, {}),
    ("gold", [3], {}),
    ("degraded", {"below": [3, [1], [0, 1, 2], [[], {}]]}, {}),
    ("degraded", {"below": None}, {}),
    ("repeated", {"of": ["x"]}, {}),
    (None, None, {"control": "gold", "expected": 3}),
    (None, None, {"control": "gold", "expected": {"overall": "3"}}),
    (None, None, {"control": "degraded", "of": [99]}),
    (None, None, {"control": "nonsense", "expected": "x"}),
]


@pytest.mark.parametrize(("control", "expected", "more"), EXPECTATIONS)
def test_a_stored_expectation_never_fails(
    store: Store, control: str | None, expected: Any, more: dict[str, Any]
) -> None:
    rules = ControlRules(every=2, warn_after=1, block_after=1)
    settings = make_settings(controls=rules, tiers={1: TierSettings(0, 9)})
    campaign = create_campaign(store, settings)
    items.add(store, campaign, [{"key": "a", "content": PAIR}], "ada")
    worker, _ = workers.register(store, "link")
    task = assignments.next_assignment(store, campaign, worker)
    assert isinstance(task, assignments.Assignment)
    judged = {str(i): {"adequacy": 1, "overall": 1} for i in range(2)}
    submissions.submit(store, task, worker, Answer(data={"judgments": judged}, seconds=9))
    content = {"source": "A dog.", "candidates": [PAIR["candidates"][0] | more, PAIR["candidates"][1]]}
    with store.write("before") as transaction:
        values = {"control": control, "expected": expected, "content": content}
        transaction.connection.execute(sa.update(table).values(values))
    mark_history(store, campaign, worker)
    check_controls(store, campaign, worker)
    items.all_items(store, campaign)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from(["judgments", "ranking", "below", "of", "words"]), VALUES) | VALUES
)
def test_any_stored_value_can_be_read_and_marked(value: Any) -> None:
    readable = drop_unreadable(value) or {}
    for given_values in readable.get("judgments", {}).values():
        dict(given_values)
    readable.get("ranking", {}).items()
    assert all(len(pair) == 2 for pair in readable.get("below", []))
    assert isinstance(readable.get("of", ""), str)
    mark_words(readable.get("words", []), "A dog.")
    for mark in (mark_gold, mark_repeated):
        mark({"0": value}, {"0": {"overall": 1}})
