"""Folders of the WMT metrics tasks: the statistics of a plain twin that reads the files itself."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from paragauge import PINC
from paragauge.errors import ParagaugeError
from paragauge.meta import meta
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.correlation.soft_accuracy import EXCHANGES
from paragauge.meta.sets.wmt_folder import read_wmt
from tests.meta.sets.wmt_layout import PAIRS, make_test_set

CLOSE = {"rel": 0, "abs": 1e-9}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_test_set(tmp_path_factory.mktemp("wmt") / "wmt99")


def read(path):
    """Scores by system, as the file has them; None for None."""
    table: dict[str, list[float | None]] = {}
    for line in path.read_text().splitlines():
        name, score = line.split()
        table.setdefault(name, []).append(None if score == "None" else float(score))
    return table


def human(folder, pair, name, level="seg"):
    return read(folder / "human-scores" / f"{pair}.{name}.{level}.score")


def metric(folder, pair, name, level="seg"):
    reference = "src" if name == "rough" else PAIRS[pair][0]
    return read(folder / "metric-scores" / pair / f"{name}-{reference}.{level}.score")


def rated(folder, pair, criterion, name):
    """[(system, segment, rating, score)] of what has a rating."""
    scores = metric(folder, pair, name)
    return [
        (system, place, rating, scores[system][place])
        for system, ratings in human(folder, pair, criterion).items()
        for place, rating in enumerate(ratings)
        if rating is not None
    ]


def result(folder, criterion, name, statistic, view):
    settings = CorrelationSettings(statistic=statistic, view=view, test="none", bootstrap=0)
    judged = read_wmt(folder)
    return meta(judged, [name], [criterion], settings)[0][name]


def test_what_is_read(folder):
    judged = read_wmt(folder)
    assert judged.groups == ("de-en", "en-zh")
    assert judged.criteria == ("da-raw", "mqm")
    assert list(judged.scores) == ["WHOLE", "near", "rough"]
    assert judged.items == 9 * 30 + 7 * 24
    assert len(judged.segments) == 54
    assert "refA" not in judged.systems
    assert judged.references[0] == ((folder / "references/de-en.refA.txt").read_text().split("\n")[0],)
    assert judged.notes == (
        "de-en: 1 output that is a reference: refA",
        "de-en: 1 system without mqm: sys-8.de",
        "en-zh: 1 output that is a reference: refB",
        "en-zh: 1 system without mqm: sys-6.en",
    )
    assert read_wmt(folder, ["en-zh"]).groups == ("en-zh",)


@pytest.mark.parametrize("criterion", ["da-raw", "mqm"])
@pytest.mark.parametrize("name", ["near", "rough"])
def test_pearson_and_kendall_of_segments(folder, criterion, name):
    for statistic, function in (("pearson", stats.pearsonr), ("kendall", stats.kendalltau)):
        expected = []
        for pair in PAIRS:
            rows = rated(folder, pair, criterion, name)
            expected.append(function([row[2] for row in rows], [row[3] for row in rows])[0])
        row = result(folder, criterion, name, statistic, "pooled")
        assert [one.value for one in row.groups.values()] == pytest.approx(expected, **CLOSE)
        assert row.value == pytest.approx(np.mean(expected), **CLOSE)


@pytest.mark.parametrize("name", ["near", "WHOLE"])
def test_pearson_and_kendall_of_systems_use_the_scores_of_systems(folder, name):
    for statistic, function in (("pearson", stats.pearsonr), ("kendall", stats.kendalltau)):
        row = result(folder, "mqm", name, statistic, "system")
        for pair in PAIRS:
            gold, scores = human(folder, pair, "mqm", "sys"), metric(folder, pair, name, "sys")
            expected = function([gold[s][0] for s in gold], [scores[s][0] for s in gold])[0]
            assert row.groups[pair].value == pytest.approx(expected, **CLOSE)


def tied_accuracy(rows, threshold):
    """The mean over segments of the share of pairs with the same order, ties included."""
    shares = []
    for _, group in itertools.groupby(sorted(rows, key=lambda row: row[1]), key=lambda row: row[1]):
        pairs = list(itertools.combinations(group, 2))
        if not pairs:
            continue
        agree = 0
        for a, b in pairs:
            gap = a[3] - b[3]
            order = 0 if abs(gap) <= threshold else math.copysign(1, gap)
            agree += order == np.sign(a[2] - b[2])
        shares.append(agree / len(pairs))
    return np.mean(shares)


@pytest.mark.parametrize("criterion", ["da-raw", "mqm"])
def test_tie_calibrated_accuracy(folder, criterion):
    row = result(folder, criterion, "near", "acc-t", "by-source")
    for pair in PAIRS:
        rows = rated(folder, pair, criterion, "near")
        by_segment: dict[int, list[float]] = {}
        for _, place, _, score in rows:
            by_segment.setdefault(place, []).append(score)
        gaps = {
            abs(a - b) for group in by_segment.values() for a, b in itertools.combinations(group, 2)
        }
        expected = max(tied_accuracy(rows, threshold) for threshold in {0.0, *gaps})
        assert row.groups[pair].value == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize("criterion", ["da-raw", "mqm"])
def test_soft_pairwise_accuracy(folder, criterion):
    row = result(folder, criterion, "rough", "spa", "system")
    for pair in PAIRS:
        rows = rated(folder, pair, criterion, "rough")
        used = sorted({place for _, place, _, _ in rows})
        coins = np.random.default_rng(7).integers(0, 2, (EXCHANGES, len(used)), np.int8)
        systems: dict[str, dict[int, tuple[float, float]]] = {}
        for system, place, rating, score in rows:
            systems.setdefault(system, {})[used.index(place)] = (rating, score)
        gaps = []
        for one, two in itertools.combinations(systems.values(), 2):
            both = sorted(set(one) & set(two))
            p = []
            for side in (0, 1):
                gap = np.array([one[place][side] - two[place][side] for place in both])
                signs = 1 - 2 * coins[:, both].astype(float)
                p.append((1 + (signs @ gap / len(both) >= gap.mean() - 1e-9).sum()) / (1 + EXCHANGES))
            gaps.append(abs(p[0] - p[1]))
        assert row.groups[pair].value == pytest.approx(1 - np.mean(gaps), **CLOSE)


def test_the_names_of_the_tasks():
    for short, name in (
        ("spa", "soft-accuracy"),
        ("pce", "soft-accuracy"),
        ("acc-t", "accuracy-tuned"),
    ):
        view = "system" if name == "soft-accuracy" else "by-source"
        assert CorrelationSettings(statistic=short, view=view).statistic == name


def test_texts_for_other_metrics(folder):
    judged = read_wmt(folder, ["de-en"])
    assert meta(judged, [PINC(), "near"], ["mqm"])[0]["pinc"].value is not None


def change(path, old, new):
    content = path.read_text()
    assert old in content
    path.write_text(content.replace(old, new))


def message(folder, *pairs, **settings):
    with pytest.raises(ParagaugeError) as caught:
        read_wmt(folder, pairs, **settings)
    return str(caught.value)


def test_what_is_wrong(tmp_path):
    folder = make_test_set(tmp_path / "wmt99")
    assert message(tmp_path) == (
        f"{tmp_path}: expected a folder of a WMT test set, with sources/ in it; test sets in it: wmt99"
    )
    assert message(folder, "de-ne") == (
        "unknown language pair 'de-ne'; did you mean 'de-en'? known: de-en, en-zh"
    )
    scores = folder / "metric-scores" / "de-en" / "near-refA.seg.score"
    change(scores, "sys-3.de\t", "sys-3.ed\t")
    assert message(folder, "de-en") == (
        "1 system of de-en/near-refA.seg.score is not in system-outputs/de-en: sys-3.ed (did you mean "
        "'sys-3.de'?); 1 system of system-outputs/de-en is not in de-en/near-refA.seg.score: sys-3.de; "
        "name them alike, or give --allow-missing (in Python allow_missing=True) to leave them out and "
        "print which they are"
    )
    kept = read_wmt(folder, ["de-en"], allow_missing=True)
    assert "sys-3.ed" in kept.notes[0]
    change(scores, "sys-3.ed\t", "sys-3.de\t")
    change(scores, "sys-4.de\t", "sys-4.de ")
    (folder / "metric-scores" / "en-zh" / "rough-src.seg.score").unlink()
    assert message(folder).startswith("metric rough has no scores of en-zh; ")
    assert list(read_wmt(folder, allow_missing=True).scores) == ["WHOLE", "near"]
    lines = scores.read_text().splitlines()
    scores.write_text("\n".join(lines[:-1]) + "\n")
    assert message(folder) == f"{scores}: expected 30 scores of system 'sys-8.de', found 29"
    scores.write_text("\n".join([*lines[:-1], "sys-8.de high"]) + "\n")
    found = "found 'sys-8.de high'"
    assert message(folder) == f"{scores}:270: expected a system and a score (or None), {found}"
    source = folder / "sources" / "de-en.txt"
    source.write_text(source.read_text() + "one more\n")
    documents = folder / "documents" / "de-en.docs"
    assert message(folder) == f"{documents}: expected 31 lines, as many as the source has, found 30"


def test_scores_of_systems_are_resampled_by_system(tmp_path):
    # Resamples of segments all have one value: no width, and any difference would be significant.
    folder = make_test_set(tmp_path / "wmt99")
    random = np.random.default_rng(1)
    for pair, (reference, systems, _) in PAIRS.items():
        lines = [f"sys-{number}.{pair[:2]}\t{random.normal()}\n" for number in range(systems)]
        (folder / "metric-scores" / pair / f"NOISE-{reference}.sys.score").write_text("".join(lines))
    settings = CorrelationSettings(statistic="pearson", view="system", bootstrap=200)
    table = meta(read_wmt(folder), ["WHOLE", "NOISE"], ["mqm"], settings)[0]
    assert table.resample == "systems"
    for row in table.rows:
        assert row.high - row.low > 0.1
    assert not any(one.significant for one in table.differences)
    # Ratings of segments vary with them.
    table = meta(read_wmt(folder), ["near"], ["da-raw"], settings)[0]
    assert table.resample == "segments"


def test_one_message_for_files_with_the_same_gap(tmp_path):
    folder = make_test_set(tmp_path / "wmt99")
    (folder / "system-outputs" / "de-en" / "sys-3.de.txt").unlink()
    lacking = "is not in system-outputs/de-en: sys-3.de"
    found = message(folder, "de-en")
    assert found.startswith(f"1 system of de-en.da-raw.seg.score {lacking}; 1 system of ")
    assert f"1 system of de-en.mqm.seg.score and 1 other file {lacking}" in found
    assert f"1 system of de-en/WHOLE-refA.sys.score and 3 other files {lacking}; name them" in found
