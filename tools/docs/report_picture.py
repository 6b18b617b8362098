"""Make docs/images/report.png, a screenshot of one segment in a report on the bundled examples.

python tools/docs/report_picture.py        needs playwright and chromium
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
SYSTEMS = ("edits", "rewrites", "free", "scrambled")


def main() -> None:
    examples = ROOT / "examples"
    command = ["-s", examples / "sources.txt", "-r", examples / "references.tsv"]
    for name in SYSTEMS:
        command += ["-c", examples / f"{name}.txt"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder, "report.html")
        subprocess.run(
            [sys.executable, "-m", "paragauge", "report", *map(str, command), "-o", str(page_file)],
            check=True,
        )
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1150, "height": 900})
        page.goto(page_file.as_uri())
        page.locator("#segments .card").first.screenshot(path=ROOT / "docs" / "images" / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
