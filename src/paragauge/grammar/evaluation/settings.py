"""Settings of the evaluation of a resource: of every stage, with defaults for PPDB and the like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from paragauge.align.aligners import AlignerName
from paragauge.grammar.convert import Duplicates
from paragauge.grammar.grammar_reader import OnError
from paragauge.grammar.pair_coverage import CoverageDirections
from paragauge.grammar.parametric import ParametricSettings
from paragauge.grammar.parametric_sheet import GoldLinks
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.rule import LexicalRule
from paragauge.grammar.rule_overlap import LabelVariants
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.text.bitext import EmptySides
from paragauge.text.tokenizers import Case, Tokenizer

# The scores that rank rules, in order of preference; True if the lowest is the best.
RANKINGS = (
    ("PPDB2.0Score", False),
    ("p_target", False),
    ("-logp(e2|e1)", True),
    ("p(e|f)", True),
)


@dataclass(frozen=True)
class GrammarEvaluationSettings:
    """How a resource is evaluated.

    - `tokenize`, `case`, `empty`: how the text is read, for all stages; None for the tokenizer `penn`,
      or `blanks` if links or trees come with the text;
    - `aligner`: makes links where there are none; `rules`: the limits of the gold grammar;
    - `frequencies`, `lexical`, `variants`: those of `overlap`; `curve`, `ascending`, `sizes`: those of
      `overlap_curve`, where None is the first score of `RANKINGS` that a resource has;
    - `parsing`, `directions`: those of `coverage`. Any word may translate to itself, as most resources
      have no rules that copy words;
    - `parametric`, `links`: those of ParaMetric;
    - `duplicates`, `on_error`: how text files of resources are read;
    - `examples`: rules of each kind that are shown; `drawn`: pairs that are drawn.

    >>> GrammarEvaluationSettings().parsing.passthrough
    'all'
    """

    tokenize: Tokenizer | None = None
    case: Case = "lower"
    empty: EmptySides = "error"
    aligner: AlignerName = "auto"
    rules: RuleSettings = field(default_factory=lambda: RuleSettings.named("paradigm"))
    frequencies: tuple[int, ...] | None = None
    lexical: LexicalRule = "source"
    variants: LabelVariants = "max"
    curve: str | None = None
    ascending: bool = False
    sizes: int | Sequence[int] = 10
    parsing: ParseSettings = field(default_factory=lambda: ParseSettings(passthrough="all"))
    directions: CoverageDirections = "one"
    parametric: ParametricSettings = field(default_factory=ParametricSettings)
    links: GoldLinks = "all"
    duplicates: Duplicates = "stop"
    on_error: OnError = "stop"
    examples: int = 8
    drawn: int = 3


def choose_ranking(features: Sequence[str], *, counted: bool) -> tuple[str, bool] | None:
    """The score that ranks the rules of a resource, and whether the lowest is the best.

    `counted` says whether its rules have counts, which rank them if no feature does.

    >>> choose_ranking(["Abstract", "p(e|f)"], counted=False), choose_ranking([], counted=True)
    (('p(e|f)', True), ('count', False))
    >>> choose_ranking(["Abstract"], counted=False) is None
    True
    """
    for name, ascending in RANKINGS:
        if name in features:
            return name, ascending
    return ("count", False) if counted else None
