"""Options of the commands that rewrite references."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.rewrite.context.context_decision import DECISIONS
from paragauge.rewrite.rewrite_method import FILTERS, RECOMMENDED, RewriteMethod
from paragauge.rewrite.rewriter import UNKNOWNS, Rewriter, UnknownWords

REWRITING = "Rewriting"


@dataclass(frozen=True)
class RewritingChoice:
    """How references are rewritten."""

    rewrite: str
    rewrite_model: tuple[str, ...]
    unknown: UnknownWords
    threshold: str | None
    score: str | None
    least: str | None
    decision: str | None

    def rewriter(self) -> Rewriter:
        """What rewrites, with its models open."""
        models = "+".join(self.rewrite_model) or None
        method = RewriteMethod(
            self.rewrite,
            models,
            self.unknown,
            self.threshold,
            self.score,
            self.least,
            self.decision,
        )
        if not set(method.parts) & set(FILTERS):
            shared_options.refuse_without(f"a filter in --rewrite ({' or '.join(FILTERS)})", "unknown")
        return method.rewriter()


with_rewriting = gather_options(
    "rewriting",
    RewritingChoice,
    option(
        "--rewrite",
        default=RECOMMENDED,
        metavar="encoder|context|wordnet|lm|random|lsa|brown|phrases",
        heading=REWRITING,
        help="Proposers and filters, joined with +, as in context+lm.",
    ),
    option(
        "--rewrite-model",
        multiple=True,
        metavar="FILE",
        heading=REWRITING,
        help="The model that --rewrite uses. Repeat for each part that has one.",
    ),
    choice_option(
        "--unknown",
        choices=UNKNOWNS,
        default="refuse",
        heading=REWRITING,
        help="What to do with a word that a filter does not know.",
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
        help="The probability of phrase rules; -NAME if it is -ln p. Default: p_target.",
    ),
    option(
        "--least",
        metavar="P",
        heading=REWRITING,
        help="The minimum probability of phrase rules. Default: 0.1.",
    ),
    choice_option(
        "--decision",
        choices=DECISIONS,
        heading=REWRITING,
        help="How context decides; --threshold changes its threshold. Default: the model's own.",
    ),
)
