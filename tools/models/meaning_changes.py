"""Rules that change who, what or whether, beyond those of `paragauge.meta.contrast`.

    word         a word replaced by another one of the same tag that WordNet does not relate to it
    modality     another modal verb, or one added: "He left." becomes "He may have left."
    swap         two nouns exchanged: "A dog in a car" becomes "A car in a dog"
    clause       a clause of another sentence added
    no           the subject denied: "No man is singing.", "There is no man singing."
    nobody       the person denied: "Nobody is singing."
    never        the verb denied: "He never left."

A replaced word must fit its place by the shipped model of contexts, as opposites must. Nouns are not
exchanged where that would keep the meaning, as on both sides of "and", "with" or "is".
"""

from __future__ import annotations

import re

import numpy as np

from paragauge.lexicon.wordnet import WordNet
from paragauge.meta.contrast.sentence_changes import CALENDAR
from paragauge.meta.contrast.tagged_sentence import TaggedSentence, Token
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.thesauri.inflection import Inflection
from paragauge.text.lines import Lines
from tools.models.sentence_batch import (
    FINITE,
    NOUNS,
    SentenceBatch,
    base_form,
    choose_text,
    find_verb,
    fix_articles,
    is_negative,
    is_replaceable,
    is_statement,
    noun_phrase_end,
)

TRIES = 40  # words drawn for a place before the rule gives up
# WordNet does not relate these, but in a description one often stands for another.
ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "adult boy child gentleman girl guy human individual kid lady man people person woman youth",
        "carve chop cut dice mince shred slice",
        "add mix pour put place stir",
        "announce call report say state tell think",
        "climb go jog jump run stride walk",
        "advance climb gain grow increase jump rise",
        "decline dip drop fall lose slide",
        "cop officer official police policeman",
        "house home building place",
    )
)
PERSONS = ALIKE[0]
MODALS = {
    "may": ("must", "will", "should"),
    "might": ("must", "will", "should"),
    "could": ("must", "should"),
    "can": ("must", "should"),
    "must": ("may", "might"),
    "should": ("may", "might"),
    "will": ("may", "might", "should"),
    "would": ("might", "should"),
}
ADDED = ("may", "might", "should")
UNREAL = frozenset(("so", "if", "whether", "wish", "wishes", "wished"))  # "so that I could sleep"
MENTAL = frozenset(("guess", "hope", "mean", "think", "wish"))  # "I may think" is seldom said
AFTER_WOULD = frozenset(("like", "rather", "love", "prefer"))
UNSWAPPED = frozenset(
    "bit couple deal front group kind lot number pair part piece side sort time times top use way "  # noqa: SIM905
    "day days hour hours minute minutes month months week weeks year years morning evening night "
    "tomorrow today yesterday percent home one someone something nothing everything nobody fond".split()
)
SYMMETRIC = frozenset(
    "with near beside and or meet met marry married resemble between like as than is are was were "  # noqa: SIM905
    "become became against versus equal called named".split()
)
CONNECTIVES = (", and ", ", because ", ", but ", ", although ")
COUNTS = frozenset(("a", "an", "the", "some", "several", "two", "many"))
NOT_DENIED = frozenset(
    "few lot number couple little same other following more many most only variety majority group "  # noqa: SIM905
    "first second last next whole latter former one series pair rest".split()
)
HUMAN = frozenset(("man", "woman", "person", "boy", "girl", "guy", "lady"))
SUBJECTS = frozenset(("someone", "somebody", "everyone", "everybody", "people", "he", "she"))
SINGULAR = {"are": "is", "were": "was", "have": "has"}
POSSESSIVE = frozenset(("he", "she", "his", "her", "him", "they", "their", "them"))


