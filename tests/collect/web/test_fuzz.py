"""Whatever is sent to a form or stands in an address, there is an answer, and it is not our mistake."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.collect.tasks import submissions
from paragauge.collect.web.http.forms import Form, clean, parse_number

pytestmark = pytest.mark.hypothesis
NAMES = (
    "text",
    "language",
    "comment",
    "url",
    "start",
    "end",
    "then",
    "key",
    "consent",
    "email",
    "sure",
)
FIELDS = st.sampled_from(
    [
        *NAMES,
        *(f"p{place}-c{n}" for place in range(3) for n in range(2)),
        "p0-rank",
        "q0",
        "q1",
        "",
        "csrf2",
    ]
)
VALUES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "",
            "0",
            "1",
            "-1",
            "3",
            "٣",
            "1e999",
            "NaN",
            "9" * 400,
            "\x00",
            "A dog.\r\n",
            "https://[",
            "yes",
        ]
    ),
    st.integers().map(str),
)
FORMS = st.dictionaries(FIELDS, st.lists(VALUES, min_size=1, max_size=2), max_size=12)


@pytest.fixture
def quick(property_settings) -> settings:
    return property_settings(max_examples=12)


def encode_form(fields: dict[str, list[str]], token: str) -> bytes:
    pairs = [(name, value) for name, values in fields.items() for value in values]
    body = "&".join(
        f"{encode_part(name)}={encode_part(value)}" for name, value in [*pairs, ("csrf", token)]
    )
    return body.encode("ascii")


def encode_part(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("kind", ["describe", "suggest", "paraphrase", "judge", "survey"])
def test_any_answer_is_taken_or_refused(browser, make_campaign, any_store, quick, kind) -> None:
    campaign = make_campaign(kind, count=5 * quick.max_examples)
    me = browser()
    me.join(kind)
    token = me.token()

    @quick
    @given(FORMS)
    def run(fields: dict[str, list[str]]) -> None:
        path = me.start(kind)
        content = encode_form(fields, token)
        headers = {"content-type": "application/x-www-form-urlencoded"}
        page = me.client.post(path, content=content, headers=headers)
        assert page.status_code in (200, 400)
        assert "<html" in page.text

    run()
    for row in submissions.stream(any_store, campaign):
        assert row.text == clean(row.text)


def test_any_form_at_any_address(browser, make_campaign, quick) -> None:
    make_campaign()
    me = browser()
    me.join("describe")
    token = me.token()
    paths = st.sampled_from(
        [
            "/sign-in",
            "/c/describe/join",
            "/c/describe/work",
            "/c/describe/check",
            "/join/x",
            "/task/x",
            "/",
        ]
    )

    @quick
    @given(paths, FORMS, st.sampled_from(["application/x-www-form-urlencoded", "text/plain", "", "ü"]))
    def run(path: str, fields: dict[str, list[str]], kind: str) -> None:
        headers = {"content-type": kind.encode("latin-1")}
        page = me.client.post(path, content=encode_form(fields, token), headers=headers)
        assert page.status_code in (200, 400, 403, 404, 405)

    run()


def test_any_bytes_as_a_form(browser, quick) -> None:
    me = browser()
    kinds = [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
        "multipart/form-data",
    ]

    @quick
    @given(st.binary(max_size=200), st.sampled_from(kinds))
    def run(content: bytes, kind: str) -> None:
        page = me.client.post("/sign-in", content=content, headers={"content-type": kind})
        assert page.status_code in (400, 403)

    run()


def test_any_address(browser, make_campaign, quick) -> None:
    make_campaign()
    me = browser()
    me.join("describe")
    pieces = st.text(st.characters(exclude_characters="/", exclude_categories=["Cs"]), max_size=20)
    places = st.sampled_from(["/", "/c/", "/join/", "/task/", "/static/", "/media/", "/static/demo/"])

    @quick
    @given(places, pieces, pieces)
    def run(place: str, name: str, query: str) -> None:
        path = f"{place}{quote(name, safe='')}?done={quote(query)}&why={quote(query)}"
        page = me.client.get(path)
        assert page.status_code in (200, 403, 404)
        assert me.client.get(f"/c/describe/no-task?why={quote(query)}").status_code == 200

    run()


@given(st.text())
def test_numbers_are_plain_and_small(text: str) -> None:
    number = parse_number(text)
    assert number is None or 0 <= number < 1e12
    whole = Form({"n": [text]}).whole("n")
    assert whole is None or abs(whole) < 10**9
