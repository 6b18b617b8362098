"""Models of paraphrasers as folders.

    generator.json        format, version, kind (phrase or grammar), form of the text, settings,
                          fingerprints of the other parts, and how the model was built
    phrase-table/         the phrase table, or
    grammar/              the grammar
    language-model.bin    the language model
    weights.tsv           the weights of the features (`generate/weights.py`)

A folder is created under a hidden name and renamed when it is complete. `generator.json` holds the
fingerprints of the table and the language model, so that a folder with parts of two models is rejected
(the rows of a table are assumed to match its own description; `phrases info --verify` and
`grammar info --verify` read them all); `weights.tsv` may be replaced at any time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from paragauge.errors import FileFormatError, SettingError
from paragauge.generate.weights import read_weights
from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.text.atomic_folders import atomic_folder
from paragauge.text.files import atomic, os_error
from paragauge.text.saving.leftovers import restore_folder
from paragauge.text.saving.sealed_json import seal_json, unseal_json
from paragauge.version import __version__

FORMAT = "paragauge generator"
VERSION = 1
T = TypeVar("T")
DESCRIPTION = "generator.json"
LM_FILE = "language-model.bin"
WEIGHTS_FILE = "weights.tsv"
TABLES = {"phrase": "phrase-table", "grammar": "grammar"}  # the folder of each kind's rows
PARTS = (*TABLES.values(), LM_FILE, WEIGHTS_FILE)
AGAIN = "train it again with paragauge generate train"


@dataclass(frozen=True)
class Description:
    """The content of `generator.json`.

    `fingerprints` are those of the parts, by name: `phrase-table` or `grammar` (of a Dataset) and
    `language-model` (the name of a LanguageModel). `facts`, stored as `made`, say how the model was
    built.

    >>> Description("phrase", TextForm("13a", "lower")).table
    'phrase-table'
    """

    kind: str
    form: TextForm
    settings: dict[str, Any] = field(default_factory=dict)
    fingerprints: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> str:
        """The name of the folder with the rows."""
        return TABLES[self.kind]

    def record(self) -> dict[str, Any]:
        """The description as JSON values."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "form": self.form.record(),
            "settings": self.settings,
            "fingerprints": self.fingerprints,
            "made": self.facts,
            "paragauge": __version__,
        }


@contextlib.contextmanager
def new_generator(output: str | Path) -> Iterator[Path]:
    """A folder for the parts of a model, which becomes `output` when the block ends without an error.

    The block puts all parts into it and calls `write_description` last. An existing model is replaced;
    any other folder or file is left alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with new_generator(f"{place}/model") as folder:
    ...         write_description(folder, Description("phrase", TextForm()))
    ...     Path(place, "model", DESCRIPTION).exists()
    True
    """
    with atomic_folder(output, "generator", DESCRIPTION, PARTS) as folder:
        yield folder


def write_description(folder: Path, description: Description) -> None:
    """Write `generator.json`, which makes a folder a model.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_description(Path(folder), Description("phrase", TextForm()))
    ...     unseal_json(Path(folder, DESCRIPTION).read_text())["kind"]
    'phrase'
    """
    with atomic(folder / DESCRIPTION) as out:
        out.write(seal_json(description.record()))


def read_description(folder: str | Path) -> Description:
    """Read `generator.json`; the folder must have all its parts.

    >>> read_description("no-such-folder")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: no-such-folder: no such folder; check the path
    """
    root = Path(folder)
    restore_folder(root)
    if not root.exists():
        raise FileFormatError(root, None, "no such folder; check the path")
    if not root.is_dir():
        raise FileFormatError(root, None, "expected the folder of a generator, found a file")
    path = root / DESCRIPTION
    if not path.exists():
        message = f"expected a generator, found a folder without {DESCRIPTION}; {AGAIN}"
        raise FileFormatError(root, None, message)
    try:
        content = unseal_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, None, f"expected JSON, found bad JSON: {error}; {AGAIN}") from None
    description = _parse_description(path, content)
    for part in (description.table, LM_FILE, WEIGHTS_FILE):
        if not (root / part).exists():
            raise FileFormatError(
                root, None, f"expected the part {part} of the model, found none; {AGAIN}"
            )
    return description


def _parse_description(path: Path, content: Any) -> Description:
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


def check_part(folder: Path, description: Description, part: str, fingerprint: str) -> None:
    """Reject a part whose fingerprint is not the one in the description.

    >>> description = Description("phrase", TextForm(), fingerprints={"phrase-table": "12ab"})
    >>> check_part(Path("model"), description, "phrase-table", "34cd")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: model: expected the phrase-table with the fingerprint 12ab, ...
    """
    expected = description.fingerprints.get(part)
    if fingerprint != expected:
        raise FileFormatError(
            folder,
            None,
            f"expected the {part} with the fingerprint {expected}, found {fingerprint}: parts of two "
            f"models; {AGAIN}",
        )


def load_language_model(folder: Path, description: Description, threads: int = 0) -> LanguageModel:
    """Load the language model of a generator and check it against the description."""
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


def merge_settings(
    from_record: Callable[[Mapping[str, Any]], T],
    folder: Path,
    description: Description,
    changes: Mapping[str, Any] | None,
) -> T:
    """The settings of a model's folder, which must be valid themselves, with changes."""
    try:
        from_record(description.settings)
    except SettingError as error:
        raise FileFormatError(folder / DESCRIPTION, None, f"{error}; {AGAIN}") from None
    return from_record({**description.settings, **(changes or {})})


def load_weights(
    folder: Path, features: tuple[str, ...], weights: str | Path | Floats | None
) -> Floats:
    """The given weights, those in a file, or by default those of the folder.

    >>> import numpy as np
    >>> load_weights(Path("model"), ("LM0",), np.array([0.5])).tolist()
    [0.5]
    """
    if weights is None:
        return read_weights(folder / WEIGHTS_FILE, features)
    if isinstance(weights, (str, Path)):
        return read_weights(weights, features)
    return weights
