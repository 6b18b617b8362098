"""Phrase-based decoding: speed, a table of five million pairs, memory, and a race with NLTK's decoder.

The model has all pairs of the training part of the video descriptions (`msvd_data.py`); it decodes
sentences of the test part, with a stack of 100 and otherwise Moses' default settings. Processor
time is shown next to wall-clock time: it is what one thread needs on an idle machine. Memory is the
peak resident size of a process that decodes batch by batch, for some sentences and for ten times as
many.

NLTK's StackDecoder is raced on sentences of four words and a small table, with bigrams of our
language model. Stacks are wide enough that nothing is pruned, and both must give the same
translations. NLTK ignores the jump before the first phrase and the end of sentence, so here jumps
cost nothing, and the end of a sentence is equally probable after every word. Moses is not available
here.

    python -m benchmarks.races.phrase_decoder [sentences]

Training takes some minutes the first time; the model stays in build/bench/phrase_decoder.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from nltk.translate import PhraseTable as NltkTable
from nltk.translate import StackDecoder

from benchmarks.data.generation_data import MOSES, MOSES_ORDER
from benchmarks.data.msvd_data import read_videos
from benchmarks.race import RESULTS, Result, race, report
from paragauge.engine.arrow_strings import texts_of
from paragauge.generate.model_loader import open_generator
from paragauge.generate.phrase_based import PhraseBased, load_store
from paragauge.generate.phrase_settings import FEATURES, PhraseSettings
from paragauge.generate.train import train_phrases
from paragauge.kernels import _native
from paragauge.lm.model import LanguageModel
from paragauge.lm.ngram_table import Level, NgramTable
from paragauge.phrases.table import PhraseTable, new_table
from paragauge.text.bitext import Bitext

FOLDER = RESULTS / "phrase_decoder"
MODEL = FOLDER / "model"
TABLE = FOLDER / "table"
PAIRS = 5_000_000
WANTED_SPEED = 200
WANTED_LOAD = 15
SENTENCES = 1000
CHUNK = 500
END = 2  # </s> in a language model
LN10 = math.log(10)
Row = dict[str, Any]


def train_model() -> None:
    """The model, and the first five million rows of its table."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not MODEL.exists():
        sources, targets = read_videos().pairs(None)
        train_phrases(Bitext.of(sources, targets, empty="skip"), MODEL, MOSES, decoding=MOSES_ORDER)
    table = PhraseTable.open(MODEL / "phrase-table")
    if len(table) < PAIRS:
        raise SystemExit(f"expected {PAIRS:,} phrase pairs for the table, found {len(table):,}")
    if not TABLE.exists():
        with new_table(TABLE) as writer:
            for batch in table.batches():
                writer.write(pa.Table.from_batches([batch[: PAIRS - writer.rows]]))
                if writer.rows == PAIRS:
                    break
            writer.finish({})


def megabytes() -> float:
    """The peak resident size of this process.

    On Linux the value of `getrusage` includes the parent's, so it is read from /proc.
    """
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def child(what: str, *arguments: object) -> Row:
    """The result of `what` in a separate process, so that memory is its own."""
    command = [sys.executable, "-m", "benchmarks.races.phrase_decoder", what, *map(str, arguments)]
    result: Row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result


def load() -> Row:
    """Time and memory of loading the table of five million pairs."""
    model = LanguageModel.load(MODEL / "language-model.bin", threads=1)
    table, before = PhraseTable.open(TABLE), megabytes()
    clock, cpu = time.perf_counter(), time.process_time()
    store = load_store(table, model)
    seconds, processor = time.perf_counter() - clock, time.process_time() - cpu
    return {
        "pairs": len(store),
        "seconds": seconds,
        "processor": processor,
        "megabytes": megabytes() - before,
    }


def memory(count: int) -> Row:
    """The peak resident size of decoding a number of sentences."""
    generator = open_generator(MODEL, threads=1)
    lines = test_sentences(count)
    for start in range(0, count, CHUNK):
        generator.nbest(lines[start : start + CHUNK], 10, threads=1)
    return {"sentences": count, "megabytes": megabytes()}


def test_sentences(count: int) -> list[str]:
    """Sentences of the test part, each once, then again with another first word."""
    sources, _ = read_videos().segments()
    lines = sorted(set(sources))
    random.Random(7).shuffle(lines)
    again = [f"the {line}" for line in lines]
    chosen = [*lines, *again, *(f"now {line}" for line in again)][:count]
    if len(chosen) < count:
        raise SystemExit(f"expected {count} sentences, found {len(chosen)}; ask for fewer")
    return chosen


def speed(count: int) -> list[Row]:
    """Sentences a second."""
    generator = open_generator(MODEL, threads=1)
    lines = test_sentences(count)
    rows = []
    for threads in (1, 2):
        for size in (1, 100):
            clock, cpu = time.perf_counter(), time.process_time()
            generator.nbest(lines, size, threads=threads)
            seconds, processor = time.perf_counter() - clock, time.process_time() - cpu
            rows.append(
                {
                    "threads": threads,
                    "size": size,
                    "sentences": count,
                    "per_second": count / seconds,
                    "per_processor_second": count / processor,
                }
            )
    return rows


