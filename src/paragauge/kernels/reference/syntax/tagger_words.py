"""Twin of tagger_words.cpp and tagger_features.hpp: what the tagger sees of words.

Everything is a 64-bit hash of bytes. A feature's key is the upper half of the hash of its template's
number and of what fills it; keys of different features are equal once in 2**32, which is harmless.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from paragauge.kernels.reference.base.hashing import GOLDEN, WORD, mix

NO_TAG = 63

SPELLINGS = {
    b"-LRB-": b"(",
    b"-RRB-": b")",
    b"-LSB-": b"[",
    b"-RSB-": b"]",
    b"-LCB-": b"{",
    b"-RCB-": b"}",
    "“".encode(): b"``",
    "”".encode(): b"''",
    "‘".encode(): b"`",
}
DIGITS = bytes.maketrans(b"123456789", b"000000000")
LATIN_CAPITALS = set(range(0x80, 0x9F)) - {0x97}  # second bytes of À to Þ without ×


def combine(a: int, b: int) -> int:
    """Combine two numbers into one; order counts."""
    return (mix(a) * 3 + b) & WORD


def feature_key(number: int, value: int) -> int:
    """The 32-bit key of a feature."""
    return mix((value + number * GOLDEN) & WORD) >> 32


def hash_text(text: bytes) -> int:
    """FNV-1a, started with the length."""
    code = len(text)
    for byte in text:
        code = ((code ^ byte) * 0x100000001B3) & WORD
    return mix(code)


def split_words(line: bytes) -> list[bytes]:
    """Tokens separated by spaces; straight double quotes alternate between opening and closing."""
    words = [word for word in line.split(b" ") if word]
    opened = False
    for i, word in enumerate(words):
        if word == b'"':
            words[i] = b"''" if opened else b"``"
            opened = not opened
    return words


def shape(form: bytes) -> bytes:
    """Letters as X, x and u, the rest as it is; of equal characters in a row, two stay.

    Capitals are those of ASCII and Latin-1. Characters of two bytes count as small letters, longer
    ones as u.
    """
    shape_bytes = b""
    for i, byte in enumerate(form):
        if 0x80 <= byte < 0xC0:
            continue
        kind = form[i : i + 1]
        if kind.isupper():
            kind = b"X"
        elif kind.islower():
            kind = b"x"
        elif byte >= 0xC0:
            capital = byte == 0xC3 and form[i + 1 : i + 2] and form[i + 1] in LATIN_CAPITALS
            kind = b"X" if capital else b"x" if byte < 0xE0 else b"u"
        if not shape_bytes.endswith(kind * 2):
            shape_bytes += kind
    return shape_bytes


@dataclass(frozen=True)
class WordForm:
    """Hashes of a word: its form and lowercased form (ASCII) with digits as 0, the ends of the
    latter, its shape, bits for (capital first, capital, small letter, digit, hyphen), and the
    classes of both forms.
    """

    form: int
    lower: int
    suffix: tuple[int, ...]
    prefix: tuple[int, ...]
    shape: int
    flags: int
    form_class: int
    lower_class: int
    form_key: int = 0
    lower_key: int = 0
    known: bool = False


def read_word(token: bytes) -> WordForm:
    """A word without its classes. Brackets, quotes and apostrophes have one spelling each."""
    text = SPELLINGS.get(token, token).replace("’".encode(), b"'")
    form = text.translate(DIGITS)
    lower = form.lower()
    letters = [text[i : i + 1] for i in range(len(text))]
    flags = (
        text[:1].isupper(),
        any(letter.isupper() for letter in letters),
        any(letter.islower() for letter in letters),
        any(letter.isdigit() for letter in letters),
        b"-" in text,
    )
    return WordForm(
        hash_text(form),
        hash_text(lower),
        tuple(hash_text(lower[-n:]) for n in range(1, 6)),
        tuple(hash_text(lower[:n]) for n in range(1, 5)),
        hash_text(shape(form)),
        sum(1 << i for i, flag in enumerate(flags) if flag),
        0,
        0,
        feature_key(0, hash_text(form)),
        feature_key(1, hash_text(lower)),
    )


def classify(word: WordForm, lexicon: dict[int, int]) -> WordForm:
    """The word with its ambiguity classes: the tags it has had, or for an uncommon one its end."""
    tags, lower_tags = lexicon.get(word.form_key, 0), lexicon.get(word.lower_key, 0)
    return replace(
        word,
        form_class=mix(tags) if tags else combine(word.suffix[1], word.shape),
        lower_class=mix(lower_tags) if lower_tags else combine(word.suffix[1], 7),
        known=bool(tags),
    )


def boundary(side: int) -> WordForm:
    """What stands before the first word (1) and after the last one (2)."""
    return WordForm(side, side, (side,) * 5, (side,) * 4, side, side, side, side)


def word_features(words: list[WordForm], i: int) -> list[int]:
    """Keys of the features of word `i` that do not hang on tags."""
    before2, before, w, after, after2 = (
        boundary(1) if j < 0 else boundary(2) if j >= len(words) else words[j]
        for j in range(i - 2, i + 3)
    )
    classes = combine(w.form_class, after.form_class)
    features = [
        (2, w.form),
        (3, w.lower),
        (4, w.shape),
        (5, w.form_class),
        (6, w.lower_class),
        (7, combine(w.suffix[2], w.shape)),
        (8, combine(w.suffix[1], w.flags)),
        (9, w.flags),
        *((10 + n, value) for n, value in enumerate(w.suffix)),
        *((20 + n, value) for n, value in enumerate(w.prefix)),
        (30, before.lower),
        (31, before.suffix[2]),
        (32, before.shape),
        (33, after.lower),
        (34, after.suffix[2]),
        (35, after.suffix[1]),
        (36, after.form_class),
        (37, after.shape),
        (38, before2.lower),
        (39, after2.lower),
        (40, after2.form_class),
        (42, combine(before.lower, w.lower)),
        (43, combine(w.lower, after.lower)),
        (44, classes),
        (45, combine(classes, after2.form_class)),
        (46, combine(w.lower, after.form_class)),
        (47, combine(w.form_class, after.lower)),
        (48, combine(combine(before.shape, w.shape), after.shape)),
    ]
    if i == 0:
        features.append((41, w.shape))
    return [feature_key(number, value) for number, value in features]


def tag_features(words: list[WordForm], i: int, tag: int, tag2: int) -> list[int]:
    """Keys of the features of word `i` that depend on the tags of the words before."""
    w = words[i]
    after = words[i + 1] if i + 1 < len(words) else boundary(2)
    features = [
        (49, tag),
        (50, combine(tag, tag2)),
        (51, combine(tag, w.lower)),
        (52, combine(tag, w.form_class)),
        (53, combine(tag, after.form_class)),
        (54, combine(tag, after.lower)),
        (55, combine(combine(tag, w.form_class), after.form_class)),
    ]
    return [feature_key(number, value) for number, value in features]
