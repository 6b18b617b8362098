"""Models on this machine by name: folders, Hugging Face's cache, installed packages. Never the network.

A name such as `sentence-transformers/all-MiniLM-L6-v2` is looked up where the tools of Hugging Face
keep what they download: `models--OWNER--NAME/snapshots/COMMIT` in the folder that HF_HUB_CACHE names,
or else in `hub` of HF_HOME, by default ~/.cache/huggingface. `refs/main` has the commit. A name
without an owner is one of sentence-transformers, as in that package. Otherwise it may be an installed
Python package that carries a model.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
from pathlib import Path

from paragauge.errors import FileFormatError

OWNER = "sentence-transformers"
_NAME = re.compile(r"(?:[\w.-]+/)?[\w.-]+")


def find_model(name: str | Path) -> Path:
    """The folder of a model; an error in one line if there is none of this name."""
    folder = Path(name)
    if folder.is_dir():
        return folder
    if _NAME.fullmatch(str(name)):
        model = _find_in_cache(str(name)) or _find_in_package(str(name))
        if model is not None:
            return model
    raise FileFormatError(name, None, _missing(str(name)))


def hub_cache() -> Path:
    """The folder of Hugging Face's cache."""
    if cache := os.environ.get("HF_HUB_CACHE"):
        return Path(cache).expanduser()
    home = os.environ.get("HF_HOME")
    if home is None:
        home = str(Path(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface"))
    return Path(home).expanduser() / "hub"


def _find_in_cache(name: str) -> Path | None:
    owned = name if "/" in name else f"{OWNER}/{name}"
    folder = hub_cache() / f"models--{owned.replace('/', '--')}"
    try:
        commit = (folder / "refs" / "main").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        commit = ""
    if commit and (folder / "snapshots" / commit).is_dir():
        return folder / "snapshots" / commit
    # Without a branch there is no way to choose between several.
    snapshots = [path for path in folder.glob("snapshots/*") if path.is_dir()]
    return snapshots[0] if len(snapshots) == 1 else None


def _find_in_package(name: str) -> Path | None:
    """The folder with the safetensors of an installed package."""
    if "/" in name:
        return None
    try:
        files = importlib.metadata.files(name) or []
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return None
    configs = [
        Path(str(file.locate())).parent
        for file in files
        if file.name == "config.json" and file.parent.name != "1_Pooling"
    ]
    return next((folder for folder in configs if any(folder.glob("*.safetensors"))), None)


def _missing(name: str) -> str:
    expected = "expected english, an encoder's folder, or a model on this machine, found none"
    if Path(name).exists():
        return f"{expected} but a file; name the folder that it is in"
    if not _NAME.fullmatch(name):
        return f"{expected}; check the path"
    owned = name if "/" in name else f"{OWNER}/{name}"
    return f"{expected} of this name in {hub_cache()}; download it first: hf download {owned}"
