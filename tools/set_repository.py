"""Set the repository's address in all files, or check that they all show the same one.

    python tools/set_repository.py https://github.com/OWNER/NAME
    python tools/set_repository.py --unset
    python tools/set_repository.py            # check: list files that differ from pyproject.toml

The address is `repository` in the table `tool.paragauge` of pyproject.toml. While it is empty, the
other files do not mention it, and the build, the documentation and the tests work without it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
ADDRESS = re.compile(r"https://(?P<host>[\w.-]+)/(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)")


@dataclass(frozen=True)
class Place:
    """Lines of a file that show the address."""

    file: str
    after: str  # the line that they follow
    template: str  # the lines, with {address} for the repository and {pages} for the documentation
    pattern: str  # a regular expression of the lines, whatever the address
    stays: bool = False  # whether the lines are there without an address too

    def with_address(self, text: str, address: str) -> str:
        """The file's text with this address, or with none if it is empty."""
        text = re.sub(self.pattern, "", text, flags=re.MULTILINE)
        if not address and not self.stays:
            return text
        before, line, rest = text.partition(f"{self.after}\n")
        if not line:
            sys.exit(f"{self.file}: expected the line '{self.after}', which the address follows")
        return before + line + self.template.format(address=address, pages=pages(address)) + rest


PLACES = (
    Place(
        "pyproject.toml",
        "[tool.paragauge]",
        'repository = "{address}"\n',
        r'^repository = ".*"\n',
        stays=True,
    ),
    Place(
        "pyproject.toml",
        'paragauge = "paragauge.__main__:main"',
        '\n[project.urls]\nRepository = "{address}"\nIssues = "{address}/issues"\n'
        'Changes = "{address}/blob/main/CHANGELOG.md"\nDocumentation = "{pages}"\n',
        r"^\n\[project\.urls\]\n(?:\w+ = .+\n)+",
    ),
    Place(
        "mkdocs.yml",
        "docs_dir: docs",
        "repo_url: {address}\nsite_url: {pages}\n",
        r"^(?:repo|site)_url: .+\n",
    ),
    Place(
        "CITATION.cff",
        "license: Apache-2.0",
        "repository-code: {address}\n",
        r"^repository-code: .+\n",
    ),
    Place(
        ".github/ISSUE_TEMPLATE/config.yml",
        "blank_issues_enabled: false",
        "contact_links:\n  - name: A security problem\n    url: {address}/security/advisories/new\n"
        "    about: Report it in private, please.\n",
        r"^contact_links:\n(?:  .+\n)+",
    ),
)


def pages(address: str) -> str:
    """The address of a repository's documentation: GitHub Pages, or on other hosts the folder docs.

    >>> pages("https://github.com/someone/paragauge")
    'https://someone.github.io/paragauge/'
    """
    parts = ADDRESS.fullmatch(address)
    if parts is None or parts["host"] != "github.com":
        return f"{address}/tree/main/docs"
    return f"https://{parts['owner'].lower()}.github.io/{parts['name']}/"


def known_address(root: Path = ROOT) -> str:
    """The address in pyproject.toml; empty if there is none."""
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    return str(settings["tool"]["paragauge"]["repository"])


def set_address(address: str, root: Path = ROOT) -> None:
    """Write the address into all files; an empty address removes it."""
    for place in PLACES:
        path = root / place.file
        text = place.with_address(path.read_text("utf-8"), address)
        path.write_text(text, "utf-8")


def stale_files(root: Path = ROOT) -> list[str]:
    """Files that do not show the address of pyproject.toml. An sdist lacks some files."""
    address = known_address(root)
    stale = []
    for place in PLACES:
        path = root / place.file
        if path.exists():
            text = path.read_text("utf-8")
            if place.with_address(text, address) != text:
                stale.append(place.file)
    return stale


def main() -> int:
    match sys.argv[1:]:
        case []:
            for file in stale_files():
                print(f"{file}: run: python tools/set_repository.py {known_address() or '--unset'}")
            return 1 if stale_files() else 0
        case ["--unset"]:
            set_address("")
        case [address] if ADDRESS.fullmatch(address):
            set_address(address.removesuffix(".git"))
        case words:
            sys.exit(f"expected https://HOST/OWNER/NAME, found '{' '.join(words)}'")
    return 0


if __name__ == "__main__":
    sys.exit(main())
