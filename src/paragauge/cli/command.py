"""Commands with help under headings, which reject ambiguous options.

An option that takes one value may be given only once, and `-` is standard input or output where that
is possible (`streams.py`). Several options can be one parameter of a command, a frozen dataclass
(`gather_options`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from paragauge.cli.streams import check_streams
from paragauge.errors import SettingError, unknown_name
from paragauge.text.former_spellings import current_spelling, former_option

UNCUT = 1 << 10  # characters of a summary, more than any has


class Option(click.Option):
    """An option under a heading of the help; `writes` is the kind of output that it names."""

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
        """Have the parser keep all values, so that none is silently lost, and know former spellings."""
        repeats, names, opposites = self.multiple, self.opts, self.secondary_opts
        self.multiple = True
        self.opts = names + _former_options(names)
        self.secondary_opts = opposites + _former_options(opposites)
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.multiple, self.opts, self.secondary_opts = repeats, names, opposites

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Take the value; reject a second one. Repeating a flag has no effect."""
        values = opts.get(self.name or "")
        if self.multiple or not isinstance(values, list):
            return super().handle_parse_result(ctx, opts, args)
        is_repeated = self.is_flag and len(set(values)) == 1
        if len(values) > 1 and not is_repeated and not ctx.resilient_parsing:
            raise SettingError(f"{self._conflict(values)}; expected it once, give one of them")
        return super().handle_parse_result(ctx, {**opts, str(self.name): values[-1]}, args)

    def _conflict(self, values: list[Any]) -> str:
        if self.is_flag:
            return f"{self.opts[0]} and {self.secondary_opts[0]} are both given"
        texts = (" ".join(value) if isinstance(value, tuple) else value for value in values[:2])
        # An option whose value may be left out has a marker there instead of a text.
        words = [text if isinstance(text, str) else str(self.flag_value) for text in texts]
        return f"{self.opts[0]} is given twice, as '{words[0]}' and as '{words[1]}'"


class Argument(click.Argument):
    """An argument; `writes` is the kind of output that it names."""

    def __init__(self, *arguments: Any, writes: str | None = None, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.writes = writes


class Command(click.Command):
    """A command with its options under headings, and examples that keep their lines."""

    def __init__(self, *arguments: Any, examples: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **_with_help_names(attributes))
        self.examples = examples

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command if its parameters go together."""
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
        _write_examples(self.examples, formatter)


class CommandGroup(click.Group):
    """Commands under one name, such as `paragauge tagger run`, with examples.

    The help shows every summary in full, and a misspelled command gets a suggestion.
    """

    def __init__(self, *arguments: Any, examples: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **_with_help_names(attributes))
        self.examples = examples

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, which may have its former spelling, or None."""
        return super().get_command(ctx, current_spelling(cmd_name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the words begin with."""
        is_option = args[0].startswith("-")
        if not is_option and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            path = ctx.command_path.split(" ", 1)
            kind = "command" if len(path) == 1 else f"command of {path[1]}"
            raise unknown_name(kind, args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def headings(self, context: click.Context) -> Mapping[str, Sequence[str]]:
        """The names of the commands by the heading they have in the help."""
        return {"Commands": self.list_commands(context)}

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their summaries, heading by heading."""
        headings = self.headings(context)
        width = max(len(name) for names in headings.values() for name in names)
        for heading, names in headings.items():
            commands = {name: self.get_command(context, name) for name in names}
            rows = [
                (name.ljust(width), command.get_short_help_str(UNCUT))
                for name, command in commands.items()
                if command is not None
            ]
            with formatter.section(heading):
                formatter.write_dl(rows)

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        super().format_epilog(context, formatter)
        _write_examples(self.examples, formatter)


def _with_help_names(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a command whose help is -h too, with whatever context it is first used."""
    settings = attributes.get("context_settings") or {}
    return attributes | {"context_settings": {"help_option_names": ["-h", "--help"], **settings}}


def _former_options(names: Sequence[str]) -> list[str]:
    """The former spellings of options that have one."""
    return [former for name in names if (former := former_option(name)) is not None]


def _write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    """Write examples that keep their lines."""
    if examples:
        with formatter.section("Examples"):
            for example in examples:
                formatter.write(f"  {example}\n")


def option(*names: str, heading: str = "Options", **attributes: Any) -> Callable[[Any], Any]:
    """A decorator for an option under a heading; defaults are shown."""
    attributes.setdefault("show_default", attributes.get("default") is not None)
    return click.option(*names, cls=Option, heading=heading, **attributes)


def combine_options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in reading order."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def gather_options(
    name: str, group: type[Any], *options: Callable[[Any], Any], defaults: Sequence[str] = ()
) -> Callable[[Any], Any]:
    """Options that a command takes as one parameter: `name`, a frozen dataclass `group`.

    The fields of the dataclass have the names of the options; those in `defaults` have none and keep
    their defaults. An option may itself be a group from `gather_options`, for a field that is a
    dataclass.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Size:
    ...     width: int
    ...     height: int
    >>> @click.command()
    ... @gather_options("size", Size, option("--width", type=int), option("--height", type=int))
    ... @option("--unit", default="cm")
    ... def show(size: Size, unit: str) -> None:
    ...     print(size, unit)
    >>> show.main(["--width", "2", "--height", "3"], standalone_mode=False)
    Size(width=2, height=3) cm
    """
    fields = [field.name for field in dataclasses.fields(group) if field.name not in defaults]

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def call(*arguments: Any, **values: Any) -> Any:
            members = {field: values.pop(field) for field in fields}
            return function(*arguments, **values, **{name: group(**members)})

        return combine_options(*options)(call)

    return decorate
