"""Files of fitted metrics: JSON with the metric's name, its settings and how well it fitted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from paragauge.errors import FileFormatError
from paragauge.metrics.base import Metric
from paragauge.text.files import atomic, os_error
from paragauge.text.former_spellings import current_settings

M = TypeVar("M", bound=Metric)


def save_fit(path: str | Path, metric: Metric, facts: Mapping[str, Any]) -> None:
    """Write a fitted metric to a file that `load_fit` and the command line read."""
    content = {
        "metric": metric.name.lower(),
        "settings": metric.settings(),
        "fit": dict(facts),
        "signature": metric.signature,
    }
    with atomic(path) as out:
        out.write(json.dumps(content, indent=2) + "\n")


def load_fit(path: str | Path, kind: type[M]) -> M:
    """The metric of this kind that `save_fit` wrote."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        name = content["metric"]
        if name == kind.name.lower():
            return kind(**current_settings(content["settings"]))
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileFormatError(
            path, None, f"expected a fit saved by paragauge ({error}); fit again"
        ) from None
    raise FileFormatError(
        path, None, f"expected a fit of {kind.name.lower()}, found one of {name}; give another file"
    )
