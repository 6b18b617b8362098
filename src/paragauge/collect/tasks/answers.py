"""Answers of workers, and the rules that an answer must follow, by kind of task.

>>> from paragauge.collect.campaigns.campaign_settings import CampaignSettings
>>> settings = CampaignSettings(kind="describe", title="Birds", languages=("English", "Deutsch"))
>>> check_answer(settings, {}, Answer(text=" A bird sings. ", language="English")).text
'A bird sings.'
>>> check_answer(settings, {}, Answer(text="", language="English"))
Traceback (most recent call last):
paragauge.errors.AnswerError: please write something
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import Any

from paragauge.collect.campaigns.campaign_settings import WRITTEN, CampaignSettings
from paragauge.collect.campaigns.items import check_link, check_segment
from paragauge.collect.people.workers import check_line
from paragauge.collect.store.columns import to_json
from paragauge.errors import AnswerError, InputError
from paragauge.lexicon.language_names import normalize_language
from paragauge.text.wording import pluralize

LONGEST_COMMENT = 2000
MOST_DATA = 10_000
# Letters and a symbol that are invisible: the Hangul fillers, and Braille without a dot.
BLANK = "\u115f\u1160\u3164\uffa0\u2800"
BREAKS = re.compile("[\t\n\r\u2028\u2029]")


@dataclass(frozen=True)
class Answer:
    """What a worker sends, with `data` by kind of task:

    suggest  {"url", "start", "end"}
    judge    {"judgments": {candidate: {criterion: value}}} or {"ranking": {candidate: place}}, where
             a candidate is its index in the item's content, as text
    survey   {"answers": {question: text}}
    """

    text: str = ""
    language: str = ""
    comment: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None


def check_answer(settings: CampaignSettings, content: dict[str, Any], answer: Answer) -> Answer:
    """The answer as it will be stored, or an AnswerError that names the field.

    Text is stripped, and tabs and line ends become single spaces. Invisible text, such as zero-width
    spaces, counts as empty.
    """
    text = _clean_text("text", answer.text, settings.max_length)
    comment = _clean_text("comment", answer.comment, LONGEST_COMMENT)
    language = unicodedata.normalize("NFC", answer.language).strip()
    language = language if is_visible(language) else ""
    check_line("language", language, 100)
    seconds = answer.seconds
    if seconds is not None and not (math.isfinite(seconds) and 0 <= seconds <= 1e9):
        raise AnswerError("seconds", "the time spent is not a number of seconds")
    if settings.kind in WRITTEN:
        if not text:
            raise AnswerError("text", "please write something")
        if not language:
            raise AnswerError("language", "please say which language you write in")
        if settings.languages and language not in settings.languages:
            tag = normalize_language(language)
            same = [name for name in settings.languages if normalize_language(name) == tag]
            if not same:
                known = ", ".join(settings.languages)
                raise AnswerError("language", f"please choose one of: {known}")
            language = same[0]
    data = _DATA.get(settings.kind, _check_page_data)(settings, content, answer.data)
    return replace(answer, text=text, comment=comment, language=language, data=data, seconds=seconds)


def is_visible(value: str) -> bool:
    r"""Whether a text has anything visible: a letter, digit, sign or symbol.

    >>> is_visible("a"), is_visible("\u200b\u200b"), is_visible("\u3164"), is_visible("\u2800 ")
    (True, False, False, False)
    """
    return any(unicodedata.category(c)[0] in "LNPS" and c not in BLANK for c in value)


def list_ratings(data: dict[str, Any]) -> list[tuple[int, str, int]]:
    """(candidate, criterion, value) of each judgment; the criterion of a ranking is "rank"."""
    if "ranking" in data:
        return [(int(candidate), "rank", place) for candidate, place in data["ranking"].items()]
    return [
        (int(candidate), criterion, value)
        for candidate, values in data.get("judgments", {}).items()
        for criterion, value in values.items()
    ]


def _clean_text(name: str, value: str, most: int) -> str:
    # One line each: one answer with a tab or line end would break a whole TSV table.
    pieces = map(str.strip, BREAKS.split(unicodedata.normalize("NFC", value)))
    value = " ".join(piece for piece in pieces if piece)
    if len(value) > most:
        raise AnswerError(
            name, f"please write at most {pluralize(most, 'character')}; this has {len(value):,}"
        )
    # Control characters and lone surrogates.
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in value):
        raise AnswerError(name, "this has control characters; please remove them")
    return value if is_visible(value) else ""


def _check_page_data(
    settings: CampaignSettings, content: dict[str, Any], data: dict[str, Any]
) -> dict[str, Any]:
    """Written answers have no data except what their page adds, which must be small."""
    del settings, content
    try:
        if len(to_json(data)) <= MOST_DATA:
            return data
    except InputError:
        pass
    raise AnswerError("data", "the data that came with the answer cannot be stored")


def _check_suggestion(
    settings: CampaignSettings, content: dict[str, Any], data: dict[str, Any]
) -> dict[str, Any]:
    del settings, content
    try:
        url = check_link(data.get("url"))
    except InputError:
        raise AnswerError("url", "please give a link that starts with http:// or https://") from None
    try:
        check_segment(data.get("start"), data.get("end"))
    except InputError:
        raise AnswerError("end", "please give start and end in seconds, the start first") from None
    return {"url": url, "start": data["start"], "end": data["end"]}


def _check_judgments(
    settings: CampaignSettings, content: dict[str, Any], data: dict[str, Any]
) -> dict[str, Any]:
    names = [str(index) for index in range(len(content.get("candidates", ())))]
    if settings.ranking:
        sent = data.get("ranking")
        places = sent if isinstance(sent, dict) else {}
        for name in names:
            if not _is_whole(places.get(name), 1, len(names)):
                raise AnswerError(f"rank-{name}", f"please give a place from 1 to {len(names)}")
        chosen = {name: places[name] for name in names}
        if not settings.ranking_ties and len(set(chosen.values())) < len(names):
            raise AnswerError("ranking", "please give every candidate a different place")
        return {"ranking": chosen}
    sent = data.get("judgments")
    judgments = sent if isinstance(sent, dict) else {}
    ratings: dict[str, dict[str, int]] = {}
    for name in names:
        values = judgments.get(name)
        for criterion in settings.criteria:
            value = values.get(criterion.name) if isinstance(values, dict) else None
            if not _is_whole(value, criterion.low, criterion.high):
                message = f"please choose {criterion.low} to {criterion.high} for {criterion.name}"
                raise AnswerError(f"judgment-{name}-{criterion.name}", message)
            ratings.setdefault(name, {})[criterion.name] = int(value)  # type: ignore[arg-type]
    return {"judgments": ratings}


def _check_survey(
    settings: CampaignSettings, content: dict[str, Any], data: dict[str, Any]
) -> dict[str, Any]:
    del content
    sent = data.get("answers")
    answers = sent if isinstance(sent, dict) else {}
    accepted = {}
    for question in settings.survey:
        value = answers.get(question.name, "")
        if not isinstance(value, str):
            raise AnswerError(question.name, "please answer in words")
        value = _clean_text(question.name, value, settings.max_length)
        if question.required and not value:
            raise AnswerError(question.name, "please answer this question")
        if value and question.options and value not in question.options:
            raise AnswerError(question.name, "please choose one of the answers")
        if value:
            accepted[question.name] = value
    return {"answers": accepted}


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


_DATA = {"suggest": _check_suggestion, "judge": _check_judgments, "survey": _check_survey}