def replace_word(
    sentence: TaggedSentence, batch: SentenceBatch, random: np.random.Generator
) -> str | None:
    """A word replaced by one of the same tag, from any sentence, that fits and is not related to it."""
    places = [place for place in range(len(sentence.tokens)) if is_replaceable(sentence, place)]
    if not places:
        return None
    place = places[int(random.integers(len(places)))]
    token = sentence.tokens[place]
    own = {other.lower for other in sentence.tokens}
    pool = batch.words[token.tag]
    drawn = dict.fromkeys(pool[number] for number in random.integers(len(pool), size=TRIES).tolist())
    others = [word for word in drawn if word not in own and not _are_alike(token, word)]
    if not others:
        return None
    line = Lines.of([" ".join(other.lower for other in sentence.tokens)])
    lines, at = np.zeros(len(others), np.int64), np.full(len(others), place, np.int64)
    rows = np.arange(len(others), dtype=np.int64)
    # The lenient decision that the shipped models were trained with.
    scores = ContextModel.default("swords").scores(line, lines, at, Lines.of(others), rows, 1)
    # NaN, for a word that the model does not know, does not fit.
    fitting = [word for word, score in zip(others, scores.tolist(), strict=True) if score >= 0]
    # The first, not the best: the best is nearly always a frequent word such as "man".
    return sentence.replace_word(place, fitting[0]) if fitting else None


def _are_alike(token: Token, word: str) -> bool:
    """Whether a word may mean the same as a token: WordNet relates them, or a list has both."""
    old, new = base_form(token.lower, token.tag), base_form(word, token.tag)
    if old is None or new is None or any({old, new} <= words for words in ALIKE):
        return True
    return WordNet.default().are_related(old, new)


def change_modality(
    sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator
) -> str | None:
    """Another modal verb for the first one, or one added to a statement without any."""
    for place, token in enumerate(sentence.tokens):
        if token.tag == "MD":
            if token.lower not in MODALS or place == 0 or sentence.beside(place)[1] in AFTER_WOULD:
                return None
            if UNREAL & {other.lower for other in sentence.tokens[:place]}:
                return None
            texts = [sentence.replace_word(place, other) for other in MODALS[token.lower]]
            return choose_text(texts, random)
    verb = find_verb(sentence)
    if verb is None:
        return None
    token = sentence.tokens[verb]
    following, after = sentence.next_tag(verb), sentence.beside(verb)[1]
    base = base_form(token.lower, token.tag)
    if base in (None, "do", *MENTAL) or after in ("not", "being"):
        return None
    if base is None or (base == "have" and (after == "to" or following == "VBN")):
        return None
    form = f"have {Inflection.of().inflect(base, 'VBN')}" if token.tag == "VBD" else base
    return choose_text([sentence.replace_word(verb, f"{modal} {form}") for modal in ADDED], random)


def swap_nouns(sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator) -> str | None:
    """Two names, or two nouns of the same number, exchanged."""
    words = [token.text for token in sentence.tokens if token.text.isalpha()]
    if 2 * sum(word.istitle() for word in words) > len(words) > 4:
        return None  # in a headline every noun looks like a name
    spans = _noun_spans(sentence)
    pairs = [
        (one, two)
        for number, one in enumerate(spans)
        for two in spans[number + 1 :]
        if _may_swap(sentence, one, two)
    ]
    if not pairs:
        return None
    one, two = pairs[int(random.integers(len(pairs)))]
    tokens, text = sentence.tokens, sentence.text
    (a, b), (c, d) = ((tokens[start].start, tokens[end - 1].end) for start, end in (one, two))
    first, second = text[a:b], text[c:d]
    if one[0] == 0 and tokens[0].tag not in ("NNP", "NNPS"):
        first, second = first[0].lower() + first[1:], second[0].upper() + second[1:]
    return fix_articles(text[:a] + second + text[b:c] + first + text[d:])


def _noun_spans(sentence: TaggedSentence) -> list[tuple[int, int]]:
    """Spans of nouns that stand alone, and of names."""
    tokens = sentence.tokens
    spans = []
    place = 0
    while place < len(tokens):
        end = place
        while end < len(tokens) and tokens[end].tag in NOUNS:
            end += 1
        run = tokens[place:end]
        is_name = bool(run) and all(token.tag == "NNP" and token.text.istitle() for token in run)
        is_noun = len(run) == 1 and run[0].tag in ("NN", "NNS") and run[0].lower not in UNSWAPPED
        if (is_name or is_noun) and all(token.text.isalpha() and len(token.text) > 2 for token in run):
            spans.append((place, end))
        place = max(end, place + 1)
    return spans


