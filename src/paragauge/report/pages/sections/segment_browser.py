"""The segment browser: its controls as HTML, and its data for `assets/browser.js`.

The data are columns (texts of each system, scores of each system and metric), as JSON in a script
element that browsers do not run. Large data are compressed by gzip and written in base64, which makes
the file smaller.
"""

from __future__ import annotations

import base64
import gzip
import io
import itertools
import json
import math
from collections.abc import Iterator
from typing import Any

from paragauge.kernels.layout import Floats
from paragauge.report.pages.blocks.html import Section, paragraph
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.examples import legend

PLAIN_BYTES = 1 << 18  # larger data are compressed
LEVEL = 4  # of gzip: 6 would take three times as long for a file that is 6 % smaller
PACKED_BYTES = 1 << 16  # are turned into base64 at a time
CHUNK = 1000  # items that become JSON at a time

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
    )
    if evaluation.partial():
        html = paragraph(evaluation.partial(), "soft") + html
    return Section("segments", "All segments", html, _data(evaluation))


def _data(evaluation: Evaluation) -> tuple[str, ...]:
    data = _Packed()
    for part in _json_parts(_columns(evaluation)):
        data.add(part)
    return data.element()


class _Packed:
    """JSON text that is compressed as it grows, so that large data are never whole in memory."""

    def __init__(self) -> None:
        self._plain: list[str] = []
        self._size = 0
        self._stream = io.BytesIO()
        self._gzip = gzip.GzipFile("", "wb", LEVEL, self._stream, mtime=0)
        self._packed: list[str] = []

    def add(self, text: str) -> None:
        """Add a part of the text."""
        raw = text.encode("utf-8")
        self._gzip.write(raw)
        self._size += len(raw)
        if self._size <= PLAIN_BYTES:
            self._plain.append(text)
        else:
            self._plain.clear()
        if self._stream.tell() >= PACKED_BYTES:
            self._pack()

    def element(self) -> tuple[str, ...]:
        """The script element with all of the text, in parts."""
        self._gzip.close()
        if self._size <= PLAIN_BYTES:
            # Without "<" no text can end the element or start a comment.
            safe = "".join(self._plain).replace("<", "\\u003c")
            return (f'<script type="application/json" id="data">{safe}</script>',)
        self._pack(last=True)
        return ('<script type="application/gzip" id="data">', *self._packed, "</script>")

    def _pack(self, *, last: bool = False) -> None:
        """Turn compressed bytes into base64, which writes three bytes at a time."""
        raw = self._stream.getvalue()
        whole = len(raw) if last else len(raw) // 3 * 3
        self._packed.append(base64.b64encode(raw[:whole]).decode("ascii"))
        self._stream.seek(0)
        self._stream.truncate()
        self._stream.write(raw[whole:])


def _json_parts(value: Any) -> Iterator[str]:
    """The value as JSON in parts; an iterator becomes an array, some items at a time.

    >>> "".join(_json_parts({"a": iter([1, [2]]), "b": [iter("c")]}))
    '{"a":[1,[2]],"b":[["c"]]}'
    """
    if isinstance(value, dict):
        for number, (name, item) in enumerate(value.items()):
            yield f"{',' if number else '{'}{_json(name)}:"
            yield from _json_parts(item)
        yield "}" if value else "{}"
    elif isinstance(value, list) and any(isinstance(item, (Iterator, list)) for item in value):
        for number, item in enumerate(value):
            yield "," if number else "["
            yield from _json_parts(item)
        yield "]"
    elif isinstance(value, Iterator):
        opening = "["
        while items := list(itertools.islice(value, CHUNK)):
            yield opening + _json(items)[1:-1]
            opening = ","
        yield "[]" if opening == "[" else "]"
    else:
        yield _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _columns(evaluation: Evaluation) -> dict[str, Any]:
    examples, systems, labels = evaluation.examples, evaluation.systems, evaluation.labels
    columns: dict[str, Any] = {
        "systems": systems,
        "baseline": systems.index(evaluation.baseline),
        "metrics": [
            {"title": evaluation.title(label), "higher": evaluation.higher_is_better(label)}
            for label in labels
        ],
        "candidates": [examples.candidates(system) for system in systems],
        "values": [
            [_round_values(examples.values(system, label)) for label in labels] for system in systems
        ],
    }
    for what in ("sources", "references"):
        groups = examples.groups(what)
        if groups is not None:
            columns[what] = (texts[0] if len(texts) == 1 else texts for texts in groups)
    return columns


def _round_values(values: Floats) -> Iterator[float | None]:
    return (None if math.isnan(value) else round(value, 2) for value in map(float, values))
