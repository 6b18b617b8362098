"""Demo campaigns, one of each kind.

Their files are in `demo_campaigns/`; the clips are drawn by `tools/models/collect_media.py`
and served by the application itself.
"""

from __future__ import annotations

from pathlib import Path

from paragauge.collect.campaigns.campaign_file import CampaignFile, read_campaign

FOLDER = Path(__file__).with_name("demo_campaigns")
NAMES = ("describe", "suggest", "paraphrase", "judge", "survey")


def read_demo_campaigns() -> list[CampaignFile]:
    """The campaigns of the demo.

    >>> [file.settings.kind for file in read_demo_campaigns()]
    ['describe', 'suggest', 'paraphrase', 'judge', 'survey']
    """
    return [read_campaign(FOLDER / f"{name}.toml") for name in NAMES]
