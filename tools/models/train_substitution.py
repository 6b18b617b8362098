"""Fit the regression of `--rewrite encoder`, which comes with the package, and print its figures.

    python -m tools.models.train_substitution

Data: the substitutes of Swords' dev part (Lee et al. 2021, CC BY 3.0 US), words and phrases, whether or
not WordNet proposes them; people found them acceptable or not. A logistic regression on the features of
`substitution_features.py`, each scaled to a standard deviation of 1, with an L2 penalty of 1 / C. Folds
are over targets: no target is in two folds. The figures are those of WordNet's proposals, as in
`benchmarks/papers/swords.py`; the model that ships is fitted to all targets.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from benchmarks.data.swords_data import Proposals, read_substitutes, read_swords
from paragauge.encode.encoder_by_name import open_encoder
from paragauge.kernels.layout import Floats
from paragauge.rewrite.encoder.substitution_features import measure_substitutions
from paragauge.rewrite.encoder.substitution_model import ENGLISH, SubstitutionModel

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PARAGAUGE_DATA", ROOT.parent / "shared" / "data"))
FOLDS = 5
C = 0.3
# Chosen by reading substitutions in references of WMT 2012 and 2015; see the model card.
THRESHOLD = -1.0


def measure(proposals: Proposals) -> Floats:
    """The features of proposals."""
    span = proposals.position, proposals.position
    place = proposals.tokens, proposals.segment, span
    return measure_substitutions(*place, proposals.words, proposals.new, open_encoder())


def fit(features: Floats, good: NDArray[np.bool_]) -> SubstitutionModel:
    """The regression for these judgments, with weights of the features as they are measured."""
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    regression = LogisticRegression(C=C, max_iter=5000)
    regression.fit((features - mean) / deviation, good)
    weights = regression.coef_[0] / deviation
    bias = float(regression.intercept_[0] - weights @ mean)
    return SubstitutionModel(tuple(weights.tolist()), bias, THRESHOLD, open_encoder().fingerprint)


def folds_of(segment: NDArray[np.int64]) -> NDArray[np.int64]:
    """The fold of each proposal, by its target."""
    order = np.random.default_rng(7).permutation(int(segment.max()) + 1)
    return np.asarray(order[segment] % FOLDS)


def held_out_log_odds(path: Path) -> tuple[Proposals, Floats]:
    """WordNet's proposals, and their log odds by models that did not see their targets."""
    everything, proposals = read_substitutes(path), read_swords(path)
    features, own = measure(everything), measure(proposals)
    log_odds = np.zeros(len(own))
    for fold in range(FOLDS):
        seen = folds_of(everything.segment) != fold
        here = folds_of(proposals.segment) == fold
        log_odds[here] = fit(features[seen], everything.good[seen]).log_odds(own[here])
    return proposals, log_odds


def main() -> None:
    path = DATA / "swords" / "dev.json.gz"
    proposals, log_odds = held_out_log_odds(path)
    good = proposals.good
    print(f"WordNet's proposals: {len(good):,}, {100 * good.mean():.1f} % acceptable")
    print(f"held-out AUC: {roc_auc_score(good, log_odds):.3f}")
    print("threshold  accepted %  acceptable among accepted %  false refusals %")
    for threshold in np.arange(-4, 0.1, 0.5):
        accepted = log_odds >= threshold
        shares = accepted.mean(), good[accepted].mean(), 1 - accepted[good].mean()
        print(f"{threshold:9.1f}  " + "  ".join(f"{100 * share:.1f}" for share in shares))
    everything = read_substitutes(path)
    model = fit(measure(everything), everything.good)
    model.save(ENGLISH, {"data": "Swords dev (Lee et al. 2021)", "penalty": C})
    print(f"{ENGLISH.name}: encoder-{model.fingerprint}, {len(everything.good):,} judgments")


if __name__ == "__main__":
    main()
