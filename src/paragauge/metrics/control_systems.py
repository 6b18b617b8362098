"""Control systems: paraphrases whose quality is known beforehand.

Liu et al. (2010), section 5.1, adds three to those of people and machines, with "pre-determined"
judgments:

    copy      the original sentence itself: adequate and fluent, but unchanged
    random    a random sentence from the same domain: fluent and different, with another meaning
    unigram   a random sentence of a unigram language model: different, without meaning or fluency

and two others, which are not in that paper and are made on request only:

    scrambled the words of the source in random order: its words without its sentence
    deletion  the source without words drawn at random: the negative control of Weese, Ganitkevitch and
              Callison-Burch (2014, section 6) for compression. The paper does not say how many words;
              `rate` is the share that stays, by default 0.71, the middle of its ratios from 0.67 to
              0.75; at least one word stays

The domain is a text given for it, or the sources themselves. A random sentence is never the source
(nor a copy of it elsewhere in the domain). The paper does not say how it drew from the unigram model.
Here it is the maximum-likelihood model of the domain's tokens and of the end of sentence, which is an
event like any other, so that lengths follow the model (they are geometric); an end before the first
word is ignored. With `length="source"` a sentence has as many words as its source instead. Tokens are
separated by spaces in the text.

Each kind draws from its own random stream, seeded with the seed and the kind, so that its sentences do
not depend on which other kinds are made, nor on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, cast, get_args

import numpy as np

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.metrics.resampling import check_run
from paragauge.text.atomic_folders import check_file_set, file_set
from paragauge.text.files import atomic
from paragauge.text.python_data.text_columns import are_texts, refuse_items, text_items

ControlKind = Literal["copy", "random", "unigram", "scrambled", "deletion"]
ControlLength = Literal["model", "source"]
KINDS: tuple[ControlKind, ...] = get_args(ControlKind)
PAPER_KINDS = KINDS[:3]
PEM_KINDS = KINDS[:4]  # that PEM is trained with
LENGTHS: tuple[ControlLength, ...] = get_args(ControlLength)
CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")
# Judgments on the paper's scale from 1 to 5, in the order of CRITERIA.
JUDGMENTS = {
    "copy": (5, 5, 1, 2),
    "random": (1, 5, 5, 1),
    "unigram": (1, 1, 5, 1),
    "scrambled": (2, 1, 2, 1),
    "deletion": (2, 1, 2, 1),
}
RATE = 0.71  # of words that stay
PAPER_SCALE = (1.0, 5.0)
JUDGE = "control"
RATINGS = "ratings.tsv"


def controls(
    sources: Sequence[str],
    kinds: Sequence[ControlKind] = PAPER_KINDS,
    *,
    domain: Iterable[str] | None = None,
    seed: int = 7,
    length: ControlLength = "model",
    rate: float = RATE,
) -> dict[ControlKind, list[str]]:
    """The output of control systems for these sources, by name; `write_controls` writes it to files.

    >>> systems = controls(["a b", "c d"], ["copy", "random"])
    >>> systems["copy"], systems["random"]
    (['a b', 'c d'], ['c d', 'a b'])
    """
    check_kinds(kinds)
    check_run(threads=0, bootstrap=0, seed=seed, level=0.5)
    if length not in LENGTHS:
        raise unknown_name("kind of length", length, LENGTHS)
    if not 0 < rate <= 1:
        raise SettingError(f"rate: expected a share of words from above 0 to 1, found {rate:g}")
    sources = _sentences(sources, "sources")
    if not sources:
        raise InputError("expected at least one source sentence, found none")
    texts = list(sources) if domain is None else _sentences(domain, "domain")
    makers: dict[ControlKind, Callable[[np.random.Generator], list[str]]] = {
        "copy": lambda _: list(sources),
        "random": lambda random: _random_sentences(sources, texts, random),
        "unigram": lambda random: _unigram_sentences(sources, texts, random, length),
        "scrambled": lambda random: [" ".join(random.permutation(text.split())) for text in sources],
        "deletion": lambda random: [_delete_words(text, rate, random) for text in sources],
    }
    return {kind: makers[kind](np.random.default_rng([seed, KINDS.index(kind)])) for kind in kinds}


def _sentences(texts: Iterable[str], what: str) -> list[str]:
    """The texts of a list or a column, none of them missing."""
    items = text_items(texts, what)
    if not are_texts(items):
        refuse_items(texts, items, what)
    return items


def control_ratings(
    n: int, kinds: Sequence[ControlKind] = PAPER_KINDS, *, scale: tuple[float, float] = PAPER_SCALE
) -> list[dict[str, str | float]]:
    """The predetermined ratings of n segments as rows, mapped linearly from 1–5 to the scale.

    >>> control_ratings(1, ["copy"])[0]["overall"]
    2.0
    >>> control_ratings(1, ["copy"], scale=(0, 100))[0]["overall"]
    25.0
    """
    check_kinds(kinds)
    low, high = scale
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise SettingError(
            f"expected a scale from a smaller to a larger number, found {low:g}:{high:g}"
        )
    step = (high - low) / (PAPER_SCALE[1] - PAPER_SCALE[0])
    return [
        {
            "segment": str(segment),
            "system": kind,
            "judge": JUDGE,
            **{
                name: low + (value - PAPER_SCALE[0]) * step
                for name, value in zip(CRITERIA, JUDGMENTS[kind], strict=True)
            },
        }
        for segment in range(1, n + 1)
        for kind in kinds
    ]


def write_controls(
    folder: str | Path,
    systems: Mapping[ControlKind, list[str]],
    *,
    scale: tuple[float, float] = PAPER_SCALE,
    force: bool = False,
    more: Mapping[str, list[str]] | None = None,
) -> list[Path]:
    """Write the output of `controls` and its ratings into a folder: all files, or none.

    `more` has the lines of other files to write with them, by name. A file that exists is an error
    unless `force`, and so is a folder with other files. The folder is created if its parent exists.
    """
    kinds = list(systems)
    ratings = control_ratings(len(systems[kinds[0]]), kinds, scale=scale)
    target = Path(folder)
    lines = {f"{kind}.txt": texts for kind, texts in systems.items()}
    lines[RATINGS] = ["\t".join(ratings[0])]
    lines[RATINGS] += ["\t".join(_cell(value) for value in row.values()) for row in ratings]
    lines |= more or {}
    for name, content in lines.items():
        if any("\n" in line for line in content):
            raise InputError(
                f"{name}: expected sentences without line breaks, found one with a line break"
            )
    paths = [target / name for name in lines]
    if not force:
        check_file_set(target, lines)
    with file_set(target) as hidden:
        for name, content in lines.items():
            with atomic(hidden / name) as out:
                out.writelines(line + "\n" for line in content)
    return paths


def check_kinds(kinds: Sequence[str]) -> tuple[ControlKind, ...]:
    """The kinds; an error if one is unknown or repeated, or if there are none."""
    for kind in kinds:
        if kind not in KINDS:
            raise unknown_name("kind of control", kind, KINDS)
    if not kinds or len(set(kinds)) < len(kinds):
        raise SettingError(f"expected kinds of controls, each once, found {', '.join(kinds) or 'none'}")
    return cast("tuple[ControlKind, ...]", tuple(kinds))


def _random_sentences(
    sources: Sequence[str], domain: list[str], random: np.random.Generator
) -> list[str]:
    different = len(set(domain))
    sentences = []
    for number, source in enumerate(sources, 1):
        if different < 2 and source in domain[:1]:
            raise InputError(
                f"source {number}: the domain has no other sentence than the source itself; give a "
                "larger domain text"
            )
        if not domain:
            raise InputError("the domain text is empty; give one with sentences")
        # If the source is repeated in the domain many draws may fail, but another sentence exists.
        draws = _draw_sentences(domain, random)
        sentences.append(next(text for text in draws if text != source))
    return sentences


def _delete_words(text: str, rate: float, random: np.random.Generator) -> str:
    words = text.split()
    count = max(1, round(rate * len(words)))
    return " ".join(words[i] for i in np.sort(random.permutation(len(words))[:count]).tolist())


def _draw_sentences(domain: list[str], random: np.random.Generator) -> Iterator[str]:
    while True:
        yield domain[int(random.integers(len(domain)))]


def _unigram_sentences(
    sources: Sequence[str], domain: list[str], random: np.random.Generator, length: ControlLength
) -> list[str]:
    words = [word for text in domain for word in text.split()]
    if not words:
        raise InputError("the domain text has no words; give one with sentences")
    sentences = []
    # The end of sentence has one event for each sentence: the numbers from len(words) on.
    events = len(words) + len(domain) * (length == "model")
    for source in sources:
        sentence: list[str] = []
        while True:
            if length == "source" and len(sentence) == len(source.split()):
                break
            event = int(random.integers(events))
            if event < len(words):
                sentence.append(words[event])
            elif sentence:
                break
        sentences.append(" ".join(sentence))
    return sentences


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else str(int(value)) if value.is_integer() else repr(value)
