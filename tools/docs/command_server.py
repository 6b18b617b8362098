"""Run many `paragauge` commands without starting an interpreter for each.

A server loads the package once and forks for each command. A command has its own process, streams,
folder and environment and leaves nothing behind for the next one, but does not wait for imports.
Shells find a small program called `paragauge` on the path in `environment`.

    with CommandServer() as server:
        print(server.run(["score", "--help"]).stdout)
        subprocess.run(["bash", "-c", "paragauge --version | cat"], env=server.environment(os.environ))
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import marshal
import os
import pkgutil
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

# Modules that commands load only when they need them.
LATE = (
    *("duckdb", "psycopg", "pyarrow.compute", "pyarrow.dataset", "pyarrow.parquet"),
    *("sklearn.svm", "spellchecker", "sqlalchemy", "zstandard"),
)
TIMEOUT = 120.0  # of a command, in seconds

# The program `paragauge` for shells: it passes on its streams, waits, and exits with the command's
# code. It imports only built-in modules, so that it starts in a few milliseconds. It is a shell script,
# since a #! line cannot hold a path of Python that is long or has a space.
PROGRAM = """#!/bin/sh
exec {python} -IS {client} "$@"
"""
CLIENT = """import _socket, marshal, os, sys
request = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ)))
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
streams = b"".join(i.to_bytes(4, sys.byteorder) for i in range(3))
rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)]
server.sendmsg([len(request).to_bytes(4, "big")], rights)
while request:
    request = request[server.send(request):]
