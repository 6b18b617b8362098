"""The section on agreement with people."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.metrics_and_judges import people
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.evalset_builder import build
from paragauge.report.pages.sections.people import headline, metric_matrix, people_plots, people_section

SETTINGS = CorrelationSettings(bootstrap=50, draws=200)


@pytest.fixture(scope="module")
def agreement():
    random = np.random.default_rng(3)
    quality = random.integers(1, 6, (40, 3)).astype(float)
    rows = [
        (str(i), f"s{j}", judge, {"overall": float(np.clip(quality[i, j] + shift, 1, 5))})
        for i in range(40)
        for j in range(3)
        for judge, shift in (("A", 0), ("B", int(random.integers(-1, 2))))
    ]
    judged = build(rows)
    gold = judged.means("overall")
    values = {
        "<good>": gold + random.normal(0, 0.3, len(gold)),
        "middling": gold + random.normal(0, 2, len(gold)),
        "noise": random.normal(size=len(gold)),
        "constant": np.ones(len(gold)),
    }
    scores = {name: MetricScores(name, name, numbers) for name, numbers in values.items()}
    return people(dataclasses.replace(judged, scores=scores), SETTINGS)


def test_headline(agreement):
    text = headline(agreement.criteria[0])
    assert text.startswith("<good> agrees best with people: 0.9")
    assert "Between judges the correlation is 0." in text


def test_section(agreement):
    section = people_section(agreement)
    assert section.title == "Agreement with people"
    assert "&lt;good&gt; agrees best with people" in section.html
    assert "<good>" not in section.html
    assert "the metric is constant" in section.html
    assert "nan" not in section.html.lower()
    assert "moved by up to 0.175 to separate equal ones" in section.html


def test_metrics_do_not_look_like_systems(agreement):
    table = people_section(agreement).html.split("</table>")[0]
    assert 'class="bar"' in table
    assert "series" not in table


def test_matrix_leaves_out_what_has_no_value(agreement):
    scene = metric_matrix(agreement.criteria[0].pooled)
    texts = {part.text for part in scene.marks if hasattr(part, "text")}
    assert {"<good>", "middling", "noise"} <= texts
    assert "constant" not in texts


def test_files_of_plots(agreement):
    assert list(people_plots(agreement)) == [
        "people-overall-good",
        "people-overall-middling",
        "people-overall-noise",
        "people-overall-constant",
        "people-overall-significance",
    ]


def test_no_matrix_of_two_metrics(agreement):
    scores = {name: agreement.judged.scores[name] for name in ("noise", "middling")}
    two = people(dataclasses.replace(agreement.judged, scores=scores), SETTINGS)
    assert metric_matrix(two.criteria[0].pooled) is None
