"""`paragauge schema`: the forms of the JSON that commands print."""

from __future__ import annotations

import json

import click

from paragauge.cli.command import Command
from paragauge.report.schemas.json_schemas import read_schema, schema_id, schema_names


@click.command(
    cls=Command,
    examples=(
        "paragauge schema",
        "paragauge schema score > score.schema.json",
        "paragauge schema grammar coverage",
    ),
)
@click.argument("command", nargs=-1)
def schema(command: tuple[str, ...]) -> None:
    """Print the JSON Schema of what COMMAND prints with --format json.

    Without COMMAND, list all schemas with their versions. A command that prints several forms has
    several schemas, such as grammar overlap and grammar overlap curves.
    """
    if command:
        content = read_schema("-".join(command))
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
        return
    names = schema_names()
    width = max(len(schema_id(name)) for name in names)
    for name in names:
        click.echo(f"{schema_id(name):<{width}}  {read_schema(name)['title']}")
    click.echo("\nOne of them: paragauge schema COMMAND")
