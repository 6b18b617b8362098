"""A PEM model: a folder with everything that the metric needs.

    model.json             format, version, how text becomes words, settings of the network, the scale
                           of the ratings, fingerprints of the other files, and what is known of the fit
    pivot-NAME.bin         one for each pivot language
    lm.bin                 the language model
    regression-SET.bin     one for each set of features: paper, extended

A model is written beside the folder and takes its place in one step. Fingerprints are compared when a
model is opened, so that a folder with files of two models is refused.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, InputError
from paragauge.lm.model import LanguageModel
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.features import FEATURE_SETS, Resources
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.metrics.settings import setting
from paragauge.phrases.pivot_network import NetworkSettings, Pivot
from paragauge.text.atomic_folders import atomic_folder
from paragauge.text.files import atomic, os_error, resolve_path
from paragauge.text.former_spellings import current_settings
from paragauge.text.saving.leftovers import restore_folder
from paragauge.text.saving.sealed_json import seal_json, unseal_json

FORMAT = "paragauge PEM model"
VERSION = 1
DESCRIPTION = "model.json"
SHIPPED = "english"
LM_FILE = "lm.bin"
CARD = "MODEL_CARD.md"
PARTS = (LM_FILE, "pivot-*.bin", "regression-*.bin", CARD)


@dataclass(frozen=True, eq=False)
class PEMModel:
    """Resources, a regression for each set of features, and the scale of ratings they predict.

    `about` describes the data and the fit, for people. `origin` is a folder that has the language
    model in a file, which is copied when the model is saved: written again it would lose its
    quantization.
    """

    resources: Resources
    regressions: dict[str, RBFRegression]
    scale: tuple[float, float]
    about: dict[str, Any]
    origin: Path | None = None

    @property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprints of the resources, for signatures."""
        pivots = "+".join(f"{p.language}-{p.fingerprint}" for p in self.resources.pivots)
        return {"pivots": pivots, "lm": self.resources.model.name}

    def save(self, folder: str | Path, card: str | None = None) -> None:
        """Write the folder, with a card for people if given; a model there is replaced in one step."""
        with atomic_folder(folder, "PEM model", DESCRIPTION, PARTS) as target:
            for pivot in self.resources.pivots:
                pivot.save(target / pivot_file(pivot.language))
            if self.origin is None or not _has_model(self.origin, self.resources.model):
                self.resources.model.save(target / LM_FILE)
            else:
                shutil.copyfile(self.origin / LM_FILE, target / LM_FILE)
            for name, regression in self.regressions.items():
                regression.save(target / regression_file(name))
            write_description(target, self)
            if card is not None:
                (target / CARD).write_text(card, encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: str | Path) -> PEMModel:
        """The model in a folder; one that is incomplete or of another version is an error."""
        root = Path(folder)
        restore_folder(root)
        description = _read_description(root)
        try:
            form = TextForm.from_record(description["form"])
            network = NetworkSettings(**current_settings(description["network"]))
            low, high = map(float, description["scale"])
            if not -math.inf < low < high < math.inf:
                raise ValueError(f"a scale from {low:g} to {high:g}")  # noqa: TRY301  # one message
            recorded = dict(description["fingerprints"])
            languages, sets = list(description["pivots"]), list(description["regressions"])
            about = dict(description["about"])
        except (KeyError, TypeError, ValueError) as error:
            raise _format_error(root, f"expected the description of a PEM model ({error})") from None
        resources = Resources(
            form,
            [Pivot.load(root / pivot_file(language)) for language in languages],
            LanguageModel.load(root / LM_FILE),
            network,
        )
        regressions = {name: _load_regression(root, name) for name in sets}
        model = cls(resources, regressions, (low, high), about, root)
        fingerprints = {
            **model.fingerprints,
            "form": form.label,
            **{name: regression.fingerprint for name, regression in regressions.items()},
        }
        if fingerprints != recorded:
            part = next(
                key
                for key in {**fingerprints, **recorded}
                if fingerprints.get(key) != recorded.get(key)
            )
            raise _format_error(
                root,
                f"expected {part} {recorded.get(part)}, found {fingerprints.get(part)}: "
                "files of two models",
            )
        return model


