"""Settings of synchronous parsing, and the statuses of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from paragauge.errors import SettingError, unknown_name

STATUSES = ("covered", "unreachable", "no-source-parse", "out-of-time", "out-of-memory")
COVERED, UNREACHABLE, NO_SOURCE_PARSE, OUT_OF_TIME, OUT_OF_MEMORY = range(len(STATUSES))
Passthrough = Literal["none", "unknown", "all"]
PASSTHROUGH: tuple[Passthrough, ...] = get_args(Passthrough)
PassthroughGaps = Literal["any", "label"]
PASSTHROUGH_GAPS: tuple[PassthroughGaps, ...] = get_args(PassthroughGaps)
SPAN = 20
MAX_ITEMS = 20_000_000
MAX_MEMORY = 1 << 30

MOST = 1 << 62  # the largest value of a limit


def check_passthrough_gaps(value: str) -> None:
    """Reject an unknown value of the setting `passthrough_gaps`."""
    if value not in PASSTHROUGH_GAPS:
        raise unknown_name("value of passthrough_gaps", value, PASSTHROUGH_GAPS)


@dataclass(frozen=True)
class ParseSettings:
    """How pairs are parsed.

    - `span`: the most source words under a rule; 0 for no limit. Glue rules have no limit.
    - `glue`: whether a sentence may be a row of phrases in the same order on both sides: S -> S X and
      S -> X. Without it one rule must span the sentence.
    - `start`: the labels that X, or the one rule at the top, may have; empty for all labels.
    - `passthrough`: which source words may pass through, as rules X -> w / w: `none`,
      `unknown` (those on the source side of no rule) or `all`.
    - `passthrough_label`: the label of these rules, X above.
    - `passthrough_gaps`: which non-terminals take words that pass through: those of `any` label, so
      that there is such a rule for each label of a non-terminal and of `start`, or only those with the
      `label` above. PARADIGM does not say; Joshua, its parser, gives unknown words the one label of its
      setting default-non-terminal, or the labels listed in its setting oov-list.
    - `max_items`: the most chart items for one pair, a measure of work that does not depend on the
      machine; 0 for no limit. A pair that needs more is out of time.
    - `max_seconds`: time for one pair, 0 for no limit. With a limit, results depend on the machine.
    - `max_memory`: bytes for one pair, by a formula that is the same on every machine; 0 for no limit.

    >>> ParseSettings(span=10).signature
    'span:10|glue:yes|start:all|pass:none|items:20000000|seconds:any|memory:1073741824'
    >>> ParseSettings(passthrough="all").signature.split("|")[3]
    'pass:all:X+any'
    """

    span: int = SPAN
    glue: bool = True
    start: tuple[str, ...] = ()
    passthrough: Passthrough = "none"
    passthrough_label: str = "X"
    passthrough_gaps: PassthroughGaps = "any"
    max_items: int = MAX_ITEMS
    max_seconds: float = 0.0
    max_memory: int = MAX_MEMORY

    def __post_init__(self) -> None:
        if isinstance(self.start, str):
            raise SettingError(f"start: expected labels such as ('NP',), found the text {self.start!r}")
        if self.passthrough not in PASSTHROUGH:
            raise unknown_name("value of passthrough", self.passthrough, PASSTHROUGH)
        check_passthrough_gaps(self.passthrough_gaps)
        for name in ("span", "max_items", "max_memory"):
            value = getattr(self, name)
            if not isinstance(value, int) or not 0 <= value <= MOST:
                raise SettingError(f"{name}: expected a whole number from 0 to {MOST}, found {value!r}")
        if not 0 <= self.max_seconds < float("inf"):
            raise SettingError(f"max_seconds: expected a number from 0, found {self.max_seconds}")
        for label in (*self.start, self.passthrough_label):
            if not label or label != "".join(label.split()):
                raise SettingError(
                    f"expected a label without spaces and brackets such as NP, found {label!r}"
                )

    @property
    def signature(self) -> str:
        """All settings, as the result depends on each of them."""
        label = ""
        if self.passthrough != "none":
            label = f":{self.passthrough_label}{'+any' * (self.passthrough_gaps == 'any')}"
        return "|".join(
            [
                f"span:{self.span or 'any'}",
                f"glue:{'yes' if self.glue else 'no'}",
                f"start:{','.join(self.start) or 'all'}",
                f"pass:{self.passthrough}{label}",
                f"items:{self.max_items or 'any'}",
                f"seconds:{self.max_seconds or 'any'}",
                f"memory:{self.max_memory or 'any'}",
            ]
        )
