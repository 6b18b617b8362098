"""Train the learned fluency that comes with the package.

    python tools/models/train_fluency.py [FOLDER]

Clean English sentences are cut into two parts. Two language models are trained on the first. In the
second, errors like those of learners and of bad generators are made: articles, prepositions, verb
forms, number, word order, missing, doubled and misspelled words, and whole sentences shuffled. A ridge
regression learns to predict -ln(1 + errors) from the features of `metrics/pem/fluency_features.py`. One
sentence in five of the second part is held out; the figures printed at the end are of these.

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.lexicon.wordnet import WordNet
from paragauge.lm.model import LanguageModel
from paragauge.metrics.pem.fluency_features import FEATURES, FORMS, TaggedWords, measure_sentences
from paragauge.metrics.pem.fluency_model import FluencyModel
from paragauge.text.lines import Lines

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PARAGAUGE_DATA", ROOT.parent / "shared" / "data"))
TARGET = ROOT / "src" / "paragauge" / "models" / "fluency"
SEED = 7
LEAST_COUNT = 3  # rarer words are replaced by their tags
ORDERS = {"surface": 4, "mixed": 5}
PRUNE = {"surface": 3e-7, "mixed": 3e-7}
BITS = 8
RIDGE = 10.0
SHUFFLED = 8  # errors that a shuffled sentence counts as
ERRORS = (1, 2, 4)
FALLBACK = (0.5, 1.0, 1.5)

ARTICLES = ("a", "an", "the")
PREPOSITIONS = ("in", "on", "at", "of", "for", "to", "with", "by", "from", "about")
SWAPPED = (("is", "are"), ("was", "were"), ("has", "have"), ("do", "does"))
AUXILIARIES = dict(SWAPPED) | {b: a for a, b in SWAPPED}
CONFUSED = dict(
    (
        *(("their", "there"), ("there", "their"), ("then", "than"), ("than", "then"), ("its", "it's")),
        *(("to", "too"), ("your", "you're"), ("much", "many"), ("many", "much"), ("who", "which")),
        *(("he", "him"), ("she", "her"), ("they", "them"), ("i", "me"), ("this", "these")),
        ("that", "those"),
    )
)


def main(folder: Path) -> None:
    draw = random.Random(SEED)  # noqa: S311  # no secret
    modeled, measured = split_sentences(draw)
    tagged = TaggedWords.read(Lines.of(modeled))
    models = {form: train_model(tagged, form) for form in FORMS}
    folder.mkdir(parents=True, exist_ok=True)
    for form, model in models.items():
        path = folder / f"{form}.bin"
        model.save(path, bits=BITS)
        models[form] = LanguageModel.load(path)
        print(f"{form}: {models[form]}, {path.stat().st_size:,} bytes")
    texts, errors = make_errors(measured, draw)
    held_out = np.array([place % 5 == 0 for place, _ in texts])
    rows = measure_sentences(Lines.of([text for _, text in texts]), *models.values())
    fitted = FluencyModel.fit(*models.values(), rows[~held_out], errors[~held_out], RIDGE, SHUFFLED)
    fitted.save(folder)
    print_figures(fitted.predict(rows[held_out]), errors[held_out])
    print(f"{len(modeled):,} sentences for the language models, {len(texts):,} for the regression")
    print(dict(zip(FEATURES, np.round(fitted.weights, 3).tolist(), strict=True)))


def print_figures(values: Floats, errors: Floats) -> None:
    clean = values[errors == 0]
    for count in (0, *ERRORS, SHUFFLED):
        own = values[errors == count]
        above = np.searchsorted(np.sort(own), clean).mean() / len(own)
        print(f"{count} errors: mean {own.mean():.1f}, clean above it {100 * above:.1f} %")
    print(f"Pearson with -ln(1 + errors): {np.corrcoef(values, -np.log1p(errors))[0, 1]:.3f}")


def train_model(tagged: TaggedWords, form: str) -> LanguageModel:
    """A model of the sentences in this form; rare words are tags in it."""
    names, symbols = tagged.symbols(form)
    counts = np.bincount(symbols, minlength=len(names))
    as_tags = len(tagged.texts) + tagged.tags
    symbols = np.where(counts[symbols] < LEAST_COUNT, as_tags, symbols)
    offsets = tagged.words.offsets.tolist()
    spelled = [names[i] for i in symbols.tolist()]
    lines = [" ".join(spelled[i:j]) for i, j in pairwise(offsets) if i < j]
    return LanguageModel.train(
        lines,
        order=ORDERS[form],
        entropy_prune=PRUNE[form],
        discount_fallback=FALLBACK,
    )


def split_sentences(draw: random.Random) -> tuple[list[str], list[str]]:
    """Clean sentences for the language models, and others for the regression."""
    modeled, measured = [], []
    for source, most in ((tatoeba, 6000), (paws, 3000), (sts, 2000), (union, 3000), (treebanks, 4000)):
        sentences = sorted(set(source()))
        draw.shuffle(sentences)
        usable = [text for text in sentences if 4 <= len(text.split()) <= 40 and text[-1] in ".?!"]
        chosen = set(usable[:most])
        measured += usable[:most]
        modeled += [text for text in sentences if text not in chosen]
        print(f"{source.__name__}: {len(sentences):,} sentences")
    return modeled, measured


def tatoeba() -> Iterator[str]:
    for language in ("cmn", "deu", "fra"):
        for row in read_rows(f"bitext/eng-{language}.tsv.gz"):
            yield row[0]


def paws() -> Iterator[str]:
    for _, source, candidate, label in list(read_rows("paws/dev.tsv.gz"))[1:]:
        yield join_tokens(source)
        if label == "1":
            yield join_tokens(candidate)


def sts() -> Iterator[str]:
    for source, candidate, _ in list(read_rows("stsb/train.tsv.gz"))[1:]:
        yield from (source, candidate)


def union() -> Iterator[str]:
    for row in read_rows("text/state_union.txt.gz"):
        if not row[0].isupper():
            yield row[0].strip()


def treebanks() -> Iterator[str]:
    """The training parts of EWT and GUM, the latter without genres of non-commercial texts."""
    words: list[str] = []
    for row in read_rows("treebanks/ewt-train.conllu.gz"):
        if len(row) > 1 and row[0].isdigit():
            words.append(row[1])
        elif len(row) == 1 and not row[0] and words:
            yield join_tokens(" ".join(words))
            words = []
    for _, tree in read_rows("treebanks/gum-train.trees.tsv.gz"):
        yield join_tokens(" ".join(re.findall(r" ([^ ()]+)\)", tree)))


def read_rows(name: str) -> Iterator[list[str]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def join_tokens(text: str) -> str:
    """Tokenized text as people write it."""
    text = text.replace("-LRB-", "(").replace("-RRB-", ")").replace("``", '"').replace("''", '"')
    text = re.sub(r" ([.,!?;:)%]|n't\b|'(?:s|re|ve|ll|m|d)\b)", r"\1", text)
    return re.sub(r"([($]) ", r"\1", text).strip()


def make_errors(sentences: list[str], draw: random.Random) -> tuple[list[tuple[int, str]], Floats]:
    """Each sentence with no error, with some, and at times shuffled; and the numbers of errors."""
    texts: list[tuple[int, str]] = []
    errors: list[int] = []
    past = irregular_forms()
    for place, text in enumerate(sentences):
        texts.append((place, text))
        errors.append(0)
        for count in ERRORS:
            words = text.split()
            for _ in range(count):
                words = make_error(words, draw, past)
            texts.append((place, " ".join(words)))
            errors.append(count)
        if draw.random() < 0.15:
            words = text.split()
            draw.shuffle(words)
            texts.append((place, " ".join(words)))
            errors.append(SHUFFLED)
    return texts, np.array(errors, np.float64)


def irregular_forms() -> dict[str, str]:
    """Base forms of irregular verbs and plurals, by the irregular form."""
    net = WordNet.default()
    forms = [pair for pos in "nv" for pair in net.exceptions(pos)]
    return {form: base for form, base in forms if form != base and len(form) > 2}


Change = Callable[[list[str], random.Random, dict[str, str]], list[str] | None]


def make_error(words: list[str], draw: random.Random, past: dict[str, str]) -> list[str]:
    """The words with one more error; as they are if no kind of error fits."""
    for _ in range(8):
        changed = draw.choice(CHANGES)(words, draw, past)
        if changed is not None and changed != words:
            return changed
    return words


def drop_article(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    return change_one(words, draw, lambda word: [] if word in ARTICLES else None)


def add_article(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    place = draw.randrange(1, len(words)) if len(words) > 1 else 0
    return [*words[:place], draw.choice(("a", "the")), *words[place:]]


def change_preposition(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    other = draw.choice(PREPOSITIONS)
    return change_one(words, draw, lambda word: [other] if word in PREPOSITIONS else None)


def drop_preposition(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    return change_one(words, draw, lambda word: [] if word in PREPOSITIONS else None)


def change_verb(words: list[str], draw: random.Random, past: dict[str, str]) -> list[str] | None:
    ending = draw.choice(("", "s", "ed", "ing"))

    def change(word: str) -> list[str] | None:
        if word in AUXILIARIES:
            return [AUXILIARIES[word]]
        if word in past:
            return [past[word]]
        if re.fullmatch(r"[a-z]{2,}(ed|ing|s)", word):
            return [re.sub(r"(ed|ing|s)$", "", word) + ending]
        return None

    return change_one(words, draw, change)


def change_number(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    def change(word: str) -> list[str] | None:
        if not re.fullmatch(r"[a-z]{3,}", word) or word in (*ARTICLES, *PREPOSITIONS):
            return None
        return [word[:-1] if word.endswith("s") else word + "s"]

    return change_one(words, draw, change)


def confuse(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    return change_one(words, draw, lambda word: [CONFUSED[word]] if word in CONFUSED else None)


def swap(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    if len(words) < 4:
        return None
    place = draw.randrange(len(words) - 2)
    return [*words[:place], words[place + 1], words[place], *words[place + 2 :]]


def drop_word(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    if len(words) < 5:
        return None
    place = draw.randrange(len(words) - 1)
    return words[:place] + words[place + 1 :]


def double_word(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    place = draw.randrange(max(1, len(words) - 1))
    return [*words[: place + 1], *words[place:]]


def misspell(words: list[str], draw: random.Random, _: dict[str, str]) -> list[str] | None:
    where, kind, letter = draw.random(), draw.randrange(4), draw.choice("aeiourstn")

    def change(word: str) -> list[str] | None:
        if not re.fullmatch(r"[a-z]{4,}", word):
            return None
        i = 1 + int(where * (len(word) - 2))
        changed = (
            word[:i] + word[i + 1 :],
            word[: i + 1] + word[i:],
            word[:i] + word[i + 1] + word[i] + word[i + 2 :],
            word[:i] + letter + word[i + 1 :],
        )
        return [changed[kind]]

    return change_one(words, draw, change)


def change_one(
    words: list[str], draw: random.Random, change: Callable[[str], list[str] | None]
) -> list[str] | None:
    """The words with one of those that can be changed, chosen at random; None if there is none.

    A change sees a word in lower case and without punctuation, and its result gets both back.
    """
    options = []
    for place, word in enumerate(words):
        match = re.fullmatch(r"(\W*)(.*?)(\W*)", word)
        before, core, after = match.groups() if match else ("", word, "")
        new = change(core.lower())
        if new is not None and new != [core.lower()]:
            options.append((place, before, core, after, new))
    if not options:
        return None
    place, before, core, after, new = draw.choice(options)
    spelled = [word[:1].upper() + word[1:] if core[:1].isupper() else word for word in new]
    joined = before + " ".join(spelled) + after
    return [*words[:place], *([joined] if joined else []), *words[place + 1 :]]


CHANGES: tuple[Change, ...] = (
    *(drop_article, add_article, change_preposition, drop_preposition, change_verb, change_verb),
    *(change_number, confuse, swap, drop_word, double_word, misspell, misspell, misspell),
)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
