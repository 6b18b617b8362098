"""Default instructions for workers, for campaigns without their own.

The text for clips, with its good and bad examples, is that of figure 1 of Chen and Dolan (2011), "HIT"
read as "task"; the scales asked for in judging are the campaign's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.collect.campaigns.campaign_settings import BadExample, CampaignSettings


@dataclass(frozen=True)
class Guide:
    """Heading, what to do, what to note, and examples."""

    heading: str
    lead: str
    notes: tuple[str, ...] = ()
    good: tuple[str, ...] = ()
    bad: tuple[BadExample, ...] = ()
    question: str = ""
    own: tuple[str | tuple[str, ...], ...] = ()


GOOD = (
    "A woman is slicing some tomatoes.",
    "A band is performing on a stage outside.",
    "A dog is catching a Frisbee.",
    "The sun is rising over a mountain landscape.",
)
BAD = (
    BadExample("Tomato slicing", "Incomplete sentence"),
    BadExample(
        "This video is shot outside at night about a band performing on a stage",
        "Description about the video itself instead of the action/event in the video",
    ),
    BadExample("I like this video because it is very cute", "Not about the action/event in the video"),
    BadExample(
        "The sun is rising in the distance while a group of tourists standing near some railings are "
        "taking pictures of the sunrise and a small boy is shivering in his jacket because it is "
        "really cold",
        "Too much detail instead of focusing only on the main action/event",
    ),
)
PART_ONLY = (
    "The video will play only a selected segment by default. You can choose to watch the entire clip "
    "and/or with sound although this is not necessary."
)
ONLY_THIS = (
    "Please only describe the action/event that occurred in the selected segment and not any other "
    "parts of the video."
)
MAIN_PERSON = "Please focus on the main person/group shown in the {}"
SKIP = (
    "If you do not understand what is happening in the {}, please skip this task and move onto the "
    "next one"
)
WRITING = (
    "Write your description in one sentence",
    "Use complete, grammatically-correct sentences",
)
ANY_LANGUAGE = "You can write the descriptions in any language you are comfortable with"
GUIDES = {
    "video": Guide(
        "Watch and describe a short segment of a video",
        "You will be shown a segment of a video clip and asked to describe the main action/event in "
        "that segment in ONE SENTENCE.",
        (
            PART_ONLY,
            ONLY_THIS,
            MAIN_PERSON.format("segment"),
            SKIP.format("selected segment"),
            *WRITING,
        ),
        GOOD,
        BAD,
        "Please describe the main event/action in the selected segment (ONE SENTENCE)",
    ),
    "image": Guide(
        "Look at a picture and describe it",
        "You will be shown a picture, still or moving, and asked to describe the main action/event in "
        "it in ONE SENTENCE.",
        (MAIN_PERSON.format("picture"), SKIP.format("picture"), *WRITING),
        GOOD,
        BAD[:1] + BAD[3:],
        "Please describe the main event/action in the picture (ONE SENTENCE)",
    ),
    "suggestion": Guide(
        "Suggest a video",
        "Find a short segment (about 4 to 10 seconds) of a video on the web that shows one single, "
        "unambiguous action or event.",
        (
            "Anyone should understand it, whatever language they speak and wherever they live",
            "No subtitles and no text over the picture",
            "Nothing that could offend or frighten anybody",
            "Give the link of the page, and when the segment starts and ends",
        ),
        question="The link, and where the segment starts and ends",
    ),
    "sentence": Guide(
        "Say it in other words",
        "You will be shown a sentence and asked to write another one with the same meaning, in words "
        "as different as you can.",
        (
            "Keep all of the meaning, and add nothing",
            "Change words and the order of words wherever the meaning allows it",
            "Write one complete, grammatically-correct sentence, in the language of the original",
            "If you do not understand the sentence, please skip this task and move onto the next one",
        ),
        ("A woman is slicing some tomatoes. → Somebody is cutting tomatoes into thin pieces.",),
        (
            BadExample("A woman is slicing tomatoes.", "Almost the same words"),
            BadExample("Somebody is cooking.", "Part of the meaning is lost"),
        ),
        "The same in other words (ONE SENTENCE)",
    ),
    "judgment": Guide(
        "Compare sentences",
        "You will be shown a sentence and others that were made from it. Please say for each how good "
        "it is.",
        (
            "Read all of them before you begin",
            "Judge each sentence on its own; several may be equally good or bad",
            "They are in random order",
        ),
    ),
    "survey": Guide("A short survey", "Please answer spontaneously; there are no wrong answers."),
}


def split_blocks(text: str) -> tuple[str | tuple[str, ...], ...]:
    """Instructions as they are written: paragraphs, and lists of lines that begin with a hyphen or dot.

    >>> split_blocks("Look closely.\\n\\n- Once.\\n- Twice.\\nThen write.")
    ('Look closely.', ('Once.', 'Twice.'), 'Then write.')
    """
    blocks: list[str | tuple[str, ...]] = []
    listed = False
    for line in (raw.strip() for raw in text.replace("\r", "").split("\n")):
        item = line[2:].strip() if line[:2] in ("- ", "* ", "• ") else ""
        last = blocks[-1] if blocks else ""
        if item and listed and isinstance(last, tuple):
            blocks[-1] = (*last, item)
        elif item:
            blocks.append((item,))
        elif line:
            blocks.append(line)
        listed = bool(item) or (listed and not line)
    return tuple(blocks)


def choose_guide(settings: CampaignSettings, kind: str) -> Guide:
    """What a worker is told before and during a task on an item of this kind."""
    usual = GUIDES[kind]
    notes = usual.notes
    if settings.kind == "describe":
        notes = (*notes, _languages(settings))
    if settings.kind == "judge" and settings.ranking:
        ties = "; equally good ones may share a place" if settings.ranking_ties else ""
        notes = (notes[0], f"Give the best one the first place{ties}", notes[2])
    own_examples = settings.good_examples or settings.bad_examples
    return Guide(
        usual.heading,
        "" if settings.instructions else usual.lead,
        () if settings.instructions else notes,
        settings.good_examples if own_examples else usual.good,
        settings.bad_examples if own_examples else usual.bad,
        usual.question,
        split_blocks(settings.instructions),
    )


def _languages(settings: CampaignSettings) -> str:
    if not settings.languages:
        return ANY_LANGUAGE
    return "You can write the descriptions in: " + ", ".join(settings.languages)
