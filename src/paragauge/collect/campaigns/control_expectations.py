"""What controls expect: checked when items are added, and read back so that stored ones cannot fail.

A control item says what a right answer is, by kind of control:

    gold       judging: {"judgments": {candidate: {criterion: value}}}, or, where candidates are ranked,
               {"ranking": {candidate: place}}; written tasks: {"words": [...]}, one of which must occur
    degraded   judging: {"below": [[worse, better], ...]}, or nothing
    repeated   {"of": key}: an item of the campaign, in judging with the same source and candidates

and a candidate among others {"control": "gold", "expected": {criterion: value}} ({"rank": place} where
candidates are ranked), or {"control": "degraded", "of": candidate} with or without `of`. Candidates are
numbers from 0 in the order of the item. A control that nobody can pass fails honest workers, and one
that expects nothing passes everybody: both are rejected.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from paragauge.collect.campaigns.campaign_settings import WRITTEN, CampaignSettings
from paragauge.collect.campaigns.controls import is_control
from paragauge.errors import InputError, unknown_name
from paragauge.text.unicode_words import words

OF_CANDIDATES = ("gold", "degraded")
CANDIDATE_FIELDS = ("system", "text", "control", "expected", "of")


class CandidateError(InputError):
    """An error in one candidate; `candidate` counts from 0."""

    def __init__(self, candidate: int, message: str) -> None:
        self.candidate = candidate
        super().__init__(f"candidate {candidate}: {message}")


def check_control(
    settings: CampaignSettings, content: Mapping[str, Any], control: str | None, expected: Any
) -> None:
    """Reject an item whose control, or a control among its candidates, cannot be marked.

    `content` has been checked already. The caller checks which item `repeated` names.

    >>> settings = CampaignSettings(kind="paraphrase", title="Say it differently")
    >>> check_control(settings, {}, "gold", {"words": ["horse"]})
    >>> check_control(settings, {}, "gold", {"word": "horse"})
    Traceback (most recent call last):
    paragauge.errors.InputError: expected: expected {"words": ["horse"]} for a gold control, found
    {"word": "horse"}; use that form
    """
    if settings.kind == "judge":
        for index in range(len(content["candidates"])):
            _check_candidate(settings, content["candidates"], index)
    if control is None:
        if expected:
            raise InputError(
                f"expected: expected a control with it, found none; add control "
                f"(gold, degraded, repeated), or remove {abbreviate_json(expected)}"
            )
        return
    if settings.kind not in (*WRITTEN, "judge"):
        raise InputError(
            f"control: expected none, since nothing can be marked in a campaign of kind "
            f"{settings.kind}, found {control!r}; remove it"
        )
    if control == "gold" and settings.kind in WRITTEN:
        _check_words(expected)
    elif control == "gold":
        _check_gold(settings, len(content["candidates"]), expected)
    elif control == "degraded":
        _check_degraded(settings, content, expected)
    elif not (_has_only(expected, "of") and isinstance(expected["of"], str) and expected["of"].strip()):
        raise _shape_error('{"of": key}', control, expected)


def check_repeated(
    settings: CampaignSettings, key: str, content: Mapping[str, Any], of: str, original: Any
) -> None:
    """Reject a repetition of a missing item (`original` is None) or, in judging, of different content.

    >>> settings = CampaignSettings(kind="paraphrase", title="Say it differently")
    >>> check_repeated(settings, "again", {"text": "A dog."}, "first", None)
    Traceback (most recent call last):
    paragauge.errors.InputError: expected: expected the key of another item that 'again' repeats,
    found 'first'; add that item first, or in the same table
    """
    if original is None or key == of:
        raise InputError(
            f"expected: expected the key of another item that {key!r} repeats, found {of!r}; "
            "add that item first, or in the same table"
        )
    if settings.kind == "judge" and _judged_texts(content) != _judged_texts(original):
        raise InputError(
            f"expected: expected the source and candidates of {of!r} in {key!r}, which repeats it, "
            "found different ones; copy them"
        )


def drop_unreadable(expected: Any) -> Any:
    """What a stored item expects, without the parts that cannot be read, which expect nothing.

    Stores may have items that were added before items were checked.

    >>> drop_unreadable({"judgments": {"0": {"overall": 1}, "1": 3}, "below": 7})
    {'judgments': {'0': {'overall': 1}}, 'below': []}
    """
    if not isinstance(expected, dict):
        return None
    readable = dict(expected)
    if "judgments" in readable:
        judgments = readable["judgments"] if isinstance(readable["judgments"], dict) else {}
        readable["judgments"] = {
            candidate: values for candidate, values in judgments.items() if isinstance(values, dict)
        }
    if "ranking" in readable and not isinstance(readable["ranking"], dict):
        readable["ranking"] = {}
    if "below" in readable:
        pairs = readable["below"] if isinstance(readable["below"], list) else []
        readable["below"] = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    if "of" in readable and not isinstance(readable["of"], str):
        readable["of"] = ""
    return readable


def _check_candidate(
    settings: CampaignSettings, candidates: Sequence[Mapping[str, Any]], index: int
) -> None:
    candidate = candidates[index]
    for name in candidate:
        if name not in CANDIDATE_FIELDS:
            raise CandidateError(index, str(unknown_name("field", str(name), CANDIDATE_FIELDS)))
    control, expected, of = (candidate.get(name) for name in ("control", "expected", "of"))
    if is_control(candidate) and control not in OF_CANDIDATES:
        raise CandidateError(
            index, str(unknown_name("control of a candidate", str(control), OF_CANDIDATES))
        )
    for name, value, owner in (("expected", expected, "gold"), ("of", of, "degraded")):
        if value is not None and control != owner:
            raise CandidateError(
                index,
                f'{name}: expected only with control = "{owner}", found {abbreviate_json(value)}; '
                "remove it",
            )
    try:
        if control == "gold":
            _check_values(settings, len(candidates), expected)
        if control == "degraded":
            _check_scales(settings)
    except InputError as error:
        raise CandidateError(index, str(error)) from None
    if of is not None and _number(of, len(candidates)) in (None, index):
        raise CandidateError(
            index,
            f"of: expected another candidate, 0 to {len(candidates) - 1}, found {abbreviate_json(of)}",
        )


def _check_words(expected: Any) -> None:
    listed = expected["words"] if _has_only(expected, "words") else None
    if (
        not isinstance(listed, list)
        or not listed
        or not all(isinstance(phrase, str) and words(phrase) for phrase in listed)
    ):
        raise _shape_error('{"words": ["horse"]}', "gold", expected)


def _check_gold(settings: CampaignSettings, many: int, expected: Any) -> None:
    name = "ranking" if settings.ranking else "judgments"
    inner = (
        "1" if settings.ranking else f'{{"{settings.criteria[0].name}": {settings.criteria[0].low}}}'
    )
    by_candidate = expected[name] if _has_only(expected, name) else None
    if not isinstance(by_candidate, dict) or not by_candidate:
        raise _shape_error(f'{{"{name}": {{"0": {inner}}}}}', "gold", expected)
    for candidate, value in by_candidate.items():
        if _number(candidate, many) is None:
            raise InputError(
                f"expected: expected candidates 0 to {many - 1}, found {abbreviate_json(candidate)}; "
                "they are numbered in the order of the item"
            )
        try:
            _check_values(settings, many, {"rank": value} if settings.ranking else value)
        except InputError as error:
            raise CandidateError(int(candidate), str(error)) from None


def _check_values(settings: CampaignSettings, many: int, values: Any) -> None:
    """Check values by criterion, or the rank of a candidate."""
    scales = {criterion.name: (criterion.low, criterion.high) for criterion in settings.criteria}
    if settings.ranking:
        scales = {"rank": (1, many)}
    if not isinstance(values, dict) or not values:
        name, (low, _) = next(iter(scales.items()))
        raise InputError(
            f'expected: expected values by criterion, such as {{"{name}": {low}}}, '
            f"found {'nothing' if values is None else abbreviate_json(values)}"
        )
    for name, value in values.items():
        if name not in scales:
            raise InputError(f"expected: {unknown_name('criterion', str(name), list(scales))}")
        low, high = scales[name]
        if type(value) is not int or not low <= value <= high:
            raise InputError(
                f"expected: expected a whole number from {low} to {high} for {name}, "
                f"found {abbreviate_json(value)}"
            )


def _check_degraded(settings: CampaignSettings, content: Mapping[str, Any], expected: Any) -> None:
    if settings.kind != "judge":
        raise InputError(
            'control: expected "gold" or "repeated" in a writing task, found "degraded"; '
            "only judges can rate a broken sentence below a whole one"
        )
    _check_scales(settings)
    if not expected:
        return
    many = len(content["candidates"])
    pairs = expected["below"] if _has_only(expected, "below") else None
    if not isinstance(pairs, list) or not pairs:
        raise _shape_error('{"below": [[0, 1]]} or nothing', "degraded", expected)
    for pair in pairs:
        places = [_number(candidate, many) for candidate in pair] if isinstance(pair, list) else []
        if len(places) != 2 or None in places or places[0] == places[1]:
            raise InputError(
                f"expected: expected pairs of two candidates, 0 to {many - 1}, in below, "
                f"found {abbreviate_json(pair)}"
            )


def _check_scales(settings: CampaignSettings) -> None:
    # A broken sentence may well differ more from the source, so it is not worse on dissimilarity.
    if not settings.ranking and all(
        criterion.name.casefold() == "dissimilarity" for criterion in settings.criteria
    ):
        raise InputError(
            'control: expected a criterion besides dissimilarity to mark "degraded" by, found none; '
            'make it "gold"'
        )


def _judged_texts(content: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    return content.get("source"), [candidate.get("text") for candidate in content.get("candidates", ())]


def _has_only(expected: Any, name: str) -> bool:
    return isinstance(expected, dict) and set(expected) == {name}


def _number(value: Any, many: int) -> int | None:
    """The index of the candidate that a number or its text names; None if there is none."""
    if (
        isinstance(value, str)
        and value.isascii()
        and value.isdecimal()
        and value == str(int(value[-18:]))
    ):
        value = int(value)
    return value if type(value) is int and 0 <= value < many else None


def _shape_error(shape: str, control: str, expected: Any) -> InputError:
    value = "nothing" if expected is None else abbreviate_json(expected)
    return InputError(
        f"expected: expected {shape} for a {control} control, found {value}; use that form"
    )


def abbreviate_json(value: Any) -> str:
    """A value as JSON for an error message, cut to 60 characters.

    >>> abbreviate_json({"of": "a" * 60})
    '{"of": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'
    """
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
