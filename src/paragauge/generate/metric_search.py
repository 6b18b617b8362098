"""The paraphrase that maximizes a metric (Liu, Dahlmeier and Ng 2010, section 7).

The paper proposes paraphrase(R) = argmax over P of PEM(P, R): a metric without references can not only
judge paraphrases but also find them. `Objective` generalizes PEM to any weighted sum of metrics that
need only the source.

A paraphraser defines the search space. First its n-best list is rescored. Then, if it offers
substitutes for parts of a sentence (`Substitutions`), hill climbing with a beam continues from there:
each round changes the best `beam` texts that have not been expanded yet in one place each, by the
substitutions with the best model scores, and evaluates the new texts. A sentence is done when its
`beam` best texts have all been expanded, or when `budget` texts have been evaluated. With `restarts`, a
sentence that is done before its budget is used up continues from another text of its n-best list, drawn
at random.

All sentences go through a round together, so that metrics get large batches. Only the restarts are
random, and they depend only on the seed and the sentence: batches and threads change nothing. Ties are
broken by the model's score, then by the text.

The model's score of a text is that of its derivation, divided by the number of source words. A text
made from another by a substitution has the other's score plus that of the substitution, which includes
the language model's estimate of its words alone; what the replaced words contributed is unknown and not
subtracted. No substitution raises the score: one above 0 counts as 0. So a large weight of the model
leaves little for local search. `slack` keeps the search close to the model: texts whose score per word
is more than that below the decoder's best are not considered.

Cost: at most `budget` evaluations per sentence.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from paragauge.errors import SettingError
from paragauge.generate.generator import Generator, Substitutions
from paragauge.generate.nbest import NBest
from paragauge.generate.objective import Objective
from paragauge.kernels.layout import Floats, Ints
from paragauge.lm.text_form import TextForm
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import apply_case, tokenize_lines

BATCH = 1 << 14  # texts that metrics get at once


@dataclass(frozen=True)
class SearchSettings:
    """How far search goes.

    >>> SearchSettings(beam=0)
    Traceback (most recent call last):
    paragauge.errors.SettingError: search beam: expected a whole number from 1 to 10000, found 0
    """

    nbest: int = 100  # hypotheses to rescore
    budget: int = 300  # evaluations of the objective per sentence, including the n-best list
    beam: int = 3  # texts expanded per round
    limit: int = 5  # substitutions per span
    slack: float | None = None  # how far below the decoder's best the model's score may be, per word
    restarts: int = 0
    seed: int = 7
    copies: bool = True  # whether a substitution may restore the source

    def __post_init__(self) -> None:
        for name, low, high in (
            ("nbest", 1, 100_000),
            ("budget", 1, 10_000_000),
            ("beam", 1, 10_000),
            ("limit", 1, 100_000),
            ("restarts", 0, 100_000),
            ("seed", 0, 2**63 - 1),
        ):
            value = getattr(self, name)
            if not low <= value <= high or value != int(value):
                raise SettingError(
                    f"search {name}: expected a whole number from {low} to {high}, found {value}"
                )
        if self.slack is not None and not self.slack >= 0:
            raise SettingError(f"search slack: expected a number from 0, found {self.slack}")


DEFAULT = SearchSettings()


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The best text of each sentence, and what the search did."""

    texts: list[str]
    values: Floats  # of the objective, [sentences]; NaN where there is no paraphrase
    start_texts: list[str]  # the decoder's own best
    start_values: Floats
    rescored_values: Floats  # of the best of the n-best list
    evaluations: Ints  # [sentences]
    objective: str
    settings: SearchSettings
    terms: tuple[str, ...]
    start_terms: Floats  # of the terms before they are weighted, [sentences, terms]
    rescored_terms: Floats
    end_terms: Floats
    seen: list[dict[str, SeenText]]  # all texts of each sentence


class SeenText(NamedTuple):
    """What the search knows about a text."""

    value: float  # of the objective
    model: float  # the model's score per word
    terms: tuple[float, ...]


@dataclass
class _Sentence:
    """The state of one sentence."""

    source: str
    seen: dict[str, SeenText] = field(default_factory=dict)
    expanded: set[str] = field(default_factory=set)
    floor: float = -np.inf  # of the model's score
    restarts: list[str] = field(default_factory=list)  # texts to continue from
    finished: bool = False

    def rank_texts(self) -> list[str]:
        """The texts, the best first."""
        seen = self.seen
        return sorted(seen, key=lambda text: (-seen[text].value, -seen[text].model, text))

    @property
    def words(self) -> int:
        """The number of source words, by which the model's scores are divided."""
        return max(1, len(self.source.split(" ")))

    def next_texts(self, beam: int) -> list[str]:
        """The texts to expand next; none when the search is done."""
        texts = [text for text in self.rank_texts()[:beam] if text not in self.expanded]
        while not texts and self.restarts:
            text = self.restarts.pop()
            texts = [] if text in self.expanded else [text]
        return texts


