"""Pages as a parser sees them, and in a real Chromium, which Playwright drives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar

import pytest


class Page(HTMLParser):
    """What a browser sees; fails when tags are not balanced."""

    VOID: ClassVar[set[str]] = {"meta", "input"}

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data


@pytest.fixture(scope="session")
def parsed() -> type[Page]:
    """Parses the text of a page."""
    return Page


@pytest.fixture
def quiet_page(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page; after the test, it asked for nothing and complained about nothing."""
    contexts: list[Any] = []
    asked: list[str] = []
    problems: list[str] = []

    def opening(html: str, **settings: Any) -> Any:
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        context = chromium.new_context(**settings)
        contexts.append(context)

        def route(request: Any) -> None:
            if request.request.url == path.as_uri():
                request.continue_()
            else:
                asked.append(request.request.url)
                request.abort()

        context.route("**/*", route)
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.goto(path.as_uri())
        return page

    yield opening
    for context in contexts:
        context.close()
    assert asked == []
    assert problems == []
