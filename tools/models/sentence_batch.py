"""What rules read in an English sentence beyond its tags: verb, noun phrases, and other sentences.

All of it is cautious: a verb is only found if it surely is the verb of a statement, for example.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.lexicon.articles import indefinite_article
from paragauge.meta.contrast.tagged_sentence import TaggedSentence, Token
from paragauge.rewrite.thesauri.inflection import Inflection

NOUNS = ("NN", "NNS", "NNP", "NNPS")
FINITE = ("VBD", "VBZ", "VBP")
REPLACED = ("NN", "NNS", "VB", "VBD", "VBZ", "VBN", "VBG", "JJ")
LIGHT = frozenset(  # words that say too little to be replaced, or to replace another
    "be have do get become go let use such other own same many several few nothing something thing "  # noqa: SIM905
    "everything anything someone anyone everyone nobody one time way animal today tomorrow "
    "percent".split()
)
# An adjective of a country keeps its capital.
COUNTRY = re.compile(r".*(?:ian|ean|ese|ish|[rlm]eli|aqi|mani|tani|ican|yan|udi|eni|ench|tch|eek|ghan)")
NEGATIVE = frozenset(
    "no not never nobody nothing none neither nor nowhere without cannot hardly barely".split()  # noqa: SIM905
)
SUBORDINATE = frozenset(
    "if when whenever while as after before since because once until till unless although though that "  # noqa: SIM905
    "what how why where who which whether than wish whatever whoever so lest".split()
)
NO_STATEMENT = ("VB", "MD", "W", "CC", "UH", "IN", "RB")  # tags of the first word
LONGEST_CLAUSE = 13  # words


@dataclass(frozen=True)
class SentenceBatch:
    """What rules need to know of all sentences together.

    `words` are the words that can replace others, by tag; `countable` the nouns that stand after "a"
    somewhere; `statements` the short sentences that can be added to others, without a full stop.
    """

    words: dict[str, tuple[str, ...]]
    countable: frozenset[str]
    statements: tuple[str, ...]


Rule = Callable[[TaggedSentence, SentenceBatch, np.random.Generator], str | None]


def read_batch(sentences: Sequence[TaggedSentence]) -> SentenceBatch:
    """What rules need to know of these sentences.

    >>> from paragauge.meta.contrast.tagged_sentence import tag_sentences
    >>> batch = read_batch(tag_sentences(["A big dog saw Tom."]))
    >>> batch.words["VBD"], sorted(batch.countable), batch.statements
    (('saw',), ['dog'], ('a big dog saw Tom',))
    """
    words: dict[str, list[str]] = {tag: [] for tag in REPLACED}
    countable = set()
    statements = []
    for sentence in sentences:
        for place, token in enumerate(sentence.tokens):
            if is_replaceable(sentence, place):
                words[token.tag].append(token.lower)
            if token.tag == "NN" and _article_of(sentence, place) in ("a", "an"):
                countable.add(token.lower)
        if is_statement(sentence) and len(sentence.text.split()) <= LONGEST_CLAUSE:
            statements.append(lower_first(sentence).rstrip(" ."))
    pools = {tag: tuple(pool) for tag, pool in words.items()}
    return SentenceBatch(pools, frozenset(countable), tuple(statements))


def _article_of(sentence: TaggedSentence, place: int) -> str:
    """The word before a noun and its adjectives."""
    while place and sentence.tokens[place - 1].tag == "JJ":
        place -= 1
    return sentence.beside(place)[0]


def is_statement(sentence: TaggedSentence) -> bool:
    """Whether a sentence is a plain statement: a subject, then a finite verb, then a full stop."""
    tokens = sentence.tokens
    if len(tokens) < 4 or tokens[-1].text != "." or '"' in sentence.text:
        return False
    if tokens[0].tag.startswith(NO_STATEMENT) or not tokens[0].text[0].isupper():
        return False
    return find_verb(sentence) is not None or any(token.tag == "MD" for token in tokens[1:])


def find_verb(sentence: TaggedSentence) -> int | None:
    """The place of the first finite verb if it surely is the verb of a statement.

    A noun or a pronoun stands before it, and no clause opens the sentence.
    """
    tokens = sentence.tokens
    if not sentence.text.rstrip().endswith("."):  # the tagger takes nouns of headlines for verbs
        return None
    for place, token in enumerate(tokens):
        if token.lower in SUBORDINATE or token.tag in ("MD", "CC") or token.text in ',;:("':
            return None
        if "'" in token.text or "’" in token.text:  # a verb may be contracted
            return None
        if token.tag in FINITE:
            before = tokens[place - 1].tag if place else ""
            is_sure = before in (*NOUNS, "PRP", "EX") and token.text.isalpha() and token.text.islower()
            return place if is_sure and base_form(token.lower, token.tag) is not None else None
    return None


@functools.cache
def base_form(word: str, tag: str) -> str | None:
    """The base form of a lowercase word for a tag; None if the word cannot have it.

    >>> base_form("went", "VBD"), base_form("was", "VBD"), base_form("went", "NN")
    ('go', 'be', None)
    """
    return "be" if word in ("is", "are", "was", "were", "am") else Inflection.of().base(word, tag)


def fix_articles(text: str) -> str:
    """The text with "a" or "an" as the next word demands.

    >>> fix_articles("A apple in an car")
    'An apple in a car'
    """

    def agree(match: re.Match[str]) -> str:
        article = indefinite_article(match[2])
        return (article.capitalize() if match[1][0].isupper() else article) + " " + match[2]

    return re.sub(r"\b(an?) (?=[a-z])(\w+)", agree, text, flags=re.IGNORECASE)


def lower_first(sentence: TaggedSentence) -> str:
    """The text as it goes on after other words: without its first capital, unless that is of a name.

    >>> from paragauge.meta.contrast.tagged_sentence import tag_sentences
    >>> [lower_first(one) for one in tag_sentences(["He left.", "Tom left.", "I'm here."])]
    ['he left.', 'Tom left.', "I'm here."]
    """
    first = sentence.tokens[0]
    is_plain = first.text == "A" or (first.text[1:].islower() and not first.tag.startswith("NNP"))
    if not is_plain or re.match(r"I\b", first.text) or _keeps_capital(first):
        return sentence.text
    return sentence.text[0].lower() + sentence.text[1:]


def _keeps_capital(token: Token) -> bool:
    """Whether a capital stays inside a sentence: a country's adjective, or a word not in WordNet."""
    is_open = token.tag in ("NN", "NNS", "JJ")
    unknown = is_open and base_form(token.lower, token.tag) is None
    return unknown or (token.tag == "JJ" and COUNTRY.fullmatch(token.text) is not None)


