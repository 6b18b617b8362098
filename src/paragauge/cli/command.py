"""Commands whose help groups the options under headings, and which refuse what has no one meaning.

An option that takes one value may be given once, and `-` is standard input or output where that is
possible (`streams.py`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

import click

from paragauge.cli.streams import check_streams
from paragauge.errors import SettingError


class Option(click.Option):
    """An option that stands under a heading in the help; `writes` is what kind of output it names."""

    def __init__(
        self,
        *arguments: Any,
        heading: str = "Options",
        writes: str | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.heading = heading
        self.writes = writes

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Have the parser keep all values, so that none is lost in silence."""
        repeats, self.multiple = self.multiple, True
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.multiple = repeats

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Take the value; refuse a second one. The same flag twice says nothing new."""
        values = opts.get(self.name or "")
        if self.multiple or not isinstance(values, list):
            return super().handle_parse_result(ctx, opts, args)
        says_same = self.is_flag and len(set(values)) == 1
        if len(values) > 1 and not says_same and not ctx.resilient_parsing:
            raise SettingError(f"{self._given(values)}; expected it once, give one of them")
        return super().handle_parse_result(ctx, {**opts, str(self.name): values[-1]}, args)

    def _given(self, values: list[Any]) -> str:
        if self.is_flag:
            return f"{self.opts[0]} and {self.secondary_opts[0]} are both given"
        shown = (" ".join(each) if isinstance(each, tuple) else each for each in values[:2])
        # An option that may stand without a value has an object there instead of a text.
        words = [each if isinstance(each, str) else str(self.flag_value) for each in shown]
        return f"{self.opts[0]} is given twice, as '{words[0]}' and as '{words[1]}'"


class Argument(click.Argument):
    """An argument; `writes` is what kind of output it names."""

    def __init__(self, *arguments: Any, writes: str | None = None, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.writes = writes


class Command(click.Command):
    """A command with its options under headings, and examples that keep their lines."""

    def __init__(self, *arguments: Any, examples: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, if its parameters make sense together."""
        check_streams(ctx)
        return super().invoke(ctx)

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, heading by heading."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if isinstance(parameter, click.Option) and record is not None:
                groups.setdefault(getattr(parameter, "heading", "Options"), []).append(record)
        groups["Options"] = groups.pop("Options")
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        super().format_epilog(context, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {example}\n")


class CommandGroup(click.Group):
    """Commands under one name, such as `paragauge tagger run`, with examples."""

    def __init__(self, *arguments: Any, examples: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        super().format_epilog(context, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {example}\n")


def option(*names: str, heading: str = "Options", **attributes: Any) -> Callable[[Any], Any]:
    """A decorator for an option under a heading; defaults are shown."""
    attributes.setdefault("show_default", attributes.get("default") is not None)
    return click.option(*names, cls=Option, heading=heading, **attributes)


def together(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in reading order."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def gathered(name: str, group: type[Any], *options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Options that a command takes as one parameter: `name`, a frozen dataclass `group`.

    The fields of the dataclass have the names of the options. An option may itself be a `gathered`
    group, for a field that is a dataclass.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Size:
    ...     width: int
    ...     height: int
    >>> @click.command()
    ... @gathered("size", Size, option("--width", type=int), option("--height", type=int))
    ... @option("--unit", default="cm")
    ... def show(size: Size, unit: str) -> None:
    ...     print(size, unit)
    >>> show.main(["--width", "2", "--height", "3"], standalone_mode=False)
    Size(width=2, height=3) cm
    """
    fields = [field.name for field in dataclasses.fields(group)]

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def call(*arguments: Any, **values: Any) -> Any:
            members = {field: values.pop(field) for field in fields}
            return function(*arguments, **values, **{name: group(**members)})

        return together(*options)(call)

    return decorate
