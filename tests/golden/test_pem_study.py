"""The study of Liu, Dahlmeier and Ng (2010), from judges to figures, on simulated ratings of its shape.

300 sources, four systems, three judges, three controls: docs/guides/pem-study.md runs the same
commands. Tables are compared with NumPy's correlations of the same columns.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the fit needs scikit-learn")

ROOT = Path(__file__).parents[2]
SYSTEMS = ("human1", "human2", "machine1", "machine2")
CONTROLS = ("copy", "random", "unigram")
JUDGES = ("sim-A", "sim-B", "sim-C")
CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")
PEM = "pem:model=study/model:features=paper"


def done(result) -> str:
    assert result.returncode == 0, result.stderr.decode()
    assert result.stderr == b""
    return result.stdout.decode()


def simulate(folder: Path) -> None:
    script = ROOT / "examples" / "simulate_study.py"
    subprocess.run([sys.executable, script, "study"], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def study(run, tmp_path) -> Path:
    simulate(tmp_path)
    command = ("controls", "-s", "study/sources.txt", "--ratings", "study/ratings.tsv")
    done(run(*command, "-o", "study/controls"))
    return tmp_path


@pytest.fixture
def texts() -> list[str]:
    words = ["-s", "study/sources.txt"]
    for name in SYSTEMS:
        words += ["-c", f"study/{name}.txt"]
    for name in CONTROLS:
        words += ["-c", f"study/controls/{name}.txt"]
    return words


class Ratings:
    """The table as plain dictionaries, to compute by other means what the commands print."""

    def __init__(self, path: Path, first: int = 1, last: int = 300) -> None:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        self.rows = [row for row in rows if first <= int(row["segment"]) <= last]

    def means(self, criterion: str, judge: str | None = None) -> dict[tuple[str, str], float]:
        values = defaultdict(list)
        for row in self.rows:
            if judge in (None, row["judge"]):
                values[row["system"], row["segment"]].append(float(row[criterion]))
        return {key: float(np.mean(own)) for key, own in values.items()}


def pearson(a: dict, b: dict) -> float:
    keys = sorted(a.keys() & b.keys())
    return float(np.corrcoef([a[key] for key in keys], [b[key] for key in keys])[0, 1])


def by_system(values: dict, keys: set) -> dict[str, float]:
    systems = defaultdict(list)
    for key in sorted(keys):
        systems[key[0]].append(values[key])
    return {name: float(np.mean(own)) for name, own in systems.items()}


def both_levels(a: dict, b: dict) -> tuple[float, float]:
    common = a.keys() & b.keys()
    return pearson(a, b), pearson(by_system(a, common), by_system(b, common))


def read_cells(text: str) -> dict[str, list[float]]:
    """The cells of a layout in JSON, by row."""
    rows = defaultdict(list)
    for cell in json.loads(text)["cells"]:
        rows[cell["row"]].append(cell["value"])
    return dict(rows)


def test_the_shape(study):
    judged = Ratings(study / "study" / "ratings.tsv")
    assert len(judged.rows) == 300 * 4 * 3
    assert {row["judge"] for row in judged.rows} == set(JUDGES)
    assert {row[name] for row in judged.rows for name in CRITERIA} == set("12345")
    whole = Ratings(study / "study" / "controls" / "ratings.tsv")
    assert whole.rows[: len(judged.rows)] == judged.rows
    assert len(whole.means("overall")) == 2100
    simulate(study / "study")
    for name in ("ratings.tsv", "items.tsv", "machine2.txt"):
        assert (study / "study" / "study" / name).read_bytes() == (study / "study" / name).read_bytes()


def test_table_1(run, study):
    judged = Ratings(study / "study" / "ratings.tsv")
    expected = {}
    for judge, others in (("sim-B", ["sim-A"]), ("sim-C", ["sim-A", "sim-B"])):
        own = judged.means("overall", judge)
        levels = [both_levels(own, judged.means("overall", other)) for other in others]
        none = [None] * (2 - len(others))
        expected[judge] = [*(a for a, _ in levels), *none, *(b for _, b in levels), *none]
    for table in ("study/ratings.tsv", "study/controls/ratings.tsv"):
        printed = done(run("meta", table, "--layout", "pem-1", "--bootstrap", "0", "-f", "json"))
        cells = read_cells(printed)
        assert list(cells) == ["sim-B", "sim-C"]
        for judge, values in expected.items():
            assert cells[judge] == [None if v is None else pytest.approx(v) for v in values]


def test_table_2_and_figure_3(run, study):
    table = "study/controls/ratings.tsv"
    cells = read_cells(done(run("meta", table, "--layout", "pem-2", "--bootstrap", "0", "-f", "json")))
    ratings = Ratings(study / table)
    means = {name: ratings.means(name) for name in CRITERIA}
    for name in CRITERIA[:3]:
        assert cells[name.capitalize()] == pytest.approx(both_levels(means[name], means["overall"]))
    good = {
        key: value
        for key, value in means["dissimilarity"].items()
        if means["adequacy"][key] >= 4 and means["fluency"][key] >= 4
    }
    row = cells["Dissimilarity (adequacy>=4 and fluency>=4)"]
    assert row == pytest.approx(both_levels(good, means["overall"]))
    # The finding of the paper: dissimilarity matters where meaning and fluency are kept.
    assert row[0] > 0.8 > 0.3 > abs(cells["Dissimilarity"][0])
    condition = "adequacy>=4 and fluency>=4"
    command = ("scatter", table, "-x", "dissimilarity", "--where", condition, "--jitter", "0.1")
    printed = done(run(*command, "-o", "figure3.svg"))
    assert printed.startswith(f"figure3.svg: {len(good):,} points; moved by up to 0.1 ")
    assert f"Pearson r = {row[0]:.3f}" in printed
    assert count_circles(study / "figure3.svg") == len(good)


def count_circles(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("<circle")


def test_fit_on_200_test_on_100(run, study, texts):
    table = "study/controls/ratings.tsv"
    fit = ("pem", "fit", *texts, "--ratings", table, "--range", "1:200", "--controls", "none")
    printed = done(run(*fit, "--folds", "2", "-o", "study/model"))
    assert re.search(r"regression: paper .*1,400 ratings, 200 sources, 0 controls", printed)
    judged = ("meta", table, *texts, "-m", PEM, "--range", "201:300", "--bootstrap", "0")
    cells = read_cells(done(run(*judged, "--layout", "pem-3", "-f", "json")))
    scored = ("score", *texts, "-m", PEM, "--bootstrap", "0", "--segments", "segments.tsv")
    done(run(*scored))
    with (study / "segments.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    column = next(name for name in rows[0] if name.startswith("pem"))
    scores = {(r["system"], r["segment"]): float(r[column]) for r in rows if int(r["segment"]) > 200}
    assert len(scores) == 700
    ratings = Ratings(study / table, 201, 300)
    title = "PEM" + PEM.removeprefix("pem")
    mean = both_levels(scores, ratings.means("overall"))
    assert cells[f"{title} vs. Human Avg."] == pytest.approx(mean)
    for judge in JUDGES:
        own = ratings.means("overall", judge)
        assert len(own) == 400
        assert cells[f"{title} vs. {judge}"] == pytest.approx(both_levels(scores, own))
    assert mean[0] > 0.7
    assert mean[1] > 0.9

    command = ("scatter", table, *texts, "-m", PEM, "--range", "201:300")
    printed = done(run(*command, "-o", "figure4.svg"))
    assert printed.startswith(f"figure4.svg: 700 points. Pearson r = {mean[0]:.3f}; ")
    assert count_circles(study / "figure4.svg") == 700
    printed = done(run(*command, "--view", "system", "-o", "figure5.svg"))
    assert printed == f"figure5.svg: 7 systems, 700 candidates. Pearson r = {mean[1]:.3f}.\n"
    picture = (study / "figure5.svg").read_text(encoding="utf-8")
    assert all(f">{name}<" in picture for name in (*SYSTEMS, *CONTROLS))


def test_from_a_campaign_to_a_fit(run, study):
    """Judges in the web application, who say what the simulated ones say of the first 12 sources."""
    pytest.importorskip("sqlalchemy", reason="the collection application needs its extra")
    from paragauge.collect.campaigns import campaigns
    from paragauge.collect.people import workers
    from paragauge.collect.store.store import Store
    from paragauge.collect.tasks import assignments, submissions
    from paragauge.collect.tasks.answers import Answer

    folder = study / "study"
    said = defaultdict(dict)
    for row in Ratings(folder / "ratings.tsv", 1, 12).rows:
        values = {name: int(row[name]) for name in CRITERIA}
        said[row["judge"], row["segment"]][row["system"]] = values
    items = (folder / "items.tsv").read_text(encoding="utf-8").split("\n")
    (folder / "items.tsv").write_text("\n".join(items[: 1 + 12 * 4]) + "\n", encoding="utf-8")
    campaign_file = (ROOT / "examples" / "collect" / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(campaign_file, encoding="utf-8")
    told = done(run("collect", "init", "study.db", "--campaign", "study/study.toml"))
    assert told == "study.db: ready\ncampaign study (judge): 12 items\n"
    with Store.open(study / "study.db") as store:
        campaign = campaigns.get(store, "study")
        for judge in JUDGES:
            worker, _ = workers.register(store, "link")
            task = assignments.next_assignment(store, campaign, worker)
            while isinstance(task, assignments.Assignment):
                names = [candidate["system"] for candidate in task.item.content["candidates"]]
                own = said[judge, task.item.key]
                answer = {str(place): own[name] for place, name in enumerate(names)}
                submissions.submit(store, task, worker, Answer(data={"judgments": answer}))
                task = assignments.next_assignment(store, campaign, worker)
    told = done(run("collect", "export", "study.db", "judgments", "-o", "collected.tsv"))
    assert told.startswith("collected.tsv: 144 rows")
    few = (folder / "sources.txt").read_text(encoding="utf-8").split("\n")[:12]
    (study / "twelve.txt").write_text("\n".join(few) + "\n", encoding="utf-8")
    done(run("controls", "-s", "twelve.txt", "--ratings", "collected.tsv", "-o", "rated"))
    table = read_cells(
        done(run("meta", "rated/ratings.tsv", "--layout", "pem-2", "--bootstrap", "0", "-f", "json"))
    )
    expected = Ratings(folder / "controls" / "ratings.tsv", 1, 12)
    levels = both_levels(expected.means("adequacy"), expected.means("overall"))
    assert table["Adequacy"] == pytest.approx(levels)
    # The table has the texts, those of the controls too, so neither -s nor -c is needed.
    fit = ("pem", "fit", "--ratings", "rated/ratings.tsv", "--criterion", "overall", "--folds", "2")
    printed = done(run(*fit, "--range", "1:10", "--controls", "none", "-o", "mine"))
    assert "10 sources, 0 controls" in printed
    judged = ("meta", "rated/ratings.tsv", "-m", "pem:model=mine", "--range", "11:12")
    assert "PEM:model=mine vs. Human Avg." in done(
        run(*judged, "--layout", "pem-3", "--bootstrap", "0")
    )