def noun_phrase_end(tokens: Sequence[Token], start: int) -> int:
    """The end of the simple noun phrase that starts here, or `start` if there is none.

    >>> from paragauge.meta.contrast.tagged_sentence import tag_sentences
    >>> noun_phrase_end(tag_sentences(["The old dog died."])[0].tokens, 0)
    3
    """
    place = start
    if place < len(tokens) and tokens[place].tag in ("DT", "PRP$", "CD"):
        place += 1
    while place < len(tokens) and tokens[place].tag in ("JJ", "CD") and tokens[place].text.isalpha():
        place += 1
    nouns = place
    while place < len(tokens) and tokens[place].tag in NOUNS and tokens[place].text.isalpha():
        place += 1
    return place if place > nouns else start


def is_negative(sentence: TaggedSentence) -> bool:
    """Whether a word of a sentence is negative."""
    words = {token.lower for token in sentence.tokens}
    return bool(NEGATIVE & words) or any(word.endswith(("n't", "n’t")) for word in words)


def choose_text(texts: Sequence[str], random: np.random.Generator) -> str | None:
    """One of the texts, or None if there is none."""
    return texts[int(random.integers(len(texts)))] if texts else None


def is_replaceable(sentence: TaggedSentence, place: int) -> bool:
    token = sentence.tokens[place]
    is_plain = token.text.isalpha() and (token.text.islower() or (place == 0 and token.text.istitle()))
    if not is_plain or token.tag not in REPLACED or len(token.text) < 3:
        return False
    return base_form(token.lower, token.tag) not in (None, *LIGHT)
