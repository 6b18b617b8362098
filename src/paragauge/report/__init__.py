"""Tables and one-file HTML reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use, make_callable

if TYPE_CHECKING:
    from paragauge.report.pages.report_page import report
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "report",
]

make_callable(__name__)
