"""Sentence compression with grammars: Weese, Ganitkevitch and Callison-Burch (2014), section 6.

Pairs of translations of a Bible verse whose lengths have a ratio of 0.67 to 0.75 replace the
paper's multiple translations of the LDC: 1000 for tuning and 1000 for testing, from different
verses. The few such pairs of the Edinburgh corpus's test part are a second test, out of domain.
Five grammars made by our own tools get the compression features, their weights are tuned by PRO to
PRÉCIS, and the test sentences are decoded. The table has the automatic measures that the paper
correlates with human judgments in its table 7: BLEU, PRÉCIS and PINC of the output, and PARADIGM's
lower bound on precision, relative recall and mean length of parsed sentences of the grammar. "Shortest"
is the rate that a grammar reaches if words cost more than anything else: a grammar without deleting
rules cannot compress, whatever it is tuned to. The table also has the paper's controls: words deleted
at random, and the reference itself. Intervals are by bootstrap over sentences, those of the mean length
over the pairs that were parsed; outputs and weights are in the record.

The gold grammar of PARADIGM is from the test part of the Edinburgh corpus; overlap is non-strict, since
labels differ between grammars. Grammars are small and PRO is short, so that everything takes minutes;
the limits are printed. The choice of pairs, decoding and tuning are the same in every run; word
alignment may not be, so rules from the Bible and the bitexts may differ a little.

    python -m benchmarks.papers.compression [--work FOLDER] [--dev 1000] [--test 1000] [--iterations 12]
        [--jobs 2]

The data is in ../shared/data, or where PARAGAUGE_DATA points; needs the extra `bench`.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.data.paraphrase_corpora import Corpus, bible, edinburgh, penn, verses
from benchmarks.race import DATA, RESULTS
from paragauge import BLEU, PINC
from paragauge.align.aligners import choose_aligner
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.generate.compression_pairs import CompressionSet, choose_compressions, compression_pairs
from paragauge.generate.grammar_based import GrammarBased, GrammarSettings
from paragauge.generate.tuning import TuneSettings, tune
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.pair_coverage import coverage
from paragauge.grammar.parse_settings import ParseSettings
from paragauge.grammar.pivot_grammar import pivot_grammar
from paragauge.grammar.rule_overlap import overlap
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.grammar.sentence_pairs import SentencePairs
from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.metrics.base import Metric
from paragauge.metrics.control_systems import controls
from paragauge.metrics.corpus_score import Score
from paragauge.metrics.precis import PRECIS
from paragauge.metrics.resampling import Resampler, interval
from paragauge.phrases.extract import ExtractionSettings, extract_table
from paragauge.text.bitext import Bitext

LONGEST = 50  # words of a sentence to compress
TRAINED = 6000  # verses of the Bible's grammars
BITEXT = 40_000  # sentence pairs of each language of the pivot grammar
PARSED = 200  # test pairs for PARADIGM's mean length
ORDER = 3  # of the language model
NBEST = 50  # paraphrases of a sentence in tuning
SEED = 7
RESAMPLES = 1000
DEAR = 10.0  # weight of a word when only length counts
BIBLES = 4  # KJV, ASV, WEB and YLT: the package of BBE cuts most verses in the wrong places
PAIRINGS = list(itertools.permutations(range(BIBLES), 2))  # of translations, in turn
LEAST = 3  # count of the Bible's rules
SYNTAX = RuleSettings.named("paradigm")
# Words pass through under one label, as in Joshua, the decoder of the paper.
PARSING = ParseSettings(passthrough="all", passthrough_gaps="label", max_items=2_000_000)
DECODING = GrammarSettings(passthrough_gaps="label")
ENGINE = DuckDBEngine(memory="4GB")
seconds: dict[str, float] = {}
printed: list[str] = []


@contextmanager
def time_step(step: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[step] = seconds.get(step, 0.0) + time.perf_counter() - start


def say(line: str) -> None:
    print(line, flush=True)
    printed.append(line)


def extract_or_open(corpus: Corpus, folder: Path, settings: RuleSettings, least: int = 1) -> Grammar:
    """The grammar of a corpus; an existing folder is reused."""
    if folder.exists():
        return Grammar.open(folder)
    trees = settings.labels.needs_trees
    return extract_grammar(
        corpus.batches(trees=trees), folder, settings, min_count=least, engine=ENGINE
    )


def build_pivot_grammar(folder: Path) -> Grammar:
    """English phrases that share translations in French and German."""
    if folder.exists():
        return Grammar.open(folder)
    tables = []
    for language in ("fra", "deu"):
        with gzip.open(DATA / "bitext" / f"eng-{language}.tsv.gz", "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t")[:2] for line in itertools.islice(lines, BITEXT)]
        source, target = (penn(side) for side in zip(*rows, strict=True))
        bitext = Bitext.of([line.lower() for line in source], [line.lower() for line in target])
        links = choose_aligner().align(bitext).symmetrize("grow-diag-final-and")
        table = folder.with_name(f"{folder.name}-{language}")
        tables.append(extract_table(bitext, links, table, ExtractionSettings(max_length=4)))
    return pivot_grammar(tables, folder, engine=ENGINE)


def five_grammars(verse_numbers: Sequence[int], folder: Path) -> Iterator[tuple[str, Grammar]]:
    """The grammars, none of which has seen a verse that is tuned or tested on."""
    with time_step("aligning and parsing the Bible"):
        draw = np.random.default_rng(SEED)
        chosen = sorted(draw.choice(np.array(verse_numbers), TRAINED, replace=False).tolist())
        own = None if (folder / "bible-syntax").exists() else bible(chosen, PAIRINGS, 1)
    other, hiero = own or edinburgh("train"), RuleSettings.named("hiero")
    makers = {
        "Bible Hiero": lambda path: extract_or_open(other, path, hiero, LEAST),
        "Bible Syntax": lambda path: extract_or_open(other, path, SYNTAX, LEAST),
        "Edinburgh Hiero": lambda path: extract_or_open(edinburgh("train"), path, hiero),
        "Edinburgh Syntax": lambda path: extract_or_open(edinburgh("train"), path, SYNTAX),
        "Pivot": build_pivot_grammar,
    }
    for name, make in makers.items():
        with time_step("grammars"):
            grammar = make(folder / name.lower().replace(" ", "-"))
        yield name, grammar


@dataclass(frozen=True)
class Task:
    """A grammar in a folder that becomes a compressor, and what it is tuned to and decodes."""

    grammar: Path
    lm: LanguageModel
    dev: CompressionSet
    test: CompressionSet
    other: CompressionSet
    iterations: int
    threads: int


@dataclass(frozen=True)
class Compressor:
    """What a grammar made of the test sets, and how.

    `parsed` has a row for each pair that was parsed: the words of both sides and 2, or zeros if the
    grammar does not cover the pair.
    """

    untuned: list[str]
    tuned: list[str]
    shortest: list[str]
    other: list[str]
    dev_scores: list[float]
    weights: dict[str, float]
    parsed: list[list[int]]
    coverage: dict[str, object]
    seconds: dict[str, float]


def compress(task: Task) -> Compressor:
    """Tune a grammar and compress the test sets with it, in a process of its own."""
    threads = task.threads
    seconds.clear()  # of the task before
    with time_step("loading"):
        grammar = Grammar.open(task.grammar)
        paraphraser = GrammarBased(grammar, task.lm, settings=DECODING, threads=threads)
    with time_step("tuning"):
        result = tune(
            paraphraser,
            task.dev.long,
            metrics_for(task.dev)[1],
            references=[[line] for line in task.dev.short],
            settings=TuneSettings(
                iterations=task.iterations, nbest=NBEST, rate=0.5, samples=1000, seed=SEED
            ),
            threads=threads,
        )
    with time_step("decoding the test set"):
        chosen = paraphraser.with_weights(result.weights)
        dear = paraphraser.weights
        dear[paraphraser.features.index("WordPenalty")] += DEAR
        short = paraphraser.with_weights(dear)
        untuned, tuned, shortest = (
            one.nbest(task.test.long, threads=threads).best() for one in (paraphraser, chosen, short)
        )
        other = chosen.nbest(task.other.long, threads=threads).best()
    with time_step("coverage"):
        pairs = SentencePairs.of(task.test.long[:PARSED], task.test.short[:PARSED])
        parsed = coverage(grammar, pairs, PARSING, threads=threads)
    rows = np.column_stack([parsed.pairs.lengths.sum(axis=1), np.full(len(pairs), 2)])
    rows[~parsed.covered] = 0
    return Compressor(
        untuned,
        tuned,
        shortest,
        other,
        [iteration.score for iteration in result.history],
        dict(zip(result.names, result.weights.tolist(), strict=True)),
        rows.tolist(),
        parsed.record(),
        dict(seconds),
    )


def metrics_for(dev: CompressionSet) -> list[Metric]:
    """BLEU, PRÉCIS at people's rate on the pairs to tune on, and PINC."""
    precis = PRECIS(ratio=round(dev.ratio, 2), tokenize="none")
    return [BLEU(tokenize="none"), precis, PINC(tokenize="none")]


