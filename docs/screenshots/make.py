"""Take the screenshots that README and guide show anew, or those of every page to look at.

``make screenshots`` takes the first, ``make screenshots ALL=folder`` every page, light and dark,
from 390 to 1920 pixels, into a folder of yours. Both start a server of their own, its store empty.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = (  # noqa: SIM905
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
EVERY = tuple((width, theme) for width in (1440, 1920, 1024, 390) for theme in ("light", "dark"))
COLOURS = 256
"""A picture of the guide has so many, which keeps it small and no one sees."""
PATIENCE = 300_000
"""Milliseconds: the checks of robustness are computed before their picture is taken."""
PARTS = {
    "story": 850,
    "data": 2250,
    "overview": 1500,
    "two-worlds": 1300,
    "several": 1100,
    "complainant": 2600,
    "groups": 1300,
    "robustness": 3300,
    "rival-worlds": 2000,
    "history": 900,
    "words": 1100,
}
"""The addresses of the parts of the pages, and how much of each is shown, in pixels."""
PRESSED = {
    "complainant": ("Show the first in the table", "How firm is this?"),
    "robustness": ("Compute everything", "Each coefficient moved by"),
}
"""What is pressed before a picture is taken, and what then appears last."""


def main() -> None:
    """Take those that are shown, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, help="a folder for the pictures of every page")
    folder: Path | None = parser.parse_args().all
    names = ("chromium", "chromium-browser", "google-chrome")
    browser_path = next(filter(None, map(shutil.which, names)), None)
    if browser_path is None:
        sys.exit("No Chromium was found; install one first.")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as play:
        port = _free_port()
        environment = {**os.environ, "CST_STORE": f"sqlite:///{made}/store.sqlite3"}
        server = subprocess.Popen(
            [sys.executable, "-m", "dashboard", "--port", str(port), "--no-browser"],
            env=environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait(port)
            browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
            for width, theme in EVERY if folder else EVERY[:1]:
                context = browser.new_context(
                    viewport={"width": width, "height": 900}, color_scheme=theme
                )
                target = folder or Path(made)
                _all_pages(context.new_page(), f"http://127.0.0.1:{port}", width, theme, target)
                context.close()
            browser.close()
        finally:
            server.terminate()
            server.wait(10)
        if folder is None:
            for name in shown():
                picture = Image.open(Path(made) / name).convert("RGB")
                # first the colours farthest apart, or a mark in a rare one would turn grey
                few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2)
                few.save(HERE / name, optimize=True)


def shown() -> set[str]:
    """Return the names of the pictures that README and guide show."""
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    found = (re.findall(r"screenshots/([\w-]+\.png)", text.read_text("utf-8")) for text in texts)
    return {name for names in found for name in names}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(port: int) -> None:
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
            return
        except OSError:
            time.sleep(0.25)
    sys.exit("The server did not start.")


def _all_pages(page: Page, address: str, width: int, theme: str, folder: Path) -> None:
    def shot(name: str, height: int = 900) -> None:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
        page.set_viewport_size({"width": width, "height": 900})

    page.goto(address)
    settle(page)
    shot("start", 900 if width > 1200 else 1000)
    page.get_by_role("button", name="Take the tour").click()
    settle(page)
    shot("tour")
    page.get_by_role("button", name="Close the tour").click()
    settle(page)
    page.goto(f"{address}/data")
    page.get_by_text("No workspace is open").wait_for()
    shot("no-workspace")
    page.goto(address)
    settle(page)
    page.get_by_role("button", name="Open law school admissions").click()
    page.get_by_role("button", name="See all findings").wait_for()
    settle(page)
    case = urlsplit(page.url).query
    for name, height in PARTS.items():
        page.goto(f"{address}/{name}?{case}")
        settle(page, name)
        if name in PRESSED:
            button, answer = PRESSED[name]
            page.get_by_role("button", name=button).click()
            page.get_by_text(answer).first.wait_for(timeout=PATIENCE)
            page.mouse.move(0, 0)
            page.locator("[data-testid=stMain]").evaluate("(all) => all.scrollTo(0, 0)")
        shot(name, height)
    height = 900 if width > 1200 else 1450
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{address}/causal-model?{case}")
    _causal_model(page, shot, height)


def _causal_model(page: Page, shot: Callable[[str, int], None], height: int) -> None:
    """Take the drawing as it is, with a coefficient set by hand, and beside another."""
    page.get_by_text("Equation for").wait_for()
    shot("causal-model", height)
    field = page.get_by_role("spinbutton", name="Coefficient of race in UGPA")
    field.fill("-0.35")
    field.press("Enter")
    page.get_by_text("That may be right, but say why").wait_for()
    page.get_by_text("How well does it fit?").click()
    shot("by-hand", height)
    page.locator("label", has_text="Compare").first.click()
    page.get_by_text("Compare with").wait_for()
    shot("compare", 900)
    page.locator("label", has_text="Compare").first.click()
    page.get_by_role("button", name="Undo").first.click()
    settle(page)


def settle(page: Page, name: str = "") -> None:
    """Wait until the page is there, nothing is computed and nothing moves any more."""
    path = f"[data-path={name}]" if name else ""
    ended = page.locator(f".cst-finished[data-part=page]{path}")
    ended.wait_for(state="attached", timeout=PATIENCE)
    page.wait_for_function(
        "() => document.querySelector('.stApp').dataset.testScriptState !== 'running'"
        " && !document.querySelector('[data-testid=stProgress], [data-testid=stSpinner]')",
        timeout=PATIENCE,
    )
    page.wait_for_timeout(1500)  # what glides into its place


if __name__ == "__main__":
    main()
