"""What a misspelled or missing argument of a metric's method should have been."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec, TypeVar

from paragauge.errors import SettingError, nearest_name

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M")  # a metric: it has a name and a right call


def explains_misuse(method: Callable[Concatenate[M, P], R]) -> Callable[Concatenate[M, P], R]:
    """Let `method` refuse arguments that it lacks or does not know with the call to write.

    >>> from paragauge import BLEU
    >>> BLEU().score(["a dog"], reference=["a dog"])
    Traceback (most recent call last):
    paragauge.errors.SettingError: BLEU: score has no argument 'reference'; did you mean 'references'?
    write score(candidates, references=references)
    """
    signature = inspect.signature(method)

    @functools.wraps(method)
    def checked(self: M, /, *arguments: P.args, **named: P.kwargs) -> R:
        try:
            return method(self, *arguments, **named)
        except TypeError as error:
            try:
                signature.bind(self, *arguments, **named)
            except TypeError:
                message = _misuse(signature, method.__name__, arguments, named)
                metric: Any = self
                call = metric.right_call(method.__name__)
                raise SettingError(f"{metric.name}: {message} write {call}") from error
            raise

    return checked


def _misuse(
    signature: inspect.Signature, method: str, arguments: tuple[Any, ...], named: Mapping[str, Any]
) -> str:
    """What is wrong with arguments that do not fit a signature."""
    known = list(signature.parameters)[1:]
    unknown = next((name for name in named if name not in signature.parameters), None)
    if unknown is None:
        number = "no argument" if not arguments else f"'{known[0]}' twice"
        return f"{method} expected the {known[0]} first, found {number};"
    near = nearest_name(unknown, [name for name in known if name != "positional"])
    return f"{method} has no argument '{unknown}'" + (f"; did you mean '{near}'?" if near else ";")
