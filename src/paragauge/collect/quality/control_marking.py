"""Marking answers to controls, and when to warn and to block: pure functions of a worker's history.

Three kinds of control in judging:

    gold       expected values of candidates by criterion; each answer must be within `tolerance`
    degraded   candidates with words dropped or moved, which must be judged below the sentence they
               were made from: `above` names that candidate; without one, within `tolerance` of the
               lowest value
    repeated   an item shown before; each answer within `tolerance` of the first one

A written item can be a gold control too: the answer must have one of the expected words.

After `warn_after` failures a worker is warned, after `block_after` blocked; a failure no longer counts
once `forgive` controls in a row were passed after it (never if that is 0). A ruling gives its reasons.
Expectations that no answer can match, which old stores may hold, count for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paragauge.errors import SettingError
from paragauge.text.unicode_words import words

OK, WARN, BLOCK = "ok", "warn", "block"
Judgments = Mapping[str, Mapping[str, float]]  # candidate -> criterion -> value


@dataclass(frozen=True)
class ControlMark:
    """The mark of an answer to one control: passed or not, and why not."""

    control: str
    passed: bool
    reason: str = ""


@dataclass(frozen=True)
class Ruling:
    """The ruling on a history: ok, warn or block, how many controls were seen and failed, and why."""

    state: str
    seen: int
    failed: int
    reasons: tuple[str, ...] = ()


def mark_gold(expected: Judgments, judged: Judgments, tolerance: float = 1) -> ControlMark:
    """Compare judgments with expected ones, by candidate and criterion.

    >>> mark_gold({"0": {"adequacy": 1}}, {"0": {"adequacy": 4}}).reason
    'adequacy of candidate 1: expected 1, found 4'
    >>> mark_gold({"0": {"adequacy": 1}}, {"0": {"adequacy": 2, "fluency": 5}}).passed
    True
    """
    return _compare("gold", expected, judged, tolerance, "expected")


def mark_repeated(before: Judgments, judged: Judgments, tolerance: float = 1) -> ControlMark:
    """Compare judgments with those that the same worker gave before.

    >>> mark_repeated({"0": {"overall": 5}}, {"0": {"overall": 2}}).reason
    'overall of candidate 1: before 5, found 2'
    """
    return _compare("repeated", before, judged, tolerance, "before")


def mark_degraded(
    judged: Judgments,
    candidate: str,
    above: str,
    criteria: Sequence[str],
    *,
    lower_is_better: bool = False,
) -> ControlMark:
    """Mark a degraded candidate: passed if it was judged below the one it was made from on at least one
    criterion, and above it on none.

    >>> mark_degraded({"0": {"overall": 2}, "1": {"overall": 4}}, "0", "1", ["overall"]).passed
    True
    """
    worse, better = judged.get(candidate, {}), judged.get(above, {})
    sign = -1 if lower_is_better else 1
    gaps = {
        name: sign * (better[name] - worse[name])
        for name in criteria
        if name in worse and name in better
    }
    if gaps and min(gaps.values()) >= 0 and max(gaps.values()) > 0:
        return ControlMark("degraded", True)
    names = ", ".join(name for name, gap in gaps.items() if gap <= 0) or "not judged"
    return ControlMark(
        "degraded", False, f"a broken sentence was not judged below the whole one ({names})"
    )


def mark_words(expected: Sequence[str], text: str) -> ControlMark:
    """Whether a written answer has one of the expected words; none expected passes.

    >>> mark_words(["horse", "pony"], "A man rides a pony.").passed
    True
    """
    phrases = expected if isinstance(expected, list | tuple) else ()
    accepted = [word for phrase in phrases if isinstance(phrase, str) for word in words(phrase)]
    if not accepted or set(accepted) & set(words(text)):
        return ControlMark("gold", True)
    return ControlMark("gold", False, f"expected one of: {', '.join(accepted)}")


def rule_on_history(
    history: Sequence[ControlMark], *, warn_after: int = 2, block_after: int = 4, forgive: int = 0
) -> Ruling:
    """The ruling on the controls that a worker has answered, oldest first.

    >>> bad, good = ControlMark("gold", False, "expected 1, found 5"), ControlMark("gold", True)
    >>> [rule_on_history([bad] * n).state for n in range(5)]
    ['ok', 'ok', 'warn', 'warn', 'block']
    >>> rule_on_history([bad, bad, good, good], forgive=2).state
    'ok'
    """
    if not 1 <= warn_after <= block_after or forgive < 0:
        raise SettingError(
            "expected 1 <= warn_after <= block_after and forgive >= 0, found "
            f"{warn_after}, {block_after} and {forgive}"
        )
    counted: list[ControlMark] = []
    passed = 0
    failed = 0
    for mark in history:
        if not mark.passed:
            counted.append(mark)
            passed, failed = 0, failed + 1
            # A block is final: nothing was handed out after it.
            if len(counted) >= block_after:
                break
            continue
        passed += 1
        if forgive and passed >= forgive:
            counted.clear()
    state = BLOCK if len(counted) >= block_after else WARN if len(counted) >= warn_after else OK
    reasons = tuple(f"{mark.control}: {mark.reason}" for mark in counted)
    return Ruling(state, len(history), failed, reasons)


def _compare(
    kind: str, expected: Judgments, judged: Judgments, tolerance: float, word: str
) -> ControlMark:
    wrong = [
        f"{criterion} of candidate {int(candidate) + 1 if candidate.isdecimal() else candidate}: "
        f"{word} {value:g}, found {_format_value(judged.get(candidate, {}).get(criterion))}"
        for candidate, values in expected.items()
        for criterion, value in (values.items() if isinstance(values, Mapping) else ())
        if _is_number(value)
        and not _is_near(judged.get(candidate, {}).get(criterion), value, tolerance)
    ]
    return ControlMark(kind, not wrong, "; ".join(wrong))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_near(judged: Any, value: float, tolerance: float) -> bool:
    return judged is not None and abs(judged - value) <= tolerance


def _format_value(value: float | None) -> str:
    return "nothing" if value is None else f"{value:g}"
