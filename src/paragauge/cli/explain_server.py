"""The local server of `paragauge explain --browser`, on the standard library's `http.server`.

It listens on the loopback address alone and answers two requests: the page, and a card of one metric.
A request for a card must come from the page: it carries the token that the page has (no address ever
does), the cookie that came with the page, and the server's own name as Host and Origin, so that neither
another site nor a renamed host can make a browser ask. What is asked is limited in size, and nothing is
written to a log or a file.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from paragauge.cli.options.script_note import is_foreign
from paragauge.errors import InputError, MissingExtraError, ParagaugeError, ShapeError
from paragauge.metrics import explanations
from paragauge.metrics.base import Metric
from paragauge.metrics.explanations import AnyExplanation, joint_inputs
from paragauge.report.pages.why_page import LONGEST, why_card, why_page

COOKIE = "paragauge"
MOST_BYTES = 64_000
MOST_REFERENCES = 8
SECONDS = 30  # that a browser may take to send a request
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class ExplainServer(ThreadingHTTPServer):
    """Serves the page for some metrics, by label; `texts` fills its boxes.

    >>> from paragauge import BLEU
    >>> with ExplainServer({"bleu": BLEU()}) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    daemon_threads = True
    # Another program must not take the port over.
    allow_reuse_address = False

    def __init__(
        self, metrics: Mapping[str, Metric], texts: Mapping[str, str] | None = None, port: int = 0
    ) -> None:
        self.metrics = dict(metrics)
        self.texts = dict(texts or {})
        self.token, self.cookie = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.one_at_a_time = threading.Lock()
        try:
            super().__init__(("127.0.0.1", port), ExplainHandler)
        except (OSError, OverflowError) as error:
            raise InputError(
                f"--port {port}: cannot listen there ({error}); choose another one"
            ) from None

    @property
    def names(self) -> frozenset[str]:
        """What a browser may call this server."""
        return frozenset(f"{host}:{self.server_port}" for host in ("127.0.0.1", "localhost"))

    @property
    def url(self) -> str:
        """The address of the page; it has no secret."""
        return f"http://127.0.0.1:{self.server_port}/"

    def page(self) -> str:
        """The page with a card for each metric."""
        cards = [
            (label, " ".join(sorted(metric.needs)), metric.higher_is_better)
            for label, metric in self.metrics.items()
        ]
        return why_page(cards, self.texts, self.token)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error."""

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The card that a request asks for, or why there is none."""
        label, texts = read_request(request, self.metrics)
        metric = self.metrics[label]
        prefix = f"card-{list(self.metrics).index(label)}"
        try:
            with self.one_at_a_time:
                note = _script_note(metric, texts)
                return {"html": why_card(_explain_all(metric, texts), prefix, note)}
        except MissingExtraError as error:
            return {"unavailable": str(error)}
        except ParagaugeError as error:
            return {"error": str(error)}


