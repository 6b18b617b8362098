"""Metrics of paragauge for Hugging Face `evaluate`.

    import evaluate

    pinc = evaluate.load("examples/evaluate/paragauge_metric.py", "pinc")
    pinc.compute(predictions=candidates, sources=sources)

The configuration is the metric as the command line takes it (`bleu:order=2`, `pem`,
`my_package.length:Length`); without one it is BLEU. A metric takes the inputs that it needs:
`references` (one text or a list of texts per prediction), `sources`, or both. The result has the corpus
score under the metric's name, and its signature.
"""

from __future__ import annotations

import datasets
import evaluate

import paragauge

ONE, SEVERAL = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))


class ParagaugeMetric(evaluate.Metric):
    """A metric of paragauge; the configuration says which."""

    def _info(self) -> evaluate.MetricInfo:
        name = "bleu" if self.config_name in (None, "default") else self.config_name
        self.metric = paragauge.metric(name)
        others = sorted(self.metric.needs)
        features = [
            datasets.Features({"predictions": ONE} | dict.fromkeys(others, kind))
            for kind in (ONE, SEVERAL)
        ]
        return evaluate.MetricInfo(
            description=f"{self.metric.name}: {self.metric.summary} (from 0 to {self.metric.scale})",
            citation="See the page of the metric in the documentation of paragauge.",
            inputs_description=f"predictions, and {' and '.join(others) or 'nothing else'}",
            features=features,
        )

    def _compute(self, predictions, **inputs):
        score = self.metric.score(predictions, **inputs)
        label = self.metric.label
        return {label: float(score), f"{label}_signature": score.signature}
