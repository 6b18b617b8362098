"""A rule that turns a simple active sentence into the passive.

"A man is cutting a tree in a park." becomes "A tree is being cut by a man in a park." WordNet does not
say here which verbs take an object, so verbs that often stand before something else are listed.
"""

from __future__ import annotations

import re

import numpy as np

from paragauge.meta.contrast.tagged_sentence import TaggedSentence, Token
from paragauge.rewrite.thesauri.inflection import Inflection
from tools.models.sentence_batch import NOUNS, SentenceBatch, base_form, lower_first, noun_phrase_end

BE = ("is", "are", "was", "were")
NO_PASSIVE = frozenset(
    "agree appear arrive be become begin belong climb close come cost dance do drop end equal "  # noqa: SIM905
    "fall feel fit gain get go grow have jump lack last lead like live look lose love marry "
    "mean meet need own prove remain resemble rise run say seem shake shed sit sleep slide "
    "sound stand start stay suit swim talk tell think total try turn walk want wear weigh".split()
)
NO_OBJECT = frozenset(
    "home today tomorrow yesterday percent time day days week weeks month months year years hour hours "  # noqa: SIM905
    "minute minutes morning evening night monday tuesday wednesday thursday friday saturday sunday "
    "part place way people backwards uphill".split()
)
GOALS = ("into", "onto", "to", "from", "out", "off", "down", "up", "over")  # they stay by the verb
ADVERBIAL = (  # what a phrase after the object starts with if it belongs to the verb
    *GOALS,
    *("in", "on", "at", "with", "near", "through", "along", "across", "during", "under", "inside"),
)
PUT = ("put", "place", "set", "lay", "hang", "pour", "add", "point", "throw")  # verbs that need a place
MANY = ("lot", "number", "couple", "bunch")  # "a lot of pictures were taken"


def make_passive(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """The passive of a simple active sentence: subject, verb, object, and perhaps phrases after it."""
    tokens, text = sentence.tokens, sentence.text
    subject = noun_phrase_end(tokens, 0)
    if subject == 0 or subject + 1 >= len(tokens) or re.search(r"[,;:?!\"]", text):
        return None
    if tokens[-1].text != ".":  # a headline
        return None
    progressive = tokens[subject].lower in BE and sentence.next_tag(subject) == "VBG"
    verb = tokens[subject + progressive]
    start = subject + progressive + 1
    end = noun_phrase_end(tokens, start)
    base = base_form(verb.lower, verb.tag)
    if end == start or base in (None, *NO_PASSIVE) or not (progressive or verb.tag in ("VBZ", "VBD")):
        return None
    while (
        end + 1 < len(tokens)
        and tokens[end].lower == "of"
        and noun_phrase_end(tokens, end + 1) > end + 1
    ):
        end = noun_phrase_end(tokens, end + 1)
    tail = tokens[end:]
    if not _is_object(tokens[start:end]) or not _is_adverbial(tail):
        return None
    stop = tokens[-1].start if tokens[-1].text == "." else len(text)
    after = text[tokens[end - 1].end : stop].rstrip()
    head = next(token for token in reversed(tokens[start:end]) if token.tag in NOUNS)
    of = [place for place in range(start, end) if tokens[place].lower == "of"]
    head = tokens[of[0] - 1] if of and tokens[of[0] - 1].lower not in MANY else head
    past = verb.tag == "VBD" or (progressive and tokens[subject].lower in ("was", "were"))
    be = _be(plural=head.tag in ("NNS", "NNPS"), past=past) + (" being" if progressive else "")
    participle = Inflection.of().inflect(base or "", "VBN")
    agent = "by " + lower_first(sentence)[: tokens[subject - 1].end]
    new_subject = text[tokens[start].start : tokens[end - 1].end]
    last = (
        f"{after} {agent}" if tail and (tail[0].lower in GOALS or base in PUT) else f" {agent}{after}"
    )
    return f"{new_subject[0].upper()}{new_subject[1:]} {be} {participle}{last}{text[stop:] or ''}"


def _is_object(tokens: tuple[Token, ...]) -> bool:
    words = {token.lower for token in tokens}
    if words & NO_OBJECT or tokens[0].tag in ("PRP$", "CD"):
        return False
    return all(token.text.isalpha() for token in tokens)


def _is_adverbial(tail: tuple[Token, ...]) -> bool:
    """Whether what follows an object can follow a participle: phrases, no verb, no second object."""
    tags = {token.tag for token in tail}
    if "fire" in [token.lower for token in tail]:  # "set a car on fire"
        return False
    if any(tag.startswith(("VB", "W", "MD", "CC", "PRP")) for tag in tags) or "to" in [
        t.lower for t in tail[1:]
    ]:
        return False
    if not tail or tail[0].text == ".":
        return True
    return tail[0].lower in ADVERBIAL


def _be(*, plural: bool, past: bool) -> str:
    return ("were" if plural else "was") if past else ("are" if plural else "is")
