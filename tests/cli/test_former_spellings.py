"""Options, commands and settings work with their former spellings, which no help shows."""

from __future__ import annotations

import copy
import json

import click
import pytest
from click.core import ParameterSource

from paragauge import MaxSim, MaxSimSoft
from paragauge.cli.main import app
from paragauge.errors import SettingError
from paragauge.generate.phrase_settings import PhraseSettings
from paragauge.metrics.base import Metric
from paragauge.metrics.fit_files import load_fit, save_fit
from paragauge.metrics.pem.model import PEMModel
from paragauge.text.former_spellings import FORMER_SPELLINGS, former_option

COMMANDLINE = ParameterSource.COMMANDLINE
COMMANDS = app.all_commands()
RENAMED = [
    (command, former, option)
    for command, what in COMMANDS.items()
    for parameter in what.params
    for option in (*parameter.opts, *parameter.secondary_opts)
    if (former := former_option(option)) is not None
]


def test_what_was_renamed():
    assert {(former, option) for _, former, option in RENAMED} == {
        ("--analysed", "--analyzed"),
        ("--no-renormalise", "--no-renormalize"),
        ("--normalise", "--normalize"),
        ("--randomisation", "--randomization"),
        ("--renormalise", "--renormalize"),
        ("--tokenised", "--tokenized"),
        ("--z-normalise", "--z-normalize"),
    }


@pytest.mark.parametrize(("command", "former", "option"), RENAMED)
def test_the_help_shows_the_new_spelling_only(good, command, former, option):
    text = good(*command.split(), "--help")
    assert option in text
    assert former not in text


def test_the_help_of_a_group_shows_the_new_spelling_only(good):
    text = good("align", "--help")
    assert "symmetrize" in text
    assert "symmetrise" not in text


@pytest.mark.parametrize(("command", "former", "option"), RENAMED)
def test_options_give_the_same_value(command, former, option):
    contexts = [
        COMMANDS[command].make_context(command, [name, "3", "x", "y"], resilient_parsing=True)
        for name in (former, option)
    ]
    assert contexts[0].params == contexts[1].params
    given = [
        {name for name in context.params if context.get_parameter_source(name) is COMMANDLINE}
        for context in contexts
    ]
    assert option.removeprefix("--no-").removeprefix("--").replace("-", "_") in given[0] & given[1]


def test_a_former_spelling_gives_the_same_output(good, file, examples):
    texts = "-s", examples / "sources.txt", "-c", examples / "edits.txt", "-c", examples / "free.txt"
    compare = "compare", *texts, "-m", "pinc", "--bootstrap", 0
    assert good(*compare, "--randomisation", 50) == good(*compare, "--randomization", 50)
    assert good(*compare, "--randomisation", 50) != good(*compare, "--randomization", 60)

    forward, reverse = file("f", "0-0 1-1\n"), file("r", "0-0 1-2\n")
    words = forward, reverse, "--heuristic", "intersection"
    assert good("align", "symmetrise", *words) == good("align", "symmetrize", *words) == "0-0\n"

    text = b"Dogs do n't bark .\n"
    assert good("parse", "--tokenised", stdin=text) == good("parse", "--tokenized", stdin=text)


def test_an_option_in_both_spellings_is_given_twice(fails, examples):
    texts = "-s", examples / "sources.txt", "-c", examples / "edits.txt", "-c", examples / "free.txt"
    assert fails("compare", *texts, "--randomisation", 5, "--randomization", 6) == (
        "--randomization is given twice, as '5' and as '6'; expected it once, give one of them"
    )


def test_settings_in_a_specification():
    metric = Metric.from_spec("maxsim:tagger=conllu:analysed=a.conllu")
    assert metric == MaxSim(tagger="conllu", analyzed="a.conllu")
    with pytest.raises(SettingError, match="setting 'analyzed' is given twice; leave one out"):
        Metric.from_spec("maxsim:tagger=conllu:analysed=a.conllu:analyzed=b.conllu")


def test_a_saved_fit(tmp_path):
    path = tmp_path / "fit.json"
    metric = MaxSimSoft.unfitted(order=2)
    save_fit(path, metric, {})
    content = json.loads(path.read_text("utf-8"))
    content["settings"]["analysed"] = content["settings"].pop("analyzed")
    del content["checksum"]  # which files with former spellings do not have
    path.write_text(json.dumps(content), "utf-8")
    assert load_fit(path, MaxSimSoft) == metric


def test_a_saved_pem_model(pem_model, tmp_path):
    pem_model.save(tmp_path)
    path = tmp_path / "model.json"
    content = json.loads(path.read_text("utf-8"))
    content["network"]["renormalise"] = content["network"].pop("renormalize")
    del content["checksum"]
    path.write_text(json.dumps(content), "utf-8")
    assert PEMModel.load(tmp_path).resources.network == pem_model.resources.network


def test_a_saved_paraphraser():
    assert PhraseSettings.from_record({"copy": "penalise"}) == PhraseSettings(copy="penalize")


def test_every_former_spelling_is_in_use():
    options = {word for _, former, _ in RENAMED for word in former.split("-")}
    assert set(FORMER_SPELLINGS) == options & set(FORMER_SPELLINGS) | {"symmetrise", "penalise"}


def test_a_command_used_by_itself_keeps_both_names_of_its_help() -> None:
    command = copy.copy(COMMANDS["agree"])
    command._help_option = None  # click keeps it from the first use
    command.make_context("agree", ["x"], resilient_parsing=True)
    help_option = command.get_help_option(click.Context(command))
    assert help_option is not None
    assert help_option.opts == ["-h", "--help"]
