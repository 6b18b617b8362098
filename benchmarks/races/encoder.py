"""Race: vectors of sentences, against onnxruntime with the float32 graph of the same weights.

The peer runs as its users run it: batches of 32 sentences, sorted by length, padded and masked, and all
its threads inside one batch. Both give layer 4 of every piece and the sentence's vector.

    python -m benchmarks.races.encoder FOLDER [sentences]

FOLDER is that of all-MiniLM-L6-v2 (`tools/models/make_encoder.py` says where it comes from).
The time to load the encoder is printed too. The data is in ../shared/data, or where PARAGAUGE_DATA
points.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from benchmarks.data.wmt_da import sentences
from benchmarks.race import race, report, require_equal
from paragauge.encode import OnnxEncoder
from paragauge.encode.bert_graph import write_graph
from paragauge.encode.bert_weights import read_weights
from paragauge.encode.onnx_encoder import shipped_folder

LAYER, LAST, BATCH = 4, 6, 32


def padded_session(path: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def with_float32(session: Any, pieces: list[Any]) -> list[Any]:
    """The sentences' vectors, in batches of one length after padding."""
    order = sorted(range(len(pieces)), key=lambda number: len(pieces[number]))
    vectors: list[Any] = [None] * len(pieces)
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        longest = max(len(pieces[number]) for number in batch)
        ids = np.zeros((len(batch), longest), np.int64)
        mask = np.zeros((len(batch), longest), np.int32)
        for row, number in enumerate(batch):
            ids[row, : len(pieces[number])] = pieces[number]
            mask[row, : len(pieces[number])] = 1
        names = [f"layer_{LAYER}", f"layer_{LAST}"]
        _, last = session.run(names, {"input_ids": ids, "attention_mask": mask})
        means = (last * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        for row, number in enumerate(batch):
            vectors[number] = means[row]
    return vectors


def load_seconds() -> float:
    code = (
        "import time; start = time.perf_counter()\n"
        "from paragauge.encode import open_encoder; open_encoder()\n"
        "print(time.perf_counter() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main(folder: str, count: int) -> None:
    texts = sentences(2016)[:count]
    encoder = OnnxEncoder(shipped_folder())
    pieces = encoder.pieces(texts)
    with tempfile.TemporaryDirectory() as temporary:
        graph = Path(temporary, "float32.onnx")
        write_graph(graph, read_weights(folder), [LAYER, LAST], bits=32, masked=True)
        session = padded_session(graph, 1)
        ours = encoder.encode(texts[:64], [LAYER]).sentences
        theirs = np.stack(with_float32(session, pieces[:64]))
        theirs /= np.linalg.norm(theirs, axis=1, keepdims=True)
        require_equal("mean cosine of both", float((ours * theirs).sum(axis=1).mean()), 1.0, 0.01)
        results = [
            race(
                f"vectors of {count:,} sentences, {threads} thread{'s' * (threads > 1)}",
                "onnxruntime, float32",
                count,
                theirs=partial(with_float32, padded_session(graph, threads), pieces),
                ours=partial(encoder.encode, texts, [LAYER], threads=threads),
                wanted=1.5,
            )
            for threads in (1, 2)
        ]
    report("encoder", results)
    print(f"loading the encoder: {min(load_seconds() for _ in range(3)):.2f} s")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
    else:
        print("no race without FOLDER: python -m benchmarks.races.encoder FOLDER [sentences]")
