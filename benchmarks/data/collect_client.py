"""Simulated workers for `collect_load.py`: they use the pages like a browser without JavaScript.

A worker joins, asks for a task, reads the form, thinks, and sends it; some skip, some send an empty
form first, some click twice. When the connection is lost they repeat the request until it is
answered, like somebody who reloads the page.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from urllib.parse import urlencode

# Of 100 tasks: skipped, sent empty first, sent by a double click.
SKIPPED, EMPTY, DOUBLED = 5, 3, 5
CSRF = re.compile(r'name="csrf" value="([0-9a-f]+)"')
VERSION = re.compile(r'name="version" value="([0-9a-f]+)"')
ANSWER = re.compile(r'action="/task/([^"/]+)"')


class LostError(Exception):
    """The connection broke before the answer arrived."""


@dataclass
class Record:
    """What all workers saw."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sent: dict[str, str] = field(default_factory=dict)
    acknowledged: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    # Processor time of the server.
    seconds: float = 0.0


@dataclass
class Page:
    """An answer of the server."""

    status: int
    location: str
    body: str

    @property
    def token(self) -> str:
        """The token of the page's forms."""
        match = CSRF.search(self.body)
        if match is None:
            raise ValueError(f"a page without a form: {self.status} {self.body[:300]!r}")
        return match[1]


class Browser:
    """A connection that is kept open, with cookies."""

    def __init__(self, port: int, record: Record, cookies: dict[str, str] | None = None) -> None:
        self.port = port
        self.record = record
        self.cookies = {} if cookies is None else cookies
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, what: str, path: str, form: dict[str, str] | None = None) -> Page:
        """Send until there is an answer; the time of the one that was answered is recorded."""
        while True:
            began = time.perf_counter()
            try:
                page = await self._once(path, form)
            except (OSError, LostError, asyncio.IncompleteReadError):
                self.close()
                self.record.counts["lost connections"] += 1
                await asyncio.sleep(0.2)
                continue
            if page.status == 503:
                self.record.counts["asked to come again"] += 1
                await asyncio.sleep(0.5)
                continue
            self.record.times[what].append(time.perf_counter() - began)
            if page.status >= 500:
                self.record.wrong.append(f"{what}: status {page.status}")
            return page

    async def _once(self, path: str, form: dict[str, str] | None) -> Page:
        # The server closes connections that were idle for a while; browsers open another.
        if self.streams is None or self.streams[0].at_eof():
            self.close()
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        body = b"" if form is None else urlencode(form).encode()
        head = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        if self.cookies:
            head.append("Cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        if form is not None:
            head.append("Content-Type: application/x-www-form-urlencoded")
            head.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        length, location = 0, ""
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "content-length":
                length = int(value)
            elif name.lower() == "location":
                location = value
            elif name.lower() == "set-cookie":
                key, _, secret = value.partition(";")[0].partition("=")
                self.cookies[key] = secret
        text = (await reader.readexactly(length)).decode()
        return Page(int(lines[0].split()[1]), location, text)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


class Worker:
    """One simulated worker."""

    def __init__(self, number: int, port: int, record: Record, think: float, end: float) -> None:
        self.random = random.Random(number)
        self.number = number
        self.record = record
        self.browser = Browser(port, record)
        self.think = think
        self.end = end
        self.tasks = 0

    async def work(self) -> None:
        """Work until the time is over."""
        # Workers do not start at the same instant.
        await asyncio.sleep(self.random.uniform(0, min(5.0, self.think)))
        page = await self.browser.ask("campaign", "/c/load")
        version = VERSION.search(page.body)
        agreed = {"consent": "yes", "version": version[1] if version else ""}
        page = await self.browser.ask("join", "/c/load/join", {"csrf": page.token, **agreed})
        page = await self._ask_for_task()
        while time.monotonic() < self.end:
            if not page.location.startswith("/task/"):
                self.record.counts["no task left"] += 1
                await self._pause()
                page = await self._ask_for_task()
                continue
            page = await self._task(page.location)
        self.browser.close()

    async def _ask_for_task(self) -> Page:
        page = await self.browser.ask("campaign", "/c/load")
        return await self.browser.ask("ask for a task", "/c/load/work", {"csrf": page.token})

    async def _task(self, location: str) -> Page:
        """Read a task and answer it; the answer says where the next one is."""
        page = await self.browser.ask("page of a task", location)
        match = ANSWER.search(page.body)
        if match is None:
            self.record.wrong.append(f"page of a task: {page.status} without a form")
            return await self._ask_for_task()
        task, token = match[1], page.token
        await self._pause()
        chance = self.random.randrange(100)
        if chance < SKIPPED:
            self.record.counts["skipped"] += 1
            return await self.browser.ask("skip", f"/task/{task}/skip", {"csrf": token})
        form = {"csrf": token, "text": "", "language": "English", "comment": ""}
        if chance < SKIPPED + EMPTY:
            page = await self.browser.ask("send an answer", f"/task/{task}", form)
            if page.status != 400:
                self.record.wrong.append(f"an empty answer: status {page.status}")
            self.record.counts["sent empty first"] += 1
        self.tasks += 1
        form["text"] = f"Worker {self.number} describes clip {self.tasks} by task {task}."
        self.record.sent[task] = form["text"]
        if chance >= 100 - DOUBLED:
            self.record.counts["double clicks"] += 1
            twin = Browser(self.browser.port, self.record, self.browser.cookies)
            page, second = await asyncio.gather(
                self.browser.ask("send an answer", f"/task/{task}", form),
                twin.ask("send an answer", f"/task/{task}", form),
            )
            twin.close()
            self._acknowledge(second, task, form["text"])
        else:
            page = await self.browser.ask("send an answer", f"/task/{task}", form)
        self._acknowledge(page, task, form["text"])
        return page

    def _acknowledge(self, page: Page, task: str, text: str) -> None:
        """A redirect with `done=` is the receipt."""
        if page.status == 303 and f"done={task}" in page.location:
            self.record.acknowledged[task] = text
        else:
            self.record.wrong.append(f"an answer: status {page.status} to {page.location!r}")

    async def _pause(self) -> None:
        await asyncio.sleep(self.random.expovariate(1 / self.think) if self.think else 0)
