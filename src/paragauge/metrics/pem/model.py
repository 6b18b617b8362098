"""A PEM model: a folder with everything that the metric needs.

    model.json             format, version, how text becomes words, settings of the network, the scale
                           of the ratings, fingerprints of the other files, and what is known of the fit
    pivot-NAME.bin         one for each pivot language
    lm.bin                 the language model
    regression-SET.bin     one for each set of features: paper, extended

`model.json` is written last: a folder without it is unfinished. Fingerprints are compared when a model
is opened, so that a folder with files of two models is refused.
"""

from __future__ import annotations

import dataclasses
import functools
import json
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
from paragauge.text.files import atomic, atomic_path, os_error
from paragauge.text.former_spellings import current_settings

FORMAT = "paragauge PEM model"
VERSION = 1
DESCRIPTION = "model.json"
SHIPPED = "english"
LM_FILE = "lm.bin"


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

    def save(self, folder: str | Path) -> None:
        """Write the folder, the description last; files of an older model there are replaced."""
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
            (target / DESCRIPTION).unlink(missing_ok=True)
        except OSError as error:
            raise os_error(folder, error) from None
        for pivot in self.resources.pivots:
            path = target / pivot_file(pivot.language)
            if not _holds(path, pivot):
                pivot.save(path)
        if not _has_model(target, self.resources.model):
            self._save_model(target / LM_FILE)
        for name, regression in self.regressions.items():
            regression.save(target / regression_file(name))
        write_description(target, self)

    def _save_model(self, path: Path) -> None:
        if self.origin is None or not _has_model(self.origin, self.resources.model):
            self.resources.model.save(path)
            return
        try:
            with atomic_path(path) as temporary:
                shutil.copyfile(self.origin / LM_FILE, temporary)
        except OSError as error:
            raise os_error(path, error) from None

    @classmethod
    def load(cls, folder: str | Path) -> PEMModel:
        """The model in a folder; one that is incomplete or of another version is an error."""
        root = Path(folder)
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
        out.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


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
    return _load_cached(root.resolve(), changed, str(model))


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
        content = json.loads(path.read_text(encoding="utf-8"))
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


def _holds(path: Path, pivot: Pivot) -> bool:
    """Whether the file holds this pivot; a damaged one, or one of another version, does not."""
    try:
        return Pivot.load(path).fingerprint == pivot.fingerprint
    except InputError:
        return False


def _has_model(folder: Path, model: LanguageModel) -> bool:
    try:
        return LanguageModel.load(folder / LM_FILE).name == model.name
    except InputError:
        return False
