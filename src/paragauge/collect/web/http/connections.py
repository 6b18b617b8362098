"""Connections: how large the head of a request may be, and how slowly requests and responses may move.

uvicorn itself takes headers of any size and waits for them for ever. Here a request's line and headers
must arrive within seconds and fit a limit; a body must keep a minimum rate; and a client that does not
read its response loses the connection. An honest browser on a slow phone stays far from all of them.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


@dataclass(frozen=True)
class Patience:
    """Limits of a connection: bytes of the head, seconds, and bytes a second.

    >>> Patience().head_bytes
    32000
    """

    head_bytes: int = 32_000
    # For the whole head; a new connection counts as a head that has not begun.
    head_seconds: float = 20.0
    # A body has so many seconds, and one more for each `body_rate` bytes that arrived.
    body_seconds: float = 30.0
    body_rate: float = 10_000.0
    # For a client to read what the kernel does not buffer.
    answer_seconds: float = 60.0


class _HeadTooLargeError(Exception):
    """The head of a request is larger than the limit."""


REFUSALS = {
    408: b"HTTP/1.1 408 Request Timeout\r\n",
    431: b"HTTP/1.1 431 Request Header Fields Too Large\r\n",
}


class GuardedProtocol(HttpToolsProtocol):
    """The HTTP protocol of uvicorn with these limits; `patience` is a class attribute."""

    patience = Patience()
    # What is awaited: the head of a request, its body, or nothing.
    _phase = "head"
    _head = 0
    _body = 0
    _since = 0.0
    _timer: asyncio.TimerHandle | None = None
    _answer_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._stop()
        self._stop_answer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request, or of several."""
        if self._phase == "done":
            self._await_head()
        if self._phase == "head":
            self._head += len(data)
        super().data_received(data)
        if self._phase == "head" and self._head > self.patience.head_bytes:
            self._refuse(431)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, or one with too large a head."""
        self._stop()
        if self._phase == "refused":
            return
        if self._phase == "too large":
            self._refuse(431)
        else:
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        """The first byte of a request; of one that follows another at once, too."""
        if self._phase == "done":
            self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is complete."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.patience.head_bytes:
            self._phase = "too large"
            raise _HeadTooLargeError
        self._stop()
        self._phase, self._body, self._since = "body", 0, self.loop.time()
        self._timer = self.loop.call_later(self.patience.body_seconds, self._check_body)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Some of the body."""
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._stop()
        self._phase, self._head = "done", 0
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The client does not read fast enough."""
        super().pause_writing()
        if self._answer_timer is None:
            self._answer_timer = self.loop.call_later(self.patience.answer_seconds, self._abort)

    def resume_writing(self) -> None:
        """The client has read."""
        self._stop_answer()
        super().resume_writing()

    def _await_head(self) -> None:
        self._stop()
        self._phase, self._head = "head", 0
        self._timer = self.loop.call_later(self.patience.head_seconds, self._refuse, 408)

    def _check_body(self) -> None:
        """Give a body that keeps the rate more time."""
        patience = self.patience
        end = self._since + patience.body_seconds + self._body / patience.body_rate
        if self.flow.read_paused:
            # We are the ones who do not read.
            end = self.loop.time() + patience.body_seconds
        if self.loop.time() >= end:
            self._abort()
        else:
            self._timer = self.loop.call_at(end, self._check_body)

    def _refuse(self, status: int) -> None:
        if self.transport.is_closing():
            return
        silent = status == 408 and not self._head
        self._stop()
        self._phase = "refused"
        # A connection on which nothing was sent is closed without a word.
        if not silent and (self.cycle is None or self.cycle.response_complete):
            self.transport.write(REFUSALS[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()
        # A client that goes on sending without reading is cut off.
        self._answer_timer = self.loop.call_later(1, self._abort)

    def _abort(self) -> None:
        self.transport.abort()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_answer(self) -> None:
        if self._answer_timer is not None:
            self._answer_timer.cancel()
            self._answer_timer = None


def run_server(
    app: Any, sockets: list[socket.socket], patience: Patience | None = None, **settings: Any
) -> None:
    """Serve `app` on open sockets until a signal ends it; `settings` are those of uvicorn."""
    uvicorn.Server(configure_server(app, patience, **settings)).run(sockets=sockets)


def configure_server(app: Any, patience: Patience | None = None, **settings: Any) -> uvicorn.Config:
    """uvicorn's configuration with these limits, without its log of requests and its own headers."""
    kind = type("Protocol", (GuardedProtocol,), {"patience": patience or Patience()})
    usual: dict[str, Any] = {
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "ws": "none",
    }
    return uvicorn.Config(app, http=kind, **usual | settings)
