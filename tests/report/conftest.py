"""A real Chromium, looked for in $PARAGAUGE_CHROMIUM and on the PATH; Playwright drives it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("Playwright is NOT installed: the report is NOT tested; pip install '.[test]'")
    path = os.environ.get("PARAGAUGE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(
            "no Chromium found: the report is NOT tested in a browser; install chromium, or set "
            "PARAGAUGE_CHROMIUM to its path"
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield browser
        browser.close()
