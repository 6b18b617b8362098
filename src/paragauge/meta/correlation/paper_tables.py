"""The correlation tables of the papers, from ratings of the same shape.

- ``pem-1``: Liu et al. (2010), table 1: each judge against each other one, on the overall score.
- ``pem-2``: Liu et al. (2010), table 2: how each criterion correlates with the overall score, at
  sentence and system level; the last row is dissimilarity where the other criteria are at least 4.
- ``pem-3``: Liu et al. (2010), table 3: each metric against the mean of the judges and against each
  judge.
- ``pinc-3``: Chen and Dolan (2011), table 3: the mean rating of each system on each criterion.
- ``pinc-4``: Chen and Dolan (2011), table 4: judges against each other, BLEU, PINC and PEM against
  people, PINC where BLEU is above a threshold, and combinations of BLEU and PINC. The metrics are
  settings: PINC, the first one that is not PINC in BLEU's place, and others as PEM. As in the paper,
  the logistic of PINC x sigmoid(BLEU) is fitted on the same ratings ("we used an oracle"), so its
  value is optimistic; a row that the paper does not have gives its value held out. Cells that are N/A
  in the paper are left out.
- ``maxsim``: Chan and Ng (2008), tables 1 to 4: metrics by criterion, with the average over criteria;
  of several groups (language pairs, test sets) the mean, then each. "Converting the raw scores to
  ranks and then using Spearman's rank correlation coefficient": rho over systems, three decimals.
- ``kauchak-4``, ``kauchak-5``, ``kauchak-6``: Kauchak and Barzilay (2006), tables 4 to 6: metrics on
  rewritten references (`rewriting_tables.py`). Tables 7 and 8 are in
  `agreement/substitution_tables.py`.
- ``paradigm-7``: Weese, Ganitkevitch and Callison-Burch (2014), table 7: Spearman's rho of scores of
  systems, of any kind, with the ratings on each criterion. A system's rating is the mean over its
  candidates of their mean ratings, which is the paper's mean over all judgments if each candidate has
  as many judges. Rows and columns are in the order of the input.
  One decimal, as in the paper: without ties, the rho of five systems has no more.

Those of Liu et al. and of Chen and Dolan are Pearson's r with bootstrap intervals over segments, which
the papers do not give. Sentence level is the *pooled* view. A judge called ``control`` stands for the
predetermined ratings of control systems and does not count as a judge: what judges did not rate is in
the means of tables 2 and 3, as in the paper, and not where judges are compared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from paragauge.errors import SettingError, unknown_name
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.correlation.maxsim_table import metrics_by_criterion
from paragauge.meta.correlation.paper_layout import Layout
from paragauge.meta.correlation.paradigm_table import systems_table
from paragauge.meta.correlation.pem_tables import criteria_table, judges_table, metrics_table
from paragauge.meta.correlation.pinc_tables import combinations_table, ratings_table
from paragauge.meta.correlation.rewriting_tables import (
    documents_table,
    significance_table,
    substitutions_table,
)
from paragauge.meta.sets.evalset import EvalSet
from paragauge.metrics.base import Metric
from paragauge.rewrite.rewritten_metric_spec import metrics_by_label

LayoutName = Literal[
    "pem-1",
    "pem-2",
    "pem-3",
    "pinc-3",
    "pinc-4",
    "maxsim",
    "kauchak-4",
    "kauchak-5",
    "kauchak-6",
    "paradigm-7",
]
LAYOUTS: tuple[LayoutName, ...] = get_args(LayoutName)
# What tables 4 to 6 of Kauchak and Barzilay compare, if nothing else is asked for.
REWRITINGS = ("bleu", "bleu:rewrite=wordnet", "bleu:rewrite=context")
# What other tables compare then. PEM needs no references, so that its tables can do without.
USUAL_METRICS: Mapping[str, tuple[str, ...]] = {
    "pem-3": ("pem:features=paper", "bleu", "meteor"),
    "pinc-4": ("bleu", "pinc", "pem:features=paper"),
    "maxsim": ("maxsim", "meteor", "mteval-v11b"),
}


def layout(
    name: LayoutName,
    judged: EvalSet,
    settings: CorrelationSettings | None = None,
    *,
    overall: str = "overall",
    where: str | None = None,
    metrics: Mapping[str, Metric] | None = None,
    criteria: Sequence[str] = (),
) -> Layout:
    """The table with this name, for these ratings and, where the table has metrics, texts or scores.

    `metrics`, by label, are scored for the tables that have metrics. By default those are the scores of
    the set, and where it has none, those of `USUAL_METRICS` that the texts allow; for tables 4 to 6 of
    Kauchak and Barzilay BLEU as it is and on references that are rewritten without a filter and with
    the paper's. `criteria` are the columns of ``paradigm-7`` and ``maxsim``, by default all.
    """
    settings = dataclasses.replace(
        settings or CorrelationSettings(), test="none", statistic="pearson", view="pooled"
    )
    if where is not None and name in LAYOUTS and name != "pem-2":
        raise SettingError(f"layout {name} has no condition; only pem-2 does")
    if name.startswith("kauchak"):
        metrics = metrics or metrics_by_label(REWRITINGS)
    if name in USUAL_METRICS and not metrics and not judged.scores:
        metrics = usual_metrics(name, judged)
    if name == "pem-1":
        table = judges_table(judged, settings, overall)
    elif name == "pem-2":
        table = criteria_table(judged, settings, overall, where)
    elif name == "pem-3":
        table = metrics_table(judged, settings, overall, metrics)
    elif name == "pinc-3":
        table = ratings_table(judged, settings)
    elif name == "pinc-4":
        table = combinations_table(judged, settings, overall, metrics)
    elif name == "maxsim":
        table = metrics_by_criterion(judged, settings, criteria, metrics)
    elif name == "kauchak-4":
        table = documents_table(judged, settings, overall, metrics or {})
    elif name == "kauchak-5":
        table = significance_table(judged, settings, overall, metrics or {})
    elif name == "kauchak-6":
        table = substitutions_table(judged, settings, metrics or {})
    elif name == "paradigm-7":
        table = systems_table(judged, settings, criteria)
    else:
        raise unknown_name("layout", name, LAYOUTS)
    left_out = ", ".join(f"{count} with {reason}" for reason, count in judged.left_out.items())
    if not left_out:
        return table
    items = f"{judged.items} candidate{'s' * (judged.items != 1)}; left out: {left_out}."
    return dataclasses.replace(table, notes=(items, *table.notes))


def usual_metrics(
    name: str, judged: EvalSet, defaults: Mapping[str, str] | None = None
) -> dict[str, Metric]:
    """The metrics of a table if none are named: those of the paper that the texts allow.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rows = [("1", "a", "A", {"overall": 2.0})]
    >>> judged = build(rows, sources={"1": ["x y"]}, candidates={("1", "a"): "x z"})
    >>> list(usual_metrics("pem-3", judged))
    ['pem:features=paper']
    """
    if judged.candidates is None:
        return {}
    texts = {"sources": judged.sources, "references": judged.references}
    inputs = {text for text, given in texts.items() if given is not None}
    chosen = metrics_by_label(USUAL_METRICS[name], defaults or {})
    return {label: metric for label, metric in chosen.items() if metric.needs <= inputs}
