"""The address of the site as visitors know it, and the host names that requests may be for.

A request names its host itself, so a link made from it leads wherever the sender wants, and another
site's name can be pointed to this server. Where the address is set, links are made from it, and other
names are refused; numeric addresses and `localhost`, which nobody else can own, are not.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request

from paragauge.collect.web.http.security import origin
from paragauge.errors import SettingError


def check_address(address: str) -> str:
    """The address without a slash at its end; empty if it is not set.

    >>> check_address("https://Clips.example.org/"), check_address("")
    ('https://clips.example.org', '')
    >>> check_address("clips.example.org/a")
    Traceback (most recent call last):
    paragauge.errors.SettingError: expected an address such as https://clips.example.org, without a
    path, found 'clips.example.org/a'
    """
    plain = address.strip().rstrip("/").lower()
    if plain and origin(plain) != plain:
        raise SettingError(
            f"expected an address such as https://clips.example.org, without a path, found {address!r}"
        )
    return plain


def site_address(request: Request) -> str:
    """The start of links to this site, without a slash at its end."""
    address: str = request.app.state.address
    if address:
        return address
    # A proxy that terminates https talks http to us: the setting has the scheme that visitors use.
    base = request.base_url.replace(scheme="https") if request.app.state.https else request.base_url
    return str(base).rstrip("/")


def is_known_host(host: str, address: str) -> bool:
    """Whether a request may be for this host.

    >>> site = "https://clips.example.org"
    >>> [is_known_host(host, site) for host in ("Clips.example.org:443", "10.0.0.1:8000", "[::1]:8000")]
    [True, True, True]
    >>> is_known_host("evil.example", site), is_known_host("", site), is_known_host("evil.example", "")
    (False, False, True)
    """
    if not address:
        return True
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in ("localhost", urlsplit(address).hostname):
        return True
    try:
        return bool(ip_address(name))
    except ValueError:
        return False
