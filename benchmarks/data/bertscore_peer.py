"""The peers of `benchmarks.races.bertscore`, bert-score and sentence-transformers, as a process.

Run by a Python that has both; it needs nothing of paragauge. Standard input is a JSON object with the
model's folder, the number of threads and of repeats, candidates and references. Standard output is one
with scores and seconds. Loading the model is not timed, and each side has scored once before.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any


def timed(call: Callable[[], Any], repeats: int) -> tuple[Any, list[float]]:
    """What the last call returns, and the seconds of each."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return result, times


def main() -> None:
    import bert_score
    import sentence_transformers
    import torch

    task = json.load(sys.stdin)
    torch.set_num_threads(task["threads"])
    folder, candidates, references = task["folder"], task["candidates"], task["references"]
    options = {"model_type": folder, "num_layers": task["layer"], "device": "cpu"}
    plain = bert_score.BERTScorer(**options)
    weighted = bert_score.BERTScorer(**options, idf=True, idf_sents=references)
    encoder = sentence_transformers.SentenceTransformer(folder, device="cpu")

    def cosines() -> Any:
        vectors = encoder.encode(candidates + references, convert_to_tensor=True)
        pairs = vectors[: len(candidates)], vectors[len(candidates) :]
        return torch.nn.functional.cosine_similarity(*pairs)

    scores, score_times = timed(lambda: plain.score(candidates, references), task["repeats"])
    cosine, cosine_times = timed(cosines, task["repeats"])
    answer = {
        "versions": {
            module.__name__.replace("_", "-"): module.__version__
            for module in (bert_score, sentence_transformers, torch)
        },
        "bertscore": [part.tolist() for part in scores],
        "idf": [part.tolist() for part in weighted.score(candidates, references)],
        "cosine": cosine.tolist(),
        "bertscore_seconds": score_times,
        "cosine_seconds": cosine_times,
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
