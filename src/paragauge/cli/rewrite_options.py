"""Options of the commands that rewrite references."""

from __future__ import annotations

from typing import Any

from paragauge.cli import options
from paragauge.cli.command import option
from paragauge.rewrite.methods import FILTERS, Method
from paragauge.rewrite.reference import UNKNOWNS, Rewriter

REWRITING = "Rewriting"

rewriting = options.together(
    option(
        "--rewrite",
        default="context",
        metavar="context|wordnet|lm|lsa|brown",
        heading=REWRITING,
        help="What proposes and what filters; parts join with +, as context+lm.",
    ),
    option(
        "--rewrite-model",
        multiple=True,
        metavar="FILE",
        heading=REWRITING,
        help="The model that --rewrite uses. Repeat for each part that has one.",
    ),
    option(
        "--unknown",
        default="refuse",
        metavar="|".join(UNKNOWNS),
        heading=REWRITING,
        help="What becomes of a word that a filter does not know.",
    ),
    option(
        "--threshold",
        metavar="X[+X]",
        heading=REWRITING,
        help="The least score that a filter accepts, for each filter. Default: the model's own.",
    ),
)


def rewriter_of(given: dict[str, Any]) -> Rewriter:
    """What the options ask for, opened."""
    models = "+".join(given["rewrite_model"]) or None
    method = Method(given["rewrite"], models, given["unknown"], given["threshold"])
    if not set(method.parts) & set(FILTERS):
        options.refuse_without(f"a filter in --rewrite ({' or '.join(FILTERS)})", "unknown")
    return method.rewriter()
