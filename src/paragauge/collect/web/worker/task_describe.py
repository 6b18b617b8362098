"""Watch and describe: a clip or picture, one sentence, in a language of the worker's choice.

No rule can tell in every language whether a text is one sentence: if it looks like more, the page asks,
and the writer has the last word.
"""

from __future__ import annotations

from typing import Any

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.quality.hint_rules import count_sentences
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.web.http.forms import Form
from paragauge.collect.web.worker.media_player import view_media
from paragauge.text.wording import pluralize

SEVERAL = "This looks like more than one sentence. Please write one, or tick the box if it is one."
# Suggestions while typing; any other may be written.
LANGUAGES = [
    "Arabic",
    "Bengali",
    "Bulgarian",
    "Cantonese",
    "Catalan",
    "Croatian",
    "Czech",
    "Danish",
    "Dutch",
    "English",
    "Estonian",
    "Farsi",
    "Filipino",
    "Finnish",
    "French",
    "Georgian",
    "German",
    "Greek",
    "Gujarati",
    "Hebrew",
    "Hindi",
    "Hungarian",
    "Indonesian",
    "Italian",
    "Japanese",
    "Kannada",
    "Korean",
    "Latvian",
    "Lithuanian",
    "Macedonian",
    "Malay",
    "Malayalam",
    "Mandarin",
    "Marathi",
    "Norwegian",
    "Polish",
    "Portuguese",
    "Punjabi",
    "Romanian",
    "Russian",
    "Serbian",
    "Sinhala",
    "Slovak",
    "Slovenian",
    "Spanish",
    "Swahili",
    "Swedish",
    "Tamil",
    "Telugu",
    "Thai",
    "Turkish",
    "Ukrainian",
    "Urdu",
    "Vietnamese",
]


def values(assignment: Assignment, settings: CampaignSettings) -> dict[str, Any]:
    """The clip, and the languages to choose from or to suggest."""
    media = view_media(assignment.item.kind, assignment.item.content)
    return {"media": media, "choices": settings.languages, "suggestions": LANGUAGES}


def read(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[Answer, dict[str, str]]:
    """One sentence and its language."""
    del assignment
    language = form.text("language")
    answer = Answer(text=form.text("text"), language=language, comment=form.text("comment"))
    problems = {}
    if not answer.text:
        problems["text"] = "Please write one sentence, or skip this task."
    elif len(answer.text) > settings.max_length:
        most, length = settings.max_length, len(answer.text)
        problems["text"] = f"Please write at most {pluralize(most, 'character')}; this has {length:,}."
    elif settings.one_sentence and form.text("one") != "yes" and count_sentences(answer.text) > 1:
        problems["one"] = SEVERAL
    if not language:
        problems["language"] = "Please say which language you write in."
    return answer, problems
