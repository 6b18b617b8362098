"""An interrupt at any line of what writes files and folders leaves the old output or the new one."""

from __future__ import annotations

import contextlib
import gc
import sys
from pathlib import Path

import pytest

from paragauge.collect.corpus.export_files import export_rows
from paragauge.text import atomic_folders, files
from paragauge.text.atomic_folders import atomic_folder, new_folder
from paragauge.text.files import atomic


def write_file(target):
    with atomic(target) as out:
        out.write("new")


def write_folder(target):
    with atomic_folder(target, "word list", "words.json") as folder:
        (folder / "words.json").write_text("new")


def write_rows(target):
    with export_rows(target, {"words": str}, {}, plain=True) as rows:
        rows.write({"words": ["new"]})


WRITERS = {"file": write_file, "folder": write_folder, "rows": write_rows}
OUTPUTS = {"file": Path("out"), "folder": Path("out/words.json"), "rows": Path("out/words.txt")}
TRACED = {files.__file__, atomic_folders.__file__, sys.modules[export_rows.__module__].__file__}
TRACED |= {contextlib.__file__}


@pytest.fixture(autouse=True)
def quick_collection():
    """Collecting garbage takes no time for what was there before."""
    gc.freeze()
    yield
    gc.unfreeze()


def interrupt_at(write, target, number):
    """Write with an interrupt before line `number`; whether there was such a line."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        if frame.f_code.co_filename not in TRACED:
            return None
        lines += event == "line"
        if lines == number and event == "line":
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        write(target)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


# A file that is open when the interrupt comes is closed with its object, which warns.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("old", [False, True], ids=["new", "replaced"])
@pytest.mark.parametrize("steps", [False, True], ids=["", "in-steps"])
def test_an_interrupt_at_any_line_leaves_the_old_or_the_new(tmp_path, monkeypatch, kind, old, steps):
    if steps:  # as on systems that cannot exchange two names at once
        monkeypatch.setattr(atomic_folders, "exchange", lambda *_: False)
    for number in range(1, 1000):
        place = tmp_path / str(number)
        place.mkdir()
        output = place / OUTPUTS[kind]
        if old:
            output.parent.mkdir(exist_ok=True)
            output.write_text("old")
        happened = interrupt_at(WRITERS[kind], place / "out", number)
        names = sorted(path.relative_to(place) for path in place.rglob("*") if path.is_file())
        assert names in ([[OUTPUTS[kind]]] if old or not happened else [[], [OUTPUTS[kind]]]), number
        assert not list(place.glob(".paragauge-*")), number
        assert not names or output.read_text().strip() in ("old", "new"), number
        gc.collect()  # nothing of this round is cleaned up, and interrupted, in the next one
        if not happened:
            break
    else:
        pytest.fail("the writer never came to its end")
    assert number > 10  # lines were interrupted
    assert output.read_text().strip() == "new"


def write_parts(target):
    with new_folder(target) as folder:
        (folder / "part").write_text("new")


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_interrupt_at_any_line_leaves_all_parts_or_none(tmp_path):
    for number in range(1, 1000):
        place = tmp_path / str(number)
        place.mkdir()
        happened = interrupt_at(write_parts, place / "out", number)
        names = [path.relative_to(place).as_posix() for path in sorted(place.rglob("*"))]
        assert names in ([["out", "out/part"]] if not happened else [[], ["out", "out/part"]]), number
        if not happened:
            break
    else:
        pytest.fail("the writer never came to its end")
    assert number > 10  # lines were interrupted
