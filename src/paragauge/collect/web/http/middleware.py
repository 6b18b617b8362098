"""The middleware around every request: limits, headers, the access log, and error pages.

The log has the method, the *pattern* of the path (`/join/{token}`), the status and the time taken:
query strings and keys in paths are never logged.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paragauge.collect.web.http.rate_limit import Gate
from paragauge.collect.web.http.security import HEADERS, content_policy, get_cookie, set_cookie
from paragauge.collect.web.http.site_address import is_known_host
from paragauge.errors import StoreError

access = logging.getLogger("paragauge.collect.access")
trouble = logging.getLogger("paragauge.collect.trouble")
# Long enough that a form left open overnight can still be sent.
FORM_SECONDS = 30 * 24 * 3600
# What the log says of a client that went away before it had sent its request.
CLIENT_GONE = 499
Answer = Callable[[Request, HTTPException], Response]


class TooLargeError(HTTPException):
    """The request body is larger than this server accepts."""

    def __init__(self, most: int) -> None:
        super().__init__(413, f"What you sent is larger than {most:,} bytes.")


def client_address(scope: Scope, proxies: frozenset[str]) -> str:
    """The address of the client; behind trusted proxies, the nearest address that is not one of them.

    >>> headers = [(b"x-forwarded-for", b"203.0.113.9, 192.0.2.7, 10.0.0.2")]
    >>> scope = {"client": ("10.0.0.1", 1234), "headers": headers}
    >>> client_address(scope, frozenset()), client_address(scope, frozenset({"10.0.0.1", "10.0.0.2"}))
    ('10.0.0.1', '192.0.2.7')
    """
    client = scope.get("client")
    near = str(client[0]) if client else "unknown"
    if near not in proxies:
        return near
    for name, value in reversed(scope["headers"]):
        if name == b"x-forwarded-for":
            for hop in reversed(value.decode("latin-1").split(",")):
                near = str(hop.strip()[:64])
                if near not in proxies:
                    return near
    return near


def limit_body(receive: Receive, most: int) -> Callable[[], Awaitable[Message]]:
    """Read the body of a request, and fail once it is too large."""
    seen = 0

    async def read() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLargeError(most)
        return message

    return read


class SiteMiddleware:
    """The outermost application: whatever the pages do, visitors get a response with our headers."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        gate: Gate,
        answer: Answer,
        https: bool,
        address: str,
        most_bytes: int,
        proxies: frozenset[str],
    ) -> None:
        self.app = app
        self.gate = gate
        self.answer = answer
        self.https = https
        self.address = address
        self.most_bytes = most_bytes
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        scope["client"] = (client_address(scope, self.proxies), 0)
        only_head = scope["method"] == "HEAD"
        if only_head:
            # Pages answer GET; of their response to HEAD, only the status and headers are sent.
            scope = {**scope, "method": "GET"}
        request = Request(scope)
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *self.extra_headers(request, message)]
            elif only_head:
                message = {**message, "body": b""}
            await send(message)

        try:
            self.admit(request)
            await self.app(scope, limit_body(receive, self.most_bytes), send_with_headers)
        except HTTPException as error:
            if status:
                raise
            await self.answer(request, error)(scope, receive, send_with_headers)
        except ClientDisconnect:
            # Whoever went away while sending needs no response, and we need no traceback.
            status = status or CLIENT_GONE
        except StoreError as error:
            # The database is unavailable for now: the visitor may send the same again.
            trouble.error("%s %s: %s", request.method, route_pattern(scope), error)
            if status:
                raise
            later = HTTPException(503, headers={"Retry-After": "5"})
            await self.answer(request, later)(scope, receive, send_with_headers)
        except Exception:
            trouble.exception("%s %s failed", request.method, route_pattern(scope))
            if status:
                raise
            await self.answer(request, HTTPException(500))(scope, receive, send_with_headers)
        finally:
            took = (time.perf_counter() - began) * 1000
            access.info("%s %s %d %.1f ms", request.method, route_pattern(scope), status, took)

    def admit(self, request: Request) -> None:
        """Refuse other host names, clients that ask too often, and bodies declared too large."""
        if not is_known_host(request.headers.get("host", ""), self.address):
            raise HTTPException(421)
        session = get_cookie(request, "worker") or get_cookie(request, "requester")
        wait = self.gate.wait(request.client.host if request.client else "unknown", session)
        if wait > 0:
            raise too_many_requests(wait)
        length = request.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise HTTPException(400, "The request's length is not a number.")
        if len(length) > 15 or int(length) > self.most_bytes:
            raise TooLargeError(self.most_bytes)

    def extra_headers(self, request: Request, message: Message) -> list[tuple[bytes, bytes]]:
        """Headers that the page has not set itself."""
        there = {name.lower() for name, _ in message["headers"]}
        carrier = Response()
        carrier.headers.update(HEADERS)
        carrier.headers["Content-Security-Policy"] = content_policy()
        carrier.headers["Cache-Control"] = "no-store"
        if self.https:
            carrier.headers["Strict-Transport-Security"] = "max-age=31536000"
        secret = getattr(request.state, "new_form_secret", None)
        if secret is not None:
            set_cookie(request, carrier, "form", secret, FORM_SECONDS)
        return [
            (name, value)
            for name, value in carrier.raw_headers
            if name == b"set-cookie" or (name not in there and name != b"content-length")
        ]


def too_many_requests(wait: float) -> HTTPException:
    """The response to a client that asks too often."""
    seconds = max(1, round(wait + 0.5))
    return HTTPException(
        429,
        f"That was a little fast. Please try again in {seconds} second{'s' if seconds > 1 else ''}.",
        headers={"Retry-After": str(seconds)},
    )


def route_pattern(scope: Scope) -> str:
    """The pattern of the matched path, or a dash: paths of unknown pages may hold secrets too."""
    return getattr(scope.get("route"), "path", None) or "-"
