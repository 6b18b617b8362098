"""Models of paraphrasers as folders.

    generator.json        format, version, kind (phrase or grammar), how text becomes words, settings,
                          fingerprints of the other parts, and how the model was made
    phrase-table/         the phrase table, or
    grammar/              the grammar
    language-model.bin    the language model
    weights.tsv           the weights of the features (`generate/weights.py`)

A folder is made under a hidden name and gets its own when all is there. `generator.json` holds the
fingerprints of table and language model, so that a folder in which parts of two models are mixed is
refused (the rows of a table are taken to be those of its own description; `phrases info --verify` and
`grammar info --verify` read them all); `weights.tsv` may be replaced at will.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from paragauge.errors import FileFormatError, SettingError
from paragauge.generate.weights import read_weights
from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.text.files import atomic, os_error
from paragauge.text.folders import atomic_folder
from paragauge.version import __version__

FORMAT = "paragauge generator"
VERSION = 1
T = TypeVar("T")
DESCRIPTION = "generator.json"
LM_FILE = "language-model.bin"
WEIGHTS_FILE = "weights.tsv"
TABLES = {"phrase": "phrase-table", "grammar": "grammar"}  # the folder of each kind's rows
AGAIN = "train it again with paragauge generate train"


@dataclass(frozen=True)
class Description:
    """What `generator.json` says.

    `fingerprints` has those of the parts, by the part's name: `phrase-table` or `grammar` (of a
    Dataset) and `language-model` (the name of a LanguageModel).

    >>> Description("phrase", TextForm("13a", "lower")).table
    'phrase-table'
    """

    kind: str
    form: TextForm
    settings: dict[str, Any] = field(default_factory=dict)
    fingerprints: dict[str, str] = field(default_factory=dict)
    made: dict[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> str:
        """The name of the folder with the rows."""
        return TABLES[self.kind]

    def record(self) -> dict[str, Any]:
        """The description as JSON has it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "form": self.form.record(),
            "settings": self.settings,
            "fingerprints": self.fingerprints,
            "made": self.made,
            "paragauge": __version__,
        }


@contextlib.contextmanager
def new_generator(output: str | Path) -> Iterator[Path]:
    """A folder for the parts of a model, which is in `output` when the block ends without an error.

    The block puts all parts into it and calls `write_description` last. A model that is there already
    is replaced; any other folder or file is left alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with new_generator(f"{place}/model") as folder:
    ...         write_description(folder, Description("phrase", TextForm()))
    ...     Path(place, "model", DESCRIPTION).exists()
    True
    """
    with atomic_folder(output, "generator", DESCRIPTION) as folder:
        yield folder


def write_description(folder: Path, description: Description) -> None:
    """Write `generator.json`, which makes a folder a model.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_description(Path(folder), Description("phrase", TextForm()))
    ...     json.loads(Path(folder, DESCRIPTION).read_text())["kind"]
    'phrase'
    """
    with atomic(folder / DESCRIPTION) as out:
        json.dump(description.record(), out, ensure_ascii=False, indent=2)
        out.write("\n")


def read_description(folder: str | Path) -> Description:
    """What `generator.json` says; the folder must have every part it needs.

    >>> read_description("no-such-folder")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: no-such-folder: no such folder; check the path
    """
    root = Path(folder)
    if not root.exists():
        raise FileFormatError(root, None, "no such folder; check the path")
    if not root.is_dir():
        raise FileFormatError(root, None, "expected the folder of a generator, found a file")
    path = root / DESCRIPTION
    if not path.exists():
        message = f"expected a generator, found a folder without {DESCRIPTION}; {AGAIN}"
        raise FileFormatError(root, None, message)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, None, f"expected JSON, got bad JSON: {error}; {AGAIN}") from None
    described = _described(path, content)
    for part in (described.table, LM_FILE, WEIGHTS_FILE):
        if not (root / part).exists():
            raise FileFormatError(root, None, f"the model lacks its part {part}; {AGAIN}")
    return described


def _described(path: Path, content: Any) -> Description:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        message = "expected the description of a generator, found another JSON file"
        raise FileFormatError(path, None, message)
    if type(content.get("version")) is not int or content["version"] != VERSION:
        raise FileFormatError(
            path,
            None,
            f"expected a generator of version {VERSION}, found {content.get('version')!r}; {AGAIN}, "
            "or use the paragauge that made it",
        )
    if content.get("kind") not in list(TABLES):
        raise FileFormatError(
            path,
            None,
            f"expected a generator of kind {' or '.join(TABLES)}, found {content.get('kind')!r}; "
            "use the paragauge that made it",
        )
    try:
        return Description(
            str(content["kind"]),
            TextForm.from_record(content["form"]),
            *(dict(content[name]) for name in ("settings", "fingerprints", "made")),
        )
    except (KeyError, TypeError, ValueError) as error:
        message = f"expected the description of a generator ({error!r}); {AGAIN}"
        raise FileFormatError(path, None, message) from None


def check_part(folder: Path, description: Description, part: str, found: str) -> None:
    """Raise the error for a part whose fingerprint is not the one that the description has.

    >>> described = Description("phrase", TextForm(), fingerprints={"phrase-table": "12ab"})
    >>> check_part(Path("model"), described, "phrase-table", "34cd")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: model: expected the phrase-table with the fingerprint 12ab, ...
    """
    wanted = description.fingerprints.get(part)
    if found != wanted:
        raise FileFormatError(
            folder,
            None,
            f"expected the {part} with the fingerprint {wanted}, found {found}: parts of two models; "
            f"{AGAIN}",
        )


def model_language(folder: Path, description: Description, threads: int = 0) -> LanguageModel:
    """The language model of a generator, checked against the description."""
    model = LanguageModel.load(folder / LM_FILE, threads=threads)
    check_part(folder, description, "language-model", model.name)
    if model.form != description.form:
        raise FileFormatError(
            folder / DESCRIPTION,
            None,
            f"expected the form of the language model, {model.form.label}, found "
            f"{description.form.label}; {AGAIN}",
        )
    return model


def chosen_settings(
    from_record: Callable[[Mapping[str, Any]], T],
    folder: Path,
    description: Description,
    changes: Mapping[str, Any] | None,
) -> T:
    """The settings of a model's folder, which must be good by themselves, with changes."""
    try:
        from_record(description.settings)
    except SettingError as error:
        raise FileFormatError(folder / DESCRIPTION, None, f"{error}; {AGAIN}") from None
    return from_record({**description.settings, **(changes or {})})


def model_weights(
    folder: Path, features: tuple[str, ...], weights: str | Path | Floats | None
) -> Floats:
    """Weights that are given, those of a file, or with None those of the folder.

    >>> import numpy as np
    >>> model_weights(Path("model"), ("LM0",), np.array([0.5])).tolist()
    [0.5]
    """
    if weights is None:
        return read_weights(folder / WEIGHTS_FILE, features)
    if isinstance(weights, (str, Path)):
        return read_weights(weights, features)
    return weights
