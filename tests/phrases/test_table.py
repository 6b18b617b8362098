"""Phrase tables on disk: queries, fingerprints, folders that are complete or no table at all."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.engine import dataset
from paragauge.engine.fingerprint import Fingerprint
from paragauge.errors import FileFormatError
from paragauge.phrases import table as tables
from paragauge.phrases.table import COLUMNS, PhraseTable, new_table, schema
from paragauge.text import atomic_folders
from tests.edit_json import load_json


def row(source: str, target: str, count: int | None = 1) -> dict:
    numbers = dict.fromkeys(tables.COUNTS, count) | dict.fromkeys(tables.SCORES, 0.5)
    return {"source": source, "target": target, **numbers, "alignment": "0-0"}


def rows_of(*rows: dict) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=schema())


def test_query(small: PhraseTable) -> None:
    pairs = small.query("  the   house ")
    assert [(p.source, p.target, p.count, p.alignment) for p in pairs] == [
        ("the house", "la maison", 2, "0-0 1-1")
    ]
    assert [p.target for p in small.query("the")] == ["la", "le"]
    assert [p.target for p in small.query("the", limit=1)] == ["la"]
    assert small.query("") == small.query("never") == small.query("thx") == []
    assert [p.target for p in small.query("中文")] == ["e\u0301"]


def test_query_over_many_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "ROW_GROUP", 3)
    long = "x" * 5000  # Parquet keeps no bounds for strings like this
    sources = [f"s{i:02}" for i in range(20) for _ in range(4)] + [long, "é", "🙂"]
    ordered = sorted(sources, key=str.encode)
    with new_table(tmp_path / "t") as writer:
        writer.write(rows_of(*(row(s, f"t{i:03}") for i, s in enumerate(ordered))))
        writer.finish({})
    table = PhraseTable.open(tmp_path / "t")
    for source in set(sources):
        assert len(table.query(source)) == sources.count(source), source
    assert table.query("s21") == []
    assert (len(table), table.info["sources"]) == (83, 23)


def test_batches(small: PhraseTable) -> None:
    whole = pa.Table.from_batches(list(small.batches()))
    assert tuple(whole.column_names) == COLUMNS
    assert len(whole) == len(small) == 18
    keys = [(r["source"].encode(), r["target"].encode()) for r in whole.to_pylist()]
    assert keys == sorted(keys)
    parts = list(small.batches(("target", "count"), size=4))
    assert [len(part) for part in parts] == [4, 4, 4, 4, 2]
    assert parts[0].schema.names == ["target", "count"]


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.text(max_size=5), st.integers(0, 9) | st.none()), max_size=8),
    st.integers(0, 8),
)
def test_a_fingerprint_does_not_depend_on_batches(texts: list, cut: int) -> None:
    whole = rows_of(*(row(text, text[::-1], count) for text, count in texts))
    one, two = Fingerprint(schema()), Fingerprint(schema())
    one.add(whole)
    for part in (whole[:cut], whole[cut:]):
        two.add(part)
    assert one.hex() == two.hex()


def test_a_fingerprint_tells_rows_apart() -> None:
    def fingerprint(*rows: dict) -> str:
        digest = Fingerprint(schema())
        digest.add(rows_of(*rows))
        return digest.hex()

    base = row("ab", "c")
    others = [row("a", "bc"), row("ab", "c", None), row("ab", "c", 2), base | {"p_target": 0.25}]
    others += [base | {"alignment": "0-1"}, base | {"p_target": 0.25, "p_source": 0.75}]
    fingerprints = {
        fingerprint(base),
        *(fingerprint(other) for other in others),
        fingerprint(base, base),
    }
    assert len(fingerprints) == len(others) + 2
    assert fingerprint(row("x", "y", 0)) != fingerprint(row("x", "y", None))


def test_verify(copied: Path) -> None:
    PhraseTable.open(copied).verify()
    path = copied / "phrases.parquet"
    rows = pq.read_table(path)
    changed = rows.set_column(9, "alignment", pa.array(["0-1"] * len(rows)))
    pq.write_table(changed, path)
    with pytest.raises(FileFormatError, match=r"the rows are not those that phrase-table\.json was"):
        PhraseTable.open(copied).verify()


def opening(folder: Path) -> str:
    with pytest.raises(FileFormatError) as caught:
        PhraseTable.open(folder)
    return str(caught.value)


def test_what_is_no_table(copied: Path, tmp_path: Path) -> None:
    assert opening(tmp_path / "none").endswith("none: no such folder; check the path")
    (tmp_path / "file").write_text("a ||| b")
    assert "expected the folder of a phrase table, found a file; for a Moses table" in opening(
        tmp_path / "file"
    )
    description = copied / "phrase-table.json"
    good = load_json(description)
    for text, message in (
        ("{", "expected JSON, found bad JSON"),
        ("[" * 100_000, "expected JSON, found bad JSON"),
        ("[]", "expected the description of a phrase table"),
        ('{"format": "x"}', "expected the description of a phrase table"),
        (
            json.dumps(good | {"version": 2}),
            "expected format version 1, found 2; extract the table again",
        ),
        (json.dumps(good | {"pairs": 3}), "expected 3 rows as phrase-table.json says, found 18"),
        (json.dumps(good | {"pairs": "3"}), "expected the fields pairs and fingerprint"),
    ):
        description.write_text(text)
        assert message in opening(copied)
    description.unlink()
    assert "found a folder without phrase-table.json: it is another folder, or was left unfinished" in (
        opening(copied)
    )


def test_damaged_rows(copied: Path) -> None:
    path = copied / "phrases.parquet"
    whole = path.read_bytes()
    path.write_bytes(b"PAR1" + whole[4:200])
    assert "expected a Parquet file" in opening(copied)
    pq.write_table(pa.table({"a": [1]}), path)
    assert "expected the columns source, target, count" in opening(copied)
    path.unlink()
    assert "no such file" in opening(copied)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=40))
def test_fuzzed_rows(
    small: PhraseTable, tmp_path_factory: pytest.TempPathFactory, at: int, noise: bytes
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    data = bytearray((small.folder / "phrases.parquet").read_bytes())
    data[at % len(data) : at % len(data) + len(noise)] = noise
    (folder / "phrases.parquet").write_bytes(data)
    (folder / "phrase-table.json").write_bytes((small.folder / "phrase-table.json").read_bytes())
    message = ""
    try:
        table = PhraseTable.open(folder)
        table.query("the")
        table.verify()
    except FileFormatError as error:
        message = str(error)
    assert "\n" not in message


def test_an_error_leaves_no_folder(tmp_path: Path) -> None:
    def fail() -> None:
        with new_table(tmp_path / "t") as writer:
            writer.write(rows_of(row("a", "b")))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_table_is_replaced_and_other_folders_are_not(tmp_path: Path) -> None:
    for count in (1, 2):
        with new_table(tmp_path / "t") as writer:
            writer.write(rows_of(*(row("a", str(i)) for i in range(count))))
            writer.finish({"facts": count})
        assert len(PhraseTable.open(tmp_path / "t")) == count
    assert [path.name for path in tmp_path.iterdir()] == ["t"]
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == [
        "phrase-table.json",
        "phrases.parquet",
    ]
    (tmp_path / "mine").mkdir()
    with new_table(tmp_path / "mine") as writer:  # an empty folder has nothing to lose
        writer.finish({})
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()
    (tmp_path / "file").touch()
    for name, message in (
        ("other", "found a folder with other files; name another"),
        ("file", "expected a folder for the phrase table, found a file; name another"),
        ("none/t", "does not exist; make it first"),
    ):
        with pytest.raises(FileFormatError, match=message), new_table(tmp_path / name):
            pass
    assert (tmp_path / "other" / "thesis.tex").exists()


def test_a_table_that_cannot_be_put_in_place_leaves_the_old_one(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fingerprint = PhraseTable.open(copied).fingerprint
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.endswith(".tmp"):
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(atomic_folders, "exchange", lambda *_: False)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(FileFormatError, match="no permission"), new_table(copied) as writer:
        writer.finish({})
    assert PhraseTable.open(copied).fingerprint == fingerprint
    assert [path.name for path in copied.parent.iterdir()] == ["copy"]


@settings(max_examples=30)
@given(st.lists(st.integers(0, 9), max_size=6))
def test_files_do_not_depend_on_how_rows_come_in(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("cuts")
    rows = rows_of(*(row(f"s{i:03}", "t") for i in range(sum(sizes))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "ROW_GROUP", 4)
        for name, parts in (("one", [sum(sizes)]), ("many", sizes)):
            with new_table(folder / name) as writer:
                start = 0
                for size in parts:
                    writer.write(rows[start : start + size])
                    start += size
                writer.finish({})
    one, many = (folder / name / "phrases.parquet" for name in ("one", "many"))
    assert one.read_bytes() == many.read_bytes()
    groups = pq.ParquetFile(one).metadata
    group_sizes = [groups.row_group(i).num_rows for i in range(groups.num_row_groups)]
    assert group_sizes == [min(4, len(rows) - i) for i in range(0, len(rows), 4)]
    PhraseTable.open(folder / "many").verify()


def test_a_flipped_bit_in_a_page_is_noticed(copied: Path) -> None:
    path = copied / "phrases.parquet"
    whole = path.read_bytes()
    metadata = pq.read_metadata(path)
    noticed = 0
    for column in range(metadata.num_columns):
        chunk = metadata.row_group(0).column(column)
        last = chunk.data_page_offset + chunk.total_compressed_size - 1  # of the page of values
        if chunk.has_dictionary_page:
            last -= chunk.data_page_offset - chunk.dictionary_page_offset
        for bit in (0, 5):
            changed = bytearray(whole)
            changed[last] ^= 1 << bit
            path.write_bytes(changed)
            with pytest.raises(FileFormatError, match="damaged phrase table"):
                list(PhraseTable.open(copied).batches())
            noticed += 1
    assert noticed == 2 * len(COLUMNS)
