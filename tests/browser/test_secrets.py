"""What one person brings is never sent to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Page, Request, WebSocket, expect

if TYPE_CHECKING:
    from app_driver import People

pytestmark = pytest.mark.browser

CANARY = "Zaunkoenig7431"


def _listen(page: Page) -> tuple[list[bytes], list[Request]]:
    """Keep everything that the server sends to a page: over the socket, and as answers."""
    frames: list[bytes] = []
    requests: list[Request] = []

    def keep(frame: str | bytes) -> None:
        frames.append(frame.encode() if isinstance(frame, str) else frame)

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", keep)

    page.on("websocket", listen)
    page.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108
    return frames, requests


def test_a_second_browser_never_receives_the_first_ones_data(people: People) -> None:
    rows = [f"{CANARY}-{i},{i % 2},{40 + i % 9},{i % 3 % 2}" for i in range(80)]
    first = people.come()
    seen, _ = _listen(first.page)
    first.start()
    first.upload(
        f"{CANARY}.csv", "\n".join([f"who,gender,{CANARY} score,decision", *rows]).encode()
    )
    expect(first.page.get_by_role("heading", name="1. The table")).to_be_visible()
    first.button("Take all suggestions").click()
    expect(first.combobox(f"What is {CANARY} score?")).to_have_value("Relevant attribute")
    first.quiet()
    assert any(CANARY.encode() in frame for frame in seen)  # the test can hear it

    second = people.come()
    heard, requests = _listen(second.page)
    second.start()
    second.button("Open law school admissions").click()
    second.drawn()
    second.go("Data")
    second.go("History and sharing")
    second.go("Start")
    token = first.link
    with people.server.store() as store:
        number = store.open(token).id
    for guess in (number, token[:-1] + ("A" if token[-1] != "A" else "B"), "1", "", token.lower()):
        second.page.goto(f"{people.server.address}/data?w={guess}")
        second.says("No workspace is open")
        second.quiet()
    assert len(heard) > 20
    assert not [frame for frame in heard if CANARY.encode() in frame]
    for request in requests:
        response = request.response()
        if response is not None and response.status == 200:
            assert CANARY.encode() not in response.body(), request.url
    second.page.goto(f"{people.server.address}/data?w={token}")  # the link is the key
    expect(second.combobox(f"What is {CANARY} score?")).to_be_visible()
