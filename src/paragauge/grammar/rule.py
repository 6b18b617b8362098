"""One rule of a synchronous context-free grammar.

A rule rewrites the symbol on its left side as a pair of sides, source and target, which mix words and
non-terminals; each non-terminal of one side is linked to one of the other (Weese, Ganitkevitch and
Callison-Burch 2014, section 2.1). As text, as Joshua and Thrax write it:

    [NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]

In normal form the labels are separate from the sides, and non-terminals are numbered from left to right
on the source side: source `[1] 's [2]`, target `the [2] of [1]`, labels `N N`. So two rules are equal
if all four parts are, and equal except for their labels if both sides are.

A word contains neither `|||` nor spaces and is not a number in brackets like `[7]`; a label contains
neither spaces nor `|||` and is not empty. A word like `[NP,1]` is a non-terminal in the formats of
PPDB, Joshua and cdec, and one like `[X][NP]` in Moses rules. A grammar read from the other format may
contain such a word, but an extracted one could then not be written to every format, so extraction
rejects all of them (`is_ambiguous`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from paragauge.errors import InputError, unknown_name
from paragauge.kernels.grammar_line import INDEX, LABELED, NONTERMINAL, parse_grammar_line, two_labels
from paragauge.text.lines import Lines

SEPARATOR = " ||| "
KINDS = ("lexical", "phrasal", "syntactic")
LexicalRule = Literal["source", "both"]
LEXICAL: tuple[LexicalRule, ...] = get_args(LexicalRule)
_BLANK = re.compile(r"[ \t\n\v\f\r]")


@dataclass(frozen=True, order=True)
class Rule:
    """A rule in normal form.

    >>> rule = Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]")
    >>> rule.lhs, rule.source, rule.target, rule.labels, rule.kind
    ('NP', "[1] 's [2]", 'the [2] of [1]', ('N', 'N'), 'syntactic')
    >>> print(rule)
    [NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]
    >>> Rule("X", "[1] a", "b [2]", ("X",))
    Traceback (most recent call last):
    paragauge.errors.InputError: rule 'X', '[1] a', 'b [2]', X: expected on the target side the
    non-terminals of the source side, each once, found [2]
    """

    lhs: str
    source: str
    target: str
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        problem = _labels_problem(self.lhs, self.labels) or _sides_problem(
            self.source, self.target, len(self.labels)
        )
        if problem:
            rule = f"{self.lhs!r}, {self.source[:60]!r}, {self.target[:60]!r}"
            raise InputError(
                f"rule {rule}, {' '.join(map(str, self.labels)) or 'no labels'}: {problem}"
            )

    @classmethod
    def parse(cls, text: str) -> Rule:
        """The rule in the first three fields of a line of a grammar, renumbered if necessary.

        >>> Rule.parse("[X] ||| [B,2] a [A,1] ||| [A,1] b [B,2]").target
        '[2] b [1]'
        """
        # The rest of the line is not part of the rule.
        line = " ||| ".join(re.split(r"[ \t]\|\|\|(?=[ \t]|$)", text)[:3])
        try:
            fields = parse_grammar_line(line, LABELED)
        except ValueError as error:
            raise InputError(f"rule {text[:60]!r}: {error}") from None
        return cls(fields.lhs, " ".join(fields.source), " ".join(fields.target), tuple(fields.labels))

    def __str__(self) -> str:
        """The rule as Joshua and Thrax write it."""
        return SEPARATOR.join([f"[{self.lhs}]", self._side(self.source), self._side(self.target)])

    @property
    def kind(self) -> str:
        """`lexical` (one word on the source side), `phrasal` (words only) or `syntactic`.

        >>> [Rule.parse(f"[X] ||| {sides}").kind for sides in ("a ||| b c", "b c ||| a")]
        ['lexical', 'phrasal']
        """
        return self.kind_by("source")

    def kind_by(self, lexical: LexicalRule) -> str:
        """The kind, if a lexical rule has one word on the `source` side or on `both` sides.

        >>> Rule.parse("[X] ||| a ||| b c").kind_by("both")
        'phrasal'
        """
        if lexical not in LEXICAL:
            raise unknown_name("value of lexical", lexical, LEXICAL)
        if self.labels:
            return "syntactic"
        single = [self.source] if lexical == "source" else [self.source, self.target]
        return "phrasal" if any(" " in side for side in single) else "lexical"

    def words(self) -> tuple[int, int]:
        """How many words the source and the target side have.

        >>> Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]").words()
        (1, 2)
        """
        nonterminals = len(self.labels)
        return self.source.count(" ") + 1 - nonterminals, self.target.count(" ") + 1 - nonterminals

    def row(self) -> dict[str, str | int]:
        """The columns of the rule in the table of a grammar.

        >>> Rule("X", "a", "b").row()["labels"]
        ''
        """
        source_words, target_words = self.words()
        return {
            "lhs": self.lhs,
            "labels": " ".join(self.labels),
            "source": self.source,
            "target": self.target,
            "source_words": source_words,
            "target_words": target_words,
        }

    def _side(self, side: str) -> str:
        return " ".join(
            token if (index := _index(token)) is None else f"[{self.labels[int(index) - 1]},{index}]"
            for token in side.split(" ")
        )


def _labels_problem(lhs: str, labels: tuple[str, ...]) -> str | None:
    """What is wrong with the labels of a rule, if anything."""
    if not isinstance(labels, tuple):
        return f"expected labels such as ('NP',), found {labels!r}"
    for label in (lhs, *labels):
        if not label or _BLANK.search(label) or "|||" in label:
            return f"expected labels without spaces and |||, found {label!r}"
    return None


def _sides_problem(source: str, target: str, size: int) -> str | None:
    """What is wrong with the sides of a rule with `size` labels, if anything."""
    expected = [f"[{number}]" for number in range(1, size + 1)]
    for name, side in (("source", source), ("target", target)):
        tokens = side.split(" ")
        if "" in tokens or _BLANK.search(side.replace(" ", "")):
            return f"expected words with one space between them on the {name} side, found {side[:60]!r}"
        if "|||" in side:
            return f"expected words without ||| on the {name} side, found {side[:60]!r}"
        indices = [token for token in tokens if INDEX.fullmatch(token)]
        if name == "source" and indices != expected:
            order = (
                f"{' '.join(expected) or 'no non-terminals'}, one for each label, from left to right"
            )
            return f"expected {order}, found {' '.join(indices) or 'none'}"
        if sorted(indices) != sorted(expected):
            what = "the non-terminals of the source side, each once"
            return f"expected on the target side {what}, found {' '.join(indices) or 'none'}"
    return None


def _index(token: str) -> str | None:
    match = INDEX.fullmatch(token)
    return match[1] if match else None


_LIKE = re.compile(rb"\[[0-9]+\]|\|\|\||,[0-9]{1,9}\]|\]\[")
_WORD = re.compile(r"\[[0-9]+\]|.*\|\|\|.*", re.DOTALL)


def is_reserved(word: str) -> bool:
    """Whether a word looks like `[7]` or contains `|||`.

    >>> [is_reserved(word) for word in ("[7]", "a|||", "[x]", "||")]
    [True, True, False, False]
    """
    return _WORD.fullmatch(word) is not None


def is_ambiguous(word: str) -> bool:
    """Whether a word is reserved, or a non-terminal of some format.

    >>> [is_ambiguous(word) for word in ("[7]", "[NP,1]", "[X][NP]", "[x]", "[,1]", "a][b")]
    [True, True, True, False, False, False]
    """
    return is_reserved(word) or NONTERMINAL.fullmatch(word) is not None or two_labels(word) is not None


def first_ambiguous(lines: Lines) -> tuple[int, str] | None:
    """The first line with an ambiguous word, and the word; words are separated by spaces.

    >>> first_ambiguous(Lines.of(["a b", "see [7] there", "x[1]"]))
    (1, '[7]')
    """
    starts = lines.spans[:, 0]
    order = np.argsort(starts, kind="stable")
    hits = [match.start() for match in _LIKE.finditer(lines.buffer.tobytes())]
    if not hits:
        return None
    for line in np.unique(order[np.searchsorted(starts[order], hits, "right") - 1]).tolist():
        for word in lines[line].split(" "):
            if is_ambiguous(word):
                return line, word
    return None
