"""Whether a phrase and its paraphrase speak of the same persons, by a list of English words.

Descriptions of one clip disagree about persons: what is "a person" for one is "a man" or "a boy" for
another. So a phrase table has these as paraphrases, and vectors find them alike. A pair keeps the
persons if

- the target says nothing of sex, age or number that the source does not say: "kid" to "boy" adds a
  sex, "man" to "boy" an age, "man" to "men" a number, while "boy" to "kid" and "lady" to "woman" add
  nothing;
- the target has a noun for a person if the source has one: "man is riding" to "riding" loses it.

Pronouns say sex and number, but need not be kept: "played his guitar" may become "played the guitar".
"""

from __future__ import annotations

NOUNS = {
    "male adult one": "man guy gentleman dude fellow bloke father dad husband uncle grandfather",
    "male adult many": "men guys gentlemen dudes fellows fathers husbands",
    "male child one": "boy lad",
    "male child many": "boys lads",
    "male one": "son brother male king prince",
    "male many": "sons brothers males kings princes",
    "female adult one": "woman lady mother mom mum wife aunt grandmother",
    "female adult many": "women ladies mothers wives",
    "female child one": "girl lass",
    "female child many": "girls lasses",
    "female one": "daughter sister female queen princess",
    "female many": "daughters sisters females queens princesses",
    "child one": "kid child baby toddler infant",
    "child many": "kids children babies toddlers infants",
    "adult one": "adult",
    "adult many": "adults",
    "one": "person someone somebody individual human",
    "many": "people persons individuals humans",
}
PRONOUNS = {
    "male one": "he him his himself",
    "female one": "she her hers herself",
    "many": "they them their theirs themselves",
}


def _by_word(words_by_attributes: dict[str, str]) -> dict[str, frozenset[str]]:
    return {
        word: frozenset(attributes.split())
        for attributes, words in words_by_attributes.items()
        for word in words.split()
    }


PERSONS = _by_word(NOUNS)
WORDS = PERSONS | _by_word(PRONOUNS)


def keeps_persons(source: str, target: str) -> bool:
    """Whether the target of a phrase pair speaks of the persons of the source.

    >>> keeps_persons("the lady slices", "a woman is slicing"), keeps_persons("a person", "a man")
    (True, False)
    """
    left, right = source.lower().split(" "), target.lower().split(" ")
    known, said = (
        {attribute for word in words for attribute in WORDS.get(word, ())} for words in (left, right)
    )
    if not PERSONS.keys().isdisjoint(left) and PERSONS.keys().isdisjoint(right):
        return False
    # Without any person in the source, "someone" says no more than a passive does.
    return said <= known if known else said <= {"one"}
