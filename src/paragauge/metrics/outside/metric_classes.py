"""Metrics of other packages: by their entry points, or as ``package.module:Class``.

A package announces its metrics in its pyproject.toml:

    [project.entry-points."paragauge.metrics"]
    length = "my_package.length:Length"

and then `length` is a metric like any other, in specifications and on the command line. A class that
nobody announced has the name ``my_package.length:Length``; its module is looked for where Python looks,
and in the current folder. Names of this package's own metrics always mean those.

The signature of such a metric says where it came from: `from:my_package.length@1.2`, with the version
of the module or of the package that it belongs to, if one of them has a `__version__`.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from paragauge.errors import SettingError

GROUP = "paragauge.metrics"
# The names under which classes were found: labels and signatures need them.
_NAMES: dict[Any, str] = {}


@cache
def announced_metrics() -> dict[str, EntryPoint]:
    """The entry points of installed packages, by name in lower case.

    >>> isinstance(announced_metrics(), dict)
    True
    """
    return {point.name.lower(): point for point in entry_points(group=GROUP)}


def find_class(name: str) -> Any:
    """What a name means that is none of this package's metrics; None if it means nothing.

    >>> find_class("collections:OrderedDict").__name__, find_class("blue")
    ('OrderedDict', None)
    """
    if ":" in name:
        module, _, attribute = name.partition(":")
        found = _load(name, module, attribute)
    else:
        point = announced_metrics().get(name.lower())
        if point is None:
            return None
        found = _load(point.name, point.module, point.attr)
        name = point.name.lower()
    _NAMES[found] = name
    return found


def outside_name(kind: Any) -> str | None:
    """The name by which a class of another package was found; None for others."""
    return _NAMES.get(kind)


def origin(kind: type) -> str:
    """The module of a class and its version, as signatures have them.

    >>> import collections, numpy
    >>> origin(collections.OrderedDict), origin(numpy.ndarray) == f"numpy@{numpy.__version__}"
    ('collections', True)
    """
    name = kind.__module__
    for module in (name, name.partition(".")[0]):
        version = getattr(sys.modules.get(module), "__version__", None)
        if isinstance(version, str):
            return f"{name}@{version}"
    return name


def _load(spec: str, module_name: str, attribute: str) -> Any:
    """The class of a module; errors say in one line what is missing."""
    try:
        module = _import(module_name)
    except ModuleNotFoundError as error:
        raise SettingError(
            f"metric '{spec}': there is no module '{error.name}' in the current folder or among the "
            "installed packages; check the name, or install the package"
        ) from None
    except Exception as error:  # a module may do anything when it is imported
        reason = str(error).split("\n")[0]
        raise SettingError(
            f"metric '{spec}': importing '{module_name}' failed: {type(error).__name__}: {reason}"
        ) from error
    found: Any = module
    for part in attribute.split("."):
        known = [name for name in dir(found) if isinstance(getattr(found, name, None), type)]
        found = getattr(found, part, None)
        if found is None:
            close = difflib.get_close_matches(part, known, n=1, cutoff=0.5)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise SettingError(f"metric '{spec}': module '{module_name}' has no '{part}'{hint}")
    return found


def _import(name: str) -> Any:
    """A module, also from the current folder, where a script of one's own may lie."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        here = str(Path.cwd())
        if error.name != name.partition(".")[0] or here in sys.path:
            raise
        # At the end, so that no installed module is shadowed.
        sys.path.append(here)
        importlib.invalidate_caches()
        return importlib.import_module(name)
