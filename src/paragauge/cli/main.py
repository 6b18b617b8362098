"""The `paragauge` command: its commands, and how errors end.

Bad input prints one line on standard error and exits with code 2; an interrupt exits with 130, SIGTERM
with 143, a broken pipe with 141, as shells expect. An error that nothing foresaw is a bug of ours: one
line too, and code 70; with PARAGAUGE_DEBUG=1 in the environment its traceback comes first.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from paragauge.cli import signals
from paragauge.cli.command import CommandGroup
from paragauge.errors import ParagaugeError, excerpt, shorten
from paragauge.report.tables.terminal import detect_terminal, show_on
from paragauge.text.files import os_error
from paragauge.version import __version__

DEBUG = "PARAGAUGE_DEBUG"
BUG = 70  # EX_SOFTWARE of sysexits.h


class ReaderGoneError(Exception):
    """The program that reads standard output has ended; click would turn the OSError into exit 1."""


# In the order of the help, by heading. A command is in the module with its name, a group of commands in
# the module `group` of the folder with its name. Modules are loaded when they are needed, so that no
# command waits for what another one imports.
HEADINGS = {
    "Evaluate": ("score", "compare", "report", "explain", "rewrite", "metrics"),
    "Trust a metric": (
        "contrast",
        "meta",
        "agree",
        "curve",
        "scatter",
        "controls",
        "fit",
        "papers",
    ),
    "Collect data": ("collect",),
    "Grammars and paraphrasers": ("grammar", "parametric", "phrases", "generate", "align", "lm"),
    "Text tools and models": (
        "tokenize",
        "tagger",
        "parse",
        "parser",
        "encoder",
        "pem",
        "schema",
        "completion",
    ),
}
COMMANDS = tuple(name for names in HEADINGS.values() for name in names)
FOLDERS = (
    "align",
    "collect",
    "encoder",
    "generate",
    "grammar",
    "lm",
    "parser",
    "pem",
    "phrases",
    "rewrite",
    "tagger",
)


class RootGroup(CommandGroup):
    """All commands."""

    def list_commands(self, context: click.Context) -> list[str]:  # noqa: ARG002  # as click calls it
        """The names of the commands."""
        return list(COMMANDS)

    def headings(self, context: click.Context) -> Mapping[str, Sequence[str]]:  # noqa: ARG002
        """The names of the commands by heading."""
        return HEADINGS

    def get_command(self, context: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """The command with this name, or None."""
        if name not in COMMANDS:
            return None
        module = f"paragauge.cli.{name}.group" if name in FOLDERS else f"paragauge.cli.{name}"
        command = getattr(importlib.import_module(module), name)
        return command if isinstance(command, click.Command) else None

    def all_commands(self) -> dict[str, click.Command]:
        """All commands by name; those of a group follow it, with its name before theirs."""
        context = click.Context(self)
        commands: dict[str, click.Command] = {}
        for name in COMMANDS:
            command = self.get_command(context, name)
            if command is not None:
                commands |= _with_subcommands(name, command)
        return commands

    def make_context(self, *arguments: Any, **attributes: Any) -> click.Context:
        """Parse, which is where --version and --help print; reports show the words."""
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


def _with_subcommands(name: str, command: click.Command) -> dict[str, click.Command]:
    """A command and its subcommands at all levels, by name."""
    commands = {name: command}
    if isinstance(command, click.Group):
        for inner_name, inner in command.commands.items():
            commands |= _with_subcommands(f"{name} {inner_name}", inner)
    return commands


@click.group(
    cls=RootGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Help on one command: paragauge COMMAND --help",
)
@click.version_option(__version__, message="paragauge %(version)s", help="Print the version and exit.")
@click.pass_context
def app(context: click.Context) -> None:
    """Measure paraphrases: score systems, compare them, test what is significant."""
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
    with signals.handled():
        return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        with show_on(detect_terminal(sys.stdout, os.environ)):
            result = app.main(args=arguments, prog_name="paragauge", standalone_mode=False)
    except ParagaugeError as error:
        return _fail(str(error))
    except click.ClickException as error:
        return _fail(error.format_message())
    except click.Abort as error:  # click's word for an interrupt, and for the end of a file
        if isinstance(error.__cause__, EOFError):
            return _report_bug(error.__cause__)
        return signals.exit_code(KeyboardInterrupt())
    except (KeyboardInterrupt, signals.TerminatedError) as error:
        return signals.exit_code(error)
    except ReaderGoneError:
        _drop_output()
        return 141
    except OSError as error:
        if error.filename is None:
            _drop_output()
        return _fail(str(os_error(error.filename or "output", error)))
    except MemoryError:
        return _fail("out of memory; use fewer resamples or shorter lines")
    except Exception as error:  # noqa: BLE001  # the last resort
        return _report_bug(error)
    return result if isinstance(result, int) else 0


def _drop_output() -> None:
    """Standard output failed; a second failure, when Python flushes it on exit, must stay silent."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> int:
    print("paragauge: error: " + shorten(" ".join(message.split())), file=sys.stderr)
    return 2


def _report_bug(error: BaseException) -> int:
    """One line for an error that nothing foresaw, or its traceback too if that is asked for."""
    import traceback

    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error, file=sys.stderr)
        hint = "please report it with this traceback"
    else:
        hint = f"please report it with the command and its input, and with what {DEBUG}=1 shows"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    what = " ".join(f"{type(error).__name__}: {excerpt(str(error))}".split())
    print(f"paragauge: internal error: {what}{place}; {hint}", file=sys.stderr)
    return BUG
