"""Starting up: what a simple run does not load, and what progress looks like."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paragauge.cli import progress
from paragauge.text.batch import Batch

HEAVY = {
    "pyarrow",
    "scipy",
    "sacrebleu",
    "resvg_py",
    "rich",
    "pandas",
    "duckdb",
    "spacy",
    "kenlm",
    "Stemmer",
}

SCRIPT = """
import sys
from paragauge.cli.main import run
code = run(sys.argv[1:])
print(" ".join(sorted({name.split(".")[0] for name in sys.modules})), file=sys.stderr)
sys.exit(code)
"""


def loaded_modules(*arguments: object) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, arguments)],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    return set(done.stderr.decode().split())


@pytest.mark.parametrize("metrics", ["pinc", "bleu,pinc"])
def test_scoring_loads_nothing_heavy(examples, metrics):
    inputs = ["-s", examples / "sources.txt", "-r", examples / "references.tsv"]
    modules = loaded_modules("score", *inputs, "-c", examples / "copy.txt", "-m", metrics)
    assert "paragauge" in modules
    assert not modules & HEAVY


def test_segments_as_text_load_nothing_heavy(examples, tmp_path):
    outputs = ["--segments", tmp_path / "out.tsv", "--html", tmp_path / "out.html"]
    inputs = ["-s", examples / "sources.txt", "-c", examples / "copy.txt"]
    assert not loaded_modules("score", *inputs, *outputs) & HEAVY


def test_importing_the_package_loads_nothing_heavy():
    script = "import sys, paragauge; print(' '.join({n.split('.')[0] for n in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert not set(done.stdout.decode().split()) & HEAVY


def test_nothing_depends_on_the_working_directory(run, examples, tmp_path):
    # A file called as a module of the standard library, beside which the user works.
    for name in ("json.py", "numpy.py", "paragauge.py"):
        Path(tmp_path, name).write_text("raise SystemExit('imported from the working directory')\n")
    script = Path(sys.executable).with_name("paragauge")
    if not script.exists():
        pytest.skip("not installed beside the interpreter")
    done = subprocess.run(
        [
            script,
            "score",
            "-s",
            examples / "sources.txt",
            "-c",
            examples / "copy.txt",
            "--bootstrap",
            "0",
        ],
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(good, shell):
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("click asks bash for its version")
    assert f"_PARAGAUGE_COMPLETE={shell}_complete" in good("completion", shell)


def test_completion_of_an_unknown_shell(fails):
    assert "fish" in fails("completion", "powershell")


@pytest.mark.parametrize(
    ("words", "expected"),
    [("paragauge sc", "score"), ("paragauge score --boot", "--bootstrap"), ("paragauge co", "compare")],
)
def test_completion(run, monkeypatch, words, expected):
    monkeypatch.setenv("_PARAGAUGE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    done = run()
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"plain,{expected}" in done.stdout.decode().split()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock on which every look takes a second."""
    seconds = iter(range(1000))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(seconds)))


def batches(count: int) -> list[Batch]:
    return [Batch.of({"a": ["x"] * 1000}) for _ in range(count)]


def test_progress_on_a_terminal(monkeypatch, clock):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    sequence = batches(3)
    assert list(progress.track_segments(sequence)) == sequence
    output = terminal.getvalue()
    assert "1,000 segments" in output
    assert "3,000 segments" in output
    assert "\n" not in output
    assert output.endswith("\r\x1b[K")  # the line is wiped in the end


def test_progress_is_wiped_before_an_error(monkeypatch, clock):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    def broken():
        yield from batches(2)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(progress.track_segments(broken()))
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_no_progress_in_a_file(monkeypatch, clock):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    assert len(list(progress.track_segments(batches(3)))) == 3
    assert stream.getvalue() == ""
