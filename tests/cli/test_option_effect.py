"""Options for all metrics: each metric is reached by an option, or the command says that it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.cli.options.option_effect import check_effect
from paragauge.errors import SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS

WORDS = {"bleu", "pinc", "ibleu", "precis", "bleu-pinc", "pinc-sigmoid", "targetf1", "bert-ibleu"}
SETS = {"pairwise-pinc", "self-bleu", "distinct"}
MAXSIM = {"maxsim", "maxsim+dep", "maxsim-soft", "maxsim-context"}
CONTEXT = {"cosine", "bertscore", "bert-ibleu", "parascore"}
# Which metrics an option reaches, with a value that is not the default of any.
REACHED = {
    ("tokenize", "char"): WORDS | SETS | {"meteor", "maxsim", "maxsim+dep"},
    ("case", "lower"): WORDS | SETS | {"meteor", "chrf", "ter"},
    # METEOR and TER have this value by default.
    ("case", "mixed"): WORDS | SETS | {"meteor", "chrf", "ter", "pinc-svr"},
    ("language", "en"): MAXSIM | {"meteor"},
    ("wordnet", "3.0"): MAXSIM | {"meteor"},
    ("tagger", "paragauge"): MAXSIM,
    ("encoder", "english"): CONTEXT | {"maxsim-context", "pem-context", "adequacy-context"},
}
SPECIFICATIONS = {
    "pinc-sigmoid": "pinc-sigmoid:slope=0.1:midpoint=30",
    "pinc-svr": f"pinc-svr:model={Path(__file__).parents[1] / 'metrics/combined/pinc-svr.json'}",
}


@pytest.mark.parametrize("option", REACHED, ids="=".join)
@pytest.mark.parametrize("name", METRICS)
def test_an_option_reaches_a_metric_or_is_an_error(
    name: str, option: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = dict([option])
    metric = Metric.from_spec(SPECIFICATIONS.get(name, name), given)
    if name in REACHED[option]:
        check_effect(given, {name: metric})
    else:
        with pytest.raises(
            SettingError, match=rf"^--{option[0]} has no effect on {name.split('+')[0]}"
        ):
            check_effect(given, {name: metric})
        bleu = Metric.from_spec(
            "meteor" if option[0] in ("language", "wordnet") else "bert-ibleu", given
        )
        if option[0] != "tagger":
            check_effect(given, {name: metric, "other": bleu})
            assert capsys.readouterr().err == f"paragauge: --{option[0]} has no effect on {name}\n"


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("value", ["none", "typography"])
def test_every_metric_can_be_normalized(name: str, value: str) -> None:
    if name in ("maxsim-soft", "maxsim-context", "pinc-svr"):
        return  # the settings of a fit, which options do not change
    given = {"normalize": value}
    check_effect(given, {name: Metric.from_spec(SPECIFICATIONS.get(name, name), given)})


def test_settings_of_a_metric_win_and_inner_metrics_count() -> None:
    given = {"encoder": "english"}
    inner = Metric.from_spec("bleu-pinc:adequacy=bertscore", given)
    check_effect(given, {"bleu-pinc": inner})
    own = Metric.from_spec("bleu:tokenize=char", {"tokenize": "intl"})
    check_effect({"tokenize": "intl"}, {own.label: own})


def test_commands(call, fails, examples) -> None:
    texts = ("-s", examples / "sources.txt", "-c", examples / "edits.txt", "--bootstrap", "0")
    assert fails("score", *texts, "-m", "fluency", "--tokenize", "intl").startswith(
        "--tokenize has no effect on fluency; leave it out, or choose a metric"
    )
    done = call("score", *texts, "-m", "pinc,fluency", "--tokenize", "intl")
    assert (done.code, done.err) == (0, b"paragauge: --tokenize has no effect on fluency\n")
