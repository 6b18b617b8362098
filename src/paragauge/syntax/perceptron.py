"""The default tagger: an averaged perceptron (Collins 2002) that decodes greedily.

Each word gets the tag with the largest sum of feature weights,

    tag_i = argmax_t  sum_f  w[f, t],    f in features(words, i, tag_{i-1}, tag_{i-2}),

from left to right. Features: the word, its lowercased form, its first four and last five bytes, its
shape, its ambiguity class (the tags that a common word had in training, after Cutting et al. 1992), the
same of its neighbors, and the two tags before. `kernels/reference/syntax/tagger_words.py` lists them
all.

Deviations from Collins: no Viterbi search, which costs speed and gains little once the classes of the
following words are features; updates also where the right tag wins by no more than a margin; 8-bit
weights.

Quotes, apostrophes and brackets have several spellings, which are read as one: straight double
quotes alternate between opening and closing, typographic ones are Penn's `` and '', and -LRB- is a
bracket. Only ASCII letters are lowercased. Training sees a share of the sentences once more in upper
case, and another share in lower case, so that headlines and MT output are tagged well too.

Time is linear in the number of words, and tags do not depend on the number of threads.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, InputError, SettingError, ShapeError
from paragauge.kernels import _native
from paragauge.syntax.sentence import Sentence
from paragauge.text.files import display_name
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.saving.checked_file import read_checked, write_checked
from paragauge.text.tokenizers import check_threads

ENGLISH = Path(__file__).parents[1] / "models" / "tagger" / "english.bin"
MOST_TAGS = 63
MAGIC = b"PGTAGCRC"
WHAT, REMEDY = "a tagger's model", "make one with: paragauge tagger train"


class PerceptronTagger:
    """A trained model.

    >>> tagger = PerceptronTagger.default()
    >>> tagger.tag([["Dogs", "do", "n't", "bark", "."]])
    [['NNS', 'VBP', 'RB', 'VB', '.']]
    """

    def __init__(self, model: bytes) -> None:
        self._model = model
        self._native = _native.Tagger(model)
        self.names: tuple[str, ...] = tuple(self._native.names)

    @classmethod
    def default(cls) -> PerceptronTagger:
        """The English model that comes with the package; it is loaded once.

        >>> PerceptronTagger.default() is PerceptronTagger.default()
        True
        """
        return _english()

    @classmethod
    def load(cls, path: str | Path) -> PerceptronTagger:
        """The model in a file.

        >>> PerceptronTagger.load("none.bin")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.bin: no such file; check the path
        """
        data = read_checked(path, MAGIC, f"{WHAT}; {REMEDY}")
        try:
            return cls(data)
        except ValueError:
            message = f"expected {WHAT} of this version; {REMEDY}"
            raise FileFormatError(display_name(path), None, message) from None

    def save(self, path: str | Path) -> None:
        """Write the model to a file, which appears whole or not at all."""
        write_checked(path, MAGIC, self._model)

    @functools.cached_property
    def name(self) -> str:
        """The kind of tagger and the first digits of the model's SHA-256.

        >>> PerceptronTagger.default().name.partition("-")[0]
        'perceptron'
        """
        return f"perceptron-{hashlib.sha256(self._model).hexdigest()[:8]}"

    def __reduce__(self) -> tuple[type[PerceptronTagger], tuple[bytes]]:
        return PerceptronTagger, (self._model,)

    def __repr__(self) -> str:
        return f"PerceptronTagger({self.name}, {len(self.names)} tags)"

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """One tag for each word of each sentence."""
        tags = self.tag_lines(join_words(sentences))
        return [[self.names[i] for i in row] for row in tags.to_lists()]

    def tag_lines(self, lines: Lines, threads: int = 0) -> Ragged:
        """Numbers of the tags (see `names`) of the words of each line, separated by spaces.

        >>> tagger = PerceptronTagger.default()
        >>> [tagger.names[i] for i in tagger.tag_lines(Lines.of(["She left early ."]))[0]]
        ['PRP', 'VBD', 'RB', '.']
        """
        check_threads(threads)
        return Ragged(*self._native.tag(lines.buffer, lines.spans, threads))

    def known(self, lines: Lines) -> Ragged:
        """1 for each word that occurred three times or more in training, 0 for others.

        >>> PerceptronTagger.default().known(Lines.of(["the zzyzx"])).to_lists()
        [[1, 0]]
        """
        known = self._native.known(lines.buffer, lines.spans)
        return Ragged(known.astype(np.int32), self.tag_lines(lines).offsets)

    def accuracy(self, sentences: Iterable[Sentence]) -> float:
        """Share of words, from 0 to 1, that get their right tag.

        >>> right = Sentence(("She", "left"), ("PRP", "VBD"))
        >>> PerceptronTagger.default().accuracy([right])
        1.0
        """
        corpus = list(sentences)
        tagged = self.tag([sentence.words for sentence in corpus])
        words = sum(map(len, corpus))
        if words == 0:
            raise InputError("expected sentences to compare with, found no words")
        equal = sum(
            a == b
            for sentence, tags in zip(corpus, tagged, strict=True)
            for a, b in zip(sentence.tags, tags, strict=True)
        )
        return equal / words

    @classmethod
    def train(
        cls,
        sentences: Iterable[Sentence],
        *,
        epochs: int = 6,
        seed: int = 7,
        cutoff: int = 3,
        margin: int = 20,
        upper: float = 0.1,
        lower: float = 0.1,
        progress: Callable[[str], None] | None = None,
    ) -> PerceptronTagger:
        """Learn from tagged sentences; same sentences, settings and seed: same model, bit for bit.

        `cutoff`: features seen less often are left out. `margin`: by how much the right tag must
        win. `upper`, `lower`: shares of sentences seen once more in that case.

        >>> corpus = [Sentence(("a", "dog", "barks"), ("DT", "NN", "VBZ"))] * 5
        >>> PerceptronTagger.train(corpus).tag([["a", "dog"]])
        [['DT', 'NN']]
        """
        check_training(epochs, seed, cutoff, margin, upper, lower)
        corpus = list(sentences)
        names = sorted({tag for sentence in corpus for tag in sentence.tags})
        if not 1 <= len(names) <= MOST_TAGS:
            raise InputError(f"expected sentences with 1 to {MOST_TAGS} tags, found {len(names)}")
        corpus += _change_case(corpus, seed, upper, lower)
        number = {name: i for i, name in enumerate(names)}
        lines = join_words([sentence.words for sentence in corpus])
        tags = np.array([number[tag] for sentence in corpus for tag in sentence.tags], np.int32)
        try:
            trainer = _native.TaggerTrainer(
                lines.buffer, lines.spans, tags, names, cutoff, margin, seed
            )
        except ValueError as error:
            raise InputError(f"training: {error}") from None
        for epoch in range(1, epochs + 1):
            if progress is not None:
                progress(f"epoch {epoch}")
            trainer.epoch()
        return cls(trainer.model())


@functools.cache
def _english() -> PerceptronTagger:
    return PerceptronTagger.load(ENGLISH)


# Libraries that keep modules alive until exit would keep the native model alive too.
atexit.register(_english.cache_clear)


def join_words(sentences: Sequence[Sequence[str]]) -> Lines:
    """The words of each sentence, with spaces between.

    >>> list(join_words([["a", "b"], []]))
    ['a b', '']
    """
    if isinstance(sentences, str):
        raise ShapeError("sentences: expected lists of words, found a single string; tokenize it")
    for number, words in enumerate(sentences, 1):
        if isinstance(words, str):
            raise ShapeError(
                f"sentences: segment {number}: expected a list of words, found a string; tokenize it"
            )
        for word in words:
            if not isinstance(word, str) or not word or " " in word:
                raise ShapeError(
                    f"sentences: segment {number}: expected words without spaces, found {word!r}"
                )
    return Lines.of([" ".join(words) for words in sentences], "sentences")


def check_training(
    epochs: int, seed: int, cutoff: int, margin: int, upper: float, lower: float
) -> None:
    """Reject settings that make no sense.

    >>> check_training(0, 7, 3, 20, 0.1, 0.1)
    Traceback (most recent call last):
    paragauge.errors.SettingError: epochs: expected a whole number from 1 to 1,000, found 0
    """
    limits = (
        ("epochs", epochs, 1, 1000),
        ("seed", seed, 0, 2**63 - 1),
        ("cutoff", cutoff, 1, 1000),
        ("margin", margin, 0, 10_000),
    )
    for name, value, least, most in limits:
        if not isinstance(value, int) or not least <= value <= most:
            raise SettingError(
                f"{name}: expected a whole number from {least} to {most:,}, found {value!r}"
            )
    if not (0 <= upper <= 1 and 0 <= lower <= 1 and upper + lower <= 1):
        raise SettingError(
            f"upper, lower: expected shares from 0 to 1 with a sum of at most 1, found {upper}, {lower}"
        )


def _change_case(sentences: list[Sentence], seed: int, upper: float, lower: float) -> list[Sentence]:
    """Copies of some sentences in upper case, and of others in lower case."""
    draw = random.Random(seed)  # noqa: S311  # no secret
    copies = []
    for sentence in sentences:
        share = draw.random()
        if share < upper + lower:
            change = str.upper if share < upper else str.lower
            copies.append(Sentence(tuple(map(change, sentence.words)), sentence.tags))
    return copies
