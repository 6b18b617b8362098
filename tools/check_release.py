"""Check that a release's version, changes, citation, licenses and address agree.

    python tools/check_release.py                # what must always hold
    python tools/check_release.py --tag v0.2.0   # and what must hold to publish this tag
    python tools/check_release.py --changes      # print the latest section of CHANGELOG.md

Each problem is one line on standard error; the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from set_repository import known_address, stale_files

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^  ((?:models|kernels|report)/\S+)(?: \([\w ]+\))? +([\w.-]+)  ", re.MULTILINE)


def read(root: Path, file: str) -> str:
    """The text of a file of the project."""
    return (root / file).read_text("utf-8")


def version(root: Path) -> str:
    """The version of the package."""
    text = read(root, "src/paragauge/version.py")
    return re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE)[0]


def changes(root: Path) -> str:
    """The latest section of CHANGELOG.md, with its heading.

    >>> changes(ROOT).startswith("## ")
    True
    """
    return "## " + read(root, "CHANGELOG.md").split("\n## ")[1].strip() + "\n"


def version_problems(root: Path) -> Iterator[str]:
    """Files whose version differs from version.py."""
    own = version(root)
    heading = changes(root).split("\n")[0].split()[1]
    if heading != own:
        yield f"CHANGELOG.md: expected the first section to be {own}, found {heading}"
    cited = re.findall(r"^version: (.+)$", read(root, "CITATION.cff"), re.MULTILINE)
    if cited != [own]:
        yield f"CITATION.cff: expected version {own}, found {', '.join(cited) or 'none'}"


def license_problems(root: Path) -> Iterator[str]:
    """Licenses on which the metadata, NOTICE, the model cards and the license texts disagree."""
    expression = set(tomllib.loads(read(root, "pyproject.toml"))["project"]["license"].split(" AND "))
    texts = {path.stem for path in (root / "LICENSES").glob("*.txt")}
    own = {"Apache-2.0": "LICENSE", "LicenseRef-WordNet-3.0": "src/paragauge/models/wordnet/LICENSE"}
    texts |= {name for name, file in own.items() if (root / file).exists()}
    for name in sorted(expression ^ texts):
        where = "no text in LICENSES" if name in expression else "a text, but is not in pyproject.toml"
        yield f"{name}: the license has {where}"
    rows = ROW.findall(read(root, "NOTICE"))
    for file, name in rows:
        if name not in expression:
            yield f"NOTICE: {file}: {name} is not in the license expression of pyproject.toml"
        if not list((root / "src/paragauge").glob(f"{file}*")) and "_native" not in file:
            yield f"NOTICE: {file}: there is no such file"
    for name in sorted(expression - {name for _, name in rows} - {"Apache-2.0"}):
        yield f"NOTICE: no file has the license {name}, which pyproject.toml names"
    for folder in sorted(path for path in (root / "src/paragauge/models").iterdir() if path.is_dir()):
        yield from card_problems(root, folder, expression, rows)


def card_problems(
    root: Path, folder: Path, expression: set[str], rows: list[tuple[str, str]]
) -> Iterator[str]:
    """A missing model card, or one whose license differs from NOTICE."""
    card = folder / "MODEL_CARD.md"
    where = card.relative_to(root)
    if not card.exists():
        yield f"{where}: is missing"
        return
    named = re.findall(r"^SPDX-License-Identifier: (.+)$", card.read_text("utf-8"), re.MULTILINE)
    if len(named) != 1:
        yield f"{where}: expected one line 'SPDX-License-Identifier: NAME', found {len(named)}"
        return
    licenses = set(named[0].split(" AND "))
    for name in sorted(licenses - expression):
        yield f"{where}: {name} is not in the license expression of pyproject.toml"
    listed = {name for file, name in rows if file.startswith(f"models/{folder.name}/")}
    if licenses - {"Apache-2.0"} != listed:
        yield f"{where}: says {named[0]}, NOTICE says {' AND '.join(sorted(listed)) or 'nothing'}"


def tag_problems(root: Path, tag: str) -> Iterator[str]:
    """What is not ready for publishing under a tag."""
    if tag != f"v{version(root)}":
        yield f"tag: expected v{version(root)}, which version.py says, found {tag}"
    if not re.search(r"^date-released: \d{4}-\d\d-\d\d$", read(root, "CITATION.cff"), re.MULTILINE):
        yield "CITATION.cff: expected the day of the release, date-released: YYYY-MM-DD"
    if not known_address(root):
        yield "pyproject.toml: no address; run: python tools/set_repository.py ADDRESS"


def problems(root: Path = ROOT) -> list[str]:
    """All problems, one line each."""
    stale = [f"{file}: shows another address of the repository" for file in stale_files(root)]
    return [*version_problems(root), *license_problems(root), *stale]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tag", help="also check what is needed to publish this tag")
    parser.add_argument("--changes", action="store_true", help="print the latest changes")
    options = parser.parse_args()
    if options.changes:
        print(changes(ROOT), end="")
        return 0
    lines = problems() + (list(tag_problems(ROOT, options.tag)) if options.tag else [])
    for problem in lines:
        print(problem, file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
