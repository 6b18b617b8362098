"""The documentation is complete and true: every option is described, every example gives its output."""

from __future__ import annotations

import inspect
import re
import shutil
from pathlib import Path

import click
import pytest

import paragauge
from command_server import CommandServer
from docs_examples import BLOCK, is_close, refresh_page
from paragauge.cli.main import HEADINGS, app
from paragauge.metrics.registry import METRICS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def comparable(text: str) -> str:
    """The text without versions, and without what the last bits of sums decide, which differ between
    processors: names of decompositions, of the study's fit, and digits from the thirteenth on.
    """
    text = re.sub(r"\bv:[\d.]+", "v:*", text)
    text = re.sub(r"\blsa-[0-9a-f]{8}\b", "lsa-*", text)
    text = re.sub(r"(\|model:study/.*\|svr:)[0-9a-f]{8}\b", r"\1*", text)
    return re.sub(r"(\.\d{12})\d+", r"\1", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_are_true(
    page: Path, command_server: CommandServer, request: pytest.FixtureRequest
) -> None:
    """Refresh with: python tools/docs/docs_examples.py"""
    if shutil.which("bash") is None:
        pytest.skip("no bash on this machine; the documentation's commands are written for it")
    text = page.read_text(encoding="utf-8")
    if any("--aligner systran" in body for _, body in BLOCK.findall(text)):
        request.getfixturevalue("systran_align")
    assert comparable(refresh_page(text, command_server)) == comparable(text)


def test_outputs_of_an_encoder_may_differ_a_little_in_numbers_only() -> None:
    assert is_close("PEM  12.4 [0.98]\n3 systems", "PEM 11.7 [0.97]\n3 systems")
    assert is_close("-2.7840910738508775", "-2.784091323011")
    for other in (
        "PEM 13.9 [0.98]\n3 systems",
        "PEM 12.4 [0.91]\n3 systems",
        "PEM 12.4 [0.98]\n4 systems",
    ):
        assert not is_close("PEM 12.4 [0.98]\n3 systems", other)
    assert not is_close("accepted 0.50", "refused 0.50")
    assert not is_close("0.5", "0.51")


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in PAGES[1:]:
        assert str(page.relative_to(ROOT / "docs")) in navigation


def test_the_first_page_names_every_command_and_every_guide() -> None:
    """Commands stand under the headings of `paragauge --help`, in its order; so does the navigation."""
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    places = [navigation.index(f"\n  - {heading}:\n") for heading in HEADINGS]
    assert places == sorted(places)
    for heading, commands in HEADINGS.items():
        section = text.split(f"\n### {heading}\n")[1].split("\n##")[0]
        assert [name for name in commands if f"`{name}`" not in section] == []
    guides = sorted((ROOT / "docs" / "guides").iterdir())
    assert [guide.name for guide in guides if f"(guides/{guide.name})" not in text] == []


@pytest.mark.parametrize("name", app.all_commands())
def test_every_command_and_option_is_documented(name: str) -> None:
    command = app.all_commands()[name]
    assert command.help, name
    assert getattr(command, "examples", ()), name
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    section = re.search(rf"^## paragauge {name}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert section is not None, f"docs/cli.md has no section on {name}"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            for option in parameter.opts:
                assert f"`{option}`" in section[1], f"docs/cli.md does not describe {name} {option}"


def test_every_metric_has_a_page_that_names_its_settings() -> None:
    pages = {
        page.stem: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "metrics").iterdir()
    }
    where = {
        "chrf": "chrf-ter",
        "ter": "chrf-ter",
        "maxsim+dep": "maxsim",
        "adequacy-context": "adequacy",
    }
    for name, metric in METRICS.items():
        text = pages[where.get(name, name)]
        for field in inspect.signature(metric).parameters:
            assert f"`{field}`" in text, f"docs/metrics: {name} {field}"


def test_everything_public_has_a_docstring_with_an_example() -> None:
    without = []
    for name in paragauge.__all__:
        thing = getattr(paragauge, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        assert thing.__doc__, name
        if ">>>" not in thing.__doc__:
            without.append(name)
    # Containers and abstract classes, which other examples show.
    containers = {
        "AgreementSettings",
        "AgreementSheet",
        "Comparison",
        "ContrastSheet",
        "CorrelationSettings",
        "Correlations",
        "EvalSet",
        "ParametricSheet",
        "ReferenceCurve",
        "Score",
        "ScoreSheet",
    }
    assert set(without) <= {"Metric", "ParagaugeError", *containers}


def test_changelog_leads_with_scores_and_names_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = text.split("\n## ")[1]
    assert latest.startswith(paragauge.__version__)
    assert re.search(r"^### (.+)$", latest, re.MULTILINE)[1] == "Scores changed"
