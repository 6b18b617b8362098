"""Check the archives that `make wheel` wrote to dist/: install the wheel without a compiler and use it.

    python tools/check_wheel.py                        # check both archives, install the wheel, run it
    python tools/check_wheel.py --max-megabytes 200    # and limit the size of the installation
    python tools/check_wheel.py --installed            # only run the paragauge of this environment

The wheel is installed into a fresh environment of the Python that runs this script. PATH holds only
that environment, and dependencies are installed from wheels only, so nothing can be compiled.
"""

from __future__ import annotations

import argparse
import email.parser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email.message import Message
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
SYSTEMS = ("copy", "edits", "rewrites", "free", "scrambled")
SOURCES = ("*.cpp", "*.hpp", "*.inc", "*CMakeLists.txt", "*.o", "*.a")
# Files of a checkout that an sdist must not have, and files that it needs for building and testing.
UNWANTED = (".ci/*", ".github/*", ".git/*", ".venv*", "build/*", "dist/*", "site/*", "*.so", "*.pyc")
NEEDED = (
    *("CMakeLists.txt", "LICENSE", "NOTICE", "README.md", "pyproject.toml", "PKG-INFO"),
    *("src/paragauge/kernels/bind/module.cpp", "src/paragauge/models/wordnet/LICENSE"),
    *("tests/conftest.py", "examples/sources.txt", "docs/index.md", "tools/docs/docs_examples.py"),
)
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja")


def project() -> dict[str, object]:
    """The table `project` of pyproject.toml."""
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def license_files() -> list[str]:
    """The files that the metadata must list, as paths from the root."""
    patterns = project()["license-files"]
    return sorted(
        path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)
    )


def wheel_problems(wheel: Path) -> Iterator[str]:
    """Problems of a wheel's files and metadata, one line each."""
    name, version, python, abi, platform = wheel.stem.split("-")
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
        information = f"{name}-{version}.dist-info"
        metadata = email.parser.Parser().parsestr(archive.read(f"{information}/METADATA").decode())
    if platform.startswith("linux"):
        yield f"platform tag '{platform}': expected manylinux; repair the wheel with auditwheel"
    yield from module_problems(files, python, abi)
    for file in files:
        if any(fnmatch(file, pattern) for pattern in SOURCES):
            yield f"{file}: sources do not belong in a wheel; see wheel.exclude in pyproject.toml"
        if file.split("/")[0] not in (name, information):
            yield f"{file}: expected only {name}/ and {information}/"
    cards = {f"{name}/models/{card.parent.name}/{card.name}" for card in model_cards()}
    for card in sorted(cards - set(files)):
        yield f"{card}: the card is missing"
    yield from metadata_problems(metadata)
    for file in metadata.get_all("License-File", []):
        if f"{information}/licenses/{file}" not in files:
            yield f"{information}/licenses/{file}: the metadata lists it, the wheel does not have it"


def module_problems(files: list[str], python: str, abi: str) -> Iterator[str]:
    """Whether the name of the compiled module agrees with the tags."""
    modules = [Path(file).name for file in files if fnmatch(file, "*/kernels/_native.*[od]")]
    modules = [module for module in modules if not module.endswith(".pyi")]
    if len(modules) != 1:
        yield f"expected one compiled module, found {modules}"
    elif abi == "abi3" and modules[0] not in ("_native.abi3.so", "_native.pyd"):
        yield f"{modules[0]}: the tag says abi3, the module does not; see STABLE_ABI in CMakeLists.txt"
    elif abi != "abi3" and python.removeprefix("cp") not in modules[0]:
        yield f"{modules[0]}: expected a module of {python}"


def metadata_problems(metadata: Message) -> Iterator[str]:
    """Whether the metadata agrees with pyproject.toml and the files."""
    expression = project()["license"]
    if metadata["License-Expression"] != expression:
        yield f"License-Expression: expected '{expression}', found '{metadata['License-Expression']}'"
    listed = sorted(metadata.get_all("License-File", []))
    if listed != license_files():
        yield f"License-File: expected {license_files()}, found {listed}"
    for classifier in metadata.get_all("Classifier", []):
        if classifier.startswith("License ::"):
            yield f"Classifier '{classifier}': License-Expression replaces it"
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/paragauge/version.py").read_text("utf-8"))
    if version is None or metadata["Version"] != version[1]:
        yield f"Version: found '{metadata['Version']}', which is not that of version.py"


