"""`paragauge papers`: the tables, figures and formulas of the papers, listed and made."""

from __future__ import annotations

import contextlib
import io
import shlex
import tempfile
from collections.abc import Iterator, Sequence

import click

from paragauge.cli.command import Command, option
from paragauge.errors import ParagaugeError, SettingError
from paragauge.report.papers import gallery
from paragauge.report.papers.demo_files import examples_folder
from paragauge.report.papers.paper_item import EXAMPLES, WORK, PaperItem
from paragauge.text.terminal_columns import align_columns


@click.command(
    "papers",
    cls=Command,
    context_settings={"ignore_unknown_options": True},
    examples=(
        "paragauge papers",
        "paragauge papers pinc-2011",
        "paragauge papers pinc-2011 table-4 --demo",
        "paragauge papers pinc-2011 table-4 ratings.tsv -s src.txt -r refs.tsv -c a.txt -c b.txt",
        "paragauge papers pem-2010 figure-3 ratings.tsv -o figure3.svg",
    ),
)
@click.argument("paper", required=False)
@click.argument("item", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@option("--demo", is_flag=True, help="Use the bundled examples, whose ratings are made up.")
@option("--examples", is_flag=True, help="Print the folder of the bundled examples.")
@click.pass_context
def papers(
    context: click.Context,
    paper: str | None,
    item: str | None,
    arguments: tuple[str, ...],
    demo: bool,
    examples: bool,
) -> None:
    """List the tables and figures of the papers, or make one.

    Without ITEM, lists what can be made, of all papers or of PAPER. With ITEM, runs its command;
    ARGUMENTS are those of that command, your files and any of its options. With --demo the files are
    the bundled examples, and standard error says which command was run; --examples prints where they
    are.
    """
    if examples:
        if paper is not None or demo:
            raise SettingError("--examples prints a folder and takes nothing else; leave out the rest")
        click.echo(examples_folder())
        return
    if item is None:
        if demo:
            raise SettingError(
                "--demo needs an item; for example: paragauge papers pinc-2011 table-4 --demo"
            )
        click.echo("\n".join(_list(paper)))
        return
    chosen = gallery.papers(paper, item).items[0]
    if not demo:
        if not arguments:
            raise SettingError(
                f"{chosen.paper} {chosen.name} needs {chosen.takes}; give them, or --demo for the "
                "bundled examples"
            )
        _run(context, [*chosen.words, *arguments])
        return
    if not chosen.demo:
        raise SettingError(f"{chosen.paper} {chosen.name} has no demonstration: {chosen.why_no_demo}")
    with _demo_words(context, chosen, arguments) as words:
        _run(context, words)


def _list(paper: str | None) -> Iterator[str]:
    """The items of each paper under its name."""
    sheet = gallery.papers(paper)
    for name, title in gallery.PAPERS.items():
        rows = [
            [f"  {item.name}", item.title, f"paragauge {item.command}"]
            for item in sheet.items
            if item.paper == name
        ]
        if rows:
            yield f"{name}: {title}"
            yield from align_columns("lll", rows)
            yield ""
    yield "One of them: paragauge papers PAPER ITEM, with your files or --demo"


@contextlib.contextmanager
def _demo_words(
    context: click.Context, item: PaperItem, arguments: Sequence[str]
) -> Iterator[list[str]]:
    """The words of a demonstration; an option that the user gives replaces the demonstration's."""
    examples = str(examples_folder())
    given = {word.partition("=")[0] for word in arguments if word.startswith("-")}
    kept = [part for part in item.demo if part.split(" ", 1)[0] not in given]
    words = [*item.words, *(word for part in kept for word in shlex.split(part)), *arguments]
    shown = [word.replace(EXAMPLES, "examples").replace(f"{WORK}/", "") for word in words]
    click.echo(f"paragauge {shlex.join(shown)}", err=True)
    with tempfile.TemporaryDirectory(prefix="paragauge-") as work:
        for line in item.prepare:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                _run(context, [_fill(word, examples, work) for word in shlex.split(line)])
        yield [_fill(word, examples, work) for word in words]


def _fill(word: str, examples: str, work: str) -> str:
    return word.replace(EXAMPLES, examples).replace(WORK, work)


def _run(context: click.Context, words: Sequence[str]) -> None:
    """Run a command of the package in this process."""
    root = context.find_root().command
    if not isinstance(root, click.Group):
        raise ParagaugeError("expected the command line of paragauge")
    with root.make_context("paragauge", list(words)) as inner:
        root.invoke(inner)
