"""Power cuts in the middle of a burst of edits: what was acknowledged is there."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import People
from playwright.sync_api import WebSocket, expect

if TYPE_CHECKING:
    from app_driver import Server


ROUNDS = int(os.environ.get("CST_POWER_CUTS", "5"))  # `make power-cuts` asks for forty
EDITS = 200
GENDER = "Gender"
ACKNOWLEDGED = re.compile(rb'"acknowledged": \{"client": "([0-9a-f]+)", "seq": (\d+)\}')
RENAMED = re.compile(rb'\{"op":"rename_node","node":"Gender","name":"([^"]+)","seq":(\d+)\}')
# Renames the protected attribute 200 times, as fast as the drawing takes it.
BURST = """async ([prefix, edits]) => {
  const root = document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot;
  const tick = () => new Promise((done) => setTimeout(done, 2));
  for (let i = 1; i <= edits; i++) {
    let field = null;
    while (field === null) {
      const node = root.querySelector('.react-flow__node:has(.node.protected)');
      if (node === null) return;  // the page was drawn anew after the power cut
      node.dispatchEvent(new KeyboardEvent('keydown', {key: 'F2', bubbles: true}));
      await tick();
      field = root.querySelector('.name-input');
    }
    field.value = prefix + i;
    field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
    while (root.querySelector('.name-input') !== null) await tick();
  }
}"""


class Wire:
    """What the browser sent and what it was told, read from the wire."""

    def __init__(self) -> None:
        self.sent: dict[int, str] = {}
        self.last = 0

    def listen(self, socket: WebSocket) -> None:
        self.socket = socket
        socket.on("framesent", self._send)
        socket.on("framereceived", self._receive)

    def reach(self, seq: int) -> None:
        """Wait until an operation is acknowledged."""
        if self.last < seq:
            self.socket.wait_for_event("framereceived", lambda _: self.last >= seq)

    def end(self) -> None:
        """Wait until the wire is cut and all that came before has been read."""
        if not self.socket.is_closed():
            self.socket.wait_for_event("close")

    def _send(self, frame: str | bytes) -> None:
        for name, seq in RENAMED.findall(frame.encode() if isinstance(frame, str) else frame):
            self.sent[int(seq)] = name.decode()

    def _receive(self, frame: str | bytes) -> None:
        for _, seq in ACKNOWLEDGED.findall(frame.encode() if isinstance(frame, str) else frame):
            self.last = max(self.last, int(seq))


def test_every_acknowledged_edit_survives_power_cuts(browser: Any, own_dashboard: Server) -> None:
    people = People(browser, own_dashboard)
    people.watch.server_dies = True
    link = own_dashboard.workspace()
    person = people.come()
    label, told = GENDER, []
    for number in range(ROUNDS):
        wire = Wire()
        person.page.on("websocket", wire.listen)
        person.follow(link)
        expect(person.node(label)).to_be_visible()  # the round before is on the screen
        person.select(person.node(label))
        start = f"([prefix, edits]) => {{ window.burst = ({BURST})([prefix, edits]); }}"
        prefix = f"cut{number}-"
        person.page.evaluate(start, [prefix, EDITS])
        enough = 7 * number % 30 + 1  # a different moment each time, up to the thirtieth
        wire.reach(enough)
        person.page.remove_listener("websocket", wire.listen)
        own_dashboard.kill()
        wire.end()
        told.append(wire.last)
        person.page.goto("about:blank")  # what the dead page goes on doing is not asked here

        kept, label = _kept(own_dashboard, link)
        acknowledged = [wire.sent[seq] for seq in range(1, wire.last + 1)]
        assert acknowledged == [f"{prefix}{i}" for i in range(1, wire.last + 1)]
        assert [name for name in acknowledged if name not in kept] == []
        assert label.startswith(prefix)
        assert int(label.removeprefix(prefix)) >= wire.last
        own_dashboard.start()
    assert min(told) > 0
    within = [last for last in told if last < EDITS]
    assert len(within) > ROUNDS / 2  # most cuts came in the middle, however slow this machine is
    assert len({*within}) > 0.3 * ROUNDS  # and at different moments
    person.follow(link)
    expect(person.node(label)).to_be_visible()
    people.leave()
    people.watch.check()


def _kept(server: Server, link: str) -> tuple[set[str], str]:
    """Return every name that the store has a revision for, and the present one."""
    with server.store() as store:
        found = store.activity(store.open(link).id, limit=ROUNDS * EDITS)
    names = {event.summary.rpartition(" ")[2].strip("\"'“”.") for event in found}
    node = server.draft(link).world.node(GENDER)
    assert node is not None
    return names, node.label or GENDER
