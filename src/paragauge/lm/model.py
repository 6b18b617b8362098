"""Back-off language models: train, load, save and query them.

    P(w|h) = the model's probability of hw if it has hw, else a(h) P(w|h')

where h' is the context h without its first word and a(h) its back-off weight. A sentence starts after
``<s>`` and ends with ``</s>``; a word that the model does not have is ``<unk>``, and so are the marks
themselves if they occur in a text.

The state between two words is one number: the longest n-gram that ends there and that another word may
follow. A word costs one lookup and one more for each time the model backs off.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, InputError
from paragauge.kernels import _native
from paragauge.lm.arpa import read_arpa, write_arpa
from paragauge.lm.binary import is_binary, read_binary, write_binary
from paragauge.lm.estimate import Estimation, EstimationSettings
from paragauge.lm.ngram_table import NgramTable
from paragauge.lm.quantize import check_bits
from paragauge.lm.scores import LanguageModelScores, TokenScores
from paragauge.lm.text_form import Encoder, TextForm
from paragauge.text.files import RawFile, check_not_compressed, display_name
from paragauge.text.lines import Lines
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import check_threads
from paragauge.text.vocabulary import Vocabulary

START = 64  # bytes that distinguish a binary model from text


class LanguageModel:
    """A model in memory.

    >>> text = ["the cat sat", "the cat ran", "a dog ran"]
    >>> model = LanguageModel.train(text, order=2, discount_fallback=(0.5, 1, 1.5))
    >>> model
    LanguageModel(order 2, 9 1-grams, 9 2-grams, tok:none|case:mixed|stem:none)
    >>> scores = model.score(["the cat sat", "the dog sang"])
    >>> scores.log10.round(3).tolist(), scores.unknown.tolist()
    ([-1.4, -3.901], [0, 1])
    """

    def __init__(self, table: NgramTable, form: TextForm | None = None, threads: int = 0) -> None:
        self.table = table
        self._form = form or TextForm()
        self._native = _native.NgramModel([level.arrays() for level in table.levels], threads)

    @classmethod
    def train(
        cls,
        lines: Iterable[str],
        *,
        order: int = 4,
        form: TextForm | None = None,
        prune: Sequence[int] = (0,),
        entropy_prune: float = 0.0,
        discount_fallback: Sequence[float] | None = None,
        memory: int = 1 << 30,
        threads: int = 0,
        progress: Callable[[str], None] | None = None,
    ) -> LanguageModel:
        """Learn from sentences, see `estimate.py`; `train_files` writes models larger than memory.

        >>> LanguageModel.train(["a b c"], order=2)
        Traceback (most recent call last):
        paragauge.lm.estimate.DiscountError: cannot estimate the discounts of 1-grams: none has ...
        """
        settings = EstimationSettings(order, prune, discount_fallback, memory, None, threads)
        with Estimation(settings, form) as estimation:
            estimation.add(lines)
            estimation.finish(progress)
            table = estimation.table()
        if entropy_prune:
            table = table.prune_by_entropy(entropy_prune, threads)
        return cls(table, form, threads)

    @classmethod
    def load(cls, path: str | Path, *, form: TextForm | None = None, threads: int = 0) -> LanguageModel:
        """The model in a file: the binary form, or ARPA, which may be compressed.

        `form` is for files that do not state the form of their text; if they do, it must be the same.

        >>> LanguageModel.load("none.arpa")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.arpa: no such file; check the path
        """
        check_threads(threads)
        stored: TextForm | None
        if _starts_binary(path):
            table, stored, _ = read_binary(path)
        else:
            table, stored = read_arpa(path)
        if form is not None and stored is not None and form != stored:
            raise InputError(
                f"{path}: the model was trained on text of the form {stored.label}, "
                f"not {form.label}; leave the form out"
            )
        try:
            return cls(table, stored or form, threads)
        except ValueError as error:
            raise FileFormatError(display_name(path), None, f"{error}; train the model again") from None

    def __reduce__(self) -> tuple[type[LanguageModel], tuple[NgramTable, TextForm]]:
        return LanguageModel, (self.table, self._form)

    def save(self, path: str | Path, *, bits: int | None = None, threads: int = 0) -> None:
        """Write ARPA if the name ends in .arpa (.gz or .zst may follow), else the binary form.

        `bits`, 4 to 8, quantizes the binary form.
        """
        check_name(path, bits)
        if is_arpa_name(path):
            write_arpa(path, self.table, self.form, threads)
        else:
            write_binary(path, self.table, self.form, bits)

    @property
    def native(self) -> _native.NgramModel:
        """The model as kernels take it."""
        return self._native

    @property
    def form(self) -> TextForm:
        """How text becomes words."""
        return self._form

    @property
    def order(self) -> int:
        """Words in the longest n-grams."""
        return self.table.order

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams of each order."""
        return self.table.counts

    @property
    def vocabulary(self) -> Vocabulary:
        """The words; the first three are ``<unk>``, ``<s>`` and ``</s>``."""
        return self.table.vocabulary

    @functools.cached_property
    def name(self) -> str:
        """The order and the first digits of a SHA-256 of words, n-grams and form."""
        digest = hashlib.sha256(self.form.label.encode())
        texts = self.vocabulary.texts()
        for array in (texts.buffer, texts.spans):
            digest.update(np.ascontiguousarray(array).tobytes())
        for level in self.table.levels:
            for values in level.arrays():
                digest.update(values.tobytes())
        return f"{self.order}gram-{digest.hexdigest()[:8]}"

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {k}-grams" for k, count in enumerate(self.counts, 1))
        return f"LanguageModel(order {self.order}, {counts}, {self.form.label})"

    def score(
        self, lines: Iterable[str], *, tokenized: bool = False, threads: int = 0
    ) -> LanguageModelScores:
        """Probabilities of sentences; if `tokenized`, words separated by spaces, used as they are."""
        words = self._words(lines, tokenized, threads)
        log10, known, unknown = self._native.sentences(words.ids, words.offsets, threads)
        return LanguageModelScores(log10, words.lengths, unknown, known)

    def token_scores(
        self, lines: Iterable[str], *, tokenized: bool = False, threads: int = 0
    ) -> TokenScores:
        """Probabilities of the tokens, and the length of the n-gram that each was found in."""
        words = self._words(lines, tokenized, threads)
        return TokenScores(*self._native.tokens(words.ids, words.offsets, threads))

    @property
    def begin(self) -> int:
        """The state at the start of a sentence, after ``<s>``."""
        return self._native.begin

    def score_word(self, state: int, word: str) -> tuple[float, int]:
        """log10 P(word | state) and the state after it; ``</s>`` ends a sentence.

        >>> model = LanguageModel.train(["a b", "a"], order=2, discount_fallback=(0.5, 1, 1.5))
        >>> log10, state = model.score_word(model.begin, "a")
        >>> round(log10 + model.score_word(state, "</s>")[0], 6)
        -0.563142
        >>> model.score(["a"]).log10.round(6).tolist()
        [-0.563142]
        """
        number = max(0, self.vocabulary.native.find(word))
        try:
            return self._native.step(state, number)
        except ValueError:
            raise InputError(f"expected a state that the model gave, found {state!r}") from None

    def _words(self, lines: Iterable[str], tokenized: bool, threads: int) -> Ragged:
        form = TextForm() if tokenized else self.form
        return Encoder(form, self.vocabulary).encode(Lines.of(lines), threads)


def is_arpa_name(path: str | Path) -> bool:
    """Whether a name asks for an ARPA file.

    >>> is_arpa_name("lm.arpa.gz"), is_arpa_name("lm.bin")
    (True, False)
    """
    name = Path(path)
    if name.suffix in (".gz", ".zst"):
        name = name.with_suffix("")
    return name.suffix == ".arpa"


def check_name(path: str | Path, bits: int | None) -> None:
    """Raise an error for what a format does not support: quantized ARPA, compressed binary.

    >>> check_name("lm.bin.gz", None)
    Traceback (most recent call last):
    paragauge.errors.InputError: lm.bin.gz: binary models are not compressed further; leave out .gz
    """
    check_bits(bits)
    if is_arpa_name(path):
        if bits is not None:
            raise InputError(f"{path}: ARPA files are not quantized; leave the bits out")
    else:
        check_not_compressed(path)


def _starts_binary(path: str | Path) -> bool:
    """Whether the file starts like a binary model, or is another binary, which its reader reports."""
    if str(path) == "-":
        return False  # standard input can be read only once; it is taken as ARPA
    with RawFile(path) as file:
        start = file.read(START)
    return is_binary(start) or b"\0" in start
