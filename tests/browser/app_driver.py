"""The workbench as its users see it: a server, people with browsers, and what is on their screens.

A `Server` is the real dashboard in a process of its own. A `Person` is one browser with nothing in
it; what goes wrong in it (a script's error, a request that leaves the machine, a dialog) is kept by
the `Watch`, and each test ends by asking that nothing did.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import (
    Browser,
    Dialog,
    Error,
    FilePayload,
    Locator,
    Page,
    TimeoutError,
    ViewportSize,
    expect,
)

from dashboard.draft.document import Draft
from dashboard.draft.files import sample_draft
from dashboard.pages import _ENTRIES
from dashboard.store import Store, open_store

PATIENCE = 45_000
SIZE: ViewportSize = {"width": 1280, "height": 1000}
LOCAL = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")
# On a page's own address Streamlit asks there first, and then where the app begins.
FOUND_OUT = re.compile(r"http://[^/]+/[a-z-]+/_stcore/(health|host-config)")
GONE = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "WebSocket",
    "disconnected",
    "No response received",
    "not responding",
)
# Plotly says this of a chart that is drawn anew while its place has no height yet.
NO_HEIGHT = 'attribute y: Expected length, "-Infinity"'
STILL = """() => document.getAnimations().every((one) =>
  one.playState !== "running" || one.effect.getComputedTiming().iterations === Infinity)"""
# An element that an earlier run left stands in such a container until the present run has ended.
FRESH = "xpath=self::*[not(ancestor::*[@data-stale='true'])]"
FOLDS = 8
"""More than any page has folded up."""
PARTS = {
    title: (page, path, len(parts) == 1)
    for page, (_, parts) in _ENTRIES.items()
    for path, (_, title) in parts.items()
}
"""By the title of a part: its page, its path, and whether it is all of its page."""
expect.set_options(timeout=PATIENCE)


def fresh(found: Locator) -> Locator:
    """Return only what the present run shows: its old copy can stand beside it for a moment.

    While a script is asked for, all is old; so ask for absence only when the page is quiet.
    """
    return found.locator(FRESH)


class Server:
    """The dashboard in a process of its own, over a store in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store_url = f"sqlite:///{folder / 'workspaces.sqlite3'}"
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"

    def start(self) -> None:
        command = [sys.executable, "-m", "dashboard", "--no-browser"]
        command += ["--port", self.address.rpartition(":")[2]]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "CST_STORE": self.store_url, "CST_CHANCE_REPEATS": "19"},
            )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"The dashboard did not start: {self.log()[-2000:]}")

    def kill(self) -> None:
        """End it as a power cut does: no farewell, nothing written any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(timeout=10)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()

    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    @contextmanager
    def store(self) -> Iterator[Store]:
        with open_store(self.store_url) as store:
            yield store

    def draft(self, link: str) -> Draft:
        """Return what the store holds for a link."""
        with self.store() as store:
            return Draft.from_json(store.load(store.open(link).id)[1].document)

    def workspace(self, sample: str = "loan") -> str:
        """Make a workspace of a sample, as Start does, and return its link."""
        return self.keep(*sample_draft(sample))

    def keep(self, draft: Draft, data: bytes) -> str:
        """Make a workspace of a draft and its table, and return its link."""
        assert draft.source is not None
        with self.store() as store:
            sha = store.put_blob(data, name=draft.source.name)
            draft = draft.model_copy(
                update={"source": draft.source.model_copy(update={"sha256": sha})}
            )
            made = store.create(
                draft.to_json(), title=draft.title, author="", summary="Opened", blobs=(sha,)
            )
        return made.token


@dataclass
class Watch:
    """What must not happen in any browser of a test."""

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    server_dies: bool = False

    def say(self, kind: str, text: str) -> None:
        if "the server responded with a status of" in text:
            return  # `response` knows of which address
        if NO_HEIGHT in text:
            return
        if self.server_dies and any(word in text for word in GONE):
            return
        if kind == "error" or "Content Security Policy" in text:
            self.errors.append(text)

    def request(self, url: str) -> None:
        if not url.startswith(LOCAL):
            self.requests.append(url)

    def response(self, status: int, url: str) -> None:
        if status >= 400 and not FOUND_OUT.fullmatch(url):
            self.errors.append(f"{status} {url}")

    def check(self) -> None:
        assert not self.requests, self.requests
        assert not self.dialogs, self.dialogs
        assert not self.errors, self.errors


class Tab:
    """Someone's browser. Emptied, it serves another, who finds Streamlit's scripts compiled."""

    def __init__(self, browser: Browser) -> None:
        self.watch = Watch()
        self.context = browser.new_context(
            viewport=SIZE,
            accept_downloads=True,
            reduced_motion="reduce",  # what moves on the screen costs as much as the page itself
        )
        self.page = self.context.new_page()
        hear = self.context.on
        hear("console", lambda said: self.watch.say(said.type, said.text))
        hear("weberror", lambda error: self.watch.errors.append(str(error.error)))
        hear("request", lambda request: self.watch.request(request.url))
        hear("response", lambda response: self.watch.response(response.status, response.url))
        hear("dialog", self._dismiss)

    def _dismiss(self, dialog: Dialog) -> None:
        self.watch.dialogs.append(dialog.message)
        dialog.dismiss()

    def empty(self, address: str) -> None:
        """Leave the app and forget all that was kept for it."""
        self.watch = Watch()
        for other in self.context.pages[1:]:
            other.close()
        self.page.goto(f"{address}/_stcore/health")
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.context.clear_cookies()
        self.page.set_viewport_size(SIZE)
        self.page.emulate_media(media="null", color_scheme="null")


class Person:
    """One browser tab on the workbench, and what can be done and seen in it."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        page.set_default_timeout(PATIENCE)

    # Getting about

    def start(self) -> None:
        self.page.goto(f"{self.server.address}/")
        expect(self.heading("Open a sample")).to_be_visible()

    def open_sample(self, title: str) -> None:
        """Open a sample from Start; it shows its story, and then its causal model."""
        self.button(f"Open {title}").click()
        expect(self.heading("What was found")).to_be_visible()
        self.go("Causal model")
        self.drawn()

    def follow(self, link: str, path: str = "causal-model") -> None:
        self.page.goto(f"{self.server.address}/{path}?w={link}")
        expect(self.finished("page", path=path)).to_be_attached()
        if path == "causal-model":
            self.drawn()
        self.quiet()
        self.unfold()

    def go(self, part: str) -> None:
        """Go to a part of a page by the links above it."""
        page, path, only = PARTS[part]
        if not only and not self.link_to(part, "Parts of this page").count():
            self.link_to(page).click()
            expect(self.link_to(page)).to_have_attribute("aria-current", "page")
        if only or path != self.page.url.partition("?")[0].rpartition("/")[2]:
            self.link_to(page if only else part, "Pages" if only else "Parts of this page").click()
        title = {"start": "Open a sample", "story": "What was found"}.get(path, part)
        expect(self.heading(title)).to_be_visible()
        self.quiet()
        self.unfold()

    def unfold(self) -> None:
        """Open the settings and what else is folded up, as far as there is any."""
        folded = ':is(.st-key-cst-settings, [class*="st-key-cst-folded"])'
        closed = fresh(self.page.locator(f"{folded} details:not([open]) > summary"))
        for _ in range(FOLDS):
            if not closed.count():
                return
            closed.first.press("Enter")
            self.quiet()

    def link_to(self, name: str, line: str = "Pages") -> Locator:
        """Return a link of the line of pages, or of the parts of the page that is open."""
        lines = self.page.get_by_role("navigation", name=line, exact=True)
        return lines.get_by_role("link", name=name, exact=True)

    def finished(self, part: str, **about: object) -> Locator:
        """Return what ends a part of the page that shows this and no other."""
        told = {"part": part, **about}
        attributes = "".join(f'[data-{name}="{value}"]' for name, value in told.items())
        return self.page.locator(f".cst-finished{attributes}")

    def drawn(self) -> None:
        expect(self.page.locator(".react-flow__node").first).to_be_visible()

    def quiet(self) -> None:
        """Wait until no script runs."""
        app = self.page.get_by_test_id("stApp")
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
        expect(app).to_have_attribute("data-test-script-state", "notRunning")

    def still(self) -> None:
        """Wait until nothing is left of an earlier run and nothing fades in or out."""
        self.quiet()
        expect(self.page.locator("[data-stale=true]")).to_have_count(0)
        self.page.wait_for_function(STILL)

    @property
    def link(self) -> str:
        return parse_qs(urlsplit(self.page.url).query)["w"][0]

    def draft(self) -> Draft:
        return self.server.draft(self.link)

    def kept(self, holds: Callable[[Draft], object]) -> Draft:
        """Return what the store holds, once it is as wished."""
        deadline = time.monotonic() + PATIENCE / 1000
        draft = self.draft()
        while not holds(draft):
            assert time.monotonic() < deadline, f"the store holds {draft.to_json()[:3000]}"
            self.page.wait_for_timeout(50)
            draft = self.draft()
        return draft

    # Streamlit's widgets

    def button(self, name: str | re.Pattern[str], *, within: Locator | None = None) -> Locator:
        return fresh((within or self.main).get_by_role("button", name=name, exact=True))

    @property
    def main(self) -> Locator:
        return self.page.get_by_test_id("stMain")

    @property
    def header(self) -> Locator:
        return self.page.locator(".st-key-cst-header")

    def undo(self) -> Locator:
        return fresh(self.header.get_by_role("button", name="Undo"))

    def redo(self) -> Locator:
        return fresh(self.header.get_by_role("button", name="Redo"))

    def combobox(self, name: str | re.Pattern[str]) -> Locator:
        return fresh(self.page.get_by_role("combobox", name=name, exact=True))

    def choose(self, name: str | re.Pattern[str], option: str) -> None:
        wanted = self.page.get_by_role("option", name=option, exact=True)
        self.quiet()
        self.combobox(name).click()
        try:
            wanted.click(timeout=5_000)
        except TimeoutError:  # a rerun can close the list; one opens it again
            self.combobox(name).click()
            wanted.click()
        self.quiet()

    def field(self, name: str | re.Pattern[str]) -> Locator:
        return fresh(self.page.get_by_role("textbox", name=name, exact=True))

    def number(self, name: str | re.Pattern[str]) -> Locator:
        return fresh(self.page.get_by_role("spinbutton", name=name, exact=True))

    def slider(self, name: str) -> Locator:
        return fresh(self.page.get_by_role("slider", name=name))  # told twice, by two elements

    def heading(self, name: str | re.Pattern[str]) -> Locator:
        return fresh(self.page.get_by_role("heading", name=name, exact=True))

    def open(self, text: str | re.Pattern[str], *, exact: bool = False) -> None:
        """Click on words that open or choose something, once no script moves them."""
        self.quiet()
        fresh(self.page.get_by_text(text, exact=exact)).click()

    def write(self, where: Locator, text: str) -> None:
        where.fill(text)
        where.press("Enter")

    def upload(self, name: str, what: bytes | Path, *, into: int = 0) -> None:
        """Give a file to one of the page's upload fields."""
        given: Path | FilePayload = (
            what
            if isinstance(what, Path)
            else FilePayload(name=name, mimeType="application/octet-stream", buffer=what)
        )
        field = self.page.locator("input[type=file]").nth(into)
        if self.page.get_by_role("heading", name="Open a sample").count():  # Start has two fields
            place = ("own-data", "scenario-file")[into]
            field = self.page.locator(f".st-key-{place} input[type=file]")
        field.set_input_files(given)

    def cells(self, kind: str) -> Locator:
        """Return the table's headings (th) or cells (td), as a screen reader gets them."""
        return self.page.get_by_test_id("stDataFrame").first.locator(f"canvas {kind}")

    def tab_to(self, wanted: Locator, most: int = 80, *, key: str = "Tab") -> None:
        """Press Tab until something has the focus."""
        expect(wanted).to_be_visible()
        for _ in range(most):
            self.page.keyboard.press(key)
            if wanted.evaluate("(one) => one.getRootNode().activeElement === one"):
                return
        raise AssertionError(f"{wanted} was not reached with {most} times {key}")

    def says(self, text: str | re.Pattern[str]) -> None:
        expect(self.main.get_by_text(text).first).to_be_visible()

    def saved(self) -> None:
        expect(self.page.locator(".cst-saved .done")).to_have_text(re.compile("Saved$"))

    def call_yourself(self, name: str) -> None:
        self.header.get_by_role("button", name=re.compile("Your name|You:")).click()
        self.write(self.field("Your name, for the list of changes"), name)
        expect(self.header.get_by_role("button", name=f"You: {name[:12]}")).to_be_visible()
        self.page.keyboard.press("Escape")

    # The drawing

    def node(self, label: str) -> Locator:
        name = re.compile(f"^{re.escape(label)}, ")
        return self.page.locator(".react-flow__node").and_(self.page.get_by_label(name))

    def arrow(self, cause: str, effect: str) -> Locator:
        name = re.compile(f"^arrow from {re.escape(cause)} to {re.escape(effect)}(,|$)")
        return self.page.locator(".react-flow__edge").and_(self.page.get_by_label(name))

    def coefficient_drawn(self, cause: str, effect: str) -> re.Pattern[str]:
        return re.compile(f"^arrow from {re.escape(cause)} to {re.escape(effect)}, coefficient ")

    def count(self, *, nodes: int, arrows: int) -> None:
        expect(self.page.locator(".react-flow__node")).to_have_count(nodes)
        expect(self.page.locator(".react-flow__edge")).to_have_count(arrows)

    def tool(self, name: str) -> Locator:
        tools = self.page.get_by_role("toolbar", name="Drawing tools")
        return tools.get_by_role("button", name=name, exact=True)

    def select(self, what: Locator) -> None:
        """Select by keyboard: Space on what has the focus."""
        what.focus()
        self.page.keyboard.press("Space")
        expect(what).to_have_class(re.compile("selected"))

    def delete_arrow(self, cause: str, effect: str) -> None:
        self.arrow(cause, effect).focus()
        self.page.keyboard.press("Delete")
        expect(self.arrow(cause, effect)).to_have_count(0)

    def draw_arrow(self, cause: str, effect: str) -> None:
        """Drag from the dot at a node's edge to the middle of another."""
        try:
            self.node(cause).hover(timeout=5_000)
        except TimeoutError:  # laid out before it had its size, it can lie under the toolbar
            self.tool("Fit to view").click()
            self.node(cause).hover()
        self.drag(
            self.middle(self.node(cause).locator(".start").first), self.middle(self.node(effect))
        )

    def middle(self, what: Locator) -> tuple[float, float]:
        deadline, box = time.monotonic() + PATIENCE / 1000, None
        while box is None:  # drawn anew in between, it has none for a moment
            assert time.monotonic() < deadline, f"{what} has no place"
            expect(what).to_be_attached()
            what.scroll_into_view_if_needed()
            box = what.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()

    def refusal(self) -> Locator:
        return self.page.locator(".callout")


class People:
    """Opens browsers for one test."""

    idle: ClassVar[list[Tab]] = []
    """Emptied by the tests before; all are of the one browser of this process."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._tabs: list[Tab] = []
        self.server = server
        self.watch = Watch()

    def come(self) -> Person:
        """Return someone with a browser of her own that has nothing in it."""
        tab = self.idle.pop() if self.idle else Tab(self._browser)
        tab.watch = self.watch
        self._tabs.append(tab)
        return Person(tab.page, self.server)

    def leave(self) -> None:
        for tab in self._tabs:
            try:
                tab.empty(self.server.address)
                self.idle.append(tab)
            except Error:  # the server is gone, or the page is
                tab.context.close()