def _may_swap(sentence: TaggedSentence, one: tuple[int, int], two: tuple[int, int]) -> bool:
    tokens = sentence.tokens
    left, right = tokens[one[0]], tokens[two[0]]
    between = tokens[one[1] : two[0]]
    if left.tag != right.tag or left.lower == right.lower:
        return False
    if {left.lower, right.lower} & CALENDAR or not any(token.text.isalpha() for token in between):
        return False
    if "&" in (sentence.beside(one[0])[0], sentence.beside(two[0])[0]):
        return False
    if any(token.lower in SYMMETRIC or token.text in ",;:&.(" for token in between):
        return False
    # "director of a firm": with an article for one of them only, the exchange is not English.
    if left.tag != "NNP" and _is_bare(sentence, one[0]) != _is_bare(sentence, two[0]):
        return False
    if left.tag == "NN" and {left.lower, right.lower} <= PERSONS:
        return any(token.tag.startswith("VB") for token in between)
    return True


def _is_bare(sentence: TaggedSentence, place: int) -> bool:
    return not place or sentence.tokens[place - 1].tag not in ("DT", "PRP$", "JJ", "CD")


def add_clause(
    sentence: TaggedSentence, batch: SentenceBatch, random: np.random.Generator
) -> str | None:
    """A statement of another sentence added to a statement."""
    if not is_statement(sentence) or not batch.statements:
        return None
    other = batch.statements[int(random.integers(len(batch.statements)))]
    connective = CONNECTIVES[int(random.integers(len(CONNECTIVES)))]
    if other.lower() in sentence.text.lower():
        return None
    own = sentence.text.rstrip()
    end = " ." if own.endswith(" .") else "."  # tokenized text stays tokenized
    comma = connective.replace(",", " ,") if end == " ." else connective
    return own.removesuffix(end) + comma + other + end


def deny_subject(sentence: TaggedSentence, _: SentenceBatch, random: np.random.Generator) -> str | None:
    """'No' before the subject, or 'There is no' if the verb is progressive."""
    tokens = sentence.tokens
    if len(tokens) < 4 or tokens[0].lower not in COUNTS or is_negative(sentence):
        return None
    end = noun_phrase_end(tokens, 0)
    if end < 2 or tokens[end - 1].tag not in ("NN", "NNS") or tokens[1].lower in NOT_DENIED:
        return None
    if tokens[1].tag == "CD" or end == len(tokens) or tokens[end].tag not in (*FINITE, "MD"):
        return None
    texts = ["No" + sentence.text[tokens[0].end :]]
    if tokens[end].lower in ("is", "are", "was", "were") and sentence.next_tag(end) == "VBG":
        subject = sentence.text[tokens[0].end : tokens[end - 1].end]
        texts.append(f"There {tokens[end].text} no{subject}" + sentence.text[tokens[end].end :])
    return choose_text(texts, random)


def deny_person(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """'Nobody' for a person who is the subject."""
    tokens = sentence.tokens
    if len(tokens) < 4 or is_negative(sentence) or sentence.text.rstrip().endswith("?"):
        return None
    end = 1
    if tokens[0].lower in ("a", "the"):
        end = noun_phrase_end(tokens, 0)
        if end < 2 or tokens[end - 1].lower not in HUMAN:
            return None
    elif tokens[0].lower not in SUBJECTS:
        return None
    if end >= len(tokens) or tokens[end].tag not in ("VBZ", "VBD", "MD", "VBP"):
        return None
    if {token.lower for token in tokens[end:]} & POSSESSIVE:
        return None
    verb = tokens[end]
    if verb.tag == "VBP" and verb.lower not in SINGULAR:
        base = base_form(verb.lower, "VBP")
        if base is None:
            return None
        form = Inflection.of().inflect(base, "VBZ")
    else:
        form = SINGULAR.get(verb.lower, verb.text)
    return f"Nobody {form}" + sentence.text[verb.end :]


def deny_verb(sentence: TaggedSentence, _: SentenceBatch, __: np.random.Generator) -> str | None:
    """'Never' before the verb, or after a form of 'be'."""
    verb = find_verb(sentence)
    if verb is None or is_negative(sentence):
        return None
    token = sentence.tokens[verb]
    base = base_form(token.lower, token.tag)
    after = sentence.beside(verb)[1]
    if base in ("do", None) or re.search(
        r"\b(?:already|just|still|always|often|some\w*)\b", sentence.text
    ):
        return None
    if base == "be" or (base == "have" and sentence.next_tag(verb) == "VBN"):
        if sentence.tokens[verb - 1].tag == "EX":
            return None
        return sentence.replace(token.end, token.end, " never") if after.isalpha() else None
    return sentence.replace(token.start, token.start, "never ")
