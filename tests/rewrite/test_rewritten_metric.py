"""Metrics on rewritten references: alone, in specifications, and on engines."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from paragauge import BLEU, METEOR, PINC, score
from paragauge.errors import SettingError
from paragauge.lm.model import LanguageModel
from paragauge.rewrite import rewritten_metric
from paragauge.rewrite.context.context_decision import DECISIONS
from paragauge.rewrite.lm_filter import LanguageModelFilter
from paragauge.rewrite.rewrite_method import RewriteMethod
from paragauge.rewrite.rewriter import Rewriter
from paragauge.rewrite.rewritten_metric import RewrittenMetric
from paragauge.rewrite.rewritten_metric_spec import metric as metric_of
from paragauge.rewrite.rewritten_metric_spec import metrics_by_label
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines

REFERENCES = [["It is hard to say.", "Hard to say, now."], ["A big man left the place."]]
SYSTEMS = {
    "one": ["It is difficult to say.", "A large man left the home."],
    "two": ["It is hard to tell.", "A big adult male left."],
    "none": ["", "中"],
}
WORDNET = RewriteMethod("wordnet")


@pytest.mark.parametrize("name", ["bleu", "meteor", "maxsim", "chrf", "ter", "bleu-pinc"])
@pytest.mark.parametrize("threads", [1, 2])
def test_scores_are_those_on_references_rewritten_by_hand(name: str, threads: int) -> None:
    plain = metric_of(name)
    sources = ["It is so.", "A man."]
    inputs: dict[str, Any] = {"sources": sources} if "sources" in plain.needs else {}
    metric = RewrittenMetric(plain, WORDNET)
    assert (metric.name, metric.higher_is_better) == (plain.name, plain.higher_is_better)
    # All systems in one batch, each with references of its own.
    batch = Batch.of(SYSTEMS, references=REFERENCES, threads=threads, **inputs)
    for system, outputs in SYSTEMS.items():
        by_hand = list(Rewriter().run(REFERENCES, outputs).references)
        expected = plain.score(outputs, references=by_hand, **inputs)
        score = metric.score(outputs, references=REFERENCES, **inputs)
        assert (score.value, score.parts) == (expected.value, expected.parts)
        np.testing.assert_array_equal(
            metric.segment_values(metric.batch_stats(batch, system)),
            plain.segments(outputs, references=by_hand, **inputs),
        )


@pytest.mark.parametrize("own", [False, True])
def test_rewriters_at_the_same_address_are_not_mixed_up(
    own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Addresses are reused when rewriters are dropped, for example when many methods are in use.
    monkeypatch.setattr(rewritten_metric, "id", lambda _: 1, raising=False)
    batch = Batch.of({"one": SYSTEMS["one"]}, references=REFERENCES)
    counts, scores = [], []
    for threshold in (9, 0, -9):
        method = RewriteMethod("context", threshold=str(threshold))
        metric = RewrittenMetric(BLEU(), method.rewriter() if own else method)
        counts.append(metric.rewrite(batch, "one").substitutions)
        scores.append(float(metric.corpus_values(metric.batch_stats(batch, "one").sum(0)[None])[0]))
    assert counts == [
        RewriteMethod("context", threshold=str(threshold))
        .rewriter()
        .run(REFERENCES, SYSTEMS["one"])
        .substitutions
        for threshold in (9, 0, -9)
    ]
    assert (counts[0], counts[0] < counts[2], scores[0] < scores[2]) == (0, True, True)


def test_several_metrics_rewrite_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    plain_run = Rewriter.run
    monkeypatch.setattr(
        Rewriter, "run", lambda self, *texts, **more: calls.append(1) or plain_run(self, *texts, **more)
    )
    metrics = [RewrittenMetric(BLEU(), WORDNET), RewrittenMetric(METEOR(), WORDNET), BLEU()]
    score(SYSTEMS, metrics, references=REFERENCES, bootstrap=0)
    assert len(calls) == len(SYSTEMS)


def test_the_signature_carries_the_rewriting(word_scores: Any) -> None:
    plain = BLEU().signature
    metric = RewrittenMetric(BLEU(), WORDNET)
    assert "|rewrite:wordnet-3.0|rewrite-tagger:perceptron-" in metric.signature
    assert metric.signature.replace("|".join(_facts(metric)) + "|", "") == plain
    own = RewrittenMetric(BLEU(), Rewriter(filters=(word_scores(name="mine"),)))
    assert "|rewrite-filter:mine|rewrite-unknown:refuse|" in own.signature
    assert own.label.startswith("bleu:rewrite=wordnet-3.0:")
    score = metric.score(["a"], references=["b"])
    assert score.signature.startswith("BLEU|refs:1|rewrite:wordnet-3.0|")
    assert score.title == "BLEU:rewrite=wordnet"


def _facts(metric: RewrittenMetric) -> list[str]:
    return [f"{key}:{value}" for key, value in metric.rewriter.signature.items()]


def test_a_metric_without_references_is_rejected() -> None:
    with pytest.raises(SettingError, match="PINC does not use references, so there is nothing"):
        RewrittenMetric(PINC(), WORDNET)
    with pytest.raises(SettingError, match="PINC does not use references"):
        metric_of("pinc:rewrite=wordnet")
    with pytest.raises(SettingError, match="none of the metrics uses references"):
        metrics_by_label(["pinc"], {"rewrite": "wordnet"})


def test_specifications() -> None:
    metrics = metrics_by_label(["pinc,bleu:order=2", "meteor:rewrite=none"], {"rewrite": "wordnet"})
    assert list(metrics) == ["pinc", "bleu:order=2:rewrite=wordnet", "meteor"]
    again = metric_of("bleu:rewrite=lm:rewrite_model=x.bin:rewrite_threshold=-2:rewrite_unknown=accept")
    assert metric_of(again.label) == again
    assert isinstance(again, RewrittenMetric)
    assert again.rewriting == RewriteMethod("lm", "x.bin", "accept", "-2")
    assert pickle.loads(pickle.dumps(again)) == again  # noqa: S301  # our own bytes


def test_decisions_by_name() -> None:
    decided = {
        name: metric_of(f"bleu:rewrite=context:rewrite_decision={name}").signature for name in DECISIONS
    }
    assert len(set(decided.values())) == len(DECISIONS)
    assert "@0,0,0|" in decided["paper"]
    assert decided["calibrated"] == metric_of("bleu:rewrite=context").signature
    both = metric_of("bleu:rewrite=context:rewrite_decision=odds:rewrite_threshold=-2")
    assert "@-2,1,1|" in both.signature
    assert metric_of(both.label) == both
    # The paper's rule refuses "home", which the former default accepts.
    text = "It is hard to believe that such changes have taken place."
    output = "Far from home, it is difficult to believe this kind of changes."
    for name, expected in (("paper", ["difficult"]), ("swords", ["difficult", "home"])):
        rewriting = RewriteMethod("context", decision=name).rewriter().run([text], [output])
        assert [p.new for p in rewriting if p.verdict == "accepted"] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "bleu:rewrite=context:rewrite_decision=papr",
            "unknown decision 'papr'; did you mean 'paper'? known: paper, calibrated, relative",
        ),
        (
            "bleu:rewrite=lm:rewrite_decision=paper",
            "rewrite=lm: decision is for context classifiers; leave it out, or add +context",
        ),
        ("bleu:rewrite=contxt", "unknown rewriting method 'contxt'; did you mean 'context'"),
        ("bleu:rewrite=lsa", "lsa needs a model; train one with: paragauge rewrite train lsa TEXT"),
        ("bleu:rewrite=lsa+brown", "expected at most one of wordnet, lsa, brown"),
        ("bleu:rewrite=lm+lm", "each other part once"),
        ("bleu:rewrite=wordnet:rewrite_model=x", "expected at most 0 models, found 1"),
        (
            "bleu:rewrite=wordnet:rewrite_threshold=1",
            "expected 0 thresholds, one number for each filter joined by +, found '1'",
        ),
        (
            "bleu:rewrite=lm:rewrite_threshold=x",
            "expected 1 threshold, one number for each filter joined by +, found 'x'",
        ),
        ("bleu:rewrite=context+lm:rewrite_threshold=1", "expected 2 thresholds"),
        ("bleu:rewrite=lm:rewrite_unknown=x", "unknown way to treat unknown words 'x'"),
        ("bleu:rewrite_modl=x", "unknown setting of rewriting 'rewrite_modl'; did you mean"),
        ("bleu:rewrite", "expected setting=value, found 'rewrite'"),
        ("bleu:rewrite=lm:rewrite=lm", "setting 'rewrite' is given twice"),
        ("bleu:rewrite_model=x", "rewrite_model needs rewrite; give that too"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        metric_of(text)
    assert message in str(caught.value)


def test_a_window_gives_the_difference_of_the_whole_sentence() -> None:
    text = [
        "it took place here and now",
        "it is hard here",
        "it is difficult now",
        "we are home and here",
    ]
    model = LanguageModel.train(text * 3, order=3, discount_fallback=(0.5, 1, 1.5))
    lines = Lines.of(["we are here and it is hard now and here", "it"])
    words = Lines.of(["difficult", "home", "unheard"])
    line, position, word = np.array([0, 0, 1, 0]), np.array([6, 0, 0, 6]), np.array([0, 1, 0, 2])
    scores = LanguageModelFilter(model, -0.25).scores(lines, line, position, words, word)
    for i in range(3):
        tokens = lines[int(line[i])].split(" ")
        before = model.score([" ".join(tokens)]).log10[0]
        tokens[int(position[i])] = words[int(word[i])]
        after = model.score([" ".join(tokens)]).log10[0]
        assert scores[i] == pytest.approx(after - before + 0.25)
    assert np.isnan(scores[3])
    assert LanguageModelFilter(model, -0.25).name == f"{model.name}@-0.25"


def test_a_threshold_is_a_number() -> None:
    model = LanguageModel.train(["a b"], order=2, discount_fallback=(0.5, 1, 1.5))
    with pytest.raises(SettingError, match="threshold: expected a number, found nan"):
        LanguageModelFilter(model, float("nan"))


def test_the_built_in_language_model_filters() -> None:
    rewriting = RewriteMethod("lm").rewriter().run(["It is hard to say."], ["It is difficult to say."])
    assert [(proposal.new, proposal.verdict) for proposal in rewriting] == [("difficult", "accepted")]
    strict = RewriteMethod("lm", threshold="9").rewriter().run(["It is hard."], ["It is difficult."])
    assert [proposal.verdict for proposal in strict] == ["refused"]
