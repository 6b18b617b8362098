"""Pages for workers: joining, signing in, the check, earnings, erasure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from paragauge.collect import campaigns, invitations, memberships, submissions, workers


def test_a_stranger_sees_open_campaigns_and_joins(browser, campaign) -> None:
    campaign(slug="clips")
    campaign(slug="secret", open_registration=False)
    me = browser()
    page = me.get("/")
    assert "/c/clips" in page.text
    assert "/c/secret" not in page.text
    key = me.join("clips")
    assert len(key) >= 24
    assert "only this once" in me.page.text
    assert key not in me.get("/").text
    assert key not in me.get("/me").text
