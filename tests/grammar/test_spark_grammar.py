"""Grammars extracted, compared and pruned by Spark equal those of DuckDB, byte for byte."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paragauge.align.links import Links
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine
from paragauge.grammar.evaluation.rule_examples import rule_examples
from paragauge.grammar.extract import extract_grammar
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.pruning import Pruning, prune
from paragauge.grammar.rule_overlap import overlap
from paragauge.grammar.rule_settings import RuleSettings
from paragauge.syntax.trees import Trees
from paragauge.text.bitext import Bitext

pytestmark = pytest.mark.xdist_group("spark")
WORDS = ["a", "A", "é", "z", "中", "\U0001f642", "\uffff", "e\u0301", "'", "`", "\\", "%"]


def killing(engine: SparkEngine, mark: Path) -> Engine:
    """The engine; the process that runs the workers of the first map is killed once."""
    place = str(mark)

    class Killing(SparkEngine):
        def map(self, function: Any, *arguments: Any, **more: Any) -> list[Path]:
            def die(batches: Iterator[Any]) -> Iterator[Any]:
                import contextlib
                import os
                import signal
                from pathlib import Path

                for done in function(batches):
                    yield done
                    with contextlib.suppress(FileExistsError):
                        os.close(os.open(place, os.O_CREAT | os.O_EXCL))
                        status = Path(f"/proc/{os.getppid()}/stat").read_text()
                        os.kill(int(status.rpartition(")")[2].split()[1]), signal.SIGKILL)

            return super().map(die, *arguments, **more)

    return Killing(engine.master, engine.memory, engine.folder, engine.settings)


def batch(seed: int, pairs: int) -> tuple[Bitext, Links, Trees]:
    """Sentence pairs with random links, and flat random trees of their sources."""
    draw = random.Random(seed)
    sources, targets, links, trees = [], [], [], []
    for _ in range(pairs):
        source, target = (draw.choices(WORDS, k=draw.randint(2, 7)) for _ in range(2))
        sources.append(" ".join(source))
        targets.append(" ".join(target))
        links.append([(i, min(i, len(target) - 1)) for i in range(len(source)) if draw.random() < 0.9])
        leaves = [f"({draw.choice(['NN', 'VB'])} {word})" for word in source]
        cut = draw.randint(1, len(leaves) - 1)
        trees.append(f"(S (NP {' '.join(leaves[:cut])}) (VP {' '.join(leaves[cut:])}))")
    return Bitext.of(sources, targets), Links.from_lists(links), Trees.of(trees)


def results(engine: Engine, place: Path) -> tuple[list[bytes], Any]:
    """Grammars of two texts, the rows of both, of a pruned one, their overlap and examples of it."""
    place.mkdir()
    grammars: list[Grammar] = [
        extract_grammar([batch(1, 300)], place / "gold", engine=engine),
        extract_grammar(
            [batch(2, 300)], place / "hiero", RuleSettings.named("hiero"), min_count=2, engine=engine
        ),
    ]
    best = prune(grammars[0], place / "best", Pruning(score="p_target", variants=1), engine=engine)
    overlaps = overlap(
        grammars[0], {"hiero": grammars[1], "best": best}, frequencies=[1, 2], engine=engine
    )
    assert len(grammars[0]) > 500
    assert 0 < len(best) < len(grammars[0])
    examples = rule_examples(grammars[0], best, engine=engine)
    assert any(example.is_found for example in examples.rules)
    files = [Path(grammar.path).read_bytes() for grammar in (*grammars, best)]
    return files, (overlaps, examples)


@pytest.mark.cluster
@pytest.mark.skipif(os.name != "posix", reason="processes are killed differently on this system")
def test_many_processes_one_of_which_is_killed(
    spark_engine: Callable[..., SparkEngine], tmp_path: Path
) -> None:
    files, overlaps = results(DuckDBEngine(), tmp_path / "duckdb")
    engine = killing(spark_engine("local-cluster[2,1,1024]", code=True), tmp_path / "killed")
    spark_files, spark_overlaps = results(engine, tmp_path / "spark")
    assert (tmp_path / "killed").exists()
    assert [one == two for one, two in zip(files, spark_files, strict=True)] == [True] * 3
    assert spark_overlaps == overlaps
    assert overlaps[0]["hiero", "non-strict", 1].overlap > 0
