"""One browser tab on the causal model page, and how long what is done in it takes to be seen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.workbench.serving import Server

PROBE = Path(__file__).with_name("probe.js")
PATIENCE = 30_000
SEARCH = 300_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """How long one edit took, in milliseconds.

    Attributes
    ----------
    redraw
        From the key or the mouse button until the frame that shows it.
    server
        From the first message sent to the last one of the last run received.
    runs
        How often the script ran.
    """

    redraw: float
    server: float
    runs: int
    frames: int
    bytes: int


class Screen:
    """A tab that measures by its own clock."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._server = server
        self._context = browser.new_context(viewport={"width": 1440, "height": 1000})
        numbers = {field.name: field.number for field in ForwardMsg.DESCRIPTOR.fields}
        known = {
            "script_finished": numbers["script_finished"],
            "fragment": int(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY),
        }
        self._context.add_init_script(PROBE.read_text().replace("FIELDS", str(known), 1))
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE)

    def close(self) -> None:
        self._context.close()

    def open(self, link: str) -> float:
        """Open a workspace; return the milliseconds until every fitted arrow has its number."""
        self.page.goto(f"{self._server.address}/causal-model?w={link}", wait_until="commit")
        self.page.locator(".edge-label").first.wait_for()
        shown = self.page.evaluate("performance.now()")
        self.rest()
        return float(shown)

    def open_evidence(self, link: str) -> float:
        """Open Overview; return the milliseconds until its charts are there (search included)."""
        self.page.goto(f"{self._server.address}/overview?w={link}", wait_until="commit")
        self.page.locator(".js-plotly-plot").nth(2).wait_for(timeout=SEARCH)
        shown = self.page.evaluate("performance.now()")
        self.page.locator(".st-key-cst-settings summary").press("Enter")  # the slider is in there
        self.rest()
        return float(shown)

    def slide(self, k: int) -> Edit:
        """Move the slider by one with an arrow key, until the sentence and all charts show k."""
        thumb = self.page.get_by_role("slider", name="People in each group, k")
        up = int(thumb.input_value()) < k
        thumb.focus()
        self._arm("keydown", "neighbours", {"k": k})
        self.page.keyboard.press("ArrowRight" if up else "ArrowLeft")
        return self._outcome(fragments=True)

    def rest(self) -> None:
        """Wait until no script runs and nothing moves."""
        self.page.wait_for_function("() => cstProbe.quiet()")
        self.page.wait_for_timeout(150)
        self.page.wait_for_function("() => cstProbe.quiet()")

    def select(self, name: str) -> None:
        """Select a node by key, so that its equation is shown."""
        self.node(name).focus()
        self.page.keyboard.press("Space")
        self.rest()

    def set_number(self, label: str, value: float, cause: str, effect: str) -> Edit:
        """Type a coefficient and press Enter, until the arrow and the preview show it."""
        field = self.page.get_by_role("spinbutton", name=label, exact=True)
        field.fill(f"{value:g}")
        about = {
            "cause": cause,
            "effect": effect,
            "label": f"{value:,g}".replace("-", "\N{MINUS SIGN}"),
            "before": self.page.evaluate("cstProbe.preview()"),
        }
        self._arm("keydown", "number", about)
        field.press("Enter")
        return self._outcome()

    def delete_arrow(self, cause: str, effect: str) -> Edit:
        """Delete an arrow by key, until the drawing without it is saved."""
        self._arm("keydown", "saved", {})
        self.arrow(cause, effect).focus()
        self.page.keyboard.press("Delete")
        return self._outcome()

    def draw_arrow(self, cause: str, effect: str) -> Edit:
        """Draw an arrow by mouse, until its fitted coefficient is there."""
        self.node(cause).hover()
        start = self.middle(self.node(cause).locator(".start").first)
        end = self.middle(self.node(effect))
        self._arm("mouseup", "coefficient", {"cause": cause, "effect": effect})
        self._drag(start, end, steps=8)
        return self._outcome()

    def move(self, name: str, by: tuple[float, float], *, steps: int) -> tuple[Edit, list[float]]:
        """Drag a node, until it is saved; return also the times between the frames meanwhile."""
        start = self.middle(self.node(name))
        self._arm("mouseup", "saved", {})
        self.page.evaluate("cstProbe.frames(true)")
        self._drag(start, (start[0] + by[0], start[1] + by[1]), steps=steps)
        gaps = self.page.evaluate("cstProbe.frames(false)")
        return self._outcome(), gaps

    def node(self, label: str) -> Locator:
        name = re.compile(f"^{re.escape(label)}, ")
        return self.page.locator(".react-flow__node").and_(self.page.get_by_label(name))

    def arrow(self, cause: str, effect: str) -> Locator:
        name = re.compile(f"^arrow from {re.escape(cause)} to {re.escape(effect)}(,|$)")
        return self.page.locator(".react-flow__edge").and_(self.page.get_by_label(name))

    def middle(self, what: Locator) -> tuple[float, float]:
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _drag(self, start: tuple[float, float], end: tuple[float, float], *, steps: int) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=steps)
        mouse.up()

    def _arm(self, event: str, wish: str, about: dict[str, Any]) -> None:
        self.page.evaluate(
            "([event, wish, about]) => cstProbe.arm(event, wish, about)", [event, wish, about]
        )

    def _outcome(self, *, fragments: bool = False) -> Edit:
        found = self.page.wait_for_function(
            "(fragments) => cstProbe.outcome(fragments)", arg=fragments, polling=50
        ).json_value()
        self.page.wait_for_timeout(200)
        return Edit(**found)
