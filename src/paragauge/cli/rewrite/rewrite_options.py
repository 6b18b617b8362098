"""Options of the commands that rewrite references."""

from __future__ import annotations

from typing import Any

from paragauge.cli.command import option, together
from paragauge.cli.options import shared_options
from paragauge.rewrite.methods import FILTERS, Method
from paragauge.rewrite.reference import UNKNOWNS, Rewriter

REWRITING = "Rewriting"

rewriting = together(
    option(
        "--rewrite",
        default="context",
        metavar="context|wordnet|lm|lsa|brown|phrases",
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
    option(
        "--score",
        metavar="NAME",
        heading=REWRITING,
        help="The probability of rules between phrases; -NAME if it is -ln p. Default: p_target.",
    ),
    option(
        "--least",
        metavar="P",
        heading=REWRITING,
        help="The least probability of rules between phrases. Default: 0.1.",
    ),
)


def rewriter_of(given: dict[str, Any]) -> Rewriter:
    """What the options ask for, opened."""
    models = "+".join(given["rewrite_model"]) or None
    settings = (given[name] for name in ("unknown", "threshold", "score", "least"))
    method = Method(given["rewrite"], models, *settings)
    if not set(method.parts) & set(FILTERS):
        shared_options.refuse_without(f"a filter in --rewrite ({' or '.join(FILTERS)})", "unknown")
    return method.rewriter()