def ratio(sums: Floats) -> Floats:
    """The first column divided by the second; NaN where that is 0."""
    above, below = sums[..., 0], sums[..., 1]
    return np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)


def ratio_with_bounds(rows: Floats) -> list[float | None]:
    """The ratio of two sums over rows with its 95 % interval, on the resamples that scores have."""
    resampler = Resampler(2, RESAMPLES, seed=SEED)
    resampler.add(rows, 0)
    return [float(ratio(rows.sum(axis=0))), *interval(resampler.scores(ratio), 0.95)]


def rate_of(output: Sequence[str], test: CompressionSet) -> list[float | None]:
    """The words of the output per word of its sources, in percent, with an interval."""
    words = [[len(line.split()) for line in lines] for lines in (output, test.long)]
    return ratio_with_bounds(np.array(words, np.float64).T * [100, 1])


def bounded(values: Sequence[float | None], unit: str = "") -> str:
    """A value with its bounds, as in `cell`."""
    value, low, high = values
    return f"{value:.1f}{unit} ({low:.1f}-{high:.1f})"


def cell(score: Score) -> str:
    return f"{score.value:.1f} ({score.low:.1f}-{score.high:.1f})"


def score_output(output: Sequence[str], test: CompressionSet, metrics: Sequence[Metric]) -> list[Score]:
    return [
        metric.score(
            output, sources=test.long, references=[[line] for line in test.short], bootstrap=RESAMPLES
        )
        for metric in metrics
    ]


