"""What one person brings is never sent to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Page, WebSocket, expect

if TYPE_CHECKING:
    from app_driver import People


CANARY = "Zaunkoenig7431"


def _listen(page: Page) -> tuple[list[bytes], set[str]]:
    """Keep everything that the server sends to a page: over the socket, and what it asked for."""
    frames: list[bytes] = []
    addresses: set[str] = set()

    def keep(frame: str | bytes) -> None:
        frames.append(frame.encode() if isinstance(frame, str) else frame)

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", keep)

    page.on("websocket", listen)
    page.on("request", lambda request: addresses.add(request.url))
    return frames, addresses


def test_a_second_browser_never_receives_the_first_ones_data(people: People) -> None:
    rows = [f"{CANARY}-{i},{i % 2},{40 + i % 9},{i % 3 % 2}" for i in range(80)]
    first = people.come()
    seen, _ = _listen(first.page)
    first.start()
    first.upload(
        f"{CANARY}.csv", "\n".join([f"who,gender,{CANARY} score,decision", *rows]).encode()
    )
    expect(first.heading("1. The table")).to_be_visible()
    first.button("Take all suggestions").click()
    expect(first.combobox(f"What is {CANARY} score?")).to_have_value("Relevant attribute")
    first.quiet()
    assert any(CANARY.encode() in frame for frame in seen)  # the test can hear it

    second = people.come()
    heard, addresses = _listen(second.page)
    second.start()
    second.open_sample("law school admissions")
    second.go("Data")
    second.go("History and sharing")
    second.go("Open another case")
    token = first.link
    with people.server.store() as store:
        number = store.open(token).id
    for guess in (number, token[:-1] + ("A" if token[-1] != "A" else "B"), "1", "", token.lower()):
        second.page.goto(f"{people.server.address}/data?w={guess}")
        second.says("No workspace is open")
        second.quiet()
    assert len(heard) > 20
    assert not [frame for frame in heard if CANARY.encode() in frame]
    web = [address for address in addresses if address.startswith("http")]
    assert len(web) > 5
    for address in web:  # with the second browser's cookies
        assert CANARY.encode() not in second.page.request.get(address).body(), address
    second.page.goto(f"{people.server.address}/data?w={token}")  # the link is the key
    expect(second.combobox(f"What is {CANARY} score?")).to_be_visible()
