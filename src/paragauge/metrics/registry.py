"""Metrics by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paragauge.metrics.base import Metric


class Metrics(Mapping[str, "type[Metric]"]):
    """Metrics by name, each loaded on first use, so that PINC does not load a tagger.

    >>> METRICS["pinc"].name, len(METRICS) > 10
    ('PINC', True)
    """

    def __init__(self, classes: Mapping[str, str]) -> None:
        """`classes` has the module and the class of each name, separated by a colon."""
        self._classes = dict(classes)

    def __getitem__(self, name: str) -> type[Metric]:
        module, _, kind = self._classes[name].partition(":")
        metric: type[Metric] = getattr(importlib.import_module(f"paragauge.metrics.{module}"), kind)
        return metric

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


METRICS = Metrics(
    {
        "bleu": "bleu:BLEU",
        "pinc": "pinc:PINC",
        "ibleu": "ibleu:IBLEU",
        "precis": "precis:PRECIS",
        "bleu-pinc": "combined.bleu_pinc:BLEUPINC",
        "pinc-sigmoid": "combined.pinc_sigmoid:PINCSigmoid",
        "pinc-svr": "combined.pinc_svr:PINCRegression",
        "targetf1": "target_f1:TargetF1",
        "maxsim": "maxsim.metric:MaxSim",
        "maxsim+dep": "maxsim.metric:MaxSimDep",
        "maxsim-soft": "maxsim.soft:MaxSimSoft",
        "maxsim-context": "maxsim.context:MaxSimContext",
        "cosine": "context.cosine:Cosine",
        "bertscore": "context.bertscore:BERTScore",
        "bert-ibleu": "context.bert_ibleu:BERTIBLEU",
        "parascore": "context.parascore:ParaScore",
        "meteor": "meteor:METEOR",
        "pem": "pem.metric:PEM",
        "pem-context": "pem.pem_context:PEMContext",
        "adequacy": "pem.adequacy.adequacy:Adequacy",
        "adequacy-context": "pem.adequacy.adequacy_context:AdequacyContext",
        "pivotf1": "pem.pivot_f1:PivotF1",
        "fluency": "pem.fluency:Fluency",
        "pairwise-pinc": "sets.pairwise_pinc:PairwisePINC",
        "self-bleu": "sets.self_bleu:SelfBLEU",
        "distinct": "sets.distinct:Distinct",
        "chrf": "chrf:ChrF",
        "ter": "ter:TER",
    }
)
# Names for a metric with the settings of a well-known tool; other settings may follow the name.
# NIST's mteval, up to version 11b, lowercases, does not smooth, and takes the shortest reference.
PRESETS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "mteval-v11b": ("bleu", {"case": "lower", "smooth": "none", "ref_length": "shortest"}),
    "distinct-1": ("distinct", {"n": "1"}),
    "distinct-2": ("distinct", {"n": "2"}),
}
