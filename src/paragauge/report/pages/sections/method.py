"""How everything was computed: the command, intervals, tests, signatures."""

from __future__ import annotations

from html import escape

from paragauge.report.pages.blocks.html import Section, paragraph
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.tables.score_tables import input_notes, test_note
from paragauge.version import __version__


def method(evaluation: Evaluation) -> Section:
    """What a reader needs to compute the same numbers."""
    sheet = evaluation.sheet
    parts = []
    if evaluation.command is not None:
        parts.append(
            f'<h3>Command</h3><pre class="command"><code>{escape(evaluation.command)}</code></pre>'
        )
    notes = []
    if sheet.bootstrap:
        notes.append(
            f"Intervals: {100 * sheet.level:g}%, percentiles of {sheet.bootstrap} Poisson bootstrap "
            f"resamples, seed {sheet.seed}."
        )
    if evaluation.comparison is not None:
        notes.append(test_note(evaluation.comparison))
    notes += input_notes(sheet)
    parts.append("<h3>Uncertainty</h3>" if notes else "")
    parts += [paragraph(note) for note in notes]
    signatures = dict.fromkeys(score.signature for score in sheet.scores)
    listed = "".join(f"<li><code>{escape(signature)}</code></li>" for signature in signatures)
    parts.append(f'<h3>Signatures</h3><ul class="signatures">{listed}</ul>')
    parts.append(paragraph(f"Made by paragauge {__version__}.", "soft"))
    return Section("method", "How this was computed", "".join(parts))
