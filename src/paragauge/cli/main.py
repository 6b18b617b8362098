"""The `paragauge` command: its groups, and what becomes of errors.

Bad input is one line on standard error and exit code 2; an interrupt ends with 130, a broken pipe
with 141, as shells expect. Tracebacks are for bugs only.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import click
import typer

from paragauge.cli import compare, fit, metrics, score, tokenize
from paragauge.errors import ParagaugeError
from paragauge.text.files import os_error
from paragauge.version import __version__

app = typer.Typer(
    name="paragauge",
    help="Measure paraphrases: score systems, compare them, see what is significant.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (score, compare, fit, metrics, tokenize):
    module.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"paragauge {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[  # the callback acts
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Measure paraphrases: score systems, compare them, see what is significant.

    First steps:

        paragauge score -s sources.txt -c mine.txt --metrics pinc

        paragauge compare -s sources.txt -r refs.tsv -c base.txt -c mine.txt
    """


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line; returns the exit code.

    >>> run(["--version"])
    paragauge 0.1.0
    0
    """
    try:
        result = app(args=arguments, prog_name="paragauge", standalone_mode=False)
        sys.stdout.flush()
    except ParagaugeError as error:
        return _fail(str(error))
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        print("paragauge: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has gone; a second failure while Python flushes on exit must stay silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        return _fail(str(os_error(error.filename or "output", error)))
    except MemoryError:
        return _fail("out of memory; use fewer resamples or shorter lines")
    return result if isinstance(result, int) else 0


def _fail(message: str) -> int:
    print("paragauge: error: " + " ".join(message.splitlines()), file=sys.stderr)
    return 2
