"""Folders that are replaced in one step, and what the next run does with what a killed one left."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from paragauge.errors import FileFormatError
from paragauge.text import atomic_folders
from paragauge.text.atomic_folders import atomic_folder, file_set, new_folder
from paragauge.text.saving import leftovers
from paragauge.text.saving.leftovers import clean_up, restore_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")


def write_model(target: Path, text: str, *, parts: tuple[str, ...] = ("*",)) -> None:
    with atomic_folder(target, "word list", "words.json", parts) as folder:
        (folder / "words.json").write_text(text)
        (folder / "part").write_text(text)


def write_set(target: Path, text: str) -> None:
    with file_set(target) as folder:
        for name in ("a", "b", "c"):
            (folder / name).write_text(text)


def kill_before(module: object, name: str, number: int, write: object, *arguments: object) -> None:
    """Run `write` in a process that is killed before the call number `number` of a function."""
    original, calls = getattr(module, name), 0

    def call(*values: object, **named: object) -> object:
        nonlocal calls
        calls += 1
        if calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*values, **named)

    def work() -> None:
        setattr(module, name, call)
        write(*arguments)

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".paragauge-*")]


@pytest.mark.parametrize("name", ["sync_tree", "_put_in_place", "release"])
def test_a_kill_leaves_the_old_or_the_new_folder(tmp_path, name):
    target = tmp_path / "model"
    write_model(target, "old")
    kill_before(atomic_folders, name, 1, write_model, target, "new")
    assert hidden(tmp_path)
    text = "new" if name == "release" else "old"
    assert content(target) == {"part": text, "words.json": text}
    write_model(target, "next")
    assert hidden(tmp_path) == []
    assert content(tmp_path) == {"model/part": "next", "model/words.json": "next"}


@pytest.mark.parametrize(("number", "restored"), [(1, False), (2, True), (3, False)])
def test_without_an_exchange_the_next_run_restores_the_old_folder(
    tmp_path, monkeypatch, caplog, number, restored
):
    target = tmp_path / "model"
    write_model(target, "old")
    monkeypatch.setattr(atomic_folders, "exchange", lambda *_: False)
    if number < 3:  # before each of the two renames
        kill_before(Path, "rename", number, write_model, target, "new")
    else:
        kill_before(atomic_folders, "release", 1, write_model, target, "new")
    assert target.exists() != restored
    with caplog.at_level(logging.WARNING, "paragauge"):
        restore_folder(target)  # as readers do
    message = f"{target}: restored; the run that should have replaced it was interrupted"
    assert (message in caplog.text) == restored
    text = "new" if number == 3 else "old"
    assert content(target) == {"part": text, "words.json": text}
    clean_up(tmp_path, again=True)
    assert hidden(tmp_path) == []


@pytest.mark.parametrize("number", [2, 3, 4])
def test_files_of_a_set_are_completed(tmp_path, caplog, number):
    write_set(tmp_path, "old")
    (tmp_path / "other").write_text("other")
    kill_before(Path, "replace", number - 1, write_set, tmp_path, "new")
    assert len(set(content(tmp_path).values())) > 1 or number == 2
    with caplog.at_level(logging.WARNING, "paragauge"):
        clean_up(tmp_path, again=True)
    assert f"{tmp_path}: completed what an interrupted run had written" in caplog.text
    assert content(tmp_path) == {"a": "new", "b": "new", "c": "new", "other": "other"}
    assert hidden(tmp_path) == []


def test_a_kill_before_a_set_is_complete_leaves_the_old_files(tmp_path):
    write_set(tmp_path, "old")
    kill_before(atomic_folders, "_move_into", 1, write_set, tmp_path, "new")
    clean_up(tmp_path, again=True)
    assert content(tmp_path) == {"a": "old", "b": "old", "c": "old"}
    assert hidden(tmp_path) == []


def test_the_work_of_a_living_process_and_of_another_machine_stays(tmp_path):
    machine = leftovers._machine()
    other = "0" * 8 if machine != "0" * 8 else "1" * 8
    names = [
        f".paragauge-{machine}-{os.getppid()}-0123456789ab.tmp",
        f".paragauge-{other}-9999999999-0123456789ab.tmp",
        ".paragauge-of-somebody.tmp",
    ]
    for name in names:
        (tmp_path / name).write_text("half")
    dead = tmp_path / f".paragauge-{machine}-{os.getpid()}-0123456789ab.tmp"
    dead.write_text("an earlier process had our number")
    write_model(tmp_path / "model", "new")
    assert sorted(hidden(tmp_path)) == sorted(names)


def test_what_sqlite_leaves_beside_a_working_file_is_removed(tmp_path):
    machine, token = leftovers._machine(), "0123456789ab"
    for process in (9_999_999_999, os.getppid()):
        for ending in ("tmp", "tmp-journal", "tmp-wal", "tmp-shm"):
            (tmp_path / f".paragauge-{machine}-{process}-{token}.{ending}").write_text("half")
    clean_up(tmp_path, again=True)
    left = {path.name.partition(".tmp")[0] for path in tmp_path.iterdir()}
    assert left == {f".paragauge-{machine}-{os.getppid()}-{token}"}


def test_a_folder_with_files_of_others_is_not_replaced(tmp_path):
    target = tmp_path / "model"
    write_model(target, "old", parts=("part",))
    write_model(target, "new", parts=("part",))
    (target / "notes.txt").write_text("mine")
    with pytest.raises(FileFormatError) as caught:
        write_model(target, "newer", parts=("part",))
    assert str(caught.value) == (
        f"{target}: expected a word list to replace, found it with another file, notes.txt; move that "
        "away, or name another folder"
    )
    assert content(target) == {"notes.txt": "mine", "part": "new", "words.json": "new"}


@pytest.mark.parametrize("write", [write_model, write_set])
def test_missing_parents_are_not_made(tmp_path, write):
    with pytest.raises(FileFormatError, match=r"its folder .* does not exist; make it first"):
        write(tmp_path / "no" / "model", "new")
    assert list(tmp_path.iterdir()) == []


def test_a_new_folder_replaces_nothing(tmp_path):
    with pytest.raises(FileFormatError, match="expected a new folder, found one"), new_folder(tmp_path):
        pass


def test_a_loop_of_links_is_named(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(FileFormatError, match=f"{loop}: too many levels of symbolic links"):
        write_model(loop, "new")
