"""Tables 7 and 8 of Kauchak and Barzilay (2006): the paper's own figures, and hand-made ones."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from paragauge.errors import InputError, SettingError
from paragauge.meta.agreement.substitution_tables import substitution_layout
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.sets.evalset_builder import build
from paragauge.rewrite.evaluation.sample_files import SampleKey

PLAIN = CorrelationSettings(bootstrap=0)


def judged_by(judgments):
    """An evaluation set from {judge: {example: 0 or 1}}."""
    rows = [
        (example, "substitution", judge, {"correct": float(value)})
        for judge, own in judgments.items()
        for example, value in own.items()
    ]
    return build(rows)


def paper_table_8():
    """200 substitutions of WordNet: 73 incorrect, of which the filter eliminates 40; it loses 27."""
    verdicts = ["accepted"] * 100 + ["refused"] * 27 + ["accepted"] * 33 + ["refused"] * 40
    names = [f"s{i}" for i in range(200)]
    correct = dict(zip(names, [1] * 127 + [0] * 73, strict=True))
    key = SampleKey(
        ("wordnet", "context"),
        {
            name: ("wordnet", "context") if v == "accepted" else ("wordnet",)
            for name, v in zip(names, verdicts, strict=True)
        },
        {name: {"wordnet": "accepted", "context": v} for name, v in zip(names, verdicts, strict=True)},
    )
    return correct, key


def test_table_8_of_the_paper():
    correct, key = paper_table_8()
    table = substitution_layout("kauchak-8", judged_by({"A": correct}), key, PLAIN)
    assert table.columns == ("passed", "refused")
    rows = {row.label: [cell.value for cell in row.cells] for row in table.rows}
    assert rows == {"context": [], "correct": [100, 27], "not correct": [33, 40]}
    (note,) = table.notes
    assert note == (
        "context eliminates 40 of 73 (54.8%) incorrect substitutions and 27 of 127 (21.3%) correct "
        "ones; 100 of 133 (75.2%) that pass are correct, of all 127 of 200 (63.5%)."
    )


def test_table_7_has_the_accuracy_of_each_sample():
    """The paper's table 7 follows from its table 8: WordNet 63.5 %, ContextWN 75 %."""
    correct, key = paper_table_8()
    other = {
        name: 1 - value if i % 10 == 0 else value for i, (name, value) in enumerate(correct.items())
    }
    table = substitution_layout("kauchak-7", judged_by({"A": correct, "B": other}), key, PLAIN)
    assert table.columns == ("A", "B", "Kappa")
    cells = {row.label: [cell.value for cell in row.cells] for row in table.rows}
    assert cells["wordnet"][0] == pytest.approx(0.635)
    assert cells["context"][0] == pytest.approx(100 / 133)
    for method in key.methods:
        names = [name for name, drawn_by in key.drawn_by.items() if method in drawn_by]
        lists = [[own[name] for name in names] for own in (correct, other)]
        assert cells[method][1] == pytest.approx(np.mean(lists[1]))
        assert cells[method][2] == pytest.approx(cohen_kappa_score(*lists))


def test_intervals_are_around_the_values():
    correct, key = paper_table_8()
    other = {name: int(i % 3 > 0) for i, name in enumerate(correct)}
    settings = CorrelationSettings(bootstrap=500)
    table = substitution_layout("kauchak-7", judged_by({"A": correct, "B": other}), key, settings)
    for row in table.rows:
        for cell in row.cells:
            assert cell.low < cell.value < cell.high
    share = table.rows[0].cells[0]
    error = (0.635 * 0.365 / 200) ** 0.5
    assert share.high - share.low == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_three_judges_have_fleiss_kappa_and_one_has_none():
    key = SampleKey(
        ("m",),
        dict.fromkeys("abcd", ("m",)),
        {name: {"m": "accepted"} for name in "abcd"},
    )
    one = {"a": 1, "b": 1, "c": 0, "d": 0}
    table = substitution_layout("kauchak-7", judged_by({"A": one}), key, PLAIN)
    assert table.columns == ("A",)
    three = {"A": one, "B": one, "C": {"a": 1, "b": 1, "c": 0, "d": 1}}
    table = substitution_layout("kauchak-7", judged_by(three), key, PLAIN)
    # Agreement of d is 1 pair of 3: P_o = (3 + 1/3) / 4; shares 7/12 and 5/12.
    expected = (49 + 25) / 144
    kappa = ((3 + 1 / 3) / 4 - expected) / (1 - expected)
    assert table.rows[0].cells[-1].value == pytest.approx(kappa)


def test_missing_judgments_are_counted_and_left_out():
    correct, key = paper_table_8()
    some = dict(list(correct.items())[:150])
    table = substitution_layout("kauchak-7", judged_by({"A": some}), key, PLAIN)
    assert table.notes[0] == "50 of 200 examples have no judgment."
    assert table.rows[0].cells[0].value == pytest.approx(127 / 150)


def test_a_method_that_proposes_other_words_is_no_filter():
    correct, key = paper_table_8()
    verdicts = {name: {**own, "lsa": "not proposed"} for name, own in key.verdicts.items()}
    more = SampleKey((*key.methods, "lsa"), key.drawn_by, verdicts)
    table = substitution_layout("kauchak-8", judged_by({"A": correct}), more, PLAIN)
    assert table.notes[-1] == "lsa does not propose all substitutions of wordnet and is left out."
    assert [row.label for row in table.rows] == ["context", "correct", "not correct"]


def test_outdone_words_passed_the_filter():
    correct, key = paper_table_8()
    verdicts = {**key.verdicts, "s0": {"wordnet": "accepted", "context": "outdone"}}
    verdicts["s1"] = {"wordnet": "accepted", "context": "unknown"}
    changed = SampleKey(key.methods, key.drawn_by, verdicts)
    table = substitution_layout("kauchak-8", judged_by({"A": correct}), changed, PLAIN)
    assert [cell.value for cell in table.rows[1].cells] == [99, 28]


def test_another_judge():
    correct, key = paper_table_8()
    judged = judged_by({"A": correct, "B": dict.fromkeys(correct, 1)})
    table = substitution_layout("kauchak-8", judged, key, PLAIN, judge="B")
    assert [cell.value for cell in table.rows[1].cells] == [133, 67]
    with pytest.raises(SettingError, match="unknown judge 'C'; known: A, B"):
        substitution_layout("kauchak-8", judged, key, PLAIN, judge="C")


def test_errors():
    correct, key = paper_table_8()
    with pytest.raises(InputError, match="example 'x' of the judgments is not in the key"):
        substitution_layout("kauchak-7", judged_by({"A": {"x": 1}}), key, PLAIN)
    with pytest.raises(
        InputError, match=r"expected a judgment of 0 \(not correct\) or 1 \(correct\), found 3"
    ):
        substitution_layout("kauchak-7", judged_by({"A": {"s1": 3}}), key, PLAIN)
    with pytest.raises(InputError, match="criterion 'correct': no example has a judgment"):
        substitution_layout("kauchak-7", judged_by({"A": {"s1": np.nan}}), key, PLAIN)
    alone = SampleKey(("wordnet",), key.drawn_by, key.verdicts)
    with pytest.raises(InputError, match="a method without a filter first and another method after it"):
        substitution_layout("kauchak-8", judged_by({"A": correct}), alone, PLAIN)
    with pytest.raises(SettingError, match="unknown layout 'kauchak-9'"):
        substitution_layout("kauchak-9", judged_by({"A": correct}), key, PLAIN)
