"""Classifiers that decide by the words around whether a word may be replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.rewrite.context.context_decision import DECISIONS, Decision
    from paragauge.rewrite.context.context_explain import ContextExplanation, ContextReason
    from paragauge.rewrite.context.context_file import Classifiers
    from paragauge.rewrite.context.context_model import ContextModel
    from paragauge.rewrite.context.context_train import ContextSettings, train_context, train_numbered
    from paragauge.rewrite.context.contexts import ContextShape
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "DECISIONS",
    "Classifiers",
    "ContextExplanation",
    "ContextModel",
    "ContextReason",
    "ContextSettings",
    "ContextShape",
    "Decision",
    "train_context",
    "train_numbered",
]
