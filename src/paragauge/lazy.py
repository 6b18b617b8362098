"""Public names that a package loads on first use.

A package lists its public names in ``__all__`` and imports them under ``if TYPE_CHECKING``, where type
checkers and the reference pages find them. At run time nothing is imported until a name is used, so
that importing one module of a package does not load the others or need their extras:

    if TYPE_CHECKING:
        from paragauge.text.lines import Lines
    else:
        __getattr__, __dir__ = load_on_use(__name__)

    __all__ = ["Lines"]

These imports say where each name is: `load_on_use` reads them from the source of the package when the
first name is used.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any


def load_on_use(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package that loads its public names on first use.

    >>> get, names = load_on_use("paragauge")
    >>> get("PINC").name, "PINC" in names()
    ('PINC', True)
    """

    def get(name: str) -> Any:
        module = _imports(package).get(name)
        if module is None:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = importlib.import_module(module)
        # A callable package, such as `paragauge.meta`, is returned itself: it can be called.
        if module != f"{package}.{name}":
            value = getattr(value, name)
            setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        module = vars(sys.modules[package])
        return sorted({*module["__all__"], *(name for name in module if name.startswith("__"))})

    return get, names


@cache
def _imports(package: str) -> dict[str, str]:
    """The module of each name that a package imports under ``if TYPE_CHECKING``."""
    spec = importlib.util.find_spec(package)
    source = spec.loader.get_source(package) if spec and spec.loader else None  # type: ignore[attr-defined]
    modules = {}
    for node in ast.parse(source or "").body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for line in node.body:
                if isinstance(line, ast.ImportFrom) and line.module is not None:
                    modules.update({alias.asname or alias.name: line.module for alias in line.names})
    return modules


class _CallableModule(ModuleType):
    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        function = getattr(self, self.__name__.rpartition(".")[2])
        return function(*arguments, **settings)


def make_callable(package: str) -> None:
    """Make a package callable: a call runs its public function of the same name.

    Three commands have the name of a folder. `paragauge.meta` must be the folder so that Python can
    import modules from it, and calling it must run the command's function.
    """
    sys.modules[package].__class__ = _CallableModule
