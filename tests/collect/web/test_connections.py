"""Connections that are slow, large, or cut off, on a server of this package's own."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn

from paragauge.collect.web.http.connections import Patience, configure_server
from paragauge.collect.web.http.middleware import access

QUICK = Patience(head_seconds=0.3, body_seconds=0.3, body_rate=1e6, answer_seconds=0.3)
PATIENT = Patience(head_seconds=60, body_seconds=60, answer_seconds=60)
FORM = b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture
def serve(app: Any) -> Iterator[Callable[[Patience], int]]:
    """Serves the application with some patience; the port."""
    running = []

    def start(patience: Patience) -> int:
        server = uvicorn.Server(configure_server(app, patience, log_level="critical"))
        listener = socket.create_server(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        running.append((server, thread))
        return int(listener.getsockname()[1])

    yield start
    for server, thread in running:
        server.should_exit = True
        thread.join(10)


def connect(port: int) -> socket.socket:
    # A limit for a busy machine: waiting ends when the server answers or closes.
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def read_all(client: socket.socket) -> bytes:
    """What the server sends until it closes."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def test_headers_have_a_limit(serve) -> None:
    port, sent = serve(PATIENT), 0
    with connect(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n")
        try:
            for _ in range(100):  # of what would be 100 MB
                client.sendall(b"X-Filling: " + b"a" * 1_000_000 + b"\r\n")
                sent += 1
        except OSError:
            pass
        assert sent < 100
    # Many small ones in one packet are as many bytes; a long address is a head, too.
    for head in (b"X-A: b\r\n" * 6000, b"X-A: " + b"b" * 40_000 + b"\r\n"):
        with connect(port) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n" + head + b"\r\n")
            assert read_all(client).startswith(b"HTTP/1.1 431 ")
    with connect(port) as client:
        client.sendall(b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
        assert read_all(client).startswith(b"HTTP/1.1 431 ")


def test_usual_headers_fit(serve) -> None:
    with connect(serve(PATIENT)) as client:
        cookie = b"Cookie: a=" + b"b" * 8000 + b"\r\n"
        for _ in range(2):
            client.sendall(b"GET /sign-in HTTP/1.1\r\nHost: a\r\n" + cookie + b"\r\n")
            head = client.recv(20)
            assert head.startswith(b"HTTP/1.1 200 OK")
            while not head.endswith(b"</html>\n") and not head.endswith(b"</html>"):
                head += client.recv(65536)


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow", b"HTTP/1.1 408 "),
        (FORM + b"Content-Length: 1000\r\n\r\nkey=a", b""),
        (FORM + b"Transfer-Encoding: chunked\r\n\r\n5\r\nkey=a\r\n", b""),
    ],
)
def test_a_slow_request_ends(serve, sent, answer) -> None:
    with connect(serve(QUICK)) as client:
        client.sendall(sent)
        assert read_all(client)[:13] == answer


def test_a_request_in_small_pieces_ends_too(serve) -> None:
    with connect(serve(QUICK)) as client:
        client.settimeout(0.02)
        count = 0
        for letter in b"GET / HTTP/1.1\r\nX-Slow: " + b"a" * 3000:  # a minute, if nobody ended it
            try:
                client.sendall(bytes([letter]))
                if not client.recv(100):
                    break
                count += 1
            except TimeoutError:
                count += 1
            except OSError:
                break
        assert count < 1000


def test_a_client_that_does_not_read_is_cut_off(serve, any_store, tmp_path, app) -> None:
    (tmp_path / "large.webm").write_bytes(b"a" * 30_000_000)
    app.state.media_folder = tmp_path
    with connect(serve(QUICK)) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET /media/large.webm HTTP/1.1\r\nHost: a\r\n\r\n")
        client.recv(1000, socket.MSG_PEEK)
        ended = threading.Event()

        class Watching(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                if "/media/" in record.getMessage():
                    ended.set()

        handler = Watching()
        access.addHandler(handler)
        level = access.level
        access.setLevel(logging.INFO)
        try:
            assert ended.wait(60)
        finally:
            access.removeHandler(handler)
            access.setLevel(level)


def test_an_aborted_post_leaves_no_traceback(serve, caplog) -> None:
    ended = threading.Event()

    class Watching(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if " 499 " in record.getMessage():
                ended.set()

    handler = Watching()
    access.addHandler(handler)
    port = serve(PATIENT)
    with caplog.at_level(logging.INFO, "paragauge.collect"):
        with connect(port) as client:
            client.sendall(FORM + b"Content-Length: 1000\r\n\r\nkey=a")
        assert ended.wait(60)
    access.removeHandler(handler)
    assert [record for record in caplog.records if record.exc_info or record.levelno > 20] == []


def test_head_has_the_headers_and_no_body(serve) -> None:
    port = serve(PATIENT)
    for path, status in (("/", "200"), ("/sign-in", "200"), ("/nothing", "404"), ("/desk", "303")):
        with connect(port) as client:
            request = f"HEAD {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            client.sendall(request.encode())
            head, _, body = read_all(client).decode().partition("\r\n\r\n")
            assert head.startswith(f"HTTP/1.1 {status} ")
            assert "content-security-policy" in head
            assert body == ""
            with connect(port) as other:
                other.sendall(request.replace("HEAD", "GET").encode())
                length = len(read_all(other).partition(b"\r\n\r\n")[2])
            assert f"content-length: {length}" in head