def sdist_problems(sdist: Path) -> Iterator[str]:
    """Files that an sdist lacks, or should not have."""
    with tarfile.open(sdist) as archive:
        files = [name.partition("/")[2] for name in archive.getnames()]
    for file in files:
        if any(fnmatch(file, pattern) for pattern in UNWANTED):
            yield f"{file}: does not belong in an sdist; see sdist.exclude in pyproject.toml"
    for file in sorted({*NEEDED, *license_files()} - set(files)):
        yield f"{file}: is missing"


def model_cards() -> list[Path]:
    """The card of every folder with models."""
    return sorted((ROOT / "src/paragauge/models").glob("*/MODEL_CARD.md"))


def install(wheel: Path, folder: Path) -> tuple[Path, dict[str, str]]:
    """Install the wheel into a fresh environment; its Python, and the variables to run it with."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    variables |= {"PATH": str(programs), "CC": "false", "CXX": "false"}
    compilers = [name for name in COMPILERS if shutil.which(name, path=variables["PATH"])]
    if compilers:
        sys.exit(f"{programs}: expected no compiler, found {', '.join(compilers)}")
    python = programs / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--only-binary", ":all:", str(wheel)], env=variables, cwd=folder, check=True
    )
    subprocess.run([*pip, "check"], env=variables, cwd=folder, check=True)
    return python, variables


def run_problems(python: Path, variables: dict[str, str], folder: Path) -> Iterator[str]:
    """Whether commands of the installed package print what they should."""

    def run_python(*command: str) -> str:
        done = subprocess.run(
            [str(python), *command],
            env=variables,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.stdout if done.returncode == 0 else f"exit code {done.returncode}: {done.stdout}"

    place = run_python("-c", "import paragauge; print(paragauge.__file__)").strip()
    if str(ROOT / "src") in place or not place.endswith("__init__.py"):
        yield f"expected the installed package, found {place}"
    examples = ROOT / "examples"
    texts = ["-s", str(examples / "sources.txt"), "-r", str(examples / "references.tsv")]
    systems = [part for name in SYSTEMS for part in ("-c", str(examples / f"{name}.txt"))]
    output = re.sub(r"\|v:[^|\s]+", "|v:*", run_python("-m", "paragauge", "score", *texts, *systems))
    expected = (ROOT / "tests/golden/expected/score.txt").read_text("utf-8")
    if output != expected:
        yield f"paragauge score: expected\n{expected}\nfound\n{output}"
    # These read the models that ship: WordNet, the tagger, PEM's pivots and language model.
    output = run_python("-m", "paragauge", "score", *texts, *systems, "-m", "maxsim,pem", "-f", "tsv")
    if not {line.partition("\t")[0] for line in output.split("\n")} >= set(SYSTEMS):
        yield f"paragauge score --metrics maxsim,pem: expected a row for each system, found\n{output}"
    output = run_python("-m", "paragauge", "metrics")
    for metric in ("bleu ", "pinc ", "maxsim ", "pem "):
        if f"\n{metric}" not in f"\n{output}":
            yield f"paragauge metrics: expected {metric.strip()} in\n{output}"


def megabytes(folder: Path) -> float:
    """The size of a folder's files in megabytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def find_only(folder: Path, pattern: str) -> Path:
    """The only file of a folder that matches the pattern."""
    matches = sorted(folder.glob(pattern))
    if len(matches) != 1:
        names = ", ".join(path.name for path in matches) or "none"
        sys.exit(f"{folder}: expected one {pattern}, found {names}; run: make wheel")
    return matches[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="folder of the archives")
    parser.add_argument("--installed", action="store_true", help="use this environment's paragauge")
    parser.add_argument("--max-megabytes", type=float, help="limit of the fresh environment")
    options = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.installed:
            problems += run_problems(Path(sys.executable), dict(os.environ), folder)
        else:
            wheel = find_only(options.dist, "*.whl").resolve()
            problems += wheel_problems(wheel)
            problems += sdist_problems(find_only(options.dist, "*.tar.gz"))
            python, variables = install(wheel, folder / "environment")
            size = megabytes(folder / "environment")
            print(f"{wheel.name} is installed; with pip, its environment takes {size:.0f} MB")
            if options.max_megabytes is not None and size > options.max_megabytes:
                problems.append(f"expected at most {options.max_megabytes:g} MB, found {size:.0f} MB")
            problems += run_problems(python, variables, folder)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print("no problems found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
