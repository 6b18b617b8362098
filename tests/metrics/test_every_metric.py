"""What every metric must do; a metric that is not listed here fails the suite."""

from __future__ import annotations

import dataclasses
import doctest
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.metrics.base import Metric
from paragauge.metrics.combined.bleu_pinc import BLEU_SETTINGS
from paragauge.metrics.registry import METRICS
from paragauge.text.batch import Batch

CANDIDATES = [
    "The cat sat on the mat .",
    "",
    "a rabbit is cleaning itself",
    "naïve café 猫",
    "one two three",
    "A B C",
]
SOURCES = [
    "A cat was sitting on the mat .",
    "empty",
    "a bunny is cleaning its paw",
    "naïve 猫",
    "x",
    "a b c",
]
REFERENCES = [
    ["the cat sat there", "a cat sat on a mat ."],
    ["e"],
    ["a rabbit cleans itself"],
    ["猫"],
    ["one two"],
    ["a b"],
]
TEXTS: dict[str, Any] = {"sources": SOURCES, "references": REFERENCES}

# What each metric promises. "order": permuting the segments permutes the segment scores.
# "case": lower-casing all input equals case="lower". "copy": a copy of the source scores this.
# "same": a candidate equal to its only reference scores this.
PROMISES: dict[str, dict[str, Any]] = {
    "bleu": {"same": 100.0, "case": True},
    "pinc": {"copy": 0.0, "case": True},
    "ibleu": {"case": True},
    "precis": {"case": True},
    "bleu-pinc": {"case": True},
    "pinc-sigmoid": {"copy": 0.0, "case": True},
    "pinc-svr": {"case": True},
    "targetf1": {"copy": 100.0, "case": True},
    "maxsim": {"same": 100.0, "case": False},
    "maxsim+dep": {"same": 100.0, "case": False},
    "maxsim-soft": {"same": 100.0, "case": False},
    "maxsim-context": {"same": 100.0, "case": False},
    "cosine": {"same": 100.0, "case": False},
    "bertscore": {"same": 100.0, "case": False},
    "bert-ibleu": {"copy": 0.0, "case": False},
    "parascore": {"copy": 95.0, "case": False},
    "meteor": {"case": True},
    "pem": {"case": False},
    "pem-context": {"case": False},
    "adequacy": {"case": False},
    "adequacy-context": {"case": False},
    "pivotf1": {"copy": 100.0, "case": False},
    "fluency": {"case": False},
    "pairwise-pinc": {"case": True},
    "self-bleu": {"case": True},
    "distinct": {"case": True},
    "chrf": {"same": 100.0, "case": False},
    "ter": {"same": 0.0, "case": False},
}
# What "..." scores beside "!?", and beside itself: neither has a letter or a digit. The table is that
# of docs/guides/which-metric.md. Vectors decide about contextual metrics (None).
WITHOUT_WORDS: dict[str, tuple[float | None, float | None]] = {
    "bleu": (0, 100),
    "pinc": (100, 0),
    "ibleu": (0, 60),
    "precis": (0, 8.208500),
    "bleu-pinc": (50, 50),
    "pinc-sigmoid": (4.742587, 0),
    "targetf1": (0, 100),
    "maxsim": (100, 100),
    "maxsim-soft": (0, 100),
    "maxsim-context": (100, 100),
    "cosine": (None, 100),
    "bertscore": (None, 100),
    "bert-ibleu": (None, 0),
    "parascore": (None, 95),
    "meteor": (0, None),
    "pivotf1": (0, 100),
    "adequacy": (0, 0),
    "adequacy-context": (0, 0),
    "pairwise-pinc": (0, 0),
    "self-bleu": (100, 100),
    "chrf": (0, 100),
    "ter": (100, 0),
}
SPECIFICATIONS = {name: name for name in METRICS} | {
    "pinc-sigmoid": "pinc-sigmoid:slope=0.1:midpoint=30",
    "pinc-svr": f"pinc-svr:model={Path(__file__).with_name('combined') / 'pinc-svr.json'}",
}
# The same metrics with another metric inside.
NESTED = {
    "bleu-pinc with chrF": "bleu-pinc:adequacy=chrf:adequacy_word_order=2:mean=geometric",
    "bleu-pinc with BERTScore": "bleu-pinc:adequacy=bertscore:mean=harmonic",
    "pinc-sigmoid with cosine": "pinc-sigmoid:adequacy=cosine:slope=0.1:midpoint=30",
    "pem with BERTScore": "pem:adequacy=bertscore:adequacy_layer=5",
    "pem with pivot F1": "pem:adequacy=pivotf1",
    "pem with chrF": "pem:adequacy=chrf",
}


