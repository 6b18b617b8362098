"""The compression study from the command line: pairs, controls, and a campaign that collect takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paragauge.generate.judging_campaign import judging_items


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    long, short = tmp_path / "long.txt", tmp_path / "short.txt"
    long.write_text("".join(f"The {n} big dogs sleep.\n" for n in range(30)), encoding="utf-8")
    short.write_text("".join(f"{n} big dogs sleep\n" for n in range(30)), encoding="utf-8")
    return long, short


def test_pairs(good, texts: tuple[Path, Path], tmp_path: Path) -> None:
    # 13a splits the stop: 4 of 6 words is 0.667, below 0.67; without it, 4 of 5 words.
    options = ["--set", "dev=10", "--set", "test=20", "-o", tmp_path / "pairs"]
    out = good("generate", "pairs", *texts, "--ratio", "0.66:0.67", "-t", "13a", *options)
    assert out.startswith("dev: 10 pairs, 66.7% of the words\ntest: 20 pairs, 66.7% of the words\n")
    dev = (tmp_path / "pairs" / "dev.long.txt").read_text(encoding="utf-8").split("\n")
    assert dev[0].endswith("big dogs sleep.")  # as in the file, not as tokenized
    again = good("generate", "pairs", *texts, "--ratio", "0.8:0.8", *options, "--force")
    assert again.startswith("dev: 10 pairs, 80.0% of the words\n")


def test_too_few_pairs_and_files(call, texts: tuple[Path, Path], tmp_path: Path) -> None:
    outcome = call("generate", "pairs", *texts, "-t", "13a", "-o", tmp_path / "pairs")
    assert (outcome.code, outcome.err.count(b"\n")) == (2, 1)
    assert b"expected sets of at most 0 pairs in all" in outcome.err
    outcome = call("generate", "pairs", texts[0], "-o", tmp_path / "pairs")
    assert b"expected at least two translations" in outcome.err


def test_deletion_keeps_the_order_and_the_rate(
    good, call, texts: tuple[Path, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "controls"
    good("controls", "-s", texts[0], "--kinds", "deletion", "--rate", "0.6", "-o", folder)
    lines = (folder / "deletion.txt").read_text(encoding="utf-8").split("\n")[:-1]
    for line, source in zip(lines, texts[0].read_text(encoding="utf-8").split("\n"), strict=False):
        remaining = iter(source.split())
        assert len(line.split()) == 3
        assert all(word in remaining for word in line.split())  # a subsequence
    assert len({line.replace(str(n), "N") for n, line in enumerate(lines)}) > 3  # drawn, not fixed
    outcome = call("controls", "-s", texts[0], "--rate", "0.6", "-o", tmp_path / "other")
    assert b"--rate needs --kinds deletion" in outcome.err
    outcome = call("controls", "-s", texts[0], "--kinds", "deletion", "--rate", "0", "-o", folder)
    assert b"rate: expected a share of words from above 0 to 1, found 0" in outcome.err


def test_the_campaign_has_all_systems_and_two_scales(
    good, texts: tuple[Path, Path], tmp_path: Path
) -> None:
    pytest.importorskip("sqlalchemy", reason="the collection application needs its extra")
    from paragauge.collect.campaigns.campaign_file import read_campaign

    long, short = texts
    systems = [word for name in "abcde" for word in ("-c", f"{name}={short}")]
    controls = ["--positive", f"reference={short}", "--negative", f"deletion={short}"]
    out = good("generate", "judge", "-s", long, *systems, *controls, "-o", tmp_path / "judging")
    assert "meta ... --positive reference --negative deletion" in out
    campaign = read_campaign(tmp_path / "judging" / "campaign.toml")
    assert campaign.settings.kind == "judge"
    assert [(one.name, one.low, one.high, len(one.labels)) for one in campaign.settings.criteria] == [
        ("meaning", 1, 5, 5),
        ("grammaticality", 1, 5, 5),
    ]
    assert len(campaign.items) == 30
    names = [row["system"] for row in campaign.items[0]["content"]["candidates"]]
    assert names == ["a", "b", "c", "d", "e", "reference", "deletion"]
    with (tmp_path / "judging" / "items.jsonl").open(encoding="utf-8") as lines:
        assert json.loads(next(lines))["source"] == "The 0 big dogs sleep."
    out = good(
        "collect", "init", tmp_path / "j.db", "--campaign", tmp_path / "judging" / "campaign.toml"
    )
    assert "campaign compression (judge): 30 items" in out


def test_systems_of_other_lengths_are_refused(call, texts: tuple[Path, Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("one line\n", encoding="utf-8")
    outcome = call("generate", "judge", "-s", texts[0], "-c", bad, "-o", tmp_path / "judging")
    assert outcome.code == 2
    assert b"bad: expected 30 lines, one for each source, found 1" in outcome.err
    assert not (tmp_path / "judging").exists()
    assert judging_items([], {"a": []}) == []
