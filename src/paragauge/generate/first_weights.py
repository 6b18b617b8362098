"""First weights of a grammar-based model, before tuning: a preset for each kind of resource.

Resources give the same things different names, signs and sizes: ours are probabilities, Thrax and PPDB
write -log p, PPDB 2.0 adds a score from 1 to about 6 that predicts human ratings, and PPDB's lexical
values are sums of dozens, which would outweigh all else at the weight that suits Thrax's. The preset is
recognized from the names of the features, in this order, or named:

| preset | recognized by | weights |
|---|---|---|
| `ppdb-2.0` | `PPDB2.0Score` or `-logp(e2|e1)` | 5 for `PPDB2.0Score` minus 3, see below |
| `ppdb-1.0` | `AGigaSim`, `GoogleNgramSim` or `RarityPenalty` with `p(LHS|e)` | see below |
| `thrax` | `p(e|f)`, `p(f|e)`, `Lex(e|f)` or `Lex(f|e)` | -0.3 for each of these |
| `paragauge` | anything else | 0.3 for `p_target`, `p_source`, `lex_target`, `lex_source` |

All have Moses' weights for LM, 0.5, and WordPenalty, -1; -1 for OOV; -1 for Identity, which makes
output differ from its source where the language model allows it; and 2 for `monotonic` with -2 for
RulePenalty, which together penalize rules that change the order by 2. Other features have 0.

PPDB 1.0 is ranked by its authors (Ganitkevitch, Van Durme and Callison-Burch 2013; the formula is in
Pavlick et al. 2015) by -log p(e|f) - log p(f|e) - log p(e|f,LHS) - log p(f|e,LHS) - 0.3 log p(LHS|f)
- 0.3 log p(LHS|e) + 100 RarityPenalty, lowest first. It has no lexical values, so they weigh 0.

PPDB 2.0's score is on the scale of the ratings that it was trained on, 1 (unrelated) to 5. A rule adds
5 (score - 3), so one below the middle of the scale is worse than leaving its words as they are, unless
the language model prefers it by 5 nats for each half point. A word that is left as it is adds 0, not
-1: the score already says whether a rule is worth applying. This is written with features that every
model has: -15 for RulePenalty, which each rule and each copied word has, and +15 for Identity, which
only copied words have. WordPenalty is -2, about what a word costs the language model, so that a rule
does not win by being short. `-logp(e2|e1)` and `-logp(e1|e2)` have -0.05, `Lex(e2|e1)` and
`Lex(e1|e2)` -0.005: they decide between rules of about the same score. A rule without a score has 0.

The papers are silent about first weights, which MERT or PRO replace. 5, 3 and -2 were chosen by hand
after a look at PPDB's human ratings, not fitted: `python -m benchmarks.papers.first_weights` prints how
often the better-rated rule wins with other weights of the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels.layout import Floats

LM = "LM"
MONOTONIC = ("monotonic", "Monotonic")
REORDERING = 2.0  # the cost of a rule that changes the order
PresetName = Literal["ppdb-2.0", "ppdb-1.0", "thrax", "paragauge"]
PRESETS: tuple[PresetName, ...] = get_args(PresetName)
AUTO = "auto"

SCORE = "PPDB2.0Score"
SCORE_WEIGHT = 5.0
LEAST_SCORE = 3.0  # the middle of the scale: rules below it are worse than copying
TENTH = -0.1
_SHARED = {
    LM: 0.5,
    "WordPenalty": -1.0,
    "OOV": -1.0,
    "Identity": -1.0,
    **dict.fromkeys(MONOTONIC, REORDERING),
}


@dataclass(frozen=True)
class Preset:
    """How a resource is recognized, and its weights.

    `signs` are sets of features: a grammar that has all features of one of them is such a resource.
    """

    signs: tuple[frozenset[str], ...]
    weights: Mapping[str, float] = field(default_factory=dict)


_PRESETS: dict[PresetName, Preset] = {
    "ppdb-2.0": Preset(
        (frozenset({SCORE}), frozenset({"-logp(e2|e1)"})),
        {
            SCORE: SCORE_WEIGHT,
            "WordPenalty": -2.0,
            "Identity": 0.0,
            **dict.fromkeys(("-logp(e2|e1)", "-logp(e1|e2)"), -0.05),
            **dict.fromkeys(("Lex(e2|e1)", "Lex(e1|e2)"), -0.005),
        },
    ),
    "ppdb-1.0": Preset(
        (
            frozenset({"AGigaSim"}),
            frozenset({"GoogleNgramSim"}),
            frozenset({"RarityPenalty", "p(LHS|e)"}),
        ),
        {
            **dict.fromkeys(("p(e|f)", "p(f|e)", "p(e|f,LHS)", "p(f|e,LHS)"), TENTH),
            **dict.fromkeys(("p(LHS|f)", "p(LHS|e)"), 0.3 * TENTH),
            "RarityPenalty": 100 * TENTH,
        },
    ),
    "thrax": Preset(
        tuple(frozenset({name}) for name in ("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)")),
        dict.fromkeys(("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)"), -0.3),
    ),
    "paragauge": Preset(
        (frozenset(),), dict.fromkeys(("p_target", "p_source", "lex_target", "lex_source"), 0.3)
    ),
}


def recognize_resource(names: Sequence[str]) -> PresetName:
    """The preset for a grammar with these features.

    >>> recognize_resource(["PPDB2.0Score", "AGigaSim"])
    'ppdb-2.0'
    >>> recognize_resource(["p(e|f)", "Lex(e|f)"]), recognize_resource(["0", "1"])
    ('thrax', 'paragauge')
    """
    return next(name for name in PRESETS if _has_signs(_PRESETS[name], names))


def default_weights(names: Sequence[str], preset: str = AUTO) -> Floats:
    """Weights before tuning, in the order of `names`; `preset` names the resource.

    A preset for another resource, none of whose features the grammar has, is an error.

    >>> default_weights(["LM", "p_target", "WordPenalty", "WordCountDiff"]).tolist()
    [0.5, 0.3, -1.0, 0.0]
    >>> default_weights(["LM", "PPDB2.0Score", "RulePenalty", "Identity"]).tolist()
    [0.5, 5.0, -15.0, 15.0]
    >>> default_weights(["LM", "p_target"], "ppdb-2.0")
    Traceback (most recent call last):
    paragauge.errors.SettingError: weights ppdb-2.0: expected a grammar with PPDB2.0Score or ...
    """
    name = recognize_resource(names) if preset == AUTO else preset
    if name not in _PRESETS:
        raise unknown_name("preset of weights", name, (AUTO, *PRESETS))
    resource = _PRESETS[name]
    if not _has_signs(resource, names):
        signs = " or ".join(" with ".join(sorted(sign)) for sign in resource.signs)
        raise SettingError(
            f"weights {name}: expected a grammar with {signs}, found the features "
            f"{', '.join(names)}; use {recognize_resource(names)}, or {AUTO}"
        )
    weights = {**_SHARED, **resource.weights}
    offset = -REORDERING * sum(feature in names for feature in MONOTONIC)
    if name == "ppdb-2.0" and SCORE in names:
        offset -= SCORE_WEIGHT * LEAST_SCORE
        weights["Identity"] += SCORE_WEIGHT * LEAST_SCORE
    weights["RulePenalty"] = offset
    return np.array([weights.get(feature, 0.0) for feature in names]) + 0.0


def _has_signs(preset: Preset, names: Sequence[str]) -> bool:
    return any(sign <= set(names) for sign in preset.signs)
