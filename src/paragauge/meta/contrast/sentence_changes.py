"""Sentences changed in one known way, for contrast sets made from any English text.

    negation        "not" added to the first finite verb, or removed
    number          another number of the same form: 34 becomes 84, "three" becomes "seven"; no times
    name            a name replaced by one from another sentence
    roles-swapped   subject and object exchanged: "Ann saw the dog." becomes "The dog saw Ann."
    truncated       the first words only, from a third to two thirds of them
    scrambled       the words in random order
    opposite        a word replaced by its antonym: "a hot day" becomes "a cold day"
    near-copy       a word replaced by a close synonym, so that the meaning stays

Rules read the tags of the shipped tagger. They are cautious: a sentence to which a rule does not surely
apply is left out. A question, for example, is not negated, because that would need another word order.
What was changed is recorded in words. `word_replacement.py` describes the last two kinds.

Each sentence and kind has its own random stream, seeded with the seed, the kind and the number of the
sentence, so that a result does not depend on which other kinds are made. The names to choose from
are those of all sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from paragauge.errors import InputError, LengthError, SettingError, unknown_name
from paragauge.meta.contrast.contrast_set import COLUMNS
from paragauge.meta.contrast.tagged_sentence import Change, TaggedSentence, Token, tag_sentences
from paragauge.meta.contrast.word_replacement import copy_nearly, oppose
from paragauge.metrics.resampling import check_run
from paragauge.rewrite.thesauri.inflection import Inflection
from paragauge.text.table_writers import tsv_line
from paragauge.text.wording import pluralize

ChangeKind = Literal[
    "negation", "number", "name", "roles-swapped", "truncated", "scrambled", "opposite", "near-copy"
]
CHANGES: tuple[ChangeKind, ...] = get_args(ChangeKind)
CONTRASTS = "contrasts.tsv"

DIGITS = re.compile(r"(?<![\d:.])\d+(?:[.,]\d+)*(?![\d:])")
NEGATIVE = {"no", "never", "nobody", "nothing", "none", "neither", "nor", "hardly", "cannot", "without"}
BE = {"is", "are", "was", "were", "am"}
CONTRACTED = re.compile(r".+['’](re|ll|ve|m)$")
NUMBER_WORDS = (
    ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
    ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
)
DAYS = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "eve"}
MONTHS = {"january", "february", "march", "april", "may", "june", "july", "august", "september"}
CALENDAR = DAYS | MONTHS | {"october", "november", "december", "christmas", "easter"}
TIMES = {"year", "month", "week", "day", "hour", "minute", "time", "morning", "evening", "night"}


@dataclass(frozen=True)
class ChangedSentence:
    """A candidate made from the source with this number, from 0, and what was changed."""

    number: int
    kind: ChangeKind
    candidate: str
    change: str


@dataclass(frozen=True)
class _Tagged(TaggedSentence):
    """A sentence with its tokens and the names of all sentences."""

    names: tuple[str, ...]


NO_END = ("DT", "JJ", "PR", "NN", "PO", "MD", "VB", "RB")  # tags after which an object goes on


def change_sentences(
    sources: Sequence[str], kinds: Sequence[str] = CHANGES, *, seed: int = 7
) -> list[ChangedSentence]:
    """Each source changed in each way that applies to it, source by source.

    >>> for one in change_sentences(["The nurse helped a man."], ["negation", "roles-swapped"]):
    ...     print(one.candidate, "|", one.change)
    The nurse did not help a man. | 'did not help' for 'helped'
    A man helped the nurse. | exchanged 'The nurse' and 'a man'
    """
    chosen = check_changes(kinds)
    check_run(threads=0, bootstrap=0, seed=seed, level=0.5)
    if isinstance(sources, str) or not sources:
        raise InputError("expected a list with at least one source sentence, found none")
    changed = []
    for number, sentence in enumerate(_tag_sentences(sources)):
        for kind in chosen:
            random = np.random.default_rng([seed, CHANGES.index(kind), number])
            change = RULES[kind](sentence, random)
            if change is not None:
                changed.append(ChangedSentence(number, kind, *change))
    return changed


def contrast_lines(
    sources: Sequence[str],
    kinds: Sequence[str] = CHANGES,
    paraphrases: Sequence[Sequence[str]] | None = None,
    *,
    seed: int = 7,
) -> list[str]:
    r"""The lines of a contrast set as TSV: the changed sentences, and what was changed.

    `paraphrases` has good paraphrases of each source, which get the kind `paraphrase`. A sentence that
    stands in the sources twice is changed once.

    >>> for line in contrast_lines(["Go home."], ["negation"], [["Return home.", "Head home."]]):
    ...     print(line.split("\t"))
    ['source', 'kind', 'candidate', 'change']
    ['Go home.', 'paraphrase', 'Return home.', '']
    ['Go home.', 'paraphrase', 'Head home.', '']
    ['Go home.', 'negation', 'Do not go home.', "'Do not go' for 'Go'"]
    """
    if paraphrases is not None and len(paraphrases) != len(sources):
        raise LengthError(
            f"expected paraphrases of each of {len(sources)} sources, found {len(paraphrases)} lines"
        )
    changed: dict[int, list[ChangedSentence]] = {}
    for one in change_sentences(sources, kinds, seed=seed):
        changed.setdefault(one.number, []).append(one)
    rows: dict[tuple[str, str, str], str] = {}
    seen: set[str] = set()
    for number, source in enumerate(sources):
        for text in () if paraphrases is None else paraphrases[number]:
            if text:
                rows.setdefault((source, "paraphrase", text), "")
        for one in [] if source in seen else changed.get(number, []):
            rows[source, one.kind, one.candidate] = one.change
        seen.add(source)
    lines = [tsv_line((*row, change), CONTRASTS).removesuffix("\n") for row, change in rows.items()]
    return ["\t".join((*COLUMNS, "change")), *lines]


def summarize_changes(lines: Sequence[str], kinds: Sequence[str], sources: Sequence[str]) -> str:
    r"""How many sources each kind of change applied to, from the lines of a contrast set.

    A source that occurs again is changed once; such repetitions are counted.

    >>> lines = contrast_lines(["Go home.", "Rain."], ["negation", "number"])
    >>> summarize_changes(lines, ["negation", "number"], ["Go home.", "Rain."])
    'negation 1, number 0 of 2 sources'
    >>> summarize_changes(lines, ["negation"], ["Go home.", "Rain.", "Rain."])
    'negation 1 of 2 different sources; 1 line repeats a source, which is changed once'
    """
    counts = Counter(line.split("\t")[1] for line in lines[1:])
    changed = ", ".join(f"{kind} {counts[kind]}" for kind in kinds)
    different = len(set(sources))
    if different == len(sources):
        return f"{changed} of {pluralize(different, 'source')}"
    repeated = pluralize(len(sources) - different, "line repeats", "lines repeat")
    size = pluralize(different, "different source")
    return f"{changed} of {size}; {repeated} a source, which is changed once"


def check_changes(kinds: Sequence[str]) -> tuple[ChangeKind, ...]:
    """The kinds of changes; an error if one is unknown or repeated, or if there are none.

    >>> check_changes(["negate"])
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown kind of change 'negate'; did you mean 'negation'? known: ...
    """
    for kind in kinds:
        if kind not in CHANGES:
            raise unknown_name("kind of change", kind, CHANGES)
    if not kinds or len(set(kinds)) < len(kinds):
        raise SettingError(f"expected kinds of changes, each once, found {', '.join(kinds) or 'none'}")
    return tuple(kind for name in kinds for kind in CHANGES if kind == name)


def _tag_sentences(sources: Sequence[str]) -> list[_Tagged]:
    sentences = tag_sentences(sources)
    names = dict.fromkeys(
        sentence.text[start:end] for sentence in sentences for start, end in _names(sentence.tokens)
    )
    return [_Tagged(sentence.text, sentence.tokens, tuple(names)) for sentence in sentences]


def _names(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Spans of names, not at the start of the sentence, where any word has a capital."""
    spans: list[tuple[int, int]] = []
    for token in tokens[1:]:
        if (
            token.tag != "NNP"
            or not (token.text.istitle() and token.text.isalpha())
            or token.lower in CALENDAR
        ):
            continue
        if spans and spans[-1][1] == token.start - 1:
            spans[-1] = spans[-1][0], token.end
        else:
            spans.append((token.start, token.end))
    return spans


