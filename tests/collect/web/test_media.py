"""Files: only those of the folder, as what their ending says, in parts where asked."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from paragauge.collect.web.app import create_app
from paragauge.collect.web.http.security import origin
from paragauge.collect.web.worker.media_player import find_youtube_id, view_media


@pytest.fixture
def client(any_store, tmp_path):
    folder = tmp_path / "media"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.webm").write_bytes(bytes(range(100)))
    (folder / "deep" / "b.gif").write_bytes(b"GIF89a")
    (folder / "page.html").write_text("<script>alert(1)</script>")
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    with TestClient(create_app(any_store, media_folder=folder)) as test_client:
        yield test_client


def test_a_clip_comes_in_parts(client) -> None:
    answer = client.get("/media/a.webm", headers={"Range": "bytes=10-19"})
    assert answer.status_code == 206
    assert answer.content == bytes(range(10, 20))
    assert answer.headers["content-type"] == "video/webm"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert client.get("/media/deep/b.gif").headers["content-type"] == "image/gif"


@pytest.mark.parametrize(
    "path",
    [
        "/media/page.html",
        "/media/../secret.png",
        "/media/%2e%2e/secret.png",
        "/media/..%2fsecret.png",
        "/media//etc/passwd.png",
        "/media/link.png",
        "/media/none.webm",
        "/media/deep",
        "/media/a%00.webm",
        "/static/demo/none.webm",
        "/static/demo/..%2fparagauge.css",
        "/static/app.py",
        "/static/..%2fapp.css",
        "/static/%2e%2e%2fapp.js",
    ],
)
def test_nothing_else_is_served(client, path) -> None:
    assert client.get(path).status_code == 404


def test_without_a_folder_there_is_nothing(any_store) -> None:
    with TestClient(create_app(any_store)) as client:
        assert client.get("/media/a.webm").status_code == 404


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://youtu.be/mv89psg6zh4", "mv89psg6zh4"),
        ("https://m.youtube.com/shorts/mv89psg6zh4?x=1", "mv89psg6zh4"),
        ("https://www.youtube.com/embed/a_b-c", "a_b-c"),
        ("https://www.youtube.com/watch?v=a%22onload=x", None),
        ("https://www.youtube.com/about", None),
        ("https://youtube.com.evil.example/watch?v=abc", None),
        ("https://[/", None),
    ],
)
def test_youtube_links(url, expected) -> None:
    assert find_youtube_id(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example:80/x", "http://a.example:80"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://[2001:db8::1]/x", "https://[2001:db8::1]"),
        ("https://a.example;script-src *", None),
        ("https://a.example:99999/", None),
        ("data:text/html,x", None),
        ("//a.example/x", None),
    ],
)
def test_origins_cannot_break_out_of_the_policy(url, expected) -> None:
    assert origin(url) == expected


def test_a_fragment_in_a_link_gives_way_to_the_segment() -> None:
    clip = view_media("video", {"url": "https://a.example/b.mp4#t=0", "start": 1.5, "end": 2})
    assert clip.segment == "https://a.example/b.mp4#t=1.5,2"
    assert clip.length == 0.5
