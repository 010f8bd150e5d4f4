"""Editing the samples in one browser: from the edit to its redraw."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser

from benchmarks.workbench import table
from benchmarks.workbench.cases import sample
from benchmarks.workbench.screen import Edit, Screen
from benchmarks.workbench.serving import Server
from dashboard.store import open_store


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """What is edited in a sample: a coefficient and an arrow of one equation."""

    name: str
    node: str
    field: str
    value: float
    step: float
    cause: str
    other: str


CASES = (
    Case(
        name="loan",
        node="Account balance",
        field="Coefficient of Gender in AccountBalance",
        value=-1500,
        step=-10,
        cause="Gender",
        other="Annual salary",
    ),
    Case(
        name="law-school",
        node="LSAT",
        field="Coefficient of gender in LSAT",
        value=-0.61,
        step=-0.01,
        cause="gender",
        other="race",
    ),
)


def sample_edits(browser: Browser, server: Server, repeats: int) -> None:
    for case in CASES:
        with open_store(server.store_url) as store:
            link = sample(store, case.name).token
        screen = Screen(browser, server)
        table.part(f"Editing {case.name} in one browser")
        table.times(
            "open the workspace by its link → drawing with its numbers", [screen.open(link)]
        )
        screen.select(case.node)
        numbers: list[Edit] = []
        deleted: list[Edit] = []
        drawn: list[Edit] = []
        # A new number each time: nothing that follows has been worked out before.
        for turn in range(repeats + 1):
            value = round(case.value + turn * case.step, 6)
            numbers.append(screen.set_number(case.field, value, case.cause, case.node))
            deleted.append(screen.delete_arrow(case.other, case.node))
            drawn.append(screen.draw_arrow(case.other, case.node))
        table.edits("type a coefficient, Enter → arrow and preview show it", numbers[1:], 300)
        table.edits("draw an arrow by mouse → its fitted coefficient", drawn[1:], 300)
        table.edits("delete an arrow → saved, and all drawn anew", deleted[1:])
        screen.close()
