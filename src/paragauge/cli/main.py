"""The `paragauge` command: its commands, and what becomes of errors.

Bad input is one line on standard error and exit code 2; an interrupt ends with 130, a broken pipe
with 141, as shells expect. Tracebacks are for bugs only.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import signal
import sys
from pathlib import Path
from typing import Any

import click

from paragauge.errors import ParagaugeError
from paragauge.text.files import os_error
from paragauge.version import __version__


class ReaderGoneError(Exception):
    """The program that reads standard output has ended; click would turn the OSError into exit 1."""


class TerminatedError(BaseException):
    """The process was asked to end; what is open is cleaned up on the way out."""


def _terminate(number: int, frame: object) -> None:  # noqa: ARG001  # as signal calls it
    raise TerminatedError


# In the order of the help. The module of a command has its name, that of a group of commands is `group`
# in the folder with its name. It is loaded when it is called: none waits for what another one needs.
COMMANDS = (
    "score",
    "compare",
    "report",
    "rewrite",
    "explain",
    "meta",
    "agree",
    "curve",
    "controls",
    "fit",
    "pem",
    "metrics",
    "tokenize",
    "tagger",
    "parse",
    "parser",
    "align",
    "lm",
    "phrases",
    "grammar",
    "parametric",
    "generate",
    "collect",
    "completion",
)
GROUPS = ("collect", "generate", "grammar", "lm", "pem", "phrases", "rewrite")


class Group(click.Group):
    """The group of all commands."""

    def list_commands(self, context: click.Context) -> list[str]:  # noqa: ARG002  # as click calls it
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """The command with this name, or None."""
        if name not in COMMANDS:
            return None
        module = f"paragauge.cli.{name}.group" if name in GROUPS else f"paragauge.cli.{name}"
        found = getattr(importlib.import_module(module), name)
        return found if isinstance(found, click.Command) else None

    def all_commands(self) -> dict[str, click.Command]:
        """All commands by name; those of a group follow it, with its name before theirs."""
        context = click.Context(self)
        found: dict[str, click.Command] = {}
        for name in COMMANDS:
            command = self.get_command(context, name)
            if command is not None:
                found |= _with_inner(name, command)
        return found

    def make_context(self, *arguments: Any, **attributes: Any) -> click.Context:
        """Parse, which is where --version and --help print; the words stay for reports."""
        words = list(arguments[1])
        try:
            return super().make_context(*arguments, obj=words, **attributes)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def invoke(self, context: click.Context) -> Any:
        """Run a command, keeping a broken pipe apart from other errors."""
        try:
            result = super().invoke(context)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise ReaderGoneError from error
        return result


def _with_inner(name: str, command: click.Command) -> dict[str, click.Command]:
    """A command by its name, and those inside it, groups in groups too."""
    found = {name: command}
    if isinstance(command, click.Group):
        for each, inner in command.commands.items():
            found |= _with_inner(f"{name} {each}", inner)
    return found


@click.group(
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Help on one command: paragauge COMMAND --help",
)
@click.version_option(__version__, message="paragauge %(version)s", help="Print the version and exit.")
@click.pass_context
def app(context: click.Context) -> None:
    """Measure paraphrases: score systems, compare them, see what is significant."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line; returns the exit code.

    >>> run(["--version"])
    paragauge ...
    0
    """
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # until the end
    if sys.stdout is None:
        return _fail("standard output is closed; send it to a file or a pipe")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    with contextlib.suppress(ValueError):  # only the main thread may
        signal.signal(signal.SIGTERM, _terminate)
    try:
        result = app.main(args=arguments, prog_name="paragauge", standalone_mode=False)
    except ParagaugeError as error:
        return _fail(str(error))
    except click.ClickException as error:
        return _fail(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        print("paragauge: interrupted", file=sys.stderr)
        return 130
    except TerminatedError:
        return 143
    except ReaderGoneError:
        _drop_output()
        return 141
    except OSError as error:
        if error.filename is None:
            _drop_output()
        return _fail(str(os_error(error.filename or "output", error)))
    except MemoryError:
        return _fail("out of memory; use fewer resamples or shorter lines")
    return result if isinstance(result, int) else 0


def _drop_output() -> None:
    """Standard output failed; a second failure, when Python flushes it on exit, must stay silent."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> int:
    print("paragauge: error: " + " ".join(message.split()), file=sys.stderr)
    return 2
