"""Segment scores to files: what is read back is what the metrics say."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from paragauge import BLEU, PINC
from paragauge.errors import FileFormatError, SettingError
from paragauge.metrics.scoring import score_batches
from paragauge.report.tables.segment_scores import segment_writer
from paragauge.text import side_by_side as parallel_module
from paragauge.text.batch import Batch
from paragauge.text.corpus import Corpus
from paragauge.text.line_reader import LineReader

SOURCES = ["a b c d", "e f g h", "i j", "k l m n o"]
REFERENCES = [["a b c d"], ["e f g x", "f"], ["i k"], ["k l m n p"]]
SYSTEMS = {"copy": SOURCES, "new é": ["x y z w", "e f x y", "", "k l m n q"]}
METRICS = {"pinc": PINC(), "bleu:order=2": BLEU(order=2)}
KINDS = ["tsv", "csv", "jsonl", "parquet"]


def read(path: Path) -> list[dict]:
    """The rows of a file; numbers as numbers, None where there is none."""
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
        return [{k: None if v != v else v for k, v in row.items()} for row in rows]
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in lines]
    header, *rows = [line.split("," if path.suffix == ".csv" else "\t") for line in lines]
    records = []
    for row in rows:
        record = dict(zip(header, row, strict=True))
        records.append(
            {
                key: value if key == "system" else int(value) if key == "segment" else _number(value)
                for key, value in record.items()
            }
        )
    return records


def _number(text: str) -> float | None:
    return float(text) if text else None


def write(path: Path, batches, metrics=METRICS) -> None:
    with segment_writer(path, metrics) as writer:
        score_batches(batches, metrics, bootstrap=0, observers=[writer])


@pytest.mark.parametrize("kind", KINDS)
def test_there_and_back(tmp_path, kind):
    path = tmp_path / f"out.{kind}"
    write(path, [Batch.of(SYSTEMS, sources=SOURCES, references=REFERENCES)])
    values = {
        name: {
            "pinc": METRICS["pinc"].segments(texts, sources=SOURCES),
            "bleu:order=2": METRICS["bleu:order=2"].segments(texts, references=REFERENCES),
        }
        for name, texts in SYSTEMS.items()
    }
    assert read(path) == [
        {
            "segment": i + 1,
            "system": name,
            **{label: scores[i] for label, scores in values[name].items()},
        }
        for i in range(4)
        for name in SYSTEMS
    ]
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", KINDS)
def test_by_hand(tmp_path, kind):
    path = tmp_path / f"out.{kind}"
    write(path, [Batch.of({"a": ["x y", "x z"]}, sources=["x y", "x y"])], {"pinc": PINC()})
    # Second segment: one of two words new, the pair of words new: (1/2 + 1) / 2.
    assert read(path) == [
        {"segment": 1, "system": "a", "pinc": 0.0},
        {"segment": 2, "system": "a", "pinc": 75.0},
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_batches_do_not_matter(tmp_path, monkeypatch, kind):
    for name, lines in (("c", SYSTEMS["new é"]), ("s", SOURCES)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    corpus = Corpus({"c": tmp_path / "c"}, [tmp_path / "s"])
    tables = []
    for size in (1, 3, 100):
        monkeypatch.setattr(parallel_module, "BATCH", size)
        path = tmp_path / f"out{size}.{kind}"
        write(path, corpus.batches(), {"pinc": PINC()})
        tables.append(read(path))
    assert tables[0] == tables[1] == tables[2]
    assert [row["segment"] for row in tables[0]] == [1, 2, 3, 4]


@pytest.mark.parametrize("kind", KINDS)
def test_undefined_scores_are_missing(tmp_path, kind, undefined):
    path = tmp_path / f"out.{kind}"
    write(path, [Batch.of({"a": ["", "abc"]})], {"length": undefined})
    assert [row["length"] for row in read(path)] == [None, 3.0]
    if kind == "tsv":
        assert path.read_text() == "segment\tsystem\tlength\n1\ta\t\n2\ta\t3.0\n"
    if kind == "csv":
        assert path.read_text() == "segment,system,length\n1,a,\n2,a,3.0\n"
    if kind == "jsonl":
        assert path.read_text().startswith('{"segment": 1, "system": "a", "length": null}\n')


def test_undefined_in_every_batch_of_parquet(tmp_path, undefined):
    # The schema is settled by the first batch: a column without any value must still be numbers.
    path = tmp_path / "out.parquet"
    batches = [Batch.of({"a": [""]}), Batch.of({"a": ["abc"]})]
    batches[1].first = 1
    write(path, batches, {"length": undefined})
    assert [row["length"] for row in read(path)] == [None, 3.0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("after", [0, 1], ids=["before-a-batch", "after-a-batch"])
def test_an_error_leaves_the_old_file(tmp_path, kind, after):
    path = tmp_path / f"out.{kind}"
    path.write_text("old")

    def batches():
        for _ in range(after):
            yield Batch.of({"a": ["x"]}, sources=["x"])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(path, batches(), {"pinc": PINC()})
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_names_that_do_not_tell_the_format(tmp_path):
    path = tmp_path / "out.xls"
    with pytest.raises(SettingError) as caught:
        write(path, [], {"pinc": PINC()})
    assert str(caught.value) == (
        f"{path}: expected a name that ends in .tsv, .csv, .jsonl (.gz or .zst may follow) or "
        ".parquet; choose another name"
    )


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_compressed_name_means_compressed_content(tmp_path, kind, suffix):
    # Written compressed or refused; plain text under the name x.gz breaks gunzip and zcat.
    path = tmp_path / f"out.{kind}{suffix}"
    try:
        write(path, [Batch.of({"a": ["x"]}, sources=["x"])], {"pinc": PINC()})
    except SettingError:
        assert not path.exists()
        return
    magic = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}[suffix]
    assert path.read_bytes().startswith(magic)
    with LineReader(path) as reader:
        lines = list(reader.read(9))
    assert lines == {
        "tsv": ["segment\tsystem\tpinc", "1\ta\t0.0"],
        "csv": ["segment,system,pinc", "1,a,0.0"],
        "jsonl": ['{"segment": 1, "system": "a", "pinc": 0.0}'],
    }.get(kind)


def test_missing_folder(tmp_path):
    path = tmp_path / "none" / "out.tsv"
    with pytest.raises(FileFormatError) as caught:
        write(path, [], {"pinc": PINC()})
    assert str(caught.value) == f"{path}: its folder {path.parent} does not exist; make it first"
