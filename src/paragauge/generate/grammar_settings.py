"""Settings of decoding with a synchronous grammar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from paragauge.errors import SettingError, unknown_name
from paragauge.generate.phrase_settings import check_whole
from paragauge.grammar.parse_settings import PassthroughGaps, check_passthrough_gaps

MOST = 1 << 20
MOST_WORDS = 1000  # the search recurses once for each word


@dataclass(frozen=True)
class GrammarSettings:
    """How sentences are decoded.

    - `span`: the most source words under a rule, Hiero's 10; 0 for no limit. Glue rules have no limit.
    - `pop_limit`: how many combinations are tried for each span; 0 for all of them.
    - `options`: how many rules of each source side are tried; 0 for all.
    - `passthrough_label`: the label of words that pass through.
    - `passthrough_gaps`: which non-terminals take such words: those of `any` label, or only those with
      the `label` above, as in Joshua with its setting default-non-terminal.
    - `longest`: the most words in a sentence, up to 1000.

    >>> GrammarSettings(span=-1)
    Traceback (most recent call last):
    paragauge.errors.SettingError: span: expected a whole number from 0 to 1,048,576, found -1
    """

    span: int = 10
    pop_limit: int = 100
    options: int = 20
    passthrough_label: str = "X"
    passthrough_gaps: PassthroughGaps = "any"
    longest: int = 100

    def __post_init__(self) -> None:
        for name in ("span", "pop_limit", "options"):
            check_whole(name, getattr(self, name), 0, MOST)
        check_whole("longest", self.longest, 1, MOST_WORDS)
        label = self.passthrough_label
        if not isinstance(label, str) or not label or label != "".join(label.split()):
            raise SettingError(f"passthrough_label: expected a label such as X, found {label!r}")
        check_passthrough_gaps(self.passthrough_gaps)

    def record(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> GrammarSettings:
        """The settings in a record; an unknown name is an error.

        >>> GrammarSettings.from_record({"spam": 5})
        Traceback (most recent call last):
        paragauge.errors.SettingError: unknown setting 'spam'; did you mean 'span'? known: ...
        """
        known = [field.name for field in fields(cls)]
        for name in record:
            if name not in known:
                raise unknown_name("setting", str(name), known)
        return cls(**record)