class Asked:
    """A language model with the interface of NLTK's decoder."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def probability(self, phrase: tuple[str, ...]) -> float:
        """Of a phrase at the start of a sentence."""
        return self._log((), phrase)

    def probability_change(self, hypothesis: Any, phrase: tuple[str, ...]) -> float:
        """Of a phrase after what is translated."""
        return self._log(tuple(hypothesis.translation_so_far()), phrase)

    def _log(self, before: tuple[str, ...], phrase: tuple[str, ...]) -> float:
        state = self._model.begin
        for word in before[-1:]:
            _, state = self._model.score_word(state, word)
        total = 0.0
        for word in phrase:
            log10, state = self._model.score_word(state, word)
            total += log10
        return total * LN10


def small_model() -> LanguageModel:
    """Bigrams of made-up sentences, with </s> equally probable after every word."""
    rng = random.Random(7)
    lines = [" ".join(rng.choices("stuvwxyz", k=6)) for _ in range(200)]
    table = LanguageModel.train(lines, order=2, discount_fallback=(0.5, 1, 1.5)).table
    first, second = table.levels
    mask = second.words != END
    return LanguageModel(
        NgramTable(
            table.vocabulary,
            (
                Level(first.parents, first.words, first.probabilities, np.zeros_like(first.backoffs)),
                Level(*(np.ascontiguousarray(column[mask]) for column in second.arrays())),
            ),
        )
    )


def nltk_race() -> Result:
    """Equal translations first, then time."""
    rng = random.Random(7)
    model = small_model()
    rows = {
        (source, " ".join(rng.choices("stuvwxyz", k=rng.randint(1, 2)))): math.log(rng.random())
        for source in ("a", "b", "c", "d", "a b", "b c", "c d")
        for _ in range(3)
    }
    pairs = sorted(rows)
    values = np.zeros((len(rows), 4), np.float32)
    values[:, 2] = [rows[pair] for pair in pairs]
    theirs = NltkTable()
    for (source, target), value in zip(pairs, values[:, 2].tolist(), strict=True):
        theirs.add(tuple(source.split()), tuple(target.split()), value)
    decoder = StackDecoder(theirs, Asked(model))
    decoder.distortion_factor, decoder.stack_size = 1.0, 1 << 20
    store = _native.PhraseStore(model.vocabulary.native)
    sides = [texts_of(pa.array([pair[side] for pair in pairs])) for side in (0, 1)]
    store.add(sides[0], sides[1], values)
    weights = np.array([float(name in ("LM0", "TranslationModel0_3")) for name in FEATURES])
    ours = PhraseBased(
        store, model, weights, PhraseSettings(stack=1 << 20, beam=0, distortion=None), "race"
    )
    sentences = [" ".join(order) for order in itertools.permutations("abcd")]
    translations = ours.nbest(sentences).best()
    for sentence, text in zip(sentences, translations, strict=True):
        said = " ".join(decoder.translate(sentence.split()))
        if said != text:
            raise SystemExit(f"{sentence}: NLTK says {said}, not {text}")
    return race(
        "sentences of four words, all hypotheses",
        "NLTK StackDecoder",
        len(sentences),
        theirs=lambda: [decoder.translate(sentence.split()) for sentence in sentences],
        ours=lambda: ours.nbest(sentences, threads=1),
    )


def show(rows: list[Row], table: Row, sizes: list[Row]) -> None:
    print("| threads | list | sentences | per second | per second of the processor | wanted |")
    print("|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        target = f"{WANTED_SPEED}" if row["threads"] == row["size"] == 1 else ""
        print(
            f"| {row['threads']} | {row['size']} | {row['sentences']:,} | {row['per_second']:,.0f} | "
            f"{row['per_processor_second']:,.0f} | {target} |"
        )
    print(
        f"\nA table of {table['pairs']:,} pairs: loaded in {table['seconds']:.1f} s "
        f"({table['processor']:.1f} s of the processor; wanted: {WANTED_LOAD} s), "
        f"{table['megabytes']:,.0f} MB."
    )
    print(
        "Largest resident size, model and all: "
        + ", ".join(f"{row['megabytes']:,.0f} MB for {row['sentences']:,} sentences" for row in sizes)
        + ".\n"
    )


def main(count: int) -> None:
    train_model()
    rows = child("speed", count)["rows"]
    table = child("load")
    sizes = [child("memory", count // 5), child("memory", 2 * count)]
    show(rows, table, sizes)
    report("phrase_decoder_nltk", [nltk_race()])
    results = {"speed": rows, "table": table, "memory": sizes}
    (RESULTS / "phrase_decoder.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["speed", count]:
            print(json.dumps({"rows": speed(int(count))}))
        case ["load"]:
            print(json.dumps(load()))
        case ["memory", count]:
            print(json.dumps(memory(int(count))))
        case [count]:
            main(int(count))
        case _:
            main(SENTENCES)