# Settings that name tools or files; the tests of MAXSIM and of contextual metrics change them.
TOOLS = {"tagger", "parser", "pipeline", "analyzed", "wordnet", "language", "encoder", "idf"}


@pytest.fixture(params=[*METRICS, *NESTED])
def metric(request: pytest.FixtureRequest, english_pipeline: bool) -> Metric:
    if request.param == "maxsim+dep" and not english_pipeline:
        pytest.skip("no English spaCy pipeline is installed: maxsim+dep has no parser")
    return Metric.from_spec((SPECIFICATIONS | NESTED)[request.param])


def promise(metric: Metric, what: str) -> Any:
    if what == "case" and metric.settings().get("adequacy", "bleu") != "bleu":
        return False  # the metric inside has its own setting, or none
    return PROMISES[metric.name.lower()].get(what)


def test_every_metric_is_listed() -> None:
    assert set(PROMISES) == set(METRICS)
    assert {name: metric.name.lower() for name, metric in METRICS.items()} == {
        name: name for name in METRICS
    }


def test_segments_follow_their_order(metric: Metric) -> None:
    order = np.array([3, 0, 5, 1, 4, 2])
    shuffled = {name: [texts[i] for i in order] for name, texts in TEXTS.items()}
    scores = metric.segments([CANDIDATES[i] for i in order], **shuffled)
    np.testing.assert_allclose(scores, metric.segments(CANDIDATES, **TEXTS)[order])


def test_corpus_score_does_not_depend_on_the_order_of_segments(metric: Metric) -> None:
    backwards = {name: texts[::-1] for name, texts in TEXTS.items()}
    forwards = metric.score(CANDIDATES, **TEXTS).value
    assert metric.score(CANDIDATES[::-1], **backwards).value == pytest.approx(forwards)


def test_statistics_add(metric: Metric) -> None:
    whole = metric.stats(CANDIDATES, **TEXTS)
    assert whole.shape[0] == len(CANDIDATES)
    assert whole.dtype == np.float64
    parts = [
        metric.stats(CANDIDATES[cut], **{name: texts[cut] for name, texts in TEXTS.items()})
        for cut in (slice(0, 2), slice(2, 6))
    ]
    np.testing.assert_allclose(np.concatenate(parts), whole)
    total = sum(part.sum(axis=0) for part in parts)
    assert float(metric.corpus_values(total)) == pytest.approx(metric.score(CANDIDATES, **TEXTS).value)


def test_a_mean_metric_is_the_mean(metric: Metric) -> None:
    if metric.corpus_is_mean:
        mean = np.nanmean(metric.segments(CANDIDATES, **TEXTS))
        assert metric.score(CANDIDATES, **TEXTS).value == pytest.approx(mean)


def test_values_of_many_rows_at_once(metric: Metric) -> None:
    stats = metric.stats(CANDIDATES, **TEXTS)
    rows = np.stack([stats.sum(axis=0), stats[0], stats[2]])
    single = [float(metric.corpus_values(row)) for row in rows]
    np.testing.assert_allclose(metric.corpus_values(rows), single)


def test_copy_of_the_source(metric: Metric) -> None:
    if promise(metric, "copy") is not None:
        texts = {"sources": SOURCES[:3], "references": REFERENCES[:3]}
        np.testing.assert_allclose(metric.segments(SOURCES[:3], **texts), promise(metric, "copy"))


def test_candidate_equal_to_its_reference(metric: Metric) -> None:
    if promise(metric, "same") is not None:
        texts = {"sources": SOURCES[2:], "references": CANDIDATES[2:]}
        np.testing.assert_allclose(metric.segments(CANDIDATES[2:], **texts), promise(metric, "same"))


def test_case(metric: Metric) -> None:
    if promise(metric, "case"):
        lowercased = {
            "sources": [text.lower() for text in SOURCES],
            "references": [[text.lower() for text in group] for group in REFERENCES],
        }
        expected = metric.segments([text.lower() for text in CANDIDATES], **lowercased)
        folded = dataclasses.replace(metric, case="lower")  # type: ignore[call-arg]
        np.testing.assert_allclose(folded.segments(CANDIDATES, **TEXTS), expected)


