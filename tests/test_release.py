"""What a release says of itself is true: licenses, citation, address, workflows, and its archives."""

from __future__ import annotations

import importlib
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from packaging.licenses import canonicalize_license_expression
from packaging.requirements import Requirement

import paragauge

ROOT = Path(__file__).parents[1]
SPDX = "SPDX-License-Identifier"
ADDRESS = "https://github.com/someone/paragauge"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

in_checkout = pytest.mark.skipif(
    (ROOT / "PKG-INFO").exists(), reason="this is an sdist, which has no workflows and no templates"
)


def tool(name: str) -> ModuleType:
    """A script of tools/ as a module."""
    if str(ROOT / "tools") not in sys.path:
        sys.path.append(str(ROOT / "tools"))
    return importlib.import_module(name)


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files that say something of a release, to be changed: without an address and a day.

    So they are the same before and after the steps of docs/release.md were taken in this checkout.
    """
    for name in ("CHANGELOG.md", "CITATION.cff", "LICENSE", "NOTICE", "mkdocs.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "LICENSES", tmp_path / "LICENSES")
    config = Path(".github/ISSUE_TEMPLATE/config.yml")
    (tmp_path / config).parent.mkdir(parents=True)
    (tmp_path / config).write_text("blank_issues_enabled: false\n", "utf-8")
    package = ROOT / "src" / "paragauge"
    for path in (*(package / "models").rglob("*"), *(package / "report/assets/fonts").iterdir()):
        target = tmp_path / path.relative_to(ROOT)
        if path.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes() if path.stat().st_size < 100_000 else b"")
    kernels = tmp_path / "src/paragauge/kernels/text"
    kernels.mkdir(parents=True)
    shutil.copy(ROOT / "src/paragauge/kernels/text/unicode_ranges.inc", kernels)
    shutil.copy(ROOT / "src/paragauge/version.py", tmp_path / "src/paragauge")
    tool("set_repository").set_address("", tmp_path)
    citation = tmp_path / "CITATION.cff"
    citation.write_text(re.sub(r"(?m)^date-released: .+\n", "", citation.read_text("utf-8")), "utf-8")
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, f"{path.name} has no {old}"
    path.write_text(text.replace(old, new), "utf-8")


class TestAgreement:
    """tools/check_release.py"""

    def test_the_project_agrees_with_itself(self, copy: Path) -> None:
        assert tool("check_release").problems() == []
        assert tool("check_release").problems(copy) == []

    @pytest.mark.parametrize(
        ("file", "old", "new", "message"),
        [
            (
                *("CITATION.cff", f"version: {paragauge.__version__}", "version: 9.9"),
                f"CITATION.cff: expected version {paragauge.__version__}, found 9.9",
            ),
            (
                *("CHANGELOG.md", f"## {paragauge.__version__}", "## 9.9 (2030-01-01)"),
                f"CHANGELOG.md: expected the first section to be {paragauge.__version__}, found 9.9",
            ),
            (
                *("pyproject.toml", " AND MIT", ""),
                "NOTICE: kernels/_native: MIT is not in the license expression of pyproject.toml",
            ),
            (
                *("pyproject.toml", " AND MIT", " AND MIT AND ISC"),
                "ISC: the license has no text in LICENSES",
            ),
            (
                *("NOTICE", "kernels/text/unicode_ranges.inc ", "kernels/text/unicode_tables.inc "),
                "NOTICE: kernels/text/unicode_tables.inc: there is no such file",
            ),
            (
                *("NOTICE", "Unicode-3.0             Unicode", "MIT             Unicode"),
                "NOTICE: no file has the license Unicode-3.0, which pyproject.toml names",
            ),
            (
                *("src/paragauge/models/tagger/MODEL_CARD.md", ": CC-BY-SA-4.0", ": MIT"),
                "src/paragauge/models/tagger/MODEL_CARD.md: says MIT, NOTICE says CC-BY-SA-4.0",
            ),
            (
                *("src/paragauge/models/pem/MODEL_CARD.md", SPDX, "License"),
                f"src/paragauge/models/pem/MODEL_CARD.md: expected one line '{SPDX}: NAME', found 0",
            ),
            (
                *("pyproject.toml", 'repository = ""', f'repository = "{ADDRESS}"'),
                "mkdocs.yml: shows another address of the repository",
            ),
        ],
    )
    def test_disagreement_is_found(
        self, copy: Path, file: str, old: str, new: str, message: str
    ) -> None:
        replace(copy / file, old, new)
        assert message in tool("check_release").problems(copy)

    def test_every_folder_of_models_has_a_card(self, copy: Path) -> None:
        (copy / "src/paragauge/models/new").mkdir()
        assert tool("check_release").problems(copy) == [
            "src/paragauge/models/new/MODEL_CARD.md: is missing"
        ]

    def test_a_tag_needs_its_version_a_day_and_an_address(self, copy: Path) -> None:
        check = tool("check_release")
        assert [problem.split(":")[0] for problem in check.tag_problems(copy, "v9.9")] == [
            *("tag", "CITATION.cff", "pyproject.toml")
        ]
        replace(copy / "CITATION.cff", "license: ", "date-released: 2030-01-01\nlicense: ")
        tool("set_repository").set_address(ADDRESS, copy)
        assert list(check.tag_problems(copy, f"v{paragauge.__version__}")) == []
        assert check.problems(copy) == []


class TestMetadata:
    def test_the_license_expression_is_valid(self) -> None:
        expression = project()["license"]
        assert canonicalize_license_expression(expression) == expression

    def test_no_classifier_repeats_the_license(self) -> None:
        # PEP 639: an index refuses both.
        assert not [entry for entry in project()["classifiers"] if entry.startswith("License ::")]

    @pytest.mark.parametrize(
        ("python", "system", "machine", "has_wheels"),
        [
            ("3.11", "linux", "x86_64", True),
            ("3.12", "linux", "x86_64", False),
            ("3.11", "linux", "aarch64", False),
            ("3.11", "darwin", "x86_64", False),
        ],
    )
    def test_systran_align_is_asked_for_only_where_it_has_wheels(
        self, python: str, system: str, machine: str, has_wheels: bool
    ) -> None:
        # It has no sdist: elsewhere an extra that asks for it could not be installed.
        place = {"python_version": python, "sys_platform": system, "platform_machine": machine}
        requirements = [
            (extra, requirement)
            for extra, lines in project()["optional-dependencies"].items()
            for requirement in map(Requirement, lines)
            if requirement.name == "systran-align"
        ]
        assert [extra for extra, _ in requirements] == ["align", "test", "bench"]
        for extra, requirement in requirements:
            asked = requirement.marker is None or requirement.marker.evaluate(place)
            assert asked == has_wheels, extra

    @pytest.mark.parametrize(
        "card", tool("check_wheel").model_cards(), ids=lambda card: card.parent.name
    )
    def test_model_cards_spell_license_one_way(self, card: Path) -> None:
        assert re.findall("(?i)licence", card.read_text("utf-8")) == []

    def test_every_license_text_is_packaged(self) -> None:
        assert tool("check_wheel").license_files() == sorted(
            [
                *("LICENSE", "NOTICE", "src/paragauge/models/wordnet/LICENSE"),
                *(f"LICENSES/{path.name}" for path in (ROOT / "LICENSES").iterdir()),
            ]
        )

    def test_license_texts_are_whole(self) -> None:
        ends = {
            "BSD-3-Clause": "POSSIBILITY OF SUCH DAMAGE.",
            "CC-BY-2.0": "Creative Commons may be contacted at http://creativecommons.org/.",
            "CC-BY-3.0-US": "Creative Commons may be contacted at https://creativecommons.org/.",
            "CC-BY-SA-4.0": "Creative Commons may be contacted at creativecommons.org.",
            "LicenseRef-DejaVu": "$Id: LICENSE 2133 2007-11-28 02:46:28Z lechimp $",
            "MIT": "SOFTWARE.",
            "Unicode-3.0": "authorization of the copyright holder.",
        }
        texts = {path.stem: path.read_text("utf-8") for path in (ROOT / "LICENSES").iterdir()}
        assert set(texts) == set(ends)
        for name, end in ends.items():
            assert texts[name].rstrip().endswith(end), name

    def test_the_citation_has_the_package_and_five_papers(self) -> None:
        citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
        assert citation["cff-version"] == "1.2.0"
        assert citation["version"] == paragauge.__version__
        assert citation["license"] == project()["license"].split(" AND ")[0]
        papers = {
            ("-".join(author["family-names"] for author in entry["authors"]), entry["year"])
            for entry in citation["references"]
        }
        assert papers == {
            ("Chen-Dolan", 2011),
            ("Liu-Dahlmeier-Ng", 2010),
            ("Chan-Ng", 2008),
            ("Weese-Ganitkevitch-Callison-Burch", 2014),
            ("Kauchak-Barzilay", 2006),
        }


class TestAddress:
    """tools/set_repository.py"""

    def test_it_is_shown_everywhere_and_can_be_taken_away(self, copy: Path) -> None:
        tool("set_repository").set_address("", copy)
        files = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
        tool("set_repository").set_address(ADDRESS, copy)
        settings = tomllib.loads((copy / "pyproject.toml").read_text("utf-8"))
        assert settings["tool"]["paragauge"]["repository"] == ADDRESS
        assert settings["project"]["urls"] == {
            "Repository": ADDRESS,
            "Issues": f"{ADDRESS}/issues",
            "Changes": f"{ADDRESS}/blob/main/CHANGELOG.md",
            "Documentation": "https://someone.github.io/paragauge/",
        }
        assert f"\nrepo_url: {ADDRESS}\n" in (copy / "mkdocs.yml").read_text("utf-8")
        citation = yaml.safe_load((copy / "CITATION.cff").read_text("utf-8"))
        assert citation["repository-code"] == ADDRESS
        config = yaml.safe_load((copy / ".github/ISSUE_TEMPLATE/config.yml").read_text("utf-8"))
        assert config["contact_links"][0]["url"] == f"{ADDRESS}/security/advisories/new"
        assert tool("set_repository").stale_files(copy) == []
        tool("set_repository").set_address("https://example.org/a/b", copy)
        assert ADDRESS.encode() not in b"".join(path.read_bytes() for path in files)
        tool("set_repository").set_address("", copy)
        assert {path: path.read_bytes() for path in files} == files

    @pytest.mark.parametrize("words", [["github.com/a/b"], ["https://github.com/a"], ["a", "b"]])
    def test_what_is_no_address_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, words: list[str]
    ) -> None:
        monkeypatch.setattr(sys, "argv", ["set_repository.py", *words])
        with pytest.raises(SystemExit, match="expected https://HOST/OWNER/NAME, found '"):
            tool("set_repository").main()

    def test_no_other_file_names_a_repository(self) -> None:
        # Until there is an address, nothing may invent one.
        for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "mkdocs.yml", "docs/release.md"):
            text = (ROOT / name).read_text("utf-8")
            address = tool("set_repository").known_address() or "https://github.com/OWNER/NAME"
            addresses = re.findall(r"https://github\.com/[\w.-]+/paragauge", text)
            assert set(addresses) <= {address}, name


def targets() -> set[str]:
    """The targets of the Makefile."""
    text = (ROOT / "Makefile").read_text("utf-8")
    return set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))


def called_names(text: str) -> tuple[set[str], set[str]]:
    """The targets of make and the scripts of tools/ that a text calls."""
    return set(re.findall(r"\bmake ([a-z-]+)", text)), set(re.findall(r"\btools/\w+\.py", text))


class TestWorkflows:
    @in_checkout
    def test_there_is_one_for_each_purpose(self) -> None:
        assert {path.stem for path in WORKFLOWS} == {"tests", "wheels", "documentation", "release"}

    @in_checkout
    @pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
    def test_they_call_what_exists(self, path: Path) -> None:
        workflow = yaml.safe_load(path.read_text("utf-8"))
        # YAML 1.1 reads the key `on` as true.
        assert set(workflow) <= {"name", True, "permissions", "concurrency", "jobs"}
        commands = "\n".join(
            step["run"]
            for job in workflow["jobs"].values()
            for step in job.get("steps", [])
            if "run" in step
        )
        make_targets, scripts = called_names(commands)
        assert make_targets <= targets()
        assert all((ROOT / script).exists() for script in scripts)
        for name, job in workflow["jobs"].items():
            assert ("uses" in job) != ("steps" in job), name
            needs = job.get("needs", [])
            needs = {needs} if isinstance(needs, str) else set(needs)
            assert needs <= set(workflow["jobs"]), name
            if "uses" in job:
                other = yaml.safe_load((ROOT / job["uses"]).read_text("utf-8"))
                assert "workflow_call" in other[True], name

    @in_checkout
    @pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
    def test_they_hold_no_secret_and_few_rights(self, path: Path) -> None:
        text = path.read_text("utf-8")
        assert "secrets." not in text
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}

    @in_checkout
    def test_tests_run_on_every_python_that_the_metadata_names(self) -> None:
        workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))
        matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
        prefix = "Programming Language :: Python :: 3."
        named = [entry for entry in project()["classifiers"] if entry.startswith(prefix)]
        assert matrix["python"] == [f"3.{entry.removeprefix(prefix)}" for entry in named]
        assert {system.split("-")[0] for system in matrix["system"]} == {"ubuntu", "macos"}

    @in_checkout
    def test_only_a_tag_publishes(self) -> None:
        release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
        assert release[True] == {"push": {"tags": ["v*"]}}
        publish = release["jobs"]["publish"]
        assert publish["permissions"] == {"id-token": "write"}
        assert publish["environment"] == "pypi"
        needed = {release["jobs"][name].get("uses", "").rpartition("/")[2] for name in publish["needs"]}
        assert needed == {"tests.yml", "wheels.yml"}
        for path in WORKFLOWS:
            assert (path.stem == "release") == ("gh-action-pypi-publish" in path.read_text("utf-8"))

    @in_checkout
    def test_templates_are_forms(self) -> None:
        for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
            form = yaml.safe_load(path.read_text("utf-8"))
            if path.stem != "config":
                assert {"name", "description", "body"} <= set(form), path.name
                assert all({"type", "id", "attributes"} <= set(part) for part in form["body"]), (
                    path.name
                )

    @in_checkout
    def test_hooks_need_no_download(self) -> None:
        hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
        assert [entry["repo"] for entry in hooks["repos"]] == ["local"]
        assert {hook["language"] for hook in hooks["repos"][0]["hooks"]} == {"system"}
        assert called_names(str(hooks))[1] == {"tools/check_release.py"}

    @in_checkout
    def test_the_hook_of_the_release_looks_at_all_files_that_it_reads(self) -> None:
        hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0][
            "hooks"
        ]
        (pattern,) = [hook["files"] for hook in hooks if hook["id"] == "release"]
        read = [
            *("CHANGELOG.md", "NOTICE", "src/paragauge/version.py"),
            *tool("check_wheel").license_files(),
            *(str(card.relative_to(ROOT)) for card in tool("check_wheel").model_cards()),
            *(place.file for place in tool("set_repository").PLACES),
        ]
        assert [file for file in read if not re.search(pattern, file)] == []
        assert not re.search(pattern, "src/paragauge/models/tagger/english.bin")

    @in_checkout
    def test_wheels_are_built_when_their_compiled_part_changes(self) -> None:
        workflow = yaml.safe_load((ROOT / ".github/workflows/wheels.yml").read_text("utf-8"))
        paths = set(workflow[True]["pull_request"]["paths"])
        assert paths >= {"CMakeLists.txt", "pyproject.toml", "src/paragauge/kernels/**"}

    @in_checkout
    def test_the_check_of_every_change_tries_the_wheel(self) -> None:
        make_targets, _ = called_names((ROOT / ".ci" / "run").read_text("utf-8"))
        assert {"test", "lint", "docs", "wheel", "wheel-test"} <= make_targets <= targets()

    def test_the_checklist_calls_what_exists(self) -> None:
        text = (ROOT / "docs" / "release.md").read_text("utf-8")
        make_targets, scripts = called_names(
            "\n".join(re.findall(r"```shell\n(.*?)```", text, re.DOTALL))
        )
        assert make_targets == {"wheel", "wheel-test"}
        assert make_targets <= targets()
        assert scripts >= {"tools/set_repository.py", "tools/check_release.py", "tools/check_wheel.py"}
        assert all((ROOT / script).exists() for script in scripts)

    def test_the_checklist_can_be_walked(self, copy: Path) -> None:
        """After the address, the version and the day are set, the checks and these tests still pass."""
        names = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "docs/release.md", "tools")
        hidden = (".ci", ".github", ".pre-commit-config.yaml", "PKG-INFO")  # not all are in an sdist
        for name in (*names, *hidden):
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, copy / name, dirs_exist_ok=True)
            elif (ROOT / name).exists():
                (copy / name).parent.mkdir(exist_ok=True)
                shutil.copy(ROOT / name, copy / name)
        tool("set_repository").set_address("", copy)

        def step(*command: str) -> None:
            done = subprocess.run(
                [sys.executable, *command], cwd=copy, capture_output=True, encoding="utf-8", check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr

        step("tools/set_repository.py", ADDRESS)
        for file, old, new in (
            ("src/paragauge/version.py", '(?m)^__version__ = ".+"$', '__version__ = "0.2.0"'),
            ("CITATION.cff", "(?m)^version: .+$", "version: 0.2.0\ndate-released: 2030-01-02"),
            ("CHANGELOG.md", "(?m)^## .+$", "## 0.2.0 (2030-01-02)"),
        ):
            text, count = re.subn(old, new, (copy / file).read_text("utf-8"), count=1)
            assert count == 1, file
            (copy / file).write_text(text, "utf-8")
        step("tools/check_release.py", "--tag", "v0.2.0")
        (copy / "tests").mkdir()
        shutil.copy(__file__, copy / "tests")
        # The package itself is not in the copy.
        (copy / "tests/conftest.py").write_text(
            'import paragauge\n\nparagauge.__version__ = "0.2.0"\n', "utf-8"
        )
        step("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not can_be_walked", "tests")

    def test_only_one_file_has_the_version(self) -> None:
        """Others would be wrong after step 2; the pages, which step 3 refreshes, may show it."""
        version = re.compile(rf"(\bv:|paragauge ){re.escape(paragauge.__version__)}(?![\d.])")
        files = [path for name in ("src", "tests", "tools") for path in (ROOT / name).rglob("*.py")]
        assert [path.name for path in files if version.search(path.read_text("utf-8"))] == []


def metadata(**changed: str) -> str:
    """The metadata of a wheel as it should be, with lines changed or added."""
    lines = {"Metadata-Version": "2.4", "Name": "paragauge", "Version": paragauge.__version__}
    lines |= {"License-Expression": project()["license"]}
    texts = "".join(f"License-File: {file}\n" for file in tool("check_wheel").license_files())
    lines |= {key.replace("_", "-"): value for key, value in changed.items()}
    return "".join(f"{key}: {value}\n" for key, value in lines.items()) + texts


class TestWheel:
    """tools/check_wheel.py"""

    def test_make_gives_options_that_exist(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "argv", ["check_wheel.py", "--help"])
        with pytest.raises(SystemExit, match="0"):
            tool("check_wheel").main()
        text = (ROOT / "Makefile").read_text("utf-8")
        (option,) = re.findall(r"check_wheel\.py (--\S+) \d+\n", text)
        assert option == "--max-megabytes"
        assert option in capsys.readouterr().out

    tags = "cp311-cp311-manylinux_2_28_x86_64"

    def wheel(
        self,
        folder: Path,
        tags: str = tags,
        module: str = "_native.cpython-311-x86_64-linux-gnu.so",
        text: str | None = None,
        more: tuple[str, ...] = (),
        less: tuple[str, ...] = (),
    ) -> list[str]:
        """What is found wrong with a made-up wheel."""
        name = f"paragauge-{paragauge.__version__}"
        check = tool("check_wheel")
        files = [f"{name}.dist-info/licenses/{file}" for file in check.license_files()]
        files += [f"paragauge/models/{card.parent.name}/MODEL_CARD.md" for card in check.model_cards()]
        files += [f"paragauge/kernels/{module}", "paragauge/kernels/_native.pyi", *more]
        path = folder / f"{name}-{tags}.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{name}.dist-info/METADATA", metadata() if text is None else text)
            for file in files:
                if not file.endswith(less or "none"):
                    archive.writestr(file, "")
        return list(check.wheel_problems(path))

    def test_a_good_one(self, tmp_path: Path) -> None:
        assert self.wheel(tmp_path) == []
        assert self.wheel(tmp_path, "cp312-abi3-manylinux_2_28_x86_64", "_native.abi3.so") == []

    def test_tags_must_be_honest(self, tmp_path: Path) -> None:
        (problem,) = self.wheel(tmp_path, "cp311-cp311-linux_x86_64")
        assert problem == (
            "platform tag 'linux_x86_64': expected manylinux; repair the wheel with auditwheel"
        )
        (problem,) = self.wheel(tmp_path, "cp312-abi3-manylinux_2_28_x86_64", "_native.cpython-312.so")
        assert problem.startswith("_native.cpython-312.so: the tag says abi3, the module does not")
        (problem,) = self.wheel(tmp_path, module="_native.cpython-312-x86_64-linux-gnu.so")
        assert problem == "_native.cpython-312-x86_64-linux-gnu.so: expected a module of cp311"

    def test_sources_and_strangers_are_found(self, tmp_path: Path) -> None:
        (problem,) = self.wheel(tmp_path, more=("paragauge/kernels/lm.cpp",))
        assert problem.startswith("paragauge/kernels/lm.cpp: sources do not belong in a wheel")
        (problem,) = self.wheel(tmp_path, more=("tests/conftest.py",))
        assert problem.startswith("tests/conftest.py: expected only paragauge/ and ")

    def test_missing_cards_and_licenses_are_found(self, tmp_path: Path) -> None:
        (problem,) = self.wheel(tmp_path, less=("tagger/MODEL_CARD.md",))
        assert problem == "paragauge/models/tagger/MODEL_CARD.md: the card is missing"
        (problem,) = self.wheel(tmp_path, less=("CC-BY-2.0.txt",))
        assert problem.endswith("CC-BY-2.0.txt: the metadata lists it, the wheel does not have it")

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"License_Expression": "Apache-2.0"}, "License-Expression: expected 'Apache-2.0 AND"),
            ({"Version": "9.9"}, "Version: found '9.9', which is not that of version.py"),
            ({"Classifier": "License :: OSI Approved"}, "Classifier 'License :: OSI Approved': "),
            ({"License_File": "COPYING"}, "License-File: expected ['LICENSE', "),
        ],
    )
    def test_untrue_metadata_is_found(
        self, tmp_path: Path, changed: dict[str, str], message: str
    ) -> None:
        problems = self.wheel(tmp_path, text=metadata(**changed))
        assert problems[0].startswith(message)

    def test_what_an_sdist_must_have_and_must_not_have(self, tmp_path: Path) -> None:
        check = tool("check_wheel")
        path = tmp_path / "paragauge.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for file in {*check.NEEDED, *check.license_files(), ".ci/run"} - {"NOTICE"}:
                archive.addfile(tarfile.TarInfo(f"paragauge-0/{file}"), io.BytesIO())
        assert list(check.sdist_problems(path)) == [
            ".ci/run: does not belong in an sdist; see sdist.exclude in pyproject.toml",
            "NOTICE: is missing",
        ]
