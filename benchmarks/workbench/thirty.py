"""Editing thirty attributes in one browser."""

from __future__ import annotations

from playwright.sync_api import Browser

from benchmarks.workbench import table
from benchmarks.workbench.cases import RELEVANT, thirty
from benchmarks.workbench.screen import Edit, Screen
from benchmarks.workbench.serving import Server
from dashboard.draft.document import Draft
from dashboard.store import open_store

STEPS = 60
"""Mouse moves in one drag."""


def thirty_nodes(browser: Browser, server: Server, repeats: int) -> None:
    with open_store(server.store_url) as store:
        made = thirty(store)
        world = Draft.from_json(store.load(made.id)[1].document).world
    links = [(edge.cause, edge.effect) for edge in world.edges]
    arrows = [pair for pair in links if pair[1] in RELEVANT]
    table.part(f"{len(world.nodes)} nodes, {len(links)} arrows, 5,000 rows, in one browser")
    opened = []
    for _ in range(3):
        screen = Screen(browser, server)
        opened.append(screen.open(made.token))
        if len(opened) < 3:
            screen.close()
    table.times("open by link → drawing with its numbers, first time", opened[:1])
    table.times("open by link → drawing with its numbers, again", opened[1:])
    gaps: list[float] = []
    moved: list[Edit] = []
    drawn: list[Edit] = []
    for turn in range(repeats + 1):
        way = 40 if turn % 2 == 0 else -40
        move, frames = screen.move(RELEVANT[turn // 2 % len(RELEVANT)], (way, way / 2), steps=STEPS)
        moved.append(move)
        gaps += frames
    for cause, effect in arrows[: repeats + 1]:
        screen.delete_arrow(cause, effect)
        drawn.append(screen.draw_arrow(cause, effect))
    table.times("time between frames while a node is dragged", gaps)
    table.edits("drop a node → saved", moved[1:])
    table.edits("draw an arrow by mouse → its fitted coefficient", drawn[1:], 300)
    screen.close()
