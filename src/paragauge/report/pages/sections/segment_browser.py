"""The segment browser: its controls as HTML, and its data for `assets/browser.js`.

The data are columns (texts of each system, scores of each system and metric), as JSON in a script
element that browsers do not run. Large data are compressed by gzip and written in base64, which makes
the file smaller.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
from typing import Any

from paragauge.report.pages.blocks.html import Section, paragraph
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.examples import legend

PLAIN_BYTES = 1 << 18  # larger data are compressed

_CONTROLS = """
<form class="controls" id="controls" hidden>
  <label class="wide">Search <input type="search" id="search" autocomplete="off" spellcheck="false"
    placeholder="words, or /regular expression/"></label>
  <label>System <select id="system"></select></label>
  <label>Sort by <select id="sort"></select></label>
  <label id="rival-label">against <select id="rival"></select></label>
  <label>Order <select id="order"><option value="1">ascending</option>
    <option value="-1">descending</option></select></label>
  <fieldset><legend class="sr">Limits</legend>
    <label>Only where <select id="metric"></select></label>
    <label>is from <input type="number" id="low" step="any"></label>
    <label>to <input type="number" id="high" step="any"></label>
  </fieldset>
  <button type="reset">Reset</button>
</form>
<div class="pager" id="pager" hidden>
  <p id="status" role="status" aria-live="polite"></p>
  <span class="buttons"><button type="button" id="previous">Previous</button>
  <span id="page"></span><button type="button" id="next">Next</button></span>
</div>
<div id="segment-list"></div>
"""


def browser(evaluation: Evaluation) -> Section:
    """Search, filter, sort and read all segments that were kept."""
    html = (
        "<noscript><p>This part needs JavaScript; the segments that tell most are above.</p></noscript>"
        + legend()
        + _CONTROLS
        + '<details class="help"><summary>Keys, and what can be sorted by</summary>'
        + paragraph(
            "Keys: / goes to the search box, j and k to the next and previous segment, n and p to the "
            "next and previous page."
        )
        + paragraph(
            "All words of a search must occur in the source, a reference or a candidate, in any case; "
            "/…/ is a regular expression. Deleted words, limits and order refer to the chosen system. "
            "Difference: its score less that of the other system. Disagreement: the percentile of a "
            "segment under one metric less that under the other, among the segments of the system, "
            "100 being best; the sort is by its size."
        )
        + "</details>"
        + _data(evaluation)
    )
    if evaluation.partial():
        html = paragraph(evaluation.partial(), "soft") + html
    return Section("segments", "All segments", html)


def _data(evaluation: Evaluation) -> str:
    text = json.dumps(_columns(evaluation), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    raw = text.encode("utf-8")
    if len(raw) <= PLAIN_BYTES:
        # Without "<" no text can end the element or start a comment.
        safe = text.replace("<", "\\u003c")
        return f'<script type="application/json" id="data">{safe}</script>'
    packed = base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode("ascii")
    return f'<script type="application/gzip" id="data">{packed}</script>'


def _columns(evaluation: Evaluation) -> dict[str, Any]:
    examples, systems, labels = evaluation.examples, evaluation.systems, evaluation.labels
    columns: dict[str, Any] = {
        "systems": systems,
        "baseline": systems.index(evaluation.baseline),
        "metrics": [
            {"title": evaluation.title(label), "higher": evaluation.higher_is_better(label)}
            for label in labels
        ],
        "candidates": [list(examples.candidates(system)) for system in systems],
        "values": [
            [_round_values(examples.values(system, label).tolist()) for label in labels]
            for system in systems
        ],
    }
    for what in ("sources", "references"):
        groups = examples.groups(what)
        if groups is not None:
            columns[what] = [texts[0] if len(texts) == 1 else texts for texts in groups]
    return columns


def _round_values(values: list[float]) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 2) for value in values]
