"""Real data: skipped, with a word, where the benchmark data is not at hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from benchmarks.papers import msvd_human
from paragauge import BLEU, tokenize


def test_every_system_of_newstest2012_scores_as_in_sacrebleu(benchmark_data: Path) -> None:
    with gzip.open(benchmark_data / "wmt12" / "cs-en.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    references = [row["reference"] for row in rows]
    oracle = sacrebleu.metrics.BLEU(force=True, references=[references])
    for system in rows[0]["systems"]:
        candidates = [row["systems"][system] for row in rows]
        expected = oracle.corpus_score(candidates, None).score
        assert BLEU().score(candidates, references=references).value == pytest.approx(
            expected, abs=1e-9
        )


def test_chinese_is_tokenized_as_in_sacrebleu(benchmark_data: Path) -> None:
    with gzip.open(benchmark_data / "bitext" / "eng-cmn.tsv.gz", "rt", encoding="utf-8") as lines:
        sentences = [line.rstrip("\n").split("\t")[1] for line in lines][:5000]
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    expected = [TokenizerZh()(sentence.rstrip()).split() for sentence in sentences]
    assert tokenize(sentences, "zh") == expected


def test_human_descriptions_of_videos(benchmark_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The script beside Chen and Dolan's 52.9 and 77.2; its docstring says why figures differ."""
    groups = list(msvd_human.clusters(benchmark_data / "msvd" / "test.tsv.gz").values())
    sheet = msvd_human.describe("all", groups)
    values = [score.value for score in sheet.scores]
    # BLEU as sacreBLEU has it on the first videos, and both figures near the paper's.
    some = [(group[i], group[:i] + group[i + 1 :]) for group in groups[:3] for i in range(len(group))]
    ours = BLEU().segments([c for c, _ in some], references=[r for _, r in some])
    theirs = [sacrebleu.sentence_bleu(c, r).score for c, r in some]
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    assert values == pytest.approx([56.7, 82.1], abs=0.05)
    assert "52.9" in capsys.readouterr().out
