"""Which rules are extracted from a sentence pair: limits, and the settings of three papers.

`kernels/reference/grammar/rules.py` says what a rule is and what each limit does.

- `thrax`: Thrax as it was used for the paraphrase database and for PARADIGM's gold rules: phrases of
  up to 12 words that may begin or end with unaligned words, five symbols per side, two non-terminals,
  which may be adjacent. A span without a label in the tree may only be the left side of rules without
  non-terminals.
- `hiero`: Chiang 2007, section 3.2: phrases of up to 10 words without unaligned words at their edges,
  five symbols on the source side, two non-terminals that are not adjacent there, at least one pair of
  aligned words.
- `paradigm`: the gold grammar of Weese, Ganitkevitch and Callison-Burch 2014, section 5: constituents
  and slashed labels, and Thrax's default limits: phrases of up to 10 words, five symbols per side, no
  unaligned words at edges, one pair of aligned words; both sides may be equal, and a span without a
  label in the tree may be the left side of rules without non-terminals. The paper does not state its
  limits: these were chosen because their sizes come closest to its tables 2 and 5. Thrax allows
  adjacent non-terminals only on request; without them the Edinburgh corpus gives 240,385 rules, with
  them 317,971 (paper: 317,772), of which 239,006 syntactic, 72,800 phrasal and 6,165 lexical (paper:
  238,646, 73,320 and 5,806).
- `paradigm-figure`: the rules of the paper's figures 1 and 2, "non-identical paraphrases" (section 3):
  as `paradigm`, but no rule with equal sides, no adjacent non-terminals, and none with a span without a
  label in the tree. With constituents only, figure 1 has 45 rules, as the paper says, and 74 more with
  slashes (paper: 66).

No rule rewrites a symbol to itself, as [X] -> [X,1] / [X,1], not even with `abstract`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.grammar.labels import Labels

LONGEST = 255
MOST_NONTERMINALS = 8
NO_LIMIT = 1 << 30
ParsedSide = Literal["source", "target"]
PARSED: tuple[ParsedSide, ...] = get_args(ParsedSide)
FallbackUse = Literal["all", "lexical", "none"]
FALLBACK: tuple[FallbackUse, ...] = get_args(FallbackUse)
Limits = np.ndarray[tuple[int], np.dtype[np.int64]]

# Fields in the kernel's order, and the smallest and largest value of each; 0 and 1 are switches.
_RANGES: dict[str, tuple[int, int]] = {
    "max_source_phrase": (1, LONGEST),
    "max_target_phrase": (1, LONGEST),
    "max_span": (1, NO_LIMIT),
    "nonterminals": (0, MOST_NONTERMINALS),
    "max_source_symbols": (1, NO_LIMIT),
    "max_target_symbols": (1, NO_LIMIT),
    "max_source_words": (0, NO_LIMIT),
    "max_target_words": (0, NO_LIMIT),
    "max_lexical_source": (1, NO_LIMIT),
    "max_lexical_target": (1, NO_LIMIT),
    "min_words": (0, NO_LIMIT),
    "min_aligned": (0, NO_LIMIT),
    "adjacent": (0, 1),
    "loose": (0, 1),
    "abstract": (0, 1),
    "full_sentence": (0, 1),
    "identity": (0, 1),
    "one_word": (0, 1),
}


@dataclass(frozen=True)
class RuleSettings:
    """Labels and limits of rules; None means no limit. The defaults are Thrax's, with constituents.

    >>> RuleSettings.named("hiero").max_source_phrase, RuleSettings.named("thrax").adjacent
    (10, True)
    >>> RuleSettings(nonterminals=9)
    Traceback (most recent call last):
    paragauge.errors.SettingError: nonterminals: expected a whole number from 0 to 8, found 9
    """

    labels: Labels = field(default_factory=Labels)
    parsed: ParsedSide = "source"  # the side that has trees
    max_source_phrase: int = 12  # words of phrase pairs, also of those under non-terminals
    max_target_phrase: int = 12
    max_span: int | None = None  # source words under a rule
    nonterminals: int = 2
    max_source_symbols: int | None = 5  # words and non-terminals of rules that have non-terminals
    max_target_symbols: int | None = 5
    max_source_words: int | None = None  # words of rules that have non-terminals
    max_target_words: int | None = None
    max_lexical_source: int | None = None  # words of rules that have none
    max_lexical_target: int | None = None
    min_words: int = 0  # on the source side
    min_aligned: int = 0  # links between words of the rule
    adjacent: bool = True  # adjacent non-terminals on the source side
    loose: bool = True  # unaligned words at the edges of phrase pairs
    abstract: bool = False  # rules without words, of two non-terminals or more
    full_sentence: bool = False  # rules of the whole sentence pair, whatever its length
    identity: bool = True  # rules with equal sides
    one_word: bool = False  # only rules whose source side is one word
    fallback: FallbackUse = "lexical"  # where a span without a label in the tree may occur

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is None and high == NO_LIMIT and not name.startswith("min_"):
                continue
            if high == 1 and low == 0:
                if not isinstance(value, bool):
                    raise SettingError(f"{name}: expected True or False, found {value!r}")
            elif isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise SettingError(
                    f"{name}: expected a whole number from {low} to {high:,}, found {value!r}"
                )
        if self.parsed not in PARSED:
            raise unknown_name("side with trees", self.parsed, PARSED)
        if self.fallback not in FALLBACK:
            raise unknown_name("use of the fallback", self.fallback, FALLBACK)

    @classmethod
    def named(cls, name: str, **changes: Any) -> RuleSettings:
        """The settings of a paper, with some changed.

        >>> RuleSettings.named("paradigm", identity=False).labels.slashed
        True
        """
        if name not in PRESETS:
            raise unknown_name("settings of rules", name, PRESETS)
        return replace(PRESETS[name], **changes)

    def limits(self, alignment: bool = False) -> Limits:
        """The numbers that the kernel takes; `alignment` asks for the links inside rules."""
        values = [getattr(self, name) for name in _RANGES]
        numbers = [NO_LIMIT if value is None else int(value) for value in values]
        return np.array([*numbers, int(alignment), FALLBACK.index(self.fallback)], np.int64)

    def record(self) -> dict[str, Any]:
        """The settings for a grammar's description; those about trees only if labels need trees.

        >>> RuleSettings.named("paradigm").record()["labels"]
        'slashed'
        """
        record = asdict(self)
        record |= {"labels": self.labels.name, "fallback_label": self.labels.fallback}
        if self.labels.needs_trees:
            record["unary"] = self.labels.unary
        else:
            del record["parsed"]
        return record


_GOLD = RuleSettings(
    labels=Labels.named("slashed"),
    max_source_phrase=10,
    max_target_phrase=10,
    min_aligned=1,
    loose=False,
)
PRESETS = {
    "thrax": RuleSettings(),
    "hiero": RuleSettings(
        labels=Labels.named("hiero"),
        max_source_phrase=10,
        max_target_phrase=10,
        max_target_symbols=None,
        min_aligned=1,
        adjacent=False,
        loose=False,
    ),
    "paradigm": _GOLD,
    "paradigm-figure": replace(_GOLD, adjacent=False, identity=False, fallback="none"),
}
SWITCHES = tuple(name for name, limits in _RANGES.items() if limits == (0, 1))
NUMBERS = tuple(name for name in _RANGES if name not in SWITCHES)
