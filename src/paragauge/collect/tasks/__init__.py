"""Tasks: which worker gets which item, the answers, and their reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.tasks.written_answer import WrittenAnswer
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "WrittenAnswer",
]
