"""`paragauge collect serve`: run the web application."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    media_folder,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, option
from paragauge.cli.options.option_kinds import count_option
from paragauge.errors import InputError, MissingExtraError, SettingError
from paragauge.text.files import os_error
from paragauge.text.wording import pluralize

if TYPE_CHECKING:
    from paragauge.collect.store.store import Store


@click.command(
    cls=Command,
    examples=(
        "paragauge collect serve demo.db",
        "paragauge collect serve birds.db --create",
        "paragauge collect serve birds.db --media clips/ --port 8000",
        "paragauge collect serve birds.db --proxy 127.0.0.1 --address https://birds.example.org",
    ),
)
@store_argument
@option(
    "--create",
    is_flag=True,
    heading=COLLECTION,
    help="Create the store if there is none.",
)
@option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    heading=COLLECTION,
    help="The address to listen on; the default is reachable from this computer only.",
)
@count_option(
    "--port",
    least=0,
    most=65_535,
    default=8000,
    heading=COLLECTION,
    help="The port; 0 for any free one.",
)
@option(
    "--media",
    metavar="FOLDER",
    heading=COLLECTION,
    help="A folder with clips and pictures of items, served under /media/.",
)
@option(
    "--address",
    metavar="URL",
    heading=COLLECTION,
    help="The address that visitors open, such as https://birds.example.org: invitation links start "
    "with it, and requests for other host names are refused.",
)
@option(
    "--https",
    is_flag=True,
    heading=COLLECTION,
    help="Visitors use https, which a proxy in front of the server handles; an --address with https "
    "implies it.",
)
@option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    heading=COLLECTION,
    help="A proxy to trust for the addresses of visitors. May be repeated.",
)
@option(
    "--mturk",
    is_flag=True,
    heading=COLLECTION,
    help="Let Mechanical Turk show the task pages in a frame.",
)
def serve(
    location: str,
    create: bool,
    host: str,
    port: int,
    media: str | None,
    address: str | None,
    https: bool,
    proxies: tuple[str, ...],
    mturk: bool,
) -> None:
    """Serve a store: the pages for workers, the requesters' desk and the JSON API.

    Prints the address, and a link to make the first account while there is none. Ctrl-C stops the
    server; every answer it has confirmed is on disk.
    """
    try:
        from paragauge.collect.campaigns.media_check import find_missing_media
        from paragauge.collect.people.accounts import has_accounts
        from paragauge.collect.web.app import create_app
        from paragauge.collect.web.http.connections import run_server
    except MissingExtraError:
        raise
    except ImportError:
        raise MissingExtraError("FastAPI or uvicorn, which serve a collection,", "web") from None
    folder = media_folder(media)
    for proxy in proxies:
        _check_address(proxy)
    if https and (address or "").startswith("http://"):
        raise SettingError(f"--address {address}: expected https://..., since --https is given")
    # The address first: if it cannot be listened on, no store is created.
    with _listen(host, port) as sock, _open(location, create=create) as store:
        shown = address or (_url(sock) if _is_local(host) and not https else "")
        first_code = "" if has_accounts(store) else store.randomness.token(24)
        app = create_app(
            store,
            https=https,
            address=shown,
            first_code=first_code,
            proxies=proxies,
            media_folder=folder,
            mturk=mturk,
        )
        sys.stdout.write(f"{_url(sock)}  (requesters: {_url(sock)}/desk; Ctrl-C ends)\n")
        if first_code:
            site = (shown or _url(sock)).rstrip("/")
            sys.stdout.write(f"no account yet; make the first one: {site}/desk/first/{first_code}\n")
        sys.stdout.flush()
        missing = list(find_missing_media(store, folder))
        if missing:
            campaign, key, problem = missing[0]
            sys.stderr.write(
                f"paragauge: warning: {pluralize(len(missing), 'item')} without a clip or picture; the "
                f"first is {key} of {campaign}: {problem}\n"
            )
        if https and address is None:
            sys.stderr.write(
                "paragauge: warning: without --address, invitation links follow the host name that a "
                "request gives; give the address that visitors open\n"
            )
        if not _is_local(host) and not app.state.https:
            sys.stderr.write(
                "paragauge: warning: other computers can reach this address without https; put a proxy "
                "with https in front of it and give --https\n"
            )
        with contextlib.suppress(KeyboardInterrupt):
            run_server(app, [sock])


def _open(location: str, *, create: bool) -> Store:
    if create:
        from paragauge.collect.campaigns.start_campaigns import start_all

        start_all(location, [], actor())
    return open_store(location)


@contextlib.contextmanager
def _listen(host: str, port: int) -> Iterator[socket.socket]:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        sock = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = error if isinstance(error, OSError) else OSError(None, "no such address")
        message = str(os_error(f"{host}:{port}", reason))
        raise InputError(f"{message}; choose another with --host and --port") from None
    with sock:
        yield sock


def _url(sock: socket.socket) -> str:
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_address(proxy: str) -> None:
    try:
        ipaddress.ip_address(proxy)
    except ValueError:
        raise SettingError(f"--proxy {proxy}: expected an address such as 10.0.0.2") from None
