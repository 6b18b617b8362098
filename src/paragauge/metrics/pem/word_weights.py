"""How informative words are: their inverse document frequencies, with the form of text they count.

A model of PEM has them in its pivots (`Resources`). The learned parts need nothing else of a model, and
read them from a small file of their own, so that they load quickly.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragauge.errors import FileFormatError, InputError
from paragauge.kernels.layout import Floats
from paragauge.lexicon.stems import stem
from paragauge.lm.text_form import TextForm
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name
from paragauge.text.vocabulary import Vocabulary

MAGIC = b"PGWEIGH1"
FILE = Path(__file__).parents[2] / "models" / "adequacy" / "word_weights.bin"


@dataclass(frozen=True, eq=False)
class WordWeights:
    """Words in a form of text, the weight of each, and that of all others."""

    form: TextForm
    vocabulary: Vocabulary
    weights: Floats
    other: float

    @classmethod
    def default(cls) -> WordWeights:
        """The weights of English words that come with the package; they are loaded once.

        >>> rare, usual = WordWeights.default().weigh_words(["elephant", "the"])
        >>> bool(rare > usual)
        True
        """
        return _load_shipped()

    def weigh_words(self, words: Iterable[str]) -> Floats:
        """How informative each word is; words are lowercase.

        >>> vocabulary = Vocabulary()
        >>> _ = vocabulary.add("rain")
        >>> weights = WordWeights(TextForm(), vocabulary, np.array([2.5]), other=9.0)
        >>> weights.weigh_words(["rain", "x"]).tolist()
        [2.5, 9.0]
        """
        forms = list(words) if self.form.stem is None else stem(words, self.form.stem)
        return self.look_up(forms)

    def look_up(self, forms: Iterable[str]) -> Floats:
        """The weights of words that are in the form of the text already."""
        places = np.array([self.vocabulary.native.find(form) for form in forms], np.int64)
        return np.where(places < 0, self.other, self.weights[np.maximum(places, 0)])

    @functools.cached_property
    def name(self) -> str:
        """The first digits of a SHA-256 of words, weights and form."""
        digest = hashlib.sha256("\n".join([self.form.label, *self.vocabulary]).encode())
        digest.update(np.append(self.weights, self.other).tobytes())
        return digest.hexdigest()[:8]

    def save(self, path: Path) -> None:
        """Write a file that `load` reads."""
        texts = np.frombuffer("\n".join(self.vocabulary).encode(), np.uint8)
        arrays: dict[str, np.ndarray] = {"texts": texts, "weights": self.weights}
        write_arrays(path, MAGIC, {"form": self.form.record(), "other": self.other}, arrays)

    @classmethod
    def load(cls, path: Path) -> WordWeights:
        """The weights in a file.

        >>> WordWeights.load(Path("no/such/file"))
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: no/such/file: no such file; check the path
        """
        about, arrays = read_arrays(path, MAGIC, "weights of words")
        try:
            form, other = TextForm.from_record(about["form"]), float(about["other"])
            vocabulary = Vocabulary()
            vocabulary.extend(arrays["texts"].tobytes().decode().split("\n"))
            weights = arrays["weights"].astype(np.float64)
            if len(vocabulary) != len(weights) or not np.isfinite([other, *weights]).all():
                raise ValueError("shapes")  # noqa: TRY301  # one message for all that is wrong
        except (KeyError, TypeError, ValueError, InputError) as error:
            raise FileFormatError(
                display_name(path), None, f"expected weights of words of this version ({error})"
            ) from None
        return cls(form, vocabulary, weights, other)


@functools.cache
def _load_shipped() -> WordWeights:
    return WordWeights.load(FILE)
