"""Explain a PEM score: what the two sentences share in each pivot language and in wording, and how.

Everything comes from what scores: the sums and features are the metric's own, so the value equals the
one of `segments`; here numbers become words again. Time: that of scoring, and one prediction for each
feature.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paragauge.errors import ShapeError
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import MARKS, Encoder, TextForm
from paragauge.metrics.pem.explanation import (
    Edge,
    Feature,
    Fluency,
    Gram,
    Influence,
    Overlap,
    PEMExplanation,
    Phrase,
    PivotView,
    Token,
)
from paragauge.metrics.pem.features import FEATURE_SETS, PAPER, Bags, Reader
from paragauge.metrics.pem.rbf import RBFRegression
from paragauge.phrases.pivot import ORDER, NetworkSettings, Pivot, PivotBags, precision_recall_f1
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines
from paragauge.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from paragauge.metrics.pem.metric import PEM

# Which features speak of the same, by how their names begin.
GROUPS = {
    "meaning": ("pivot", "word"),
    "fluency": ("fluency",),
    "wording": ("target", "letters", "copy"),
    "length": ("length",),
}
FIRST = np.zeros(1, np.int64)


def explain(metric: PEM, candidate: str, source: str) -> PEMExplanation:
    """How the score of a candidate with one source comes about.

    >>> from paragauge import PEM
    >>> found = explain(PEM(), "It rained.", "It was raining.")
    >>> [found.value] == PEM().segments(["It rained."], sources=["It was raining."]).tolist()
    True
    >>> list(found.parts)
    ['pivot_f1', 'fluency', 'target_f1']
    """
    for what, text in (("candidate", candidate), ("source", source)):
        if not isinstance(text, str):
            raise ShapeError(
                f"{what}: expected one sentence, got {type(text).__name__}; explain one pair at a time"
            )
    model = metric.opened()
    resources = model.resources
    batch = Batch.of({"": [candidate]}, sources=[source], threads=1)
    stats = metric.batch_stats(batch, "")
    row = metric.batch_features(batch, "")[0][0]
    ours, theirs = (_words(resources.form, text) for text in (candidate, source))
    our_surface, their_surface = (_surface(resources.form, text) for text in (candidate, source))
    reader = Reader(resources, PAPER)
    sources = Bags(reader, Lines.of([source]), 1)
    candidates = Bags(reader, Lines.of([candidate]), 1)
    regression = model.regressions[metric.features]
    names = FEATURE_SETS[metric.features]
    parts = metric.parts(stats[0])
    return PEMExplanation(
        metric=metric.name,
        value=float(metric.segment_values(stats)[0]),
        rating=parts["rating"],
        usual=float(regression.predict(regression.mean[None])[0]),
        scale=model.scale,
        signature=metric.signature,
        source_text=source,
        candidate_text=candidate,
        source=theirs,
        candidate=ours,
        source_surface=their_surface,
        candidate_surface=our_surface,
        parts={name: parts[name] for name in PAPER},
        pivots=tuple(
            PivotView(
                pivot.language,
                _network(pivot, resources.network, theirs, their_surface),
                _network(pivot, resources.network, ours, our_surface),
                _overlap(
                    pivot.bag(" ".join(theirs), resources.network),
                    pivot.bag(" ".join(ours), resources.network),
                    mine,
                    other,
                ),
            )
            for pivot, mine, other in zip(
                resources.pivots, candidates.phrases, sources.phrases, strict=True
            )
        ),
        target=_overlap(_grams(theirs), _grams(ours), candidates.target, sources.target),
        fluency=_fluency(resources.model, candidate),
        features=_features(regression, row),
        influences=_influences(regression, row, names),
    )


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


def _overlap(
    source: Mapping[str, float], candidate: Mapping[str, float], mine: PivotBags, theirs: PivotBags
) -> Overlap:
    sums = mine.overlaps(theirs, FIRST, FIRST, threads=1)[0].sum(axis=0)
    grams = [
        Gram(text, float(source.get(text, 0.0)), float(candidate.get(text, 0.0)))
        for text in dict.fromkeys([*source, *candidate])
    ]
    precision, recall, f1 = precision_recall_f1(sums).tolist()
    return Overlap(
        shared=_sorted(gram for gram in grams if gram.shared > 0),
        lost=_sorted(gram for gram in grams if gram.candidate == 0),
        added=_sorted(gram for gram in grams if gram.source == 0),
        shared_weight=float(sums[0]),
        source_weight=float(sums[2]),
        candidate_weight=float(sums[1]),
        precision=precision,
        recall=recall,
        f1=f1,
    )


def _sorted(grams: Iterable[Gram]) -> tuple[Gram, ...]:
    """By the weight that makes them stand in their list, and then short ones first."""

    def place(gram: Gram) -> tuple[float, int, str]:
        return -(gram.shared or gram.source + gram.candidate), gram.order, gram.text

    return tuple(sorted(grams, key=place))


def _fluency(model: LanguageModel, text: str) -> Fluency:
    lines = Lines.of([text])
    scores, tokens = model.score(lines, threads=1), model.token_scores(lines, threads=1)
    words, surface = ([*each(model.form, text), MARKS[2]] for each in (_words, _surface))
    known = model.vocabulary.native
    return Fluency(
        value=float(scores.normalized()[0]),
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
    return tuple(Feature(*each) for each in zip(regression.names, *columns, strict=True))


def _influences(regression: RBFRegression, row: Any, names: Sequence[str]) -> tuple[Influence, ...]:
    found = []
    for group, starts in GROUPS.items():
        places = [i for i, name in enumerate(names) if name.startswith(starts)]
        if places:
            own = tuple(names[i] for i in places)
            found.append(Influence(group, own, _change(regression, row, places)))
    return tuple(found)


def _change(regression: RBFRegression, row: Any, places: Sequence[int]) -> float:
    """The prediction, minus that with the features at these places at their mean in training."""
    other = row.copy()
    other[list(places)] = regression.mean[list(places)]
    now, then = regression.predict(np.stack([row, other])).tolist()
    return float(now - then)
