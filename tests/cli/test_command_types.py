"""The parameters of every command's function: one for each option, with the type that click gives it.

mypy cannot see that click calls a function with the right names and types; this test does.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, get_type_hints

import click
import pytest

from paragauge.cli.command import Command, gathered, option
from paragauge.cli.main import app

COMMANDS = {
    name: command
    for name, command in app.all_commands().items()
    if not isinstance(command, click.Group)
}


def declared_types(function: Any) -> dict[str, Any]:
    """The types of a function's parameters by name; a dataclass stands for its fields."""
    types: dict[str, Any] = {}
    hints = get_type_hints(inspect.unwrap(function))
    for name in inspect.signature(function).parameters:
        if hints[name] is not click.Context:
            types |= field_types(name, hints[name])
    return types


def field_types(name: str, hint: Any) -> dict[str, Any]:
    if not dataclasses.is_dataclass(hint):
        return {name: hint}
    hints = get_type_hints(hint)
    types: dict[str, Any] = {}
    for field in dataclasses.fields(hint):
        types |= field_types(field.name, hints[field.name])
    return types


def option_type(parameter: click.Parameter) -> Any:
    """The type of the values that click gives for an option or an argument."""
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return bool
    kinds = {click.types.IntParamType: int, click.types.FloatParamType: float}
    kind = next((kind for base, kind in kinds.items() if isinstance(parameter.type, base)), str)
    if parameter.multiple or parameter.nargs == -1:
        return tuple[kind, ...]
    if parameter.nargs > 1:
        kind = tuple[(kind,) * parameter.nargs]
    has_value = parameter.required or isinstance(parameter.to_info_dict()["default"], str | int | float)
    return kind if has_value else kind | None


def fits(given: Any, declared: Any) -> bool:
    """Whether a parameter can take the values of an option; None is a side that does not exist."""
    return given == declared or (given is not None and declared == given | None)


def differences(command: click.Command) -> dict[str, tuple[Any, Any]]:
    """The type of each option and of the function's parameter, where the option's does not fit.

    A dataclass that serves options with and without a default may say `| None` for both.
    """
    declared = declared_types(command.callback)
    given = {str(each.name): option_type(each) for each in command.params if each.name != "help"}
    return {
        name: (given.get(name), declared.get(name))
        for name in {*given, *declared}
        if not fits(given.get(name), declared.get(name))
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_parameters_have_the_types_of_their_options(name: str) -> None:
    assert differences(COMMANDS[name]) == {}


def test_the_check_sees_a_wrong_type_and_a_missing_parameter() -> None:
    @dataclasses.dataclass(frozen=True)
    class Size:
        width: int
        height: int

    @click.command(cls=Command)
    @gathered("size", Size, option("--width", type=int, default=1), option("--height", type=int))
    @option("--unit", multiple=True)
    @option("--name", required=True)
    def show(size: Size, unit: str) -> None: ...

    # `from __future__ import annotations` keeps hints as texts, and the class is local.
    inspect.unwrap(show.callback).__annotations__ |= {"size": Size}
    assert differences(show) == {
        "height": (int | None, int),
        "unit": (tuple[str, ...], str),
        "name": (str, None),
    }
