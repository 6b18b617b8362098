"""Campaigns in TOML: what is read, and errors that name the line."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaign_file import read_campaign
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, Criterion, TierSettings
from paragauge.collect.campaigns.item_tables import build_items, read_items
from paragauge.collect.campaigns.toml_lines import find_key_lines, find_line
from paragauge.errors import FileFormatError, InputError, SettingError

WHOLE = '''\
# A campaign as in Chen and Dolan (2011).
slug = "videos"
kind = "describe"
title = "Watch and describe a short segment of a video"
instructions = """
Describe the main action in ONE SENTENCE.
kind = [not a key]
"""
good_examples = [
    "A woman is slicing some tomatoes.",  # ]
    "A dog is catching a Frisbee.",
]
budget_cents = 5000

[tiers.1]
pay_cents = 1
per_item = 5

[tiers.2]
pay_cents = 5
per_item = 3

[[bad_examples]]
text = "Tomato slicing"
reason = "Incomplete sentence"

[[bad_examples]]
text = "I like this video because it is very cute"
reason = "Not about the action"

[[comprehension]]
question = "How many sentences?"
options = ["one", "two"]
right = 0

[controls]
every = 10

[[items]]
key = "ball"
url = "https://example.org/ball.webm"
start = 1
end = 5

[[items]]
key = "map"
url = "https://example.org/map.png"
alt = "a map"
'''


def write(tmp_path, text: str):
    path = tmp_path / "c.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_whole(tmp_path):
    file = read_campaign(write(tmp_path, WHOLE))
    assert file.slug == "videos"
    assert file.settings.tiers[2].pay_cents == 5
    assert file.settings.bad_examples[1].reason == "Not about the action"
    assert file.settings.comprehension[0].options == ("one", "two")
    assert [(row["key"], row["kind"]) for row in file.items] == [("ball", "video"), ("map", "image")]
    assert file.items[0]["content"] == {"url": "https://example.org/ball.webm", "start": 1, "end": 5}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "describe"', "kind = describe", "c.toml:3: expected TOML: Invalid value"),
        (
            'kind = "describe"',
            'kind = "describ"',
            "c.toml:3: unknown kind of task 'describ'; did you mean",
        ),
        ("budget_cents", "budget_cent", "c.toml:13: unknown setting 'budget_cent'; did you mean"),
        ("= 5000", "= -1", "c.toml:13: budget_cents: expected 0 to"),
        ("= 5000", '= "much"', "c.toml:13: budget_cents: expected a whole number, found 'much'"),
        ("pay_cents = 5\n", "pay_cents = -5\n", "c.toml:20: pay_cents: expected 0 to"),
        ("per_item = 3", "peritem = 3", "c.toml:21: unknown setting 'peritem'"),
        ('reason = "Not', 'why = "Not', "c.toml:29: unknown setting 'why'"),
        ('reason = "Incomplete sentence"\n', "", "c.toml:23: missing settings: reason"),
        ("right = 0", "right = 2", "c.toml:34: right: expected 0 to 1, found 2"),
        ("every = 10", "every = 0", "c.toml:37: every: expected 2"),
        ("[tiers.2]", "[tiers.3]", r"c.toml:15: expected tier 1, or tiers 1 and 2, found \[1, 3\]"),
        ('key = "map"', 'key = "ball"', "c.toml:45: item 'ball' already appears above"),
        ('key = "map"\n', "", "c.toml:45: expected one of key, item, .* as the item's key, found none"),
        (
            'alt = "a map"',
            'alt_text = "a map"',
            "c.toml:45: unknown field 'alt_text'; did you mean 'alt'",
        ),
        ('slug = "videos"\n', "", "c.toml: expected slug, the campaign's name in URLs"),
        ("title = ", "titel = ", "c.toml:4: unknown setting 'titel'; did you mean 'title'"),
    ],
)
def test_errors_name_the_line(tmp_path, old, new, message):
    assert WHOLE.count(old) >= 1
    with pytest.raises(FileFormatError, match=message):
        read_campaign(write(tmp_path, WHOLE.replace(old, new, 1)))


def test_items_beside_the_file(tmp_path):
    text = WHOLE[: WHOLE.index("[[items]]")].replace(
        "budget_cents", 'items = "clips.jsonl"\nbudget_cents'
    )
    path = write(tmp_path, text)
    with pytest.raises(FileFormatError, match=r"clips.jsonl: no such file"):
        read_campaign(path)
    (tmp_path / "clips.jsonl").write_text(
        '{"key": "a", "url": "https://x.org/a.webm", "start": 0, "end": 4}\n'
    )
    assert read_campaign(path).items[0]["content"]["end"] == 4
    (tmp_path / "clips.jsonl").write_text('{"key": "a", "uri": "https://x.org/a.webm"}\n')
    with pytest.raises(FileFormatError, match=r"clips.jsonl: unknown column 'uri'; did you mean 'url'"):
        read_campaign(path)


def test_judgments_from_rows(tmp_path):
    (tmp_path / "c.tsv").write_text(
        "segment\tsource\tsystem\tcandidate\tcontrol\texpected\n"
        "1\ta dog\tone\ta puppy\t\t\n"
        "1\ta dog\ttwo\ta hound\t\t\n"
        '2\ta cat\tone\tcat a\tgold\t{"ranking": {"0": 1}}\n'
    )
    text = 'slug = "j"\nkind = "judge"\ntitle = "J"\nranking = true\nitems = "c.tsv"\n'
    rows = read_campaign(write(tmp_path, text)).items
    assert [len(row["content"]["candidates"]) for row in rows] == [2, 1]
    assert rows[1]["expected"] == {"ranking": {"0": 1}}
    assert rows[1]["control"] == "gold"
    (tmp_path / "c.tsv").write_text("segment\tsource\tcandidate\n1\ta dog\tx\n1\ta cat\ty\n")
    with pytest.raises(
        FileFormatError, match=r"c.tsv:3: item '1' already appears above with another source"
    ):
        read_campaign(tmp_path / "c.toml")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[tiers.2]\npay_cents = 5", r"4: tiers: expected tier 1, or tiers 1 and 2, found \[2\]"),
        ("[tiers.1]\n[tiers.01]", "4: tiers: expected 1, found '01'; drop the leading zeros"),
        ('languages = ["", "a"]', "4: languages: expected distinct names, found ''; remove it"),
        ('languages = ["b", "a", "a"]', "4: languages: expected distinct names, found 'a'"),
        (
            '[[comprehension]]\nquestion = "?"\noptions = []\nright = 0',
            "6: options: expected at least one option, found none",
        ),
        (
            '[[survey]]\nname = "q"\nquestion = "?"\noptions = ["a", "a"]',
            "7: options: expected distinct names, found 'a'",
        ),
    ],
)
def test_settings_that_mean_nothing_are_refused(tmp_path, more, message):
    text = f'slug = "c"\nkind = "describe"\ntitle = "T"\n{more}\n'
    with pytest.raises(FileFormatError, match=f"c.toml:{message}"):
        read_campaign(write(tmp_path, text))


def test_campaigns_from_before_are_still_read(any_store):
    settings = CampaignSettings(kind="describe", title="T", tiers={2: TierSettings()})
    with pytest.raises(SettingError, match="expected tier 1, or tiers 1 and 2"):
        campaigns.create(any_store, settings, "c", "ada")
    assert CampaignSettings.from_json(settings.to_json()) == settings


HEADER = "key\tsource\tsystem\tcandidate\treference\tcontrol\texpected\twanted\n"


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            "ref2\t\t\t",
            "reference: expected \\[\"ref1\"\\], as in the first row of item 'm', or an empty",
        ),
        ("\tgold\t\t", 'control: expected nothing, as in the first row of item .m., .* found "gold"'),
        ('\t\t{"below": [[0, 1]]}\t', "expected: expected nothing, as in the first row"),
        ('\t\t\t{"1": 2}', 'wanted: expected {"1": 3}, as in the first row .* found {"1": 2}'),
    ],
)
def test_rows_of_an_item_that_differ_are_refused(tmp_path, second, message):
    first = 'm\tthe dog ran\tA\tone dog\tref1\t\t\t{"1": 3}\n'
    path = tmp_path / "j.tsv"
    path.write_text(f"{HEADER}{first}m\tthe dog ran\tB\ttwo dogs\t{second}\n")
    with pytest.raises(FileFormatError, match=rf"j\.tsv:3: {message}"):
        read_items(path, "judge")
    for same in ("\t\t\t", 'ref1\t\t\t{"1": 3}'):
        path.write_text(f"{HEADER}{first}m\tthe dog ran\tB\ttwo dogs\t{same}\n")
        [row] = read_items(path, "judge")
        assert row["content"]["references"] == ["ref1"]
        assert row["wanted"] == {"1": 3}


def test_objects_of_parquet_have_only_what_they_say(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"key": "a", "text": "A dog.", "control": "gold", "expected": {"words": ["dog"], "of": None}},
        {"key": "b", "text": "A dog.", "control": "repeated", "expected": {"words": None, "of": "a"}},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "i.parquet")
    item_rows = read_items(tmp_path / "i.parquet", "paraphrase")
    assert [row["expected"] for row in item_rows] == [{"words": ["dog"]}, {"of": "a"}]


def test_lines_of_keys():
    lines = find_key_lines(WHOLE)
    assert lines[("kind",)] == 3
    assert lines[("controls", "every")] == 37
    assert find_line(lines, ("items", 1, "nothing")) == 45


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path, content):
    path = tmp_path / "c.toml"
    path.write_bytes(content)
    with contextlib.suppress(FileFormatError):
        assert isinstance(read_campaign(path).settings, CampaignSettings)


@given(st.text(st.sampled_from("ab=[]{}\"'#\n. 1,"), max_size=60))
def test_any_toml_like_text_is_read_or_refused(tmp_path, text):
    path = tmp_path / "c.toml"
    path.write_text(text, encoding="utf-8")
    find_key_lines(text)
    with contextlib.suppress(FileFormatError):
        read_campaign(path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
NAMES = [
    "key",
    "segment",
    "url",
    "start",
    "text",
    "source",
    "system",
    "systems",
    "candidates",
    "wanted",
]


@given(
    st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5), min_size=1, max_size=3),
    st.sampled_from(["describe", "suggest", "paraphrase", "judge", "survey"]),
)
def test_any_rows_become_items_or_are_refused(tmp_path, rows, task):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with contextlib.suppress(FileFormatError):
        for row in read_items(path, task):
            assert isinstance(row["key"], str)
            assert isinstance(row["content"], dict)


@pytest.mark.parametrize(
    ("task", "row", "message"),
    [
        ("paraphrase", {"text": "x", "wanted": [1]}, "wanted: expected a table"),
        ("paraphrase", {"text": "x", "wanted": {"x": 1}}, "expected a number of answers per tier"),
        ("paraphrase", {"text": "x", "wanted": {"1": True}}, "expected a number of answers per tier"),
        ("paraphrase", {"text": 5}, "expected a text with 1 to 100000 characters"),
        ("suggest", {"prompt": {"a": 1}}, "expected a prompt with"),
        ("judge", {"source": "s", "systems": {"a": None}}, "candidate 0: expected a candidate with"),
        (
            "judge",
            {"source": "s", "candidates": [{"text": "b", "system": 5}]},
            "candidate 0: expected a system's name",
        ),
        (
            "judge",
            {"source": "s", "systems": {"a": "b"}, "reference": [None]},
            "expected a reference with",
        ),
        (
            "judge",
            {"source": "s", "systems": {"a": "b"}, "expected": [1]},
            "expected: expected a table",
        ),
        ("describe", {"url": 5, "start": 1, "end": 2}, "expected a link that starts with http"),
    ],
)
def test_campaigns_refuse_what_is_no_item(any_store, task, row, message):
    criteria = (Criterion("overall", "?"),) if task == "judge" else ()
    settings = CampaignSettings(kind=task, title="T", criteria=criteria)
    campaign = campaigns.create(any_store, settings, "c", "ada")
    with pytest.raises(InputError, match=f"item 1: {message}"):
        items.add(any_store, campaign, build_items([{"key": "a", **row}], task), "ada")
    assert items.all_items(any_store, campaign) == []


@given(st.binary(max_size=100), st.sampled_from(["tsv", "csv", "jsonl", "parquet"]))
def test_any_bytes_become_items_or_are_refused(tmp_path, content, kind):
    path = tmp_path / f"items.{kind}"
    path.write_bytes(content)
    with contextlib.suppress(FileFormatError):
        read_items(path, "judge")
