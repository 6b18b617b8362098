"""The tables of the papers: their shape, and every cell against a direct computation."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from paragauge import BLEU, PINC
from paragauge.errors import InputError, SettingError
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.correlation.paper_tables import layout
from paragauge.meta.sets.evalset_builder import Builder, build
from paragauge.metrics.combined.bleu_pinc import BLEUPINC
from paragauge.metrics.combined.pinc_sigmoid import PINCSigmoid

FAST = CorrelationSettings(bootstrap=30, seed=5)
WORDS = [f"w{i}" for i in range(15)]


@pytest.fixture(scope="module")
def pem():
    """Three judges rate four systems from 1 to 5; two control systems have predetermined ratings."""
    rng = np.random.default_rng(41)
    builder = Builder()
    for segment in range(16):
        number = builder.segment(str(segment + 1))
        for place, system in enumerate(("en-zh", "en-fr", "en-de", "human")):
            item = builder.item(number, [system])
            true = rng.normal(0.3 * place, 1, 3)
            for judge in ("A", "B", "C"):
                noise = true + rng.normal(0, 0.7, 3)
                said = np.clip(np.round(3 + noise), 1, 5)
                overall = np.clip(np.round(0.5 * said[0] + 0.3 * said[1] + 0.2 * said[2]), 1, 5)
                names = ("adequacy", "fluency", "dissimilarity", "overall")
                builder.rating(item, judge, dict(zip(names, [*said, overall], strict=True)))
            builder.score(item, "pem", float(true.mean() + rng.normal()))
            builder.score(item, "bleu", float(50 - 10 * true[2] + 5 * rng.normal()))
        for system, said in (("copy", (5, 5, 1, 1)), ("random", (1, 5, 5, 1))):
            item = builder.item(number, [system])
            names = ("adequacy", "fluency", "dissimilarity", "overall")
            builder.rating(item, "control", dict(zip(names, map(float, said), strict=True)))
            builder.score(item, "pem", float(rng.normal()))
            builder.score(item, "bleu", 100.0 if system == "copy" else 0.0)
    return builder.done()


@pytest.fixture(scope="module")
def pinc():
    """Two judges rate two systems from 1 to 4; sources, references and candidates are texts."""
    rng = np.random.default_rng(42)

    def changed(text, share):
        return " ".join(str(rng.choice(WORDS)) if rng.random() < share else w for w in text.split())

    sources = {str(i): [" ".join(rng.choice(WORDS, 10))] for i in range(25)}
    references = {i: [changed(text, 0.3) for _ in range(3)] for i, (text,) in sources.items()}
    rows, candidates = [], {}
    for i, (text,) in sources.items():
        for system, share in (("one", 0.1), ("two", 0.5)):
            candidates[i, system] = changed(text, share * rng.uniform(0, 2))
            for judge in "AB":
                said = np.clip(rng.normal([4 - 2 * share, 1 + 3 * share, 3 - share], 0.8).round(), 1, 4)
                names = ("semantic", "dissimilarity", "overall")
                rows.append((i, system, judge, dict(zip(names, said.tolist(), strict=True))))
    return build(rows, sources=sources, references=references, candidates=candidates)


def cell_of(judged, criterion, label, *, view="pooled", **more):
    settings = dataclasses.replace(FAST, view=view, test="none")
    return correlate(judged, criterion, [label], settings, **more).rows[0]


def equal(cell, expected):
    assert (cell.value, cell.low, cell.high) == (expected.value, expected.low, expected.high)
    assert cell.low < cell.value < cell.high


def test_pem_2(pem):
    table = layout("pem-2", pem, FAST)
    assert table.columns == ("Sentence Level", "System Level")
    where = "adequacy>=4 and fluency>=4"
    assert [row.label for row in table.rows] == [
        "Adequacy",
        "Fluency",
        "Dissimilarity",
        f"Dissimilarity ({where})",
    ]
    for row, label in zip(table.rows, ("adequacy", "fluency", "dissimilarity"), strict=False):
        equal(row.cells[0], cell_of(pem, "overall", label))
        expected = cell_of(pem, "overall", label, view="system")
        assert row.cells[1].value == expected.value
    equal(table.rows[-1].cells[0], cell_of(pem, "overall", "dissimilarity", where=where))
    means = {name: pem.means(name) for name in pem.criteria}
    is_good = (means["adequacy"] >= 4) & (means["fluency"] >= 4)
    expected = np.corrcoef(means["dissimilarity"][is_good], means["overall"][is_good])[0, 1]
    assert table.rows[-1].cells[0].value == pytest.approx(expected, abs=1e-9)


def test_pem_2_with_other_criteria_and_conditions(pinc):
    table = layout("pem-2", pinc, FAST)
    assert [row.label for row in table.rows] == ["Semantic", "Dissimilarity"]
    table = layout("pem-2", pinc, FAST, where="semantic>=3")
    assert table.rows[-1].label == "Dissimilarity (semantic>=3)"
    table = layout("pem-2", pinc, FAST, overall="semantic")
    assert [row.label for row in table.rows] == ["Dissimilarity", "Overall"]


def test_pem_3(pem):
    table = layout("pem-3", pem, FAST)
    labels = [
        f"{metric} vs. {who}" for metric in ("pem", "bleu") for who in ("Human Avg.", "A", "B", "C")
    ]
    assert [row.label for row in table.rows] == labels
    equal(table.rows[0].cells[0], cell_of(pem, "overall", "pem"))
    equal(table.rows[2].cells[0], cell_of(pem, "overall", "pem", judge="B"))
    assert (
        table.rows[7].cells[1].value == cell_of(pem, "overall", "bleu", view="system", judge="C").value
    )
    said = pem.means("overall", "A")
    rated = ~np.isnan(said)
    expected = np.corrcoef(pem.scores["bleu"].values[rated], said[rated])[0, 1]
    assert table.rows[5].cells[0].value == pytest.approx(expected, abs=1e-9)


def test_pinc_4(pinc):
    table = layout("pinc-4", pinc, FAST)
    assert table.columns == ("Semantic", "Dissimilarity", "Overall")
    rows = {row.label: row.cells for row in table.rows}
    assert list(rows) == [
        "A vs. B",
        "BLEU vs. Human",
        "PINC vs. Human",
        "PEM:features=paper vs. Human",
        "PINC vs. Human (BLEU > threshold)",
        "threshold = 0",
        "threshold = 30",
        "threshold = 60",
        "threshold = 90",
        "Combined BLEU and PINC vs. Human",
        "Arithmetic Mean",
        "Geometric Mean",
        "Harmonic Mean",
        "PINC × Sigmoid(BLEU)",
        "PINC × Sigmoid(BLEU), held out",
    ]
    scored = pinc.score_with({"bleu": BLEU(), "pinc": PINC(), "mean": BLEUPINC(mean="harmonic")})
    for place, name in enumerate(("semantic", "dissimilarity", "overall")):
        both = [pinc.means(name, judge) for judge in "AB"]
        assert rows["A vs. B"][place].value == pytest.approx(np.corrcoef(*both)[0, 1], abs=1e-9)
    equal(rows["BLEU vs. Human"][0], cell_of(scored, "semantic", "bleu"))
    equal(rows["BLEU vs. Human"][2], cell_of(scored, "overall", "bleu"))
    equal(rows["PINC vs. Human"][1], cell_of(scored, "dissimilarity", "pinc"))
    equal(rows["threshold = 30"][1], cell_of(scored, "dissimilarity", "pinc", where="bleu>30"))
    equal(rows["Harmonic Mean"][2], cell_of(scored, "overall", "mean"))
    # What the paper has as N/A.
    assert [label for label, cells in rows.items() if cells and cells[0] is None] == [
        "PINC vs. Human",
        "PEM:features=paper vs. Human",
        *(f"threshold = {threshold}" for threshold in (0, 30, 60, 90)),
        "Arithmetic Mean",
        "Geometric Mean",
        "Harmonic Mean",
        "PINC × Sigmoid(BLEU)",
        "PINC × Sigmoid(BLEU), held out",
    ]
    assert rows["BLEU vs. Human"][1] is None
    assert rows["Combined BLEU and PINC vs. Human"] == ()
    segments = pinc.item_segment.tolist()
    fitted = PINCSigmoid.fit(
        pinc.means("overall").tolist(),
        list(pinc.candidates),
        sources=[pinc.sources[i] for i in segments],
        references=[pinc.references[i] for i in segments],
    ).metric
    oracle = pinc.score_with({"oracle": fitted})
    assert rows["PINC × Sigmoid(BLEU)"][2].value == pytest.approx(
        cell_of(oracle, "overall", "oracle").value, abs=1e-9
    )
    assert f"slope {fitted.slope:.4g}" in table.notes[0]
    held_out = rows["PINC × Sigmoid(BLEU), held out"][2]
    assert held_out.low < held_out.value < held_out.high
    assert held_out.value <= rows["PINC × Sigmoid(BLEU)"][2].value
    assert [note.split("|")[0] for note in table.notes[1:]] == ["BLEU", "PINC", "PEM"]


def test_the_held_out_sigmoid_has_the_interval_that_is_asked_for(pinc):
    def held_out(**settings):
        table = layout("pinc-4", pinc, dataclasses.replace(FAST, **settings))
        return next(row.cells[2] for row in table.rows if row.label.endswith(", held out"))

    wide, narrow, without = held_out(), held_out(level=0.5), held_out(bootstrap=0)
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
    assert wide.value == narrow.value == without.value
    assert without.low is without.high is None


def test_pinc_4_with_other_settings(pinc):
    """The settings reach every row: thresholds, means and the sigmoid come from the same scores."""
    metrics = {"bleu:smooth=none": BLEU(smooth="none"), "pinc:order=2": PINC(order=2)}
    table = layout("pinc-4", pinc, FAST, metrics=metrics)
    rows = {row.label: row.cells for row in table.rows}
    scored = pinc.score_with(metrics)
    bleu, novelty = (scored.scores[label].values for label in metrics)
    overall = pinc.means("overall")
    assert rows["BLEU:smooth=none vs. Human"][2].value == pytest.approx(
        np.corrcoef(bleu, overall)[0, 1]
    )
    expected = np.corrcoef((bleu + novelty) / 2, overall)[0, 1]
    assert rows["Arithmetic Mean"][2].value == pytest.approx(expected)
    above = bleu > 0
    expected = np.corrcoef(novelty[above], overall[above])[0, 1]
    assert 0 < above.sum() < len(above)
    assert rows["threshold = 0"][2].value == pytest.approx(expected)
    assert "PINC × Sigmoid(BLEU:smooth=none)" in rows
    with pytest.raises(SettingError, match="needs PINC and a metric in BLEU's place; pinc is missing"):
        layout("pinc-4", pinc, FAST, metrics={"bleu": BLEU()})
    with pytest.raises(SettingError, match="a metric of meaning such as bleu is missing from -m"):
        layout("pinc-4", pinc, FAST, metrics={"pinc": PINC()})


def test_pinc_3(pinc, pem):
    """Means over candidates of the mean of the judges, who rated equally often."""
    table = layout("pinc-3", pinc, FAST)
    assert table.columns == ("Semantic", "Dissimilarity", "Overall")
    assert [row.label for row in table.rows] == ["one", "two"]
    for number, row in enumerate(table.rows):
        of_system = np.isin(pinc.rating_item, pinc.output_item[pinc.output_system == number])
        for cell, name in zip(row.cells, pinc.criteria, strict=True):
            assert cell.value == pytest.approx(pinc.ratings[name][of_system].mean())
            assert cell.low < cell.value < cell.high
    assert table.rows[0].cells[0].value > table.rows[1].cells[0].value
    table = layout("pinc-3", pem, FAST)
    assert "Ratings of controls, which were given beforehand, are among the means." in table.notes
    copy = {row.label: row.cells for row in table.rows}["copy"]
    assert [cell.value for cell in copy] == [5, 5, 1, 1]


@pytest.fixture(scope="module")
def translations():
    """Six systems rated on two criteria in two language pairs; `rank` is better if smaller."""
    rng = np.random.default_rng(43)
    builder = Builder()
    for group in ("de-en", "fr-en"):
        for segment in range(12):
            number = builder.segment(f"{group}-{segment}", group)
            for place in range(6):
                item = builder.item(number, [f"s{place}"])
                good = place + rng.normal(0, 1.5)
                builder.rating(item, "A", {"adequacy": good, "rank": -good + rng.normal()})
                builder.score(item, "maxsim", good + rng.normal(0, 2))
                builder.score(item, "noise", float(rng.normal()))
    return builder.done()


def test_maxsim(translations):
    table = layout("maxsim", translations, FAST)
    assert table.columns == ("Adequacy", "Rank", "Average")
    assert [row.label for row in table.rows] == [
        "Mean of 2: de-en, fr-en",
        "maxsim",
        "noise",
        "de-en",
        "maxsim",
        "noise",
        "fr-en",
        "maxsim",
        "noise",
    ]
    means, _, _, first, _, _, second, _ = table.rows[1:]
    for column, (criterion, sign) in enumerate({"adequacy": 1, "rank": -1}.items()):
        expected = []
        for group, row in (("de-en", first), ("fr-en", second)):
            part = translations.of_group(group)
            gold, scores = part.means(criterion), part.scores["maxsim"].values
            systems = [part.output_item[part.output_system == number] for number in range(6)]
            ranks = [
                np.argsort(np.argsort([values[items].mean() for items in systems]))
                for values in (sign * gold, scores)
            ]
            expected.append(np.corrcoef(*ranks)[0, 1])
            assert row.cells[column].value == pytest.approx(expected[-1])
        assert means.cells[column].value == pytest.approx(np.mean(expected))
    for row in (means, first, second):
        assert row.cells[2].value == pytest.approx((row.cells[0].value + row.cells[1].value) / 2)
        assert all(cell.low <= cell.value <= cell.high and cell.low < cell.high for cell in row.cells)
    width, *of_groups = (row.cells[0].high - row.cells[0].low for row in (means, first, second))
    assert width < max(of_groups)  # a mean of groups that are drawn apart varies less
    without = layout("maxsim", translations, dataclasses.replace(FAST, bootstrap=0))
    assert {cell.low for row in without.rows for cell in row.cells} == {None}
    one = layout("maxsim", translations.of_group("fr-en"), FAST, criteria=["adequacy"])
    assert one.columns == ("Adequacy",)
    assert one.rows[0].cells[0].value == second.cells[0].value


def test_pinc_4_leaves_out_thresholds_that_no_rated_candidate_reaches(pinc):
    """Candidates that nobody rated do not count, however large their BLEU is."""
    high = pinc.score_with({"bleu": BLEU()}).scores["bleu"].values > 60
    judged = dataclasses.replace(
        pinc,
        ratings={
            name: np.where(high[pinc.rating_item], np.nan, values)
            for name, values in pinc.ratings.items()
        },
    )
    table = layout("pinc-4", judged, FAST)
    assert [row.label for row in table.rows if "threshold =" in row.label] == [
        "threshold = 0",
        "threshold = 30",
    ]
    assert table.notes[1] == "Fewer than two rated candidates have BLEU above 60, 90."


def test_pem_1(pem):
    """The judge `control` is none, and systems that only it rated do not count."""
    table = layout("pem-1", pem, FAST)
    levels = ("Sentence Level", "System Level")
    assert table.columns == tuple(f"{level}: {judge}" for level in levels for judge in "AB")
    assert [row.label for row in table.rows] == ["B", "C"]
    assert [cell is None for cell in table.rows[0].cells] == [False, True, False, True]
    ratings = {judge: pem.means("overall", judge) for judge in "ABC"}
    rated = ~np.isnan(ratings["A"])
    assert rated.sum() == 16 * 4
    judged = pem.where(rated)
    systems = {
        judge: [values[rated][judged.output_system == number].mean() for number in range(4)]
        for judge, values in ratings.items()
    }
    for row, others in zip(table.rows, ("A", "AB"), strict=True):
        for number, other in enumerate(others):
            sentence = np.corrcoef(ratings[other][rated], ratings[row.label][rated])[0, 1]
            assert row.cells[number].value == pytest.approx(sentence)
            system = np.corrcoef(systems[other], systems[row.label])[0, 1]
            assert row.cells[2 + number].value == pytest.approx(system)


def test_settings_are_those_of_the_papers(pem):
    given = CorrelationSettings("kendall", "by-source", "permutation", bootstrap=0)
    table = layout("pem-3", pem, given)
    assert (table.settings.statistic, table.settings.test) == ("pearson", "none")
    assert table.rows[0].cells[0].low is None


def test_errors(pem, pinc):
    with pytest.raises(SettingError, match="unknown layout 'pem-4'; did you mean 'pem-"):
        layout("pem-4", pem)
    with pytest.raises(InputError, match="expected at least two judges to compare, found A; the rati"):
        layout("pem-1", build([("1", "a", "A", {"overall": 1.0})]))
    with pytest.raises(SettingError, match="unknown criterion 'total'"):
        layout("pem-2", pem, overall="total")
    with pytest.raises(SettingError, match="unknown criterion 'total'"):
        layout("pinc-4", pinc, overall="total")
    alone = build([("1", "a", "A", {"overall": 1.0})])
    with pytest.raises(InputError, match="expected another criterion than 'overall'"):
        layout("pem-2", alone)
    with pytest.raises(InputError, match="expected metrics to correlate with the judges, found none"):
        layout("pem-3", alone)
    with pytest.raises(InputError, match="expected metrics to correlate with the ratings, found none"):
        layout("maxsim", alone)
    with pytest.raises(SettingError, match="pinc is missing from -m"):
        layout("pinc-4", pem)
    for name in ("pem-3", "pinc-4"):
        with pytest.raises(SettingError, match=f"layout {name} has no condition; only pem-2 does"):
            layout(name, pem, where="adequacy>3")