def _negate(sentence: _Tagged, _: np.random.Generator) -> Change:
    tokens = sentence.tokens
    words = [token.lower for token in tokens]
    if sentence.text.rstrip().endswith(("?", "!")) or not words:
        return None
    if "not" in words:
        token = tokens[words.index("not")]
        after = sentence.text[token.end :].lstrip()
        return (sentence.text[: token.start] + after, "removed 'not'") if token.start else None
    if NEGATIVE & set(words) or any(word.endswith(("n't", "n’t")) for word in words):
        return None
    if tokens[0].tag == "VB":
        new = f"Do not {tokens[0].lower}"
        return sentence.replace(0, tokens[0].end, new), f"'{new}' for '{tokens[0].text}'"
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        after = "" if following is None else following.tag
        is_helper = (
            token.tag == "MD"
            or token.lower in BE
            or CONTRACTED.match(token.lower) is not None
            or (token.lower in ("has", "have", "had") and after == "VBN")
            or (token.lower in ("do", "does", "did") and after == "VB")
        )
        if is_helper:
            return sentence.replace(token.end, token.end, " not"), f"'not' after '{token.text}'"
        if token.tag in ("VBD", "VBZ", "VBP"):
            return _deny_verb(sentence, token)
    return None


def _deny_verb(sentence: _Tagged, token: Token) -> Change:
    base = Inflection.of().base(token.lower, token.tag)
    if base is None or not token.text.islower():
        return None
    helper = {"VBD": "did", "VBZ": "does", "VBP": "do"}[token.tag]
    new = f"{helper} not {base}"
    return sentence.replace(token.start, token.end, new), f"'{new}' for '{token.text}'"


