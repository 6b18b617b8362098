"""The two sentences with which every explanation begins, and words for what they say.

The first sentence says what the texts have in common, the second what the metric makes of it. They
use no term that a reader must look up: words and letters, not n-grams and F-scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.text.terminal_columns import width
from paragauge.text.wording import pluralize

# Words that a sentence lists; of more it gives the number.
MOST_LISTED = 4
COLUMNS = 96


@dataclass(frozen=True)
class TwoSentences:
    """What the texts share, and what the score makes of it.

    >>> print(TwoSentences("The candidate is a copy.", "It scores 100 of 100."))
    The candidate is a copy. It scores 100 of 100.
    """

    texts: str
    score: str

    def __str__(self) -> str:
        return f"{self.texts} {self.score}"

    def lines(self) -> list[str]:
        """Both sentences for a terminal, in lines of at most `COLUMNS` columns."""
        return [*wrap_words(self.texts), *wrap_words(self.score)]


UNSAID = TwoSentences("", "")


def wrap_words(text: str, columns: int = COLUMNS) -> list[str]:
    """A text in lines of at most so many columns, unless one of its words is longer.

    >>> wrap_words("one two three", 8)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def quote_words(words: Sequence[str], most: int = MOST_LISTED) -> str:
    """Words in quotes, joined; the number of those beyond `most`.

    >>> quote_words(["a"]), quote_words(["a", "b", "c"]), quote_words(list("abcdef"))
    ('“a”', '“a”, “b” and “c”', '“a”, “b”, “c”, “d” and 2 more')
    """
    quoted = [f"“{word}”" for word in words[:most]]
    if len(words) > most:
        quoted.append(f"{len(words) - most} more")
    return join_words(quoted)


def join_words(words: Sequence[str]) -> str:
    """Words joined by commas and "and".

    >>> join_words(["one"]), join_words(["one", "two", "three"])
    ('one', 'one, two and three')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def describe_overlap(
    candidate: Sequence[str], other: Sequence[str], role: str, surface: Sequence[str] | None = None
) -> str:
    """What the words of a candidate and of another text have in common, as a sentence.

    Words are compared as `candidate` and `other` have them; `surface` has the candidate's as written.

    >>> describe_overlap("a b c".split(), "a b d".split(), "source")
    'The candidate keeps 2 of the 3 words of the source, leaves out “d” and adds “c”.'
    >>> describe_overlap([], ["a"], "reference")
    'The candidate is empty.'
    """
    if not candidate:
        return "The candidate is empty." if other else f"The candidate and the {role} are both empty."
    if not other:
        return f"The {role} is empty, so all of the candidate is new."
    if list(candidate) == list(other):
        return f"The candidate has the same words as the {role}, in the same order."
    kept = (Counter(candidate) & Counter(other)).total()
    if kept == 0:
        return f"The candidate shares no word with the {role}."
    if kept == len(candidate) == len(other):
        return f"The candidate has the same words as the {role}, in another order."
    added = _surplus(candidate, other, candidate if surface is None else surface)
    lost = _surplus(other, candidate, other)
    facts = [f"keeps {kept} of the {pluralize(len(other), 'word')} of the {role}"]
    facts += [f"leaves out {quote_words(lost)}"] if lost else []
    facts += [f"adds {quote_words(added)}"] if added else []
    return f"The candidate {join_words(facts)}."


def describe_shared(candidate: Sequence[str], others: Sequence[Sequence[str]], role: str) -> str:
    """What the words of a candidate and of several texts have in common, as a sentence.

    >>> describe_shared("a b c".split(), ["a b".split(), "a d".split()], "reference")
    'Of the 3 words of the candidate, 2 are in one of the 2 references; “c” is in none.'
    """
    if len(others) == 1:
        return describe_overlap(candidate, others[0], role)
    if not candidate:
        return "The candidate is empty."
    best: Counter[str] = Counter()
    for other in others:
        best |= Counter(other)
    kept = (Counter(candidate) & best).total()
    new = _surplus(candidate, list(best.elements()), candidate)
    verb = "is" if len(new) == 1 else "are"
    none = f"; {quote_words(new)} {verb} in none" if new else ""
    be = "is" if kept == 1 else "are"
    return (
        f"Of the {pluralize(len(candidate), 'word')} of the candidate, {kept} {be} in one of the "
        f"{len(others)} {role}s{none}."
    )


def of_hundred(value: float | None) -> str:
    """A score in a sentence.

    >>> of_hundred(37.99), of_hundred(None)
    ('38 of 100', 'no score')
    """
    return "no score" if value is None else f"{value:z.0f} of 100"


def _surplus(words: Sequence[str], others: Sequence[str], shown: Sequence[str]) -> list[str]:
    """The words, as shown, beyond the number of times that `others` has them."""
    left = Counter(others)
    surplus = []
    for word, text in zip(words, shown, strict=True):
        if left[word] > 0:
            left[word] -= 1
        else:
            surplus.append(text)
    return surplus
