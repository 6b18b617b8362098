"""Files of fitted metrics: JSON with the metric's name, its settings and how well it fitted."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from paragauge.errors import FileFormatError
from paragauge.metrics.base import Metric
from paragauge.text.files import atomic, os_error
from paragauge.text.former_spellings import current_settings
from paragauge.text.saving.sealed_json import seal_json, unseal_json

M = TypeVar("M", bound=Metric)


def save_fit(
    path: str | Path,
    metric: Metric,
    facts: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> None:
    """Write a fitted metric to a file that `load_fit` and the command line read.

    `more` is what the metric keeps in the file beside its settings, of which `model`, the name of
    the file itself, is left out.
    """
    content = {
        "metric": metric.name.lower(),
        "settings": {name: value for name, value in metric.settings().items() if name != "model"},
        "fit": dict(facts),
        **(more or {}),
        "signature": metric.signature,
    }
    with atomic(path) as out:
        out.write(seal_json(content))


def load_fit(path: str | Path, kind: type[M]) -> M:
    """The metric of this kind that `save_fit` wrote."""
    settings = saved_settings(path, kind)
    try:
        return kind(**settings)
    except (ValueError, TypeError) as error:
        raise _format_error(path, error) from None


def saved_settings(path: str | Path, kind: type[Metric]) -> dict[str, Any]:
    """The settings in a file of this kind of metric."""
    content = read_fit(path, kind)
    try:
        settings = current_settings(content["settings"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _format_error(path, error) from None
    unknown = set(settings) - {field.name for field in dataclasses.fields(kind)}
    if unknown:
        raise FileFormatError(
            path,
            None,
            f"expected settings of {kind.name.lower()}, found '{min(unknown)}', perhaps of another "
            "version; fit again",
        )
    return settings


def read_fit(path: str | Path, kind: type[Metric]) -> dict[str, Any]:
    """All that is in a file of this kind of metric."""
    try:
        content: dict[str, Any] = unseal_json(Path(path).read_text(encoding="utf-8"))
        name = content["metric"]
        if name == kind.name.lower():
            return content
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _format_error(path, error) from None
    raise FileFormatError(
        path, None, f"expected a fit of {kind.name.lower()}, found one of {name}; give another file"
    )


def _format_error(path: str | Path, error: Exception) -> FileFormatError:
    return FileFormatError(path, None, f"expected a fit saved by paragauge ({error}); fit again")
