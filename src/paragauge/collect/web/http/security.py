"""Security: response headers, cookies, and tokens against forged forms.

Content-security policy: nothing but this server's own script, style sheet and pictures; no inline
script or style; no framing; forms are sent here only. A page that shows media of another origin adds
that one origin, for that one response (`allow`). External questions of Mechanical Turk, where enabled,
may be framed by its sites, and their last form is sent there.

Forms: the cookie `form` holds a random value no other site can read; every form carries a digest of
it, and each request that changes something is refused unless the two agree. Such a request is also
refused when the browser says it comes from elsewhere (`Sec-Fetch-Site`, `Origin`). The value changes
when somebody signs in or out. Under https the cookies are `Secure` and their names start with
`__Host-`, so that a sibling domain cannot set them.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.store.store import Store

FORM_FIELD = "csrf"
MTURK_FRAMES = (
    "https://www.mturk.com",
    "https://worker.mturk.com",
    "https://workersandbox.mturk.com",
)
POLICY = {
    "default-src": ("'none'",),
    "script-src": ("'self'",),
    "style-src": ("'self'",),
    "img-src": ("'self'",),
    "media-src": ("'self'",),
    "frame-src": (),
    "form-action": ("'self'",),
    "base-uri": ("'none'",),
    "frame-ancestors": ("'none'",),
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def content_policy(extra: Mapping[str, tuple[str, ...]] | None = None) -> str:
    """The content-security policy, with the sources that one page adds.

    >>> "script-src 'self';" in content_policy() and "frame-src 'none'" in content_policy()
    True
    >>> policy = content_policy({"media-src": ("https://a.example",)})
    >>> [part for part in policy.split("; ") if "media" in part]
    ["media-src 'self' https://a.example"]
    """
    extra = extra or {}
    parts = []
    for name, usual in POLICY.items():
        added = extra.get(name, ())
        sources = [*(() if usual == ("'none'",) and added else usual), *added] or ["'none'"]
        parts.append(f"{name} {' '.join(dict.fromkeys(sources))}")
    return "; ".join(parts)


def origin(url: str) -> str | None:
    """Scheme, host and port of an http or https link as a policy writes them; None for any other.

    >>> origin("https://media.example:8443/a/b.webm?x=1")
    'https://media.example:8443'
    >>> origin("javascript:alert(1)"), origin("/media/a.webm"), origin("https://a b;c/")
    (None, None, None)
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    try:
        name = f"[{host}]" if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    if not all(letter.isalnum() or letter in "-._[]:" for letter in name):
        return None
    return f"{parts.scheme}://{name}" + (f":{port}" if port else "")


def allow_sources(response: Response, directive: str, *sources: str) -> None:
    """Let this one page use these sources too (`media-src`, `img-src`, `frame-src` …)."""
    held: dict[str, tuple[str, ...]] = getattr(response, "allowed", {})
    held = {**held, directive: (*held.get(directive, ()), *sources)}
    response.allowed = held  # type: ignore[attr-defined]
    response.headers["Content-Security-Policy"] = content_policy(held)


def frame_in_mturk(response: Response) -> None:
    """Let Mechanical Turk show this page in a frame, and send its last form there."""
    allow_sources(response, "frame-ancestors", *MTURK_FRAMES)
    allow_sources(response, "form-action", *MTURK_FRAMES)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"


def cookie_name(name: str, https: bool) -> str:
    """The full name of a cookie.

    >>> cookie_name("worker", https=True), cookie_name("worker", https=False)
    ('__Host-paragauge-worker', 'paragauge-worker')
    """
    return f"{'__Host-' if https else ''}paragauge-{name}"


def set_cookie(
    request: Request, response: Response, name: str, value: str, seconds: int | None = None
) -> None:
    """A cookie no script can read and no other site sends."""
    https: bool = request.app.state.https
    response.set_cookie(
        cookie_name(name, https),
        value,
        max_age=seconds,
        path="/",
        secure=https,
        httponly=True,
        samesite="lax",
    )


def drop_cookie(request: Request, response: Response, name: str) -> None:
    """Forget a cookie."""
    https: bool = request.app.state.https
    response.delete_cookie(
        cookie_name(name, https), path="/", secure=https, httponly=True, samesite="lax"
    )


def get_cookie(request: Request, name: str) -> str | None:
    """The value of a cookie of ours, if it has the shape of one of our tokens."""
    value = request.cookies.get(cookie_name(name, request.app.state.https))
    return value if value and len(value) <= 200 and value.isascii() and value.isprintable() else None


def form_token(request: Request) -> str:
    """The token for the forms of this page; makes the secret it depends on if the browser has none."""
    secret = getattr(request.state, "form_secret", None) or get_cookie(request, "form")
    if secret is None:
        secret = _new_secret(request)
        request.state.new_form_secret = secret
    request.state.form_secret = secret
    return digest(secret)


def new_form_secret(request: Request) -> None:
    """After signing in or out: forms shown before are no longer valid."""
    request.state.form_secret = request.state.new_form_secret = _new_secret(request)


def _new_secret(request: Request) -> str:
    store: Store = request.app.state.store
    return store.randomness.token(32)


def digest(secret: str) -> str:
    """The digest of a secret for forms; it cannot be reversed."""
    return hashlib.sha256(b"paragauge form " + secret.encode("utf-8", "surrogateescape")).hexdigest()


def is_genuine(request: Request, token: str) -> bool:
    """Whether we showed this form to this browser."""
    secret = get_cookie(request, "form")
    return (
        not is_cross_site(request)
        and secret is not None
        and hmac.compare_digest(digest(secret).encode(), token.encode("utf-8", "replace"))
    )


def is_cross_site(request: Request) -> bool:
    """Whether the browser says that another site sent this request."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    sender = request.headers.get("origin")
    if sender is None:
        return False
    address: str = request.app.state.address
    try:
        host = urlsplit(sender).netloc.lower()
    except ValueError:
        return True
    return host != request.headers.get("host", "").lower() and sender.lower() != (address or None)