code = server.recv(1)
os._exit(code[0] if code else 255)
"""


class CommandServer:
    """An interpreter with the package loaded, which runs commands until the context ends."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="paragauge-")
        self.address = str(Path(self.folder.name, "socket"))
        write_program(Path(self.folder.name, "bin"), self.address)
        self.process = subprocess.Popen(
            [sys.executable, __file__, self.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the client; the server ends with it
            env=environment,  # PYTHONHASHSEED counts when an interpreter starts
        )
        if self.process.stdout is None or self.process.stdout.readline() != b"ready\n":
            raise RuntimeError("the command server did not start")

    def __enter__(self) -> CommandServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.communicate()  # the server ends when its standard input ends
        self.folder.cleanup()

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """The variables, with a path on which shells find `paragauge` and this Python's programs."""
        folders = [str(Path(self.folder.name, "bin")), str(Path(sys.executable).parent)]
        return {**variables, "PATH": os.pathsep.join([*folders, variables["PATH"]])}

    def run(
        self,
        arguments: Sequence[str],
        stdin: bytes = b"",
        folder: str | Path = ".",
        environment: Mapping[str, str] = os.environ,
        join_streams: bool = False,
        seconds: float = TIMEOUT,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command; `join_streams` sends standard error where standard output goes.

        A command that takes longer than `seconds` is killed, and TimeoutError is raised.
        """
        reader, writer = os.pipe()
        # The pipe ends when all writers have closed it, so not before a command that hangs.
        threading.Thread(target=_feed, args=(writer, stdin), daemon=True).start()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            streams = [reader, out.fileno(), (out if join_streams else err).fileno()]
            request = marshal.dumps((list(arguments), str(Path(folder).resolve()), dict(environment)))
            try:
                with socket.socket(socket.AF_UNIX) as server:
                    server.settimeout(seconds)
                    server.connect(self.address)
                    socket.send_fds(server, [len(request).to_bytes(4, "big")], streams)
                    server.sendall(request)
                    code = server.recv(1)
            except TimeoutError:
                words = " ".join(arguments)
                raise TimeoutError(f"paragauge {words}: not done after {seconds:g} s, killed") from None
            finally:
                os.close(reader)
            if not code:
                raise RuntimeError(f"paragauge {' '.join(arguments)}: the command died")
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(list(arguments), code[0], out.read(), err.read())


def _feed(writer: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), os.fdopen(writer, "wb") as stream:
        stream.write(data)


def write_program(folder: Path, address: str) -> Path:
    """Write the program `paragauge`, which calls the server at this address, into a new folder."""
    folder.mkdir()
    client, program = folder / "client.py", folder / "paragauge"
    client.write_text(CLIENT.format(address=address))
    python, script = shlex.quote(sys.executable), shlex.quote(str(client))
    program.write_text(PROGRAM.format(python=python, client=script))
    program.chmod(0o755)
    return program


@dataclass(frozen=True, eq=False)
class Running:
    """A command's process, the pipe that ends with it, and the client that waits for it."""

    pid: int
    end: int
    client: socket.socket

    def kill(self) -> None:
        """Kill the process and its children."""
        for kill in (os.killpg, os.kill):  # it may not have a group of its own yet
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)

    def finish(self) -> None:
        """Tell the client how the process ended."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]) % 256
        with contextlib.suppress(OSError):  # the client is gone
            self.client.sendall(bytes([code]))
        self.close()

    def close(self) -> None:
        """Forget the process."""
        os.close(self.end)
        self.client.close()


def serve(address: str) -> None:
    """Answer requests until standard input ends; a command is killed when its client ends."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    events = selectors.DefaultSelector()
    events.register(0, selectors.EVENT_READ)
    events.register(listener, selectors.EVENT_READ)
    running: set[Running] = set()
    gc.freeze()  # forks share these pages as long as nobody writes to them
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        for key, _ in events.select():
            if key.fileobj == 0:
                for process in running:
                    process.kill()
                    process.finish()
                return
            if key.fileobj is listener:
                started = _start(listener, events, running)
                if started is not None:
                    running.add(started)
                    events.register(started.end, selectors.EVENT_READ, started)
                    events.register(started.client, selectors.EVENT_READ, started)
            elif key.data in running:  # an earlier event may have ended it
                events.unregister(key.fileobj)
                if key.fileobj is key.data.client:  # clients send nothing more, so this is the end
                    key.data.kill()
                    continue
                with contextlib.suppress(KeyError):
                    events.unregister(key.data.client)
                running.remove(key.data)
                key.data.finish()


def _start(
    listener: socket.socket, events: selectors.BaseSelector, running: set[Running]
) -> Running | None:
    """Fork for the next request; None if its client ended before the request was complete."""
    client, _ = listener.accept()
    head, streams, request = b"", [], b""
    with contextlib.suppress(ConnectionError):
        head, streams, _, _ = socket.recv_fds(client, 4, 3)
        request = client.makefile("rb").read(int.from_bytes(head, "big"))
    if not request or len(request) < int.from_bytes(head, "big"):
        for stream in streams:
            os.close(stream)
        client.close()
        return None
    end, held = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads, which numpy stops
        pid = os.fork()
    if pid == 0:
        os.setsid()
        for place, stream in enumerate(streams):
            os.dup2(stream, place)
        for name in (*streams, end, listener.detach(), client.detach()):
            os.close(name)
        for other in running:
            other.close()
        events.close()
        command(*marshal.loads(request))  # noqa: S302  # of programs started here
    for stream in (*streams, held):
        os.close(stream)
    return Running(pid, end, client)


def command(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    """Run a command in this process, which is a fork, and exit.

    It exits without freeing what the server has loaded, which would take longer than most commands.
    """
    from paragauge.cli.main import run

    code = 1
    try:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv[:] = ["paragauge", *arguments]
        # Python's stream objects remember whether the server's streams can seek; these may not.
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, encoding="utf-8", errors=errors, closefd=False)
            for number, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "replace"))
        )
        sys.stderr.reconfigure(line_buffering=True)
        try:
            code = run(arguments)
        except SystemExit as end:  # of click's completion
            code = end.code if isinstance(end.code, int) else 1
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001  # as Python shows what nobody catches
        traceback.print_exc()
        code = 1
    finally:
        sys.stderr.flush()
        os._exit(code)


def load() -> None:
    """Import the whole package, and the other packages that it loads lazily, if they are installed."""
    import paragauge

    for module in pkgutil.walk_packages(paragauge.__path__, "paragauge."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in LATE:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


if __name__ == "__main__":
    load()
    serve(sys.argv[1])
