"""What all commands have in common: options that are given once, `-`, and compressed outputs."""

from __future__ import annotations

import dataclasses
import functools
import gzip
import inspect
import operator
import types
import typing

import click
import pytest

from paragauge.cli.command import Option
from paragauge.cli.main import app
from paragauge.cli.streams import REFUSED, TEXT

COMMANDS = {
    name: command
    for name, command in app.all_commands().items()
    if not isinstance(command, click.Group)
}
NAMES = ("--output", "--html", "--segments", "--record", "--per-pair", "--plot", "--plots")
OUTPUTS = [
    (name, parameter)
    for name, command in COMMANDS.items()
    for parameter in command.params
    if {*parameter.opts} & {*NAMES, "output"}
]
TEXT_OUTPUTS = {
    ("align run", "output"),
    ("align symmetrize", "output"),
    ("generate run", "output"),
    ("grammar convert", "output"),
    ("phrases convert", "output"),
    ("rewrite run", "output"),
}


@pytest.fixture
def inputs(file):
    return "-r", file("r.txt", "It is hard.\n"), "-c", file("c.txt", "It is difficult.\n")


def test_all_options_are_of_one_class():
    for command in COMMANDS.values():
        for parameter in command.params:
            assert isinstance(parameter, (Option, click.Argument)), (command.name, parameter.opts)


def parameter_type(parameter: click.Parameter) -> object:
    """What Python gets as the value of an option or argument."""
    kinds = ((click.BOOL.__class__, bool), (click.INT.__class__, int), (click.FLOAT.__class__, float))
    kind = next((python for known, python in kinds if isinstance(parameter.type, known)), str)
    if parameter.nargs == -1 or getattr(parameter, "multiple", False):
        return tuple[kind, ...]
    if parameter.nargs > 1:
        kind = tuple[(kind,) * parameter.nargs]
    has_value = parameter.required or kind is bool or isinstance(parameter.default, str | int | float)
    return kind if has_value else kind | None


def function_types(function) -> dict[str, object]:
    """The types of a command's parameters by name; those of a group are its fields."""
    by_name = {}
    for name, kind in typing.get_type_hints(function).items():
        if dataclasses.is_dataclass(kind):
            by_name |= function_types(kind)
        elif name != "return" and kind is not click.Context:
            by_name[name] = widen(kind)
    return by_name


def widen(kind: object) -> object:
    """A type with `str` in place of a `Literal`, whose words the command or the library checks."""
    if typing.get_origin(kind) is typing.Literal:
        return str
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return functools.reduce(operator.or_, map(widen, typing.get_args(kind)))
    return kind


@pytest.mark.parametrize("name", COMMANDS)
def test_the_function_of_a_command_has_named_and_typed_parameters(name):
    command = COMMANDS[name]
    function = inspect.unwrap(command.callback)
    kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds
    hints = function_types(function)
    assert hints.keys() == {parameter.name for parameter in command.params}
    for parameter in command.params:  # a group that serves several commands may also take None
        kind = parameter_type(parameter)
        assert hints[parameter.name] in (kind, kind | None), parameter.name


@pytest.mark.parametrize(
    ("command", "option"), OUTPUTS, ids=lambda value: getattr(value, "name", value)
)
def test_all_outputs_say_what_they_write(command, option):
    kind = option.writes
    assert (kind == TEXT) == ((command, option.name) in TEXT_OUTPUTS)
    assert kind == TEXT or kind in REFUSED


def test_options_with_one_value_are_given_once(fails, file, inputs):
    pairs = file("p.txt", "a ||| b\n")
    grammar = file("g.txt", "[X] ||| a ||| b\n")
    for command, message in (
        (("score", *inputs, "--seed", 1, "--seed", 2), "--seed is given twice, as '1' and as '2'"),
        (("score", *inputs, "-f", "json", "--format=tsv"), "--format is given twice, as 'json' and as"),
        (("tokenize", "-t", "13a", "-t", "13a"), "--tokenize is given twice, as '13a' and as '13a'"),
        (
            ("grammar", "coverage", grammar, "--pairs", pairs, "--glue", "--no-glue"),
            "--glue and --no-glue are both given; expected it once",
        ),
        (
            ("grammar", "extract", pairs, "--align", "--align", "systran", "-o", "x"),
            "--align is given twice, as 'auto' and as 'systran'",
        ),
        (
            ("parametric", "--gold", pairs, "--text", "a", "b", "--text", "c", "d"),
            "--text is given twice, as 'a b' and as 'c d'",
        ),
    ):
        assert fails(*command).startswith(message)