def _change_number(sentence: _Tagged, random: np.random.Generator) -> Change:
    spans = [
        (match.start(), match.end())
        for match in DIGITS.finditer(sentence.text)
        if match[0].strip("0.,") not in ("", "1")
    ]
    spans += [
        (token.start, token.end)
        for token in sentence.tokens
        if any(token.lower in words for words in NUMBER_WORDS)
    ]
    if not spans:
        return None
    start, end = spans[int(random.integers(len(spans)))]
    old = sentence.text[start:end]
    new = _other_digits(old, random) if old[0].isdigit() else _other_word(old, random)
    return sentence.replace(start, end, new), f"'{new}' for '{old}'"


def _other_digits(old: str, random: np.random.Generator) -> str:
    """A year gets other last digits, any other number another first digit."""
    if re.fullmatch(r"1[5-9]\d\d|20\d\d", old):
        last = (int(old[2:]) + int(random.integers(10, 90))) % 100
        return f"{old[:2]}{last:02d}"
    first = [digit for digit in "23456789" if digit != old[0]]
    return first[int(random.integers(len(first)))] + old[1:]


def _other_word(old: str, random: np.random.Generator) -> str:
    words = next(words for words in NUMBER_WORDS if old.lower() in words)
    others = [word for word in words if word != old.lower()]
    new = others[int(random.integers(len(others)))]
    return new.capitalize() if old[0].isupper() else new


def _change_name(sentence: _Tagged, random: np.random.Generator) -> Change:
    spans = _names(sentence.tokens)
    if not spans:
        return None
    start, end = spans[int(random.integers(len(spans)))]
    old = sentence.text[start:end]
    others = [
        name
        for name in sentence.names
        if name not in sentence.text and name.count(" ") == old.count(" ")
    ]
    if not others:
        return None
    new = others[int(random.integers(len(others)))]
    return sentence.replace(start, end, new), f"'{new}' for '{old}'"


def _swap_roles(sentence: _Tagged, _: np.random.Generator) -> Change:
    tokens = sentence.tokens
    subject = _noun_phrase(tokens, 0)
    verb = subject
    if verb + 1 < len(tokens) and tokens[verb].tag == "MD" and tokens[verb + 1].tag == "VB":
        verb += 1
    elif verb >= len(tokens) or tokens[verb].tag != "VBD":
        return None
    if subject == 0 or (tokens[verb].lower in BE | {"be", "had", "did", "became", "become"}):
        return None
    last = _noun_phrase(tokens, verb + 1)
    if last == verb + 1 or tokens[last - 1].lower in TIMES | CALENDAR:
        return None
    after = tokens[last] if last < len(tokens) else None
    if after is not None and (after.tag[:2] in NO_END or after.lower == "of"):
        return None
    first_end, start, end = tokens[subject - 1].end, tokens[verb + 1].start, tokens[last - 1].end
    old, new = sentence.text[:first_end], sentence.text[start:end]
    if old.lower() == new.lower():
        return None
    lowered = old if tokens[0].tag.startswith("NNP") else old[0].lower() + old[1:]
    candidate = (
        new[0].upper() + new[1:] + sentence.text[first_end:start] + lowered + sentence.text[end:]
    )
    return candidate, f"exchanged '{old}' and '{new}'"


def _noun_phrase(tokens: Sequence[Token], start: int) -> int:
    """The end of the noun phrase that starts here, or `start` if there is none."""
    place = start
    if place < len(tokens) and tokens[place].tag in ("DT", "PRP$"):
        place += 1
    while place < len(tokens) and tokens[place].tag == "JJ":
        place += 1
    nouns = place
    while place < len(tokens) and tokens[place].tag in ("NN", "NNS", "NNP"):
        if tokens[place].text.isalpha():
            place += 1
        else:  # a contraction or a possessive, which the tagger does not see
            return start
    return place if place > nouns else start


def _truncate(sentence: _Tagged, random: np.random.Generator) -> Change:
    words = sentence.text.split()
    if len(words) < 4:
        return None
    count = int(random.integers(-(-len(words) // 3), 2 * len(words) // 3 + 1))
    return " ".join(words[:count]).rstrip(",;:"), f"the first {count} of {len(words)} words"


def _scramble(sentence: _Tagged, random: np.random.Generator) -> Change:
    words = sentence.text.split()
    order = [words[place] for place in random.permutation(len(words))]
    return None if order == words else (" ".join(order), "the order of the words")


RULES: dict[ChangeKind, Callable[[_Tagged, np.random.Generator], Change]] = {
    "negation": _negate,
    "number": _change_number,
    "name": _change_name,
    "roles-swapped": _swap_roles,
    "truncated": _truncate,
    "scrambled": _scramble,
    "opposite": oppose,
    "near-copy": copy_nearly,
}
