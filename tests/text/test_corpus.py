"""Corpora from files and tables: batches that do not matter, and errors that name file and line."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, LengthError, ParagaugeError
from paragauge.text import side_by_side as module
from paragauge.text.corpus import Corpus

words = st.text("ab ", max_size=9)


@pytest.fixture(params=[1, 2, 3, 7, module.BATCH], ids=lambda size: f"batch{size}")
def batch(request, monkeypatch):
    monkeypatch.setattr(module, "BATCH", request.param)
    return request.param


@pytest.fixture
def file(tmp_path):
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def read_all(corpus: Corpus) -> dict[str, list]:
    """Everything in the batches, joined; also checks how they are numbered."""
    texts: dict[str, list] = {}
    first = 0
    for part in corpus.batches():
        assert part.first == first
        first += len(part)
        columns = {**part.systems, "<sources>": part.sources, "<references>": part.references}
        for name, lines in columns.items():
            if lines is not None:
                texts.setdefault(name, []).extend(lines)
    return texts


def message(corpus: Corpus, kind: type[ParagaugeError]) -> str:
    with pytest.raises(kind) as caught:
        read_all(corpus)
    assert type(caught.value) is kind
    return str(caught.value)


def test_files(file, batch):
    corpus = Corpus(
        {
            "one": file("1.txt", "a\nb\nc\n"),
            "two": str(file("2.txt.gz", gzip.compress(b"d\r\ne\r\nf"))),
        },
        [file("s.txt", "s t\t\n\nu\n")],
        [file("r.txt", "r1\nr2\nr3\n"), file("r.tsv", "x\ty\nz\nv\t\tw\n")],
    )
    assert corpus.inputs() == {"sources", "references"}
    assert read_all(corpus) == {
        "one": ["a", "b", "c"],
        "two": ["d", "e", "f"],
        "<sources>": [["s t\t"], [""], ["u"]],  # only references are cut at tabs
        "<references>": [["r1", "x", "y"], ["r2", "z"], ["r3", "v", "w"]],
    }


def test_several_sources(file, batch):
    corpus = Corpus(
        {"one": file("1.txt", "a\nb\n")}, [file("s1.txt", "s\nt\n"), file("s2.txt", "u\nv\n")]
    )
    assert corpus.inputs() == {"sources"}
    assert read_all(corpus)["<sources>"] == [["s", "u"], ["t", "v"]]


@pytest.mark.parametrize("limit", [1, 2, 5, 1 << 24])
@given(st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=9))
@settings(max_examples=25)
def test_batches_do_not_matter(tmp_path, limit, rows):
    # A line of references may be empty, or have empty fields beside others, but not only such.
    rows = [(text, refs) for text, refs in rows if len(refs) == 1 or any(refs)]
    if not rows:
        return
    (tmp_path / "c").write_text("".join(f"{text}\n" for text, _ in rows))
    (tmp_path / "r").write_text("".join("\t".join(refs) + "\n" for _, refs in rows))
    expected = [refs if len(refs) == 1 else [ref for ref in refs if ref] for _, refs in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BATCH_BYTES", limit)
        for size in (1, 2, 3, 100):
            patch.setattr(module, "BATCH", size)
            texts = read_all(Corpus({"c": tmp_path / "c"}, references=[tmp_path / "r"]))
            assert texts == {"c": [text for text, _ in rows], "<references>": expected}


@pytest.mark.parametrize(("short", "long"), [(2, 5), (1, 2), (7, 8), (4, 9)])
@pytest.mark.parametrize("swapped", [False, True])
def test_different_lengths(file, batch, short, long, swapped):
    one, two = file("short.txt", "x\n" * short), file("long.txt", "x\n" * long)
    corpus = Corpus({"a": two if swapped else one}, [one if swapped else two])
    assert message(corpus, LengthError) == (
        f"{one} has {short} line{'s' * (short != 1)} but {two} has {long}; expected equally many; "
        f"line {short + 1} is the first that {one} lacks"
    )


def test_different_lengths_of_three(file, batch):
    files = {name: file(f"{name}.txt", "x\n" * count) for name, count in (("a", 4), ("b", 3), ("c", 6))}
    assert message(Corpus(files), LengthError) == (
        f"{files['b']} has 3 lines but {files['c']} has 6; expected equally many; "
        f"line 4 is the first that {files['b']} lacks"
    )


def test_a_final_line_without_its_end_counts(file, batch):
    assert len(read_all(Corpus({"a": file("a", "x\ny")}, [file("s", "x\ny\n")]))["a"]) == 2


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", gzip.compress(b"")], ids=["empty", "bom", "gzip"]
)
@pytest.mark.parametrize("which", ["candidates", "sources", "both"])
def test_empty_file(file, content, which):
    empty, full = file("empty.txt", content), file("full.txt", "x\n")
    corpus = Corpus(
        {"a": full if which == "sources" else empty}, [full if which == "candidates" else empty]
    )
    assert message(corpus, FileFormatError) == (
        f"{empty}: the file is empty; expected one sentence per line"
    )


def test_standard_input_once(file, monkeypatch, batch):
    stream = io.BufferedReader(io.BytesIO(b"a\nb\nc\n"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    assert read_all(Corpus({"a": "-"}, [file("s", "x\ny\nz\n")]))["a"] == ["a", "b", "c"]


def test_standard_input_in_messages(file, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\nb\n"))))
    source = file("s", "x\n")
    assert message(Corpus({"a": "-"}, [source]), LengthError) == (
        f"{source} has 1 line but <stdin> has 2; expected equally many; "
        f"line 2 is the first that {source} lacks"
    )


@pytest.mark.parametrize(
    "corpus",
    [Corpus({"a": "-"}, ["-"]), Corpus({"a": "-", "b": "-"}), Corpus({"a": "x"}, ["-"], [Path("-")])],
)
def test_standard_input_twice(corpus):
    assert message(corpus, InputError) == (
        "standard input (-) can serve one input only; give files for the others"
    )


def test_tab_separated_references(file, batch):
    refs = file("r.tsv", "a\tb\tc\n\nd\n\te\n \tf\ng\t\t\n")
    texts = read_all(Corpus({"c": file("c", "x\n" * 6)}, references=[refs]))
    assert texts["<references>"] == [["a", "b", "c"], [""], ["d"], ["e"], [" ", "f"], ["g"]]


@pytest.mark.parametrize("line", ["\t", "\t\t\t"])
def test_only_empty_references(file, batch, line):
    refs = file("r.tsv", f"a\tb\nc\nd\ne\n{line}\nf\n")
    corpus = Corpus({"c": file("c", "x\n" * 6)}, references=[refs])
    assert message(corpus, FileFormatError) == (
        f"{refs}:5: expected at least one of the references, found only empty fields"
    )


def test_invalid_utf8_in_a_later_batch(file, batch):
    bad = file("bad.txt", b"a\nb\nc\nd\xff\n")
    corpus = Corpus({"c": file("c", "x\n" * 4)}, [bad])
    assert message(corpus, FileFormatError) == (
        f"{bad}:4: expected UTF-8 text, found byte 0xff at byte 2 of the line; "
        "convert the file, for example with iconv -f windows-1252 -t utf-8"
    )


def test_paths(file, tmp_path):
    source = file("s", "x\n")
    missing = tmp_path / "none"
    assert message(Corpus({"a": source}, [missing]), FileFormatError) == (
        f"{missing}: no such file; check the path"
    )
    assert message(Corpus({"a": tmp_path}, [source]), FileFormatError) == (
        f"{tmp_path}: expected a file, found a directory; name a file in it"
    )


def test_no_system():
    assert message(Corpus({}), InputError) == "expected at least one system's candidates, found none"


def tables(folder: Path, rows: list[dict]) -> list[Path]:
    folder.joinpath("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), folder / "t.parquet")
    return [folder / "t.jsonl", folder / "t.parquet"]


def test_tables(tmp_path, batch):
    rows = [
        {"src": "s1", "out": "a", "refs": ["x", "y"]},
        {"src": "s2", "out": "", "refs": ["z"]},
        {"src": "s3", "out": "c", "refs": ["v", "w", "x"]},
    ]
    for table in tables(tmp_path, rows):
        corpus = Corpus({"mine": "out", "copy": "src"}, ["src"], ["refs", "src"], table)
        assert read_all(corpus) == {
            "mine": ["a", "", "c"],
            "copy": ["s1", "s2", "s3"],
            "<sources>": [["s1"], ["s2"], ["s3"]],
            "<references>": [["x", "y", "s1"], ["z", "s2"], ["v", "w", "x", "s3"]],
        }


@pytest.mark.parametrize(("value", "count"), [([], 0), (["a", "b"], 2)])
def test_a_system_has_one_candidate(tmp_path, batch, value, count):
    rows = [{"out": ["x"]}] * 4 + [{"out": value}]
    for table in tables(tmp_path, rows):
        assert message(Corpus({"mine": "out"}, table=table), FileFormatError) == (
            f"{table}: row 5: column 'out': expected one candidate, found {count}"
        )


@pytest.mark.parametrize("what", ["sources", "references"])
def test_a_segment_without_texts(tmp_path, batch, what):
    rows = [{"out": "a", "x": ["b"]}] * 4 + [{"out": "a", "x": []}]
    for table in tables(tmp_path, rows):
        assert message(Corpus({"mine": "out"}, **{what: ["x"]}, table=table), InputError) == (
            f"{what}: segment 5: expected at least one of the {what}, found none; "
            "give an empty string if that is meant"
        )


def test_tables_without_rows(tmp_path):
    tsv, csv, jsonl, parquet = (tmp_path / f"t.{kind}" for kind in ("tsv", "csv", "jsonl", "parquet"))
    tsv.write_text("out\tsrc\n")
    csv.write_text("out,src\n")
    jsonl.write_text("")
    pq.write_table(pa.table({"out": pa.array([], pa.string())}), parquet)
    for table in (tsv, csv, jsonl, parquet):
        assert message(Corpus({"mine": "out"}, table=table), FileFormatError) == (
            f"{table}: the table has no rows"
        )


def test_unknown_column(tmp_path):
    table = tmp_path / "t.tsv"
    table.write_text("source\toutput\na\tb\n")
    assert message(Corpus({"mine": "outptu"}, ["source"], table=table), FileFormatError) == (
        f"{table}:1: unknown column 'outptu'; did you mean 'output'? known: source, output"
    )


@pytest.mark.parametrize("kind", ["tsv", "csv"])
def test_table_from_standard_input(monkeypatch, batch, kind):
    content = {"tsv": b"a\tb\n1\t2\n3\t4\n", "csv": b'a,b\n1,"2"\n3,4\n'}[kind]
    stream = io.BufferedReader(io.BytesIO(content))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    texts = read_all(Corpus({"x": "a"}, ["b"], table="-", table_format=kind))
    assert texts == {"x": ["1", "3"], "<sources>": [["2"], ["4"]]}


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
@pytest.mark.parametrize("how", ["read", "stopped", "failed"])
def test_files_are_closed(file, monkeypatch, how):
    monkeypatch.setattr(module, "BATCH", 1)
    paths = {file("c", "a\nb\n"), file("s", "a\n" if how == "failed" else "a\nb\n")}
    batches = Corpus({"a": min(paths)}, [max(paths)]).batches()
    next(batches)
    if how == "stopped":
        batches.close()
    elif how == "failed":
        with pytest.raises(LengthError):
            list(batches)
    else:
        list(batches)
    links = set()
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208  # names only
        try:
            links.add(Path("/proc/self/fd", number).readlink())
        except FileNotFoundError:
            continue
    assert not links & paths


def test_empty_cells_of_a_tsv_table_are_no_references(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("cand\tref1\tref2\nx\ta b\t\ny\t\tc\nz\td\te\n")
    corpus = Corpus({"cand": "cand"}, references=["ref1", "ref2"], table=path)
    (batch,) = corpus.batches()
    assert list(batch.references) == [["a b"], ["c"], ["d", "e"]]
    single = Corpus({"cand": "cand"}, references=["ref2"], table=path)
    (batch,) = single.batches()
    assert list(batch.references) == [[""], ["c"], ["e"]]
    path.write_text("cand\tref1\tref2\nx\ta b\t\ny\t\t\n")
    with pytest.raises(FileFormatError) as caught:
        list(corpus.batches())
    assert (
        str(caught.value)
        == f"{path}:3: expected at least one of the references, found only empty fields"
    )
