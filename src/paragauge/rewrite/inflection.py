"""Which Penn tags a word form can bear, and the form of a lemma that bears a tag (English).

A substitute must fit the tag of the word that it replaces: a plural noun takes a plural, a past tense
a past tense. Base forms come from WordNet's morphy (exception lists, then endings); the ending and the
exception list then say which forms of its base a word is:

| tags | a word bears them if |
|------|----------------------|
| NN, NNP, VB, JJ, RB | it is in WordNet with that part of speech |
| NNS, NNPS | it has another base form as a noun, or is a noun in -s or one of a few others (people) |
| VBP | it is a verb in WordNet other than be, or am or are |
| VBZ, VBG | it has another base form as a verb and ends in -s, in -ing |
| VBD, VBN | it has another base form as a verb and ends otherwise |
| JJR, JJS, RBR, RBS | it has another base form as an adjective (adverb) and ends in -st, or not |

WordNet's list of irregular verbs does not tell past tense from participle. A participle alone ends in
-en, -wn, -rn, -ain or is gone or done; if a verb has such a form, its other irregular form is a past
tense alone (took, taken), and of two that differ in their vowel, the one with u is the participle
(began, begun). Verbs whose past is like the base form (put), or the participle alone (come), are in a
list. Tags of words that do not inflect and have no synonyms (DT, IN, MD ...) are borne by none.

`inflect` goes the other way: an irregular form of the lemma that bears the tag, else regular spelling
(consonants are doubled where WordNet's list has the doubled form, or in a word of one syllable). The
shipped list decides; WordNets of other languages have no such lists, and their words only bear the
tags of base forms.
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
PLURALS = frozenset(("people", "police", "cattle", "sheep", "fish", "aircraft", "deer", "folk"))
PAST_LIKE_BASE = re.compile(
    r"(?:.*(?:cast|set)|under?cut|cut|bet|bid|burst|bust|cost|hit|hurt|let|put|quit|read|rid|shed|shut"
    r"|slit|split|spread|thrust|wed|wet)"
)
PARTICIPLE_LIKE_BASE = re.compile(r"(?:be|over)?come|(?:over|re|out)?run")
PARTICIPLE = re.compile(r".*(?:en|wn|rn|rne|ain|lain)|.*(?:gone|done)")
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
        """The forms of the shipped WordNet, or of the one at a path; made once."""
        return _of(wordnet)

    def base(self, word: str, tag: str) -> str | None:
        """The base form of a word in lowercase if it can bear the tag, or None."""
        numbers, bases = self.bases(Lines.of([word]))
        number = int(numbers[0, TAGS.index(tag)]) if tag in TAGS else -1
        return None if number < 0 else bases[number]

    def bears(self, word: str, tag: str) -> bool:
        """Whether a word in lowercase can bear the tag.

        >>> Inflection.of().bears("began", "VBN"), Inflection.of().bears("begun", "VBN")
        (False, True)
        """
        return self.base(word, tag) is not None

    def bases(self, words: Lines, threads: int = 0) -> tuple[Ids, Lines]:
        """For each word (one per line, lowercase) and each of `TAGS` a row of the base forms, or -1.

        >>> numbers, bases = Inflection.of().bases(Lines.of(["left"]))
        >>> {tag: bases[row] for tag, row in zip(TAGS, numbers[0].tolist()) if row >= 0}
        {'NN': 'left', 'NNP': 'left', 'VBD': 'leave', 'VBN': 'leave', 'JJ': 'left', 'RB': 'left'}
        """
        texts = list(words)
        known = self._wordnet.parts_of_speech(words, threads)
        single = Lines.of([text if text and " " not in text else "_" for text in texts])
        changed = [
            list(self._wordnet.lemmatize(single, np.full(len(texts), pos), threads))
            for pos in (NOUN, VERB, ADJECTIVE, ADVERB)
        ]
        column = {tag: i for i, tag in enumerate(TAGS)}
        rows = np.full((len(texts), len(TAGS)), -1, np.int32)
        numbers: dict[str, int] = {}
        for i, text in enumerate(texts):
            for pos in (NOUN, VERB, ADJECTIVE, ADVERB):
                is_word = bool(known[i, pos - 1])
                base = changed[pos - 1][i]
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
        siblings = [each for each in self._irregular[VERB].get(base, ()) if each != form]
        if any(PARTICIPLE.fullmatch(each) for each in siblings):
            return ("VBD",)
        if "a" in form and form.replace("a", "u", 1) in siblings:
            return ("VBD",)
        if "u" in form and form.replace("u", "a", 1) in siblings:
            return ("VBN",)
        return "VBD", "VBN"

    def inflect(self, lemma: str, tag: str) -> str:
        """The form of a lemma in lowercase that bears the tag; the lemma itself for other tags.

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
        return _preferred(fitting, lemma, tag) or _regular(lemma, tag, irregular)


def _own_tags(word: str, pos: int) -> Iterable[str]:
    """The tags of a word that is in WordNet itself."""
    yield from (tag for tag in BASE_TAGS[pos] if (word, tag) != ("be", "VBP"))
    if pos == NOUN and ((word.endswith("s") and not word.endswith("ss")) or word in PLURALS):
        yield from ("NNS", "NNPS")
    if pos == VERB and PAST_LIKE_BASE.fullmatch(word):
        yield from ("VBD", "VBN")
    if pos == VERB and PARTICIPLE_LIKE_BASE.fullmatch(word):
        yield "VBN"


def _preferred(forms: list[str], lemma: str, tag: str) -> str | None:
    """Of several irregular forms: not the participle-like ones for a past tense, the first else."""
    if tag == "VBN":
        forms = [form for form in forms if PARTICIPLE.fullmatch(form)] or forms
    if lemma == "be":
        return {"VBD": "was", "VBN": "been"}.get(tag)
    return forms[0] if forms else None


def _regular(lemma: str, tag: str, irregular: Iterable[str]) -> str:
    """Regular spelling."""
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
def _of(wordnet: str) -> Inflection:
    return Inflection(load(wordnet))
