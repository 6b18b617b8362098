"""Conditions on items, such as ``adequacy>=4 and fluency>=4`` or ``bleu>60``.

    condition  = clause { "or" clause }
    clause     = term { "and" term }
    term       = "not" term | "(" condition ")" | name operator number
    operator   = < <= > >= = == !=

A name is a metric's label or a criterion, whose value is the mean over judges. A metric may have
settings, ``bleu:smooth=none>0``; a name with other characters than letters, digits, _, - and those of
settings is in double quotes: ``"maxsim+dep">60``. A missing value meets
no comparison, not even !=.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from paragauge.errors import SettingError
from paragauge.kernels.layout import Bools, Floats

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<operator><=|>=|==|!=|<|>|=)"
    r'|(?P<mark>[()])|"(?P<quoted>[^"]+)"|(?P<name>[^\W\d][\w-]*(?::\w+=[\w.+-]+)*))'
)
DEEPEST = 100  # brackets and nots within one another; Python's own limit would end the program
_OPERATORS: dict[str, Callable[[Floats, float], Bools]] = {
    "<": lambda values, bound: values < bound,
    "<=": lambda values, bound: values <= bound,
    ">": lambda values, bound: values > bound,
    ">=": lambda values, bound: values >= bound,
    "=": lambda values, bound: values == bound,
    "==": lambda values, bound: values == bound,
    "!=": lambda values, bound: (values != bound) & ~np.isnan(values),
}


def holds(condition: str, value_of: Callable[[str], Floats]) -> Bools:
    """Which items meet a condition; `value_of` gives the values [items] of a name.

    >>> values = {"a": np.array([4.0, 5.0]), "b": np.array([3.0, 1.0])}
    >>> holds("a >= 4 and not b < 2", values.__getitem__)
    array([ True, False])
    """
    return _Parser(condition, value_of).parse()


def names_in(condition: str) -> tuple[str, ...]:
    """The metrics and criteria that a condition names, in the order of their first use.

    >>> names_in("adequacy>=4 and (bleu:smooth=none>0 or adequacy>=5)")
    ('adequacy', 'bleu:smooth=none')
    """
    return tuple(dict.fromkeys(_Parser(condition, lambda _: np.zeros(0)).names()))


class _Parser:
    def __init__(self, text: str, value_of: Callable[[str], Floats]) -> None:
        self._text = text
        self._value_of = value_of
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._error(f"'{text[at:].strip()[0]}'")
            kind = str(match.lastgroup)
            self._tokens.append(("name" if kind == "quoted" else kind, match[kind]))
            if kind == "name" and match[kind] in ("and", "or", "not"):
                self._tokens[-1] = ("word", match[kind])
            at = match.end()
        self._at = 0
        self._depth = 0

    def names(self) -> list[str]:
        """The names, once the condition was found to be one."""
        self.parse()
        return [text for kind, text in self._tokens if kind == "name"]

    def parse(self) -> Bools:
        result = self._condition()
        if self._at < len(self._tokens):
            raise self._error(f"'{self._tokens[self._at][1]}'")
        return result

    def _condition(self) -> Bools:
        result = self._clause()
        while self._take("word", "or"):
            result = result | self._clause()
        return result

    def _clause(self) -> Bools:
        result = self._term()
        while self._take("word", "and"):
            result = result & self._term()
        return result

    def _term(self) -> Bools:
        self._depth += 1
        if self._depth > DEEPEST:
            raise SettingError(
                f"condition: too many brackets and nots within one another, the most is {DEEPEST}"
            )
        result = self._term_inside()
        self._depth -= 1
        return result

    def _term_inside(self) -> Bools:
        if self._take("word", "not"):
            return ~self._term()
        if self._take("mark", "("):
            result = self._condition()
            if not self._take("mark", ")"):
                raise self._error(self._describe_token())
            return result
        parts = []
        for kind in ("name", "operator", "number"):
            if self._at == len(self._tokens) or self._tokens[self._at][0] != kind:
                raise self._error(self._describe_token())
            parts.append(self._tokens[self._at][1])
            self._at += 1
        return _OPERATORS[parts[1]](self._value_of(parts[0]), float(parts[2]))

    def _take(self, kind: str, text: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at] == (kind, text):
            self._at += 1
            return True
        return False

    def _describe_token(self) -> str:
        return "its end" if self._at == len(self._tokens) else f"'{self._tokens[self._at][1]}'"

    def _error(self, token: str) -> SettingError:
        return SettingError(
            f"condition '{self._text}': expected NAME OPERATOR NUMBER, joined by and, or, not and "
            f"brackets, found {token}; for example: adequacy>=4 and bleu>60"
        )
