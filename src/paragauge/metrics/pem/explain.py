"""Explain a PEM score: what the two sentences share in each pivot language and in wording, and how.

The sums and features are the metric's own, so the value equals that of `segments`; this module turns
their numbers back into words. Time: that of scoring, and one prediction for each feature.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import MARKS, Encoder, TextForm
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.explanation_parts import (
    AdequacyView,
    Edge,
    Feature,
    FluencyView,
    Gram,
    Influence,
    Overlap,
    Phrase,
    PivotView,
    Token,
)
from paragauge.metrics.pem.features import PAPER, Bags, Reader
from paragauge.metrics.pem.learned_parts import LEARNED
from paragauge.metrics.pem.model import PEMModel
from paragauge.metrics.pem.score_summary import summarize_pair, summarize_score
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.phrases.pivot_bags import ORDER, PivotBags, precision_recall_f1
from paragauge.phrases.pivot_network import NetworkSettings, Pivot
from paragauge.text.lines import Lines
from paragauge.text.vocabulary import Vocabulary

# Groups of features about the same thing, by the prefixes of their names.
GROUPS = {
    "meaning": ("pivot", "word", "adequacy"),
    "fluency": ("fluency",),
    "wording": ("target", "letters", "copy", "dissimilarity"),
    "length": ("length",),
}
FIRST = np.zeros(1, np.int64)


@dataclass(frozen=True)
class ScoredPair:
    """A candidate and its source as the metric scored them.

    `parts` are the metric's, and `row` has the features of the regression; `adequacy` is None if the
    adequacy is not learned.
    """

    candidate: str
    source: str
    value: float
    parts: Mapping[str, float]
    row: Floats
    adequacy: AdequacyView | None
    metric: str
    signature: str


def explain_pair(
    pair: ScoredPair,
    model: PEMModel | None,
    regression: RBFRegression,
    scale: tuple[float, float],
) -> PEMExplanation:
    """Explain the score of one pair with the model that scored it, None if the parts are learned."""
    resources = None if model is None else model.resources
    weights = WordWeights.default() if resources is None else resources.word_weights
    form = weights.form
    candidate, source = pair.candidate, pair.source
    ours, theirs = (_words(form, text) for text in (candidate, source))
    our_surface, their_surface = (_surface(form, text) for text in (candidate, source))
    reader = Reader(resources or weights, ("target_f1",) if resources is None else PAPER)
    sources = Bags(reader, Lines.of([source]), 1)
    candidates = Bags(reader, Lines.of([candidate]), 1)
    target = _overlap(
        _grams(theirs),
        _grams(ours),
        candidates.target,
        sources.target,
        _surface_grams(ours, our_surface) | _surface_grams(theirs, their_surface),
    )
    influences = _influences(regression, pair.row, regression.names)
    low, high = scale
    return PEMExplanation(
        metric=pair.metric,
        value=pair.value,
        rating=pair.parts["rating"],
        usual=float(regression.predict(regression.mean[None])[0]),
        scale=scale,
        signature=pair.signature,
        source_text=source,
        candidate_text=candidate,
        source=theirs,
        candidate=ours,
        source_surface=their_surface,
        candidate_surface=our_surface,
        parts={name: pair.parts[name] for name in (LEARNED if resources is None else PAPER)},
        pivots=()
        if resources is None
        else tuple(
            _pivot_view(
                pivot, resources.network, (theirs, their_surface, other), (ours, our_surface, mine)
            )
            for pivot, mine, other in zip(
                resources.pivots, candidates.phrases, sources.phrases, strict=True
            )
        ),
        target=target,
        fluency=None if resources is None else _fluency(resources.model, candidate),
        adequacy=pair.adequacy,
        features=_features(regression, pair.row),
        influences=influences,
        summary=summarize_score(
            summarize_pair(candidate, source, weights, target),
            pair.parts,
            influences,
            100.0 / (high - low),
        ),
    )


# The words of a sentence as they are in the model and in the text, and its bag.
PivotSide = tuple[tuple[str, ...], tuple[str, ...], PivotBags]


def _pivot_view(
    pivot: Pivot, settings: NetworkSettings, source: PivotSide, candidate: PivotSide
) -> PivotView:
    networks = [_network(pivot, settings, words, surface) for words, surface, _ in (source, candidate)]
    theirs, mine = (pivot.bag(" ".join(words), settings) for words, _, _ in (source, candidate))
    # Words that no phrase has stay as they are, and are shown as the text has them.
    unknown = {
        phrase.text: phrase.surface
        for network in reversed(networks)
        for phrase in network
        if not phrase.known
    }
    surfaces = {
        gram: " ".join(unknown.get(word, word) for word in gram.split(" ")) for gram in (*theirs, *mine)
    }
    overlap = _overlap(theirs, mine, candidate[2], source[2], surfaces)
    return PivotView(pivot.language, networks[0], networks[1], overlap)


def _words(form: TextForm, text: str) -> tuple[str, ...]:
    vocabulary = Vocabulary()
    ids = Encoder(form, vocabulary, grow=True).encode(Lines.of([text]), 1).ids
    return tuple(vocabulary.token(number) for number in ids.tolist())


def _surface(form: TextForm, text: str) -> tuple[str, ...]:
    """The words as the text has them, as many as `_words` gives."""
    return _words(TextForm(form.tokenize), text)


def _network(
    pivot: Pivot, settings: NetworkSettings, words: Sequence[str], surface: Sequence[str]
) -> tuple[Phrase, ...]:
    phrases, place = [], 0
    for part in pivot.network(" ".join(words), settings):
        end = place + part.phrase.count(" ") + 1
        edges = tuple(Edge(*edge) for edge in part.edges)
        phrases.append(Phrase(part.phrase, part.known, edges, " ".join(surface[place:end])))
        place = end
    return tuple(phrases)


def _grams(words: Sequence[str]) -> dict[str, float]:
    return dict(
        Counter(
            " ".join(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1)
        )
    )


def _surface_grams(words: Sequence[str], surface: Sequence[str]) -> dict[str, str]:
    """The n-grams as the text has them at their first place."""
    return {
        " ".join(words[i : i + n]): " ".join(surface[i : i + n])
        for n in range(1, ORDER + 1)
        for i in reversed(range(len(words) - n + 1))
    }


def _overlap(
    source: Mapping[str, float],
    candidate: Mapping[str, float],
    mine: PivotBags,
    theirs: PivotBags,
    surfaces: Mapping[str, str],
) -> Overlap:
    sums = mine.overlaps(theirs, FIRST, FIRST, threads=1)[0].sum(axis=0)
    grams = [
        Gram(
            text,
            float(source.get(text, 0.0)),
            float(candidate.get(text, 0.0)),
            "" if surfaces[text] == text else surfaces[text],
        )
        for text in dict.fromkeys([*source, *candidate])
    ]
    precision, recall, f1 = precision_recall_f1(sums).tolist()
    return Overlap(
        shared=_sort_grams(gram for gram in grams if gram.shared > 0),
        lost=_sort_grams(gram for gram in grams if gram.candidate == 0),
        added=_sort_grams(gram for gram in grams if gram.source == 0),
        shared_weight=float(sums[0]),
        source_weight=float(sums[2]),
        candidate_weight=float(sums[1]),
        precision=precision,
        recall=recall,
        f1=f1,
    )


def _sort_grams(grams: Iterable[Gram]) -> tuple[Gram, ...]:
    """By the weight that puts them in their list, and then shortest first."""

    def place(gram: Gram) -> tuple[float, int, str]:
        return -(gram.shared or gram.source + gram.candidate), gram.order, gram.text

    return tuple(sorted(grams, key=place))


def _fluency(model: LanguageModel, text: str) -> FluencyView:
    lines = Lines.of([text])
    scores, tokens = model.score(lines, threads=1), model.token_scores(lines, threads=1)
    words, surface = ([*split(model.form, text), MARKS[2]] for split in (_words, _surface))
    known = model.vocabulary.native
    return FluencyView(
        value=float(scores.normalize()[0]),
        log10=float(scores.log10[0]),
        tokens=tuple(
            # Marks that stand in a text are unknown words; the last token is one that does not.
            Token(
                word,
                surface[place],
                log10,
                matched,
                min(place + 2, model.order),
                place + 1 < len(words) and known.find(word) < len(MARKS),
            )
            for place, (word, log10, matched) in enumerate(
                zip(words, tokens.log10.tolist(), tokens.matched.tolist(), strict=True)
            )
        ),
    )


def _features(regression: RBFRegression, row: Any) -> tuple[Feature, ...]:
    changes = [_change(regression, row, [place]) for place in range(len(row))]
    columns = (row.tolist(), regression.mean.tolist(), regression.scale.tolist(), changes)
    return tuple(Feature(*fields) for fields in zip(regression.names, *columns, strict=True))


def _influences(regression: RBFRegression, row: Any, names: Sequence[str]) -> tuple[Influence, ...]:
    influences = []
    for group, starts in GROUPS.items():
        places = [i for i, name in enumerate(names) if name.startswith(starts)]
        if places:
            own = tuple(names[i] for i in places)
            influences.append(Influence(group, own, _change(regression, row, places)))
    return tuple(influences)


def _change(regression: RBFRegression, row: Any, places: Sequence[int]) -> float:
    """The prediction, minus that with the features at these places at their mean in training."""
    other = row.copy()
    other[list(places)] = regression.mean[list(places)]
    now, then = regression.predict(np.stack([row, other])).tolist()
    return float(now - then)
