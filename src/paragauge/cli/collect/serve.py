"""`paragauge collect serve`: run the web application."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
from pathlib import Path
from typing import Any

import click

from paragauge.cli.collect.collect_options import COLLECTION, open_store, store_argument
from paragauge.cli.command import Command, option
from paragauge.errors import InputError, MissingExtraError, SettingError
from paragauge.text.files import os_error


@click.command(
    cls=Command,
    examples=(
        "paragauge collect serve demo.db",
        "paragauge collect serve birds.db --media clips/ --port 8000",
        "paragauge collect serve birds.db --host 0.0.0.0 --https --proxy 10.0.0.2",
    ),
)
@store_argument
@option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    heading=COLLECTION,
    help="The address to listen at; only this computer reaches the default.",
)
@option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    metavar="N",
    heading=COLLECTION,
    help="The port; 0 for any that is free.",
)
@option(
    "--media",
    metavar="FOLDER",
    heading=COLLECTION,
    help="Clips and pictures of items, served under /media/.",
)
@option(
    "--https",
    is_flag=True,
    heading=COLLECTION,
    help="Visitors come over https, which a proxy in front ends.",
)
@option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    heading=COLLECTION,
    help="A proxy whose word on visitors' addresses is believed. May be repeated.",
)
@option(
    "--mturk",
    is_flag=True,
    heading=COLLECTION,
    help="Let Mechanical Turk show its tasks' pages in a frame.",
)
def serve(**given: Any) -> None:
    """Serve a store: workers' pages, the requester's desk and the JSON API.

    Prints the address. Ctrl-C ends it; whatever was acknowledged is on disk.
    """
    try:
        import uvicorn

        from paragauge.collect.web.app import create_app
    except MissingExtraError:
        raise
    except ImportError:
        raise MissingExtraError("FastAPI or uvicorn, which serve a collection,", "web") from None
    media = given["media"]
    if media is not None and not Path(media).is_dir():
        raise InputError(f"--media {media}: expected a folder; check the path")
    for proxy in given["proxies"]:
        _check_address(proxy)
    with open_store(given["store"]) as store, _listening(given["host"], given["port"]) as sock:
        app = create_app(
            store,
            https=given["https"],
            proxies=given["proxies"],
            media_folder=None if media is None else Path(media),
            mturk=given["mturk"],
        )
        sys.stdout.write(f"{_address(sock)}  (requesters: {_address(sock)}/desk; Ctrl-C ends)\n")
        sys.stdout.flush()
        if not _local(given["host"]) and not given["https"]:
            sys.stderr.write(
                "paragauge: warning: others can reach this address without https; put a proxy with "
                "https in front and give --https\n"
            )
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, proxy_headers=False
        )
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[sock])


@contextlib.contextmanager
def _listening(host: str, port: int) -> Any:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        sock = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = error if isinstance(error, OSError) else OSError(None, "no such address")
        told = str(os_error(f"{host}:{port}", reason))
        raise InputError(f"{told}; choose another with --host and --port") from None
    with sock:
        yield sock


def _address(sock: socket.socket) -> str:
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_address(proxy: str) -> None:
    try:
        ipaddress.ip_address(proxy)
    except ValueError:
        raise SettingError(f"--proxy {proxy}: expected an address such as 10.0.0.2") from None