def test_flags_and_options_of_several_values_may_repeat(good, call, inputs, examples, tmp_path):
    both = good("score", *inputs, "--bootstrap", 0, "-m", "bleu", "-m", "bleu:order=2", "-f", "tsv")
    assert both.count("\n") == 3
    flag, target = "--discount-fallback", tmp_path / "lm.bin"
    assert call("lm", "train", examples / "sources.txt", flag, flag, "-o", target).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("report", "-s", "a", "-c", "b", "-o", "-"),
            "--output -: standard output already has the printed",
        ),
        (("score", "-s", "a", "-c", "b", "--html", "-"), "--html -: standard output already has the"),
        (
            ("score", "-s", "a", "-c", "b", "--segments", "-"),
            "--segments -: standard output",
        ),
        (
            ("rewrite", "run", "-r", "a", "-c", "b", "--record", "-"),
            "--record -: standard output",
        ),
        (("rewrite", "train", "lsa", "a", "-o", "-"), "--output -: a model is not written to standard"),
        (("rewrite", "train", "brown", "a", "-o", "-"), "--output -: a model is not written to"),
        (
            ("lm", "convert", "a", "-"),
            "OUTPUT -: a model is not written to standard output; name a file",
        ),
        (("tagger", "train", "a", "-o", "-"), "--output -: a model is not written to standard output"),
        (
            ("grammar", "extract", "a", "-a", "b", "-o", "-"),
            "--output -: standard output is not a folder",
        ),
        (("grammar", "prune", "a", "-o", "-"), "--output -: standard output is not a folder; name one"),
        (("phrases", "convert", "a", "-"), "OUTPUT -: standard output is not a folder; name one"),
        (("controls", "-s", "a", "-o", "-"), "--output -: standard output is not a folder; name one"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_outputs_that_standard_output_cannot_be(fails, monkeypatch, tmp_path, words, message):
    monkeypatch.chdir(tmp_path)
    assert fails(*words).startswith(message)


@pytest.mark.parametrize(
    "words",
    [
        ("score", "-c", "a=-", "-r", "-"),
        ("grammar", "coverage", "-", "--pairs", "-"),
        ("grammar", "convert", "-", "-", "-o", "g"),
        ("grammar", "derive", "-", "--pairs", "-", "--line", "1"),
        ("grammar", "extract", "a", "-", "-a", "-", "-o", "g"),
        ("parametric", "--gold", "-", "-a", "x=-"),
        ("parametric", "--gold", "-", "--text", "a", "-", "-a", "b"),
        ("align", "score", "-", "--gold", "-"),
        ("lm", "train", "-", "-", "-o", "m"),
        ("lm", "score", "-"),
        ("tagger", "run", "--model", "-"),
        ("controls", "-s", "-", "--domain", "-", "-o", "x"),
        ("rewrite", "train", "context", "-", "--words", "-", "-o", "m"),
        ("meta", "-", "-c", "-"),
    ],
    ids=" ".join,
)
def test_standard_input_is_one_input(fails, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    assert fails(*words) == "standard input (-) can serve one input only; give files for the others"


def test_a_column_may_be_called_as_standard_input(good, file):
    table = file("t.tsv", "-\tr\na\ta\n")
    assert good("score", "--table", table, "-c", "x=-", "-r", "r", "-s", "-", "--bootstrap", 0) != ""


def test_text_is_compressed_if_its_name_asks_for_it(good, inputs, tmp_path):
    good("rewrite", "run", *inputs, "--rewrite", "wordnet", "-o", tmp_path / "new.gz")
    assert gzip.decompress((tmp_path / "new.gz").read_bytes()) == b"It is difficult.\n"


@pytest.mark.parametrize(
    "words",
    [
        ("rewrite", "train", "lsa", "a"),
        ("rewrite", "train", "context", "a"),
        ("tagger", "train", "a"),
        ("parser", "train", "a"),
        ("lm", "train", "a"),
        ("fit", "-s", "a", "-c", "b", "--ratings", "r"),
    ],
    ids=" ".join,
)
def test_binary_models_are_not_compressed(fails, words):
    message = "binary models are not compressed further; leave out .gz"
    assert fails(*words, "-o", "m.gz") == f"m.gz: {message}"


def test_grammars_and_phrase_tables_go_to_standard_output(call, file, tmp_path):
    rule = "[X] ||| a ||| b ||| 0.5\n"
    assert call("grammar", "convert", file("g.txt", rule), "-o", tmp_path / "g").code == 0
    outcome = call("grammar", "convert", tmp_path / "g", "--to", "hiero", "-o", "-")
    assert (outcome.code, outcome.out) == (0, rule.encode())
    moses = "la ||| the ||| 0.5 0.25 1 1 ||| 0-0 ||| 2 1 1 |||\n"
    assert call("phrases", "convert", file("t.txt", moses), tmp_path / "t").code == 0
    outcome = call("phrases", "convert", tmp_path / "t", "-")
    assert (outcome.code, outcome.out) == (0, moses.encode())
