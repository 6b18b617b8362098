"""METEOR (Banerjee and Lavie 2005; Lavie and Agarwal 2007), as Chan and Ng (2008, 2.4) describe it.

The words of the candidate are mapped to those of the reference in stages: equal words, then words
with the same Porter stem, then synonyms. Each stage maps as many as it can of the words that earlier
stages left; of the alignments with the most mappings, the one with the fewest crosses counts, and of
these the one with the fewest chunks. With m mappings, P = m / words of the candidate, R = m / words of
the reference, and the mappings in as few chunks as possible (runs of neighbors on both sides),

    Fmean = P R / (alpha P + (1 - alpha) R)        score = Fmean (1 - gamma (chunks / m)^beta)

times 100. Without a mapping the score is 0, even if both sentences are empty. The parameters are
0.9, 3, 0.5 in the 2005 paper (the default) and 0.81, 0.83, 0.28 in the 2007 paper.

Crosses are counted over the whole alignment, including those with mappings of earlier stages. The
search is exact unless more than `beam` partial alignments must be kept, or a sentence is very long
(`kernels/reference/matching/meteor.py`); the part `cut` counts the pairs where that happened.

Two words are synonyms if they, or base forms of them (WordNet's morphy), stand together in a synset
of WordNet, whatever the sense and the part of speech. NLTK's METEOR hands stems to WordNet instead,
so that *big* and *large* never match (the stem *larg* is not a word).

With several references a segment scores its best one, as METEOR does, or with `references=mean` the
mean over them. The corpus score is METEOR's: P, R and the chunks are those of the summed statistics
(m, candidate words, reference words, chunks) of the best references, or of their means. The
statistics are these four, the segment's score and the number of searches that were cut.

Deviations: the METEOR program has its own tokenizer; here it is a setting, `13a` by default. Time is
about linear in the number of words for sentences with few repeated words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.lexicon.stems import check_stemmer, stem
from paragauge.lexicon.wordnet import SHIPPED, load
from paragauge.metrics.base import Metric, f_mean
from paragauge.metrics.settings import normalize_setting, setting, tokenize_setting
from paragauge.text.batch import Batch
from paragauge.text.lines import Lines, group_means, segment_of_line
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import CASES, Case, Normalize, Tokenizer
from paragauge.text.vocabulary import Vocabulary

PUBLISHED = {"2005": (0.9, 3.0, 0.5), "2007": (0.81, 0.83, 0.28)}
ENGLISH_STEMMERS = ("porter", "porter2", "english", "lovins")
Stages = Literal["exact+stem+synonym", "exact+stem", "exact+synonym", "exact"]


@dataclass(frozen=True)
class METEOR(Metric):
    """METEOR of candidates against references.

    >>> meteor = METEOR()
    >>> score = meteor.score(["a large dog ran"], references=["the big dog was running"])
    >>> round(score.value, 2), score.parts["matches"], score.parts["chunks"]
    (52.15, 3.0, 2.0)
    >>> METEOR.published("2007").label
    'meteor:alpha=0.81:beta=0.83:gamma=0.28'
    """

    name: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = "words, stems and synonyms shared with the references, in order"

    checked_options: ClassVar[frozenset[str]] = frozenset({"language"})

    alpha: float = setting(0.9, low=0, high=1, help="weight of recall against precision")
    beta: float = setting(3.0, low=0, high=100, help="power of the fragmentation penalty")
    gamma: float = setting(0.5, low=0, high=1, help="largest fragmentation penalty")
    stages: Stages = setting(
        "exact+stem+synonym", choices=get_args(Stages), help="what may match, one after the other"
    )
    stemmer: str = setting("porter", help="Snowball stemmer of the stage stem")
    wordnet: str = setting(SHIPPED, help="WordNet of the stage synonym: 3.0, or a path")
    references: Literal["best", "mean"] = setting(
        "best", choices=("best", "mean"), help="which of several references"
    )
    beam: int = setting(256, low=1, high=1_000_000, help="most partial alignments to keep")
    tokenize: Tokenizer = tokenize_setting()
    case: Case = setting("lower", choices=CASES, help="compare words as they are, or in lower case")
    normalize: Normalize = normalize_setting("typography")

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """As of every metric; the default `language` must be that of the stemmer and WordNet."""
        metric = super().from_settings(explicit, defaults)
        if isinstance(metric, METEOR):
            check_language(metric, defaults.get("language", "en"))
        return metric

    def __post_init__(self) -> None:
        super().__post_init__()
        check_stemmer(self.stemmer)

    @classmethod
    def published(cls, year: str) -> METEOR:
        """METEOR with the parameters of Banerjee and Lavie ("2005") or Lavie and Agarwal ("2007")."""
        if year not in PUBLISHED:
            raise SettingError(f"unknown year '{year}' of METEOR; known: {', '.join(PUBLISHED)}")
        alpha, beta, gamma = PUBLISHED[year]
        return cls(alpha=alpha, beta=beta, gamma=gamma)

    @property
    def needs(self) -> frozenset[str]:
        """References."""
        return frozenset({"references"})

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return ("stem" in self.stages and self.stemmer in ENGLISH_STEMMERS) or (
            "synonym" in self.stages and self.wordnet == SHIPPED
        )

    def extra_signature(self) -> dict[str, str]:
        """The name of the WordNet, with a digest of another one instead of its path."""
        return {"wordnet": load(self.wordnet).name}

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(m, candidate words, reference words, chunks, score, cut) of each segment."""
        batch = batch.normalized(self.normalize)
        theirs = batch.references
        if theirs is None:
            raise InputError("expected references, found none")
        vocabulary = Vocabulary()
        ours = self._encode(vocabulary, batch.systems[system], batch.threads)
        others = self._encode(vocabulary, theirs.lines, batch.threads)
        alignments = _native.meteor_alignments(
            (ours.ids, ours.offsets, None),
            (others.ids, others.offsets, theirs.groups),
            [(rows.ids, rows.offsets) for rows in self.stage_keys(vocabulary, batch.threads)],
            self.beam,
            batch.threads,
        ).astype(np.float64)
        counts = theirs.counts()
        segment = segment_of_line(theirs.groups, len(others))
        lines = np.stack(
            [alignments[:, 0], ours.lengths[segment], others.lengths, alignments[:, 1]], axis=1
        ).astype(np.float64)
        lines = np.concatenate([lines, self.corpus_values(lines)[:, None], alignments[:, 2:]], axis=1)
        return self._over_references(lines, counts, segment)

    def _encode(self, vocabulary: Vocabulary, lines: Lines, threads: int) -> Ragged:
        return vocabulary.encode(lines, self.tokenize, case=self.case, threads=threads)

    def stage_keys(self, vocabulary: Vocabulary, threads: int) -> list[Ragged]:
        """The keys of each word of the vocabulary, for each stage."""
        words = list(vocabulary)
        rows = [_one_per_row(np.arange(len(words)))]
        if "stem" in self.stages:
            numbers: dict[str, int] = {}
            stems = stem(words, self.stemmer)
            rows.append(
                _one_per_row(np.array([numbers.setdefault(form, len(numbers)) for form in stems]))
            )
        if "synonym" in self.stages:
            rows.append(load(self.wordnet).synonym_sets(Lines.of(words), "forms", threads))
        return rows

    def _over_references(self, lines: Floats, counts: np.ndarray, segment: np.ndarray) -> Floats:
        """One row per segment from one row per reference."""
        if len(lines) == len(counts):
            return lines
        first = np.cumsum(counts) - counts
        if self.references == "mean":
            means = group_means(np.concatenate([[0], np.cumsum(counts)]), lines)
            means[:, 5] *= counts
            return means
        # The first of the best references of each segment.
        order = np.lexsort((np.arange(len(lines)), -lines[:, 4], segment))
        best = lines[order[first]]
        best[:, 5] = np.add.reduceat(lines[:, 5], first)
        return np.asarray(best)

    def corpus_values(self, sums: Floats) -> Floats:
        """METEOR of (m, candidate words, reference words, chunks, ...): [..., k] in, [...] out."""
        matches, ours, theirs, chunks = (sums[..., i] for i in range(4))
        mean = np.nan_to_num(f_mean(matches, ours, theirs, self.alpha))
        share = np.divide(chunks, matches, out=np.zeros_like(matches), where=matches > 0)
        return np.asarray(100.0 * mean * (1.0 - self.gamma * share**self.beta))

    def segment_values(self, stats: Floats) -> Floats:
        """The score of each segment."""
        return np.asarray(stats[..., 4])

    def parts(self, sums: Floats) -> dict[str, float]:
        """Precision, recall, fragmentation penalty, and the sums they are made of."""
        matches, ours, theirs, chunks, _, cut = map(float, sums)
        return {
            "precision": 100 * matches / ours if ours else 0.0,
            "recall": 100 * matches / theirs if theirs else 0.0,
            "penalty": self.gamma * (chunks / matches) ** self.beta if matches else 0.0,
            "matches": matches,
            "chunks": chunks,
            "candidate_length": ours,
            "reference_length": theirs,
            "cut": cut,
        }


def check_language(metric: METEOR, language: str) -> None:
    """Refuse English tools for texts in another language.

    >>> check_language(METEOR(), "de")
    Traceback (most recent call last):
    paragauge.errors.SettingError: METEOR language=de: its stemmer and WordNet are English; choose ...
    """
    stemmer = "stem" in metric.stages and metric.stemmer in ENGLISH_STEMMERS
    lexicon = "synonym" in metric.stages and metric.wordnet == SHIPPED
    if language == "en" or not (stemmer or lexicon):
        return
    english = " and ".join(["stemmer"] * stemmer + ["WordNet"] * lexicon)
    raise SettingError(
        f"METEOR language={language}: its {english} {'are' if stemmer and lexicon else 'is'} English; "
        "choose stemmer=NAME and wordnet=PATH of the language, or stages without them, such as "
        "stages=exact"
    )


def _one_per_row(keys: np.ndarray) -> Ragged:
    """Rows of one key each."""
    return Ragged(keys.astype(np.int32), np.arange(len(keys) + 1, dtype=np.int64))
