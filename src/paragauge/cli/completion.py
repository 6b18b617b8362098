"""`paragauge completion`: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from paragauge.cli.command import Command

SHELLS = ("bash", "zsh", "fish")


@click.command(
    cls=Command,
    examples=(
        'eval "$(paragauge completion bash)"        in ~/.bashrc',
        'eval "$(paragauge completion zsh)"         in ~/.zshrc',
        "paragauge completion fish > ~/.config/fish/completions/paragauge.fish",
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands in SHELL."""
    kind = get_completion_class(shell)
    root = context.find_root().command
    if kind is not None:
        click.echo(kind(root, {}, "paragauge", "_PARAGAUGE_COMPLETE").source())
