"""Many people at once, each on a workspace of their own; nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.workbench import table
from benchmarks.workbench.cases import sample
from benchmarks.workbench.client import Client
from benchmarks.workbench.serving import Server
from dashboard.draft.document import Draft
from dashboard.store import Store, Workspace, open_store

FIELD = "Coefficient of gender in UGPA"


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """An acknowledged edit: what it was, how long it took, how often the script ran."""

    kind: str
    value: float
    milliseconds: float
    runs: int
    sent_again: int

    def holds(self, draft: Draft) -> bool:
        """Return whether a draft shows this edit."""
        world = draft.world
        if self.kind == "number":
            number = world.equation("UGPA").coefficients.get("gender")
            return number is not None and number.value == self.value
        if self.kind == "move":
            node = world.node("LSAT")
            return node is not None and node.x == self.value
        return (world.edge("race", "LSAT") is None) == (self.kind == "delete")


def many_sessions(server: Server, people: int, edits: int) -> None:
    for pause, name in ((2.0, "an edit every 2 seconds"), (0.0, "as fast as they can")):
        with open_store(server.store_url) as store:
            made = [sample(store, "law-school") for _ in range(people)]
        table.part(f"{people} sessions at once on law-school, {edits} edits each, {name}")
        before = server.cpu()
        everyone, seconds = _elsewhere(server.stream, [one.token for one in made], edits, pause)
        used = server.cpu() - before
        found = [edit for one in everyone for edit in one]
        table.times("edit → last frame, all edits", [edit.milliseconds for edit in found])
        for kind, label in (
            ("number", "a coefficient typed"),
            ("move", "a node moved"),
            ("delete", "an arrow deleted (refitted)"),
            ("add", "an arrow drawn (refitted)"),
        ):
            part = [edit.milliseconds for edit in found if edit.kind == kind]
            if part:
                table.times(f"  {label}", part)
        with open_store(server.store_url) as store:
            lost = sum(_lost(store, one, done) for one, done in zip(made, everyone, strict=True))
        table.figure("edits acknowledged", f"{len(found):,} of {people * edits:,}")
        table.figure("edits a second", f"{len(found) / seconds:,.1f}")
        table.figure("the server's processor time an edit", f"{1000 * used / len(found):,.0f} ms")
        table.figure("times the script ran for an edit", f"{np.mean([e.runs for e in found]):.2f}")
        table.figure("edits that had to be sent again", f"{sum(e.sent_again for e in found):,}")
        table.figure("acknowledged edits that the store does not hold", f"{lost:,}")


def _elsewhere(
    stream: str, tokens: list[str], edits: int, pause: float
) -> tuple[list[list[Done]], float]:
    """Run the sessions in a process of its own, so that nothing here slows them."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_people, args=(there, stream, tokens, edits, pause))
    process.start()
    there.close()
    everyone, seconds = json.loads(here.recv())
    process.join()
    return [[Done(**edit) for edit in one] for one in everyone], seconds


def _people(there: object, stream: str, tokens: list[str], edits: int, pause: float) -> None:
    found, seconds = asyncio.run(_all(stream, tokens, edits, pause))
    there.send(json.dumps([[[asdict(edit) for edit in one] for one in found], seconds]))  # type: ignore[attr-defined]


async def _all(
    stream: str, tokens: list[str], edits: int, pause: float
) -> tuple[list[list[Done]], float]:
    ready = asyncio.Barrier(len(tokens))
    loop = asyncio.get_running_loop()
    entering = asyncio.Semaphore(2)  # they come one after the other, then all edit
    start = 0.0

    async def person(number: int, token: str) -> list[Done]:
        nonlocal start
        client = Client(stream, token)
        async with entering:
            await client.__aenter__()
        try:
            await ready.wait()
            start = start or loop.time()
            return await _edit(client, number, edits, pause)
        finally:
            await client.__aexit__()

    found = await asyncio.gather(*(person(number, token) for number, token in enumerate(tokens)))
    return list(found), loop.time() - start


async def _edit(client: Client, number: int, edits: int, pause: float) -> list[Done]:
    chance = random.Random(number)
    await asyncio.sleep(chance.uniform(0, pause))
    done = []
    for kind, value in _plan(number, edits):
        before, again = client.runs, client.sent_again
        match kind:
            case "number":
                spent = await client.set_number(FIELD, value, "gender", "UGPA")
            case "move":
                spent = await client.draw(op="move_nodes", positions={"LSAT": [value, 240.0]})
            case "delete":
                spent = await client.draw(op="delete_edge", cause="race", effect="LSAT")
            case _:
                spent = await client.draw(op="add_edge", cause="race", effect="LSAT")
        runs = client.runs - before
        done.append(
            Done(
                kind=kind,
                value=value,
                milliseconds=1000 * spent,
                runs=runs,
                sent_again=client.sent_again - again,
            )
        )
        await asyncio.sleep(max(0.0, pause * chance.uniform(0.5, 1.5) - spent))
    return done


def _plan(number: int, edits: int) -> Iterator[tuple[str, float]]:
    """Yield edits, each with a value that no other edit of the session has."""
    for turn in range(edits):
        kind = ("number", "move", "delete", "add")[turn % 4]
        unique = (number * edits + turn) % 700
        yield kind, round(0.2 + unique / 1000, 3) if kind == "number" else 200.0 + unique


def _lost(store: Store, made: Workspace, done: list[Done]) -> int:
    """Count the acknowledged edits that no revision holds, in the order they were made."""
    current, _ = store.load(made.id)
    rest = (
        Draft.from_json(store.revision(made.id, number).document)
        for number in range(2, current.head + 1)  # nothing was undone
    )
    return sum(not any(edit.holds(draft) for draft in rest) for edit in done)