def test_threads_do_not_change_anything(metric: Metric) -> None:
    many = {name: texts * 40 for name, texts in TEXTS.items()}
    one, two = (metric.stats(CANDIDATES * 40, **many, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_input_is_not_changed(metric: Metric) -> None:
    candidates, references = list(CANDIDATES), [list(group) for group in REFERENCES]
    metric.score(candidates, sources=SOURCES, references=references)
    assert (candidates, references) == (CANDIDATES, REFERENCES)


def test_two_systems_in_one_batch_equal_two_batches(metric: Metric) -> None:
    batch = Batch.of({"a": CANDIDATES, "b": SOURCES}, **TEXTS)
    for system, texts in (("a", CANDIDATES), ("b", SOURCES)):
        np.testing.assert_array_equal(metric.batch_stats(batch, system), metric.stats(texts, **TEXTS))


def test_tables_of_segments_have_the_parts_that_are_shown(metric: Metric) -> None:
    columns = metric.segment_parts(metric.stats(CANDIDATES, **TEXTS))
    assert list(columns) == list(metric.shown_parts)
    assert {len(column) for column in columns.values()} <= {len(CANDIDATES)}


def other_value(field: dataclasses.Field[Any], value: Any) -> Any:
    choices = field.metadata["choices"]
    if choices:
        return next(choice for choice in choices if choice != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return {"porter": "english"}.get(value, value + "x")
    if value is None or (isinstance(value, float) and value == 0):
        return 0.25
    return value / 2 if isinstance(value, float) else value + 1


def other_regression(metric: Metric, folder: Path) -> str:
    """The file of another fit of PINC-SVR."""
    text = Path(metric.settings()["model"]).read_text(encoding="utf-8")
    path = folder / "other.json"
    path.write_text(text.replace('"gamma": 0.5', '"gamma": 0.25'), encoding="utf-8")
    return str(path)


def test_every_setting_is_in_the_signature_and_the_label(
    metric: Metric, pem_folder: Path, tmp_path: Path
) -> None:
    for field in dataclasses.fields(metric):
        if field.name in TOOLS:
            continue
        if field.name in BLEU_SETTINGS and metric.settings().get("adequacy", "bleu") != "bleu":
            continue  # refused beside another metric
        is_pem = metric.name == "PEM"
        if is_pem and field.name in ("model", "features") and metric.settings()["adequacy"] != "own":
            continue  # refused: only the learned parts of the package take another metric's scores
        if field.name == "similarity" and metric.name.lower() not in ("maxsim", "maxsim+dep"):
            continue  # refused: these have a similarity of their own
        if field.name == "adequacy":
            changed: dict[str, Any] = {"adequacy": "meteor"}
        elif field.name == "weights":
            changed = {"weights": "/".join(["1"] * len(metric.part_names()))}  # type: ignore[attr-defined]
        elif field.name == "model" and metric.name == "PINC-SVR":
            changed = {"model": other_regression(metric, tmp_path)}
        elif field.name == "model":
            changed = {"model": str(pem_folder)}
        elif is_pem and field.name == "features":
            changed = {"features": "paper"}  # learned is what auto means
        elif field.name == "similarity":
            changed = {"similarity": max}
        elif field.name == "layers":
            changed = {"layers": "3/5"}
        elif field.name == "stem":
            changed = {"stem": "porter"}
        else:
            changed = {field.name: other_value(field, getattr(metric, field.name))}
        if field.name == "order" and getattr(metric, "weights", None):
            layers = getattr(metric, "layers", "one").split("/")  # each has its n-grams
            changed["weights"] = "1/" * len(layers) + metric.weights  # type: ignore[attr-defined]
        base = metric
        if field.name == "smooth_value":
            base = dataclasses.replace(metric, smooth="floor")  # type: ignore[call-arg]
        if field.name == "smooth":
            changed["smooth_value"] = None
        if field.name == "model" and metric.name == "Fluency":
            base = dataclasses.replace(metric, method="lm")  # type: ignore[call-arg]
        other = dataclasses.replace(base, **changed)
        assert other.signature != base.signature, field.name
        assert other.label != base.label, field.name
        assert field.metadata["help"], field.name


@pytest.mark.parametrize("name", WITHOUT_WORDS)
def test_texts_without_a_letter_or_digit(name: str) -> None:
    other = ["!?", "..."]
    texts = {"sources": other, "references": other}
    values = Metric.from_spec(SPECIFICATIONS[name]).segments(["...", "..."], **texts)
    for value, expected in zip(values, WITHOUT_WORDS[name], strict=True):
        if expected is not None:
            assert value == pytest.approx(expected, abs=1e-4)


def test_the_label_is_a_specification_of_the_metric(metric: Metric) -> None:
    assert Metric.from_spec(metric.label) == metric


def test_signature_needs_no_data_and_names_the_version(metric: Metric) -> None:
    assert metric.signature.startswith(metric.name + "|")
    assert "|v:" in metric.signature


def test_documented_with_a_runnable_example(metric: Metric) -> None:
    kind = type(metric)
    assert doctest.DocTestFinder(recurse=False).find(kind, kind.__name__)[0].examples
    module = sys.modules[kind.__module__]
    assert "statistics" in (module.__doc__ or "")
