"""Models in one file: their arrays reach C++, so what is behind the checksum is damaged too.

Compressed arrays have checksums of their own. A seed of such a file is unpacked: the header, an empty
line, the bytes of the arrays. The mutated one is packed again before it is read.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from targets import EXAMPLES, LMF, MODELS, TREES, add, head, with_checksum

LARGEST = 1 << 22  # bytes of an array
MARK = b"\n\n"
SIZES = {"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "float32": 4, "float64": 8}


def unpack(data: bytes) -> bytes:
    """A file of `write_arrays` with its arrays as they are in memory."""
    start = 16 + int.from_bytes(data[12:16], "little")
    header = json.loads(data[16:start])
    raw = []
    for _name, kind, _shape, size in header["arrays"]:
        planes = zlib.decompress(data[start : start + size])
        raw.append(transpose(planes, len(planes) // SIZES[kind]))
        start += size
    return data[:8] + json.dumps(header).encode() + MARK + b"".join(raw)


def transpose(data: bytes, width: int) -> bytes:
    """Rows of `width` bytes become columns."""
    return b"".join(data[at::width] for at in range(width))


def pack(data: bytes) -> bytes:
    """The file of what `unpack` gave, damaged or not: sizes and checksum are right."""
    text, _, raw = data[8:].partition(MARK)
    parts, at = [], 0
    try:
        header = json.loads(text)
        for entry in header["arrays"]:
            size = min(math.prod(entry[2]) * SIZES[entry[1]], LARGEST)
            part = raw[at : at + size].ljust(size, b"\0")  # what was cut off is filled
            at += size
            parts.append(zlib.compress(transpose(part, SIZES[entry[1]]), 1))
            entry[3] = len(parts[-1])
        text = json.dumps(header).encode()
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        parts = [raw]
    body = len(text).to_bytes(4, "little") + text + b"".join(parts)
    return data[:8] + zlib.crc32(body).to_bytes(4, "little") + body


def add_arrays(
    name: str, run: Callable[[Path], object], make: Callable[[Path], Sequence[bytes]]
) -> None:
    """Add a reader of arrays: the file as it is, with the right checksum, and with damaged arrays."""

    def read_packed(path: Path) -> object:
        path.write_bytes(pack(path.read_bytes()))
        return run(path)

    add(name, run, make)
    add(f"{name} crc", with_checksum(run, 8, 12), make)
    add(f"{name} arrays", read_packed, lambda folder: [unpack(data) for data in make(folder)])


def run_command(*words: str) -> None:
    """Run a command that makes a seed."""
    from paragauge.cli.main import run

    if code := run(list(words)):
        raise SystemExit(f"{' '.join(words)} ended with {code}")


# Regressions and trees.


def make_boosted_trees(_: Path) -> list[bytes]:
    return [(MODELS / "adequacy" / "words" / "reversal.bin").read_bytes()]


def load_boosted_trees(path: Path) -> None:
    import numpy as np

    from paragauge.metrics.regression.boosted_trees import BoostedTrees

    trees = BoostedTrees.load(path)
    trees.predict(np.arange(2.0 * len(trees.names)).reshape(2, -1), 1)


def make_regression(folder: Path) -> list[bytes]:
    import numpy as np

    from paragauge.metrics.regression.rbf import RBFRegression

    ones = np.ones(2)
    RBFRegression(("a", "b"), 0 * ones, ones, 0.5, 2.0, np.eye(2), ones).save(folder / "rbf.bin")
    return [(folder / "rbf.bin").read_bytes()]


def load_regression(path: Path) -> None:
    import numpy as np

    from paragauge.metrics.regression.rbf import RBFRegression

    model = RBFRegression.load(path)
    model.predict(np.zeros((2, len(model.names))), 1)


add_arrays("boosted trees", load_boosted_trees, make_boosted_trees)
add_arrays("regression", load_regression, make_regression)

# Taggers and parsers.


def make_tagger(folder: Path) -> list[bytes]:
    from paragauge.syntax.perceptron import PerceptronTagger
    from paragauge.syntax.sentence import Sentence

    corpus = [Sentence(("a", "dog", "barks"), ("DT", "NN", "VBZ"))] * 5
    PerceptronTagger.train(corpus).save(folder / "tagger.bin")
    return [(folder / "tagger.bin").read_bytes()]


def load_tagger(path: Path) -> None:
    from paragauge.syntax.perceptron import PerceptronTagger

    PerceptronTagger.load(path).tag([["a", "dog", "é"]])


def make_parser(folder: Path) -> list[bytes]:
    (folder / "own.trees").write_text(TREES * 3, encoding="utf-8")
    run_command(
        "parser", "train", str(folder / "own.trees"), "--epochs", "1", "-o", str(folder / "p.bin")
    )
    return [(folder / "p.bin").read_bytes()]


def load_parser(path: Path) -> None:
    from paragauge.syntax.constituents import ChartParser

    ChartParser.load(path).parse([["a", "b", "."]])


add("tagger", load_tagger, make_tagger)
add("tagger crc", with_checksum(load_tagger, 8, 12), make_tagger)
add_arrays("parser", load_parser, make_parser)

# Models of rewriting, and pivots.


def make_lsa(folder: Path) -> list[bytes]:
    output, text = folder / "seed.lsa", str(EXAMPLES / "sources.txt")
    run_command("rewrite", "train", "lsa", text, "--dimensions", "4", "-o", str(output))
    return [output.read_bytes()]


def load_lsa(path: Path) -> None:
    import numpy as np

    from paragauge.rewrite.thesauri.lsa import LSA
    from paragauge.text.lines import Lines

    model = LSA.open(path)
    model.nearest(model.words[0] if len(model.words) else "a")
    words = Lines.of([*list(model.words)[:3], "no such word"])
    left, right = (np.array(numbers) for numbers in ([0, 0, 0], [0, len(words) - 1, 1]))
    model.substitutable(words, left, right, None, 1)


def make_context(folder: Path) -> list[bytes]:
    output, text = folder / "seed-context.bin", folder / "context.txt"
    text.write_text(head(EXAMPLES / "sources.txt", 40), encoding="utf-8")
    run_command("rewrite", "train", "context", str(text), "-o", str(output))
    return [output.read_bytes()]


def load_context(path: Path) -> None:
    import numpy as np

    from paragauge.rewrite.context.context_model import ContextModel
    from paragauge.text.lines import Lines

    model = ContextModel.open(path)
    words = Lines.of([*model.words[:3], "no such word"])
    sentence = Lines.of(["the house of the king is on the hill ."])
    numbers = np.arange(len(words))
    model.scores(sentence, 0 * numbers, 0 * numbers + 1, words, numbers, 1)


def load_brown(path: Path) -> None:
    from paragauge.rewrite.thesauri.brown import BrownClusters

    BrownClusters.open(path)


def make_pivot(folder: Path) -> list[bytes]:
    from paragauge.phrases.pivot_network import Pivot

    counts = {"a dog": {"un chien": 3, "chien": 1}, "the dog": {"le chien": 2}, "a": {"un": 4}}
    Pivot.of(counts, "fr").save(folder / "pivot.bin")
    return [(folder / "pivot.bin").read_bytes()]


def load_pivot(path: Path) -> None:
    from paragauge.phrases.pivot_network import NetworkSettings, Pivot

    pivot = Pivot.load(path)
    pivot.bag("a dog barks", NetworkSettings())
    pivot.network("the dog", NetworkSettings())


def make_word_weights(folder: Path) -> list[bytes]:
    import numpy as np

    from paragauge.lm.text_form import TextForm
    from paragauge.metrics.pem.word_weights import WordWeights
    from paragauge.text.vocabulary import Vocabulary

    vocabulary = Vocabulary()
    vocabulary.extend(["rain", "snow"])
    WordWeights(TextForm(), vocabulary, np.array([2.5, 1.0]), 9.0).save(folder / "words.bin")
    return [(folder / "words.bin").read_bytes()]


def load_word_weights(path: Path) -> None:
    from paragauge.metrics.pem.word_weights import WordWeights

    WordWeights.load(path).weigh_words(["rain", "x"])


add_arrays("lsa", load_lsa, make_lsa)
add_arrays("context", load_context, make_context)
add("brown", load_brown, ["0\tdog\t4\n0\tcat\t2\n10\tsat\t3\n11\tran\t9\n"])
add_arrays("pivot", load_pivot, make_pivot)
add_arrays("word weights", load_word_weights, make_word_weights)


def read_wordnet_table(path: Path) -> None:
    import numpy as np

    from paragauge.lexicon.wordnet import WordNet

    wordnet = WordNet(np.frombuffer(path.read_bytes(), np.uint8))
    for word in ("big", "bigger", "dog"):
        wordnet.synsets(word)
        wordnet.synonyms(word)
        wordnet.antonyms(word)
        wordnet.morphy(word, "a")


def make_wordnet_table(folder: Path) -> list[bytes]:
    from paragauge.lexicon.wordnet_files import read_wordnet
    from paragauge.lexicon.wordnet_table import pack

    (folder / "seed.xml").write_text(LMF, encoding="utf-8")
    return [pack(read_wordnet(folder / "seed.xml")).tobytes()]


add("wordnet table", read_wordnet_table, make_wordnet_table)
