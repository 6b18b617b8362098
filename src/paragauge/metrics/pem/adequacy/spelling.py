"""One spelling of what is written in two ways: contractions in full, British forms, and *not until*.

"I'm sorry" says "I am sorry" in the same words, and "colour" is "color": neither is new wording.
Contractions that may stand for two things stay as they are ("he'd": had or would), and "'s" is written
in full after pronouns only: elsewhere it is mostly a possessive.

After a negation *until* says *before*: "not open until Monday" is "not open before Monday". Without one
they are opposites ("open until Monday"), and stay as they are.
"""

from __future__ import annotations

import functools
import re
from itertools import product

CONTRACTED = {"m": " am", "re": " are", "ve": " have", "ll": " will"}
# Patterns start with the apostrophe: one that starts with a fixed character is found faster.
ENDING = re.compile(r"'(m|re|ve|ll)\b")
IRREGULAR = {"can't": "can n't", "won't": "will n't", "shan't": "shall n't"}
UNCLEAR = "ain't"
IS = re.compile(r"'s(?= [a-z])")
BEFORE_IS = frozenset("it he she that there here what who where how".split())  # noqa: SIM905
HAS = re.compile(r" (?:been|had|got|become|gone|done|[a-z]+ed)\b")
# In one clause: a negation with "until" after it, or "until" at the beginning with a negation later.
NOT_UNTIL = re.compile(r"\b((?:not|never) [^,;:]*?)until\b|^Until\b(?=.* (?:not|never)\b)")

# Words in -our, -ise and -re, and verbs that double their l before an ending.
OUR = (
    "armour behaviour colour endeavour favour flavour harbour honour humour labour neighbour odour "  # noqa: SIM905
    "parlour rumour savour splendour vapour vigour".split()
)
ISE = (
    "apologise authorise categorise characterise civilise criticise emphasise finalise generalise "  # noqa: SIM905
    "hospitalise maximise memorise minimise mobilise modernise normalise organise prioritise realise "
    "recognise reorganise specialise stabilise standardise summarise symbolise sympathise "
    "utilise".split()
)
RE = "centre theatre metre litre fibre kilometre centimetre millimetre".split()  # noqa: SIM905
DOUBLED = "cancel fuel label model quarrel signal travel".split()  # noqa: SIM905
OTHERS = dict(
    pair.split(":")
    for pair in (
        "defence:defense offence:offense licence:license pretence:pretense grey:gray tyre:tire "  # noqa: SIM905
        "tyres:tires programme:program programmes:programs catalogue:catalog plough:plow "
        "aeroplane:airplane aeroplanes:airplanes moustache:mustache pyjamas:pajamas "
        "sceptical:skeptical judgement:judgment aluminium:aluminum ageing:aging enrol:enroll "
        "fulfil:fulfill skilful:skillful learnt:learned burnt:burned dreamt:dreamed spelt:spelled "
        "towards:toward whilst:while amongst:among jewellery:jewelry analyse:analyze "
        "analysed:analyzed analysing:analyzing paralyse:paralyze paralysed:paralyzed "
        "favourite:favorite favourites:favorites honourable:honorable neighbourhood:neighborhood "
        "neighbouring:neighboring colourful:colorful favourable:favorable".split()
    )
)


def _list_forms() -> dict[str, str]:
    forms = dict(OTHERS)
    for word, ending in product(OUR, ("", "s", "ed", "ing")):
        forms[word + ending] = word.removesuffix("our") + "or" + ending
    for word, ending in product(ISE, ("e", "es", "ed", "ing", "ation", "ations")):
        stem = word.removesuffix("ise")
        forms[f"{stem}is{ending}"] = f"{stem}iz{ending}"
    for word, ending in product(RE, ("", "s")):
        forms[word + ending] = word.removesuffix("re") + "er" + ending
    for word, ending in product(DOUBLED, ("ed", "ing", "er", "ers")):
        forms[f"{word}l{ending}"] = word + ending
    return forms


AMERICAN = _list_forms()
# Words as they stand between spaces, for a fast look whether a text has any.
SPOTTED = frozenset(
    form + mark
    for word in AMERICAN
    for form in (word, word.capitalize())
    for mark in ("", ".", ",", "?", "!", ";", ":", "'s")
)
WORD = re.compile(r"[A-Za-z]+")


@functools.lru_cache(maxsize=4096)  # a source is compared with many candidates
def unify_spelling(text: str) -> str:
    """The text with contractions in full, American forms of British words, and *not before*.

    >>> unify_spelling("I'm sorry, it isn't my favourite colour.")
    'I am sorry, it is not my favorite color.'
    >>> unify_spelling("He'd say Tom's dog can't swim; it's been ill.")
    "He'd say Tom's dog can not swim; it has been ill."
    >>> unify_spelling("It wasn't open until Monday."), unify_spelling("It was open until Monday.")
    ('It was not open before Monday.', 'It was open until Monday.')
    """
    if "'" in text:
        text = _write_contractions(text)
    if "ntil " in text:
        text = NOT_UNTIL.sub(lambda match: f"{match[1]}before" if match[1] else "Before", text)
    if not SPOTTED.isdisjoint(text.split(" ")):
        text = WORD.sub(_americanize, text)
    return text


def _write_contractions(text: str) -> str:
    if "n't" in text and UNCLEAR not in text:
        for short, full in IRREGULAR.items():
            if short[1:] in text:
                text = text.replace(short, full).replace(short.capitalize(), full.capitalize())
        text = text.replace("n't", " not").replace("  not", " not")
    text = ENDING.sub(lambda match: CONTRACTED[match[1]], text)
    if "'s " in text:
        text = text.replace("et's ", "et us ") if "let's " in text.lower() else text
        text = IS.sub(_write_is, text)
    return text


def _write_is(match: re.Match[str]) -> str:
    before = match.string[: match.start()].rsplit(" ", 1)[-1].lower()
    if before not in BEFORE_IS:
        return match[0]
    return " has" if HAS.match(match.string, match.end()) else " is"


def _americanize(match: re.Match[str]) -> str:
    word = match[0]
    form = AMERICAN.get(word.lower())
    if form is None:
        return word
    return form.capitalize() if word[0].isupper() else form
