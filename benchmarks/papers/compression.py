"""Sentence compression with grammars: Weese, Ganitkevitch and Callison-Burch (2014), section 6.

Pairs of translations of a Bible verse whose lengths have a ratio of 0.67 to 0.75 replace the
paper's multiple translations of the LDC: 1000 for tuning and 1000 for testing, from different
verses. The few such pairs of the Edinburgh corpus's test part are a second test, out of domain.
Five grammars made by our own tools get the compression features, their weights are tuned by PRO to
PRÉCIS, and the test sentences are decoded. The table has the automatic measures that the paper
correlates with human judgments in its table 7: BLEU, PRÉCIS and PINC of the output, with bootstrap
intervals, and PARADIGM's lower bound on precision, relative recall and mean length of parsed
sentences of the grammar. "Shortest" is the rate that a grammar reaches if words cost more than
anything else: a grammar without deleting rules cannot compress, whatever it is tuned to. The table
also has the paper's controls: words deleted at random, and the reference itself.

The gold grammar of PARADIGM is from the test part of the Edinburgh corpus; overlap is non-strict, since
labels differ between grammars. Grammars are small and PRO is short, so that everything takes minutes;
the limits are printed. The choice of pairs, decoding and tuning are the same in every run; word
alignment may not be, so rules from the Bible and the bitexts may differ a little.

    python -m benchmarks.papers.compression [--work FOLDER] [--dev 1000] [--test 1000] [--iterations 12]

The data is in ../shared/data, or where PARAGAUGE_DATA points; needs the extra `bench`.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from paragauge.lm.model import LanguageModel
from paragauge.metrics.base import Metric
from paragauge.metrics.control_systems import controls
from paragauge.metrics.corpus_score import Score
from paragauge.metrics.precis import PRECIS
from paragauge.phrases.extract import ExtractionSettings, extract_table
from paragauge.text.bitext import Bitext

LONGEST = 50  # words of a sentence to compress
TRAINED = 6000  # verses of the Bible's grammars
BITEXT = 40_000  # sentence pairs of each language of the pivot grammar
PARSED = 200  # test pairs for PARADIGM's mean length
ORDER = 3  # of the language model
NBEST = 50  # paraphrases of a sentence in tuning
SEED = 7
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


def five_grammars(verse_numbers: Sequence[int], folder: Path) -> dict[str, Grammar]:
    """The grammars, none of which has seen a verse that is tuned or tested on."""
    with time_step("aligning and parsing the Bible"):
        draw = np.random.default_rng(SEED)
        chosen = sorted(draw.choice(np.array(verse_numbers), TRAINED, replace=False).tolist())
        own = None if (folder / "bible-syntax").exists() else bible(chosen, PAIRINGS, 1)
    with time_step("grammars"):
        other = own or edinburgh("train")
        return {
            "Bible Hiero": extract_or_open(
                other, folder / "bible-hiero", RuleSettings.named("hiero"), LEAST
            ),
            "Bible Syntax": extract_or_open(other, folder / "bible-syntax", SYNTAX, LEAST),
            "Edinburgh Hiero": extract_or_open(
                edinburgh("train"), folder / "edinburgh-hiero", RuleSettings.named("hiero")
            ),
            "Edinburgh Syntax": extract_or_open(
                edinburgh("train"), folder / "edinburgh-syntax", SYNTAX
            ),
            "Pivot": build_pivot_grammar(folder / "pivot"),
        }


def cell(score: Score) -> str:
    return f"{score.value:.1f} ({score.low:.1f}-{score.high:.1f})"


def score_output(output: Sequence[str], test: CompressionSet, metrics: Sequence[Metric]) -> list[Score]:
    return [
        metric.score(
            output, sources=test.long, references=[[line] for line in test.short], bootstrap=1000
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
        rate = 100 * scores[1].parts["compression_rate"]
        say(f"| {name} | {' | '.join(map(cell, scores))} | {rate:.1f}% |")


def run(folder: Path, sizes: dict[str, int], iterations: int) -> dict[str, object]:
    folder.mkdir(parents=True, exist_ok=True)
    own = [[line.lower() for line in lines] for lines in verses()[:BIBLES]]
    sets = choose_compressions(own, sizes, longest=LONGEST, seed=SEED)
    dev, test = sets["dev"], sets["test"]
    used = {*dev.sentences, *test.sentences}
    verse_numbers = [i for i in range(len(own[0])) if i not in used]
    grammars = five_grammars(verse_numbers, folder)
    with time_step("language model"):
        text = [lines[i] for lines in own for i in verse_numbers]
        lm = LanguageModel.train(text, order=ORDER, prune=(0, 0, 1))
    with time_step("gold grammar"):
        gold = extract_or_open(edinburgh("test"), folder / "gold", SYNTAX)
        cells = overlap(gold, grammars, modes=["strict", "non-strict"], engine=ENGINE)
    rate = round(dev.ratio, 2)
    metrics = [BLEU(tokenize="none"), PRECIS(ratio=rate, tokenize="none"), PINC(tokenize="none")]
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
    for name, output in {
        "input": list(test.long),
        "random deletion": controls(test.long, ["deletion"], rate=rate, seed=SEED)["deletion"],
        "reference": list(test.short),
    }.items():
        scores = score_output(output, test, metrics)
        words = scores[1].parts["compression_rate"]
        cells_of_row = [cell(scores[0]), cell(scores[1]), "", cell(scores[2]), f"{100 * words:.1f}%"]
        say(f"| {name} |  | {' | '.join(cells_of_row)} |  |  |  |  |")
    pairs = SentencePairs.of(test.long[:PARSED], test.short[:PARSED])
    outputs, others, other_test = {}, {}, edinburgh_pairs()
    for name, grammar in grammars.items():
        with time_step("loading"):
            paraphraser = GrammarBased(grammar, lm, settings=DECODING)
        with time_step("tuning"):
            tuned = tune(
                paraphraser,
                dev.long,
                metrics[1],
                references=[[line] for line in dev.short],
                settings=TuneSettings(
                    iterations=iterations, nbest=NBEST, rate=0.5, samples=1000, seed=SEED
                ),
            )
        with time_step("decoding the test set"):
            plain = paraphraser.nbest(test.long).best()
            chosen = paraphraser.with_weights(tuned.weights)
            output = chosen.nbest(test.long).best()
            others[name] = chosen.nbest(other_test.long).best()
            dear = paraphraser.weights
            dear[paraphraser.features.index("WordPenalty")] += DEAR
            short = paraphraser.with_weights(dear).nbest(test.long).best()
        outputs[name] = output
        with time_step("coverage"):
            parsed = coverage(grammar, pairs, PARSING)
        scores = score_output(output, test, metrics)
        before = score_output(plain, test, metrics[1:2])[0]
        row = cells[name, "non-strict", 1]
        words = scores[1].parts["compression_rate"]
        cells_of_row = [cell(scores[0]), cell(scores[1]), f"{before.value:.1f}", cell(scores[2])]
        shortest = score_output(short, test, metrics[1:2])[0].parts["compression_rate"]
        cells_of_row += [
            f"{100 * words:.1f}%",
            f"{100 * shortest:.1f}%",
            f"{100 * (row.precision or 0):.3f}%",
        ]
        cells_of_row += [
            f"{100 * (row.recall or 0):.2f}%",
            f"{parsed.length:.1f}" if parsed.covered.any() else "none",
        ]
        say(f"| {name} | {len(grammar):,} | {' | '.join(cells_of_row)} |")
        results[name] = {
            "scores": {score.name: [score.value, score.low, score.high] for score in scores},
            "untuned": before.value,
            "compression_rate": words,
            "shortest": shortest,
            "overlap": [vars(cells[name, mode, 1]) for mode in ("strict", "non-strict")],
            "coverage": parsed.record(),
            "dev": [iteration.score for iteration in tuned.history],
            "weights": dict(zip(tuned.names, tuned.weights.tolist(), strict=True)),
        }
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
    options = parser.parse_args()
    if not (DATA / "edinburgh").is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        sizes = {"dev": options.dev, "test": options.test}
        results = run(options.work or Path(scratch), sizes, options.iterations)
    total = time.perf_counter() - start
    say("")
    parts = ", ".join(f"{step} {taken:.0f} s" for step, taken in seconds.items())
    say(f"{total / 60:.1f} minutes, {time.process_time() / 60:.1f} of the processor: {parts}.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {"systems": results, "printed": printed, "seconds": seconds, "total": total}
    (RESULTS / "compression.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
