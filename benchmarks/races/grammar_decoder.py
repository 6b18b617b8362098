"""Speed of decoding with a Hiero grammar by cube pruning: sentences per second on one thread.

The grammar is from the hand-aligned training pairs of the Edinburgh corpus (Chiang's settings), the
language model is trained on both sides of them, and the sources of the test pairs are decoded. No peer
is run: cdec and Joshua are not available here. Time is processor time for one thread, so that other
work on the machine does not count, and wall-clock time for all threads.

    python -m benchmarks.races.grammar_decoder

The data is in ../shared/data, or where PARAGAUGE_DATA points.
"""

from __future__ import annotations

import json
import os
import resource
import tempfile
import time
from pathlib import Path

from benchmarks.data.paraphrase_corpora import edinburgh
from benchmarks.race import DATA, RESULTS
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.generate.grammar_based import GrammarBased
from paragauge.generate.grammar_settings import GrammarSettings
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.lm.model import LanguageModel

POPS = (10, 30, 100, 300)
ORDER = 3


def main() -> None:
    if not (DATA / "edinburgh").is_dir():
        print(f"no benchmark data at {DATA}; set PARAGAUGE_DATA to its folder")
        return
    train, test = edinburgh("train"), edinburgh("test")
    with tempfile.TemporaryDirectory() as folder:
        grammar = extract_grammar(
            train.batches(trees=False),
            Path(folder, "grammar"),
            RuleSettings.named("hiero"),
            engine=DuckDBEngine(memory="4GB"),
        )
        lm = LanguageModel.train([*train.bitext.source, *train.bitext.target], order=ORDER)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        start = time.process_time()
        paraphraser = GrammarBased(grammar, lm)
        loading = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    sources = list(test.bitext.source)
    words = sum(len(line.split()) for line in sources) / len(sources)
    print(
        f"{len(paraphraser):,} rules, loaded in {loading:.1f} s of the processor (peak of memory "
        f"{before:.2f} GB before, {peak:.2f} GB after); {lm!r}; {len(sources):,} sentences of "
        f"{words:.1f} words"
    )
    print()
    print("| pop limit | n-best | sentences/s, one thread | sentences/s, all threads | model score |")
    print("|---:|---:|---:|---:|---:|")
    rows = []
    for pops in POPS:
        # Tables are shared between settings as they are between weights.
        one = paraphraser.with_settings(GrammarSettings(pop_limit=pops))
        for size in (1, 100) if pops == 100 else (1,):
            start = time.process_time()
            lists = one.nbest(sources, size, threads=1)
            alone = len(sources) / (time.process_time() - start)
            wall = time.perf_counter()
            one.nbest(sources, size)
            together = len(sources) / (time.perf_counter() - wall)
            score = float(lists.scores[lists.offsets[:-1]].mean())
            print(f"| {pops} | {size} | {alone:,.0f} | {together:,.0f} | {score:.3f} |", flush=True)
            rows.append({"pops": pops, "nbest": size, "one": alone, "all": together, "score": score})
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {"rules": len(paraphraser), "loading": loading, "threads": os.cpu_count(), "rows": rows}
    (RESULTS / "grammar_decoder.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