def model_setting() -> str:
    """The setting of metrics that read a model."""
    default: str = setting(SHIPPED, help=f"a model's folder; {SHIPPED} comes with the package")
    return default


def text_signature(model: PEMModel) -> dict[str, str]:
    """How text becomes words, for signatures."""
    return form_signature(model.resources.form)


def form_signature(form: TextForm) -> dict[str, str]:
    """How text becomes words, for signatures.

    >>> form_signature(TextForm("13a", "lower", "porter"))
    {'tok': '13a', 'case': 'lower', 'stem': 'porter'}
    """
    return {"tok": form.tokenize, "case": form.case, "stem": form.stem or "none"}


def write_description(folder: Path, model: PEMModel) -> None:
    """Write `model.json`, which makes a folder a model."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "form": model.resources.form.record(),
        "network": dataclasses.asdict(model.resources.network),
        "pivots": [pivot.language for pivot in model.resources.pivots],
        "regressions": sorted(model.regressions),
        "scale": list(model.scale),
        "fingerprints": {
            **model.fingerprints,
            "form": model.resources.form.label,
            **{name: model.regressions[name].fingerprint for name in sorted(model.regressions)},
        },
        "about": model.about,
    }
    with atomic(folder / DESCRIPTION) as out:
        out.write(seal_json(content))


def pivot_file(language: str) -> str:
    """The name of a pivot's file.

    >>> pivot_file("fra")
    'pivot-fra.bin'
    """
    return f"pivot-{language}.bin"


def regression_file(name: str) -> str:
    """The name of the file of a regression.

    >>> regression_file("paper")
    'regression-paper.bin'
    """
    return f"regression-{name}.bin"


def open_model(model: str | Path) -> PEMModel:
    """The model in a folder, or the one that ships with the package under that name; it stays open.

    >>> open_model("no/such/folder")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: no/such/folder: expected a PEM model, found no model.json...
    """
    if str(model) == SHIPPED:
        return _load_shipped()
    root = Path(model)
    try:
        changed = (root / DESCRIPTION).stat().st_mtime_ns
    except OSError:
        changed = 0
    return _load_cached(resolve_path(root), changed, str(model))


@functools.cache
def _load_shipped() -> PEMModel:
    return PEMModel.load(Path(str(files("paragauge") / "models" / "pem" / SHIPPED)))


@functools.lru_cache(maxsize=4)
def _load_cached(root: Path, changed: int, path: str) -> PEMModel:
    del root, changed  # they are part of the cache's key
    return PEMModel.load(path)


def _read_description(root: Path) -> dict[str, Any]:
    path = root / DESCRIPTION
    try:
        content = unseal_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _format_error(root, f"expected a PEM model, found no {DESCRIPTION}") from None
    except OSError as error:
        raise os_error(path, error) from None
    except (ValueError, RecursionError) as error:
        raise _format_error(path, f"expected the description of a PEM model ({error})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise _format_error(path, "expected the description of a PEM model, found another JSON file")
    if content.get("version") != VERSION:
        raise _format_error(
            path, f"expected a model of version {VERSION}, found {content.get('version')}"
        )
    return content


def _load_regression(root: Path, name: str) -> RBFRegression:
    path = root / regression_file(name)
    regression = RBFRegression.load(path)
    if name not in FEATURE_SETS or regression.names != FEATURE_SETS[name]:
        raise _format_error(path, f"expected the features of the set {name!r} of this version")
    return regression


def _format_error(path: Path, message: str) -> FileFormatError:
    return FileFormatError(path, None, f"{message}; train it with paragauge pem train")


def _has_model(folder: Path, model: LanguageModel) -> bool:
    try:
        return LanguageModel.load(folder / LM_FILE).name == model.name
    except InputError:
        return False
