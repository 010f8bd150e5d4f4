"""The guard around every answer: headers, and one cookie for each browser."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import streamlit

from dashboard.server import BROWSER_COOKIE, HEADERS, POLICY, Guard
from dashboard.session.state import BROWSER_COOKIE as READ_COOKIE

HTML = "text/html; charset=utf-8"


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run in a thread of its own: this one may have a browser's loop running."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def answer(
    *, kind: str = HTML, status: int = 200, scheme: str = "http", cookie: str | None = None
) -> tuple[int, list[tuple[str, str]]]:
    """Return the status and headers of an answer that went through the guard."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", kind.encode()), (b"x-frame-options", b"SAMEORIGIN")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"hello"})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [] if cookie is None else [(b"cookie", cookie.encode("latin-1"))]
    scope = {"type": "http", "scheme": scheme, "headers": headers, "path": "/"}
    run(Guard(app)(scope, None, send))  # type: ignore[arg-type]
    assert sent[1] == {"type": "http.response.body", "body": b"hello"}
    found = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
    return sent[0]["status"], found


def cookies(**how: Any) -> list[str]:
    return [value for name, value in answer(**how)[1] if name == "set-cookie"]


@pytest.mark.parametrize("status", [200, 304, 404, 500])
@pytest.mark.parametrize("kind", [HTML, "application/javascript", "application/json"])
def test_every_answer_has_every_header_once(status: int, kind: str) -> None:
    code, headers = answer(kind=kind, status=status)
    assert code == status
    for name, value in HEADERS.items():
        assert [item for key, item in headers if key == name.lower()] == [value]


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    rules = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert rules["default-src"] == "'self'"
    assert rules["object-src"] == rules["frame-ancestors"] == rules["frame-src"] == "'none'"
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"]
    for name, rule in rules.items():
        assert not re.search(r"https?:|\*", rule), name
    assert rules["img-src"] == "'self' data: blob:"


class Scripts(HTMLParser):
    """Collects the scripts that stand in a page itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script" and "src" not in dict(attrs)
        if self._inside:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] += data


def test_the_scripts_in_streamlits_own_page_may_run_and_no_others() -> None:
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    reader = Scripts()
    reader.feed(page.read_text(encoding="utf-8"))
    assert reader.found
    wanted = {
        f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'"
        for body in reader.found
    }
    assert set(re.findall(r"'sha256-[^']+'", POLICY)) == wanted


def test_a_new_browser_gets_an_id_that_no_script_and_no_other_site_can_use() -> None:
    (cookie,) = cookies()
    name, value = cookie.split(";")[0].split("=", 1)
    assert name == BROWSER_COOKIE == READ_COOKIE
    assert len(value) >= 32
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert cookies() != [cookie], "two browsers got one id"


def test_the_cookie_is_for_https_alone_where_there_is_https() -> None:
    (cookie,) = cookies(scheme="https")
    assert "Secure" in cookie.split("; ")


@pytest.mark.parametrize(
    "cookie",
    [
        f"{BROWSER_COOKIE}=abc",
        f"other=1; {BROWSER_COOKIE}=abc; more=2",
        f'odd={{"a":1, "b":[2]}}; {BROWSER_COOKIE}=abc',
        f"na me=\xe9; {BROWSER_COOKIE}=abc",
    ],
)
def test_a_known_browser_keeps_its_id(cookie: str) -> None:
    assert cookies(cookie=cookie) == []


@pytest.mark.parametrize("cookie", ["", "other=1", f"{BROWSER_COOKIE}=", f"x{BROWSER_COOKIE}=abc"])
def test_a_browser_without_an_id_gets_one(cookie: str) -> None:
    assert len(cookies(cookie=cookie)) == 1


def test_only_pages_set_the_cookie() -> None:
    assert cookies(kind="application/javascript") == []


def test_other_connections_are_passed_on_untouched() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.extend((scope, receive, send))

    scope = {"type": "websocket", "headers": [(b"cookie", b"x=1")]}
    given = (dict(scope), object(), object())
    run(Guard(app)(scope, *given[1:]))  # type: ignore[arg-type]
    assert seen[0] is scope
    assert scope == given[0]
    assert tuple(seen[1:]) == given[1:]
