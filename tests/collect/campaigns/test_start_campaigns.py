"""Campaigns are started all or none, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.campaign_file import read_campaign
from paragauge.collect.campaigns.demo import read_demo_campaigns
from paragauge.collect.campaigns.start_campaigns import start_all
from paragauge.collect.people import accounts
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.store import Store
from paragauge.errors import FileFormatError, StoreError


def test_all_or_none(address: str, tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text('slug = "judge"\nkind = "judge"\ntitle = "T"\nranking = true\n')
    file, demo = read_campaign(path), read_demo_campaigns()
    with pytest.raises(FileFormatError, match=r"judge\.toml:1: slug: expected a unique name"):
        start_all(address, [*demo, file], "ada")
    with pytest.raises(StoreError, match="create one: paragauge collect init"):
        Store.open(address)
    start_all(address, [file], "ada")
    account = accounts.check_new_account("ada", "correct horse battery")
    with pytest.raises(FileFormatError, match="slug: a campaign judge exists already"):
        start_all(address, demo, "ada", account)
    with Store.open(address) as store:
        assert [campaign.slug for campaign in campaigns.all_campaigns(store)] == ["judge"]
        assert [change.action for change in read_changes(store)] == ["campaign.create"]