class ExplainHandler(BaseHTTPRequestHandler):
    """Answers a browser."""

    server: ExplainServer
    server_version: str = "paragauge"
    sys_version: str = ""
    timeout = SECONDS

    def do_GET(self) -> None:
        """The page, with its cookie."""
        if self.headers.get("Host") not in self.server.names:
            self._send(421, {"error": "unknown host"})
        elif self.path != "/":
            self._send(404, {"error": "no such page"})
        else:
            cookie = f"{COOKIE}={self.server.cookie}; Path=/; HttpOnly; SameSite=Strict"
            self._send(200, self.server.page(), {"Set-Cookie": cookie})

    def do_POST(self) -> None:
        """A card."""
        refusal = self._refusal()
        if refusal is not None:
            self.close_connection = True
            self._send(*refusal)
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            self._send(200, self.server.answer(json.loads(body)))
        except (ValueError, ParagaugeError) as error:
            self._send(400, {"error": str(error)})

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # as http.server has it
        """Nothing is logged: requests hold what somebody types."""

    def _refusal(self) -> tuple[int, dict[str, str]] | None:
        """Why a request for a card is refused, if it is."""
        server, headers = self.server, self.headers
        if headers.get("Host") not in server.names:
            return 421, {"error": "unknown host"}
        if self.path != "/explain":
            return 404, {"error": "no such page"}
        origins = {f"http://{name}" for name in server.names}
        if headers.get("Origin") not in origins:
            return 403, {"error": "the request comes from another site"}
        token = headers.get("X-Paragauge-Token", "")
        if not _same(token, server.token) or not _same(self._cookie(), server.cookie):
            return 403, {"error": "the page is of an earlier server; reload it"}
        if headers.get_content_type() != "application/json":
            return 415, {"error": "expected JSON"}
        length = headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return 411, {"error": "expected a length"}
        if int(length) > MOST_BYTES:
            return 413, {"error": f"expected at most {MOST_BYTES:,} bytes"}
        return None

    def _cookie(self) -> str:
        try:
            morsel = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return ""
        return "" if morsel is None else morsel.value

    def _send(
        self, status: int, content: str | dict[str, Any], headers: Mapping[str, str] | None = None
    ) -> None:
        is_page = isinstance(content, str)
        text = content if isinstance(content, str) else json.dumps(content)
        body = text.encode("utf-8")
        self.send_response(status)
        kind = "text/html" if is_page else "application/json"
        own = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))}
        for name, value in {**own, **HEADERS, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def read_request(
    request: Mapping[str, Any], known: Mapping[str, Metric]
) -> tuple[str, dict[str, list[str]]]:
    """The metric's label and the texts of a request: candidate, sources and references.

    >>> from paragauge import BLEU
    >>> read_request({"metric": "bleu", "candidate": "a", "references": ["b"]}, {"bleu": BLEU()})
    ('bleu', {'candidate': ['a'], 'sources': [], 'references': ['b']})
    """
    if not isinstance(request, Mapping):
        raise ShapeError("expected an object")
    label, references = request.get("metric"), request.get("references", [])
    if not isinstance(label, str) or label not in known:
        raise InputError("expected one of the page's metrics")
    if not isinstance(references, list) or len(references) > MOST_REFERENCES:
        raise InputError(f"expected at most {MOST_REFERENCES} references, one on a line")
    texts = {
        "candidate": [request.get("candidate", "")],
        "sources": [source] if (source := request.get("source", "")) else [],
        "references": references,
    }
    for name, lines in texts.items():
        if not all(isinstance(line, str) and len(line) <= LONGEST for line in lines):
            raise InputError(f"{name}: expected text of at most {LONGEST:,} characters")
    return label, texts


def _script_note(metric: Metric, texts: Mapping[str, Sequence[str]]) -> str:
    """That a metric made for English reads another script, as commands note on standard error."""
    read = [
        text
        for name, lines in texts.items()
        if name == "candidate" or name in metric.needs
        for text in lines
    ]
    if not metric.reads_english or not any(map(is_foreign, read)):
        return ""
    return "This metric is made for English, and not all of these texts are in Latin script."


def _explain_all(
    metric: Metric, texts: Mapping[str, Sequence[str]]
) -> list[tuple[str, AnyExplanation]]:
    """The explanations of a metric by title: one, or one for each reference that counts alone."""
    metric.require([name for name in ("sources", "references") if texts[name]])
    sources, references = (
        list(texts[name]) if name in metric.needs else [] for name in ("sources", "references")
    )
    together = "references" in joint_inputs(metric) or len(references) < 2
    groups = [references] if together else [[reference] for reference in references]
    return [
        (
            "" if together else f"reference {number} of {len(groups)}",
            explanations.explain(
                texts["candidate"][0], metric, source=sources or None, reference=group or None
            ),
        )
        for number, group in enumerate(groups, 1)
    ]


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode("utf-8"))
