"""Which Penn tags an English word form can have, and the form of a lemma for a tag.

A substitute must fit the tag of the word that it replaces: a plural noun needs a plural, a past tense a
past tense. Base forms come from WordNet's morphy (exception lists, then endings); the ending and the
exception list then decide which form of its base a word is:

| tags | a word can have them if |
|------|----------------------|
| NN, NNP | it is a noun in WordNet that is not always plural (police, trousers) |
| VB, JJ, RB | it is in WordNet with that part of speech |
| NNS, NNPS | it has another base form as a noun, or is a plural itself (people, trousers, series) |
| VBP | it is a verb in WordNet other than be, or am or are |
| VBZ, VBG | it has another base form as a verb and ends in -s, in -ing |
| VBD, VBN | it has another base form as a verb and ends otherwise |
| JJR, JJS, RBR, RBS | it has another base form as an adjective (adverb) and ends in -st, or not |

WordNet's list of irregular verbs does not distinguish past tense from participle. A form that ends in
-en, -wn, -rn or -ain, or is gone or done, is only a participle; if a verb has such a form, its other
irregular form is only a past tense (took, taken), and of two forms that differ in their vowel, the one
with u is the participle (began, begun). Verbs whose past tense and participle (put), or whose
participle only (come), equal the base form are listed. No word has a tag of words that do not inflect
and have no synonyms (DT, IN, MD ...).

`inflect` goes the other way: it gives an irregular form of the lemma for the tag, or else the regular
spelling (the consonant is doubled if WordNet's list has the doubled form, or in a word of one
syllable). The shipped list decides; WordNets of other languages have no such lists, and their words
only have the tags of base forms.

A noun of WordNet in -s is taken for a plural without a singular (goods, trousers), unless it is listed
or ends like a singular: -ss, -us, -is, -as, -ics (glass, bus, crisis, gas, politics).
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from paragauge.kernels.layout import Ids
from paragauge.lexicon.wordnet import SHIPPED, WordNet, load
from paragauge.text.lines import Lines

NOUN, VERB, ADJECTIVE, ADVERB = 1, 2, 3, 4
POS_OF_TAG: Mapping[str, int] = {
    **dict.fromkeys(("NN", "NNS", "NNP", "NNPS"), NOUN),
    **dict.fromkeys(("VB", "VBP", "VBZ", "VBD", "VBN", "VBG"), VERB),
    **dict.fromkeys(("JJ", "JJR", "JJS"), ADJECTIVE),
    **dict.fromkeys(("RB", "RBR", "RBS"), ADVERB),
}
TAGS = tuple(POS_OF_TAG)
BASE_TAGS = {NOUN: ("NN", "NNP"), VERB: ("VB", "VBP"), ADJECTIVE: ("JJ",), ADVERB: ("RB",)}
PLURAL_ONLY = frozenset(("cattle", "clergy", "folk", "gentry", "people", "police", "poultry", "vermin"))
BOTH_NUMBERS = frozenset(
    "aircraft barracks craft crossroads deer fish gallows headquarters hovercraft means "  # noqa: SIM905
    "offspring salmon series sheep shrimp spacecraft species swine trout works".split()
)
PLURALS = PLURAL_ONLY | BOTH_NUMBERS
SINGULAR_ENDING = re.compile(r".*(?:ss|us|is|as|ics|xs|'s)")
SINGULAR_IN_S = frozenset(
    "aries atlas biceps billiards bus canvas chaos checkers chess christmas cosmos cyclops darts "  # noqa: SIM905
    "diabetes dominoes ethos forceps gas hades hercules herpes hives innings kudos lens links measles "
    "mumps news pampas paris pathos rabies rhinoceros rickets shambles summons texas thermos triceps "
    "wales".split()
)
PAST_LIKE_BASE = re.compile(
    r"(?:.*(?:cast|set)|under?cut|cut|bet|bid|burst|bust|cost|hit|hurt|let|put|quit|read|rid|shed|shut"
    r"|slit|split|spread|thrust|wed|wet)"
)
PARTICIPLE_LIKE_BASE = re.compile(r"(?:be|over)?come|(?:over|re|out)?run")
PARTICIPLE = re.compile(r".*(?:en|wn|rn|rne|ain|lain)|.*(?:gone|done)")
# Morphy's rule takes -men for the plural of every noun in -man; its list of exceptions has none.
REGULAR_MAN = re.compile(
    r"(?:super|sub|non)?human|(?:ger|ro|nor|otto|musul|mussul|het|cai|cay|sha|talis|des|do|tur)man"
)
BOTH = frozenset(("got", "forgot", "struck"))
TENSES = {"am": ("VBP",), "are": ("VBP",), "was": ("VBD",), "were": ("VBD",)}


class Inflection:
    """Forms of the words of one WordNet.

    >>> forms = Inflection.of()
    >>> forms.base("houses", "NNS"), forms.base("houses", "NN"), forms.base("took", "VBD")
    ('house', None, 'take')
    >>> forms.inflect("take", "VBN"), forms.inflect("dwelling", "NNS"), forms.inflect("stop", "VBG")
    ('taken', 'dwellings', 'stopping')
    """

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._irregular: dict[int, dict[str, list[str]]] = {}
        for pos in (NOUN, VERB, ADJECTIVE, ADVERB):
            forms: dict[str, list[str]] = defaultdict(list)
            for form, base in wordnet.exceptions("nvar"[pos - 1]):
                if form != base:
                    forms[base].append(form)
            self._irregular[pos] = dict(forms)

    @classmethod
    def of(cls, wordnet: str = SHIPPED) -> Inflection:
        """The forms of the shipped WordNet, or of the one at a path; built once."""
        return _build(wordnet)

    def base(self, word: str, tag: str) -> str | None:
        """The base form of a lowercase word if it can have the tag, or None."""
        numbers, bases = self.bases(Lines.of([word]))
        number = int(numbers[0, TAGS.index(tag)]) if tag in TAGS else -1
        return None if number < 0 else bases[number]

    def can_have(self, word: str, tag: str) -> bool:
        """Whether a lowercase word can have the tag.

        >>> Inflection.of().can_have("began", "VBN"), Inflection.of().can_have("begun", "VBN")
        (False, True)
        """
        return self.base(word, tag) is not None

    def bases(self, words: Lines, threads: int = 0) -> tuple[Ids, Lines]:
        """For each lowercase word (one per line) and each of `TAGS`, a row of the base forms, or -1.

        >>> numbers, bases = Inflection.of().bases(Lines.of(["left"]))
        >>> {tag: bases[row] for tag, row in zip(TAGS, numbers[0].tolist()) if row >= 0}
        {'NN': 'left', 'NNP': 'left', 'VBD': 'leave', 'VBN': 'leave', 'JJ': 'left', 'RB': 'left'}
        """
        texts = list(words)
        known = self._wordnet.parts_of_speech(words, threads)
        single = Lines.of([text if text and " " not in text else "_" for text in texts])
        lemmas = [
            list(self._wordnet.lemmatize(single, np.full(len(texts), pos), threads))
            for pos in (NOUN, VERB, ADJECTIVE, ADVERB)
        ]
        column = {tag: i for i, tag in enumerate(TAGS)}
        rows = np.full((len(texts), len(TAGS)), -1, np.int32)
        numbers: dict[str, int] = {}
        for i, text in enumerate(texts):
            for pos in (NOUN, VERB, ADJECTIVE, ADVERB):
                is_word = bool(known[i, pos - 1])
                base = lemmas[pos - 1][i]
                other = base != text and base != "_"
                if not is_word and not other:
                    continue
                for tag in self._tags(text, pos, base) if other else ():
                    rows[i, column[tag]] = numbers.setdefault(base, len(numbers))
                for tag in _own_tags(text, pos) if is_word else ():
                    if rows[i, column[tag]] < 0:
                        rows[i, column[tag]] = numbers.setdefault(text, len(numbers))
        return rows, Lines.of(list(numbers))

    def _tags(self, form: str, pos: int, base: str) -> tuple[str, ...]:
        """The tags of a form that differs from its base."""
        if pos == NOUN:
            return "NNS", "NNPS"
        if pos in (ADJECTIVE, ADVERB):
            kind = "JJ" if pos == ADJECTIVE else "RB"
            return (f"{kind}S",) if form.endswith("st") else (f"{kind}R",)
        if form in TENSES:
            return TENSES[form]
        if form.endswith("ing"):
            return ("VBG",)
        if form.endswith("s"):
            return ("VBZ",)
        if form.endswith("ed") or form in BOTH:
            return "VBD", "VBN"
        return self._irregular_tags(form, base)

    def _irregular_tags(self, form: str, base: str) -> tuple[str, ...]:
        if PARTICIPLE.fullmatch(form):
            return ("VBN",)
        if PARTICIPLE_LIKE_BASE.fullmatch(base):
            return ("VBD",)
        siblings = [other for other in self._irregular[VERB].get(base, ()) if other != form]
        if any(PARTICIPLE.fullmatch(other) for other in siblings):
            return ("VBD",)
        if "a" in form and form.replace("a", "u", 1) in siblings:
            return ("VBD",)
        if "u" in form and form.replace("u", "a", 1) in siblings:
            return ("VBN",)
        return "VBD", "VBN"

    def inflect(self, lemma: str, tag: str) -> str:
        """The form of a lowercase lemma for a tag; the lemma itself for tags that do not inflect.

        >>> forms = Inflection.of()
        >>> [forms.inflect("begin", tag) for tag in ("VB", "VBZ", "VBG", "VBD", "VBN", "DT")]
        ['begin', 'begins', 'beginning', 'began', 'begun', 'begin']
        >>> forms.inflect("child", "NNS"), forms.inflect("easy", "JJS"), forms.inflect("well", "RBR")
        ('children', 'easiest', 'better')
        """
        pos = POS_OF_TAG.get(tag)
        if (lemma, tag) == ("be", "VBP"):
            return "are"
        if pos is None or tag in BASE_TAGS[pos]:
            return lemma
        if tag == "VBZ" and lemma in ("be", "have"):
            return "is" if lemma == "be" else "has"
        if tag in ("VBD", "VBN") and PAST_LIKE_BASE.fullmatch(lemma):
            return lemma
        if tag == "VBN" and PARTICIPLE_LIKE_BASE.fullmatch(lemma):
            return lemma
        if tag in ("NNS", "NNPS") and lemma in PLURALS:
            return lemma
        irregular = self._irregular[pos].get(lemma, ())
        fitting = [form for form in irregular if tag in self._tags(form, pos, lemma)]
        return _preferred_form(fitting, lemma, tag) or _regular_form(lemma, tag, irregular)


def is_plural(noun: str) -> bool:
    """Whether a noun that has no other base form can be a plural.

    >>> [is_plural(noun) for noun in ("police", "goods", "series", "glass", "news", "house")]
    [True, True, True, False, False, False]
    """
    if noun in PLURALS:
        return True
    return noun.endswith("s") and noun not in SINGULAR_IN_S and not SINGULAR_ENDING.fullmatch(noun)


def _own_tags(word: str, pos: int) -> Iterable[str]:
    """The tags of a word that is itself in WordNet."""
    plural = pos == NOUN and is_plural(word)
    if not plural or word in BOTH_NUMBERS:
        yield from (tag for tag in BASE_TAGS[pos] if (word, tag) != ("be", "VBP"))
    if plural:
        yield from ("NNS", "NNPS")
    if pos == VERB and PAST_LIKE_BASE.fullmatch(word):
        yield from ("VBD", "VBN")
    if pos == VERB and PARTICIPLE_LIKE_BASE.fullmatch(word):
        yield "VBN"


def _preferred_form(forms: list[str], lemma: str, tag: str) -> str | None:
    """One of several irregular forms: for a participle one that looks like it, otherwise the first."""
    if tag == "VBN":
        forms = [form for form in forms if PARTICIPLE.fullmatch(form)] or forms
    if lemma == "be":
        return {"VBD": "was", "VBN": "been"}.get(tag)
    return forms[0] if forms else None


def _regular_form(lemma: str, tag: str, irregular: Iterable[str]) -> str:
    """The regular spelling of a form."""
    if tag in ("NNS", "NNPS") and lemma.endswith("man") and not REGULAR_MAN.fullmatch(lemma):
        return f"{lemma[:-3]}men"
    if tag in ("NNS", "NNPS", "VBZ"):
        if re.search(r"(?:s|x|z|ch|sh)$", lemma) or (tag == "VBZ" and lemma.endswith("o")):
            return f"{lemma}es"
        return f"{lemma[:-1]}ies" if _consonant_y(lemma) else f"{lemma}s"
    ending = {"VBG": "ing", "JJR": "er", "RBR": "er", "JJS": "est", "RBS": "est"}.get(tag, "ed")
    if tag == "VBG":
        if lemma.endswith("ie"):
            return f"{lemma[:-2]}ying"
        stem = lemma[:-1] if re.search(r".[^eoy]e$", lemma) else lemma
    else:
        stem = lemma[:-1] if lemma.endswith("e") else lemma
        stem = f"{lemma[:-1]}i" if _consonant_y(lemma) else stem
    return (f"{lemma}{lemma[-1]}" if stem == lemma and _doubles(lemma, irregular) else stem) + ending


def _doubles(lemma: str, irregular: Iterable[str]) -> bool:
    """Whether the last consonant is doubled before an ending."""
    if not re.search(r"[^aeiouwxy]$", lemma):
        return False
    one_syllable = re.fullmatch(r"[^aeiou]*(?:qu)?[aeiou].", lemma)
    return bool(one_syllable) or any(form.startswith(lemma + lemma[-1]) for form in irregular)


def _consonant_y(lemma: str) -> bool:
    return re.search(r"[^aeiou]y$", lemma) is not None


@functools.lru_cache(maxsize=4)
def _build(wordnet: str) -> Inflection:
    return Inflection(load(wordnet))
