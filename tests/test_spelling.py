"""One spelling throughout: American in commands, options, settings, code and prose."""

from __future__ import annotations

import dataclasses
import re

import pytest

from paragauge.cli.main import app
from paragauge.metrics.registry import METRICS
from tests.spelling import british_words

COMMANDS = app.all_commands()
# British words that stay, with the reason: names in output and files, and words that are data.
EXCEPTIONS = {
    "src/paragauge/grammar/grammar_folder.py": ["analyse"],  # a reserved word of SQL
    "src/paragauge/kernels/reference/matching/soft.py": ["colour"],  # an example of similar words
    "src/paragauge/metrics/maxsim/metric.py": ["analysed"],  # a key of signatures
    "src/paragauge/metrics/maxsim/soft.py": ["colour", "grey"],
    # Words that texts have.
    "src/paragauge/metrics/pem/adequacy/word_classes.py": [
        "centimetre",
        "kilometre",
        "litre",
        "metre",
        "millimetre",
    ],
    "src/paragauge/rewrite/thesauri/lsa.py": ["neighbours"],  # the name of an array in a file
    "src/paragauge/rewrite/thesauri/stop_words.py": ["towards"],
    "src/paragauge/syntax/analyzer.py": ["analysed"],
    "src/paragauge/text/former_spellings.py": [
        "analysed",
        "normalise",
        "penalise",
        "randomisation",
        "renormalise",
        "symmetrise",
        "tokenised",
    ],
}
# It maps British forms to American ones.
BRITISH_FORMS = "src/paragauge/metrics/pem/adequacy/spelling.py"
PROSE = ("*.md", "docs/**/*.md", *(f"src/**/*.{kind}" for kind in ("py", "cpp", "hpp", "html", "js")))


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_and_options_are_american(name):
    parameters = COMMANDS[name].params
    names = [option for parameter in parameters for option in parameter.opts + parameter.secondary_opts]
    values = [parameter.metavar for parameter in parameters if parameter.metavar]
    assert british_words(" ".join([name, *names, *values])) == []


@pytest.mark.parametrize("name", METRICS)
def test_settings_of_metrics_are_american(name):
    fields = dataclasses.fields(METRICS[name])
    choices = [choice for field in fields for choice in field.metadata["choices"] or ()]
    assert british_words(" ".join([name, *(field.name for field in fields), *choices])) == []


def test_code_and_prose_are_american(repository):
    paths = {path for pattern in PROSE for path in repository.glob(pattern)}
    paths.remove(repository / BRITISH_FORMS)
    british = {
        str(path.relative_to(repository)): sorted(set(british_words(path.read_text("utf-8"))))
        for path in paths
    }
    assert {path: words for path, words in british.items() if words} == EXCEPTIONS
    assert len(paths) > 500


def test_messages_say_found(repository):
    paths = {path for pattern in PROSE for path in repository.glob(pattern)}
    paths.remove(repository / BRITISH_FORMS)
    assert [path for path in paths if re.search(r"[,;] got\b", path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("--tokenised|--z-normalise", ["tokenised", "normalise"]),
        ("analysing the colours of neighbours", ["analysing", "colours", "neighbours"]),
        ("raise, revise, supervised, noise, analyses, four hours, disable", []),
    ],
)
def test_british_words(text, words):
    assert british_words(text) == words
