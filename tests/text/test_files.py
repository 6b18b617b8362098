"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from paragauge.errors import FileFormatError, ParagaugeError
from paragauge.text.files import atomic, atomic_path, display_name, os_error

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX files")


class BoomError(Exception):
    """Nothing that the package knows."""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def message(path: Path) -> str:
    with pytest.raises(FileFormatError) as caught, atomic(path) as out:
        out.write("new")
    return str(caught.value)


@pytest.mark.parametrize("old", [None, "old"])
def test_written(tmp_path, old):
    target = tmp_path / "out.txt"
    if old is not None:
        target.write_text(old)
    with atomic(target) as out:
        out.write("één\r\n\n")
        assert target.exists() == (old is not None)  # not before it is whole
    assert target.read_bytes() == "één\r\n\n".encode()
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("error", [BoomError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_exception_leaves_the_old_file(tmp_path, old, error):
    target = tmp_path / "out.txt"
    if old is not None:
        target.write_text(old)

    def interrupted():
        with atomic(target) as out:
            out.write("new" * 100_000)
            raise error

    with pytest.raises(error):
        interrupted()
    assert names(tmp_path) == ([] if old is None else ["out.txt"])
    assert old is None or target.read_text() == old


def test_an_exception_leaves_no_temporary_path(tmp_path):
    target = tmp_path / "out.bin"

    def interrupted():
        with atomic_path(target) as temporary:
            assert temporary.parent == tmp_path  # a rename within one file system
            temporary.write_bytes(b"new")
            raise BoomError

    with pytest.raises(BoomError):
        interrupted()
    assert names(tmp_path) == []


def test_two_writers_do_not_meet(tmp_path):
    target = tmp_path / "out.txt"
    with atomic(target) as first:
        first.write("first")
        with atomic(target) as second:
            second.write("second")
    assert target.read_text() == "first"  # the last to finish
    assert names(tmp_path) == ["out.txt"]


def test_missing_folder(tmp_path):
    target = tmp_path / "no" / "such" / "out.txt"
    assert message(target) == (
        f"{target}: its folder {tmp_path / 'no' / 'such'} does not exist; make it first"
    )
    assert names(tmp_path) == []


def test_target_is_a_directory(tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    assert message(target) == f"{target}: expected a file, found a directory; name a file in it"
    assert names(tmp_path) == ["out"]


def test_folder_is_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    target = tmp_path / "file" / "out.txt"
    assert message(target) == f"{target}: not a directory"


def test_folder_without_permission(tmp_path, unprivileged):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    target = folder / "out.txt"
    with unprivileged():
        text = message(target)
    assert text == f"{target}: no permission to open it; check its owner and mode"


@posix
def test_mode_is_that_of_any_new_file(tmp_path):
    with atomic(tmp_path / "ours.txt") as out:
        out.write("x")
    (tmp_path / "theirs.txt").write_text("x")
    assert (tmp_path / "ours.txt").stat().st_mode == (tmp_path / "theirs.txt").stat().st_mode


@posix
def test_a_link_stays_a_link(tmp_path):
    # /dev/stdout is one: replacing it by a file would break the machine for everybody.
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    with atomic(link) as out:
        out.write("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@posix
def test_a_pipe_stays_a_pipe(tmp_path):
    # So must a device: as root, --html /dev/null would replace /dev/null.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)  # so that nobody has to wait for a reader
    try:
        with atomic(pipe) as out:
            out.write("new")
    except ParagaugeError as error:
        assert str(error).startswith(f"{pipe}: ")  # noqa: PT017  # may be refused or written to
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_name_as_long_as_the_system_takes(tmp_path):
    target = tmp_path / ("x" * 251 + ".txt")
    target.write_text("old")  # the system takes it
    with atomic(target) as out:
        out.write("new")
    assert target.read_text() == "new"


def test_errors_of_other_files_are_not_blamed_on_the_target(tmp_path):
    other = tmp_path / "other.txt"

    def reading():
        with atomic(tmp_path / "out.txt") as out:
            out.write(other.read_text())

    with pytest.raises((OSError, ParagaugeError)) as caught:
        reading()
    assert "out.txt" not in str(caught.value)
    assert names(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(tmp_path):
    def writing():
        with atomic_path(tmp_path / "out.txt"), Path("/dev/full").open("w") as full:
            full.write("x")

    with pytest.raises(FileFormatError, match=r"out\.txt: no space left on device$"):
        writing()
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(), "no such file; check the path"),
        (IsADirectoryError(), "expected a file, found a directory; name a file in it"),
        (PermissionError(), "no permission to open it; check its owner and mode"),
        (OSError(28, "No space left on device"), "no space left on device"),
        (OSError("odd"), "odd"),
        (OSError(), "oserror"),
    ],
)
def test_system_errors_in_words(error, words):
    assert str(os_error("x", error)) == f"x: {words}"
    assert str(os_error("-", error)) == f"<stdin>: {words}"


def test_display_name():
    assert display_name("-") == "<stdin>"
    assert display_name(Path("a") / "b") == str(Path("a") / "b")