def edinburgh_pairs() -> CompressionSet:
    """All pairs of the test part whose lengths differ enough, toward the shorter one."""
    bitext = edinburgh("test").bitext
    sides = [list(bitext.source), list(bitext.target)]
    size = len(compression_pairs(sides, longest=LONGEST))
    return choose_compressions(sides, {"test": size}, longest=LONGEST)["test"]


def second_test(systems: dict[str, Sequence[str]], test: CompressionSet, metrics: list[Metric]) -> None:
    say("")
    say(f"The {len(test)} pairs of the Edinburgh corpus, with the same weights and language model:")
    say("")
    say("| system | BLEU | PRÉCIS | PINC | rate |")
    say("|---|---:|---:|---:|---:|")
    for name, output in {"input": test.long, "reference": test.short, **systems}.items():
        scores = score_output(output, test, metrics)
        say(f"| {name} | {' | '.join(map(cell, scores))} | {bounded(rate_of(output, test), '%')} |")


def run(folder: Path, sizes: dict[str, int], iterations: int, jobs: int) -> dict[str, object]:
    folder.mkdir(parents=True, exist_ok=True)
    own = [[line.lower() for line in lines] for lines in verses()[:BIBLES]]
    sets = choose_compressions(own, sizes, longest=LONGEST, seed=SEED)
    dev, test, other_test = sets["dev"], sets["test"], edinburgh_pairs()
    used = {*dev.sentences, *test.sentences}
    verse_numbers = [i for i in range(len(own[0])) if i not in used]
    with time_step("language model"):
        text = [lines[i] for lines in own for i in verse_numbers]
        lm = LanguageModel.train(text, order=ORDER, prune=(0, 0, 1))
    threads = max(1, (os.cpu_count() or 1) // jobs)
    grammars, pending = {}, {}
    # Each grammar is tuned as soon as it is there.
    with ProcessPoolExecutor(jobs, get_context("spawn")) as processes:
        for name, grammar in five_grammars(verse_numbers, folder):
            grammars[name] = grammar
            task = Task(grammar.path.parent, lm, dev, test, other_test, iterations, threads)
            pending[name] = processes.submit(compress, task)
        with time_step("gold grammar"):
            gold = extract_or_open(edinburgh("test"), folder / "gold", SYNTAX)
            cells = overlap(gold, grammars, modes=["strict", "non-strict"], engine=ENGINE)
        compressors = {name: one.result() for name, one in pending.items()}
    for one in compressors.values():
        for step, taken in one.seconds.items():
            seconds[step] = seconds.get(step, 0.0) + taken
    metrics = metrics_for(dev)
    say(
        f"{len(dev):,} pairs to tune on and {len(test):,} to test on, of at most {LONGEST} words; "
        f"people's rate {100 * dev.ratio:.1f}% and {100 * test.ratio:.1f}%. Language model: {lm!r}."
    )
    say(
        f"Cut for time: {TRAINED:,} verses and {BITEXT:,} sentence pairs of each bitext in grammars, "
        f"Bible rules of count {LEAST} or more, PRO with {iterations} iterations (rate 0.5, {NBEST} "
        f"best), {PARSED} pairs parsed."
    )
    say("")
    say(
        "| system | rules | BLEU | PRÉCIS | untuned | PINC | rate | shortest | PARADIGM precision "
        "| recall | avg-len |"
    )
    say(f"|---{'|---:' * 10}|")
    results: dict[str, object] = {}
    rate = round(dev.ratio, 2)
    for name, output in {
        "input": list(test.long),
        "random deletion": controls(test.long, ["deletion"], rate=rate, seed=SEED)["deletion"],
        "reference": list(test.short),
    }.items():
        scores = score_output(output, test, metrics)
        cells_of_row = [cell(scores[0]), cell(scores[1]), "", cell(scores[2])]
        cells_of_row.append(bounded(rate_of(output, test), "%"))
        say(f"| {name} |  | {' | '.join(cells_of_row)} |  |  |  |  |")
    outputs = {name: one.tuned for name, one in compressors.items()}
    others = {name: one.other for name, one in compressors.items()}
    covered = []
    for name, one in compressors.items():
        scores = score_output(one.tuned, test, metrics)
        before = score_output(one.untuned, test, metrics[1:2])[0]
        row = cells[name, "non-strict", 1]
        words, shortest = rate_of(one.tuned, test), rate_of(one.shortest, test)
        parsed = np.array(one.parsed, np.float64)
        length = ratio_with_bounds(parsed) if parsed.any() else None
        covered.append(f"{name} {int(parsed.any(axis=1).sum())}")
        cells_of_row = [cell(scores[0]), cell(scores[1]), cell(before), cell(scores[2])]
        cells_of_row += [bounded(words, "%"), bounded(shortest, "%")]
        cells_of_row += [f"{100 * (row.precision or 0):.3f}%", f"{100 * (row.recall or 0):.2f}%"]
        cells_of_row.append("none" if length is None else bounded(length))
        say(f"| {name} | {len(grammars[name]):,} | {' | '.join(cells_of_row)} |")
        results[name] = {
            "scores": {score.name: [score.value, score.low, score.high] for score in scores},
            "untuned": [before.value, before.low, before.high],
            "compression_rate": words,
            "shortest": shortest,
            "length": length,
            "overlap": [vars(cells[name, mode, 1]) for mode in ("strict", "non-strict")],
            "coverage": one.coverage,
            "dev": one.dev_scores,
            "weights": one.weights,
            "outputs": {"untuned": one.untuned, "tuned": one.tuned, "shortest": one.shortest},
        }
    say("")
    say(
        f"Parentheses: 95% intervals, {RESAMPLES:,} bootstrap resamples of sentences, seed {SEED}; of "
        f"avg-len, of the {PARSED} pairs, of which these were covered: {', '.join(covered)}."
    )
    second_test(others, other_test, metrics)
    say("")
    say("PRÉCIS on dev before tuning and at its best:")
    for name, result in results.items():
        history = result["dev"]  # type: ignore[index]
        say(f"- {name}: {history[0]:.2f}, {max(history):.2f}")
    say("")
    say(f"PARADIGM: non-strict overlap with {len(gold):,} gold rules. Signatures:")
    for metric in metrics:
        say(f"- {metric.signature}")
    say("")
    say(
        "The human columns of table 7, meaning and grammaticality of each output, are not here: "
        "`paragauge collect` can gather them as ratings of these outputs."
    )
    for i in range(0, len(test), max(1, len(test) // 3))[:3]:
        say("")
        say(f"- source: {test.long[i]}")
        say(f"- reference: {test.short[i]}")
        for name, output in outputs.items():
            say(f"- {name}: {output[i]}")
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, help="folder that keeps the grammars")
    parser.add_argument("--dev", type=int, default=1000)
    parser.add_argument("--test", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=2, help="grammars that are tuned at once")
    options = parser.parse_args()
    if not (DATA / "edinburgh").is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        sizes = {"dev": options.dev, "test": options.test}
        results = run(options.work or Path(scratch), sizes, options.iterations, options.jobs)
    total = time.perf_counter() - start
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(one.ru_utime + one.ru_stime for one in used)
    say("")
    parts = ", ".join(f"{step} {taken:.0f} s" for step, taken in seconds.items())
    say(
        f"{total / 60:.1f} minutes, {processor / 60:.1f} of the processors, {options.jobs} grammars at "
        f"once: {parts}."
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {"systems": results, "printed": printed, "seconds": seconds, "total": total}
    (RESULTS / "compression.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
