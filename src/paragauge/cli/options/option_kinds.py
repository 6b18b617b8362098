"""The usual kinds of options: one of several words, a whole number, a share, a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from paragauge.cli.command import option


def choice_option(*names: str, choices: Iterable[str], **attributes: Any) -> Callable[[Any], Any]:
    """An option whose help shows the words that it takes; the command checks the value.

    >>> @click.command()
    ... @choice_option("--side", choices=("left", "right"), default="left")
    ... def show(side: str) -> None:
    ...     print(side)
    >>> show.params[0].metavar
    'left|right'
    """
    return option(*names, metavar="|".join(choices), **attributes)


def count_option(
    *names: str, least: int, most: int | None = None, **attributes: Any
) -> Callable[[Any], Any]:
    """An option that takes a whole number from `least` to `most`.

    >>> @click.command()
    ... @count_option("--size", least=1, default=2)
    ... def show(size: int) -> None:
    ...     print(size)
    >>> show.main(["--size", "3"], standalone_mode=False)
    3
    """
    return option(*names, type=click.IntRange(least, most), metavar="N", **attributes)


def share_option(*names: str, **attributes: Any) -> Callable[[Any], Any]:
    """An option that takes a share, a number from 0 to 1; the library checks its range.

    >>> @click.command()
    ... @share_option("--level", default=0.95)
    ... def show(level: float) -> None:
    ...     print(level)
    >>> show.main(["--level", "0.9"], standalone_mode=False)
    0.9
    """
    return option(*names, type=float, metavar="SHARE", **attributes)


def seed_option(**attributes: Any) -> Callable[[Any], Any]:
    """The option `--seed`, under the heading and with the help of the command.

    >>> @click.command()
    ... @seed_option(help="Seed of the draws.")
    ... def show(seed: int) -> None:
    ...     print(seed)
    >>> show.main([], standalone_mode=False)
    7
    """
    return option("--seed", type=int, default=7, metavar="N", **attributes)