def search(
    generator: Generator,
    lines: Lines | Sequence[str],
    objective: Objective,
    *,
    settings: SearchSettings = DEFAULT,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> SearchResult:
    """Search for the paraphrase of each line with the largest value of the objective.

    `progress` is called with the number of sentences done since the last call. For a paraphraser
    without substitutions, only the n-best list is rescored.
    """
    sources = list(apply_form(Lines.of(lines, "lines"), generator.form, threads))
    sentences = [_Sentence(source) for source in sources]
    lists = generator.nbest(lines, min(settings.nbest, settings.budget), threads=threads)
    start = lists.best()
    _evaluate(sentences, _initial_texts(sentences, lists, settings), objective, threads)
    started = [
        sentence.seen.get(text, _unknown(objective))
        for sentence, text in zip(sentences, start, strict=True)
    ]
    rescored = [_best(sentence, objective)[1] for sentence in sentences]
    changes = generator if isinstance(generator, Substitutions) else None
    while any(not sentence.finished for sentence in sentences):
        new_texts: list[tuple[int, str, float]] = []
        for number, sentence in enumerate(sentences):
            if sentence.finished:
                continue
            neighbors = (
                []
                if changes is None
                else _neighbors(sentence, changes, generator.form, generator.longest, settings)
            )
            if neighbors:
                new_texts += [(number, text, model) for text, model in neighbors]
            else:
                sentence.finished = True
                if progress is not None:
                    progress(1)
        _evaluate(sentences, new_texts, objective, threads)
    best = [_best(sentence, objective) for sentence in sentences]
    ended = [seen for _, seen in best]
    return SearchResult(
        [text for text, _ in best],
        _values(ended),
        start,
        _values(started),
        _values(rescored),
        np.array([len(sentence.seen) for sentence in sentences], np.int64),
        objective.label,
        settings,
        objective.names,
        _terms(started, objective),
        _terms(rescored, objective),
        _terms(ended, objective),
        [sentence.seen for sentence in sentences],
    )


def apply_form(lines: Lines, form: TextForm, threads: int = 0) -> Lines:
    """The lines as a paraphraser with this form writes them: words separated by one space.

    >>> list(apply_form(Lines.of(["Hello, World"]), TextForm("13a", "lower")))
    ['hello , world']
    """
    return tokenize_lines(apply_case(lines, form.case), form.tokenize, threads=threads)


def _initial_texts(
    sentences: Sequence[_Sentence], lists: NBest, settings: SearchSettings
) -> list[tuple[int, str, float]]:
    """The hypotheses with a high enough model score; also draws the restarts from them."""
    new_texts: list[tuple[int, str, float]] = []
    texts, bounds = list(lists.texts), lists.offsets.tolist()
    for number, sentence in enumerate(sentences):
        first, last = bounds[number : number + 2]
        if first == last:
            continue
        scores = (lists.scores[first:last] / sentence.words).tolist()
        if settings.slack is not None:
            sentence.floor = max(scores) - settings.slack
        initial = [
            (number, text, score)
            for text, score in zip(texts[first:last], scores, strict=True)
            if score >= sentence.floor
        ]
        new_texts += initial
        if settings.restarts:
            rng = np.random.default_rng((settings.seed, zlib.crc32(sentence.source.encode())))
            indices = rng.permutation(len(initial))[: settings.restarts]
            sentence.restarts = [initial[index][1] for index in indices.tolist()]
    return new_texts


def _neighbors(
    sentence: _Sentence,
    changes: Substitutions,
    form: TextForm,
    longest: int,
    settings: SearchSettings,
) -> list[tuple[str, float]]:
    """New texts one substitution away from the texts to expand, those with the best model scores.

    A text that is too long for the paraphraser is not changed.
    """
    neighbors: dict[str, float] = {}
    room = settings.budget - len(sentence.seen)
    while room > 0 and not neighbors:
        texts = sentence.next_texts(settings.beam)
        if not texts:
            break
        for text in texts:
            sentence.expanded.add(text)
            words = next(iter(apply_form(Lines.of([text]), form))).split(" ")
            if len(words) > longest:
                continue
            for change in changes.substitutions(text, settings.limit):
                parts = [*words[: change.start], change.text, *words[change.end :]]
                changed = " ".join(part for part in parts if part)
                model = sentence.seen[text].model + min(0.0, change.score) / sentence.words
                if changed == sentence.source and not settings.copies:
                    continue
                if changed and changed not in sentence.seen and model >= sentence.floor:
                    neighbors[changed] = max(model, neighbors.get(changed, -np.inf))
    return sorted(neighbors.items(), key=lambda pair: (-pair[1], pair[0]))[: max(0, room)]


def _evaluate(
    sentences: Sequence[_Sentence],
    new_texts: Sequence[tuple[int, str, float]],
    objective: Objective,
    threads: int,
) -> None:
    for first in range(0, len(new_texts), BATCH):
        part = new_texts[first : first + BATCH]
        terms = objective.term_values(
            [text for _, text, _ in part],
            [sentences[number].source for number, _, _ in part],
            np.array([model for _, _, model in part]),
            threads,
        )
        rows = zip(part, objective.sum(terms).tolist(), terms.tolist(), strict=True)
        for (number, text, model), value, row in rows:
            sentences[number].seen[text] = SeenText(value, model, tuple(row))


def _unknown(objective: Objective) -> SeenText:
    """A text without values, for a sentence without paraphrases."""
    return SeenText(np.nan, np.nan, (np.nan,) * len(objective.names))


def _best(sentence: _Sentence, objective: Objective) -> tuple[str, SeenText]:
    ranked = sentence.rank_texts()
    return (ranked[0], sentence.seen[ranked[0]]) if ranked else ("", _unknown(objective))


def _values(seen: Sequence[SeenText]) -> Floats:
    return np.array([text.value for text in seen], np.float64)


def _terms(seen: Sequence[SeenText], objective: Objective) -> Floats:
    rows = [text.terms for text in seen]
    return np.array(rows, np.float64).reshape(-1, len(objective.names))
