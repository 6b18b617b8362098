"""A PostgreSQL server of one's own: a temporary folder, a socket in it, no network."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

# Tests trust the system not to crash, as opposed to the server.
FAST = ["-c", "fsync=off", "-c", "full_page_writes=off"]


def binaries() -> Path | None:
    """The folder with `initdb` and `postgres`, or None."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb and shutil.which("postgres") else None


def account() -> str | None:
    """The user to run as where we are root, whom PostgreSQL refuses: `postgres`, else `nobody`."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            pwd.getpwnam(name)
            return name
    return None


class Server:
    """A server that can be killed and started again."""

    def __init__(self, folder: Path, options: list[str]) -> None:
        self.folder = folder
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, name: str, *arguments: str) -> None:
        """Run a tool of PostgreSQL to its end."""
        tool = binaries()
        assert tool is not None
        subprocess.run(
            [tool / name, *arguments],
            check=True,
            user=account(),
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=60,
        )

    def make(self) -> None:
        """A new, empty cluster."""
        data = str(self.folder / "data")
        self.run("initdb", "-D", data, "-U", "paragauge", "-A", "trust", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        """Start, and wait until it answers.

        After a kill the processes of the old server may be there for a moment yet, and a new one
        refuses to start beside them: then it is started again.
        """
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:
                self._launch()
            with contextlib.suppress(subprocess.CalledProcessError):
                self.run("pg_isready", "-q", "-h", str(self.folder))
                return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "log").read_text())

    def _launch(self) -> None:
        tool = binaries()
        assert tool is not None
        fixed = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}"]
        fixed += ["-c", "max_connections=100"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [tool / "postgres", "-D", self.folder / "data", *fixed, *self.options],
                user=account(),
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill the server and its backends, like a power cut: no shutdown.

        Backends have sessions of their own. One that outlives the server for a moment, on a busy
        machine, would still answer.
        """
        assert self.process is not None
        number = self.process.pid
        children: list[str] = []
        with contextlib.suppress(OSError):  # Linux only
            children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        for process in (number, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Stop at once: there is nothing to keep."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(30)

    def address(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql://paragauge@/{name}?host={self.folder}"

    def database(self, name: str, template: str = "template0") -> str:
        """A new database, empty or a copy of another, and its address."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.address(name)


@contextlib.contextmanager
def server(options: list[str] = FAST) -> Iterator[Server]:
    """A server that is gone when the block ends."""
    # A socket's path has room for 107 bytes: not below pytest's long folders.
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    name = account()
    if name is not None:
        shutil.chown(folder, name)
    server = Server(folder, options)
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
