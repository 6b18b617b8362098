"""Kept stages: what runs again, and what does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paragauge.errors import FileFormatError
from paragauge.grammar.evaluation.work_folder import RECORD, Stage, WorkFolder, hash_files, stage_key


def stage(key: str, name: str = "words") -> Stage:
    return Stage(name, "write words", stage_key(key), (f"{name}.txt",))


def run(work: WorkFolder, one: Stage) -> bool:
    return work.run(one, lambda: work.path(one.files[0]).write_text("a"))


def test_a_stage_runs_again_if_its_key_changes(tmp_path: Path) -> None:
    work = WorkFolder(tmp_path / "work")
    assert run(work, stage("a"))
    assert not run(work, stage("a"))
    assert run(work, stage("b"))
    assert run(WorkFolder(tmp_path / "work"), stage("a"))
    assert not run(WorkFolder(tmp_path / "work"), stage("a"))


def test_a_stage_runs_again_if_a_file_is_missing(tmp_path: Path) -> None:
    work = WorkFolder(tmp_path / "work")
    run(work, stage("a"))
    work.path("words.txt").unlink()
    assert not work.is_done(stage("a"))
    assert run(work, stage("a"))


def test_a_stage_runs_again_after_one_that_it_reads(tmp_path: Path) -> None:
    work = WorkFolder(tmp_path / "work")
    second = Stage("second", "read words", stage_key("s"), ("second.txt",), after=("words",))
    run(work, stage("a"))
    assert run(work, second)
    assert not run(work, second)
    work.path("words.txt").unlink()
    run(work, stage("a"))
    assert run(work, second)


def test_an_interrupted_stage_is_not_kept(tmp_path: Path) -> None:
    work = WorkFolder(tmp_path / "work")
    run(work, stage("a", "first"))

    def stop() -> None:
        work.path("second.txt").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work.run(stage("a", "second"), stop)
    again = WorkFolder(tmp_path / "work")
    assert again.is_done(stage("a", "first"))
    assert not again.is_done(stage("a", "second"))


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(FileFormatError, match="found a folder with other files; name another"):
        WorkFolder(tmp_path)


def test_a_damaged_record(tmp_path: Path) -> None:
    for text in ("{", json.dumps({"stages": 3}), json.dumps([1])):
        (tmp_path / RECORD).write_text(text)
        with pytest.raises(FileFormatError, match="expected the record of kept stages"):
            WorkFolder(tmp_path)


def test_contents_count_not_names(tmp_path: Path) -> None:
    for name, text in (("a", "x"), ("b", "x"), ("c", "y")):
        (tmp_path / name).write_text(text)
    one, two, three = hash_files([tmp_path / name for name in "abc"])
    assert one == two != three
