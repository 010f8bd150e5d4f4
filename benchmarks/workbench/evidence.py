"""The evidence's slider: from the key press to the frame in which all charts show the new k."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser

from benchmarks.workbench import table
from benchmarks.workbench.cases import many, sample
from benchmarks.workbench.screen import Screen
from benchmarks.workbench.serving import Server
from dashboard.store import Store, Workspace, open_store

TARGET = 300
CASES: tuple[tuple[str, Callable[[Store], Workspace]], ...] = (
    ("loan", lambda store: sample(store, "loan")),
    ("law-school", lambda store: sample(store, "law-school")),
    ("100,000 rows", many),
)


def slider(browser: Browser, server: Server, repeats: int) -> None:
    for name, make in CASES:
        with open_store(server.store_url) as store:
            link = make(store).token
        screen = Screen(browser, server)
        table.part(f"The evidence of {name} in one browser")
        opened = screen.open_evidence(link)
        table.times("open Overview by its link → its charts, the search included", [opened])
        # A new k each time: nothing that follows has been counted before.
        moves = [screen.slide(16 + turn) for turn in range(repeats + 1)]
        table.edits("move k by one with a key → sentence and all charts", moves[1:], TARGET)
        again = [screen.slide(15 + repeats - turn) for turn in range(repeats)]
        table.edits("move k back the same way", again, TARGET)
        screen.close()
