"""PINC-SVR: arithmetic of a regression in a file, fits, and errors. `pinc-svr.json` is made by hand."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path

import numpy as np
import pytest

from paragauge import PINCRegression
from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.metrics.base import Metric

FILE = Path(__file__).with_name("pinc-svr.json")
TEXTS = {"sources": ["a b c d"], "references": ["w x y z"]}


def test_arithmetic() -> None:
    # BLEU 100 and PINC 100 are (2, 2) after scaling. The squared distances to the three vectors are
    # 18, 5 and 5, so that the rating is 2.5 - exp(-9) + (1.5 + 0.5) exp(-2.5), on a scale of 1 to 4.
    rating = 2.5 - math.exp(-9) + 2 * math.exp(-2.5)
    value = PINCRegression.load(FILE).score(["w x y z"], **TEXTS).value
    assert value == pytest.approx(100 * (rating - 1) / 3)


def test_values_are_cut_at_the_ends_of_the_scale(tmp_path: Path) -> None:
    content = json.loads(FILE.read_text())
    for intercept, value in ((9.0, 100.0), (-9.0, 0.0)):
        content["regression"]["intercept"] = intercept
        path = tmp_path / f"{value}.json"
        path.write_text(json.dumps(content))
        assert PINCRegression.load(path).score(["w x y z"], **TEXTS).value == value


def test_specification_and_signature(tmp_path: Path) -> None:
    metric = Metric.from_spec(f"pinc-svr:model={FILE}")
    assert metric == PINCRegression.load(FILE) == Metric.from_spec(metric.label)
    assert "|svr:" in metric.signature
    assert "|ratings:1-4|" in metric.signature
    assert str(FILE) not in metric.signature
    content = json.loads(FILE.read_text())
    content["regression"]["gamma"] = 0.25
    other = tmp_path / "other.json"
    other.write_text(json.dumps(content))
    assert PINCRegression.load(other).signature != metric.signature
    assert Metric.from_spec(f"pinc-svr:model={FILE}:order=2").signature != metric.signature


def rated(sources: int = 30) -> tuple[list[float], list[str], list[str], list[str]]:
    """Candidates of which new words that are in the reference are good, and all others bad."""
    ratings, candidates = [], []
    for number in range(sources):
        for candidate, rating in ((f"w x y z{number}", 5.0), (f"a b c d{number}", 2.0), ("q r s", 1.0)):
            ratings.append(rating + 0.1 * (number % 3))
            candidates.append(candidate)
    numbers = [number for number in range(sources) for _ in range(3)]
    return (
        ratings,
        candidates,
        [f"a b c d{number}" for number in numbers],
        [f"w x y z{number}" for number in numbers],
    )


def test_a_fit(tmp_path: Path) -> None:
    ratings, candidates, sources, references = rated()
    ratings[4] = math.nan
    fitted = PINCRegression.fit(ratings, candidates, sources=sources, references=references)
    assert fitted.pearson > 0.99
    assert fitted.held_out.pearson is not None
    assert fitted.held_out.pearson > 0.99
    assert (fitted.ratings, fitted.missing, fitted.held_out.sources) == (89, 1, 30)
    fitted.save(tmp_path / "fit.json")
    loaded = PINCRegression.load(tmp_path / "fit.json")
    assert loaded.signature == fitted.metric.signature
    texts = {"sources": sources, "references": references}
    np.testing.assert_array_equal(
        loaded.segments(candidates, **texts), fitted.metric.segments(candidates, **texts)
    )
    assert copy.deepcopy(loaded) == loaded


def test_the_fold_of_a_source_is_not_seen() -> None:
    """Ratings that follow the source alone cannot be predicted from other sources."""
    ratings, candidates, sources, references = rated(40)
    random = np.random.default_rng(3)
    noise = np.repeat(random.normal(size=40), 3)
    fitted = PINCRegression.fit(noise, candidates, sources=sources, references=references)
    assert fitted.held_out.pearson is not None
    assert fitted.held_out.pearson < 0.2
    assert len(ratings) == 120


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="PINC-SVR needs a regression: fit one to ratings"):
        PINCRegression()
    with pytest.raises(SettingError, match="model: is learned by the fit"):
        PINCRegression.unfitted(model="x")
    with pytest.raises(FileFormatError, match=r"none.json: no such file; check the path"):
        PINCRegression.load(tmp_path / "none.json")
    content = json.loads(FILE.read_text())
    content["regression"]["mean"] = [1]
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(content))
    with pytest.raises(
        FileFormatError, match=r"bad.json: expected a fit saved by paragauge \(the shapes"
    ):
        PINCRegression.load(bad)
    bad.write_text(json.dumps({**content, "metric": "pinc-sigmoid"}))
    with pytest.raises(FileFormatError, match="expected a fit of pinc-svr, found one of pinc-sigmoid"):
        PINCRegression.load(bad)
    ratings, candidates, sources, references = rated(3)
    texts = {"sources": sources, "references": references}
    with pytest.raises(InputError, match=r"expected at least 10 finite ratings .* found 9"):
        PINCRegression.fit(ratings, candidates, **texts)
    with pytest.raises(LengthError, match="ratings has 1 value but candidates has 9 segments"):
        PINCRegression.fit([1], candidates, **texts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gamma": math.nan}, "its numbers are out of range"),
        ({"scale": [0, 25]}, "its numbers are out of range"),
        ({"ratings": [1, math.inf]}, "its numbers are out of range"),
    ],
)
def test_numbers_out_of_range_are_refused(tmp_path: Path, change: dict, message: str) -> None:
    content = json.loads(FILE.read_text())
    content["regression"] |= change
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match=message):
        PINCRegression.load(path)


def test_settings_of_another_version_are_refused(tmp_path: Path) -> None:
    content = json.loads(FILE.read_text())
    content["settings"]["depth"] = 3
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(content))
    message = "expected settings of pinc-svr, found 'depth', perhaps of another version; fit again"
    with pytest.raises(FileFormatError, match=message):
        Metric.from_spec(f"pinc-svr:model={path}")


def test_a_fit_belongs_to_its_adequacy_metric() -> None:
    assert Metric.from_spec(f"pinc-svr:model={FILE}:adequacy=bleu") == PINCRegression.load(FILE)
    message = "PINC-SVR adequacy=chrf: .*pinc-svr.json was fitted with adequacy=bleu; leave it out"
    with pytest.raises(SettingError, match=message):
        Metric.from_spec(f"pinc-svr:model={FILE}:adequacy=chrf")
