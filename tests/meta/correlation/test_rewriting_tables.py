"""Tables 4 to 6 of Kauchak and Barzilay (2006): every cell against a loop over plain texts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from paragauge import BLEU
from paragauge.errors import InputError, SettingError
from paragauge.meta.correlation.correlation import Correlation, CorrelationSettings
from paragauge.meta.correlation.paper_tables import REWRITINGS, layout
from paragauge.meta.correlation.repeated_documents import Documents
from paragauge.meta.correlation.rewriting_tables import compare_documents
from paragauge.meta.sets.evalset_builder import Builder, build
from paragauge.rewrite.rewrite_method import RewriteMethod
from paragauge.rewrite.rewritten_metric import RewrittenMetric

SYSTEMS = ("one", "two", "three", "four")
WORDS = [
    ("hard", "difficult"),
    ("big", "large"),
    ("begin", "start"),
    ("build", "construct"),
    ("car", "automobile"),
    ("error", "mistake"),
]
DOCUMENTS = Documents(10, 4, 3)
SETTINGS = CorrelationSettings(documents=DOCUMENTS)
METRICS = {"bleu": BLEU(), "wordnet": RewrittenMetric(BLEU(), RewriteMethod("wordnet"))}


def make(seed, groups=("",)):
    """References with words that have synonyms; better systems change fewer of the other words."""
    rng = np.random.default_rng(seed)
    rows, texts, references, candidates = [], {}, {}, {}
    for group in groups:
        for number in range(24):
            key = f"{group}{number}"
            chosen = [WORDS[i] for i in rng.permutation(len(WORDS))[:3]]
            tokens = [word for pair in chosen for word in ("the", pair[0], f"w{rng.integers(9)}")]
            references[key] = [" ".join(tokens), " ".join(tokens[::-1])]
            for place, system in enumerate(SYSTEMS):
                other = {old: new for old, new in chosen if rng.random() < 0.4}
                said = [
                    other.get(token, "oops" if rng.random() < 0.08 * (place + 1) else token)
                    for token in tokens
                ]
                candidates[key, system] = " ".join(said)
                rating = 5 - place + rng.normal()
                rows.append((key, system, "A", {"adequacy": float(rating)}))
            texts[key] = group
    return rows, references, candidates, texts


@pytest.fixture(scope="module")
def plain():
    return make(5)


@pytest.fixture(scope="module")
def judged(plain):
    rows, references, candidates, _ = plain
    return build(rows, references=references, candidates=candidates)


def document_values(plain, metric, references):
    """Pearson over the systems in each document, from the texts alone."""
    rows, refs, candidates, _ = plain
    ratings = {(key, system): values["adequacy"] for key, system, _, values in rows}
    rng = np.random.default_rng(DOCUMENTS.seed)
    keys = list(refs)
    values = []
    for _ in range(DOCUMENTS.repetitions):
        chosen = [keys[i] for i in rng.choice(len(keys), DOCUMENTS.size, replace=False)]
        scores = [
            metric.score(
                [candidates[key, system] for key in chosen],
                references=[refs[key][:references] for key in chosen],
            ).value
            for system in SYSTEMS
        ]
        people = [np.mean([ratings[key, system] for key in chosen]) for system in SYSTEMS]
        values.append(np.corrcoef(scores, people)[0, 1])
    return np.array(values)


def test_table_4(plain, judged):
    table = layout("kauchak-4", judged, SETTINGS, overall="adequacy", metrics=METRICS)
    assert table.columns == ("1 reference", "2 references")
    for row, metric in zip(table.rows, METRICS.values(), strict=True):
        for count, cell in enumerate(row.cells, 1):
            values = document_values(plain, metric, count)
            assert cell.value == pytest.approx(values.mean(), abs=1e-9)
            bounds = stats.t.interval(0.95, 3, values.mean(), stats.sem(values))
            assert (cell.low, cell.high) == pytest.approx(bounds)
    assert table.rows[0].cells[0].value != table.rows[1].cells[0].value
    assert [row.label for row in table.rows] == ["BLEU", "wordnet"]


def test_table_4_with_one_reference_has_one_column(plain):
    rows, references, candidates, _ = plain
    single = {key: group[:1] for key, group in references.items()}
    judged = build(rows, references=single, candidates=candidates)
    table = layout("kauchak-4", judged, SETTINGS, overall="adequacy", metrics=METRICS)
    assert table.columns == ("1 reference",)


def test_table_5(plain, judged):
    table = layout("kauchak-5", judged, SETTINGS, overall="adequacy", metrics=METRICS)
    bleu, wordnet = (document_values(plain, metric, 1) for metric in METRICS.values())
    expected = stats.ttest_rel(bleu, wordnet)
    one, other = table.rows[0].cells[1], table.rows[1].cells[0]
    assert one.value == other.value == pytest.approx(expected.pvalue, abs=1e-9)
    level = int(expected.pvalue < 0.01) + int(expected.pvalue < 0.05)
    signs = ("△", "◁") if bleu.mean() < wordnet.mean() else ("◁", "△")
    assert (one.mark, other.mark) == tuple(sign * level or "×" for sign in signs)
    assert [table.rows[i].cells[i].value for i in (0, 1)] == [None, None]


@pytest.mark.parametrize(
    ("gain", "mark"),
    [
        # t = mean / (deviation / 2) over four documents, 3 degrees of freedom: bounds 3.18 and 5.84.
        ([0.02, 0.03, 0.02, 0.03], "◁◁"),  # t = 0.025 / 0.00289 = 8.66
        ([0.01, 0.03, 0.01, 0.03], "◁"),  # t = 0.02 / 0.00577 = 3.46
        ([-0.01, -0.03, -0.01, -0.03], "△"),
        ([-0.02, -0.03, -0.02, -0.03], "△△"),
        ([-0.01, 0.03, -0.01, 0.03], "×"),  # t = 0.01 / 0.0115 = 0.87
        ([0.0, 0.0, 0.0, 0.0], "="),
    ],
)
def test_triangles_by_hand(gain, mark):
    def row(name, values):
        return Correlation(name, name, 0.5, None, None, "", {}, by_document=tuple(values))

    base = [0.5, 0.625, 0.75, 0.375]
    better = [value + more for value, more in zip(base, gain, strict=True)]
    assert compare_documents(row("new", better), row("old", base)).mark == mark


def test_a_metric_without_a_value_has_no_sign():
    row = Correlation("a", "A", 0.5, None, None, "", {}, by_document=(0.5, 0.25))
    flat = Correlation("b", "B", None, None, None, "the metric is constant", {})
    cell = compare_documents(row, flat)
    assert (cell.value, cell.mark, cell.reason) == (None, "-", "B: the metric is constant")


@pytest.mark.parametrize("groups", [("",), ("x", "y")])
def test_table_6(groups):
    rows, references, candidates, group_of = make(6, groups)
    builder = Builder()
    for key, system, judge, values in rows:
        number = builder.segment(key, group_of[key], references=references[key])
        builder.rating(builder.item(number, [system], candidates[key, system]), judge, values)
    table = layout("kauchak-6", builder.done(), SETTINGS, metrics=METRICS)
    scores, counts = [], []
    for group in groups:
        keys = [key for key in references if group_of[key] == group]
        first = [references[key][0] for key in keys]
        for system in SYSTEMS:
            outputs = [candidates[key, system] for key in keys]
            rewriting = RewriteMethod("wordnet").rewriter().run(first, outputs)
            counts.append(rewriting.substitutions)
            texts = [list(group_) for group_ in rewriting.references]
            scores.append(BLEU().score(outputs, references=texts).value)
    score, replaced = table.rows[1].cells
    assert score.value == pytest.approx(np.mean(scores), abs=1e-9)
    assert replaced.value == pytest.approx(np.mean(counts), abs=1e-9)
    assert replaced.value > 5
    assert table.rows[0].cells[1] is None  # nothing is rewritten for plain BLEU


def test_the_usual_metrics(judged):
    table = layout("kauchak-6", judged, SETTINGS)
    assert len(table.rows) == len(REWRITINGS)
    assert table.rows[1].label == "BLEU:rewrite=wordnet"


def test_errors(plain, judged):
    rows, _, candidates, _ = plain
    without = build(rows, candidates=candidates)
    with pytest.raises(InputError, match="expected references to rewrite, found none"):
        layout("kauchak-6", without, SETTINGS, metrics=METRICS)
    with pytest.raises(SettingError, match="layout kauchak-4 has no condition; only pem-2 does"):
        layout("kauchak-4", judged, SETTINGS, where="adequacy>1")
    with pytest.raises(InputError, match="expected at least 300 rated segments for a document"):
        layout("kauchak-4", judged, overall="adequacy", metrics=METRICS)
