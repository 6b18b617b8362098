"""The help of the program and of groups of commands, and what a misspelled command gets."""

from __future__ import annotations

import click
import pytest

from paragauge.cli.main import COMMANDS, HEADINGS, app

GROUPS = [name for name, command in app.all_commands().items() if isinstance(command, click.Group)]


def test_the_help_groups_commands_under_headings(good):
    text = good("--help")
    for heading, names in HEADINGS.items():
        section = text.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in section.splitlines()] == list(names)


def test_every_command_is_under_one_heading():
    assert len(set(COMMANDS)) == len(COMMANDS) == sum(map(len, HEADINGS.values()))


def test_the_summary_of_every_command_fits_on_its_line(good):
    lines = good("--help").splitlines()
    for name in COMMANDS:
        line = next(line for line in lines if line.startswith(f"  {name} "))
        assert line.endswith("."), line
        assert not line.endswith("..."), line


@pytest.mark.parametrize("name", GROUPS)
def test_groups_show_their_summaries_in_full(good, name):
    commands = good(*name.split(), "--help").partition("\nCommands:\n")[2].partition("\nExamples:\n")[0]
    assert "..." not in commands
    assert commands.rstrip().endswith(".")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("scor",), "unknown command 'scor'; did you mean 'score'? known: score, compare, report, "),
        (("Compare", "-h"), "unknown command 'Compare'; did you mean 'compare'? known: score, "),
        (("xyzzy",), "unknown command 'xyzzy'; known: score, compare, "),
        (
            ("align", "symetrize", "a", "b"),
            "unknown command of align 'symetrize'; did you mean 'symmetrize'? known: run, ",
        ),
        (
            ("rewrite", "train", "browm"),
            "unknown command of rewrite train 'browm'; did you mean 'brown'? known: brown, ",
        ),
    ],
    ids=lambda part: " ".join(part[:3]) if isinstance(part, tuple) else "",
)
def test_a_misspelled_command_gets_a_suggestion(fails, words, message):
    assert fails(*words).startswith(message)


def test_an_unknown_option_of_the_program_is_no_command(fails):
    assert "No such option" in fails("--quiet")
