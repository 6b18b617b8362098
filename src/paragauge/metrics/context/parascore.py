"""ParaScore (Shen et al. 2022): similarity of meaning plus a bonus for another wording.

    ParaScore = max(Sim(source, candidate), Sim(reference, candidate)) + omega * D(source, candidate)
    ParaScore.Free = Sim(source, candidate) + omega * D(source, candidate)

Sim is BERTScore's F. D rewards distance up to a point,

    D = gamma                              if d > gamma
    D = d * (gamma + 1) / gamma - 1        otherwise

where d is the edit distance of the two texts in characters by the length of the longer one; so D is -1
for a copy and grows to gamma. omega = 0.05 and gamma = 0.35 in the paper. `against=sources` (default)
is ParaScore.Free, `against=both` uses references as well.

Where the paper is silent, the choice is that of the authors' tool: distance in characters, case and
spaces included. With several sources or references, Sim is the best over them and d the smallest. A
corpus scores the mean of its segments. Values are times 100, so a copy scores 95 and the most is
101.75. An empty candidate has a similarity of 0 and still gets the bonus of its distance; where both
texts are empty, the segment has no value. The statistics are (value, 1, similarity, distance).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.encode.encoder_by_name import SHIPPED
from paragauge.errors import InputError
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.context.bertscore import BERTScore
from paragauge.metrics.context.edit_distance import edit_distance
from paragauge.metrics.context.explanation import ContextExplanation, Term
from paragauge.metrics.settings import normalize_setting, setting
from paragauge.text.batch import Batch
from paragauge.text.lines import segment_of_line
from paragauge.text.tokenizers import Normalize, normalize_text

Against = Literal["sources", "both"]


@dataclass(frozen=True)
class ParaScore(MeanMetric):
    """BERTScore with the source (or a reference) plus a bonus for a text that differs.

    >>> metric = ParaScore()
    >>> source = ["The meeting was put off until Monday."]
    >>> round(float(metric.segments(source, sources=source)[0]), 6)  # 100 - 5 for a copy
    95.0
    """

    name: ClassVar[str] = "ParaScore"
    summary: ClassVar[str] = "BERTScore with the source plus a bonus for another wording"

    encoder: str = setting(SHIPPED, help="an encoder's folder or name; english comes with the package")
    layer: int = setting(4, low=0, high=200, help="the encoder's layer whose vectors are compared")
    against: Against = setting(
        "sources", choices=get_args(Against), help="the source, or the closer of source and reference"
    )
    omega: float = setting(0.05, low=0, high=10, help="weight of the distance")
    gamma: float = setting(0.35, low=0.001, high=1, help="the distance from which more is not rewarded")
    normalize: Normalize = normalize_setting()

    @property
    def needs(self) -> frozenset[str]:
        """Sources; references too if they count."""
        return frozenset({"sources"} | ({"references"} if self.against == "both" else set()))

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return self.encoder == SHIPPED

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """BERTScore's layer."""
        return self._similarity("sources").encoder_layers

    def _similarity(self, against: Literal["sources", "references"]) -> BERTScore:
        return BERTScore(
            encoder=self.encoder,
            against=against,
            layer=self.layer,
            normalize=self.normalize,
        )

    def explain(self, candidate: str, source: str, reference: str | None = None) -> ContextExplanation:
        """BERTScore with its matching, the edit distance, and what they add up to.

        With `against="both"` a reference is needed, and the closer text of the two is shown.

        >>> explanation = ParaScore().explain("Dogs like mead", "Dogs like meat")
        >>> [term.name for term in explanation.terms], explanation.parts["edits"]
        (['BERTScore', 'D'], 1.0)
        >>> abs(sum(term.adds for term in explanation.terms) - explanation.value) < 1e-9
        True
        """
        candidate, source = (normalize_text(text, self.normalize) for text in (candidate, source))
        similarity = self._similarity("sources").explain(candidate, source)
        texts = dict(similarity.texts)
        others: dict[str, list[str]] = {"sources": [source]}
        if self.against == "both":
            if reference is None:
                raise InputError(f"{self.name} against=both needs a reference, found none")
            with_reference = self._similarity("references").explain(candidate, reference)
            texts |= with_reference.texts
            others["references"] = [reference]
            if (with_reference.value or 0.0) > (similarity.value or 0.0):
                similarity = with_reference
        batch = Batch.of({"": [candidate]}, **others, threads=1, several=False)
        value, known, closest, distance = self.batch_stats(batch, "")[0].tolist()
        longest = max(len(candidate), len(source))
        edits = edit_distance(candidate, source)
        bonus = 100 * float(reward(np.array(distance / 100), self.gamma))
        count = "1 edit" if edits == 1 else f"{edits} edits"
        rule = "gamma" if distance > 100 * self.gamma else "d (gamma + 1) / gamma - 1"
        note = f"{count} by {longest} characters: d = {distance / 100:.3f}, D = {rule}"
        return ContextExplanation(
            self.name,
            value if known else None,
            self.signature,
            texts,
            similarity.candidate,
            similarity.other,
            (
                Term("BERTScore", closest, 1.0, f"with the {similarity.other.role}, F"),
                Term("D", bonus, self.omega, note),
            )
            if known
            else (),
            similarity=similarity,
            parts={"distance": distance, "edits": float(edits), "characters": float(longest)},
        )

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, similarity, distance) of each segment, times 100 but for the 1."""
        batch = batch.normalized(self.normalize)
        rows = self._similarity("sources").batch_stats(batch, system)
        similarity, known = rows[:, 0], rows[:, 1] > 0
        if self.against == "both":
            references = self._similarity("references").batch_stats(batch, system)[:, 0]
            similarity = np.maximum(similarity, references)
        distance = smallest_distances(batch, system)
        bonus = reward(distance, self.gamma)
        values = similarity + 100 * self.omega * bonus
        parts = np.column_stack([similarity, 100 * distance])
        return mean_stats(np.where(known, values, np.nan), parts)

    def parts(self, sums: Floats) -> dict[str, float]:
        """The means of similarity and distance."""
        count = max(float(sums[1]), 1.0)
        return {"similarity": float(sums[2]) / count, "distance": float(sums[3]) / count}

    def extra_signature(self) -> dict[str, str]:
        """The fingerprint of the encoder."""
        return self._similarity("sources").extra_signature()


def reward(distance: Floats, gamma: float) -> Floats:
    """D of distances from 0 to 1.

    >>> reward(np.array([0.0, 0.175, 0.35, 1.0]), 0.35).round(3)
    array([-1.   , -0.325,  0.35 ,  0.35 ])
    """
    return np.asarray(np.where(distance > gamma, gamma, distance * (gamma + 1) / gamma - 1))


def smallest_distances(batch: Batch, system: str) -> Floats:
    """The edit distance of each candidate to its closest source, by the length of the longer text."""
    sources = batch.sources
    if sources is None:
        raise InputError("expected sources, found none")
    candidates = batch.systems[system]
    smallest = np.full(len(candidates), np.inf)
    for line, segment in enumerate(segment_of_line(sources.groups, len(sources.lines)).tolist()):
        source, candidate = sources.lines[line], candidates[segment]
        longest = max(len(source), len(candidate))
        distance = edit_distance(source, candidate) / longest if longest else 0.0
        smallest[segment] = min(smallest[segment], distance)
    return smallest
