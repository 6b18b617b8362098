"""Settings of metrics: the fields that hold them, their allowed values, and values from text."""

from __future__ import annotations

import dataclasses
import math
import numbers
import types
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_type_hints

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.text.tokenizers import CASES, NORMALIZATIONS, TOKENIZERS, Normalize


def setting(
    default: Any = dataclasses.MISSING,
    *,
    help: str,  # noqa: A002  # the word that command lines use
    key: str | None = None,
    choices: tuple[str, ...] | None = None,
    low: float | None = None,
    high: float | None = None,
    kind: str | None = None,
    default_in_signature: bool = True,
    kw_only: bool = False,
) -> Any:
    """A settings field: its meaning, its short name in the signature, and what it may be.

    `kind` is what error messages call one of its `choices`; "function" marks a Python function. Without
    `default_in_signature`, signatures name the setting only if it is not the default; it is for
    settings that came later, so that equal scores of earlier versions keep equal signatures.
    """
    metadata = {
        "help": help,
        "key": key,
        "choices": choices,
        "low": low,
        "high": high,
        "kind": kind,
        "default_in_signature": default_in_signature,
    }
    return dataclasses.field(default=default, metadata=metadata, kw_only=kw_only)


def order_setting() -> Any:
    """The field `order` of all metrics that count n-grams."""
    return setting(4, low=1, high=64, help="longest n-gram")


def tokenize_setting() -> Any:
    """The field `tokenize` of all metrics that count words."""
    return setting("13a", key="tok", choices=TOKENIZERS, kind="tokenizer", help="tokenizer")


def case_setting() -> Any:
    """The field `case` of all metrics that compare words."""
    return setting("mixed", choices=CASES, help="compare words as they are, or in lower case")


def normalize_setting(default: Normalize = "none") -> Any:
    """The field `normalize` of all metrics that read text; signatures name any value but "none"."""
    return setting(
        default,
        choices=NORMALIZATIONS,
        kind="normalization",
        default_in_signature=default != "none",
        kw_only=True,
        help="typography: read curly quotes, dashes and the like as a typewriter's",
    )


def setting_text(value: Any) -> str:
    """A value as specifications and signatures spell it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if callable(value):
        return function_name(value)
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def function_name(function: Any) -> str:
    """How signatures and errors call a Python function.

    >>> function_name(len), function_name(dataclasses.replace)
    ('builtins.len', 'dataclasses.replace')
    """
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', None) or 'builtins'}.{name}"


def check_setting(metric: str, field: dataclasses.Field[Any], value: Any) -> Any:
    """The value of a setting, as a plain Python value of its type; an error if it is none."""
    rules, what = field.metadata, f"{metric} {field.name}"
    if rules.get("choices") is not None:
        if value not in rules["choices"]:
            raise unknown_name(rules.get("kind") or what, str(value), rules["choices"])
        return value
    kind = (
        field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
    )
    if value is None and "None" in kind:
        return None
    if rules.get("kind") == "function":
        if not callable(value):
            raise SettingError(f"{what}: expected a Python function, found {value!r}")
        return value
    if kind.startswith("str"):
        if not isinstance(value, str) or not value:
            raise SettingError(f"{what}: expected a string that is not empty, found {value!r}")
        return value
    if kind == "bool":
        if not isinstance(value, (bool, np.bool_)):
            raise SettingError(f"{what}: expected True or False, found {value!r}")
        return bool(value)
    low, high = rules.get("low"), rules.get("high")
    number_type = numbers.Integral if "int" in kind else numbers.Real
    inside = isinstance(value, number_type) and not isinstance(value, bool) and _is_finite(value)
    inside = inside and (low is None or value >= low) and (high is None or value <= high)
    if not inside:
        bounds = f"from {low:g}" if high is None else f"from {low:g} to {high:g}"
        name = "a whole number" if "int" in kind else "a number"
        raise SettingError(f"{what}: expected {name} {bounds}, found {value!r}")
    return int(value) if "int" in kind else float(value)


def _is_finite(value: numbers.Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of more than 308 digits
        return False


def convert_settings(
    kind: type[Any], texts: Mapping[str, str], more: Sequence[str] = ()
) -> dict[str, Any]:
    """Settings of a metric from text, each converted to its type.

    `more` are what else a specification takes, such as a model, for the error's list of known names.

    >>> from paragauge import PINC
    >>> convert_settings(PINC, {"order": "2"})
    {'order': 2}
    """
    hints = get_type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    values = {}
    for key, value in texts.items():
        if key not in fields:
            raise unknown_name(f"setting of {kind.name}", key, [*more, *fields])
        if fields[key].metadata.get("kind") == "function":
            raise SettingError(
                f"{kind.name} {key}: expected a Python function, found text; give it in Python: "
                f"{kind.__name__}({key}=...)"
            )
        values[key] = _convert(f"{kind.name} {key}", value, hints[key])
    return values


def _convert(what: str, text: str, hint: Any) -> Any:
    kinds = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if bool in kinds:
        if text.lower() in ("yes", "true", "1", "no", "false", "0"):
            return text.lower() in ("yes", "true", "1")
        raise SettingError(f"{what}: expected yes or no, found '{text}'")
    for kind, name in ((int, "a whole number"), (float, "a number")):
        if kind in kinds:
            try:
                return kind(text)
            except ValueError:
                raise SettingError(f"{what}: expected {name}, found '{text}'") from None
    return text
