"""A PEM model is saved over another one: a kill at any step leaves the old model, or the new one."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from paragauge.metrics.pem import model as models
from paragauge.metrics.pem.model import PEMModel
from paragauge.text import atomic_folders

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("place", "name", "left"),
    [
        (models, "regression_file", "old"),  # a pivot and the language model are written
        (models, "write_description", "old"),
        (atomic_folders, "exchange", "old"),
        (atomic_folders, "release", "new"),  # of the folder that was replaced
    ],
)
def test_a_kill_leaves_a_whole_model(
    pem_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, left: str
) -> None:
    old, new = (dataclasses.replace(pem_model, about={"name": text}) for text in ("old", "new"))
    folder = tmp_path / "model"
    old.save(folder)
    process = multiprocessing.get_context("fork").Process(target=new.save, args=(folder,))
    with monkeypatch.context() as patch:
        patch.setattr(place, name, die)
        process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert PEMModel.load(folder).about["name"] == left
    assert list(tmp_path.glob(".paragauge-*"))
    new.save(folder)
    assert PEMModel.load(folder).about["name"] == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
