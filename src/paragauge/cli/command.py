"""Commands whose help groups the options under headings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


class Option(click.Option):
    """An option that stands under a heading in the help."""

    def __init__(self, *arguments: Any, heading: str = "Options", **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.heading = heading


class Command(click.Command):
    """A command with its options under headings, and examples that keep their lines."""

    def __init__(self, *arguments: Any, examples: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples

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
